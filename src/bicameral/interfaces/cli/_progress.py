"""Live progress on stderr, only where stderr is a terminal: the shots as they are taken, each seat as it speaks."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bicameral.runtime.events import RunEvent, ShotTaken, ViewDone, ViewJudging, Watch, unwatched

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_DOING = {"propose": "proposes", "challenge": "challenges", "rule": "rules on the additions"}


@contextmanager
def progress(*, shown: bool) -> Iterator[Watch]:
    """A watcher that draws two bars while the block runs; one that does nothing where nobody is looking."""
    if not shown or not sys.stderr.isatty():
        yield unwatched
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[note]}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        yield _Bars(bars)


class _Bars:
    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._capture: TaskID | None = None
        self._views: TaskID | None = None

    def __call__(self, event: RunEvent) -> None:
        match event:
            case ShotTaken(done=done, total=total, where=where):
                if self._capture is None:
                    self._capture = self._bars.add_task("pictures", total=total, note="")
                self._bars.update(self._capture, completed=done, total=total, note=_short(where))
            case ViewJudging(view=view, event=judged, total=total):
                if judged.kind == "asked":
                    note = f"{judged.handle} {_DOING[judged.task]}: {view}"
                    self._bars.update(self._view_task(), total=total, note=_short(note))
            case ViewDone(view=view, done=done, total=total, outcome=outcome):
                note = _short(f"{view}: {outcome}")
                self._bars.update(self._view_task(), completed=done, total=total, note=note)

    def _view_task(self) -> TaskID:
        if self._views is None:
            self._views = self._bars.add_task("views   ", total=None, note="")
        return self._views


def _short(text: str, limit: int = 60) -> str:
    from bicameral.report.untrusted import safe_line

    text = safe_line(text)
    return text if len(text) <= limit else text[: limit - 1] + "…"
