"""The tables. One schema for SQLite and PostgreSQL; `migrations/` makes it, and a test holds the two equal.

Answers for: what is kept and what names it. Declines to hold rules of the backlog: those are `backlog`'s.

Rules, in order:
1. Texts compare by code point everywhere (SQLite's BINARY, PostgreSQL's "C"), so that order depends on no locale.
2. Canonical bytes and raw replies are bytes. Small structured values are canonical JSON texts.
3. Times and ids are handed in as text; a lease's end is whole milliseconds since 1970, UTC.
4. Foreign keys are checked at commit: within a transaction the order of writes is the caller's.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

SCHEMA_VERSION: Final = 2
"""The newest version this program knows: the number of the last migration."""

APPLICATION_ID: Final = 0x42494341
"""`BICA` in a SQLite file's header (PRAGMA application_id): the file is ours."""

metadata: Final = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
    }
)


def _text() -> Text:
    return Text().with_variant(Text(collation="C"), "postgresql")


def _needed(name: str) -> Column[str]:
    return Column(name, _text(), nullable=False)


def _optional(name: str) -> Column[str]:
    return Column(name, _text(), nullable=True)


def _key(name: str) -> Column[str]:
    return Column(name, _text(), primary_key=True)


def _part_of(name: str, other: str, *, primary_key: bool = False, nullable: bool = False) -> Column[str]:
    reference = ForeignKey(other, deferrable=True, initially="DEFERRED")
    return Column(name, _text(), reference, primary_key=primary_key, nullable=nullable)


meta: Final = Table("meta", metadata, Column("version", Integer, primary_key=True, autoincrement=False))

runs: Final = Table(
    "runs",
    metadata,
    _key("run_id"),
    _needed("project"),
    _needed("roster"),
    _needed("started_at"),
    _optional("finished_at"),
    Column("exit_status", Integer, nullable=True),
    _needed("program_version"),
    _needed("spend"),
    Column("report", LargeBinary, nullable=True),
)

records: Final = Table(
    "records",
    metadata,
    _key("digest"),
    _needed("dialog_id"),
    _needed("solver_type"),
    Column("body", LargeBinary, nullable=False),
    Index(None, "dialog_id"),
)

batches: Final = Table(
    "batches",
    metadata,
    _part_of("run_id", "runs.run_id", primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    _needed("target"),
    _needed("platform"),
    _needed("route"),
    _needed("state"),
    _part_of("record", "records.digest", nullable=True),
    Column("body", LargeBinary, nullable=False),
    _part_of("adjudication", "records.digest", nullable=True),
    Index(None, "record"),
)

raw_replies: Final = Table(
    "raw_replies",
    metadata,
    _part_of("record", "records.digest", primary_key=True),
    _part_of("run_id", "runs.run_id", primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("depth", Integer, nullable=True),  # NULL: no turn was read from it
    _needed("handle"),
    _needed("model"),
    _needed("task"),
    _needed("finish"),
    _needed("state"),
    _needed("digest"),
    _needed("reported"),
    Column("body", LargeBinary, nullable=True),  # NULL: dropped later; its digest stays
)

chain: Final = Table(
    "chain",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    _needed("previous"),
    Column("entry", _text(), nullable=False, unique=True),
    _part_of("record", "records.digest"),
    _part_of("run_id", "runs.run_id", nullable=True),  # whose replies the link marks
    Column("body", LargeBinary, nullable=True),  # canonical bytes; NULL: of a store that did not keep them
    Column("outcome", LargeBinary, nullable=True),
)

envelopes: Final = Table(
    "envelopes",
    metadata,
    _key("digest"),  # of the body: one envelope is kept once, and two of one head are two
    _needed("kind"),
    _needed("subject"),
    _needed("key_id"),
    _needed("signed_at"),
    _part_of("run_id", "runs.run_id", nullable=True),
    Column("body", LargeBinary, nullable=False),
    Index(None, "subject"),
)

redactions: Final = Table(
    "redactions",
    metadata,
    _key("digest"),
    _key("kind"),
    _needed("redacted_at"),
    _needed("redacted_by"),
    _needed("reason"),
)

nli_answers: Final = Table(
    "nli_answers",
    metadata,
    _key("model"),
    _key("pair"),
    _needed("label"),
    _needed("scores"),
)

issues: Final = Table(
    "issues",
    metadata,
    _key("issue"),
    _needed("target"),
    _needed("place"),
    _needed("state"),
    _needed("platform"),
    _needed("category"),
    _needed("attribute"),
    _needed("region"),
    _needed("severity"),
    _needed("title"),
    _needed("problem"),
    _needed("expected"),
    _needed("observed"),
    _needed("status"),
    _needed("first_run"),
    _needed("last_run"),
    Column("reopened", BigInteger, nullable=False),
    _optional("reopened_run"),
    _optional("not_seen_since"),
    Index(None, "target", "place"),
    Index(None, "status"),
)

sightings: Final = Table(
    "sightings",
    metadata,
    _key("sighting"),
    _part_of("issue", "issues.issue"),
    Column("position", Integer, nullable=False),
    _needed("form_factor"),
    _needed("scheme"),
    _needed("route"),
    _needed("shot_id"),
    _needed("picture"),
    _optional("facts"),
    _optional("box"),
    _needed("oracle"),
    _needed("severity"),
    _needed("confidence"),
    _needed("title"),
    _needed("problem"),
    _needed("expected"),
    _needed("observed"),
    _needed("acceptance"),
    _optional("consensus"),
    _needed("rulings"),
    _needed("dialog_id"),
    _needed("wire_digest"),
    _needed("first_run"),
    _needed("last_run"),
    Column("seen", Boolean, nullable=False),
    Index(None, "issue"),
    Index(None, "route"),
)

human_rulings: Final = Table(
    "human_rulings",
    metadata,
    _part_of("issue", "issues.issue", primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    _needed("status"),
    _needed("reason"),
    _needed("ruled_by"),
    _needed("ruled_at"),
    Column("proposed", Boolean, nullable=False),
)

verdicts: Final = Table("verdicts", metadata, _key("key"), Column("body", LargeBinary, nullable=False))

leases: Final = Table(
    "leases",
    metadata,
    _key("key"),
    _needed("owner"),
    Column("expires_at_ms", BigInteger, nullable=False),
)
