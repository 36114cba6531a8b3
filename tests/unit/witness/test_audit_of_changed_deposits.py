"""Attacks on a deposit whose parts are handed over one by one: what is said of each, and where."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bicameral.canonical import canonical_json, sha256_digest
from bicameral.model.witnessing import KeptLink, KeptReply
from bicameral.witness import chain_entry_bytes, read_chain_entry
from bicameral.witness.audit import Blob, End
from dialogue_batches import LIGHT
from witness_deposits import (
    PICTURES,
    Deposit,
    adjudication,
    agreement,
    alone,
    deposit,
    dispute,
    places,
    problems_of,
    rehashed,
    silence,
    verified,
)

Turns = list[dict[str, Any]]


def with_turns(kept: KeptLink, change: Callable[[Turns], Turns]) -> KeptLink:
    """The link with other turns in its record, which is otherwise as it was."""
    record = json.loads(kept.record or b"")
    dialog = json.loads(record["wireKey"])
    dialog["turns"] = change(dialog["turns"])
    record["wireKey"] = canonical_json(dialog).decode()
    record["turnCount"] = len(dialog["turns"])
    return replace(kept, record=canonical_json(record))


def covered_up(whole: Deposit, number: int, kept: KeptLink) -> Deposit:
    """The deposit with that link and a chain that was made anew."""
    links = [*whole.links[:number], kept, *whole.links[number + 1 :]]
    return whole.with_(links=rehashed(links))


def set_content(turns: Turns, depth: int, **members: Any) -> Turns:
    content = json.loads(turns[depth]["content"]) | members
    return [*turns[:depth], {**turns[depth], "content": canonical_json(content).decode()}, *turns[depth + 1 :]]


FIELDS = ("entry", "record", "outcome", "about", "text")


def changed_field(whole: Deposit, link: int, field: str, at: int, mask: int) -> Deposit:
    kept = whole.links[link]

    def flipped(body: bytes) -> bytes:
        return body[:at] + bytes([body[at] ^ mask]) + body[at + 1 :]

    if field in ("about", "text"):
        reply = kept.replies[0]
        body = flipped(getattr(reply, field))
        return whole.with_link(link, replies=(replace(reply, **{field: body}), *kept.replies[1:]))
    return whole.with_link(link, **{field: flipped(getattr(kept, field))})


def size_of(whole: Deposit, link: int, field: str) -> int:
    kept = whole.links[link]
    return len(getattr(kept.replies[0] if field in ("about", "text") else kept, field))


def assert_told(whole: Deposit, link: int, field: str, at: int, mask: int) -> None:
    """The deposit's end says of the changed chain what is true of it, so that nothing but the documents can tell."""
    problems, summary = verified(changed_field(whole, link, field, at, mask).parts())
    assert summary.broken, (field, at, mask)
    assert problems[0].where.startswith("entries["), (field, at, mask)


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("link", [0, 1])
def test_a_changed_byte_in_any_document_of_a_link_is_told_by_the_documents_alone(field: str, link: int) -> None:
    whole = deposit(agreement(), alone())
    for turn, at in enumerate(range(0, size_of(whole, link, field), 29)):
        assert_told(whole, link, field, at, 1 << turn % 8)


@pytest.mark.slow
@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("link", [0, 1])
def test_every_byte_of_any_document_of_a_link_counts(field: str, link: int) -> None:
    whole = deposit(agreement(), alone())
    for at in range(size_of(whole, link, field)):
        assert_told(whole, link, field, at, 1 << at % 8)


def test_a_changed_byte_in_a_picture_is_told_by_its_name() -> None:
    digest = sha256_digest(PICTURES[LIGHT])
    whole = deposit()
    changed = whole.with_(blobs={**whole.blobs, digest: b"P" + PICTURES[LIGHT][1:]})
    (problem,) = problems_of(changed)
    assert (problem.where, problem.kind) == (f"blobs[{digest}]", "broken")


