"""What a deposit that is as it should be comes to, what was dropped on purpose, and what is said of what is missing."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from bicameral.canonical import sha256_digest
from bicameral.dialogue import outcome_of
from bicameral.errors import DefectError, RecordError
from bicameral.model.witnessing import Envelope, Problem, Redaction
from bicameral.witness import chain_entry_bytes, read_chain_entry
from bicameral.witness.audit import End, Header, Link, Summary, audit, status_of
from bicameral.witness.bundle import read_bundle
from dialogue_batches import LIGHT
from witness_deposits import (
    FACTS,
    INSTRUCTIONS,
    PICTURES,
    adjudication,
    agreement,
    alone,
    deposit,
    dispute,
    head_envelope,
    places,
    problems_of,
    redaction,
    silence,
    verified,
)

PICTURE = sha256_digest(PICTURES[LIGHT])


def test_every_kind_of_dialogue_is_sound_and_counted_from_a_store_and_from_a_bundle() -> None:
    whole = deposit(dispute(), agreement(), alone(), silence())
    problems, summary = verified(whole.parts(), head=whole.head)
    assert problems == []
    assert summary == Summary(entries=4, head=whole.head, records=4, turns=12, replies=9, blobs=6)
    assert verified(read_bundle(io.BytesIO(whole.bundle())), head=whole.head) == ([], summary)
    assert status_of(summary) == 0


def test_a_child_dialog_without_shots_names_no_evidence() -> None:
    parent = deposit(dispute())
    entry = read_chain_entry(parent.links[0].entry)
    both = deposit(dispute(), adjudication(entry.wire_digest))
    problems, summary = verified(both.parts())
    assert problems == []
    assert (summary.records, summary.turns) == (2, 6)


def test_an_empty_chain_is_sound_and_has_no_head() -> None:
    empty = deposit().with_(links=(), blobs={})
    assert verified(empty.parts()) == ([], Summary())
    assert places(problems_of(empty, head=PICTURE)) == [("head", "broken")]


def test_links_of_other_runs_stand_alone_in_a_runs_bundle_and_lack_their_record_in_a_whole_chain() -> None:
    whole = deposit(dispute(), agreement())
    one_run = whole.with_link(0, record=None, outcome=None, replies=())
    assert places(problems_of(one_run)) == [("entries[0].record", "missing")]
    problems, summary = verified(one_run.with_(header=Header(runs=("r2",))).parts())
    assert problems == []
    assert (summary.runs, summary.entries, summary.records, summary.elsewhere) == (("r2",), 2, 1, 1)


def test_a_picture_that_was_dropped_is_told_from_one_that_is_missing() -> None:
    without = deposit().without(PICTURE)
    (problem,) = problems_of(without)
    assert (problem.where, problem.kind) == ("entries[0].shots[0].picture", "missing")
    assert PICTURE in problem.what
    dropped = without.with_(redactions=(redaction(PICTURE),))
    problems, summary = verified(dropped.parts())
    assert problems == []
    assert (summary.dropped_evidence, summary.dropped_replies) == (1, 0)
    assert summary.redactions == (redaction(PICTURE),)


def test_a_raw_reply_that_was_dropped_is_told_from_one_that_is_missing() -> None:
    whole = deposit()
    replies = whole.links[0].replies
    without = whole.with_link(0, replies=(replace(replies[0], text=None), *replies[1:]))
    assert places(problems_of(without)) == [("entries[0].replies[0].text", "missing")]
    as_evidence = without.with_(redactions=(redaction(replies[0].digest),))
    assert places(problems_of(as_evidence)) == [("entries[0].replies[0].text", "missing")]
    dropped = without.with_(redactions=(redaction(replies[0].digest, "reply"),))
    problems, summary = verified(dropped.parts())
    assert problems == []
    assert (summary.dropped_evidence, summary.dropped_replies) == (0, 1)


def test_a_redaction_of_what_is_there_or_of_what_nobody_names_changes_nothing() -> None:
    other = sha256_digest(b"another store's")
    problems, summary = verified(deposit().with_(redactions=(redaction(PICTURE), redaction(other))).parts())
    assert problems == []
    assert (summary.dropped_evidence, summary.redactions) == (0, ())


def test_each_thing_that_a_charge_names_is_missed_by_its_place() -> None:
    bare = deposit(dispute()).with_(blobs={})
    assert places(problems_of(bare)) == [
        ("entries[0].shots[0].facts", "missing"),
        ("entries[0].shots[0].picture", "missing"),
        ("entries[0].shots[1].picture", "missing"),
        ("entries[0].shots[2].picture", "missing"),
        ("entries[0].skills[0].digest", "missing"),
        ("entries[0].skills[1].digest", "missing"),
    ]


def test_instructions_that_a_store_did_not_keep_are_counted_and_nothing_else_is_forgiven() -> None:
    without = deposit().without(sha256_digest(INSTRUCTIONS["propose"])).without(sha256_digest(FACTS))
    problems, summary = verified(without.with_(header=Header(instructions=False)).parts())
    assert places(problems) == [("entries[0].shots[0].facts", "missing")]
    assert summary.no_instructions == 1


def test_an_entry_of_the_first_form_covers_the_texts_alone_and_its_replies_are_counted() -> None:
    whole = deposit(dispute())
    entry = read_chain_entry(whole.links[0].entry)
    old = replace(entry, outcome=None, replies=tuple(replace(mark, about=None) for mark in entry.replies))
    problems, summary = verified(whole.with_link(0, entry=chain_entry_bytes(old), outcome=None).parts())
    assert problems == []
    assert summary.unmarked == 3


def test_a_link_whose_bytes_were_not_kept_is_unverifiable_and_the_chain_goes_on_after_it() -> None:
    whole = deposit(dispute(), agreement(), alone())
    end = End(entries=3, head=whole.head)
    problems, summary = verified(whole.with_link(1, entry=b"").with_(end=end).parts())
    assert places(problems) == [("entries[1]", "unverifiable")]
    assert status_of(summary) == 2
    last = whole.with_link(2, entry=b"").with_(end=end)
    assert places(problems_of(last)) == [("entries[2]", "unverifiable")]


def test_an_envelope_is_handed_over_with_the_place_of_the_entry_that_it_signs() -> None:
    whole = deposit(dispute(), agreement())
    first, last = (sha256_digest(kept.entry) for kept in whole.links)
    rotation = head_envelope(sha256_digest(b"new key"), kind="rotation", signed_at="2026-12-02T00:00:00Z")
    envelopes = (head_envelope(first), head_envelope(last, signed_at="2026-12-01T00:00:00Z"), rotation)
    seen: list[tuple[Envelope, int | None]] = []
    problems, summary = verified(
        whole.with_(envelopes=envelopes).parts(), on_envelope=lambda envelope, entry: seen.append((envelope, entry))
    )
    assert problems == []
    assert seen == [(envelopes[0], 0), (envelopes[1], 1), (rotation, None)]
    assert summary.envelopes == 3


def test_an_envelope_for_a_head_that_is_not_in_the_chain_says_that_something_was_cut_off() -> None:
    whole = deposit(dispute(), agreement())
    assert whole.head is not None
    cut = whole.with_(links=whole.links[:1], envelopes=(head_envelope(whole.head),))
    (problem,) = problems_of(cut)
    assert (problem.where, problem.kind) == ("envelopes[0]", "broken")
    not_known = cut.with_link(0, entry=b"").with_(end=End(entries=1, head=whole.head))
    assert places(problems_of(not_known))[:2] == [("entries[0]", "unverifiable"), ("envelopes[0]", "unverifiable")]


def test_a_status_is_0_for_sound_1_for_broken_or_missing_and_2_for_nothing_but_unverifiable() -> None:
    def problem(kind: str) -> Problem:
        return Problem(where="x", what="y", kind=kind)  # type: ignore[arg-type]  # a word of the vocabulary

    assert status_of(Summary()) == 0
    assert status_of(Summary(unverifiable=1)) == 2
    assert status_of(Summary(unverifiable=1, missing=1)) == 1
    assert status_of(Summary(broken=1)) == 1
    assert status_of(Summary(), problem("unverifiable")) == 2
    assert status_of(Summary(unverifiable=3), problem("broken")) == 1


def test_a_summary_is_not_to_be_had_before_the_end_and_holds_what_there_was_before_an_error() -> None:
    whole = deposit(dispute(), agreement())
    running = audit(whole.parts())
    with pytest.raises(DefectError):
        _ = running.summary
    parts = [part for part in whole.parts() if not isinstance(part, End)]
    torn = audit(parts)
    with pytest.raises(RecordError, match="without its end mark"):
        list(torn)
    assert (torn.summary.entries, torn.summary.blobs) == (2, 6)


def test_parts_in_another_order_are_no_deposit() -> None:
    header, link, *rest = list(deposit(dispute()).parts())
    end = rest[-1]
    for parts in ([], [link], [header, header], [header, *rest[:1], link, end], [header, link, end, end], [end]):
        with pytest.raises(RecordError):
            list(audit(parts))  # type: ignore[arg-type]  # a list of parts
    redacted: Redaction = redaction(PICTURE)
    with pytest.raises(RecordError, match="Blob"):
        list(audit([header, link, redacted, *rest[:1], end]))


def test_only_so_many_problems_and_redactions_are_told_and_all_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bicameral.witness.audit.MAX_PROBLEMS", 2)
    monkeypatch.setattr("bicameral.witness._audit_ledger.LISTED", 1)
    bare = deposit(dispute()).with_(blobs={})
    problems, summary = verified(bare.parts())
    assert (len(problems), summary.missing) == (2, 6)
    digests = sorted(map(sha256_digest, PICTURES.values()))
    _, summary = verified(bare.with_(redactions=tuple(map(redaction, digests))).parts())
    assert (summary.dropped_evidence, len(summary.redactions), summary.missing) == (3, 1, 3)


def test_memory_is_one_link_at_a_time_and_a_link_is_not_asked_for_before_it_is_needed() -> None:
    whole = deposit(*[agreement()] * 3)
    taken = []
    running = audit(taken.append(part) or part for part in whole.parts())
    assert taken == []
    list(running)
    assert sum(isinstance(part, Link) for part in taken) == 3


def test_what_a_dialogue_came_to_is_kept_as_it_was() -> None:
    assert deposit(dispute()).links[0].outcome == outcome_of(dispute())
