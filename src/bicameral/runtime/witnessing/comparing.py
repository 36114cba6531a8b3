"""Whether two dialogs are one, and if not, where they part.

Answers for: two names of any kind that `locating` knows. Declines to compare what is no dialog.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bicameral.canonical import open_dialog
from bicameral.runtime.witnessing.locating import locate
from bicameral.settings import Settings
from bicameral.witness import Difference, build_equivalence_v1_record, first_difference


@dataclass(frozen=True, kw_only=True)
class Compared:
    """difference: None where the two are one dialog.  record: of the comparison, an `equivalence.v1` record."""

    difference: Difference | None
    record: Mapping[str, Any]


def compare(settings: Settings, a: str, b: str, *, label: str | None = None) -> Compared:
    """Compare two dialogs by name. Raises InputError and RecordError as `locate` does, and for what is no dialog."""
    one, other = (open_dialog(locate(settings, name).members) for name in (a, b))
    return Compared(
        difference=first_difference(one, other), record=build_equivalence_v1_record(one, other, label=label)
    )
