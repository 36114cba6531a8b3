"""Which judges there are, and how a seat is filled."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import EntryPoint

import pytest

from bicameral.errors import RosterError
from bicameral.judges import Registry, known_judges, open_judge
from bicameral.judges.instruments.instrument import VERSION
from bicameral.model.judging import JudgeReply, JudgeRequest
from bicameral.model.seats import Seat


class Stone:
    """A judge that says nothing."""

    costs_nothing = True
    identity: Mapping[str, str] = {"adapter": "stone/1"}

    def __init__(self, seat: Seat) -> None:
        self.seat = seat

    async def ask(self, request: JudgeRequest) -> JudgeReply:
        return JudgeReply(text="", handle=self.seat.handle, model=self.seat.model)


def empty() -> Registry:
    return Registry(installed=dict)


def test_an_instrument_without_a_model_gets_the_version() -> None:
    judge = open_judge(Seat("axe"))
    assert judge.seat == Seat("axe", VERSION)
    assert judge.costs_nothing


def test_a_combined_seat_is_spoken_of_in_one_order() -> None:
    assert open_judge(Seat("layout+axe")).seat.handle == "axe+layout"


def test_another_version_of_an_instrument_is_refused_with_the_mend() -> None:
    with pytest.raises(RosterError, match=f"Write axe\\+layout:{VERSION}"):
        open_judge(Seat("axe+layout", "99"))


def test_a_part_named_twice_is_refused() -> None:
    with pytest.raises(RosterError, match="twice"):
        open_judge(Seat("axe+axe"))


def test_an_unknown_name_suggests_the_nearest_known_one() -> None:
    with pytest.raises(RosterError, match="Did you mean layout"):
        open_judge(Seat("layuot"))


def test_a_name_like_nothing_known_lists_what_is_known() -> None:
    with pytest.raises(RosterError, match="Known: axe, layout, pixels"):
        empty().open(Seat("zzz"))


def test_an_unknown_part_of_a_combined_seat_is_named() -> None:
    with pytest.raises(RosterError, match=r"No judge is called 'layot'\. Did you mean layout"):
        open_judge(Seat("axe+layot"))


def test_only_instruments_are_combined() -> None:
    registry = empty()
    registry.register("stone", Stone)
    with pytest.raises(RosterError, match="stone is no instrument"):
        registry.open(Seat("axe+stone"))


def test_a_registered_judge_fills_its_seat() -> None:
    registry = empty()
    registry.register("stone", Stone)
    assert registry.open(Seat("stone", "granite")).seat == Seat("stone", "granite")


def test_registering_a_name_again_replaces_it() -> None:
    registry = empty()
    registry.register("stone", Stone)
    registry.register("stone", lambda seat: Stone(Seat("stone", "slate")))
    assert registry.open(Seat("stone")).seat.model == "slate"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "a+b",
        "a:b",
        "a b",
        "axe",
        "clerk",
        "team",
        "TEAM",
        "none",
        "a/b",
        "a\n",
        "\u202eaxe",
        "co\u200bdex",
        "e\u0301",
    ],
)
def test_a_name_that_no_seat_could_mean_is_refused(name: str) -> None:
    with pytest.raises(RosterError):
        empty().register(name, Stone)


@pytest.mark.parametrize("name", ["ollama", "openai-compatible"])
def test_an_adapter_of_many_makers_is_not_opened_without_a_model(name: str) -> None:
    registry = empty()
    registry.register(name, Stone)
    with pytest.raises(RosterError, match="names none"):
        registry.open(Seat(name))
    assert registry.open(Seat(name, "m")).seat.handle == f"{name}/m"


@pytest.mark.parametrize("name", ["clerk", "none", "\u200b"])
def test_a_seat_that_is_nobodys_is_not_opened_even_where_a_package_offers_it(name: str) -> None:
    installed = {name: EntryPoint(name, "test_judge_registry:Stone", "bicameral.judges")}
    with pytest.raises(RosterError, match="cannot name a judge"):
        Registry(installed=lambda: installed).open(Seat(name, "m"))


def entry(value: str) -> Registry:
    return Registry(installed=lambda: {"flint": EntryPoint("flint", value, "bicameral.judges")})


def test_an_installed_adapter_is_found_by_its_entry_point() -> None:
    registry = entry("test_judge_registry:Stone")
    assert registry.open(Seat("flint", "x")).seat == Seat("flint", "x")
    assert [row.ok for row in registry.health() if row.name == "flint"] == [True]


def test_an_installed_adapter_that_cannot_be_loaded_says_why() -> None:
    registry = entry("no_such_module_here:make")
    with pytest.raises(RosterError, match="no_such_module_here"):
        registry.open(Seat("flint"))
    (row,) = [row for row in registry.health() if row.name == "flint"]
    assert not row.ok
    assert row.why_not is not None
    assert "no_such_module_here" in row.why_not


def test_the_doctor_is_told_of_every_adapter_that_exists_and_of_no_other() -> None:
    health = {row.name: row for row in known_judges()}
    assert {"axe", "layout", "pixels"} <= health.keys()
    assert all(health[name].ok and health[name].why_not is None for name in ("axe", "layout", "pixels"))
    assert "codex" not in health
