"""Findings across runs: how they merge, what people rule, and the document a team commits. Pure."""

from bicameral.backlog.combine import Combined, combine
from bicameral.backlog.document import export_document, read_document
from bicameral.backlog.merge import Happening, JudgedBatch, Merged, keys_of, merge
from bicameral.backlog.reach import Reach, reach_of
from bicameral.backlog.rulings import MIN_PREFIX, find_issue, rule

__all__ = [
    "MIN_PREFIX",
    "Combined",
    "Happening",
    "JudgedBatch",
    "Merged",
    "Reach",
    "combine",
    "export_document",
    "find_issue",
    "keys_of",
    "merge",
    "reach_of",
    "read_document",
    "rule",
]
