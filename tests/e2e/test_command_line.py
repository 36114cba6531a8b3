"""The command line as a newcomer and as a script use it, on a page of three lines."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from local_site import Answer, Serve

pytestmark = [pytest.mark.timeout(300)]

CLEAN = """<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Fine</title>
<link rel="icon" href="data:,"><body style="background:#fff;color:#222;font:16px sans-serif"><main><h1>Fine</h1><p>All
is well here.</p></main>"""
FAINT = CLEAN.replace("<p>", '<p id="faint" style="color:#bbb">')


class Result:
    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr

    @property
    def document(self) -> Any:
        return json.loads(self.out)


class Shell:
    """Runs commands in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *words: str, env: dict[str, str] | None = None, stdin: str = "") -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "bicameral", *words],
            cwd=self.folder,
            capture_output=True,
            text=True,
            input=stdin,
            env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100", **(env or {})},
            check=False,
        )
        return Result(done)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    folder = tmp_path / "project"
    folder.mkdir()
    return Shell(folder)


@pytest.mark.browser
def test_a_clean_page_ends_with_status_0_and_a_faint_one_with_1(shell: Shell, serve: Serve) -> None:
    address = serve({"/": CLEAN, "/faint": FAINT})
    few = ("--form-factors", "desktop", "--schemes", "light")
    clean = shell("check", address, *few)
    assert (clean.status, "No findings" in clean.out) == (0, True), clean.out + clean.err
    faint = shell("check", f"{address}/faint", *few, "--html", "report.html")
    assert faint.status == 1
    assert "contrast" in faint.out
    assert "Measured at" in faint.out
    assert (shell.folder / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert faint.err == ""


@pytest.mark.browser
def test_json_is_one_document_with_the_members_that_others_rely_on(shell: Shell, serve: Serve) -> None:
    address = serve({"/faint": FAINT})
    words = ("check", f"{address}/faint", "--form-factors", "desktop", "--schemes", "light", "--json")
    first, second = shell(*words), shell(*words)
    document = first.document
    assert set(document) >= {"run_id", "findings", "clean_shot_ids", "unaccounted", "batches", "spend", "summary"}
    finding = document["findings"][0]
    wanted = "issue sighting shot_id category attribute region severity title problem expected observed confidence box"
    assert set(finding) >= {*wanted.split(), "status", "oracle", "consensus"}
    assert finding["consensus"]["agreed_by"] == ["pixels"]
    batch = document["batches"][0]
    assert set(batch) >= {"view", "dialogued", "undialogued_reason", "unruled"}
    assert set(batch) >= {"cached", "dialog_id", "wire_digest"}
    again = second.document
    assert again["batches"][0]["cached"] is True
    assert again["spend"]["calls"] == 0
    assert again["findings"][0]["issue"] == finding["issue"]
    assert again["batches"][0]["wire_digest"] == batch["wire_digest"]


@pytest.mark.browser
def test_what_a_person_rules_stands_in_every_later_run(shell: Shell, serve: Serve) -> None:
    address = serve({"/faint": FAINT})
    words = ("check", f"{address}/faint", "--form-factors", "desktop", "--schemes", "light")
    key = shell(*words, "--json").document["findings"][0]["issue"]
    refused = shell("backlog", "rule", key, "--status", "by-design")
    assert (refused.status, "reason" in refused.err) == (2, True)
    ruled = shell("backlog", "rule", key[:6], "--status", "by-design", "--reason", "A watermark.", "--by", "Ada")
    assert (ruled.status, ruled.err) == (0, "")
    run = shell(*words, "--json")
    assert run.status == 0
    assert run.document["findings"][0]["status"] == "by-design"
    assert run.document["summary"]["suppressed"] == 1
    shown = shell("backlog", "show", key, "--json").document
    assert shown["rulings"][0]["ruled_by"] == "Ada"
    assert "A watermark." in shell("backlog", "show", key).out
    assert shell("backlog", "list", "--json").document["issues"] == []
    assert len(shell("backlog", "list", "--status", "all", "--json").document["issues"]) == 1


@pytest.mark.browser
def test_the_backlog_goes_out_and_into_an_empty_store_unchanged(shell: Shell, serve: Serve) -> None:
    address = serve({"/faint": FAINT})
    shell("check", f"{address}/faint", "--form-factors", "phone", "--schemes", "dark")
    out = shell("backlog", "export")
    (shell.folder / "backlog.json").write_text(out.out, encoding="utf-8")
    taken = shell("backlog", "import", "backlog.json", "--state", "elsewhere", "--json")
    assert taken.document == {"added": 1, "updated": 0, "unchanged": 0}
    assert shell("backlog", "export", "--state", "elsewhere").out == out.out
    assert shell("backlog", "import", "-", "--state", "elsewhere", "--json", stdin=out.out).document["unchanged"] == 1


@pytest.mark.browser
def test_a_run_leaves_a_record_that_can_be_shown_and_keyed(shell: Shell, serve: Serve) -> None:
    address = serve({"/faint": FAINT})
    words = ("check", f"{address}/faint", "--form-factors", "desktop", "--schemes", "light", "--json")
    batch = shell(*words).document["batches"][0]
    digest = shell("witness", "list", "--json").document["records"][0]["digest"]
    transcript = shell("witness", "show", digest[:15]).out
    assert "clerk -> axe+layout: charge" in transcript
    assert "axe+layout -> pixels: findings" in transcript
    assert "pixels -> axe+layout: rulings" in transcript
    assert "127.0.0.1" not in transcript
    record = shell("witness", "show", digest, "--json").out
    (shell.folder / "record.json").write_text(record, encoding="utf-8")
    key = shell("witness", "key", "record.json", "--json").document
    assert key["wireDigest"] == batch["wire_digest"]
    assert key["turnCount"] == 3
    assert json.loads(shell("witness", "record", "record.json").out) == json.loads(record)


def test_a_folder_of_pictures_is_judged_by_pixels_alone_and_says_what_was_not(shell: Shell) -> None:
    picture = Image.new("RGB", (400, 300), "white")
    ImageDraw.Draw(picture).rectangle((40, 40, 200, 120), fill="navy")
    (shell.folder / "shots").mkdir()
    picture.save(shell.folder / "shots" / "home.png")
    Image.new("RGB", (400, 300), "white").save(shell.folder / "shots" / "blank.png")
    (shell.folder / "shots" / "notes.png").write_text("no picture", encoding="utf-8")
    result = shell("judge", "shots", "--json")
    document = result.document
    assert result.status == 2  # a picture that could not be judged
    assert [row["shot_id"].split("/")[1] for row in document["findings"]] == ["blank"]
    assert document["clean_shot_ids"] == ["pictures/home/rest/desktop/light"]
    assert document["skipped"][0]["where"] == "notes.png"
    assert "accessibility" in shell("judge", "shots").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("check",), "nothing to check"),
        (("check", "localhost:8000"), "http://localhost:8000"),
        (("check", "http://example.org"), "--allow-remote"),
        (("check", "http://127.0.0.1:9"), "127.0.0.1:9"),
        (("check", "http://127.0.0.1:9", "--form-factors", "watch"), "'watch' is not known"),
        (("check", "http://127.0.0.1:9", "--proposer", "axe", "--challenger", "axe"), "nobody argues with himself"),
        (("check", "http://127.0.0.1:9", "--challenger", "pixls"), "Did you mean pixels"),
        (("check", "http://127.0.0.1:9", "--config", "absent.toml"), "absent.toml"),
        (("judge", "nowhere"), "nowhere"),
        (("judge", "."), "no picture"),
        (("backlog", "list"), "nothing has been checked yet"),
        (("backlog", "import", "absent.json"), "absent.json"),
        (("witness", "key", "absent.json"), "absent.json"),
        (("witness", "show", "zzz"), "zzz is no file, and there is no store"),
    ],
)
def test_bad_input_gets_one_sentence_with_the_mend_and_status_2(
    shell: Shell, words: tuple[str, ...], said: str
) -> None:
    result = shell(*words)
    assert result.status == 2
    assert said in result.err
    assert "Traceback" not in result.err
    assert result.out == ""
    as_json = shell(*words, "--json")
    assert as_json.status == 2
    assert said in json.dumps(as_json.document["error"])


