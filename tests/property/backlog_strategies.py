"""Any legal issue, shot, finding and batch, over few places so that they meet."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from bicameral.backlog import JudgedBatch, Reach
from bicameral.backlog._sightings import with_sightings
from bicameral.backlog.rulings import standing_status
from bicameral.model.adjudication import AdjudicationResult, Rung
from bicameral.model.backlog import HumanRuling, Issue, Sighting
from bicameral.model.evidence import Box, Shot
from bicameral.model.findings import Consensus, Dissent, Finding, Ruling
from bicameral.model.identity import key_of_issue, key_of_sighting
from bicameral.model.vocabulary import CONFIDENCES, REASONED_STATUSES, REGIONS, SEVERITIES, STATUSES, WORDS

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
words = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters="\0"), min_size=1, max_size=6)
oracles = st.sampled_from(["axe", "layout", "pixels", "codex", "ollama/qwen3-vl"])
digests = st.sampled_from(["sha256:" + digit * 64 for digit in "0123"])
run_ids = st.integers(0, 9).map(lambda number: f"run-{number}")
times = st.tuples(st.integers(0, 59), st.sampled_from(["", ".5", ".25"])).map(
    lambda when: f"2026-11-30T12:00:{when[0]:02}{when[1]}Z"
)
boxes = st.builds(
    Box, x=st.integers(-9, 9999), y=st.integers(0, 9999), width=st.integers(0, 9), height=st.integers(0, 9)
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(-1e6, 1e6) | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=2,
)
rungs = st.builds(
    Rung,
    provider=words,
    said=st.none() | st.dictionaries(texts, json_values, max_size=2),
    failure=st.none() | words,
)
adjudications = st.builds(
    AdjudicationResult,
    verdict=st.sampled_from(["genuine", "supersedes", "tension", "complementary", "unrelated"]),
    confidence=st.floats(0, 1),
    method=st.sampled_from(["nli", "llm", "none"]),
    reasoning=st.none() | texts,
    tier_capped=st.booleans(),
    rungs=st.lists(rungs, max_size=1).map(tuple),
)
dissents = st.builds(Dissent, oracle=oracles, note=words, adjudication=st.none() | adjudications)
few_oracles = st.lists(oracles, max_size=2, unique=True).map(tuple)
few_dissents = st.lists(dissents, max_size=1, unique_by=lambda dissent: dissent.oracle).map(tuple)
consensuses = st.builds(
    Consensus,
    reported_by=oracles,
    agreed_by=few_oracles,
    disputed_by=few_dissents,
    amended_by=few_dissents,
    undecided_by=few_oracles,
    rounds=st.integers(1, 2),
)
rulings = st.builds(
    Ruling,
    index=st.integers(0, 9),
    oracle=oracles,
    verdict=st.sampled_from(WORDS),
    notes=st.lists(words, min_size=1, max_size=2).map(tuple),
) | st.builds(Ruling, index=st.integers(0, 9), oracle=oracles, verdict=st.sampled_from(["agree", "cannot-tell"]))

_prose = {
    "severity": st.sampled_from(SEVERITIES),
    "confidence": st.sampled_from(CONFIDENCES),
    "title": texts,
    "problem": texts,
    "expected": texts,
    "observed": texts,
    "acceptance": st.lists(texts, max_size=2).map(tuple),
    "oracle": oracles,
    "consensus": st.none() | consensuses,
    "rulings": st.lists(rulings, max_size=2).map(tuple),
}
_places = st.tuples(
    st.sampled_from(["app", "Füße"]), st.sampled_from(["/", "/köp", "/店"]), st.sampled_from(["rest", "menu"])
)
_spots = st.tuples(st.sampled_from(["desktop", "phone", "uhr"]), st.sampled_from(["light", "dark"]))


@st.composite
def human_rulings(draw: st.DrawFn, issue: str) -> HumanRuling:
    status = draw(st.sampled_from(STATUSES))
    reason = draw(words if status in REASONED_STATUSES else texts)
    return HumanRuling(
        issue=issue,
        status=status,
        reason=reason,
        ruled_by=draw(words),
        ruled_at=draw(times),
        proposed=draw(st.booleans()),
    )


@st.composite
def sightings(draw: st.DrawFn, issue: Issue, form_factor: str, scheme: str) -> Sighting:
    runs = sorted([draw(run_ids), draw(run_ids)])
    route = issue.place if issue.region == "content" else draw(_places)[1]
    return Sighting(
        sighting=key_of_sighting(issue, form_factor, scheme),
        issue=issue.issue,
        form_factor=form_factor,
        scheme=scheme,
        route=route,
        shot_id=f"{issue.target}{route}/{issue.state}/{form_factor}/{scheme}",
        picture=draw(digests),
        facts=draw(st.none() | digests),
        box=draw(st.none() | boxes),
        dialog_id=draw(digests),
        wire_digest=draw(digests),
        first_run=runs[0],
        last_run=runs[1],
        seen=draw(st.booleans()),
        **{name: draw(values) for name, values in _prose.items()},
    )


@st.composite
def nameless(draw: st.DrawFn) -> Issue:
    """An issue that nobody has seen or ruled on: its identity and its words."""
    target, route, state = draw(_places)
    region = draw(st.sampled_from(REGIONS))
    bare = Issue(
        issue="",
        target=target,
        place=route if region == "content" else f"[{region}]",
        state=state,
        platform="web",
        category=draw(st.sampled_from(["contrast", "overlap"])),
        attribute=draw(st.sampled_from(["button-läuft", "見出し"])),
        region=region,
        severity=draw(_prose["severity"]),
        title=draw(texts),
        problem=draw(texts),
        expected="",
        observed=draw(texts),
        first_run="run-0",
        last_run="run-0",
    )
    return replace(bare, issue=key_of_issue(bare))


@st.composite
def states_of(draw: st.DrawFn, bare: Issue) -> Issue:
    """One issue as some store may hold it."""
    runs = sorted([draw(run_ids), draw(run_ids)])
    reopened = draw(st.integers(0, 2))
    spots = draw(st.lists(_spots, min_size=1, max_size=2, unique=True))
    ruled = tuple(draw(st.lists(human_rulings(bare.issue), max_size=2)))
    status = standing_status(ruled)
    if status == "fixed" and reopened and draw(st.booleans()):
        status = "open"
    state = replace(
        bare,
        first_run=runs[0],
        last_run=runs[1],
        reopened=reopened,
        reopened_run=draw(run_ids) if reopened else None,
        status=status,
        rulings=ruled,
    )
    seen = [draw(sightings(bare, form_factor, scheme)) for form_factor, scheme in spots]
    return with_sightings(state, seen, run_id=draw(run_ids))


def issues() -> st.SearchStrategy[Issue]:
    """Any issue that a store may hold: what an export has to carry."""
    return nameless().flatmap(states_of)


def two_states() -> st.SearchStrategy[tuple[Issue, Issue]]:
    """One issue as two stores may hold it."""
    return nameless().flatmap(lambda bare: st.tuples(states_of(bare), states_of(bare)))


backlogs = st.lists(issues(), max_size=3, unique_by=lambda issue: issue.issue).map(tuple)


@st.composite
def batches(draw: st.DrawFn) -> JudgedBatch:
    """One view's verdict: any findings on any of its shots, and any reach."""
    target, route, state = draw(_places)
    shots = tuple(
        Shot(
            shot_id=f"{target}{route}/{state}/{form_factor}/{scheme}",
            target=target,
            route=route,
            state=state,
            form_factor=form_factor,
            scheme=scheme,
            picture=draw(digests),
            facts=draw(st.none() | digests),
            width_px=1,
            height_px=1,
        )
        for form_factor, scheme in draw(st.lists(_spots, min_size=1, max_size=4, unique=True))
    )
    names = [shot.shot_id for shot in shots]
    findings = []
    for _ in range(draw(st.integers(0, 3))):
        first, *also = draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
        findings.append(
            Finding(
                shot_id=first,
                also_shot_ids=tuple(also),
                category=draw(st.sampled_from(["contrast", "overlap"])),
                attribute=draw(st.sampled_from(["button-läuft", "見出し"])),
                region=draw(st.sampled_from(REGIONS)),
                box=draw(st.none() | boxes),
                **{name: draw(values) for name, values in _prose.items()},
            )
        )
    reaches = draw(
        st.lists(
            st.builds(
                Reach,
                oracle=oracles,
                shot_ids=st.frozensets(st.sampled_from(names)),
                categories=st.none() | st.frozensets(st.sampled_from(["contrast", "overlap"])),
            ),
            max_size=3,
        )
    )
    return JudgedBatch(
        run_id=draw(run_ids),
        shots=shots,
        findings=tuple(findings),
        dialog_id=draw(digests),
        wire_digest=draw(digests),
        reaches=tuple(reaches),
    )
