"""The one JSON object in a model's text."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bicameral.providers.reading import LONGEST, Unreadable, object_in

ANSWER = '{"verdict": "genuine", "confidence": 0.9}'
VALUE = {"verdict": "genuine", "confidence": 0.9}


@pytest.mark.parametrize(
    "text",
    [
        ANSWER,
        f"\n\t {ANSWER} \n",
        f"```json\n{ANSWER}\n```",
        f"```\n{ANSWER}\n```",
        f"Here is my answer:\n{ANSWER}\nI hope that helps.",
        f"A set {{a, b}} and {{}}x is no answer: {ANSWER}".replace("{}x", "{x}"),
        f"{ANSWER}\nTo repeat:\n{ANSWER}",
        f"<think>I wonder.</think>{ANSWER}",
    ],
)
def test_an_object_is_found_alone_fenced_and_in_prose(text: str) -> None:
    assert object_in(text) == VALUE


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("genuine", "holds no JSON object"),
        ("[1]", "no object"),
        ('"genuine"', "no object"),
        ("0.9", "no object"),
        ("null", "no object"),
        (f"[{ANSWER}]", "no object"),
        (f'{ANSWER} or {{"verdict": "tension"}}', "several different"),
        (ANSWER[:-1], "breaks off"),
        ('{"verdict": "genuine", "why": {"verdict": "tension"}', "breaks off"),
        ('{"verdict": "genuine",}', "no JSON"),
        ("{'verdict': 'genuine'}", "no JSON object"),
        ('{"a": NaN}', "NaN"),
        ('{"a": -Infinity}', "-Infinity"),
        ('so {"a": NaN}', "NaN"),
        ('{"a": 1, "a": 2}', "twice"),
        ('{"b": {"a": 1, "a": 1}}', "twice"),
        ('{"a": "\\ud800"}', "lone surrogate"),
        ("{" + '"a":{' * 100_000, "nested too deep|breaks off"),
        ("x" * (LONGEST + 1), "more than"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        object_in(text)


@given(st.text(max_size=200))
def test_any_text_whatever_is_an_object_or_unreadable(text: str) -> None:
    with contextlib.suppress(Unreadable):
        assert isinstance(object_in(text), dict)


@given(
    st.dictionaries(st.text(max_size=5), st.integers(-(2**53), 2**53) | st.booleans() | st.text(max_size=9), max_size=4)
)
def test_an_object_in_a_fence_is_read_as_it_was_written(value: dict[str, object]) -> None:
    text = json.dumps(value)
    assert object_in(f"Sure.\n```json\n{text}\n```\n") == json.loads(text)
