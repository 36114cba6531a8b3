"""Foreign text made safe to show."""

from __future__ import annotations

from bicameral.canonical import shown, shown_lines


def test_ordinary_text_of_any_script_is_left_alone():
    for text in ("plain", "Ärger \\ 张 🤖", "e\u0301"):
        assert shown(text) == text


def test_what_a_terminal_obeys_or_hides_is_escaped():
    assert shown("a\x1b[31m\n\t\x7f\x9b") == "a\\x1b[31m\\n\\t\\x7f\\x9b"
    assert shown("\u202e\u2066\u200b\ufeff\u2028\ud800") == "\\u202e\\u2066\\u200b\\ufeff\\u2028\\ud800"
    assert shown("\U000e0041") == "\\U000e0041"
    assert shown("\u3164a\u115f\ufe0f") == "\\u3164a\\u115f\\ufe0f"


def test_a_long_text_is_cut_before_it_is_escaped():
    assert shown("abc", most=3) == "abc"
    assert shown("abcd", most=3) == "abc…"
    assert shown("\x1b" * 10, most=2) == "\\x1b\\x1b…"
    assert shown("", most=0) == ""


def test_lines_keep_their_breaks_and_nothing_else():
    assert shown_lines("a\r\nb\rc\n") == ["a", "b\\rc", ""]
    assert shown_lines("\tx") == ["    x"]
    assert shown_lines("") == [""]
