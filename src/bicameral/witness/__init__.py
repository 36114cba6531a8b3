"""The witness, its deciding parts: what was said becomes a record that anyone can check, compare and read.

`recorder` takes turns one by one; `recording` turns a dialogue's utterances into a record; `chain` links records;
`verify` re-derives all that a record says; `compare` finds where two dialogs part; `cael` writes and checks traces;
`transcript` is for people. `audit` verifies a whole chain, `bundle` is its portable file, `signing` and `keys` are for
envelopes; they are imported by name. What is imported here is pure.
"""

from bicameral.witness._family import build_equivalence_v1_record, verify_equivalence
from bicameral.witness.cael import export_cael, record_of_trace, verify_trace
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
    "build_equivalence_v1_record",
    "chain_entry",
    "chain_entry_bytes",
    "chain_entry_hash",
    "export_cael",
    "first_difference",
    "link",
    "read_chain_entry",
    "record_dialog",
    "record_of_trace",
    "render_transcript",
    "verify_chain",
    "verify_equivalence",
    "verify_record",
    "verify_trace",
]
