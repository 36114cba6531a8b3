"""Values to canonical bytes and back, and digests taken over those bytes. Pure: no disk, clock, locale or chance.

`plain` writes our own values (RFC 8785). `ecmascript`, `collation` and `dialogs` give foreign and own dialogs the key
that the public TypeScript implementation gives them. `reading` and `records` read what anybody wrote; `equivalences`
and `sessions` are the other record types of the family.
"""

from bicameral.canonical.dialogs import (
    build_agent_dialog_v1_record,
    canonical_dialog_snapshot,
    dialog_wire_key,
    turn_hash,
    wire_digest,
    wire_format_equivalent_dialog,
)
from bicameral.canonical.ecmascript import MAX_FOREIGN_DEPTH, UNDEFINED
from bicameral.canonical.equivalences import EQUIVALENCE_V1, EquivalenceRecord
from bicameral.canonical.plain import MAX_DEPTH, canonical_json, digest_of, record_json, sha256_digest
from bicameral.canonical.reading import parse_json
from bicameral.canonical.records import DialogRecord, Record, open_dialog, read_record, record_bytes
from bicameral.canonical.sessions import UI_SESSION_V1, SessionRecord, build_ui_session_v1_record
from bicameral.canonical.shown import shown, shown_lines
from bicameral.model.dialogs import AGENT_DIALOG_V1, Dialog, DialogTurn

__all__ = [
    "AGENT_DIALOG_V1",
    "EQUIVALENCE_V1",
    "MAX_DEPTH",
    "MAX_FOREIGN_DEPTH",
    "UI_SESSION_V1",
    "UNDEFINED",
    "Dialog",
    "DialogRecord",
    "DialogTurn",
    "EquivalenceRecord",
    "Record",
    "SessionRecord",
    "build_agent_dialog_v1_record",
    "build_ui_session_v1_record",
    "canonical_dialog_snapshot",
    "canonical_json",
    "dialog_wire_key",
    "digest_of",
    "open_dialog",
    "parse_json",
    "read_record",
    "record_bytes",
    "record_json",
    "sha256_digest",
    "shown",
    "shown_lines",
    "turn_hash",
    "wire_digest",
    "wire_format_equivalent_dialog",
]
