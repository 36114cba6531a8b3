"""Who may sit where, as far as names can tell."""

from __future__ import annotations

import pytest

from bicameral.errors import RosterError
from bicameral.model.seats import Roster, Seat, check_seat


@pytest.mark.parametrize(
    ("one", "other"), [("m", "m"), ("qwen3-vl", "Qwen3-VL"), ("qwen3-vl", "qwen3-vl:latest"), ("m", " m")]
)
def test_one_model_behind_two_adapters_of_many_makers_is_one_ai(one: str, other: str) -> None:
    for seats in (("ollama", "openai-compatible"), ("openai-compatible", "ollama"), ("ollama", "ollama")):
        with pytest.raises(RosterError, match="nobody argues with himself"):
            Roster(Seat(seats[0], one), Seat(seats[1], other))


def test_two_models_behind_one_adapter_of_many_makers_are_two() -> None:
    assert Roster(Seat("ollama", "a"), Seat("ollama", "b")).handles == ("ollama/a", "ollama/b")
    assert Roster(Seat("ollama", "m:8b"), Seat("openai-compatible", "m:70b")).challenger is not None


def test_one_name_of_a_model_behind_adapters_of_one_maker_is_two_ais() -> None:
    assert Roster(Seat("codex", "m"), Seat("ollama", "m")).handles == ("codex", "ollama/m")


@pytest.mark.parametrize("name", ["ollama", "openai-compatible"])
@pytest.mark.parametrize("model", ["", " "])
def test_an_adapter_of_many_makers_needs_a_model(name: str, model: str) -> None:
    with pytest.raises(RosterError, match=f"Write {name}:MODEL"):
        Roster(Seat(name, model))
    with pytest.raises(RosterError):
        Roster(Seat("codex", "m"), Seat(name, model))


@pytest.mark.parametrize(
    "name",
    ["", "clerk", "Clerk", "team", "none", "a\0", "\u202eaxe", "co\u200bdex", "co\u00addex", "a\ufe0f", "\ud800",
     "e\u0301", "ｃｏｄｅｘ", "a\u3164b", "a b", "\u2028"],
)  # fmt: skip
def test_a_name_that_is_taken_or_not_what_it_looks_like_is_nobodys(name: str) -> None:
    with pytest.raises(RosterError):
        check_seat(Seat(name, "m"))
    with pytest.raises(RosterError):
        Roster(Seat("codex", "m"), Seat(name, "m"))


@pytest.mark.parametrize("model", ["m\0", "\ud800", "m\u202e", "m\u200b"])
def test_a_model_with_characters_that_nobody_sees_is_refused(model: str) -> None:
    with pytest.raises(RosterError):
        check_seat(Seat("codex", model))


@pytest.mark.parametrize(
    "seat", [Seat("é"), Seat("判官", "m 1"), Seat("axe+layout", "4"), Seat("ollama", "qwen/qwen3:8b")]
)
def test_names_of_any_script_are_names(seat: Seat) -> None:
    check_seat(seat)
