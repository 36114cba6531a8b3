"""Frozen values to plain ones and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

import pytest

from bicameral.errors import RecordError
from bicameral.model.evidence import Box
from bicameral.model.plain import FAULTS_SHOWN, read_plain, refuse, to_plain
from bicameral.model.seats import Roster, Seat


@dataclass(frozen=True)
class Inner:
    word: Literal["a", "b"]
    many: tuple[int, ...] = ()


@dataclass(frozen=True)
class Outer:
    name: str
    inner: Inner | None = None
    by_name: Mapping[str, Inner] = field(default_factory=dict)
    anything: Mapping[str, object] = field(default_factory=dict)


FULL = Outer(
    "n", Inner("a", (1, 2)), MappingProxyType({"x": Inner("b")}), {"free": [1, {"deep": None}], "more": {"y": 1.5}}
)


def test_what_is_written_is_read_back_equal() -> None:
    assert read_plain(Outer, to_plain(FULL), "it") == FULL
    assert read_plain(Outer, {"name": "n"}, "it") == Outer("n")


def test_plain_values_are_dicts_and_lists() -> None:
    assert to_plain(FULL)["inner"] == {"word": "a", "many": [1, 2]}


def test_an_unknown_member_is_a_fault_wherever_it_is_but_not_in_what_has_no_shape() -> None:
    value = to_plain(FULL)
    value["by_name"]["x"]["wrod"] = "b"
    value["anything"]["free"] = {"whatever": 1}
    value["nmae"] = "n"
    with pytest.raises(RecordError) as caught:
        read_plain(Outer, value, "it")
    message = str(caught.value)
    assert "by_name.x.wrod: expected a known member (perhaps word)" in message
    assert "nmae: expected a known member (perhaps name)" in message
    assert "2 places" in message


def test_an_unknown_member_may_be_let_pass() -> None:
    assert read_plain(Outer, {"name": "n", "new": 1}, "it", closed=False) == Outer("n")


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        (Box, {"x": 0, "y": 0, "width": -1, "height": 0}, "no negative size"),
        (Roster, to_plain({"proposer": Seat("axe"), "challenger": Seat("axe")}), "nobody argues with himself"),
    ],
)
def test_a_rule_of_a_values_own_is_a_fault_like_others(kind: type, value: object, said: str) -> None:
    with pytest.raises(RecordError, match=said):
        read_plain(kind, value, "it")


def test_no_fault_is_no_error_and_many_are_counted() -> None:
    refuse("it", [])
    with pytest.raises(RecordError, match="and 7 more"):
        refuse("it", [f"fault {number}" for number in range(FAULTS_SHOWN + 7)])
