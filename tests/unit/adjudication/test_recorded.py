"""A result as a document of a record, and back."""

from __future__ import annotations

from typing import Any

import pytest

from adjudication_doubles import CONTRADICTS, ScriptedNLI
from bicameral.adjudication import adjudicate_contradiction, read_result, result_document
from bicameral.canonical import record_json
from bicameral.errors import RecordError


async def document() -> dict[str, Any]:
    return result_document(await adjudicate_contradiction("c", "t", nli=ScriptedNLI(lambda p, h: CONTRADICTS)))


async def test_scores_are_decimal_texts_and_a_record_takes_them() -> None:
    written = await document()
    assert written["confidence"] == "0.9"
    assert written["rungs"][0]["said"]["forward"]["scores"]["contradiction"] == "0.9"
    record_json(written)


@pytest.mark.parametrize("value", [None, 7, "text", [], {}])
def test_what_is_no_adjudication_is_refused(value: object) -> None:
    with pytest.raises(RecordError):
        read_result(value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("verdict", "maybe"), ("confidence", "much"), ("confidence", "nan"), ("method", "guess"), ("rungs", "none")],
)
async def test_a_member_that_is_wrong_is_named(name: str, value: object) -> None:
    with pytest.raises(RecordError, match=name):
        read_result({**await document(), name: value})


async def test_no_failures_detail_is_recorded() -> None:
    def broken(premise: str, hypothesis: str) -> Any:
        raise ConnectionError("secret-host:8443")

    written = result_document(await adjudicate_contradiction("c", "t", nli=ScriptedNLI(broken)))
    assert b"secret-host" not in record_json(written)
    assert written["rungs"][0]["failure"] == "error"
