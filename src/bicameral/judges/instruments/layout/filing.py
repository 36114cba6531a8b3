"""How a layout rule files what it measured: the rule's words, with the element's name, region and box filled in."""

from __future__ import annotations

from dataclasses import dataclass

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout.tree import Tree
from bicameral.judges.instruments.slug import attribute_for
from bicameral.model.facts import Rect
from bicameral.model.vocabulary import Confidence, Severity


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What is the same for every defect that a rule files.

    name: first half of the attribute.  title, problem: without the element.  acceptance: when it is mended.
    """

    name: str
    category: str
    severity: Severity
    confidence: Confidence = "high"
    title: str
    problem: str
    expected: str
    acceptance: str

    def file(
        self,
        tree: Tree,
        index: int,
        observed: str,
        *,
        rect: Rect | None = None,
        severity: Severity | None = None,
        expected: str | None = None,
    ) -> Measured:
        """A defect on an element. observed: continues after the element's description (`is 4 px off`)."""
        who = wording.describe(tree.facts, index)
        return Measured(
            part="layout",
            category=self.category,
            attribute=attribute_for(self.name, tree.facts, index),
            region=tree.elements[index].region,
            severity=severity or self.severity,
            confidence=self.confidence,
            title=f"{self.title}: {wording.plain(who.removeprefix('The '), 70)}",
            problem=self.problem,
            expected=expected or self.expected,
            observed=f"{who} {observed}",
            acceptance=(self.acceptance,),
            rect=rect or tree.elements[index].box,
        )

    def file_page(self, slug: str, observed: str, *, severity: Severity | None = None) -> Measured:
        """A defect of the page as a whole. slug: what tells two of them apart; observed: a sentence."""
        return Measured(
            part="layout",
            category=self.category,
            attribute=f"{self.name}-{slug}",
            severity=severity or self.severity,
            confidence=self.confidence,
            title=self.title,
            problem=self.problem,
            expected=self.expected,
            observed=observed,
            acceptance=(self.acceptance,),
        )
