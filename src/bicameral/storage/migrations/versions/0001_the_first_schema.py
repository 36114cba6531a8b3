"""The first schema: runs, records and their chain, the backlog, verdicts and leases.

It is written out here and not taken from `schema`, which moves on.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=nullable)


def _texts(*names: str) -> list[sa.Column[str]]:
    return [_text(name) for name in names]


def _whole(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), autoincrement=False, nullable=False)


def _big(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), autoincrement=False, nullable=False)


def _bytes(name: str, *, nullable: bool = False) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary(), nullable=nullable)


def _truth(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), nullable=False)


def _key(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*columns, name=f"pk_{table}")


def _reference(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [other], name=f"fk_{table}_{column}", deferrable=True, initially="DEFERRED"
    )


def upgrade() -> None:
    meta = op.create_table("meta", _whole("version"), _key("meta", "version"))
    op.bulk_insert(meta, [{"version": 1}])
    _make_runs()
    _make_records()
    _make_backlog()
    op.create_table("verdicts", _text("key"), _bytes("body"), _key("verdicts", "key"))
    op.create_table("leases", *_texts("key", "owner"), _big("expires_at_ms"), _key("leases", "key"))


def _make_runs() -> None:
    op.create_table(
        "runs",
        *_texts("run_id", "project", "roster", "started_at"),
        _text("finished_at", nullable=True),
        sa.Column("exit_status", sa.Integer(), nullable=True),
        *_texts("program_version", "spend"),
        _bytes("report", nullable=True),
        _key("runs", "run_id"),
    )


def _make_records() -> None:
    op.create_table("records", *_texts("digest", "dialog_id", "solver_type"), _bytes("body"), _key("records", "digest"))
    op.create_index("ix_records_dialog_id", "records", ["dialog_id"])
    op.create_table(
        "batches",
        _text("run_id"),
        _whole("position"),
        *_texts("target", "platform", "route", "state"),
        _text("record", nullable=True),
        _bytes("body"),
        _key("batches", "run_id", "position"),
        _reference("batches", "run_id", "runs.run_id"),
        _reference("batches", "record", "records.digest"),
    )
    op.create_index("ix_batches_record", "batches", ["record"])
    op.create_table(
        "raw_replies",
        *_texts("record", "run_id"),
        _whole("position"),
        sa.Column("depth", sa.Integer(), nullable=True),
        *_texts("handle", "model", "task", "finish", "state", "digest", "reported"),
        _bytes("body", nullable=True),
        _key("raw_replies", "record", "run_id", "position"),
        _reference("raw_replies", "record", "records.digest"),
        _reference("raw_replies", "run_id", "runs.run_id"),
    )
    op.create_table(
        "chain",
        _big("seq"),
        *_texts("previous", "entry", "record"),
        _key("chain", "seq"),
        sa.UniqueConstraint("entry", name="uq_chain_entry"),
        _reference("chain", "record", "records.digest"),
    )


def _make_backlog() -> None:
    op.create_table(
        "issues",
        *_texts("issue", "target", "place", "state", "platform", "category", "attribute", "region", "severity"),
        *_texts("title", "problem", "expected", "observed", "status", "first_run", "last_run"),
        _big("reopened"),
        _text("reopened_run", nullable=True),
        _text("not_seen_since", nullable=True),
        _key("issues", "issue"),
    )
    op.create_index("ix_issues_target", "issues", ["target", "place"])
    op.create_index("ix_issues_status", "issues", ["status"])
    op.create_table(
        "sightings",
        *_texts("sighting", "issue"),
        _whole("position"),
        *_texts("form_factor", "scheme", "route", "shot_id", "picture"),
        _text("facts", nullable=True),
        _text("box", nullable=True),
        *_texts("oracle", "severity", "confidence", "title", "problem", "expected", "observed", "acceptance"),
        _text("consensus", nullable=True),
        *_texts("rulings", "dialog_id", "wire_digest", "first_run", "last_run"),
        _truth("seen"),
        _key("sightings", "sighting"),
        _reference("sightings", "issue", "issues.issue"),
    )
    op.create_index("ix_sightings_issue", "sightings", ["issue"])
    op.create_index("ix_sightings_route", "sightings", ["route"])
    op.create_table(
        "human_rulings",
        _text("issue"),
        _whole("position"),
        *_texts("status", "reason", "ruled_by", "ruled_at"),
        _truth("proposed"),
        _key("human_rulings", "issue", "position"),
        _reference("human_rulings", "issue", "issues.issue"),
    )


def downgrade() -> None:
    raise NotImplementedError("A store is never taken back to an older version: user data would be lost.")
