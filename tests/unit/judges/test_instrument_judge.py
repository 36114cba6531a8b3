"""Instruments seated as a judge: replies in the contract, one finding over many shots, a word on every number."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from facts_builder import PageBuilder, Shelf, shot
from hypothesis import given
from hypothesis import strategies as st

from bicameral.dialogue.proposal import parse_judge_reply
from bicameral.errors import EvidenceError
from bicameral.judges import open_judge
from bicameral.judges.instruments.instrument import Answer, Look, Measured
from bicameral.judges.instruments.judge import InstrumentJudge
from bicameral.model.evidence import Shot
from bicameral.model.facts import Rect
from bicameral.model.findings import Finding
from bicameral.model.judging import JudgeRequest, NumberedFinding
from bicameral.model.seats import Seat
from bicameral.model.vocabulary import CATEGORIES, Task

DEFECT = Measured(
    part="level",
    category="alignment",
    attribute="off-edge-p",
    severity="low",
    title="Out of line",
    problem="One is out of line.",
    expected="All in line.",
    observed="It is 4 px off.",
    acceptance=("In line.",),
    rect=Rect(10, 20, 30.5, 40),
)


class Level:
    """An instrument that files what it is told to, and answers what it is told to."""

    rules = "sha256:level"

    def __init__(
        self,
        name: str = "level",
        files: Mapping[str, Sequence[Measured]] | None = None,
        says: Mapping[str, Answer] | None = None,
        lost: Mapping[str, str] | None = None,
    ) -> None:
        self.lost = lost or {}
        self.name = name
        self.files = files or {}
        self.says = says or {}

    def can_judge(self, look: Look) -> bool:
        return look.facts is not None

    def propose(self, looks: Sequence[Look]) -> Mapping[str, Sequence[Measured]]:
        return {look.shot.shot_id: self.files.get(look.shot.shot_id, ()) for look in looks}

    def unmeasured(self, looks: Sequence[Look]) -> Mapping[str, str]:
        return self.lost

    def rule(self, looks: Sequence[Look], findings: Sequence[Finding]) -> Sequence[Mapping[str, Answer]]:
        return [self.says for _ in findings]


def view(*kinds: tuple[str, str]) -> tuple[tuple[Shot, ...], Shelf]:
    """Shots of an ordinary page, one at each form factor and scheme."""
    shelf = Shelf()
    shots = []
    for factor, scheme in kinds:
        page = PageBuilder(form_factor=factor, scheme=scheme)
        page.add("p", [16, 16, 200, 24], text="Some words")
        shots.append(shot(page, shelf, form_factor=factor, scheme=scheme))
    return tuple(shots), shelf


def request(
    task: Task,
    shots: Sequence[Shot],
    shelf: Shelf,
    findings: Sequence[Finding] = (),
    categories: tuple[str, ...] = CATEGORIES,
) -> JudgeRequest:
    return JudgeRequest(
        task=task,
        project="p",
        seat=Seat("level"),
        shots=tuple(shots),
        evidence=shelf,
        instructions="",
        prompt="",
        categories=categories,
        findings=tuple(NumberedFinding(index=i, mark=f"{i:04x}", finding=f) for i, f in enumerate(findings)),
    )


def judge(*instruments: Level) -> InstrumentJudge:
    return InstrumentJudge(Seat("level"), instruments)


def finding_on(*shots: Shot, **members: object) -> Finding:
    plain = Finding(
        shot_id=shots[0].shot_id,
        category="alignment",
        attribute="off-edge-p",
        severity="low",
        title="t",
        problem="p",
        confidence="high",
        also_shot_ids=tuple(one.shot_id for one in shots[1:]),
    )
    return replace(plain, **members)  # type: ignore[arg-type]  # a test's shorthand


async def test_one_element_on_several_shots_is_one_finding_with_a_box_on_each() -> None:
    shots, shelf = view(("desktop", "light"), ("phone", "dark"))
    level = Level(files={one.shot_id: [DEFECT] for one in shots})
    reply = await judge(level).ask(request("propose", shots, shelf))
    (row,) = json.loads(reply.text)["findings"]
    assert row["shot_id"] == shots[0].shot_id
    assert row["also_shot_ids"] == [shots[1].shot_id]
    assert row["box"] == [10, 20, 31, 40]
    assert row["also_boxes"] == {shots[1].shot_id: [10, 20, 31, 40]}


async def test_the_reader_of_replies_takes_every_row_and_accounts_for_every_shot() -> None:
    shots, shelf = view(("desktop", "light"), ("tablet", "light"), ("phone", "dark"))
    level = Level(files={shots[0].shot_id: [DEFECT], shots[2].shot_id: [DEFECT]})
    reply = await judge(level).ask(request("propose", shots, shelf))
    read = parse_judge_reply(
        reply.text, shots=[one.shot_id for one in shots], parts=reply.parts, oracle=reply.handle, finish=reply.finish
    )
    assert read.state == "complete"
    assert read.rejected == read.dropped == ()
    assert read.clean_shot_ids == (shots[1].shot_id,)
    (found,) = read.findings
    assert found.oracle == "level"
    assert [place.shot_id for place in found.also_boxes] == [shots[2].shot_id]


async def test_a_finding_is_described_where_it_is_worst() -> None:
    shots, shelf = view(("desktop", "light"), ("phone", "light"))
    level = Level(
        files={shots[0].shot_id: [DEFECT], shots[1].shot_id: [replace(DEFECT, severity="high", observed="Worse.")]}
    )
    (row,) = json.loads((await judge(level).ask(request("propose", shots, shelf))).text)["findings"]
    assert (row["shot_id"], row["severity"], row["observed"]) == (shots[1].shot_id, "high", "Worse.")
    assert row["also_shot_ids"] == [shots[0].shot_id]


async def test_of_elements_with_one_name_the_worst_is_described_and_boxed_on_each_shot() -> None:
    shots, shelf = view(("desktop", "light"), ("phone", "light"))
    mild = replace(DEFECT, weight=1.05, observed="4.3:1.")
    bad = replace(DEFECT, weight=2.8, observed="1.6:1.", rect=Rect(0, 0, 5, 5))
    level = Level(files={shots[0].shot_id: [mild], shots[1].shot_id: [mild, bad]})
    (row,) = json.loads((await judge(level).ask(request("propose", shots, shelf))).text)["findings"]
    assert (row["shot_id"], row["box"]) == (shots[1].shot_id, [0, 0, 5, 5])
    assert row["observed"] == "1.6:1. 1 more like it is on the same page."


@pytest.mark.parametrize("task", ["propose", "challenge", "rule"])
async def test_a_shot_that_was_not_measured_is_not_clean_and_the_loss_is_told(task: Task) -> None:
    shots, shelf = view(("desktop", "light"), ("tablet", "light"), ("phone", "light"))
    lost = {shots[0].shot_id: "contrast not measured", shots[2].shot_id: "contrast not measured"}
    reply = await judge(Level(files={shots[2].shot_id: [DEFECT]}, lost=lost)).ask(request(task, shots, shelf))
    assert reply.meta == {"pictures": "contrast not measured on 2 of 3 shots"}
    if task == "propose":
        read = parse_judge_reply(reply.text, shots=[one.shot_id for one in shots], parts=reply.parts)
        assert (read.clean_shot_ids, read.unaccounted) == ((shots[1].shot_id,), (shots[0].shot_id,))


async def test_a_judge_that_measured_everything_tells_of_no_loss() -> None:
    shots, shelf = view(("desktop", "light"))
    assert (await judge(Level()).ask(request("propose", shots, shelf))).meta == {}


async def test_elements_with_one_name_on_one_page_are_one_finding_that_counts_them() -> None:
    shots, shelf = view(("desktop", "light"))
    level = Level(files={shots[0].shot_id: [DEFECT, replace(DEFECT, rect=Rect(0, 0, 5, 5)), DEFECT]})
    (row,) = json.loads((await judge(level).ask(request("propose", shots, shelf))).text)["findings"]
    assert row["box"] == [10, 20, 31, 40]
    assert row["observed"].endswith("2 more like it are on the same page.")


async def test_a_box_is_cut_to_the_picture_and_scaled_to_it() -> None:
    shots, shelf = view(("desktop", "light"))
    retina = (replace(shots[0], scale=2.0, width_px=200, height_px=200),)
    outside = replace(DEFECT, attribute="elsewhere", rect=Rect(500, 500, 10, 10))
    level = Level(files={shots[0].shot_id: [replace(DEFECT, rect=Rect(-5, 10, 500, 20)), outside]})
    cut, none = json.loads((await judge(level).ask(request("propose", retina, shelf))).text)["findings"]
    assert cut["box"] == [0, 20, 200, 40]
    assert "box" not in none


async def test_a_category_that_was_not_asked_about_is_not_filed() -> None:
    shots, shelf = view(("desktop", "light"))
    level = Level(files={shots[0].shot_id: [DEFECT]})
    reply = await judge(level).ask(request("propose", shots, shelf, categories=("contrast",)))
    assert json.loads(reply.text) == {"findings": [], "clean_shot_ids": [shots[0].shot_id]}


async def test_a_shot_without_facts_is_neither_flagged_nor_clean() -> None:
    shots, shelf = view(("desktop", "light"))
    bare = shot(None, shelf, form_factor="phone")
    reply = await open_judge(Seat("axe+layout")).ask(request("propose", [*shots, bare], shelf))
    read = parse_judge_reply(reply.text, shots=[shots[0].shot_id, bare.shot_id], parts=reply.parts)
    assert read.clean_shot_ids == (shots[0].shot_id,)
    assert read.unaccounted == (bare.shot_id,)


async def test_every_number_is_ruled_even_where_nothing_can_be_measured() -> None:
    shelf = Shelf()
    bare = shot(None, shelf)
    reply = await judge(Level()).ask(request("challenge", [bare], shelf, [finding_on(bare), finding_on(bare)]))
    said = json.loads(reply.text)
    assert [(row["index"], row["verdict"], row["mark"]) for row in said["verdicts"]] == [
        (0, "cannot-tell", "0000"),
        (1, "cannot-tell", "0001"),
    ]
    assert said["additions"] == []


AGREE = Answer(verdict="agree", note="Yes.")
DISPUTE = Answer(verdict="dispute", note="No.")
OPEN = Answer(verdict="cannot-tell", note="Dark.")
OTHER = Answer(verdict="agree", note="Yes, there too.")


@pytest.mark.parametrize(
    ("desktop", "phone", "verdict", "note"),
    [
        (AGREE, AGREE, "agree", "Yes."),
        (DISPUTE, DISPUTE, "dispute", "No."),
        (AGREE, DISPUTE, "amend", "Not on phone/light: No."),
        (AGREE, OPEN, "agree", "Yes. On 1 more it cannot be told."),
        (DISPUTE, OPEN, "dispute", "No. On 1 more it cannot be told."),
        (AGREE, OTHER, "agree", "Yes. This is on desktop/light; on 1 more shot the answer is the same."),
        (OPEN, OPEN, "cannot-tell", "Dark."),
        (OPEN, None, "cannot-tell", "Dark."),
    ],
)
async def test_words_on_several_shots_become_one(
    desktop: Answer, phone: Answer | None, verdict: str, note: str
) -> None:
    shots, shelf = view(("desktop", "light"), ("phone", "light"))
    says = {shots[0].shot_id: desktop} | ({shots[1].shot_id: phone} if phone else {})
    reply = await judge(Level(says=says)).ask(request("rule", shots, shelf, [finding_on(*shots)]))
    (row,) = json.loads(reply.text)["verdicts"]
    assert (row["verdict"], row["note"]) == (verdict, note)


async def test_parts_that_contradict_each_other_cannot_tell() -> None:
    shots, shelf = view(("desktop", "light"))
    one = Level("level", says={shots[0].shot_id: AGREE})
    other = Level("plumb", says={shots[0].shot_id: DISPUTE})
    reply = await judge(one, other).ask(request("rule", shots, shelf, [finding_on(*shots)]))
    (row,) = json.loads(reply.text)["verdicts"]
    assert (row["verdict"], row["note"]) == ("cannot-tell", "Yes. No.")


async def test_a_word_on_a_shot_that_the_finding_does_not_show_on_does_not_count() -> None:
    shots, shelf = view(("desktop", "light"), ("phone", "light"))
    level = Level(says={shots[1].shot_id: DISPUTE})
    reply = await judge(level).ask(request("rule", shots, shelf, [finding_on(shots[0])]))
    assert json.loads(reply.text)["verdicts"][0]["verdict"] == "cannot-tell"


async def test_a_challenge_adds_what_was_not_put_and_a_ruling_adds_nothing() -> None:
    shots, shelf = view(("desktop", "light"), ("phone", "light"))
    new = replace(DEFECT, attribute="off-edge-li")
    level = Level(files={shots[0].shot_id: [DEFECT, new], shots[1].shot_id: [DEFECT]})
    put = [finding_on(shots[0])]
    said = json.loads((await judge(level).ask(request("challenge", shots, shelf, put))).text)
    added = [(row["attribute"], row["shot_id"]) for row in said["additions"]]
    assert added == [("off-edge-p", shots[1].shot_id), ("off-edge-li", shots[0].shot_id)]
    assert "additions" not in json.loads((await judge(level).ask(request("rule", shots, shelf, put))).text)


async def test_two_asks_with_one_request_give_one_text() -> None:
    shots, shelf = view(("desktop", "light"), ("phone", "dark"))
    ask = request("propose", shots, shelf)
    first = await open_judge(Seat("axe+layout")).ask(ask)
    assert first == await open_judge(Seat("layout+axe")).ask(ask)
    assert (first.handle, first.parts, first.finish) == ("axe+layout", ("axe", "layout"), "stop")


async def test_facts_that_are_no_facts_are_an_evidence_error() -> None:
    shelf = Shelf()
    page = shot(PageBuilder(), shelf)
    for body in (b"not json", b"[]", b"{}", b'{"facts_version": "facts/9"}', b"\xff\xfe"):
        broken = replace(page, facts=shelf.keep(body))
        with pytest.raises(EvidenceError):
            await judge(Level()).ask(request("propose", [broken], shelf))


def test_the_identity_names_the_rules_of_each_part() -> None:
    identity = open_judge(Seat("axe+layout")).identity
    assert identity.keys() == {"adapter", "rules-axe", "rules-layout"}
    assert identity["rules-axe"].startswith("sha256:")
    assert identity["rules-axe"] != identity["rules-layout"]
    assert identity == open_judge(Seat("axe+layout")).identity


@given(st.text(max_size=60), st.text(max_size=60))
def test_whatever_a_page_says_the_reply_can_be_read(said: str, name: str) -> None:
    page = PageBuilder()
    said, name = (text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in (said, name))
    button = page.add("button", [10, 10, 20, 20], role="button", name=name, text=said, style={"font_px": 6})
    page.violation("target-size", button, message=said)
    page.document["console"] = [{"level": "error", "text": said, "source": None}]
    shelf = Shelf()
    taken = shot(page, shelf)
    text = open_judge(Seat("axe+layout"))._answer(request("propose", [taken], shelf))  # type: ignore[attr-defined]
    read = parse_judge_reply(text, shots=[taken.shot_id], parts=("axe", "layout"))
    assert read.state == "complete"
    assert read.rejected == ()
