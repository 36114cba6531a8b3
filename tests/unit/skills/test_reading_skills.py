"""What a skill's text has to hold."""

from __future__ import annotations

import pytest

from bicameral.errors import ConfigError
from bicameral.skills import load_skill
from bicameral.skills.load import read_skill

HEAD = "---\nname: a\nversion: 1\ncontract: r\n---\n"


@pytest.mark.parametrize("name", ["judge", "challenge"])
def test_the_shipped_skills_are_read(name: str) -> None:
    assert load_skill(name).name
    assert load_skill(name).digest.startswith("sha256:")


def test_the_instructions_are_what_follows_the_front_matter() -> None:
    assert read_skill(HEAD + "\nLook.\r\nLook again.\n\n", where="x").text == "Look.\nLook again.\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no front matter"),
        ("name: a\n", "no front matter"),
        ("---\nname: a\n", "no front matter"),
        ("---\nname: a\nversion 1\n---\n", "line 3"),
        ("---\nname: a\ncontract:\n---\n", "lacks version, contract"),
        (HEAD + "Look\n at \ud800.", "line 7"),
    ],
)
def test_a_text_that_is_no_skill_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_skill(text, where="mine.md")
    assert said in str(caught.value)
    assert "mine.md" in str(caught.value)


@pytest.mark.parametrize("name", ["", "nobody", "../skills/judge", "a\0b"])
def test_a_name_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="No skill is named"):
        load_skill(name)
