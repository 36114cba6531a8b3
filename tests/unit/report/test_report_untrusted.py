"""Nothing that a page or a model wrote can act on a screen."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bicameral.report.untrusted import safe_line, safe_lines, shorten

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=80)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[1;1Hgone", "gone"),
        ("\x1b]0;a title\x07text", "text"),
        ("\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bPq#0;2\x1b\\sixel", "sixel"),
        ("\x9b31mred", "red"),
        ("\x1b(0lqk", "lqk"),
        ("a\x1b", "a"),
        ("bell\x07 and \x00 nul \x7f", "bell and  nul"),
        ("\u202egnp.exe", "gnp.exe"),
        ("a\u2066b\u2069c\u200fd", "abcd"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("tag\U000e0041\U000e007f", "tag"),
        ("lone\ud800", "lone\ufffd"),
    ],
)
def test_what_acts_on_a_screen_is_taken_out(written: str, shown: str) -> None:
    assert safe_lines(written) == shown


def test_a_string_sequence_that_never_ends_swallows_nothing() -> None:
    assert safe_lines("before \x1b]0;after") == "before 0;after"


@pytest.mark.parametrize("text", ["می‌خواهم", "👩‍💻 ok", "क्‍ष", "naïve café", "日本語", "مرحبا"])
def test_scripts_and_emoji_stay_as_they_were_written(text: str) -> None:
    assert safe_lines(text) == text


@pytest.mark.parametrize("mark", ["\n", "\r\n", "\r", "\u2028", "\u2029", "\x0b", "\x85"])
def test_every_kind_of_line_break_is_a_line_feed(mark: str) -> None:
    assert safe_lines(f"a{mark}b") == "a\nb"
    assert safe_line(f"a{mark}b") == "a b"


@given(ANY_TEXT)
@example("\x1b\x1b[0m[31m")
def test_no_control_or_hidden_formatting_is_left_in_any_text(text: str) -> None:
    left = safe_lines(text)
    assert not [one for one in left if unicodedata.category(one) in ("Cc", "Cs") and one != "\n"]
    assert not {"\u202a", "\u202e", "\u2066", "\u2069", "\u200b", "\u200e"} & set(left)
    assert "\n" not in safe_line(text)


@given(ANY_TEXT)
def test_making_text_safe_twice_equals_making_it_safe_once(text: str) -> None:
    assert safe_lines(safe_lines(text)) == safe_lines(text)


@given(ANY_TEXT, st.integers(2, 40))
def test_a_shortened_text_is_never_longer_than_its_limit(text: str, limit: int) -> None:
    assert len(shorten(text, limit)) <= limit


def test_a_cut_falls_between_words_and_splits_no_character() -> None:
    assert shorten("the table of plans scrolls", 20) == "the table of plans…"
    assert shorten("e\u0301" * 10, 4) == "e\u0301…"
    assert shorten("👩‍💻👩‍💻", 3) == "…"
    assert shorten("short", 20) == "short"
