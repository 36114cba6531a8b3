"""The gate: strangers are told from texts about one thing, in any script."""

from __future__ import annotations

import pytest

from bicameral.adjudication.candidates import MOST_HOLDERS, find_candidates
from bicameral.adjudication.features import features
from bicameral.adjudication.related import Rarity, relatedness

MEMORY = [
    f"The user {what}."
    for what in (
        *(f"lives near station {n}" for n in range(20)),
        *(f"likes song number {n}" for n in range(100)),
        *(f"read chapter {n} of the manual" for n in range(100)),
    )
]


@pytest.mark.parametrize(
    ("claim", "target"),
    [
        ("The user moved to Berlin last month.", "The user lives in Paris."),
        ("The service listens on port 8080.", "The service listens on port 9090."),
        ("Ada works at Example Corp.", "Ada worked at Example Corp until May."),
        ("Ann eats meat every day.", "Ann is a vegetarian."),
        ("Die Bibliothek schließt um acht.", "Die Bibliotheken sind die ganze Nacht offen."),
        ("所有测试都通过了", "两个测试失败了"),
        ("このサーバーは東京にあります", "サーバーは大阪にあります"),
        ("서버는 서울에 있습니다", "서버는 부산에 있습니다"),
        ("الخادم في برلين", "الخادم في باريس"),
        ("Сервер стоит в Берлине", "Серверы стоят в Париже"),
        ("🎈 is up", "🎈 is down"),
    ],
)
def test_two_texts_about_one_thing_are_related(claim: str, target: str) -> None:
    assert relatedness(claim, target).related


@pytest.mark.parametrize(
    ("claim", "target"),
    [
        ("Ana prefers tea.", "The deploy runs at noon."),
        ("The museum opens at nine.", "My sister plays the violin in a band."),
        ("A man is mowing his lawn.", "Two women in red are singing on a stage."),
        ("The invoice is due on Friday.", "Water boils at a lower temperature in the mountains."),
        ("这本书很厚", "火车晚点了"),
        ("الخادم في برلين", "تحب القطط النوم"),
        ("", "The user lives in Paris."),
        ("...", "!!!"),
        ("", ""),
    ],
)
def test_strangers_are_not(claim: str, target: str) -> None:
    assert not relatedness(claim, target).related


def test_where_every_text_names_the_same_person_the_slot_tells() -> None:
    rarity = Rarity.of(MEMORY)
    assert relatedness("The user moved to Berlin.", "The user lives in Paris.", rarity).related
    assert not relatedness("The user moved to Berlin.", "The user owns a drum.", rarity).related


def test_a_word_is_worth_less_the_more_texts_have_it() -> None:
    few, many = Rarity.of(["The pump is old."]), Rarity.of(["The pump is old."] * 500)
    (pump,) = features("pump")
    assert Rarity().weight(pump) > few.weight(pump) > many.weight(pump) >= 0


def test_numbers_are_kept_whole_and_forms_of_a_word_are_one() -> None:
    assert features("8080") != features("8081")
    assert features("connected connections Connecting") == features("connect")
    assert features("Straße STRASSE") == features("strasse")
    assert features("e\u0301t\xe9") == features("\xe9te\u0301")
    assert features("zero\u200bwidth") == features("zerowidth")


def test_a_word_that_many_statements_have_makes_no_candidates() -> None:
    crowd = [f"Server alpha{n} beta{n} gamma{n}" for n in range(MOST_HOLDERS + 5)]
    assert find_candidates(crowd, limit=10).pairs == ()
    assert find_candidates([*crowd, "Server alpha3 beta3 is down"], limit=10).pairs == ((3, MOST_HOLDERS + 5),)


def test_the_most_related_pairs_come_first() -> None:
    told = ["Ada lives in Paris with Bob", "The pump failed", "Ada lives in Berlin with Bob", "Ada has a pump"]
    found = find_candidates(told, limit=1)
    assert found.pairs == ((0, 2),)
    assert found.possible == 6