@pytest.mark.browser
def test_a_route_that_answers_404_is_skipped_with_status_2_and_the_rest_is_judged(shell: Shell, serve: Serve) -> None:
    address = serve({"/": CLEAN, "/gone": Answer("no", 404)})
    words = ("--routes", "/,/gone", "--form-factors", "desktop", "--schemes", "light", "--json")
    result = shell("check", address, *words)
    assert result.status == 2
    assert "404" in result.document["skipped"][0]["reason"]
    assert result.document["clean_shot_ids"] == ["site//rest/desktop/light"]


@pytest.mark.browser
def test_a_target_that_does_not_answer_costs_the_others_nothing(shell: Shell, serve: Serve) -> None:
    address = serve({"/": CLEAN})
    words = ("--form-factors", "desktop", "--schemes", "light", "--json")
    result = shell("check", "gone=http://127.0.0.1:47", f"site={address}", *words)
    assert result.status == 2
    assert result.document["clean_shot_ids"] == ["site//rest/desktop/light"]
    assert result.document["skipped"][0]["where"] == "gone"


def test_a_file_that_is_no_store_is_left_alone_and_named(shell: Shell) -> None:
    (shell.folder / ".bicameral").mkdir()
    store = shell.folder / ".bicameral" / "bicameral.db"
    store.write_text("my own notes", encoding="utf-8")
    result = shell("backlog", "list")
    assert result.status == 2
    assert "bicameral.db" in result.err
    assert store.read_text(encoding="utf-8") == "my own notes"


