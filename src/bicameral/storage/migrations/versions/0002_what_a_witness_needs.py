"""Links whole, outcomes, signatures, redactions, adjudications and NLI answers.

A link of the first version was kept as its hash alone. Its bytes are derived here from the record, the batch and the
replies of the run that came first, and kept where they hash to the link; else the link stays without them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=nullable)


def _texts(*names: str) -> list[sa.Column[str]]:
    return [_text(name) for name in names]


def _reference(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [other], name=f"fk_{table}_{column}", deferrable=True, initially="DEFERRED"
    )


def upgrade() -> None:
    with op.batch_alter_table("batches") as batches:
        batches.add_column(_text("adjudication", nullable=True))
        batches.create_foreign_key(
            "fk_batches_adjudication", "records", ["adjudication"], ["digest"], deferrable=True, initially="DEFERRED"
        )
    with op.batch_alter_table("chain") as chain:
        chain.add_column(_text("run_id", nullable=True))
        chain.add_column(sa.Column("body", sa.LargeBinary(), nullable=True))
        chain.add_column(sa.Column("outcome", sa.LargeBinary(), nullable=True))
        chain.create_foreign_key(
            "fk_chain_run_id", "runs", ["run_id"], ["run_id"], deferrable=True, initially="DEFERRED"
        )
    op.create_table(
        "envelopes",
        *_texts("digest", "kind", "subject", "key_id", "signed_at"),
        _text("run_id", nullable=True),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_envelopes"),
        _reference("envelopes", "run_id", "runs.run_id"),
    )
    op.create_index("ix_envelopes_subject", "envelopes", ["subject"])
    op.create_table(
        "redactions",
        *_texts("digest", "kind", "redacted_at", "redacted_by", "reason"),
        sa.PrimaryKeyConstraint("digest", "kind", name="pk_redactions"),
    )
    op.create_table(
        "nli_answers",
        *_texts("model", "pair", "label", "scores"),
        sa.PrimaryKeyConstraint("model", "pair", name="pk_nli_answers"),
    )
    _derive_links(op.get_bind())
    op.execute(sa.text("UPDATE meta SET version = 2"))


def _derive_links(connection: sa.Connection) -> None:
    links = connection.execute(
        sa.text(
            "SELECT chain.seq, chain.previous, chain.entry, chain.record, records.dialog_id, records.body"
            " FROM chain JOIN records ON records.digest = chain.record ORDER BY chain.seq"
        )
    ).all()
    for row in links:
        run_id = connection.execute(
            sa.text("SELECT min(run_id) FROM raw_replies WHERE record = :record"), {"record": row.record}
        ).scalar()
        body = _first_form({str(k): v for k, v in row._mapping.items()}, _marks(connection, row.record, run_id))
        known = body is not None and f"sha256:{hashlib.sha256(body).hexdigest()}" == row.entry
        connection.execute(
            sa.text("UPDATE chain SET run_id = :run_id, body = :body WHERE seq = :seq"),
            {"run_id": run_id, "body": body if known else None, "seq": row.seq},
        )


def _marks(connection: sa.Connection, record: str, run_id: str | None) -> list[dict[str, Any]]:
    rows = connection.execute(
        sa.text(
            "SELECT depth, digest, finish, state FROM raw_replies"
            " WHERE record = :record AND run_id = :run_id AND depth IS NOT NULL ORDER BY position"
        ),
        {"record": record, "run_id": run_id},
    )
    return [{"chainDepth": r.depth, "digest": r.digest, "finish": r.finish, "state": r.state} for r in rows]


def _first_form(row: Mapping[str, Any], marks: list[dict[str, Any]]) -> bytes | None:
    """A link as the first version hashed it; None for a record that does not read. Its values are texts and small whole
    numbers, and its member names ASCII, so that sorted compact JSON is RFC 8785 here."""
    try:
        wire_key = json.loads(row["body"])["wireKey"]
        link = {
            "type": "bicameral.chain.v1",
            "seq": row["seq"],
            "previous": row["previous"] or None,
            "recordDigest": row["record"],
            "dialogId": row["dialog_id"],
            "wireDigest": f"sha256:{hashlib.sha256(wire_key.encode()).hexdigest()}",
            "replies": marks,
        }
        return json.dumps(link, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def downgrade() -> None:
    raise NotImplementedError("A store is never taken back to an older version: user data would be lost.")
