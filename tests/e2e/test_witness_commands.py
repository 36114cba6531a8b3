"""What one machine judged, another verifies, replays and compares from the bundle alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

pytestmark = [pytest.mark.timeout(300)]


class Result:
    def __init__(self, done: subprocess.CompletedProcess[bytes]) -> None:
        self.status, self.raw = done.returncode, done.stdout
        self.out, self.err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")

    @property
    def document(self) -> Any:
        return json.loads(self.out)

    def __repr__(self) -> str:
        return f"<{self.status} {self.out}{self.err}>"


class Shell:
    """Runs commands in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def __call__(self, *words: str, stdin: bytes = b"") -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "bicameral", *words],
            cwd=self.folder,
            capture_output=True,
            input=stdin,
            env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100"},
            check=False,
        )
        return Result(done)


def draw(folder: Path) -> None:
    """A page, and one with a large blank area, which the instrument on pixels files."""
    folder.mkdir(exist_ok=True)
    for name, filled in (("home.png", 900), ("empty.png", 60)):
        picture = Image.new("RGB", (1440, 900), "white")
        pen = ImageDraw.Draw(picture)
        for top in range(20, filled, 40):
            pen.rectangle((40, top, 1300, top + 14), fill=(30, 30, 30))
        picture.save(folder / name)


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Shell, str]:
    """A project with two views judged, and the run's id. Tests leave it as it is."""
    shell = Shell(tmp_path_factory.mktemp("here") / "project")
    draw(shell.folder / "shots")
    done = shell("judge", "shots", "--json")
    assert done.status in (0, 1), done
    return shell, done.document["run_id"]


@pytest.fixture(scope="module")
def bundled(judged: tuple[Shell, str]) -> bytes:
    shell, run_id = judged
    done = shell("witness", "bundle", run_id, "--json")
    assert done.status == 0, done
    assert done.document["file"] == f"{run_id}.bicameral.tar"
    return (shell.folder / done.document["file"]).read_bytes()


@pytest.fixture
def elsewhere(tmp_path: Path, bundled: bytes) -> Shell:
    """Another machine: an empty folder and the bundle."""
    shell = Shell(tmp_path / "elsewhere")
    (shell.folder / "run.tar").write_bytes(bundled)
    return shell


def test_a_bundle_is_verified_where_there_is_nothing_else(elsewhere: Shell) -> None:
    done = elsewhere("witness", "verify", "run.tar")
    assert done.status == 0, done
    assert "run.tar: sound" in done.out
    assert "Not signed" in done.out
    document = elsewhere("witness", "verify", "run.tar", "--json").document
    assert set(document) >= {"ok", "entries", "signed", "problems"}
    assert (document["ok"], document["entries"], document["signed"], document["problems"]) == (True, 2, False, [])
    assert sorted(path.name for path in elsewhere.folder.iterdir()) == ["run.tar"]


def test_it_is_replayed_there_to_the_same_findings(elsewhere: Shell) -> None:
    done = elsewhere("witness", "replay", "run.tar", "--json")
    assert done.status == 0, done
    assert (done.document["replayed"], done.document["not_replayable"], done.document["differences"]) == (2, [], [])
    assert "2 dialogues held again" in elsewhere("witness", "replay", "run.tar").out


def test_it_is_read_and_compared_there(elsewhere: Shell, judged: tuple[Shell, str]) -> None:
    listed = elsewhere("witness", "list", "run.tar", "--json").document["records"]
    assert sorted(row["view"] for row in listed) == ["pictures/empty [rest]", "pictures/home [rest]"]
    shown = elsewhere("witness", "show", "run.tar", "pictures/home")
    assert shown.status == 0, shown
    assert "clerk -> pixels: charge" in shown.out
    assert "Raw replies" in shown.out
    one, other = (row["digest"][:19] for row in listed)
    same = elsewhere("witness", "diff", f"run.tar/{one}", f"run.tar/{one}", "--json")
    assert (same.status, same.document) == (0, {"equivalent": True, "first_difference": None})
    differ = elsewhere("witness", "diff", f"run.tar/{one}", f"run.tar/{other}", "--json")
    assert (differ.status, differ.document["first_difference"]["turn"]) == (1, 0)
    record = elsewhere("witness", "diff", f"run.tar/{one}", f"run.tar/{other}", "--record")
    assert (record.status, record.document["solverType"], record.document["outcome"]) == (
        1,
        "equivalence.v1",
        "different",
    )


