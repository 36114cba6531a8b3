"""Rules of the house that no linter sees."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bicameral

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "bicameral"
HEAVY = ("alembic", "jinja2", "numpy", "PIL", "playwright", "pydantic", "rich", "sqlalchemy", "asyncio")


def modules_after(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(' '.join(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    )
    return {name.partition(".")[0] for name in done.stdout.splitlines()[-1].split()}


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert not modules_after("import bicameral").intersection(HEAVY)


def test_help_loads_nothing_heavy() -> None:
    code = "from bicameral.interfaces.cli._app import run\nrun(['--help'])"
    assert not modules_after(code).intersection(HEAVY)


def test_every_public_name_can_be_had_and_is_listed() -> None:
    assert len(set(bicameral.__all__)) == len(bicameral.__all__)
    for name in bicameral.__all__:
        assert getattr(bicameral, name) is not None
        assert name in dir(bicameral)
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = bicameral.no_such_name


def test_every_error_is_in_the_tree_drawn_at_the_top() -> None:
    from bicameral import errors

    drawn = errors.__doc__ or ""
    classes = [
        name for name, value in vars(errors).items() if isinstance(value, type) and value.__module__ == errors.__name__
    ]
    missing = [name for name in classes if not re.search(rf"\b{name}\b", drawn)]
    assert not missing


def test_every_module_says_what_it_answers_for() -> None:
    silent = [
        path for path in SOURCE.rglob("*.py") if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not silent


def test_no_module_has_grown_past_its_subject() -> None:
    long = {
        path.name: count for path in SOURCE.rglob("*.py") if (count := len(path.read_text("utf-8").splitlines())) > 400
    }
    assert not long


def tracked_files() -> list[Path]:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in done.stdout.split("\0") if name]


def test_nothing_names_a_path_of_one_machine_or_a_registry() -> None:
    # Spelled in pieces, so that this test does not find itself.
    patterns = ["../" + "shared", "/work" + "/", "pypi" + ".org", "python" + "hosted", "registry.npm" + "js"]
    found = []
    for path in tracked_files():
        if path.suffix in {".png", ".jpg", ".webp", ".onnx"} or path.name.endswith(".min.js") or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        found += [f"{path.relative_to(ROOT)}: {pattern}" for pattern in patterns if pattern in text]
    assert not found


def test_the_locks_name_every_package_of_the_plain_install() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    locked = {
        name: set(re.findall(r"^([a-z0-9._-]+)==", (ROOT / "locks" / f"{name}.txt").read_text(encoding="utf-8"), re.M))
        for name in ("run", "dev", "ci", "all")
    }
    plain = {re.split(r"[\[<>=]", wanted)[0] for wanted in project["dependencies"]}
    develop = {re.split(r"[\[<>=]", wanted)[0] for wanted in project["optional-dependencies"]["dev"]} - {"bicameral"}
    assert plain <= locked["run"] <= locked["dev"] <= locked["ci"] <= locked["all"]
    assert develop <= locked["dev"]
