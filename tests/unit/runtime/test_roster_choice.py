"""Who sits where, by the words of a command line."""

from __future__ import annotations

import pytest

from bicameral.errors import RosterError
from bicameral.model.evidence import Shot
from bicameral.model.seats import Roster, Seat, parse_seat
from bicameral.runtime.rosters import lanes_not_judged, rosters_for
from bicameral.settings import Settings

PICTURE = Shot(shot_id="a/b/rest/desktop/light", target="a", route="/b", picture="sha256:0", width_px=1, height_px=1)
CAPTURED = Shot(
    shot_id="a/c/rest/desktop/light",
    target="a",
    route="/c",
    picture="sha256:0",
    width_px=1,
    height_px=1,
    facts="sha256:1",
)


def names(roster: Roster) -> tuple[str, str | None]:
    return roster.proposer.ai, None if roster.challenger is None else roster.challenger.ai


@pytest.mark.parametrize(
    ("proposer", "challenger", "expected"),
    [
        (None, None, ("axe+layout", "pixels")),
        (None, "none", ("axe+layout", None)),
        ("pixels", "axe+layout", ("pixels", "axe+layout")),
        ("layout", None, ("layout", "pixels")),
        ("axe", "layout", ("axe", "layout")),
        ("layout+axe", "pixels", ("axe+layout", "pixels")),
    ],
)
def test_a_seat_that_was_not_named_has_its_default(
    proposer: str | None, challenger: str | None, expected: tuple[str, str | None]
) -> None:
    assert names(rosters_for(Settings(proposer=proposer, challenger=challenger)).captured) == expected


@pytest.mark.parametrize(
    ("proposer", "challenger", "said"),
    [
        ("none", None, "Nobody would propose"),
        ("axe", "axe", "nobody argues with himself"),
        ("axe+layout", "axe", "Both seats contain axe"),
        (None, "axe", "Name both seats"),
        ("pixels", None, "Name both seats"),
        ("axe", "pixls", "Did you mean pixels"),
        ("", None, "names no judge"),
        ("axe:7", None, "version"),
        ("axe+nobody", None, "No judge is called 'nobody'"),
    ],
)
def test_seats_that_cannot_be_filled_are_refused_before_anything_is_captured(
    proposer: str | None, challenger: str | None, said: str
) -> None:
    with pytest.raises(RosterError) as caught:
        rosters_for(Settings(proposer=proposer, challenger=challenger))
    assert said in str(caught.value)


def test_two_models_of_one_local_server_are_two_ais_and_one_model_twice_is_not() -> None:
    Roster(Seat("ollama", "a"), Seat("ollama", "b"))
    with pytest.raises(RosterError):
        Roster(Seat("ollama", "a"), Seat("ollama", "a"))
    with pytest.raises(RosterError):
        Roster(Seat("codex", "a"), Seat("codex", "b"))
    assert Seat("ollama", "a").handle == "ollama/a"
    assert parse_seat("ollama:qwen3-vl:8b") == Seat("ollama", "qwen3-vl:8b")


def test_pictures_without_facts_are_judged_by_pixels_alone_unless_seats_were_named() -> None:
    default = rosters_for(Settings())
    assert names(default.for_view([PICTURE])) == ("pixels", None)
    assert names(default.for_view([PICTURE, CAPTURED])) == ("axe+layout", "pixels")
    named = rosters_for(Settings(proposer="layout"))
    assert names(named.for_view([PICTURE])) == ("layout", "pixels")


def test_lanes_that_nobody_in_the_roster_could_file_in_are_named() -> None:
    everything = rosters_for(Settings()).captured
    assert lanes_not_judged(everything, [CAPTURED]) == ()
    bare = rosters_for(Settings()).bare
    assert lanes_not_judged(bare, [PICTURE]) == ("geometry", "legibility", "accessibility", "craft")
    assert lanes_not_judged(Roster(Seat("somebody-else", "m")), [CAPTURED]) == ()
