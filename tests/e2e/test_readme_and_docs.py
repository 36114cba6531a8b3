"""What the README and the guides show is what the program does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "demo" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES += sorted((ROOT / "spec").rglob("*.md"))

pytestmark = pytest.mark.timeout(300)


def run(*words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], cwd=cwd, capture_output=True, text=True, check=False)


@pytest.mark.browser
def test_the_output_in_the_readme_is_what_the_command_prints() -> None:
    done = run("scripts/readme", "--check")
    assert done.returncode == 0, "run .venv/bin/python scripts/readme and look at what changed" + done.stderr


def test_the_example_program_runs(tmp_path: Path) -> None:
    (tmp_path / "shots").mkdir()
    picture = Image.new("RGB", (300, 200), "white")
    ImageDraw.Draw(picture).rectangle((20, 20, 200, 60), fill="black")
    picture.save(tmp_path / "shots" / "home.png")
    done = run(str(ROOT / "docs" / "examples" / "own_judge.py"), "shots", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "low: The headline does not stand out" in done.stdout
    assert "filed by headline; ruled ['cannot-tell']" in done.stdout


def test_every_command_that_the_pages_name_exists() -> None:
    named = set()
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        named |= set(re.findall(r"\bbicameral (check|judge|doctor|adjudicate|backlog \w+|witness \w+|nli \w+)\b", text))
    assert named
    for words in sorted(named):
        done = run("-m", "bicameral", *words.split(), "--help")
        assert done.returncode == 0, words


def test_every_command_is_documented() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    for group, commands in {
        "": ("check", "judge", "adjudicate", "doctor"),
        "backlog": ("list", "show", "rule", "export", "import"),
        "witness": (
            *("list", "show", "key", "record", "verify", "replay", "diff", "bundle", "export", "redact"),
            *("keygen", "sign", "rotate"),
        ),
        "nli": ("serve", "pull"),
    }.items():
        for command in commands:
            assert f"bicameral {group}".strip() in text
            assert f"`{command}`" in text or f"{group} {command}".strip() in text, (group, command)


def test_every_link_between_the_pages_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)}: {target}"


def test_the_toml_of_the_guide_is_read_without_complaint(tmp_path: Path) -> None:
    from bicameral.settings import load_settings

    guide = (ROOT / "docs" / "guides" / "first-check.md").read_text(encoding="utf-8")
    found = re.search(r"```toml\n(.*?)```", guide, re.DOTALL)
    assert found is not None
    (tmp_path / "bicameral.toml").write_text(found[1], encoding="utf-8")
    settings = load_settings(tmp_path, environment={}, flags={})
    assert settings.targets[0].routes == ("/", "/fares")
    assert settings.form_factors == ("desktop", "phone")
