"""What axe-core alone says of a page, and what the product filed, as claims of one shape."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from _labels import CRITERIA
from _scoring import Box, Claim, Place

from bicameral.judges.instruments.axe.filing import wording_of
from bicameral.judges.instruments.instrument import Look
from bicameral.judges.instruments.locate import elements_of, rect_of, slug_in
from bicameral.model.facts import AxeNode, Facts, Rect
from bicameral.model.findings import Finding

_TAG: Final = re.compile(r"wcag(\d)(\d)(\d+)")


def axe_claims(facts_by_form: Mapping[str, Facts]) -> list[Claim]:
    """Every node of every violation, one claim a rule and node over all form factors."""
    places: dict[tuple[str, str], dict[str, Place | None]] = {}
    known: dict[str, tuple[str, tuple[str, ...]]] = {}
    for form, facts in facts_by_form.items():
        for result in facts.axe.violations:
            known[result.rule] = (wording_of(result).category, criteria_of(result.tags))
            for node in result.nodes:
                places.setdefault((result.rule, node.target), {})[form] = _node_place(facts, node)
    return [
        Claim(rule=rule, category=known[rule][0], criteria=known[rule][1], by="axe", places=where)
        for (rule, _), where in places.items()
    ]


def finding_claims(looks: Sequence[Look], findings: Iterable[Finding]) -> list[Claim]:
    """What was filed, one claim a finding. looks: of all shots of the view."""
    by_id = {look.shot.shot_id: look for look in looks}
    tags = _axe_tags(looks)
    return [_claim(by_id, tags, finding) for finding in findings]


def _claim(looks: Mapping[str, Look], tags: Mapping[str, tuple[str, ...]], finding: Finding) -> Claim:
    seen = [looks[shot_id] for shot_id in finding.shot_ids]
    by_axe = finding.oracle == "axe"
    rule = _axe_rule(finding.attribute, tags) if by_axe else _own_rule(seen[0], finding)
    return Claim(
        rule=rule,
        category=finding.category,
        criteria=criteria_of(tags.get(rule, ())) if by_axe else CRITERIA.get(finding.category, ()),
        by=finding.oracle,
        places={look.shot.form_factor: _finding_place(look, finding) for look in seen},
    )


def _finding_place(look: Look, finding: Finding) -> Place | None:
    """Where it shows: its box and the elements it names. None where it is about the page."""
    elements = elements_of(look, finding)
    rect = rect_of(look, finding)
    boxes = [rect] if rect is not None else [_rect(look, index) for index in elements]
    if not boxes or (rect is None and any(_is_root(look, index) for index in elements)):
        return None
    return Place(elements=elements, boxes=tuple(_box(one) for one in boxes))


def _node_place(facts: Facts, node: AxeNode) -> Place | None:
    if node.element is not None:
        element = facts.elements[node.element]
        if element.tag == "html":
            return None
        return Place(elements=(node.element,), boxes=(_box(element.box),))
    return None if node.box is None else Place(boxes=(_box(node.box),))


def criteria_of(tags: Iterable[str]) -> tuple[str, ...]:
    """`wcag143` is criterion 1.4.3, `wcag1410` is 1.4.10."""
    found = [_TAG.fullmatch(tag) for tag in tags]
    return tuple(f"{match[1]}.{match[2]}.{match[3]}" for match in found if match is not None)


def _axe_tags(looks: Sequence[Look]) -> dict[str, tuple[str, ...]]:
    facts = [look.facts for look in looks if look.facts is not None]
    return {result.rule: result.tags for one in facts for result in one.axe.violations}


def _axe_rule(attribute: str, tags: Mapping[str, object]) -> str:
    """The longest rule that fired and that the attribute begins with."""
    fitting = [rule for rule in tags if attribute == rule or attribute.startswith(rule + "-")]
    return max(fitting, key=len, default=attribute)


def _own_rule(look: Look, finding: Finding) -> str:
    """The attribute without the element's slug; the category where that is not told apart."""
    slug = slug_in(look, finding.attribute)
    return finding.category if slug is None else finding.attribute.removesuffix("-" + slug)


def _rect(look: Look, index: int) -> Rect:
    assert look.facts is not None  # elements come from facts
    return look.facts.elements[index].box


def _is_root(look: Look, index: int) -> bool:
    return look.facts is not None and look.facts.elements[index].tag == "html"


def _box(rect: Rect) -> Box:
    return (rect.x, rect.y, rect.width, rect.height)