def test_a_blob_that_nobody_names_comes_twice_or_has_another_size_is_told() -> None:
    whole = deposit()
    stranger = sha256_digest(b"stranger")
    assert places(problems_of(whole.with_(blobs={**whole.blobs, stranger: b"stranger"}))) == [
        (f"blobs[{stranger}]", "broken")
    ]
    *parts, end = list(deposit().parts())
    digest = sha256_digest(PICTURES[LIGHT])
    again = Blob(digest=digest, size=len(PICTURES[LIGHT]), chunks=iter([PICTURES[LIGHT]]))
    (problem,) = verified([*parts, again, end])[0]
    assert problem.what == "It is here twice."
    longer = Blob(digest=sha256_digest(b""), size=3, chunks=iter([b""]))
    assert "bytes, not 3" in verified([*list(deposit().parts())[:-1], longer, end])[0][0].what
    nameless = Blob(digest="../etc/passwd", size=0, chunks=iter(()))
    assert verified([*list(deposit().parts())[:-1], nameless, end])[0][0].what == "Its name is no digest."


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_link_that_was_taken_out_is_told_by_the_one_after_it_or_by_the_end(number: int) -> None:
    whole = deposit(dispute(), agreement(), alone())
    links = whole.links[:number] + whole.links[number + 1 :]
    found = places(problems_of(whole.with_(links=links, end=End(entries=3, head=whole.head))))
    assert found[0] == ((f"entries[{number}].seq", "broken") if number < 2 else ("end", "broken"))


def test_two_links_that_were_swapped_or_one_that_was_repeated_are_told() -> None:
    whole = deposit(dispute(), agreement())
    swapped = whole.with_(links=whole.links[::-1])
    assert {"entries[0].seq", "entries[0].previous"} <= {where for where, _ in places(problems_of(swapped))}
    repeated = whole.with_(links=(*whole.links, whole.links[1]))
    assert ("entries[2].previous", "broken") in places(problems_of(repeated))


def test_a_record_in_anothers_place_is_told_by_its_digest_its_id_and_its_wire_digest() -> None:
    whole = deposit(dispute(), agreement())
    moved = whole.with_link(0, record=whole.links[1].record)
    found = {where for where, _ in places(problems_of(moved))}
    assert {"entries[0].record", "entries[0].wireDigest", "entries[0].outcome"} <= found
    other = deposit(adjudication(sha256_digest(b"parent")))
    assert "entries[0].dialogId" in {
        where for where, _ in places(problems_of(whole.with_link(0, record=other.links[0].record)))
    }


def test_a_turn_that_was_dropped_is_told_even_if_the_chain_is_made_anew() -> None:
    whole = deposit(dispute())
    for depth in range(4):
        kept = with_turns(whole.links[0], lambda turns, d=depth: turns[:d] + turns[d + 1 :])  # type: ignore[misc]
        assert problems_of(covered_up(whole, 0, kept)), depth


def test_a_turn_that_was_added_swapped_or_taken_from_another_dialog_is_told_even_if_the_chain_is_made_anew() -> None:
    whole = deposit(dispute(), silence(), alone())
    other, lone = (json.loads(json.loads(kept.record or b"")["wireKey"])["turns"] for kept in whole.links[1:])
    changes: list[Callable[[Turns], Turns]] = [
        lambda turns: [*turns, {**turns[3], "chainDepth": 4}],
        lambda turns: [*turns[:2], {**turns[3], "chainDepth": 2}, {**turns[2], "chainDepth": 3}],
        lambda turns: [*turns[:2], other[2]],
        lambda turns: [turns[0], other[1], *turns[2:]],
        lambda turns: [lone[0], *turns[1:]],
    ]
    for number, change in enumerate(changes):
        problems = problems_of(covered_up(whole, 0, with_turns(whole.links[0], change)))
        assert any(problem.kind == "broken" for problem in problems), number


def test_a_chain_that_was_made_anew_from_a_consistent_change_on_is_told_by_an_expected_head_alone() -> None:
    before, forged = deposit(dispute(), agreement()), deposit(silence(), agreement())
    assert problems_of(forged) == []
    assert places(problems_of(forged, head=before.head)) == [("head", "broken")]
    assert problems_of(before, head=before.head) == []


def test_an_end_that_says_something_else_is_told() -> None:
    whole = deposit()
    assert places(problems_of(whole.with_(end=End(entries=3, head=whole.head)))) == [("end", "broken")]
    assert places(problems_of(whole.with_(end=End(entries=2, head=None)))) == [("end", "broken")]
    assert places(problems_of(whole.with_(end=End(entries=2, head=whole.head, altered=True)))) == [("end", "broken")]


