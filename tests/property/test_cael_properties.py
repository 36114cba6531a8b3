"""Traces of any record and any lines."""

from __future__ import annotations

import json

from dialog_strategies import FOREIGN_DIALOGS, VALUES
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bicameral.canonical import UNDEFINED, build_agent_dialog_v1_record, record_bytes
from bicameral.errors import BicameralError, DuplicateTurnError, RecordError, UnrecordableError
from bicameral.witness._cael_text import HASHED, entry_text, fnv1a
from bicameral.witness.cael import TraceEvent, export_cael, record_of_trace, verify_trace, write_trace

MODES = st.sampled_from(["fnv1a", "sha256"])
NAMES = st.one_of(
    st.sampled_from(["0", "9", "10", "01", "4294967294", "4294967295", "\U0001f600", "\ufb33", "-1", "", "a", "1e3"]),
    st.text(max_size=3),
)


def recorded(dialog):
    try:
        return build_agent_dialog_v1_record(dialog)
    except DuplicateTurnError:
        assume(False)
        raise


@given(FOREIGN_DIALOGS, MODES)
def test_any_record_is_had_back_from_its_trace(dialog, mode):
    record = recorded(dialog)
    try:
        lines = list(export_cael(record, mode=mode))
    except RecordError:  # depths that the wire writes alike
        assert '"chainDepth":null' in record["wireKey"]
        return
    assert record_of_trace(lines).to_bytes() == record_bytes(record)
    assert all(problem.where.startswith("entries[0].payload.record.") for problem in verify_trace(lines))
    assert list(export_cael(record, mode=mode)) == lines


@given(FOREIGN_DIALOGS.filter(lambda dialog: len(dialog["turns"]) < 4), MODES, st.data())
def test_any_changed_character_of_a_trace_is_told(dialog, mode, data):
    text = "\n".join(export_cael(recorded(dialog), mode=mode))
    at = data.draw(st.integers(0, len(text) - 1))
    new = data.draw(st.sampled_from('x0 "{}[],:\n1e\\u.-'))
    changed = text[:at] + new + text[at + 1 :]

    def meant(lines):
        try:
            return [json.dumps(json.loads(line), sort_keys=True) for line in lines.split("\n") if line.strip()]
        except ValueError:
            return None

    assume(meant(changed) != meant(text))  # a space may stand for another
    assert any(not problem.where.startswith("entries[0].payload.record.") for problem in verify_trace(changed))


LINES = st.one_of(
    st.binary(max_size=30),
    st.text(max_size=30),
    VALUES.filter(lambda value: value is not UNDEFINED).map(lambda value: json.dumps(wireless(value))),
    st.dictionaries(st.sampled_from([*HASHED, "hash", "note"]), VALUES).map(lambda entry: json.dumps(wireless(entry))),
    st.none(),
)


def wireless(value):
    """The value with every UNDEFINED a null, so that `json` writes it (NaN as a bare word, too)."""
    if isinstance(value, dict):
        return {name: wireless(member) for name, member in value.items()}
    if isinstance(value, list):
        return [wireless(element) for element in value]
    return None if value is UNDEFINED else value


@given(st.lists(LINES, max_size=4), st.sampled_from([None, "fnv1a", "sha256"]))
def test_no_lines_whatever_raise(lines, mode):
    for problem in verify_trace(lines, mode=mode, entries=2, head="x"):
        (problem.where + problem.what).encode("utf-8")
    try:
        record_of_trace(lines, mode=mode)
    except RecordError as error:
        str(error).encode("utf-8")


@given(st.lists(st.dictionaries(NAMES, VALUES, max_size=4), min_size=1, max_size=4), MODES)
@settings(max_examples=60)
def test_whatever_is_written_verifies(payloads, mode):
    events = [TraceEvent(event="step", payload=payload, timestamp=n) for n, payload in enumerate(payloads)]
    try:
        lines = list(write_trace("r", events, mode=mode))
    except UnrecordableError:
        return
    assert list(verify_trace(lines, mode=mode, entries=len(events), head=json.loads(lines[-1])["hash"])) == []
    assert entry_text(json.loads(lines[-1])) == entry_text(json.loads(json.dumps(json.loads(lines[-1]))))


@given(st.dictionaries(NAMES, st.integers(0, 9), max_size=8))
def test_names_like_indices_come_first_by_value_and_the_others_by_code_unit(members):
    try:
        text = entry_text({"payload": members})
    except BicameralError:
        return
    names = list(json.loads(text)["payload"])
    indices = [
        name for name in names if name.isascii() and name.isdigit() and str(int(name)) == name and int(name) < 2**32 - 1
    ]
    others = [name for name in names if name not in indices]
    assert names == indices + others
    assert [int(name) for name in indices] == sorted(map(int, indices))
    assert others == sorted(others, key=lambda name: name.encode("utf-16-be", "surrogatepass"))


@given(st.text(max_size=20))
def test_the_weak_hash_is_fnv_1a_over_whole_code_units(text):
    state = 2166136261
    for unit in memoryview(text.encode("utf-16-le")).cast("H") if text else ():
        state = ((state ^ unit) * 16777619) % 2**32
    assert fnv1a(text) == state
