"""What every store promises, whatever it is kept in. Run by one test file a kind of store.

A subclass gives the fixture `store`: an open, empty store.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bicameral.errors import DefectError, UnrecordableError
from bicameral.model.adjudication import AdjudicationResult, Rung
from bicameral.model.backlog import HumanRuling, Issue, Sighting
from bicameral.model.evidence import Box, View
from bicameral.model.findings import Consensus, Dissent, Ruling
from bicameral.model.judging import RawReply, Spend
from bicameral.storage import BatchRow, ChainEntry, RecordRow, ReplyRow, RunRow, Store, Transaction, reply_row

HOME = View(target="app", platform="web", route="/", state="rest")
RUN = RunRow(
    run_id="run-1",
    project="shop",
    roster="axe+layout:1, pixels:1",
    started_at="2026-11-30T12:00:00Z",
    program_version="0.1.0",
    spend=Spend(calls=2, input_tokens=10, output_tokens=5, usd=0.25),
)
RECORD = RecordRow(digest="sha256:aa", dialog_id="sha256:dd", solver_type="agent.dialog.v1", body=b'{"a":1}\0')
REPLY = ReplyRow(
    depth=1,
    handle="axe+layout",
    model="1",
    task="propose",
    finish="stop",
    state="complete",
    digest="sha256:rr",
    body=b"{}",
)


def sighting_of(issue: str, form_factor: str = "desktop", **more: Any) -> Sighting:
    return Sighting(
        **{
            "sighting": f"{issue}-{form_factor}",
            "issue": issue,
            "form_factor": form_factor,
            "scheme": "light",
            "route": "/",
            "shot_id": "app//rest/desktop/light",
            "picture": "sha256:pp",
            "facts": None,
            "box": Box(x=1, y=2, width=3, height=4),
            "oracle": "axe",
            "severity": "high",
            "confidence": "low",
            "title": "見出し 🫥",
            "problem": "",
            "expected": "",
            "observed": "",
            "acceptance": ("a", ""),
            "consensus": None,
            "rulings": (),
            "dialog_id": "sha256:dd",
            "wire_digest": "sha256:ww",
            "first_run": "run-1",
            "last_run": "run-1",
        }
        | more
    )


def issue_of(key: str = "a1", **more: Any) -> Issue:
    return Issue(
        **{
            "issue": key,
            "target": "app",
            "place": "/",
            "state": "rest",
            "platform": "web",
            "category": "contrast",
            "attribute": "button",
            "region": "content",
            "severity": "high",
            "title": "見出し 🫥",
            "problem": "",
            "expected": "",
            "observed": "",
            "first_run": "run-1",
            "last_run": "run-1",
            "sightings": (sighting_of(key),),
        }
        | more
    )


def ruling_of(key: str, status: Any = "confirmed", by: str = "ada") -> HumanRuling:
    return HumanRuling(issue=key, status=status, reason="", ruled_by=by, ruled_at="2026-11-30T12:00:00Z")


RICH = issue_of(
    reopened=3,
    reopened_run="run-2",
    not_seen_since="run-4",
    status="confirmed",
    rulings=(ruling_of("a1"), replace(ruling_of("a1", "fixed", "agent"), proposed=True)),
    sightings=(
        sighting_of("a1", "phone", box=None, facts="sha256:ff", seen=False),
        sighting_of(
            "a1",
            consensus=Consensus(
                reported_by="axe+layout",
                disputed_by=(
                    Dissent(
                        oracle="pixels",
                        note="no",
                        adjudication=AdjudicationResult(
                            verdict="tension",
                            confidence=0.25,
                            method="nli",
                            rungs=(Rung(provider="onnx", said={"label": "neutral", "scores": [0.5, None]}),),
                        ),
                    ),
                ),
                rounds=2,
            ),
            rulings=(Ruling(index=0, oracle="pixels", verdict="dispute", notes=("no", "really")),),
        ),
    ),
)


def in_one_write(store: Store, *writes: Callable[[Transaction], Any]) -> None:
    with store.write() as tx:
        for write in writes:
            write(tx)


class StoreContract:
    """Inherit it as `TestSomething`, with a fixture `store`."""

    def test_a_new_store_holds_nothing(self, store: Store) -> None:
        assert (store.issues(), store.runs(), store.records(), store.issue_keys()) == ((), (), (), frozenset())
        assert (store.issue("a1"), store.run("run-1"), store.record("sha256:aa"), store.report("run-1")) == (None,) * 4
        with store.read() as reader:
            assert (reader.chain_head(), list(reader.chain()), reader.verdict("k")) == (None, [], None)
            assert (reader.batches("run-1"), reader.replies("sha256:aa")) == ((), ())

    def test_an_issue_is_read_back_equal_its_sightings_and_rulings_in_their_order(self, store: Store) -> None:
        with store.write() as tx:
            tx.save_issues([RICH])
            assert tx.issues() == (RICH,)
        assert store.issues() == (RICH,)
        assert store.issue("a1") == RICH

    def test_an_issue_without_sightings_is_kept_too(self, store: Store) -> None:
        with store.write() as tx:
            tx.save_issues([issue_of(sightings=())])
        assert store.issues() == (issue_of(sightings=()),)

    def test_saving_again_replaces(self, store: Store) -> None:
        changed = replace(RICH, title="other", sightings=tuple(replace(s, title="other") for s in RICH.sightings))
        for issue in (RICH, RICH, changed):
            with store.write() as tx:
                tx.save_issues([issue])
        assert store.issues() == (changed,)

    def test_issues_are_chosen_by_status_severity_target_and_category(self, store: Store) -> None:
        with store.write() as tx:
            tx.save_issues([issue_of("a1"), issue_of("b2", status="blocked", severity="low", category="overlap")])
            tx.save_issues([issue_of("c3", target="shop")])

        def keys(**chosen: Any) -> list[str]:
            return [issue.issue for issue in store.issues(**chosen)]

        assert keys() == ["a1", "b2", "c3"]
        assert keys(statuses=["blocked"]) == ["b2"]
        assert keys(statuses=["open"], severities=["high"], targets=["shop"]) == ["c3"]
        assert keys(categories={"overlap", "contrast"}) == ["a1", "b2", "c3"]
        assert keys(statuses=[]) == []

    def test_issues_come_by_their_place_whatever_order_they_were_saved_in(self, store: Store) -> None:
        with store.write() as tx:
            tx.save_issues([issue_of("a1", place="/b"), issue_of("b2", place="/B"), issue_of("c3", place="/é")])
            tx.save_issues([issue_of("d4", place="/z")])
        assert [issue.place for issue in store.issues()] == ["/B", "/b", "/z", "/é"]

    def test_what_a_merge_needs_is_found_by_key_and_by_view(self, store: Store) -> None:
        with store.write() as tx:
            away = sighting_of("b2", route="/about")
            tx.save_issues([issue_of("a1"), issue_of("b2", sightings=(away,)), issue_of("c3", target="shop")])
            assert [issue.issue for issue in tx.concerned([], [HOME])] == ["a1"]
            assert [issue.issue for issue in tx.concerned(["c3", "none"], [replace(HOME, route="/about")])] == [
                "b2",
                "c3",
            ]
            assert tx.concerned([], []) == ()

    def test_thousands_of_issues_are_saved_and_found_at_once(self, store: Store) -> None:
        many = [issue_of(f"{number:04}", attribute=f"{number:04}") for number in range(1200)]
        with store.write() as tx:
            tx.save_issues(many)
            assert tx.concerned([issue.issue for issue in many], []) == tuple(many)

    def test_a_stale_copy_cannot_undo_a_ruling_or_lose_a_sighting(self, store: Store) -> None:
        with store.write() as tx:
            tx.save_issues([RICH])
        for stale in (replace(RICH, rulings=()), replace(RICH, sightings=())):
            with pytest.raises(DefectError, match="within one transaction"), store.write() as tx:
                tx.save_issues([stale])
        assert store.issues() == (RICH,)

    def test_a_block_that_raises_keeps_nothing(self, store: Store) -> None:
        with pytest.raises(ZeroDivisionError):
            in_one_write(
                store,
                lambda tx: tx.add_run(RUN),
                lambda tx: tx.save_issues([RICH]),
                lambda tx: tx.add_record(RECORD, run_id="run-1", replies=[REPLY]),
                lambda tx: 1 / 0,
            )
        self.test_a_new_store_holds_nothing(store)

    def test_others_see_a_write_only_once_it_is_whole(self, store: Store) -> None:
        with store.write() as tx:
            tx.save_issues([RICH])
            assert store.issues() == ()
        assert store.issues() == (RICH,)

    def test_a_reader_sees_one_state_whatever_is_written_meanwhile(self, store: Store) -> None:
        with store.read() as reader:
            assert reader.issues() == ()
            with store.write() as tx:
                tx.save_issues([RICH])
            assert reader.issues() == ()
        assert store.issues() == (RICH,)

    def test_writers_take_turns_so_that_no_change_is_lost(self, store: Store) -> None:
        with store.write() as tx:
            tx.save_issues([issue_of()])

        def count() -> None:
            for _ in range(10):
                with store.write() as tx:
                    (issue,) = tx.issues_of(["a1"])
                    tx.save_issues([replace(issue, reopened=issue.reopened + 1)])

        threads = [threading.Thread(target=count) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        (issue,) = store.issues()
        assert issue.reopened == 30

    def test_a_run_is_opened_and_later_closed(self, store: Store) -> None:
        with store.write() as tx:
            tx.add_run(RUN)
        assert store.run("run-1") == RUN
        spent = Spend(calls=9, usd=1.5)
        with store.write() as tx:
            tx.finish_run("run-1", finished_at="2026-11-30T12:01:00Z", exit_status=1, spend=spent, report=b"{\0}")
        closed = replace(RUN, finished_at="2026-11-30T12:01:00Z", exit_status=1, spend=spent)
        assert (store.run("run-1"), store.runs(), store.report("run-1")) == (closed, (closed,), b"{\0}")

    def test_a_run_that_was_never_opened_cannot_be_closed_and_none_is_opened_twice(self, store: Store) -> None:
        with pytest.raises(DefectError, match="never opened"), store.write() as tx:
            tx.finish_run("run-9", finished_at="x", exit_status=0, spend=Spend(), report=b"")
        with pytest.raises(DefectError):
            in_one_write(store, lambda tx: tx.add_run(RUN), lambda tx: tx.add_run(RUN))
        assert store.runs() == ()

    def test_batches_and_records_of_a_run_come_in_its_order(self, store: Store) -> None:
        second = replace(RECORD, digest="sha256:00")
        with store.write() as tx:
            tx.add_run(RUN)
            for position, record in ((1, second), (0, RECORD)):
                tx.add_record(record, run_id="run-1")
                tx.add_batch(BatchRow(run_id="run-1", position=position, view=HOME, record=record.digest, body=b"x"))
            tx.add_batch(BatchRow(run_id="run-1", position=2, view=HOME))
        assert [batch.position for batch in store.batches("run-1")] == [0, 1, 2]
        assert store.batches("run-1")[0] == BatchRow(
            run_id="run-1", position=0, view=HOME, record=RECORD.digest, body=b"x"
        )
        assert store.records("run-1") == (RECORD, second)
        assert store.records() == (second, RECORD)

    def test_a_batch_of_an_unknown_run_or_record_is_refused_when_the_write_ends(self, store: Store) -> None:
        with pytest.raises(DefectError), store.write() as tx:
            tx.add_batch(BatchRow(run_id="run-1", position=0, view=HOME))
        unknown = BatchRow(run_id="run-1", position=0, view=HOME, record="sha256:none")
        with pytest.raises(DefectError):
            in_one_write(store, lambda tx: tx.add_run(RUN), lambda tx: tx.add_batch(unknown))
        assert store.runs() == ()

    def test_a_record_is_kept_once_and_never_changed(self, store: Store) -> None:
        with store.write() as tx:
            tx.add_run(RUN)
            assert tx.add_record(RECORD, run_id="run-1")
            assert not tx.add_record(RECORD, run_id="run-1")
        with pytest.raises(DefectError, match="immutable"), store.write() as tx:
            tx.add_record(replace(RECORD, body=b"{}"), run_id="run-1")
        assert store.record("sha256:aa") == RECORD

    def test_raw_replies_are_kept_a_run_and_never_mixed(self, store: Store) -> None:
        again = replace(REPLY, state="unreadable", digest="sha256:r2", body=b"\xff\0")
        other = replace(REPLY, digest="sha256:r3", body=None)
        with store.write() as tx:
            tx.add_run(RUN)
            tx.add_run(replace(RUN, run_id="run-2"))
            tx.add_record(RECORD, run_id="run-1", replies=[again, REPLY])
            tx.add_record(RECORD, run_id="run-1", replies=[other])
            tx.add_record(RECORD, run_id="run-2", replies=[other])
            tx.add_record(RECORD, run_id="run-2")
        with store.read() as reader:
            assert reader.replies("sha256:aa") == (again, REPLY)
            assert reader.replies("sha256:aa", "run-2") == (other,)

    def test_a_raw_reply_is_read_back_equal_whatever_became_of_it(self, store: Store) -> None:
        said = RawReply(
            handle="codex",
            model="m",
            task="challenge",
            text="見出し \u2028 {",
            digest="sha256:r1",
            finish="length",
            state="truncated",
            parts=("a", "b"),
            reads=("shot-1", ""),
            meta={"pictures": "1:2", "": "\0"},
            half=2,
        )
        silent = replace(said, text="", reads=None, parts=(), meta={}, half=0)
        with store.write() as tx:
            tx.add_run(RUN)
            rows = [reply_row(said, depth=None), reply_row(silent, depth=2), reply_row(said, depth=None)]
            tx.add_record(RECORD, run_id="run-1", replies=rows)
        with store.read() as reader:
            assert reader.raw_replies("sha256:aa") == (said, silent, said)
            assert [row.depth for row in reader.replies("sha256:aa")] == [None, 2, None]
            assert reader.raw_replies("sha256:none") == ()

    def test_replies_of_which_one_was_dropped_cannot_be_read_again(self, store: Store) -> None:
        with store.write() as tx:
            tx.add_run(RUN)
            tx.add_record(RECORD, run_id="run-1", replies=[REPLY, replace(REPLY, body=None)])
        with store.read() as reader:
            assert reader.raw_replies("sha256:aa") is None
            assert len(reader.replies("sha256:aa")) == 2

    def test_the_chain_grows_by_one_link_at_a_time(self, store: Store) -> None:
        seen: list[ChainEntry | None] = []

        def link(previous: ChainEntry | None) -> ChainEntry:
            seen.append(previous)
            seq = 0 if previous is None else previous.seq + 1
            return ChainEntry(
                seq=seq, previous="" if previous is None else previous.entry, entry=f"e{seq}", record="sha256:aa"
            )

        with store.write() as tx:
            tx.add_run(RUN)
            tx.add_record(RECORD, run_id="run-1")
            first = tx.append_chain(link)
            second = tx.append_chain(link)
        assert seen == [None, first]
        with store.read() as reader:
            assert list(reader.chain()) == [first, second]
            assert reader.chain_head() == second

    @pytest.mark.parametrize(
        "wrong",
        [
            ChainEntry(seq=2, previous="e0", entry="e1", record="sha256:aa"),
            ChainEntry(seq=1, previous="other", entry="e1", record="sha256:aa"),
            ChainEntry(seq=0, previous="e0", entry="e1", record="sha256:aa"),
        ],
        ids=["a gap", "another head", "the same place"],
    )
    def test_a_link_that_does_not_follow_is_refused(self, store: Store, wrong: ChainEntry) -> None:
        first = ChainEntry(seq=0, previous="", entry="e0", record="sha256:aa")
        with store.write() as tx:
            tx.add_run(RUN)
            tx.add_record(RECORD, run_id="run-1")
            tx.append_chain(lambda _: first)
        with pytest.raises(DefectError, match="does not follow"), store.write() as tx:
            tx.append_chain(lambda _: wrong)

    @pytest.mark.parametrize("text", ["a\0b", "\udc80"], ids=["NUL", "surrogate"])
    @pytest.mark.parametrize(
        ("write", "place"),
        [
            (lambda tx, text: tx.save_issues([issue_of(title=text)]), "issue a1.title"),
            (lambda tx, text: tx.save_issues([issue_of(sightings=(sighting_of("a1", problem=text),))]), "problem"),
            (lambda tx, text: tx.save_issues([issue_of(rulings=(replace(ruling_of("a1"), reason=text),))]), "reason"),
            (lambda tx, text: tx.add_run(replace(RUN, project=text)), "run 'run-1'.project"),
            (lambda tx, text: tx.add_batch(BatchRow(run_id="r", position=0, view=replace(HOME, route=text))), "route"),
            (lambda tx, text: tx.add_record(replace(RECORD, dialog_id=text), run_id="run-1"), "dialog_id"),
            (lambda tx, text: tx.add_record(RECORD, run_id="run-1", replies=[replace(REPLY, model=text)]), "model"),
            (lambda tx, text: tx.put_verdict(text, b""), "key"),
            (lambda tx, text: tx.lease(text, "me", now_ms=0, ttl_ms=1), "lease"),
        ],
    )  # fmt: skip
    def test_a_text_no_store_can_keep_is_refused_with_its_place_and_nothing_is_kept(
        self, store: Store, write: Callable[[Transaction, str], Any], place: str, text: str
    ) -> None:
        with pytest.raises(UnrecordableError, match=place):
            in_one_write(store, lambda tx: tx.put_verdict("before", b"x"), lambda tx: write(tx, text))
        with store.read() as reader:
            assert reader.verdict("before") is None

    def test_a_verdict_commits_with_what_it_led_to(self, store: Store) -> None:
        with store.write() as tx:
            tx.put_verdict("k", b"whole\0")
            tx.save_issues([RICH])
        with store.read() as reader:
            assert (reader.verdict("k"), reader.issues()) == (b"whole\0", (RICH,))