@pytest.mark.parametrize(
    ("member", "value", "said"),
    [
        ("dialogued", False, "dialogued"),
        ("unruled", [0], "unruled"),
        ("clean_shot_ids", [], "clean_shot_ids"),
        ("unaccounted", ["x"], "unaccounted"),
        ("undialogued_reason", "refused", "undialogued_reason"),
        ("second_round_reason", "refused", "second_round_reason"),
        ("type", "bicameral.outcome.v2", "type"),
        ("judged_at", "noon", "judged_at"),
        ("findings", [], "findings"),
    ],
)
def test_each_member_of_an_outcome_follows_from_the_turns(member: str, value: object, said: str) -> None:
    whole = deposit(agreement())
    outcome = canonical_json(json.loads(whole.links[0].outcome or b"") | {member: value})
    (problem,) = problems_of(covered_up(whole, 0, replace(whole.links[0], outcome=outcome)))
    assert (problem.where, problem.kind) == ("entries[0].outcome", "broken")
    assert said in problem.what


@pytest.mark.parametrize(
    ("name", "value"),
    [("severity", "low"), ("title", "other"), ("box", [1, 2, 3, 4]), ("oracle", "pixels"), ("consensus", None)],
)
def test_each_finding_of_an_outcome_is_the_one_that_was_filed(name: str, value: object) -> None:
    whole = deposit(dispute())
    outcome = json.loads(whole.links[0].outcome or b"")
    outcome["findings"][2][name] = value
    (problem,) = problems_of(covered_up(whole, 0, replace(whole.links[0], outcome=canonical_json(outcome))))
    assert problem.what == "Finding 2 is not what the record's turns say."


def test_a_dispute_that_was_turned_into_an_agreement_in_the_outcome_is_told() -> None:
    whole = deposit(dispute())
    outcome = json.loads(whole.links[0].outcome or b"")
    consensus = outcome["findings"][1]["consensus"]
    consensus["agreed_by"], consensus["disputed_by"] = [consensus["disputed_by"][0]["oracle"]], []
    (problem,) = problems_of(covered_up(whole, 0, replace(whole.links[0], outcome=canonical_json(outcome))))
    assert problem.what == "Finding 1 is not what the record's turns say."


def test_an_outcome_that_is_gone_is_missing_and_one_that_no_entry_names_is_broken() -> None:
    whole = deposit(dispute())
    assert places(problems_of(whole.with_link(0, outcome=None))) == [("entries[0].outcome", "missing")]
    entry = replace(read_chain_entry(whole.links[0].entry), outcome=None)
    unnamed = whole.with_link(0, entry=chain_entry_bytes(entry))
    assert places(problems_of(unnamed)) == [("entries[0].outcome", "broken")]


@pytest.mark.parametrize("outcome", [b"", b"[]", b"null", b"{", b"\xff", b'{"a":NaN}', b'{"a":1,"a":2}', b'{ "a":1}'])
def test_an_outcome_that_is_no_canonical_object_is_broken(outcome: bytes) -> None:
    whole = deposit(agreement())
    problems = problems_of(covered_up(whole, 0, replace(whole.links[0], outcome=outcome)))
    assert {problem.where for problem in problems} == {"entries[0].outcome"}
    assert {problem.kind for problem in problems} == {"broken"}


@pytest.mark.parametrize(
    ("rulings", "said"),
    [
        ([{"index": 2, "notes": [], "verdict": "agree"}], "rulings[0] is on finding 2, but 2 were put."),
        ([{"index": -1, "notes": [], "verdict": "agree"}], "rulings[0] is on finding -1, but 2 were put."),
        (
            [{"index": 0, "notes": [], "verdict": "agree"}, {"index": 0, "notes": ["n"], "verdict": "dispute"}],
            "rulings[1] is a second word on finding 0.",
        ),
    ],
)
def test_a_ruling_on_no_finding_or_a_second_one_is_told(rulings: object, said: str) -> None:
    whole = deposit(dispute())
    kept = with_turns(whole.links[0], lambda turns: set_content(turns, 2, rulings=rulings))
    problems = problems_of(covered_up(whole, 0, kept))
    assert ("entries[0].record.turns[2].content", said) in [(problem.where, problem.what) for problem in problems]


def test_a_content_that_is_no_canonical_act_is_broken_and_an_act_of_another_form_is_unverifiable() -> None:
    whole = deposit(dispute())

    def spaced(turns: Turns) -> Turns:
        return [*turns[:3], {**turns[3], "content": turns[3]["content"] + " "}]

    found = places(problems_of(covered_up(whole, 0, with_turns(whole.links[0], spaced))))
    assert ("entries[0].record.turns[3].content", "broken") in found
    kept = with_turns(whole.links[0], lambda turns: set_content(turns, 3, mood="good"))
    found = places(problems_of(covered_up(whole, 0, kept)))
    assert ("entries[0].outcome", "unverifiable") in found


