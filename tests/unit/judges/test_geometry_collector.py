"""The live measurements of `geometry.js`, on real pages in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

from bicameral.evidence._world import source
from bicameral.evidence.browser import fresh_page, open_browser

pytestmark = pytest.mark.browser

EVERYTHING = "Array.from(document.querySelectorAll('*'))"


async def measured(body: str, *, width: int = 600, state: str = "0") -> tuple[dict[str, Any], Any]:
    """What geometry says of a page, with element ids for indexes; and what `state` evaluates to afterwards."""
    async with (
        open_browser() as browser,
        fresh_page(browser, viewport=(width, 500), scheme="light", trust_certificates=False) as page,
    ):
        await page.set_content(f"<!doctype html><html><body style='margin:0'>{body}</body></html>")
        answer = await page.evaluate(f"({source('collect/geometry.js')})({EVERYTHING})")
        ids = await page.evaluate(f"{EVERYTHING}.map((node) => node.id || node.localName)")
        left = await page.evaluate(state)
    return _named(answer, ids), left


def _named(value: Any, ids: list[str]) -> Any:
    rows: dict[str, Any] = {}
    for name, member in value.items():
        if not isinstance(member, list):
            rows[name] = member
        elif member and isinstance(member[0], int):
            rows[name] = [ids[index] for index in member]
        else:
            rows[name] = {ids[row["element"]]: row for row in member}
    for row in rows["covered"].values():
        row["by"] = ids[row["by"]]
    return rows


async def test_what_sticks_out_sideways_and_what_a_scroller_holds() -> None:
    facts, _ = await measured(
        "<div id=wide style='width:700px;height:10px'></div>"
        "<div id=left style='position:absolute;left:-30px;width:50px;height:10px'></div>"
        "<div id=box style='width:200px;height:40px;overflow:auto'>"
        "<p id=held style='width:900px;height:90px'>a</p></div>"
        "<div id=still style='position:fixed;left:590px;width:90px;height:9px'></div>"
    )
    assert (facts["scroll_width_px"], facts["client_width_px"]) == (700, 600)
    assert facts["overflowing"].keys() == {"wide", "left"}
    assert facts["overflowing"]["wide"]["past_right_px"] == 100
    assert facts["overflowing"]["left"]["past_left_px"] == 30
    assert facts["scrollers"]["box"]["scroll"][0] == 900
    assert facts["scrollers"]["box"]["client"][0] == 200


async def test_a_control_under_something_else_and_controls_that_are_not() -> None:
    facts, _ = await measured(
        "<style>button,a{display:block;width:100px;height:30px}#lid{position:absolute;left:0;top:0;width:200px;height:20px}"
        "#stand{position:absolute;left:300px;top:0}#veil{position:absolute;left:300px;top:0;width:100px;height:30px;"
        "pointer-events:none}</style>"
        "<button id=under>Book</button><div id=lid>Notice</div><a id=free href=/x>Free</a>"
        "<button id=stand>Go</button><div id=veil></div>"
        "<div style='height:2000px'></div><button id=far>Far down</button>"
        "<label id=label style='position:relative;display:block'><input id=box type=checkbox style='position:absolute'>"
        "<span style='position:absolute;inset:0'>Draw</span></label>"
    )
    assert {name: row["by"] for name, row in facts["covered"].items()} == {"under": "lid"}


async def test_pictures_say_whether_they_loaded_and_canvases_whether_they_are_blank() -> None:
    dot = "data:image/gif;base64,R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs="
    facts, _ = await measured(
        f"<img id=good src='{dot}'><img id=bad src='data:image/png;base64,xxxx'><img id=none>"
        "<canvas id=blank></canvas><canvas id=drawn></canvas>"
        "<script>const pen = drawn.getContext('2d'); pen.fillRect(5, 5, 9, 9)</script>"
    )
    assert facts["images"]["good"] | {"element": 0} == {
        "element": 0, "natural": [1, 1], "complete": True, "address": "data:",
    }  # fmt: skip
    assert facts["images"]["bad"]["natural"] == [0, 0]
    assert facts["images"]["none"]["address"] is None
    assert (facts["canvases"], facts["blank_canvases"]) == (["blank", "drawn"], ["blank"])


async def test_endless_animations_and_what_they_change() -> None:
    facts, _ = await measured(
        "<style>@keyframes go{to{transform:rotate(1turn);opacity:.5}}#round{animation:go 2s infinite}"
        "#once{animation:go 2s 1}#stopped{animation:go 2s infinite paused}"
        "@media (prefers-reduced-motion:reduce){#kind{animation:none!important}}#kind{animation:go 2s infinite}</style>"
        "<div id=round>a</div><div id=once>a</div><div id=stopped>a</div><div id=kind>a</div>"
    )
    assert facts["animations"].keys() == {"round"}
    assert facts["animations"]["round"]["duration_ms"] == 2000
    assert facts["animations"]["round"]["properties"] == ["opacity", "transform"]


async def test_what_changes_when_an_element_is_focused() -> None:
    facts, _ = await measured(
        "<style>#none,#ring,#box,#slow{outline:none}#ring:focus-visible{box-shadow:0 0 0 3px red}"
        "#slow{transition:background-color 5s}#slow:focus{background-color:red}#box{position:absolute;opacity:0}"
        "#box:focus+#drawn::after{content:'';border:2px solid blue}#outer:focus-within{background:yellow}"
        "#inner{outline:none}#colour{outline:none}#colour:focus{outline-color:red}</style>"
        "<button id=plain>a</button><button id=none>b</button><a id=ring href=#>c</a><button id=slow>d</button>"
        "<input id=box type=checkbox><span id=drawn>e</span><div id=outer><a id=inner href=#>f</a></div>"
        "<button id=colour>g</button><button disabled>h</button><div id=programmatic tabindex=-1>i</div>"
    )
    focus = {name: row["changes"] for name, row in facts["focus"].items()}
    assert {name for name, changes in focus.items() if not changes} == {"none", "colour"}
    assert "box-shadow" in focus["ring"]
    assert "background-color" in focus["slow"]
    assert focus["box"]
    assert "background-color" in focus["inner"]
    assert not focus.keys() & {"button", "programmatic"}


async def test_pages_whose_scripts_draw_the_focus_are_not_measured_for_it() -> None:
    facts, _ = await measured("<div class=js-focus-visible><button id=a style='outline:none'>a</button></div>")
    assert facts["focus"] == {}


async def test_focus_scroll_and_style_sheets_are_put_back_and_no_handler_hears_of_it() -> None:
    _, left = await measured(
        "<input id=start><button id=other>b</button><div style='height:3000px'></div><a id=end href=#>c</a>"
        "<script>globalThis.heard = []; for (const kind of ['focus', 'blur'])"
        " for (const node of document.querySelectorAll('input,button,a'))"
        " node.addEventListener(kind, () => heard.push(kind));"
        " start.focus(); heard.length = 0; scrollTo(0, 700)</script>",
        state="[document.activeElement.id, scrollY, document.adoptedStyleSheets.length, globalThis.heard.length]",
    )
    assert left == ["start", 700, 0, 0]


@pytest.mark.parametrize(
    "body",
    [
        "<form><input name=matches><input name=getBoundingClientRect><input name=isConnected></form><a href=#>b</a>",
        "<script>Element.prototype.getBoundingClientRect = () => { throw new Error('no') }</script><p>a</p>",
        "<script>window.getComputedStyle = () => null</script><button>a</button>",
        "<script>document.getAnimations = () => { throw 1 };"
        "HTMLElement.prototype.focus = () => { throw 2 }</script><a href=#>b</a>",
        "<button onfocus='document.body.replaceChildren()'>a</button><button>b</button>",
        "<template><p>a</p></template><svg><a href=#><text y=9>b</text></a></svg><math><mi>x</mi></math>",
    ],
)
async def test_a_hostile_page_gets_an_answer_of_the_same_shape(body: str) -> None:
    facts, _ = await measured(body)
    assert facts.keys() == {
        "scroll_width_px", "client_width_px", "overflowing", "scrollers", "images", "canvases", "blank_canvases",
        "animations", "covered", "focus",
    }  # fmt: skip


async def test_a_page_of_many_elements_is_measured_to_a_limit() -> None:
    facts, _ = await measured("<a href=# style='display:block;outline:none'>a</a>" * 600)
    assert len(facts["focus"]) == 1  # they share a name here; the limit is on rows
    assert facts["scroll_width_px"] == 600


async def test_nothing_to_measure_is_an_answer_too() -> None:
    async with (
        open_browser() as browser,
        fresh_page(browser, viewport=(600, 500), scheme="light", trust_certificates=False) as page,
    ):
        for elements in ("[]", "null", "[null, document.createElement('p')]"):
            answer = await page.evaluate(f"({source('collect/geometry.js')})({elements})")
            assert answer["overflowing"] == answer["focus"] == []
