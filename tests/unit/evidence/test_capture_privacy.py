"""What a page says in queries, fields and consoles, and where it is served, is in no facts."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest

from bicameral.evidence.capture import capture
from bicameral.evidence.plan import CapturePlan, CaptureResult, Limits
from bicameral.evidence.store import EvidenceFolder
from bicameral.evidence.target import without_addresses, without_secrets
from local_site import Answer, Serve

ORIGIN: Final = "http://127.0.0.1:8000"
HUSH: Final = "hu5hS3cret"
PAGE: Final = f"""<!doctype html><html lang=en><head><meta charset=utf-8><title>At HOSTPORT</title></head><body><main>
<h1>Served at HOSTPORT</h1><p id=o></p><p>Reset: http://HOSTPORT/reset?token={HUSH} or localhost:PORT</p>
<p><a href="/r?token={HUSH}" style="color:#ccc">one here</a> <a href="#{HUSH}">two</a> <a href="#o">three</a>
<a href="/x;jsessionid={HUSH}/y">four</a></p>
<img src="/i.png?sig={HUSH}" width=40 height=40><img src="/i;jsessionid={HUSH}.png" width=40 height=40>
<button aria-label="Open HOSTPORT" title="//HOSTPORT/a?token={HUSH}" style="width:9px;height:9px"></button>
<form action="/go?csrf={HUSH}"><input name=id value="{HUSH}"><textarea>{HUSH} and more</textarea>
<input type=search value="{HUSH}"><input type=hidden value={HUSH}><input type=password value={HUSH}>
<input data-token="{HUSH}" value="a"></form><iframe src="/f?sso={HUSH}"></iframe>
<iframe title=In srcdoc="<a href='/r?token={HUSH}' style='color:#ddd'>faint words</a>"></iframe></main><script>
o.textContent = location.host + ' ' + location.href;
console.error('GET /me?access_token={HUSH} 401'); console.error('Authorization: Bearer {HUSH}');
console.error('{{"token":"{HUSH}"}} ' + location.href + '?token={HUSH} on ' + location.host);
fetch('/me?access_token={HUSH}'); fetch('/x;token={HUSH}'); fetch('http://127.0.0.1:1/?token={HUSH}').catch(() => 0);
import('/m.js?k={HUSH}').catch((error) => console.error(error));
history.replaceState(null, '', '/page?state={HUSH}#id_token={HUSH}');
setTimeout(() => {{ throw new Error('at //' + location.host + '/a?token={HUSH}') }});
</script></body></html>"""


class _Site(dict[str, Any]):
    """Says its own host and port, which are known only once it is asked."""

    base = ""

    def get(self, key: str, default: Any = None) -> Any:
        host = urlsplit(self.base).netloc
        return PAGE.replace("HOSTPORT", host).replace("PORT", host.rpartition(":")[2]) if key == "/" else default


def _capture(base: str, place: Path, *routes: str) -> CaptureResult:
    plan = CapturePlan(
        target="site",
        base_url=base,
        routes=routes,
        form_factors=("phone",),
        schemes=("light",),
        limits=Limits(settle_s=5),
    )
    return asyncio.run(capture(plan, EvidenceFolder(place)))


def _facts(serve: Serve, place: Path) -> tuple[str, str]:
    site = _Site()
    site.base = serve(site)
    result = _capture(site.base, place)
    return EvidenceFolder(place).read(str(result.shots[0].facts)).decode(), site.base


@pytest.mark.browser
def test_no_secret_host_or_port_is_in_the_facts_and_a_port_moves_no_byte_of_them(tmp_path: Path, serve: Serve) -> None:
    first, base = _facts(serve, tmp_path)
    second, other = _facts(serve, tmp_path)
    assert base != other
    assert HUSH not in first
    assert HUSH[:6] not in first
    for place in (base, other):
        assert urlsplit(place).netloc not in first
        assert not re.search(rf":{urlsplit(place).port}\b", first)
    assert without_boxes(first) == without_boxes(second)


def without_boxes(facts: str) -> Any:
    """Ports of other digits are drawn with other widths, and nothing else differs."""

    def kept(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: kept(member) for name, member in value.items()}
        if isinstance(value, list):
            return [kept(member) for member in value if not isinstance(member, int | float)]
        return None if isinstance(value, float) else value

    return kept(json.loads(facts) | {"companion": None})


@pytest.mark.browser
def test_a_text_field_keeps_the_look_of_its_text_and_not_what_it_says(tmp_path: Path, serve: Serve) -> None:
    facts = json.loads(_facts(serve, tmp_path)[0])
    runs = [run for run in facts["text_runs"] if run["pseudo"] == "value"]
    assert [run["text"] for run in runs][:2] == ["x" * len(HUSH), f"{'x' * len(HUSH)} xxx xxxx"]
    assert all(run["lines"] and run["color"] for run in runs)
    assert re.findall(r"(?:textbox|searchbox).*: (.+)", facts["aria"])
    assert not re.search(r"(?:textbox|searchbox).*: .*[a-wy-z0-9]", facts["aria"])


@pytest.mark.browser
def test_a_fragment_is_kept_where_it_names_a_place_of_the_page(tmp_path: Path, serve: Serve) -> None:
    facts = json.loads(_facts(serve, tmp_path)[0])
    links = [element["attributes"]["href"] for element in facts["elements"] if element["tag"] == "a"]
    assert links[1:3] == ["/page", "/page#o"]


@pytest.mark.browser
def test_axes_words_for_an_element_hold_no_value_of_an_attribute_that_may_be_a_secret(
    tmp_path: Path, serve: Serve
) -> None:
    facts = json.loads(_facts(serve, tmp_path)[0])
    targets = {node["target"] for result in facts["axe"]["violations"] for node in result["nodes"]}
    assert any(target.startswith("img[src") for target in targets)
    assert not any("?" in target or "=" in target.partition("data-token")[2] for target in targets)


@pytest.mark.browser
def test_what_was_skipped_is_named_by_its_route_and_not_by_its_host(tmp_path: Path, serve: Serve) -> None:
    base = serve({"/": "<title>T</title><p>Words", "/gone": Answer("no", 404), "/hangs": Answer(wait_s=30)})
    plan = CapturePlan(
        target="site",
        base_url=base,
        routes=("/", "/gone", "/hangs"),
        form_factors=("phone",),
        schemes=("light",),
        limits=Limits(answer_s=1, settle_s=2),
    )
    result = asyncio.run(capture(plan, EvidenceFolder(tmp_path)))
    assert [(row.where, row.reason) for row in result.skipped] == [
        ("site/gone", "answers 404"),
        ("site/hangs", "did not answer within 1 s"),
    ]


@pytest.mark.browser
def test_what_is_logged_of_our_own_probing_is_not_the_pages(tmp_path: Path, serve: Serve) -> None:
    body = "<!doctype html><html lang=en><title>T</title><p>Words</p><script>x()</script>"
    policy = {"Content-Security-Policy": "default-src 'none'; sandbox"}
    result = _capture(serve({"/": Answer(body, headers=policy)}), tmp_path)
    facts = json.loads(EvidenceFolder(tmp_path).read(str(result.shots[0].facts)))
    assert not any("Blocked script execution" in row["text"] for row in facts["console"])


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("GET /me?access_token=hush 401", "GET /me 401"),
        ("see ./a.js?k=hush, b?x[]=hush", "see ./a.js b"),
        ("at //127.0.0.1:8000/a?token=hush", "at /a"),
        ("from //cdn.example.com/a?token=hush", "from http://cdn.example.com"),
        ("Failed /x;jsessionid=hush", "Failed /x;jsessionid"),
        ("127.0.0.1:8000, LOCALHOST:8000", "(this host), (this host)"),
        ("[::1]:8000 and 0.0.0.0:8000", "(this host) and (this host)"),
        ("127.0.0.1:80001 and localhost:9000", "127.0.0.1:80001 and localhost:9000"),
        ("Where to? a=b", "Where to? a=b"),
        ("Ready? Yes; go // now", "Ready? Yes; go // now"),
        ("", ""),
    ],
)  # fmt: skip
def test_what_is_kept_of_a_text_with_addresses(text: str, kept: str) -> None:
    assert without_addresses(text, ORIGIN) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Authorization: Bearer hush.hush1", "Authorization: Bearer (removed)"),
        ("authorization: hush", "authorization: (removed)"),
        ("Cookie: sid=hush", "Cookie: (removed)"),
        ('{"token":"hush","a":1}', '{"token":"(removed)","a":1}'),
        ("api_key='hush'", "api_key='(removed)'"),
        ("got eyJhbGciOiJI.eyJzdWIi.SflK", "got (removed)"),
        ("Bearer of bad news", "Bearer of bad news"),
        ("Unexpected token: < in JSON", "Unexpected token: < in JSON"),
        ("CSRF token: missing", "CSRF token: missing"),
    ],
)
def test_what_signs_somebody_in_is_taken_out_of_a_console(text: str, kept: str) -> None:
    assert without_secrets(text, ORIGIN) == kept


@pytest.mark.parametrize("origin", ["http://localhost", "https://app.localhost:8443", "http://[::1]:3000"])
def test_a_pages_own_host_is_one_word_whatever_it_is(origin: str) -> None:
    host = origin.partition("://")[2]
    assert without_addresses(f"at {host}, is it?", origin) == "at (this host), is it?"


@pytest.mark.parametrize("text", ["a" * 50_000, "/" * 50_000, "?a=" * 20_000, ";a" * 20_000, "http://" * 9_000])
def test_no_long_text_holds_up_the_cleaning(text: str) -> None:
    assert isinstance(without_addresses(text, ORIGIN), str)