def test_doctor_names_every_judge_and_why_the_browser_is_missing(shell: Shell) -> None:
    fine = shell("doctor", "--json").document
    assert {"axe", "layout", "pixels", "browser", "store", "roster"} <= {row["name"] for row in fine["checks"]}
    missing = shell("doctor", env={"BICAMERAL_CHROMIUM": "/nowhere/chromium"})
    assert missing.status == 2
    assert "/nowhere/chromium" in missing.out


@pytest.mark.browser
def test_the_commands_that_a_report_ends_with_work_as_they_are_printed(shell: Shell, serve: Serve) -> None:
    address = serve({"/faint": FAINT})
    words = ("--form-factors", "desktop", "--schemes", "light", "--state", "my state")
    printed = shell("check", f"{address}/faint", *words).out
    line = next(line for line in printed.splitlines() if "Read one whole: " in line)
    command = shlex.split(line.partition("Read one whole: ")[2])
    assert shell(*command[1:]).out.startswith(command[3])


@pytest.mark.browser
def test_a_record_is_found_by_every_name_that_a_report_calls_it(shell: Shell, serve: Serve) -> None:
    address = serve({"/faint": FAINT})
    words = ("check", f"{address}/faint", "--form-factors", "desktop", "--schemes", "light", "--json")
    batch = shell(*words).document["batches"][0]
    shell(*words)
    records = shell("witness", "list", "--json").document["records"]
    assert len(records) == 1
    assert len(records[0]["runs"]) == 2
    transcripts = {
        shell("witness", "show", name[:19]).out
        for name in (records[0]["digest"], batch["dialog_id"], batch["wire_digest"])
    }
    assert len(transcripts) == 1
    assert "clerk -> axe+layout" in transcripts.pop()


@pytest.mark.browser
def test_an_interrupted_run_says_so_in_one_sentence_and_one_document(shell: Shell, serve: Serve) -> None:
    address = serve({"/": Answer(CLEAN, wait_s=30)})
    for flags in ((), ("--json",)):
        process = subprocess.Popen(
            [sys.executable, "-m", "bicameral", "check", address, *flags],
            cwd=shell.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # A test run started in the background of a shell ignores SIGINT, and so would all that it starts.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        while not (shell.folder / ".bicameral" / "bicameral.db").exists():
            assert process.poll() is None
        time.sleep(1.5)  # into the capture; where exactly does not matter
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 2
        assert "Interrupted." in err
        assert "Traceback" not in err
        assert (json.loads(out)["error"]["message"] == "Interrupted.") if flags else (out == "")


def test_a_report_that_cannot_be_written_is_refused_before_anything_is_done(shell: Shell) -> None:
    (shell.folder / "taken").mkdir()
    for place in ("taken", "/proc/report.html", "shots.txt/report.html"):
        (shell.folder / "shots.txt").write_text("", encoding="utf-8")
        result = shell("check", "http://127.0.0.1:9", "--html", place)
        assert result.status == 2
        assert "does not answer" not in result.err
        assert place in result.err
        assert "Name a" in result.err


def test_version_and_help(shell: Shell) -> None:
    assert shell("--version").out.startswith("bicameral ")
    for words in ((), ("check",), ("judge",), ("backlog",), ("backlog", "rule"), ("witness",), ("doctor",)):
        helped = shell(*words, "--help")
        assert helped.status == 0
        assert "Usage: bicameral" in helped.out
