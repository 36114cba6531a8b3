"""Ctrl-C in the middle of a capture: the program ends with its own word alone, and its browser with it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Final

import pytest

from bicameral.evidence.browser import find_browser
from local_site import Answer, Serve

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]
PROGRAM: Final = """
import asyncio, pathlib, sys
from bicameral.evidence.capture import capture
from bicameral.evidence.plan import CapturePlan
from bicameral.evidence.store import EvidenceFolder
try:
    asyncio.run(capture(CapturePlan(target="site", base_url=sys.argv[1]), EvidenceFolder(pathlib.Path(sys.argv[2]))))
except KeyboardInterrupt:
    print("interrupted")
"""
WRAPPER: Final = '#!/bin/sh\necho $$ > "{note}"\nexec "{program}" "$@"\n'


class Asked(dict[str, Any]):
    """A site whose first picture never comes, and that tells when it was asked for it."""

    def __init__(self) -> None:
        super().__init__()
        self.waits = threading.Event()

    def get(self, key: str, default: Any = None) -> Any:
        if key != "/silent.png":
            return Answer("<!doctype html><title>T</title><p>Here<img src=/silent.png>")
        self.waits.set()
        return Answer(wait_s=60)


def _runs(pid: int) -> bool:
    """Whether the process is there and no mere entry that nobody has read yet."""
    if not Path("/proc/self/stat").exists():
        return subprocess.run(["kill", "-0", str(pid)], capture_output=True, check=False).returncode == 0
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _hears_interruptions() -> None:
    """A test run started in the background of a shell ignores SIGINT, and so would all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("whole_group", [True, False], ids=["ctrl-c", "kill -INT"])
def test_an_interrupted_capture_leaves_no_browser_and_no_noise(tmp_path: Path, serve: Serve, whole_group: bool) -> None:
    program = find_browser() or pytest.fail("There is no browser on the PATH.")
    wrapper, note = tmp_path / "browser", tmp_path / "pid"
    wrapper.write_text(WRAPPER.format(note=note, program=shutil.which(program)))
    wrapper.chmod(0o755)
    site = Asked()
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, serve(site), str(tmp_path / "evidence")],
        env={**os.environ, "BICAMERAL_CHROMIUM": str(wrapper)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_hears_interruptions,
    ) as running:
        assert site.waits.wait(60)
        (os.killpg if whole_group else os.kill)(running.pid, signal.SIGINT)
        said, noise = running.communicate(timeout=60)
    assert (said.strip(), noise, running.returncode) == ("interrupted", "", 0)
    browser = int(note.read_text())
    # It was told to end; the system may take a moment.
    for _ in range(100):
        if not _runs(browser):
            break
        time.sleep(0.1)
    assert not _runs(browser)
