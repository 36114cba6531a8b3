"""What stops a capture before anything is judged, each with an error that names the place and the mend."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bicameral.errors import BrowserError, StoreError, TargetError
from bicameral.evidence import browser as browsers
from bicameral.evidence.capture import capture
from bicameral.evidence.facts import read_facts
from bicameral.evidence.plan import CapturePlan, CaptureResult, Limits
from bicameral.evidence.store import EvidenceFolder
from local_site import Answer, Serve

pytestmark = pytest.mark.browser
PAGE = "<!doctype html><title>T</title><p>Hello"


def _capture(base_url: str, place: Path, **changed: Any) -> CaptureResult:
    settings: dict[str, Any] = {
        "target": "site",
        "base_url": base_url,
        "form_factors": ("phone",),
        "schemes": ("light",),
        "limits": Limits(answer_s=2, settle_s=2),
        **changed,
    }
    return asyncio.run(capture(CapturePlan(**settings), EvidenceFolder(place)))


@pytest.fixture
def closed_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port that takes connections and never says a word."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield int(listening.getsockname()[1])


def test_a_target_that_does_not_answer_is_named_without_its_credentials(tmp_path: Path, closed_port: int) -> None:
    with pytest.raises(TargetError) as caught:
        _capture(f"http://me:s3cret@127.0.0.1:{closed_port}/a?token=s3cret", tmp_path)
    assert f"http://127.0.0.1:{closed_port}/a does not answer" in str(caught.value)
    assert "Check that the application is up" in str(caught.value)
    assert "s3cret" not in str(caught.value)


def test_a_target_that_never_says_a_word_is_given_up_after_a_bounded_wait(tmp_path: Path, silent_port: int) -> None:
    with pytest.raises(TargetError, match="did not answer within 2 s"):
        _capture(f"http://127.0.0.1:{silent_port}/", tmp_path, form_factors=("phone", "desktop"))


def test_a_silent_route_is_skipped_where_others_answer(tmp_path: Path, serve: Serve) -> None:
    base = serve({"/": PAGE, "/silent": Answer(wait_s=60)})
    result = _capture(base, tmp_path, routes=("/silent", "/"))
    assert [shot.route for shot in result.shots] == ["/"]
    assert "did not answer within 2 s" in result.skipped[0].reason


def test_a_remote_target_is_refused_before_a_browser_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(browsers.VARIABLE, "/nowhere")
    with pytest.raises(TargetError, match="--allow-remote"):
        _capture("http://example.com/", tmp_path)


@pytest.mark.parametrize(
    "leaving",
    [
        lambda other: Answer(status=302, headers={"Location": other}),
        lambda other: Answer(status=307, headers={"Location": other}),
        lambda other: f"<script>location.href = '{other}'</script>",
        lambda other: f"<meta http-equiv=refresh content='0;url={other}'>",
        lambda other: f"<body onload='f.submit()'><form id=f action='{other}'></form>",
    ],
    ids=["302", "307", "script", "refresh", "form"],
)
def test_a_route_that_leads_off_its_origin_is_skipped_and_the_other_side_never_asked(
    tmp_path: Path, serve: Serve, leaving: Any
) -> None:
    asked: list[str] = []

    class Listening(dict[str, Any]):
        def get(self, key: str, default: Any = None) -> Any:
            asked.append(key)
            return default

    other = serve(Listening())
    base = serve({"/": PAGE, "/leaves": leaving(f"{other}/there?token=hush")})
    result = _capture(base, tmp_path, routes=("/leaves", "/"))
    assert [shot.route for shot in result.shots] == ["/"]
    (row,) = result.skipped
    assert row.where.endswith("/leaves")
    assert row.reason.startswith(f"leads off its origin, to {other}; it was not followed. Leave the route out")
    assert "hush" not in row.reason
    assert asked == []


def test_a_target_of_which_every_route_leads_off_its_origin_is_refused_with_both_ports(
    tmp_path: Path, serve: Serve
) -> None:
    other = serve({})
    leaving = Answer(status=302, headers={"Location": f"{other}/login?token=hush"})
    base = serve({"/": leaving, "/a": leaving})
    for routes in ((), ("/a", "/")):
        with pytest.raises(TargetError) as caught:
            _capture(base, tmp_path, routes=routes, form_factors=("phone", "desktop"))
        assert f"leads off its origin, to {other}; it was not followed." in str(caught.value)
        assert f"name {other} as a target of its own." in str(caught.value)
        assert "hush" not in str(caught.value)


def test_where_a_route_leads_to_another_machine_the_mend_says_what_that_needs(tmp_path: Path, serve: Serve) -> None:
    base = serve({"/": Answer(status=302, headers={"Location": "https://example.com/login"})})
    with pytest.raises(TargetError, match=r"name https://example\.com as a target of its own \(with --allow-remote"):
        _capture(base, tmp_path)


def test_one_route_that_leads_away_and_one_that_is_no_page_are_both_skipped(tmp_path: Path, serve: Serve) -> None:
    base = serve({"/away": Answer(status=302, headers={"Location": serve({})}), "/broken": Answer("x", 500)})
    result = _capture(base, tmp_path, routes=("/away", "/broken"))
    assert result.shots == ()
    assert [row.reason.split()[0] for row in result.skipped] == ["leads", "answers"]


def test_what_a_page_embeds_from_elsewhere_is_loaded_and_is_no_reason_to_refuse(tmp_path: Path, serve: Serve) -> None:
    other = serve({"/frame": "<p>Elsewhere"})
    base = serve({"/": f"{PAGE}<iframe src='{other}/frame'></iframe><a href='{other}'>Away</a>"})
    result = _capture(base, tmp_path)
    assert len(result.shots) == 1
    facts = read_facts(EvidenceFolder(tmp_path).read(str(result.shots[0].facts)))
    assert facts.failed_requests == ()


def test_a_target_behind_basic_authentication_is_signed_in_to(tmp_path: Path, serve: Serve) -> None:
    base = serve({"/": PAGE})
    result = _capture(base.replace("://", "://me:s3cret@"), tmp_path)
    assert len(result.shots) == 1
    assert b"s3cret" not in EvidenceFolder(tmp_path).read(str(result.shots[0].facts))


def test_a_browser_that_is_not_there_is_said_with_the_mend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(browsers.VARIABLE, "/nowhere/chromium")
    with pytest.raises(BrowserError, match="/nowhere/chromium") as caught:
        _capture("http://127.0.0.1:1/", tmp_path)
    assert "chromium-headless-shell" in str(caught.value)


def test_a_program_that_is_no_browser_is_said_with_the_mend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(browsers.VARIABLE, "true")
    with pytest.raises(BrowserError, match="did not start") as caught:
        _capture("http://127.0.0.1:1/", tmp_path)
    assert browsers.VARIABLE in str(caught.value)


def test_the_first_browser_on_the_path_is_found(tmp_path: Path) -> None:
    for name in ("google-chrome", "chromium-headless-shell"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    assert browsers.find_browser({"PATH": str(tmp_path)}) == str(tmp_path / "chromium-headless-shell")
    assert browsers.find_browser({"PATH": str(tmp_path / "empty")}) is None


def test_a_folder_that_cannot_be_written_is_a_store_error(tmp_path: Path, serve: Serve) -> None:
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(StoreError, match="could not be written"):
        _capture(serve({"/": PAGE}), tmp_path / "file")


def test_cancelling_a_capture_closes_its_browser(tmp_path: Path, serve: Serve) -> None:
    base = serve({"/": Answer(PAGE, wait_s=30)})

    async def cancelled() -> None:
        plan = CapturePlan(target="site", base_url=base)
        task = asyncio.create_task(capture(plan, EvidenceFolder(tmp_path)))
        await asyncio.sleep(2)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())
