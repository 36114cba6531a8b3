"""Adapters that answer one request: the instruments, and whatever is registered beside them."""

from bicameral.judges.registry import ENTRY_POINTS, Registry, known_judges, open_judge, register_judge

__all__ = ["ENTRY_POINTS", "Registry", "known_judges", "open_judge", "register_judge"]
