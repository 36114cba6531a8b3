"""A recorded dialogue is held again from its raw replies and comes out the same, or it is told where it does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from witness_store import SCRIPTS, hold_script, keep, links_of, shots_with_evidence, workspace

from bicameral.canonical import build_agent_dialog_v1_record, canonical_json, record_bytes, sha256_digest
from bicameral.dialogue import refold
from bicameral.model.judging import DialogueResult
from bicameral.model.witnessing import KeptLink, KeptReply
from bicameral.runtime.witnessing.replaying import Replay, replay_link
from bicameral.witness import chain_entry_bytes, read_chain_entry


async def link_of(name: str, folder: Path) -> KeptLink:
    with workspace(folder, "r1") as space:
        shots = shots_with_evidence(space.evidence)
        keep(space, await hold_script(name, shots), shots)
        (link,) = links_of(space)
    return link


async def replayed(link: KeptLink) -> Replay:
    found = await replay_link(link, refold)
    assert found is not None
    return found


def with_record(link: KeptLink, change: Callable[[list[dict[str, Any]]], None]) -> KeptLink:
    """The link over a record with other turns, its hashes left as they were: a forger may mend these too."""
    dialog = json.loads(json.loads(link.record or b"")["wireKey"])
    change(dialog["turns"])
    return replace(link, record=record_bytes(build_agent_dialog_v1_record(dialog)))


def with_content(link: KeptLink, turn: int, change: Callable[[dict[str, Any]], None]) -> KeptLink:
    def changed(turns: list[dict[str, Any]]) -> None:
        content = json.loads(turns[turn]["content"])
        change(content)
        turns[turn]["content"] = canonical_json(content).decode()

    return with_record(link, changed)


@pytest.mark.parametrize("name", SCRIPTS)
async def test_every_dialogue_comes_out_as_it_was_recorded(name: str, tmp_path: Path) -> None:
    found = await replayed(await link_of(name, tmp_path))
    assert (found.state, found.why, found.difference) == ("replayed", None, None)
    assert found.view == "app/home [rest]"


async def test_replay_reads_no_evidence_and_no_instructions(tmp_path: Path) -> None:
    """What a judge saw may be redacted: he repeats what he said."""
    link = await link_of("a second round", tmp_path / "there")
    assert (await replayed(link)).state == "replayed"  # nothing but the link is at hand


BOTH = "both agree on one and not on the other"


class TestAnotherRecord:
    async def test_another_finding_is_told_by_its_turn_and_member(self, tmp_path: Path) -> None:
        link = await link_of(BOTH, tmp_path)
        found = await replayed(with_content(link, 1, lambda said: said["findings"][1].update(severity="low")))
        assert found.state == "different"
        assert found.difference is not None
        assert (found.difference.turn, found.difference.where) == (1, "turns[1].content.findings[1].severity")
        assert (found.difference.a, found.difference.b) == ('"low"', '"high"')

    async def test_another_ruling_is_told_by_its_turn_and_member(self, tmp_path: Path) -> None:
        link = await link_of(BOTH, tmp_path)
        found = await replayed(with_content(link, 2, lambda said: said["rulings"][1].update(verdict="agree")))
        assert found.difference is not None
        assert (found.difference.turn, found.difference.where) == (2, "turns[2].content.rulings[1].verdict")

    async def test_another_model_in_a_turns_meta_is_a_difference(self, tmp_path: Path) -> None:
        link = await link_of(BOTH, tmp_path)
        found = await replayed(with_record(link, lambda turns: turns[1]["meta"].update(model="m9")))
        assert found.difference is not None
        assert found.difference.where == "turns[1].meta.model"

    async def test_a_turn_that_was_dropped_is_a_difference(self, tmp_path: Path) -> None:
        link = await link_of("a second round", tmp_path)
        found = await replayed(with_record(link, lambda turns: turns.pop()))
        assert found.difference is not None
        assert found.difference.turn == 3

    async def test_a_charge_with_a_shot_less_leads_to_another_account(self, tmp_path: Path) -> None:
        link = await link_of(BOTH, tmp_path)
        found = await replayed(with_content(link, 0, lambda said: said["shots"].pop()))
        assert found.difference is not None
        assert found.difference.where == "turns[1].content.clean_shot_ids[1]"

    @pytest.mark.parametrize(
        "change",
        [
            pytest.param(lambda said: said["shots"][0].update(size=[1, 2, 3]), id="a size of three numbers"),
            pytest.param(lambda said: said["shots"][0].update(scale="wide"), id="a scale that is no number"),
            pytest.param(lambda said: said["shots"].append(said["shots"][0]), id="a shot twice"),
            pytest.param(lambda said: said.update(shots=[]), id="no shot"),
            pytest.param(lambda said: said.update(roster=[]), id="no judge"),
            pytest.param(lambda said: said.update(roster=said["roster"] * 2), id="four judges"),
            pytest.param(lambda said: said["roster"][1].update(said["roster"][0]), id="one judge in both seats"),
            pytest.param(lambda said: said["roster"][0].update(ai="clerk"), id="a judge by a reserved name"),
            pytest.param(lambda said: said.update(skills=said["skills"][:1]), id="instructions for one judge alone"),
            pytest.param(lambda said: said.pop("vocabulary"), id="no vocabulary"),
            pytest.param(lambda said: said.update(project=7), id="a project that is no text"),
            pytest.param(lambda said: said.update(clock="12:00"), id="a member that no charge has"),
            pytest.param(lambda said: said["shots"][0].update(scale="1.0"), id="a scale written in another way"),
        ],
    )
    async def test_a_charge_that_nobody_would_have_put_is_a_difference_and_never_an_exception(
        self, tmp_path: Path, change: Callable[[dict[str, Any]], None]
    ) -> None:
        link = await link_of(BOTH, tmp_path)
        found = await replayed(with_content(link, 0, change))
        assert found.state == "different"
        assert found.difference is not None
        assert found.difference.turn == 0


class TestOtherReplies:
    async def test_another_reply_leads_to_another_turn(self, tmp_path: Path) -> None:
        link = await link_of(BOTH, tmp_path)
        one, two = link.replies
        text = (two.text or b"").replace(b'"agree"', b'"cannot-tell"')
        changed = replace(link, replies=(one, replace(two, text=text, digest=sha256_digest(text))))
        found = await replayed(changed)
        assert found.difference is not None
        assert found.difference.where == "turns[2].content.rulings[0].verdict"

    async def test_a_reply_that_means_the_same_but_is_another_is_told_by_its_digest(self, tmp_path: Path) -> None:
        link = await link_of(BOTH, tmp_path)
        one, two = link.replies
        found = await replayed(replace(link, replies=(one, replace(two, text=(two.text or b"") + b" "))))
        assert found.difference is not None
        assert found.difference.where == "replies[1]"

    async def test_a_reply_that_nobody_asked_for_is_a_difference(self, tmp_path: Path) -> None:
        link = await link_of(BOTH, tmp_path)
        found = await replayed(replace(link, replies=(*link.replies, link.replies[1])))
        assert found.difference is not None
        assert (found.difference.where, found.difference.b) == ("replies[2]", None)

    async def test_a_redacted_reply_is_sound_and_not_replayable(self, tmp_path: Path) -> None:
        link = await link_of(BOTH, tmp_path)
        one, two = link.replies
        found = await replayed(replace(link, replies=(one, replace(two, text=None))))
        assert found.state == "not-replayable"
        assert found.why is not None
        assert two.digest in found.why

    async def test_a_reply_that_is_not_there_at_all_is_not_replayable_either(self, tmp_path: Path) -> None:
        link = await link_of(BOTH, tmp_path)
        found = await replayed(replace(link, replies=link.replies[:1]))
        assert (found.state, found.why) == ("not-replayable", "Of 2 raw replies 1 are at hand.")

    @pytest.mark.parametrize(
        "spoilt",
        [
            KeptReply(digest="sha256:0", about=b"[]", text=b"{}"),
            KeptReply(digest="sha256:0", about=b"{", text=b"{}"),
            KeptReply(digest="sha256:0", about=b"{}", text=b"{}"),
            KeptReply(digest="sha256:0", about=b"{}", text=b"\xff"),
        ],
    )
    async def test_a_reply_that_does_not_read_raises_nothing(self, tmp_path: Path, spoilt: KeptReply) -> None:
        link = await link_of(BOTH, tmp_path)
        found = await replayed(replace(link, replies=(spoilt, link.replies[1])))
        assert found.state == "not-replayable"


class TestTheOutcome:
    async def test_another_consensus_is_a_difference_that_names_the_member(self, tmp_path: Path) -> None:
        link = await link_of(BOTH, tmp_path)
        outcome = json.loads(link.outcome or b"")
        outcome["findings"][1]["consensus"]["disputed_by"] = []
        found = await replayed(replace(link, outcome=canonical_json(outcome)))
        assert found.difference is not None
        assert found.difference.where == "outcome.findings[1].consensus.disputed_by[0]"

    @pytest.mark.parametrize("junk", [b"", b"{", b"\xff", b"[]", b"{ }"])
    async def test_bytes_that_are_no_outcome_are_a_difference(self, tmp_path: Path, junk: bytes) -> None:
        link = await link_of(BOTH, tmp_path)
        found = await replayed(replace(link, outcome=junk))
        assert found.state == "different"
        assert found.difference is not None
        assert found.difference.where.startswith("outcome")

    async def test_the_same_outcome_spelled_otherwise_is_a_difference_too(self, tmp_path: Path) -> None:
        link = await link_of(BOTH, tmp_path)
        found = await replayed(replace(link, outcome=(link.outcome or b"") + b" "))
        assert found.difference is not None
        assert found.difference.where == "outcome"


class TestWhatIsNotReplayed:
    async def test_a_link_whose_record_is_not_at_hand_is_passed_over(self, tmp_path: Path) -> None:
        link = await link_of(BOTH, tmp_path)
        assert await replay_link(KeptLink(entry=link.entry), refold) is None

    async def test_another_contract_is_sound_and_not_replayable_here(self, tmp_path: Path) -> None:
        link = await link_of(BOTH, tmp_path)
        found = await replayed(with_content(link, 0, lambda said: said.update(contract="reply/99")))
        assert found.state == "not-replayable"
        assert "reply/99" in (found.why or "")

    async def test_a_link_of_the_first_form_with_a_reply_that_it_does_not_mark_is_not_replayable(
        self, tmp_path: Path
    ) -> None:
        link = await link_of("a challenge in halves", tmp_path)
        entry = read_chain_entry(link.entry)
        spoken = tuple(replace(mark, about=None) for mark in entry.replies if mark.chain_depth is not None)
        kept = tuple(
            reply for reply, mark in zip(link.replies, entry.replies, strict=True) if mark.chain_depth is not None
        )
        old = replace(link, entry=chain_entry_bytes(replace(entry, replies=spoken)), replies=kept, outcome=None)
        found = await replayed(old)
        assert found.state == "not-replayable"
        assert "before every reply was marked" in (found.why or "")

    async def test_a_link_of_the_first_form_whose_replies_are_all_at_hand_is_replayed(self, tmp_path: Path) -> None:
        link = await link_of(BOTH, tmp_path)
        entry = read_chain_entry(link.entry)
        marks = tuple(replace(mark, about=None) for mark in entry.replies)
        old = replace(link, entry=chain_entry_bytes(replace(entry, outcome=None, replies=marks)), outcome=None)
        assert (await replayed(old)).state == "replayed"

    @pytest.mark.parametrize(
        "record",
        [
            record_bytes(build_agent_dialog_v1_record({"dialogId": "d", "turns": []})),
            record_bytes(
                build_agent_dialog_v1_record(
                    {"dialogId": "d", "turns": [{"speaker": "a", "audience": "b", "chainDepth": 0, "content": "hi"}]}
                )
            ),
            b'{"solverType":"some.other.v1"}',
            b"{",
            b"",
        ],
    )
    async def test_a_record_that_no_replies_led_to_has_nothing_to_replay(self, tmp_path: Path, record: bytes) -> None:
        link = await link_of(BOTH, tmp_path)
        assert (await replayed(replace(link, record=record))).state == "nothing"


async def test_the_engine_is_handed_in_and_decides(tmp_path: Path) -> None:
    link = await link_of(BOTH, tmp_path)

    async def of_another_mind(*_: Any, **__: Any) -> DialogueResult:
        return await hold_script("one judge alone")

    found = await replay_link(link, of_another_mind)
    assert found is not None
    assert found.state == "different"
