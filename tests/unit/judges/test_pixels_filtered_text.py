"""Text that a filter or a mask fades in a real browser, of which its style tells nothing: far below always fails."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bicameral.evidence.capture import capture
from bicameral.evidence.facts import read_facts
from bicameral.evidence.plan import CapturePlan
from bicameral.evidence.store import EvidenceFolder
from bicameral.judges.instruments.instrument import Look
from bicameral.judges.instruments.pixels.sheet import Sheet
from bicameral.judges.instruments.pixels.texts import read_texts
from local_site import Serve

pytestmark = pytest.mark.browser

WORDS = "Members get ten per cent off all charts"
MASK = "-webkit-mask-image:linear-gradient(rgba(0,0,0,{0}),rgba(0,0,0,{0}))"
SIZES = (13, 14, 16, 18, 20, 26, 40)
FAR_BELOW = {
    **{f"opacity-{size}": f"filter:opacity(35%);font-size:{size}px" for size in SIZES},
    **{f"mask-{size}": f"{MASK.format(0.3)};font-size:{size}px" for size in SIZES},
    **{f"invert-{size}": f"color:#000;background:#fff;filter:invert(.55);font-size:{size}px" for size in SIZES},
    **{f"bold-{size}": f"filter:opacity(35%);font:700 {size}px sans-serif" for size in SIZES},
}
NEAR = {
    **{f"opacity-{size}": f"filter:opacity(90%);font-size:{size}px" for size in SIZES},
    **{f"mask-{size}": f"{MASK.format(0.9)};font-size:{size}px" for size in SIZES},
    **{f"invert-{size}": f"color:#000;background:#fff;filter:invert(1);font-size:{size}px" for size in SIZES},
    **{f"thin-{size}": f"font:200 {size}px 'DejaVu Sans Light';color:#707070" for size in SIZES},
    **{f"grey-{size}": f"filter:grayscale(1);color:#767676;font-size:{size}px" for size in SIZES},
}


def page(styles: dict[str, str]) -> str:
    texts = "".join(f'<p id="{name}" style="margin:4px;{style}">{WORDS}</p>' for name, style in styles.items())
    body = f"<style>body{{background:#fff;color:#222;font:16px 'Liberation Sans',Arial,sans-serif}}</style>{texts}"
    return f'<!doctype html><html lang="en"><title>Filters</title><main>{body}</main></html>'


@pytest.fixture(scope="module")
def outcomes(serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """By route, what the measurement settles about each text, by its id."""
    folder = EvidenceFolder(Path(tmp_path_factory.mktemp("evidence")))
    address = serve({"/far": page(FAR_BELOW), "/near": page(NEAR)})
    routes = ("/far", "/near")
    plan = CapturePlan(target="t", base_url=address, routes=routes, form_factors=("desktop",), schemes=("light",))
    found: dict[str, dict[str, str]] = {}
    for shot in asyncio.run(capture(plan, folder)).shots:
        assert shot.facts is not None
        look = Look(shot=shot, facts=read_facts(folder.read(shot.facts)), read=folder.read)
        assert look.facts is not None
        found[shot.route] = {
            look.facts.elements[text.run.element].attributes["id"]: text.outcome for text in read_texts(Sheet(look))
        }
    return found


def test_far_below_misses_at_every_size(outcomes: dict[str, dict[str, str]]) -> None:
    assert set(outcomes["/far"]) == set(FAR_BELOW)
    assert {name for name, outcome in outcomes["/far"].items() if outcome != "misses"} == set()


def test_what_is_readable_or_thin_never_misses(outcomes: dict[str, dict[str, str]]) -> None:
    assert set(outcomes["/near"]) == set(NEAR)
    assert {name for name, outcome in outcomes["/near"].items() if outcome == "misses"} == set()
