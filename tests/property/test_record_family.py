"""Any record of the family: read, written and read it is the same bytes, and what was changed in it is told."""

from __future__ import annotations

import json

from dialog_strategies import FOREIGN_DIALOGS, SAID, VALUES
from hypothesis import assume, given
from hypothesis import strategies as st

from bicameral.canonical import (
    UNDEFINED,
    DialogRecord,
    EquivalenceRecord,
    Record,
    SessionRecord,
    build_agent_dialog_v1_record,
    build_ui_session_v1_record,
    canonical_json,
    dialog_wire_key,
    read_record,
    record_bytes,
    shown,
)
from bicameral.canonical.sessions import ACTIONS, FAILURES, OPENED
from bicameral.errors import DuplicateTurnError, RecordError
from bicameral.witness import render_transcript, verify_record
from bicameral.witness._family import build_equivalence_v1_record, verify_equivalence

DIGESTS = st.binary(min_size=32, max_size=32).map(lambda data: f"sha256:{data.hex()}")
NAMES = SAID.filter(lambda text: text and "://" not in text and not text.startswith("//"))


@st.composite
def steps(draw):
    action = draw(st.sampled_from(sorted(ACTIONS)))
    needs = ACTIONS[action]
    step = {"action": action}
    secret = action == "fill" and draw(st.booleans())
    if secret:
        step["secret"] = True
    for name, asked in (("target", needs.target), ("value", "never" if secret else needs.value)):
        if asked == "asked" or (asked == "may" and draw(st.booleans())):
            step[name] = draw(NAMES)
    if action == "wait" and len(step) == 1:
        step["value"] = draw(NAMES)
    if draw(st.booleans()):
        step["seen"] = draw(st.dictionaries(st.sampled_from(["picture", "facts"]), DIGESTS, min_size=1))
    if draw(st.booleans()):
        step["failed"] = draw(st.sampled_from(FAILURES))
    return step


SESSIONS = st.builds(
    build_ui_session_v1_record,
    st.fixed_dictionaries(
        dict.fromkeys(OPENED[:2], NAMES), optional=dict.fromkeys(OPENED[2:], NAMES)
    ),
    st.lists(steps(), max_size=5),
    st.one_of(st.none(), SAID),
)  # fmt: skip


def keyed(dialog):
    try:
        dialog_wire_key(dialog)
    except DuplicateTurnError:
        return False
    return True


KEYED = FOREIGN_DIALOGS.filter(keyed)
COMPARISONS = st.builds(build_equivalence_v1_record, KEYED, KEYED, st.one_of(st.none(), SAID))
DIALOGS = st.builds(build_agent_dialog_v1_record, KEYED)
STRANGE = st.builds(
    lambda word, more: {**more, "solverType": word},
    st.text(max_size=12),
    st.dictionaries(st.text(max_size=6), VALUES.filter(lambda value: value is not UNDEFINED), max_size=4),
)
FAMILY = st.one_of(DIALOGS, COMPARISONS, SESSIONS, STRANGE)
CLASSES = {"agent.dialog.v1": DialogRecord, "equivalence.v1": EquivalenceRecord, "ui.session.v1": SessionRecord}


@given(FAMILY, st.sampled_from([None, 0, 3]), st.booleans())
def test_read_written_and_read_it_is_the_same_bytes(record, indent, ascii_only):
    written = json.dumps(json.loads(record_bytes(record)), indent=indent, ensure_ascii=ascii_only)
    assume(not any("\ud800" <= character <= "\udfff" for character in written))
    for data in (record_bytes(record), written.encode()):
        read = read_record(data)
        assert type(read) is CLASSES.get(record["solverType"], Record)
        assert read.to_bytes() == data
        again = read_record(read.to_bytes())
        assert again.to_bytes() == data
        assert again == read
        assert record_bytes(dict(read)) == record_bytes(record)


@given(FAMILY, st.dictionaries(st.text(min_size=12, max_size=15), VALUES.filter(lambda v: v is not UNDEFINED)))
def test_members_that_nobody_knows_come_back_unharmed(record, more):
    data = record_bytes({**more, **record})
    assert read_record(data).to_bytes() == data
    assert json.loads(record_bytes(dict(read_record(data)))) == json.loads(data)


@given(KEYED, KEYED)
def test_a_comparison_is_sound_and_is_derived_again_from_both_dialogs_in_any_order_of_turns(a, b):
    record = build_equivalence_v1_record(a, b)
    assert verify_record(record) == []
    turned = [{**dialog, "turns": dialog["turns"][::-1]} for dialog in (a, b)]
    assert verify_equivalence(record_bytes(record), *turned) == []
    assert (record["outcome"] == "equivalent") == (dialog_wire_key(a) == dialog_wire_key(b))
    assert build_equivalence_v1_record(a, a)["outcome"] == "equivalent"


@given(SESSIONS)
def test_a_session_is_sound_and_canonical(record):
    assert verify_record(record_bytes(record)) == []
    assert record_bytes(record) == canonical_json(record)
    assert all(shown(line) == line for line in render_transcript(record).split("\n"))


@given(SESSIONS, st.data())
def test_any_other_step_gives_another_session(record, data):
    fresh = [{name: value for name, value in step.items() if name != "previous"} for step in record["steps"]]
    fresh.insert(data.draw(st.integers(0, len(fresh))), data.draw(steps()))
    other = build_ui_session_v1_record(record["opened"], fresh)
    assert other["wireDigest"] != record["wireDigest"]
    assert other["sessionId"] == record["sessionId"]


ODD = st.one_of(VALUES, DIGESTS, st.just("equivalent"), st.just(1))


@given(st.one_of(COMPARISONS, SESSIONS), st.data())
def test_a_record_with_anything_at_all_in_any_place_is_read_and_judged_or_refused(record, data):
    place = data.draw(st.sampled_from(sorted(record)))
    target = record
    if isinstance(record[place], dict) and data.draw(st.booleans()):
        target = record[place] = dict(record[place])
        place = data.draw(st.one_of(st.sampled_from(sorted(target)), st.text(max_size=3)))
    target[place] = data.draw(ODD)
    try:
        read = read_record(record)
        assert isinstance(verify_record(read), list)
        render_transcript(read)
        if isinstance(read, EquivalenceRecord):
            empty = {"dialogId": "d", "turns": []}
            verify_equivalence(read, empty, empty)
    except RecordError as error:
        str(error).encode("utf-8")