def test_a_record_of_the_store_is_called_by_its_run_and_view(judged: tuple[Shell, str], bundled: bytes) -> None:
    shell, run_id = judged
    named = shell("witness", "show", f"{run_id}/pictures/home", "--json")
    assert named.status == 0, named
    there = shell("witness", "diff", f"{run_id}/pictures/home", f"{run_id}.bicameral.tar/pictures/home")
    assert (there.status, there.out) == (0, "The two dialogs are equivalent.\n")


def test_one_changed_byte_is_told(elsewhere: Shell, bundled: bytes) -> None:
    at = bundled.index(b'"act\\\\\\":\\\\\\"charge') if b'"act\\\\\\"' in bundled else bundled.index(b"charge")
    (elsewhere.folder / "run.tar").write_bytes(bundled[:at] + b"C" + bundled[at + 1 :])
    done = elsewhere("witness", "verify", "run.tar", "--json")
    assert done.status == 1, done
    assert done.document["problems"]
    assert set(done.document["problems"][0]) >= {"where", "what"}
    assert elsewhere("witness", "replay", "run.tar").status == 1


def test_a_torn_bundle_cannot_be_read(elsewhere: Shell, bundled: bytes) -> None:
    (elsewhere.folder / "run.tar").write_bytes(bundled[: len(bundled) // 2])
    done = elsewhere("witness", "verify", "run.tar", "--json")
    assert (done.status, done.document["ok"]) == (2, False)
    assert "torn" in done.document["paths"][0]["error"]


def test_where_there_is_nothing_to_read_the_status_is_2(elsewhere: Shell) -> None:
    (elsewhere.folder / "notes.txt").write_text("hello", encoding="utf-8")
    for path in ("missing.tar", "notes.txt", "."):
        done = elsewhere("witness", "verify", path, "--json")
        assert (done.status, done.document["ok"]) == (2, False), path
    assert elsewhere("witness", "verify").status == 2


def test_of_several_paths_each_is_told_and_the_worst_one_counts(elsewhere: Shell, bundled: bytes) -> None:
    (elsewhere.folder / "bad.tar").write_bytes(bundled[:-600])
    done = elsewhere("witness", "verify", "run.tar", "bad.tar", "--json")
    assert done.status == 2
    assert [one["ok"] for one in done.document["paths"]] == [True, False]


def test_a_key_that_did_not_sign_is_status_3_and_one_that_did_is_0(
    tmp_path: Path, elsewhere: Shell, bundled: bytes
) -> None:
    shell = Shell(tmp_path / "signing")
    draw(shell.folder / "shots")
    assert shell("judge", "shots", "--quiet").status in (0, 1)
    made = shell("witness", "keygen", "key", "--json").document
    assert shell("witness", "keygen", "other").status == 0
    unsigned = shell("witness", "verify", "--key", "key.pub", "--json")
    assert (unsigned.status, unsigned.document["ok"]) == (3, False)
    signed = shell("witness", "sign", "--signing-key", "key", "--json")
    assert (signed.status, signed.document["key_id"]) == (0, made["key_id"])
    assert shell("witness", "bundle", "--out", "run.tar").status == 0
    verified = shell("witness", "verify", "run.tar", "--key", "key.pub", "--json")
    assert (verified.status, verified.document["signed"]) == (0, True)
    assert shell("witness", "verify", "run.tar", "--key", "other.pub").status == 3
    assert shell("witness", "verify", "run.tar", "--json").document["signed"] is False
    turned = shell("witness", "rotate", "other", "--signing-key", "key", "--json")
    assert (turned.status, turned.document["old_key_id"]) == (0, made["key_id"])
    assert shell("witness", "verify", "--key", "key.pub").status == 0
    record = shell("witness", "show", "pictures/home", "--json").raw
    (shell.folder / "record.json").write_bytes(record)
    assert shell("witness", "verify", "record.json").status == 0
    assert shell("witness", "verify", "record.json", "--key", "key.pub").status == 3


def test_what_was_redacted_is_told_and_everything_else_goes_on(tmp_path: Path) -> None:
    shell = Shell(tmp_path / "redacting")
    draw(shell.folder / "shots")
    report = shell("judge", "shots", "--json").document
    record = shell("witness", "show", "pictures/empty", "--json").document
    charge = json.loads(json.loads(record["wireKey"])["turns"][0]["content"])
    picture = charge["shots"][0]["picture"]
    refused = shell("witness", "redact", picture)
    assert refused.status == 2
    done = shell("witness", "redact", picture, "--reason", "A customer's name.", "--by", "Ada", "--json")
    assert (done.status, done.document["file"], done.document["records"]) == (0, True, 1)
    verified = shell("witness", "verify", "--json")
    assert (verified.status, verified.document["redacted"]) == (0, 1)
    assert "A customer's name." in shell("witness", "verify").out
    assert shell("witness", "replay", "--json").document["replayed"] == 2
    assert "Redacted evidence" in shell("witness", "show", "pictures/empty").out
    listed = [
        line for line in shell("witness", "show", "pictures/empty").out.splitlines() if "propose, complete" in line
    ]
    reply = listed[0].split(": ")[1].split(" ")[0]
    assert shell("witness", "redact", reply, "--reason", "r", "--by", "Ada").status == 0
    replayed = shell("witness", "replay")
    assert replayed.status == 0
    assert "sound, not replayable: pictures/empty [rest]" in replayed.out
    assert shell("witness", "bundle", "--out", "run.tar").status == 0
    assert shell("witness", "verify", "run.tar", "--json").document["redacted"] == 2
    again = shell("judge", "shots", "--json", "--html", "page.html")
    assert again.document["summary"]["findings"] == report["summary"]["findings"]


def test_a_trace_goes_out_and_is_verified(elsewhere: Shell) -> None:
    done = elsewhere("witness", "export", "--cael", "run.tar", "pictures/home")
    assert done.status == 0, done
    (elsewhere.folder / "trace.jsonl").write_bytes(done.raw)
    assert elsewhere("witness", "verify", "trace.jsonl").status == 0
    (elsewhere.folder / "trace.jsonl").write_bytes(done.raw.replace(b"findings", b"Findings", 1))
    assert elsewhere("witness", "verify", "trace.jsonl").status == 1
    written = elsewhere("witness", "export", "--cael", "run.tar", "pictures/home", "--out", "t.jsonl", "--json")
    assert written.document["entries"] == len(done.raw.splitlines())
    assert (elsewhere.folder / "t.jsonl").read_bytes() == done.raw
    same = elsewhere("witness", "diff", "t.jsonl", "run.tar/pictures/home")
    assert same.status == 0, same


def test_a_bundle_never_replaces_a_file_unless_it_is_told_to(judged: tuple[Shell, str], tmp_path: Path) -> None:
    shell, run_id = judged
    place = tmp_path / "mine.tar"
    place.write_text("precious", encoding="utf-8")
    refused = shell("witness", "bundle", run_id, "--out", str(place))
    assert (refused.status, place.read_text(encoding="utf-8")) == (2, "precious")
    assert shell("witness", "bundle", run_id, "--out", str(place), "--overwrite").status == 0
    piped = shell("witness", "bundle", run_id, "--out", "-")
    assert (piped.status, piped.raw) == (0, place.read_bytes())


def test_an_unknown_run_is_told_with_the_nearest(judged: tuple[Shell, str]) -> None:
    shell, run_id = judged
    done = shell("witness", "bundle", run_id[:-1] + "_")
    assert done.status == 2
    assert f"Did you mean {run_id}" in done.err


def test_one_run_or_record_of_the_store_is_replayed_by_name(judged: tuple[Shell, str]) -> None:
    shell, run_id = judged
    assert shell("witness", "replay", run_id, "--json").document["replayed"] == 2
    assert shell("witness", "replay", "pictures/home", "--json").document["replayed"] == 1
    assert shell("witness", "replay", "pictures/nowhere", "--json").status == 2
