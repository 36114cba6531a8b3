"""The `dialog_golden` fixture for pytest: a dialog is recorded as a golden file, and compared with it on later runs.

`--dialog-golden=check` (the default) compares, and fails where there is no golden file; `--dialog-golden=record` writes
them, and is refused on CI. At the end golden files that no test uses are told, where all tests of their module ran.

pytest loads this module in every run of whoever has Bicameral installed, so it imports nothing but pytest until a test
asks for the fixture. Under pytest-xdist each worker reports what it did to the controller, which tells it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from bicameral.testing.goldens import DialogGolden

CI_VARIABLES = ("CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION")
"""Set by build servers. `CI=false` and the like say that this is none."""

_REPORT = "bicameral_dialog_goldens"


class Session:
    """What one run knows of its golden files.

    used, recorded: files that were asked for, and written.  modules: test file to how many of its tests were to run.
    passed: the same, how many passed.  partial: test files of which some tests were left out.
    """

    def __init__(self, *, recording: bool) -> None:
        self.recording = recording
        self.touched: Any = None
        self.used: set[str] = set()
        self.recorded: set[str] = set()
        self.modules: dict[str, int] = {}
        self.passed: Counter[str] = Counter()
        self.partial: set[str] = set()
        self.lost_worker = False

    def gather(self) -> None:
        """Take over what the fixtures of this process did."""
        if self.touched is not None:
            self.used |= {held.partition("\n")[0] for held in self.touched.used.values()}
            self.recorded |= set(self.touched.recorded)

    def told(self) -> dict[str, Any]:
        """For the controller: plain values."""
        return {
            "used": sorted(self.used),
            "recorded": sorted(self.recorded),
            "modules": self.modules,
            "partial": sorted(self.partial),
        }

    def hear(self, told: dict[str, Any]) -> None:
        """From a worker. Each worker collects every test, so their counts are one count."""
        self.used |= set(told["used"])
        self.recorded |= set(told["recorded"])
        self.modules |= told["modules"]
        self.partial |= set(told["partial"])


_SESSION = pytest.StashKey[Session]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("bicameral", "golden files of dialogs")
    with suppress(ValueError):  # this module was loaded under a second name too; the option is there
        group.addoption(
            "--dialog-golden",
            choices=("check", "record"),
            default="check",
            help="Compare dialogs with their golden files, or record these. [default: check]",
        )


def pytest_configure(config: pytest.Config) -> None:
    recording = config.getoption("--dialog-golden", "check") == "record"
    server = next((name for name in CI_VARIABLES if _is_set(os.environ.get(name))), None)
    if recording and server is not None:
        raise pytest.UsageError(
            f"--dialog-golden=record is refused on a build server ({server} is set): golden files are recorded where"
            " a person looks at them, and committed."
        )
    session = config.stash[_SESSION] = Session(recording=recording)
    for argument in config.args:
        path, _, rest = argument.partition("::")
        if rest:
            session.partial.add(str((config.invocation_params.dir / path).resolve()))


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    for item in items:
        item.config.stash[_SESSION].partial.add(str(item.path))


def pytest_collection_finish(session: pytest.Session) -> None:
    known = session.config.stash[_SESSION]
    known.modules = dict(Counter(str(item.path) for item in session.items))
    if session.config.getoption("lf", False) or session.testsfailed:
        known.partial |= set(known.modules)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    report: pytest.TestReport = yield
    if report.when == "call" and report.outcome == "passed":
        # In the report, which is what a worker sends: the controller has no items.
        report.bicameral_passed = str(item.path)  # type: ignore[attr-defined]  # reports carry what is set on them
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    known = session.config.stash[_SESSION]
    known.gather()
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[_REPORT] = known.told()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """pytest-xdist: a worker has ended."""
    known = node.config.stash[_SESSION]
    told = getattr(node, "workeroutput", {}).get(_REPORT)
    if told is None or error:
        known.lost_worker = True
    else:
        known.hear(told)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    known = config.stash[_SESSION]
    for report in terminalreporter.stats.get("passed", ()):
        path = getattr(report, "bicameral_passed", None)
        if path is not None:
            known.passed[path] += 1
    lines = [f"recorded {_from(config, path)}" for path in sorted(known.recorded)]
    lines += [f"stale: no test uses {_from(config, path)}; delete it" for path in _stale(known)]
    if lines:
        terminalreporter.section("golden dialogs")
        for line in lines:
            terminalreporter.line(line)


def _stale(known: Session) -> list[str]:
    if known.lost_worker or not any((Path(path).parent / "goldens").is_dir() for path in known.modules):
        return []
    from bicameral.testing.goldens import stale

    whole = {
        Path(path) for path, count in known.modules.items() if known.passed[path] == count and path not in known.partial
    }
    return [str(path) for path in stale([Path(path) for path in known.modules], whole, known.used)]


def _from(config: pytest.Config, path: str) -> str:
    with suppress(ValueError):
        return str(Path(path).relative_to(config.invocation_params.dir))
    return path


def _test_name(node_id: str) -> str:
    """`TestFares.test_sum[a::b]` of `tests/test_fares.py::TestFares::test_sum[a::b]`."""
    name, bracket, parameters = node_id.partition("::")[2].partition("[")
    return name.replace("::", ".") + bracket + parameters


def _is_set(value: str | None) -> bool:
    return value is not None and value.strip().lower() not in ("", "0", "false", "no", "off")


@pytest.fixture
def dialog_golden(request: pytest.FixtureRequest) -> DialogGolden:
    """Golden files for this test: `.check(dialog, name=None)` compares or records, `.replay(name=None)` plays back."""
    from bicameral.testing.goldens import DialogGolden, Touched

    known = request.config.stash[_SESSION]
    if known.touched is None:
        known.touched = Touched()
    return DialogGolden(
        module=request.node.path,
        test=_test_name(request.node.nodeid),
        node_id=request.node.nodeid,
        recording=known.recording,
        touched=known.touched,
    )