def test_a_charge_that_names_one_thing_twice_over_cannot_hide_a_picture() -> None:
    whole = deposit(dispute())

    def doubled(turns: Turns) -> Turns:
        content = turns[0]["content"]
        return [{**turns[0], "content": content[:-1] + ',"shots":[]}'}, *turns[1:]]

    found = places(problems_of(covered_up(whole, 0, with_turns(whole.links[0], doubled))))
    assert ("entries[0].record.turns[0].content", "broken") in found


@pytest.mark.parametrize("picture", ["", "sha256:", "sha256:" + "G" * 64, "sha256:" + "A" * 64, 5, "../../etc/passwd"])
def test_a_charge_that_names_a_picture_by_no_digest_is_broken(picture: object) -> None:
    whole = deposit(dispute())

    def other(turns: Turns) -> Turns:
        shots = json.loads(turns[0]["content"])["shots"]
        return set_content(turns, 0, shots=[{**shots[0], "picture": picture}])

    found = places(problems_of(covered_up(whole, 0, with_turns(whole.links[0], other))))
    assert ("entries[0].shots[0].picture", "broken") in found


def test_a_reply_that_is_gone_or_too_many_is_told() -> None:
    whole = deposit(dispute())
    replies = whole.links[0].replies
    assert ("entries[0].replies", "missing") in places(problems_of(whole.with_link(0, replies=replies[:2])))
    assert places(problems_of(whole.with_link(0, replies=(*replies, replies[0])))) == [("entries[0].replies", "broken")]
    swapped = problems_of(whole.with_link(0, replies=(replies[1], replies[0], replies[2])))
    assert {problem.where for problem in swapped} >= {
        f"entries[0].replies[{number}].{name}" for number in (0, 1) for name in ("digest", "text", "about")
    }


def with_about(whole: Deposit, number: int, **members: Any) -> Deposit:
    """The deposit with other things known of a reply, and the entry made anew for it."""
    kept = whole.links[0]
    about = canonical_json(json.loads(kept.replies[number].about) | members)
    replies = list(kept.replies)
    replies[number] = replace(replies[number], about=about)
    return covered_up(whole, 0, replace(kept, replies=tuple(replies)))


@pytest.mark.parametrize(
    ("members", "where"),
    [
        ({"finish": "length"}, "about"),
        ({"state": "empty"}, "about"),
        ({"handle": "codex"}, "chainDepth"),
        ({"task": "challenge"}, "chainDepth"),
        ({"half": -1}, "about"),
        ({"half": "1"}, "about"),
        ({"reads": 4}, "about"),
        ({"meta": {"a": 1}}, "about"),
        ({"finish": "tired"}, "about"),
    ],
)
def test_what_is_known_of_a_reply_agrees_with_its_mark_and_its_turn(members: dict[str, Any], where: str) -> None:
    found = places(problems_of(with_about(deposit(dispute()), 0, **members)))
    assert found == [(f"entries[0].replies[0].{where}", "broken")]


def test_a_member_that_this_version_does_not_know_of_a_reply_is_passed_over() -> None:
    assert problems_of(with_about(deposit(dispute()), 0, temper="good", meta={"é": "x", "😀": "y"})) == []


def remarked(whole: Deposit, *depths: int | None) -> Deposit:
    """The deposit with other depths in the entry's marks."""
    entry = read_chain_entry(whole.links[0].entry)
    marks = tuple(replace(mark, chain_depth=depth) for mark, depth in zip(entry.replies, depths, strict=True))
    return whole.with_link(0, entry=chain_entry_bytes(replace(entry, replies=marks)))


def test_a_reply_is_of_a_turn_that_its_speaker_spoke_and_no_two_are_of_one() -> None:
    whole = deposit(dispute())
    assert problems_of(remarked(whole, 1, 2, 3)) == []
    assert problems_of(remarked(whole, None, None, None)) == []
    assert places(problems_of(remarked(whole, 9, 2, 3))) == [("entries[0].replies[0].chainDepth", "broken")]
    assert places(problems_of(remarked(whole, 2, 1, 3)))[0] == ("entries[0].replies[0].chainDepth", "broken")
    assert ("entries[0].replies[2].chainDepth", "broken") in places(problems_of(remarked(whole, 1, 2, 1)))


