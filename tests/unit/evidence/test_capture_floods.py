"""A page that floods takes nothing but itself down: pages beside it are seen, nothing is printed, time is bounded."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Final

import pytest

from bicameral.evidence.browser import fresh_page, open_browser
from bicameral.evidence.capture import capture
from bicameral.evidence.facts import read_facts
from bicameral.evidence.plan import CapturePlan, CaptureResult, Limits
from bicameral.evidence.store import EvidenceFolder
from local_site import Answer, Serve

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


def _page(script: str) -> str:
    return f"<!doctype html><html lang=en><title>T</title><body><h1>Words</h1><script>{script}</script></body></html>"


CALM: Final = _page("")
FLOODS: Final = {
    "console": "let i = 0; setInterval(() => { for (let k = 0; k < 2000; k++) console.error('boom ' + i++) }, 1)",
    "reports": "setInterval(() => { for (let k = 0; k < 2000; k++) reportError(new Error('e' + k)) }, 1)",
    "throws": "const c = new MessageChannel(); c.port1.onmessage = () => { c.port2.postMessage(0); throw 1 };"
    "c.port2.postMessage(0)",
    "rejections": "setInterval(() => { for (let k = 0; k < 2000; k++) Promise.reject(new Error('r' + k)) }, 1)",
    "logs": "setInterval(() => { for (let k = 0; k < 2000; k++) console.log('x', {a: 1}) }, 1)",
    "fetches": "let n = 0; const go = () => fetch('/?' + n++).then(go, go); for (let k = 0; k < 50; k++) go()",
    "sockets": "setInterval(() => { for (let k = 0; k < 20; k++) new WebSocket('ws://127.0.0.1:1/') }, 5)",
    "worker": "new Worker(URL.createObjectURL(new Blob(['for (let k = 0; ; k++) console.error(k)'])))",
    "loop": "setTimeout(() => { for (;;) console.error('x') }, 300)",
    "frames": "let n = 0; setInterval(() => { for (let k = 0; k < 20; k++) {"
    "const f = document.createElement('iframe'); f.src = '/?' + n++;"
    "document.body.append(f); setTimeout(() => f.remove(), 50) } }, 10)",
}
STEADY: Final = {
    "messages": "let i = 0; setInterval(() => { for (let k = 0; k < 10; k++) console.error('boom ' + i++) }, 5)",
    "reports": "let i = 0; setInterval(() => { for (let k = 0; k < 10; k++) reportError(new Error('b' + i++)) }, 5)",
}


def _capture(base_url: str, place: Path, *routes: str, **limits: float) -> CaptureResult:
    plan = CapturePlan(
        target="site",
        base_url=base_url,
        routes=routes,
        form_factors=("phone",),
        schemes=("light",),
        limits=Limits(**{"answer_s": 5, "settle_s": 5, "axe_s": 10, "shot_s": 60, **limits}),
    )
    return asyncio.run(capture(plan, EvidenceFolder(place)))


def _site(script: str) -> dict[str, str]:
    return {"/": CALM, "/floods": _page(script), "/beside": CALM}


@pytest.mark.parametrize("script", FLOODS.values(), ids=FLOODS)
def test_a_flood_costs_no_page_but_its_own_and_prints_nothing(
    tmp_path: Path, serve: Serve, capfd: pytest.CaptureFixture[str], script: str
) -> None:
    result = _capture(serve(_site(script)), tmp_path, "/", "/floods", "/beside")
    assert {"/", "/beside"} <= {shot.route for shot in result.shots}
    # Whether the page itself could still be stopped depends on how fast this machine is.
    said = [*result.notes, *(row.reason for row in result.skipped)]
    assert len(said) == 1
    assert "made more than" in said[0] or "still loading" in said[0]
    assert [row.where for row in result.skipped] in ([], ["site/floods"])
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("script", STEADY.values(), ids=STEADY)
def test_a_page_that_never_ends_to_report_errors_is_stopped_and_judged(
    tmp_path: Path, serve: Serve, script: str
) -> None:
    result = _capture(serve(_site(script)), tmp_path, "/", "/floods", "/beside")
    assert [shot.route for shot in result.shots] == ["/", "/floods", "/beside"]
    assert [note.partition(" ")[2] for note in result.notes] == [
        "made more than 500 console messages; it was stopped and judged as it stood."
    ]


def test_what_is_kept_of_a_flood_is_bounded(tmp_path: Path, serve: Serve) -> None:
    result = _capture(serve(_site(STEADY["messages"])), tmp_path, "/floods")
    facts = read_facts(EvidenceFolder(tmp_path).read(str(result.shots[0].facts)))
    assert 0 < len(facts.console) <= 100
    assert facts.page.settled is False


def test_a_page_in_an_endless_loop_leaves_the_clock_of_the_others_alone(
    tmp_path: Path, serve: Serve, capfd: pytest.CaptureFixture[str]
) -> None:
    site = {"/": CALM, "/floods": _page("for (;;);"), "/beside": CALM, "/after": CALM}
    result = _capture(serve(site), tmp_path, "/", "/floods", "/beside", "/after", shot_s=10)
    assert [shot.route for shot in result.shots] == ["/", "/beside", "/after"]
    assert result.skipped[0].reason == "could not be measured within 10 s at phone, light"
    assert capfd.readouterr().err == ""


def test_a_page_of_many_files_and_some_errors_is_not_taken_for_a_flood(tmp_path: Path, serve: Serve) -> None:
    many = _page("for (let k = 0; k < 400; k++) { fetch('/?' + k); if (k < 120) console.error('e' + k) }")
    result = _capture(serve({"/": many}), tmp_path, "/", settle_s=20)
    assert result.notes == ()


@pytest.mark.parametrize(
    "script",
    ["onload = () => document.documentElement.remove()", "setInterval(() => location.reload(), 400)"],
    ids=["removes itself", "reloads"],
)
def test_a_page_that_takes_itself_away_is_skipped_in_plain_words(tmp_path: Path, serve: Serve, script: str) -> None:
    result = _capture(serve(_site(script)), tmp_path, "/", "/floods")
    for row in result.skipped:
        for internal in ("TypeError", "Protocol error", "CDPSession", "null", "Traceback"):
            assert internal not in row.reason


def test_names_of_hundreds_of_thousands_of_letters_cost_no_page(tmp_path: Path, serve: Serve) -> None:
    long = (
        f"<p id='{'a' * 200_000}' class='{'b' * 200_000}'>Words</p><p id='{'a1-' * 60_000}'>Words</p>"
        f"<button aria-label='{'z' * 500_000}'></button><a href='/{'q' * 200_000}'>{'word ' * 10_000}</a>"
    )
    result = _capture(serve({"/": CALM.replace("<script>", f"{long}<script>")}), tmp_path, "/", shot_s=90)
    facts = read_facts(EvidenceFolder(tmp_path).read(str(result.shots[0].facts)))
    assert {len(value) for element in facts.elements for value in element.attributes.values()} <= set(range(201))


@pytest.mark.parametrize("opens", ["open('{}')", "a.click()", "f.submit()"], ids=["open", "link", "form"])
def test_what_a_page_opens_in_another_window_is_never_asked_for(tmp_path: Path, serve: Serve, opens: str) -> None:
    asked: list[str] = []

    class Listening(dict[str, Any]):
        def get(self, key: str, default: Any = None) -> Any:
            asked.append(key)
            return default

    other = f"{serve(Listening())}/there"
    parts = f"<a id=a target=_blank href='{other}'>A</a><form id=f target=_blank action='{other}'></form>"
    body = CALM.replace("<script>", f"{parts}<script>{opens.format(other)};")
    result = _capture(serve({"/": Answer(body)}), tmp_path, "/")
    assert len(result.shots) == 1
    assert asked == []


def test_a_browser_that_was_given_up_is_replaced() -> None:
    async def work() -> tuple[int, str]:
        async with open_browser() as engine:
            first = await engine.browser()
            engine.give_up(first)
            async with fresh_page(engine, viewport=(300, 300), scheme="light", trust_certificates=False) as page:
                await page.set_content("<title>Here</title>")
                return engine.generation, await page.title()

    assert asyncio.run(work()) == (1, "Here")
