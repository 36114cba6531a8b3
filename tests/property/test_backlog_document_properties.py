"""What holds of the document, and of taking one into a store, for any legal backlog."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from backlog_strategies import backlogs, two_states
from hypothesis import given, settings
from hypothesis import strategies as st

from bicameral.backlog import combine, export_document, read_document
from bicameral.errors import InputError, RecordError
from bicameral.model.backlog import Issue
from bicameral.storage import Store

FEW = settings(max_examples=40, deadline=None)
"""Whole backlogs are slow to make."""


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that holds nothing, to be copied."""
    path = tmp_path_factory.mktemp("empty") / "empty.db"
    Store.open(path).close()
    return path


@given(backlogs)
@FEW
def test_what_is_exported_is_read_back_equal(backlog: tuple[Issue, ...]) -> None:
    body = export_document(backlog)
    assert sorted(read_document(body), key=lambda i: i.issue) == sorted(backlog, key=lambda i: i.issue)
    assert export_document(read_document(body)) == body
    assert export_document(reversed(backlog)) == body
    assert body.endswith(b"}\n")


@given(backlog=backlogs)
@FEW
def test_importing_what_was_exported_into_an_empty_store_gives_it_back(empty: Path, backlog: tuple[Issue, ...]) -> None:
    path = empty.with_name("copy.db")
    shutil.copy(empty, path)
    body = export_document(backlog)
    with Store.open(path) as store:
        with store.write() as tx:
            tx.save_issues(combine(tx.issues(), read_document(body)).issues)
        assert export_document(store.issues()) == body
        assert sorted(store.issues(), key=lambda i: i.issue) == sorted(backlog, key=lambda i: i.issue)


@given(backlogs)
@FEW
def test_importing_into_nothing_adds_all_and_importing_again_changes_nothing(backlog: tuple[Issue, ...]) -> None:
    first = combine((), backlog)
    assert {issue.issue: issue for issue in first.issues} == {issue.issue: issue for issue in backlog}
    assert set(first.added) == {issue.issue for issue in backlog}
    again = combine(first.issues, backlog)
    assert (again.issues, again.added, again.updated) == ((), (), ())


@given(two_states())
def test_taking_in_another_backlog_twice_equals_once(states: tuple[Issue, Issue]) -> None:
    ours, theirs = states
    once = {issue.issue: issue for issue in (ours, *combine([ours], [theirs], newest_decides=True).issues)}
    assert combine(once.values(), [theirs]).issues == ()
    assert {issue.issue: issue for issue in read_document(export_document(once.values()))} == once


@given(two_states())
def test_no_ruling_and_no_sighting_is_lost_by_an_import(states: tuple[Issue, Issue]) -> None:
    ours, theirs = states
    for issue in combine([ours], [theirs], newest_decides=True).issues:
        assert set(issue.rulings) == {*ours.rulings, *theirs.rulings}
        kept = Counter(sighting.sighting for sighting in issue.sightings)
        assert kept == Counter({s.sighting for s in (*ours.sightings, *theirs.sightings)})


@given(two_states())
def test_an_import_is_refused_only_where_the_two_sides_end_differently(states: tuple[Issue, Issue]) -> None:
    ours, theirs = states
    try:
        changed = combine([ours], [theirs]).issues
    except InputError:
        assert ours.status != theirs.status
    else:
        assert all(issue.status in (ours.status, theirs.status) for issue in changed)


@given(
    st.binary(max_size=60)
    | st.recursive(
        st.none() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["type", "issues", "issue"]) | st.text(max_size=3), inner, max_size=3)
        ),
        max_leaves=6,
    ).map(lambda value: json.dumps(value).encode())
)
def test_whatever_bytes_are_read_come_out_as_issues_or_as_a_record_error(body: bytes) -> None:
    with suppress(RecordError):
        assert isinstance(read_document(body), tuple)


@given(backlogs.filter(bool), st.data())
@FEW
def test_a_document_with_one_value_of_a_wrong_type_is_refused_with_its_path(
    backlog: tuple[Issue, ...], data: st.DataObject
) -> None:
    document = json.loads(export_document(backlog))
    index = data.draw(st.integers(0, len(backlog) - 1))
    member = data.draw(st.sampled_from(sorted(set(document["issues"][index]) - {"not_seen_since", "reopened_run"})))
    document["issues"][index][member] = data.draw(st.sampled_from([None, 1.5, {"a": 1}]))
    with pytest.raises(RecordError) as caught:
        read_document(json.dumps(document).encode())
    assert f"issues[{index}].{member}" in str(caught.value)
