"""Another process at work on a store. Run as `python store_worker.py JOB STORE NAME`; speaks on stdout, hears on stdin.

Jobs: `open` opens the store once it hears a line; `stop-after-N` writes N pieces of a run in one transaction, says so
and waits to be killed; `commit` commits run after run, naming each once it is kept; `merge` merges, with its own form
factor, twenty times into one issue that is ruled fixed in between; `lease` takes a lease and waits to be killed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from itertools import count

from bicameral.backlog import JudgedBatch, keys_of, merge, rule
from bicameral.model.evidence import Shot
from bicameral.model.findings import Finding
from bicameral.storage import BatchRow, ChainEntry, RecordRow, ReplyRow, RunRow, SqlVerdictCache, Store, Transaction

TURNS = 20
SHOT = Shot(shot_id="app//rest/desktop/light", target="app", route="/", picture="sha256:p", width_px=1, height_px=1)
FINDING = Finding(
    shot_id=SHOT.shot_id,
    category="contrast",
    attribute="button",
    severity="high",
    title="t",
    problem="p",
    confidence="high",
    oracle="axe",
)


def run_row(run_id: str) -> RunRow:
    return RunRow(run_id=run_id, project="p", roster="axe", started_at="2026-11-30T12:00:00Z", program_version="0")


def pieces(run_id: str) -> list[Callable[[Transaction], object]]:
    """A whole run, one statement or two each."""
    record = RecordRow(digest=f"sha256:{run_id}", dialog_id="d", solver_type="agent.dialog.v1", body=b"{}")
    reply = ReplyRow(
        depth=1, handle="axe", model="1", task="propose", finish="stop", state="complete", digest="r", body=b"{}"
    )
    judged = JudgedBatch(run_id=run_id, shots=(SHOT,), findings=(FINDING,), dialog_id="d", wire_digest="w")

    def link(head: ChainEntry | None) -> ChainEntry:
        seq = 0 if head is None else head.seq + 1
        return ChainEntry(seq=seq, previous=head.entry if head else "", entry=f"e-{run_id}", record=record.digest)

    return [
        lambda tx: tx.add_run(run_row(run_id)),
        lambda tx: tx.add_record(record, run_id=run_id, replies=[reply]),
        lambda tx: tx.append_chain(link),
        lambda tx: tx.add_batch(BatchRow(run_id=run_id, position=0, view=SHOT.view, record=record.digest)),
        lambda tx: tx.save_issues(merge(tx.concerned(keys_of(judged), [SHOT.view]), judged).issues),
        lambda tx: tx.put_verdict(f"v-{run_id}", b"{}"),
    ]


def say(word: str) -> None:
    print(word, flush=True)


def stop_after(store: Store, done: int) -> None:
    with store.write() as tx:
        for piece in pieces("half")[:done]:
            piece(tx)
        say("written")
        time.sleep(600)


def commit(store: Store, name: str) -> None:
    for number in count():
        run_id = f"{name}-{number:05}"
        with store.write() as tx:
            for piece in pieces(run_id):
                piece(tx)
        say(run_id)


def merge_often(store: Store, form_factor: str) -> None:
    shot = Shot(
        shot_id=f"app//rest/{form_factor}/light",
        target="app",
        route="/",
        form_factor=form_factor,
        picture="sha256:p",
        width_px=1,
        height_px=1,
    )
    found = Finding(
        shot_id=shot.shot_id,
        category="contrast",
        attribute="button",
        severity="high",
        title="t",
        problem="p",
        confidence="high",
        oracle="axe",
    )
    for turn in range(TURNS):
        with store.write() as tx:
            begun = sum(len(issue.rulings) for issue in tx.issues())
            judged = JudgedBatch(
                run_id=f"run-{begun:03}", shots=(shot,), findings=(found,), dialog_id="d", wire_digest="w"
            )
            (issue,) = merge(tx.concerned(keys_of(judged), judged.views), judged).issues
            name = f"{form_factor}-{turn:02}"
            tx.save_issues([rule(issue, status="fixed", ruled_by=name, ruled_at="2026-11-30T12:00:00Z")])


def main(job: str, path: str, name: str) -> None:
    if job == "open":
        say("ready")
        sys.stdin.readline()
    with Store.open(path) as store:
        if job.startswith("stop-after-"):
            stop_after(store, int(job.removeprefix("stop-after-")))
        elif job == "commit":
            commit(store, name)
        elif job == "merge":
            merge_often(store, name)
        elif job == "lease":
            SqlVerdictCache(store, now_s=lambda: 0.0).lease("k", name, ttl_s=30)
            say("leased")
            time.sleep(600)


if __name__ == "__main__":
    main(*sys.argv[1:4])