def test_a_raw_reply_that_is_no_utf_8_is_told() -> None:
    whole = deposit(dispute())
    reply = whole.links[0].replies[0]
    bad = KeptReply(digest="", about=reply.about, text=b"\xff\xfe")
    changed = covered_up(whole, 0, replace(whole.links[0], replies=(bad, *whole.links[0].replies[1:])))
    (problem,) = problems_of(changed)
    assert (problem.where, problem.what[:15]) == ("entries[0].replies[0].text", "It is no UTF-8:")


@pytest.mark.parametrize(
    "entry",
    [
        b"{",
        b"null",
        b"{}",
        b"\xff",
        b'{"type":"bicameral.chain.v1"}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"seq":NaN}',
        b'{"seq":1,"seq":1}',
    ],
)
def test_an_entry_that_is_none_is_told_and_the_rest_is_read_on(entry: bytes) -> None:
    found = places(problems_of(deposit(dispute(), agreement()).with_link(0, entry=entry)))
    assert found[0] == ("entries[0]", "broken")
    assert ("entries[1].previous", "broken") in found


@pytest.mark.parametrize("name", ["seq", "recordDigest", "type", "replies", "previous", "wireDigest", "dialogId"])
@pytest.mark.parametrize("value", [None, -1, 1.5, True, "x", [], {}, [1], 2**60])
def test_a_member_of_an_entry_that_is_gone_or_of_another_kind_is_told(name: str, value: Any) -> None:
    whole = deposit(dispute())
    members = json.loads(whole.links[0].entry)
    if value is None:
        del members[name]
    else:
        members[name] = value
    assert problems_of(whole.with_link(0, entry=json.dumps(members, sort_keys=True, separators=(",", ":")).encode()))


@pytest.mark.parametrize(
    "record",
    [
        b"",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"solverType":"agent.dialog.v1"}',
        b'{"solverType":"agent.dialog.v1","solverType":"x"}',
        b'{"solverType":"agent.dialog.v1","dialogId":"a","wireKey":"{","turnCount":0,"specVersion":1}',
        b'{"solverType":"agent.dialog.v1","dialogId":"a","wireKey":"'
        + b"[" * 50_000
        + b'","turnCount":0,"specVersion":1}',
        b'{"solverType":"agent.dialog.v1","dialogId":NaN,"wireKey":"","turnCount":0,"specVersion":1}',
        b'{"solverType":"someone.else.v7"}',
        b'{"solverType":7}',
    ],
)
def test_a_record_that_is_none_or_another_is_told_and_never_raises(record: bytes) -> None:
    found = places(problems_of(deposit(dispute()).with_link(0, record=record)))
    assert ("entries[0].record", "broken") in found


def test_a_foreign_dialog_in_the_chain_is_unverifiable_and_names_no_evidence() -> None:
    turn = {"speaker": "a", "audience": "b", "chainDepth": 0.5, "content": "hello"}
    key = canonical_json({"dialogId": "mine", "turns": [turn]}).decode()
    members = {"solverType": "agent.dialog.v1", "specVersion": 1, "dialogId": "mine", "wireKey": key, "turnCount": 1}
    whole = deposit(dispute())
    foreign = replace(whole.links[0], record=canonical_json(members), outcome=None, replies=())
    entry = read_chain_entry(whole.links[0].entry)
    anew = replace(
        entry,
        record_digest=sha256_digest(foreign.record or b""),
        dialog_id="mine",
        wire_digest=sha256_digest(key.encode()),
        outcome=None,
        replies=(),
    )
    problems = problems_of(whole.with_(links=(replace(foreign, entry=chain_entry_bytes(anew)),), blobs={}))
    assert {problem.kind for problem in problems} == {"unverifiable"}


def test_a_document_of_too_many_values_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bicameral.witness._audit_texts.MAX_VALUES", 100)
    whole = deposit(dispute())
    found = problems_of(whole.with_link(0, record=b'{"a":[' + b"[]," * 200 + b"[]]}"))
    assert any("more than 100 values" in problem.what for problem in found)
    found = problems_of(whole.with_link(0, entry=b"[" + b"[]," * 200 + b"[]]"))
    assert any("more than 100 values" in problem.what for problem in found)
