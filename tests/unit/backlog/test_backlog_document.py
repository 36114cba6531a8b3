"""The document a team commits: its form, and what is said of one that is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from backlog_builders import agreed, batch, disputed, finding, one_issue, ruled, shot

from bicameral.backlog import export_document, merge, read_document
from bicameral.errors import RecordError, UnrecordableError

Break = Callable[[dict[str, Any]], Any]


def document(*issues: Any) -> dict[str, Any]:
    return json.loads(export_document(issues or (ruled(one_issue(**disputed()), "confirmed"),)))  # type: ignore[no-any-return]


def refused(value: Any) -> str:
    with pytest.raises(RecordError) as caught:
        read_document(json.dumps(value).encode(), name="backlog.json")
    return str(caught.value)


def test_an_empty_backlog_is_a_document_too() -> None:
    assert export_document([]) == b'{\n  "issues": [],\n  "type": "bicameral.backlog.v1"\n}\n'
    assert read_document(export_document([])) == ()


def test_issues_come_by_place_and_their_members_by_name_so_that_a_diff_is_short() -> None:
    routes = [shot(route) for route in ("/b", "/a")]
    issues = merge([], batch("run-1", routes, [finding(one) for one in routes])).issues
    written = document(*issues)
    assert [issue["place"] for issue in written["issues"]] == ["/a", "/b"]
    assert list(written["issues"][0]) == sorted(written["issues"][0])


def test_a_ruling_changes_two_lines_and_adds_its_own() -> None:
    before = export_document([one_issue(**agreed())]).decode().splitlines()
    after = export_document([ruled(one_issue(**agreed()), "by-design")]).decode().splitlines()
    gone = [line.strip() for line in before if line not in after]
    assert gone == ['"rulings": [],', '"status": "open",']


def test_letters_of_any_script_stand_as_themselves() -> None:
    body = export_document([one_issue(title="見出しが読めない 🫥 é")])
    assert "見出しが読めない 🫥 é" in body.decode()


def test_nothing_names_a_machine_and_no_time_but_a_rulings() -> None:
    body = export_document([ruled(one_issue(), "fixed")]).decode()
    assert body.count("2026-") == 1
    assert "127.0.0.1" not in body
    assert "/tmp" not in body


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_a_text_no_store_can_keep_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(UnrecordableError, match=r"issues\[0\]\.sightings\[0\]\.observed|issues\[0\]\.observed"):
        export_document([one_issue(observed=text)])


def _set(*path: Any, to: Any) -> Break:
    def change(document: dict[str, Any]) -> None:
        at: Any = document
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = to

    return change


def _drop(*path: Any) -> Break:
    def change(document: dict[str, Any]) -> None:
        at: Any = document
        for step in path[:-1]:
            at = at[step]
        del at[path[-1]]

    return change


ISSUE = ("issues", 0)
SIGHTING = (*ISSUE, "sightings", 0)


@pytest.mark.parametrize(
    ("change", "path", "said"),
    [
        (_set("type", to="bicameral.backlog.v2"), "type", "bicameral.backlog.v1"),
        (_drop("type"), "type", "found nothing"),
        (_set("issues", to={}), "issues", "a list"),
        (_set(*ISSUE, to=None), "issues[0]", "an object"),
        (_set(*ISSUE, "severity", to="urgent"), "issues[0].severity", "critical"),
        (_set(*ISSUE, "title", to=7), "issues[0].title", "a text"),
        (_drop(*ISSUE, "title"), "issues[0].title", "found nothing"),
        (_set(*ISSUE, "titel", to="x"), "issues[0].titel", "perhaps title"),
        (_set(*ISSUE, "issue", to="0" * 20), "issues[0].issue", "give"),
        (_set(*ISSUE, "attribute", to="other"), "issues[0].issue", "give"),
        (_set(*ISSUE, "region", to="shell-nav"), "issues[0].place", "[shell-nav]"),
        (_set(*ISSUE, "reopened", to=-1), "issues[0].reopened", "from 0"),
        (_set(*ISSUE, "reopened", to=True), "issues[0].reopened", "whole number"),
        (_set(*ISSUE, "reopened", to=2**60), "issues[0].reopened", "2^53"),
        (_set(*ISSUE, "reopened", to=1e300), "issues[0].reopened", "2^53"),
        (_set(*ISSUE, "reopened", to=1e19), "issues[0].reopened", "2^53"),
        (_set(*ISSUE, "reopened", to=-(2**53)), "issues[0].reopened", "2^53"),
        (_set(*ISSUE, "reopened", to=2), "issues[0].reopened_run", "reopened 2 times"),
        (_set(*ISSUE, "reopened_run", to="run-1"), "issues[0].reopened_run", "reopened 0 times"),
        (_set(*ISSUE, "severity", to="low"), "issues[0].severity", "its sightings give 'high'"),
        (_set(*ISSUE, "title", to="x" * 9999), "issues[0].title", "xxx…', but its sightings give"),
        (_set(*ISSUE, "observed", to="x"), "issues[0].observed", "its sightings give"),
        (_set(*ISSUE, "not_seen_since", to="run-1"), "issues[0].not_seen_since", "one of its sightings is seen"),
        (_set(*SIGHTING, "seen", to=False), "issues[0].not_seen_since", "none of its sightings is seen"),
        (_set(*ISSUE, "sightings", to=[]), "issues[0].sightings", "what somebody saw"),
        (_set(*ISSUE, "first_run", to="run-9"), "issues[0].last_run", "comes after it"),
        (_set(*SIGHTING, "first_run", to="run-9"), "issues[0].sightings[0].last_run", "comes after it"),
        (_set(*SIGHTING, "box", to={"x": 1e300, "y": 0, "width": 1, "height": 1}), "sightings[0].box.x", "2^53"),
        (_set(*SIGHTING, "rulings", 0, "index", to=10**400), "sightings[0].rulings[0].index", "whole number"),
        (_set(*SIGHTING, "rulings", 0, "index", to=-1), "sightings[0].rulings[0].index", "from 0"),
        (_set(*SIGHTING, "rulings", 0, "notes", to=[" "]), "sightings[0].rulings[0].notes", "account"),
        (_set(*SIGHTING, "rulings", 0, "notes", to=[]), "sightings[0].rulings[0].notes", "account"),
        (_set(*SIGHTING, "consensus", "disputed_by", 0, "note", to=""), "consensus.disputed_by[0].note", "account"),
        (_set(*SIGHTING, "consensus", "rounds", to=3), "sightings[0].consensus.rounds", "one or two"),
        (_set(*SIGHTING, "consensus", "disputed_by", 0, "adjudication",
              to={"verdict": "tension", "confidence": 1.5, "method": "nli"}), "adjudication.confidence", "from 0 to 1"),
        (_set(*ISSUE, "status", to="by-design"), "issues[0].status", "its rulings give confirmed"),
        (_set(*ISSUE, "observed", to="a\0"), "issues[0].observed", "NUL"),
        (_set(*ISSUE, "observed", to="\ud800"), "issues[0].observed", "surrogate"),
        (_set(*ISSUE, "rulings", 0, "status", to="not-a-defect"), "issues[0].status", "not-a-defect"),
        (_set(*ISSUE, "rulings", 0, "ruled_at", to="noon"), "issues[0].rulings[0].ruled_at", "UTC"),
        (_set(*ISSUE, "rulings", 0, "ruled_at", to="2026-99-99T99:99:99Z"), "rulings[0].ruled_at", "UTC"),
        (_set(*ISSUE, "rulings", 0, "ruled_by", to=""), "issues[0].rulings[0].ruled_by", "who ruled"),
        (_set(*ISSUE, "rulings", 0, "issue", to="x"), "issues[0].rulings[0].issue", "another issue"),
        (_set(*SIGHTING, "sighting", to="x"), "issues[0].sightings[0].sighting", "give"),
        (_set(*SIGHTING, "scheme", to="dark"), "issues[0].sightings[0].sighting", "give"),
        (_set(*SIGHTING, "issue", to="x"), "issues[0].sightings[0].issue", "another issue"),
        (_set(*SIGHTING, "route", to="/x"), "issues[0].sightings[0].route", "place"),
        (_set(*SIGHTING, "box", to={"x": 0, "y": 0, "width": -1, "height": 1}), "sightings[0].box", "negative"),
        (_set(*SIGHTING, "box", to=[0, 0, 1, 1]), "issues[0].sightings[0].box", "an object"),
        (_set(*SIGHTING, "seen", to=1), "issues[0].sightings[0].seen", "true or false"),
        (_set(*SIGHTING, "consensus", "disputed_by", 0, "oracle", to=0), "consensus.disputed_by[0].oracle", "text"),
        (_set(*SIGHTING, "rulings", 0, "verdict", to="maybe"), "issues[0].sightings[0].rulings[0].verdict", "agree"),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_path_and_what_was_expected(change: Break, path: str, said: str) -> None:
    value = document()
    change(value)
    message = refused(value)
    assert path in message
    assert said in message
    assert message.startswith("backlog.json")
    assert "Nothing was imported" in message


def test_all_faults_of_a_document_arrive_together() -> None:
    value = document()
    for change in (_set(*ISSUE, "title", to=7), _set(*ISSUE, "severity", to="x"), _set(*SIGHTING, "seen", to="yes")):
        change(value)
    message = refused(value)
    assert "3 places" in message
    assert all(path in message for path in ("issues[0].title", "issues[0].severity", "issues[0].sightings[0].seen"))


def test_of_hundreds_of_faults_the_first_are_told_and_the_rest_counted() -> None:
    value = {"type": "bicameral.backlog.v1", "issues": [None] * 200}
    assert "and 150 more" in refused(value)


def test_one_issue_twice_and_one_sighting_twice_are_faults() -> None:
    value = document()
    value["issues"].append(value["issues"][0])
    assert "issues[1].issue: " in refused(value)
    value = document()
    value["issues"][0]["sightings"] *= 2
    assert "issues[0].sightings[1].sighting: already sightings[0]" in refused(value)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "not JSON at line 1, column 1"),
        (b"{", "not JSON at line 1, column 2"),
        (b"\xff", "not UTF-8 at byte 0"),
        (b"[]", "an object"),
        (b"null", "an object"),
        (b'"text"', "an object"),
        (b'{"type": "bicameral.backlog.v1", "issues": [], "issues": []}', "'issues' stands twice"),
        (b'{"type": NaN}', "NaN"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"type": 1' + b"0" * 5000 + b"}", "digits"),
        (b'{\n<<<<<<< HEAD\n"type": 1\n=======\n}', "merge conflict"),
        (b'{"type": "bicameral.backlog.v1", "issues": []} trailing', "Extra data"),
    ],
)
def test_what_is_no_such_document_at_all_is_refused_in_words(body: bytes, said: str) -> None:
    with pytest.raises(RecordError) as caught:
        read_document(body)
    assert said in str(caught.value)


def test_a_byte_order_mark_and_foreign_line_ends_are_forgiven() -> None:
    body = export_document([one_issue()])
    assert read_document(b"\xef\xbb\xbf" + body.replace(b"\n", b"\r\n")) == (one_issue(),)


def test_an_issue_that_was_reopened_may_be_open_though_its_last_ruling_is_fixed() -> None:
    here = shot()
    (again,) = merge([ruled(one_issue(), "fixed")], batch("run-2", [here], [finding(here)])).issues
    assert read_document(export_document([again])) == (again,)
