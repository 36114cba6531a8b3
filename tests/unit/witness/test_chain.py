"""The chain of a store's records."""

from __future__ import annotations

import dataclasses
import json

import pytest
from said import dialogue

from bicameral.canonical import canonical_json
from bicameral.errors import RecordError, UnrecordableError
from bicameral.model.witnessing import ChainEntry
from bicameral.witness import chain_entry_bytes, chain_entry_hash, link, read_chain_entry, record_dialog, verify_chain


def chain(length=4):
    entries = []
    for number in range(length):
        witnessed = record_dialog(dialogue(note=f"note {number}"))
        entries.append(link(entries[-1] if entries else None, witnessed))
    return entries


def problems(entries, head=None):
    return [problem.where for problem in verify_chain(iter(entries), head=head)]


@pytest.mark.parametrize("member", ["recordDigest", "wireDigest", "previous", "outcome"])
def test_an_entry_that_names_what_is_no_digest_is_no_entry(member: str) -> None:
    members = json.loads(chain_entry_bytes(chain(2)[1])) | {member: "sha256:nonsense"}
    with pytest.raises(RecordError, match="which is no digest"):
        read_chain_entry(canonical_json(members))


def test_a_chain_is_sound_with_its_head_and_without():
    entries = chain()
    assert [entry.seq for entry in entries] == [0, 1, 2, 3]
    assert entries[0].previous is None
    assert entries[1].previous == chain_entry_hash(entries[0])
    assert problems(entries) == problems(entries, chain_entry_hash(entries[-1])) == []
    assert problems([]) == []


def test_an_entry_names_the_record_and_each_raw_reply():
    witnessed = record_dialog(dialogue())
    entry = link(None, witnessed)
    assert entry.record_digest == witnessed.record_digest
    assert [(m.chain_depth, m.digest, m.finish, m.state) for m in entry.replies] == [
        (r.chain_depth, r.raw.digest, r.raw.finish, r.raw.state) for r in witnessed.replies
    ]


def test_the_hash_is_pinned():
    entry = ChainEntry(seq=0, previous=None, record_digest="sha256:aa", dialog_id="d", wire_digest="sha256:bb")
    assert chain_entry_hash(entry) == PINNED


PINNED = "sha256:fa5d4694029322243f9527335854a6b8859164e0425931ae3e5c9cc9618f4689"


@pytest.mark.parametrize(
    "change",
    [
        {"record_digest": "sha256:" + "0" * 64},
        {"dialog_id": "other"},
        {"wire_digest": "sha256:" + "0" * 64},
        {"replies": ()},
    ],
)
def test_a_change_in_an_entry_shows_at_the_next_one_or_at_the_head(change):
    entries = chain()
    head = chain_entry_hash(entries[-1])
    for position in range(4):
        changed = [*entries]
        changed[position] = dataclasses.replace(entries[position], **change)
        assert problems(changed, head) == ["head" if position == 3 else f"entries[{position + 1}].previous"]


def test_one_mark_of_a_reply_is_in_the_hash():
    entry = chain(1)[0]
    for change in ({"finish": "length"}, {"state": "empty"}, {"digest": "sha256:00"}, {"chain_depth": 9}):
        marks = (dataclasses.replace(entry.replies[0], **change), *entry.replies[1:])
        assert chain_entry_hash(dataclasses.replace(entry, replies=marks)) != chain_entry_hash(entry)


def test_a_dropped_swapped_repeated_or_foreign_entry_is_found():
    a, b, c, d = chain()
    head = chain_entry_hash(d)
    for changed in ([b, c, d], [a, c, d], [a, c, b, d], [a, b, b, c, d], [a, b, c], [], [a, b, c, chain(1)[0]]):
        assert problems(changed, head)


def test_a_chain_made_anew_from_the_change_onward_is_told_by_its_head_alone():
    entries = chain()
    forged = entries[:1]
    for number in range(1, 4):
        forged.append(link(forged[-1], record_dialog(dialogue(note=f"forged {number}"))))
    assert problems(forged) == []
    assert problems(forged, chain_entry_hash(entries[-1])) == ["head"]


def test_an_entry_of_values_that_cannot_be_said_is_a_clear_error():
    with pytest.raises(UnrecordableError):
        chain_entry_hash(dataclasses.replace(chain(1)[0], dialog_id="\ud800"))
