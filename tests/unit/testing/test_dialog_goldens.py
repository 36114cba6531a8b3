"""The dialog_golden fixture, in real runs of pytest over small projects."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from dialog_samples import recorder

from bicameral.canonical import canonical_json, read_record
from bicameral.testing.goldens import DialogGolden, Touched, file_name
from bicameral.testing.pytest_plugin import CI_VARIABLES

TALK = """
from bicameral.testing.scripted import ScriptedJudge

def talk(*contents):
    turns, parent = [], None
    for depth, content in enumerate(contents):
        turns.append({"speaker": "ann", "audience": "bob", "chainDepth": depth, "content": content})
    return {"dialogId": "d1", "turns": turns}
"""
ONE = "def test_a(dialog_golden):\n    dialog_golden.check(talk('one', 'two'))\n"


@dataclass
class Done:
    """One run. out: everything it printed."""

    status: int
    out: str


@dataclass
class Project:
    """A folder with test files, and running pytest in it with warnings as errors."""

    folder: Path

    def write(self, body: str, name: str = "test_it.py") -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TALK + body, encoding="utf-8")
        return path

    def run(self, *words: str, environment: Mapping[str, str] | None = None, plugins: bool = False) -> Done:
        """plugins: load those that are installed too. They cost more than all else here."""
        given = {name: value for name, value in os.environ.items() if name not in CI_VARIABLES}
        for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTEST_CURRENT_TEST", "PYTEST_DISABLE_PLUGIN_AUTOLOAD"):
            given.pop(name, None)
        loaded = {} if plugins else {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        options = "-p bicameral.testing.pytest_plugin -W error" + (" -p no:asyncio" if plugins else "")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options.split(), *words],
            cwd=self.folder,
            env={**given, **loaded, **(environment or {})},
            capture_output=True,
            text=True,
        )
        return Done(done.returncode, done.stdout + done.stderr)

    def record(self, *words: str, plugins: bool = False) -> Done:
        return self.run("--dialog-golden=record", *words, plugins=plugins)

    def goldens(self) -> dict[str, bytes]:
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in self.folder.rglob("goldens/**/*.*")}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


class TestRecordingAndChecking:
    def test_a_dialog_is_recorded_and_then_holds(self, project: Project) -> None:
        project.write(ONE)
        recorded = project.record()
        assert (recorded.status, "recorded goldens/test_it/test_a.json" in recorded.out) == (0, True)
        (body,) = project.goldens().values()
        record = json.loads(body)
        assert record["solverType"] == "agent.dialog.v1"
        assert body == canonical_json(record) + b"\n"
        assert read_record(body) == record
        assert project.run().status == 0

    def test_a_dialog_that_changed_fails_with_the_first_difference_and_the_mend(self, project: Project) -> None:
        project.write(ONE)
        project.record()
        before = project.goldens()
        project.write(ONE.replace("'two'", "'three'"))
        done = project.run()
        assert done.status == 1
        for words in (
            "The dialogs part at turns[1].content:",
            'golden: "two"',
            'now:    "three"',
            "in what ann says to bob (turn 1)",
            "golden file: goldens/test_it/test_a.json",
            'pytest "test_it.py::test_a" --dialog-golden=record',
        ):
            assert words in done.out
        assert project.goldens() == before
        assert project.record().status == 0
        assert project.run().status == 0

    def test_a_missing_golden_file_fails_with_the_mend_and_is_not_made(self, project: Project) -> None:
        project.write(ONE)
        done = project.run()
        assert done.status == 1
        assert "goldens/test_it/test_a.json is not there" in done.out
        assert 'Record it with pytest "test_it.py::test_a" --dialog-golden=record' in done.out
        assert project.goldens() == {}

    def test_recording_what_is_the_same_leaves_the_file_alone(self, project: Project) -> None:
        project.write(ONE)
        project.record()
        path = project.folder / "goldens/test_it/test_a.json"
        os.utime(path, (1, 1))
        assert project.record().status == 0
        assert path.stat().st_mtime == 1

    def test_a_line_break_or_its_absence_at_the_end_changes_nothing(self, project: Project) -> None:
        project.write(ONE)
        project.record()
        path = project.folder / "goldens/test_it/test_a.json"
        path.write_bytes(path.read_bytes().rstrip() + b"\r\n\n")
        assert project.run().status == 0

    def test_what_is_no_dialog_fails_the_test_and_writes_nothing(self, project: Project) -> None:
        project.write("def test_a(dialog_golden):\n    dialog_golden.check({'turns': 7})\n")
        assert "RecordError" in project.record().out
        assert project.goldens() == {}

    def test_a_folder_that_cannot_be_written_fails_with_its_reason(self, project: Project) -> None:
        project.write(ONE)
        (project.folder / "goldens").write_text("in the way")
        done = project.record()
        assert done.status == 1
        assert "cannot be written" in done.out

    @pytest.mark.parametrize("name", ["CI", "JENKINS_URL"])
    def test_a_build_server_never_records(self, project: Project, name: str) -> None:
        project.write(ONE)
        done = project.run("--dialog-golden=record", environment={name: "true"})
        assert done.status == 4
        assert f"refused on a build server ({name} is set)" in done.out
        assert project.goldens() == {}

    def test_a_build_server_checks_and_a_variable_that_says_no_is_none(self, project: Project) -> None:
        project.write(ONE)
        assert project.run("--dialog-golden=record", environment={"CI": "false"}).status == 0
        assert project.run(environment={"CI": "true"}).status == 0


class TestNames:
    def test_parametrised_tests_classes_and_several_dialogs_each_have_a_file(self, project: Project) -> None:
        project.write(
            "import pytest\n"
            "class TestTalk:\n"
            "    @pytest.mark.parametrize('word', ['a', 'A', 'a/b', '../up', 'a::b', '\\u00fc', 'x' * 300, ''])\n"
            "    def test_each(self, dialog_golden, word):\n"
            "        dialog_golden.check(talk(word))\n"
            "        dialog_golden.check(talk(word, word))\n"
            "        dialog_golden.check(talk(word, 'named'), name=f'the {word}')\n"
        )
        assert project.record().status == 0
        found = project.goldens()
        assert len(found) == 24
        assert {str(Path(name).parent) for name in found} == {"goldens/test_it"}
        assert all(len(Path(name).name) < 130 and name.isascii() for name in found)
        assert project.run().status == 0
        assert project.goldens() == found

    def test_two_modules_and_two_folders_share_nothing(self, project: Project) -> None:
        project.write(ONE, "one/test_one.py")
        project.write(ONE.replace("two", "2"), "one/test_two.py")
        project.write(ONE.replace("two", "3"), "two/test_three.py")
        project.record()
        assert sorted(project.goldens()) == [
            "one/goldens/test_one/test_a.json",
            "one/goldens/test_two/test_a.json",
            "two/goldens/test_three/test_a.json",
        ]
        assert project.run().status == 0

    def test_one_name_for_two_dialogs_of_a_run_is_told(self, project: Project) -> None:
        project.write(
            "def test_a(dialog_golden):\n    dialog_golden.check(talk('a'), name='x')\n"
            "def test_b(dialog_golden):\n    dialog_golden.check(talk('b'), name='x')\n"
        )
        assert "Two different dialogs were recorded as goldens/test_it/x.json" in project.record().out

    @pytest.mark.parametrize("name", ["a", "a.b-c_9", "A", "x" * 100])
    def test_a_plain_name_is_its_files_name(self, name: str) -> None:
        assert file_name(name) == name

    @pytest.mark.parametrize(
        "name",
        ["", ".", "..", "../x", "/etc/passwd", "a/b", "a\\b", "a b", "a.", "-x", ".x", "con", "NUL.txt", "COM1", "\0",
         "\u00fc", "\ud800", "x" * 101, "a\n", "a:b", "a*"],
    )  # fmt: skip
    def test_any_other_name_becomes_one_that_every_file_system_takes(self, name: str) -> None:
        found = file_name(name)
        assert found.isascii()
        assert not set(found) - set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
        assert 8 <= len(found) <= 100
        assert found != name
        assert found[0] not in ".-"
        assert file_name(found) == found

    def test_names_that_look_alike_have_files_of_their_own(self) -> None:
        names = ["a/b", "a\\b", "a b", "a-b", "a--b", "a:b", "\u00e4", "\u00e5"]
        assert len({file_name(name) for name in names}) == len(names)

    def test_names_that_differ_by_case_alone_are_told_and_not_mixed_up(self, tmp_path: Path) -> None:
        made = golden(tmp_path, recording=True)
        made.check(recorder("one"), "Name")
        with pytest.raises(AssertionError, match="would share one file: 'name' and 'Name'"):
            made.check(recorder("two"), "name")
        with pytest.raises(ValueError, match="not empty"):
            made.check(recorder("two"), "")


class TestStaleFiles:
    TWO = ONE + ONE.replace("test_a", "test_b")

    def after(self, project: Project, *words: str) -> str:
        """What a run says after test_b, which had a golden file, was taken away."""
        project.write(self.TWO)
        project.record()
        project.write(ONE)
        done = project.run(*words)
        assert done.status == 0
        return done.out

    def test_a_golden_file_that_no_test_uses_is_told_and_left(self, project: Project) -> None:
        out = self.after(project)
        assert "stale: no test uses goldens/test_it/test_b.json; delete it" in out
        assert "test_a.json" not in out
        assert "goldens/test_it/test_b.json" in project.goldens()

    def test_the_golden_files_of_a_module_that_is_gone_are_told(self, project: Project) -> None:
        project.write(ONE, "test_gone.py")
        project.write(ONE)
        project.record()
        (project.folder / "test_gone.py").unlink()
        assert "stale: no test uses goldens/test_gone/test_a.json" in project.run().out

    @pytest.mark.parametrize("words", [("-k", "test_a"), ("test_it.py::test_a",), ("--deselect", "test_it.py::test_b")])
    def test_nothing_is_called_stale_where_tests_were_left_out(self, project: Project, words: tuple[str, ...]) -> None:
        project.write(self.TWO)
        project.record()
        done = project.run(*words)
        assert done.status == 0
        assert "no test uses" not in done.out

    def test_nothing_is_called_stale_where_a_test_was_skipped_or_failed(self, project: Project) -> None:
        project.write(self.TWO)
        project.record()
        for instead in ("import pytest; pytest.skip('today')", "assert False"):
            project.write(ONE + f"def test_b(dialog_golden):\n    {instead}\n")
            assert "no test uses" not in project.run().out

    def test_last_failed_alone_calls_nothing_stale(self, project: Project) -> None:
        project.write(self.TWO)
        project.record()
        project.write(ONE.replace("'two'", "'2'") + ONE.replace("test_a", "test_b"))
        assert project.run().status == 1
        project.write(self.TWO)
        done = project.run("--lf")
        assert (done.status, "no test uses" in done.out) == (0, False)

    def test_a_replayed_dialog_is_used(self, project: Project) -> None:
        project.write(ONE)
        project.record()
        project.write("def test_a(dialog_golden):\n    assert dialog_golden.replay().contents('ann')[0] == 'one'\n")
        done = project.run()
        assert (done.status, "no test uses" in done.out) == (0, False)


@pytest.mark.slow
class TestManyProcesses:
    MANY = (
        "import pytest\n"
        "@pytest.mark.parametrize('n', range(12))\n"
        "def test_each(dialog_golden, n):\n"
        "    dialog_golden.check(talk(str(n)))\n"
        "    dialog_golden.check(talk('shared'), name='shared')\n"
    )

    def test_workers_record_check_and_tell_together(self, project: Project) -> None:
        project.write(self.MANY)
        recorded = project.record("-p", "xdist.plugin", "-n", "2")
        assert recorded.status == 0
        assert len(project.goldens()) == 13
        assert recorded.out.count("recorded goldens/test_it/") == 13
        done = project.run("-p", "xdist.plugin", "-n", "2")
        assert (done.status, "no test uses" in done.out) == (0, False)
        project.write(self.MANY.replace("range(12)", "range(11)"))
        done = project.run("-p", "xdist.plugin", "-n", "2")
        assert done.status == 0
        assert done.out.count("stale: no test uses goldens/test_it/test_each-11-") == 1
        assert not [name for name in project.goldens() if name.endswith(".tmp")]

    def test_a_worker_that_dies_leaves_nothing_called_stale(self, project: Project) -> None:
        project.write(self.MANY)
        project.record()
        project.write(self.MANY.replace("range(12)", "range(11)") + "def test_z():\n    import os; os._exit(1)\n")
        assert "no test uses" not in project.run("-p", "xdist.plugin", "-n", "2").out


class TestLoading:
    def test_loading_it_twice_does_no_harm(self, project: Project) -> None:
        (project.folder / "conftest.py").write_text('pytest_plugins = ["bicameral.testing.pytest_plugin"]\n')
        project.write(ONE)
        assert project.record("-p", "bicameral.testing.pytest_plugin", plugins=True).status == 0
        assert project.run(plugins=True).status == 0

    def test_loading_a_second_copy_of_it_does_no_harm(self, project: Project) -> None:
        copy = Path(sys.modules["bicameral.testing.pytest_plugin"].__file__ or "").read_text(encoding="utf-8")
        (project.folder / "copied_plugin.py").write_text(copy, encoding="utf-8")
        project.write(ONE)
        assert project.record("-p", "copied_plugin").status == 0
        assert project.run("-p", "copied_plugin").status == 0

    def test_a_run_that_does_not_use_it_loads_nothing_and_says_nothing(self, project: Project) -> None:
        (project.folder / "test_it.py").write_text(
            "import sys\ndef test_a():\n    assert 'bicameral.canonical' not in sys.modules\n"
        )
        done = project.run()
        assert done.status == 0
        assert "golden" not in done.out

    def test_its_options_are_in_the_help(self, project: Project) -> None:
        assert "--dialog-golden={check,record}" in project.run("--help").out


def golden(folder: Path, *, recording: bool) -> DialogGolden:
    return DialogGolden(
        module=folder / "test_it.py", test="t", node_id="test_it.py::t", recording=recording, touched=Touched()
    )


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff", b"[]", b"[" * 100_000, b'{"solverType":"ui.session.v1"}', b'{"solverType":"agent.dialog.v1"}'],
)
def test_a_golden_file_that_is_damaged_fails_with_the_mend(tmp_path: Path, body: bytes) -> None:
    golden(tmp_path, recording=True).check(recorder("one"))
    (tmp_path / "goldens/test_it/t.json").write_bytes(body)
    told = r"The golden file .*t\.json (cannot be read|holds a)(?s:.*)test_it\.py::t\" --dialog-golden=record"
    with pytest.raises(AssertionError, match=told):
        golden(tmp_path, recording=False).check(recorder("one"))
    with pytest.raises(AssertionError, match=told):
        golden(tmp_path, recording=False).replay()


def test_a_golden_file_whose_key_spells_no_dialog_is_damaged(tmp_path: Path) -> None:
    golden(tmp_path, recording=True).check(recorder("one"))
    path = tmp_path / "goldens/test_it/t.json"
    path.write_bytes(canonical_json(json.loads(path.read_bytes()) | {"wireKey": "[]"}))
    with pytest.raises(AssertionError, match="spells no dialog"):
        golden(tmp_path, recording=False).check(recorder("one"))


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    golden(tmp_path, recording=True).check(recorder("one"))
    path = tmp_path / "goldens/test_it/t.json"
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(AssertionError, match="No space left on device"):
        golden(tmp_path, recording=True).check(recorder("two"))
    assert path.read_bytes() == before
    assert [found.name for found in path.parent.iterdir()] == ["t.json"]
