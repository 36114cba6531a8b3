"""The witness, its deciding parts: what was said becomes a record that anyone can check, compare and read.

`recorder` takes turns one by one; `recording` turns a dialogue's utterances into a record; `chain` links records;
`verify` re-derives all that a record says; `compare` finds where two dialogs part; `transcript` is for people. All
are pure: storing, signing and reading files is done by others.
"""

from bicameral.witness.chain import (
    about_reply,
    chain_entry,
    chain_entry_bytes,
    chain_entry_hash,
    link,
    read_chain_entry,
    verify_chain,
)
from bicameral.witness.compare import Difference, first_difference
from bicameral.witness.recorder import DialogRecorder
from bicameral.witness.recording import record_dialog
from bicameral.witness.transcript import render_transcript
from bicameral.witness.verify import verify_record

__all__ = [
    "DialogRecorder",
    "Difference",
    "about_reply",
    "chain_entry",
    "chain_entry_bytes",
    "chain_entry_hash",
    "first_difference",
    "link",
    "read_chain_entry",
    "record_dialog",
    "render_transcript",
    "verify_chain",
    "verify_record",
]
