"""What other people's tests may use: doubles that implement the real ports, and assertions about dialogs.

`assert_dialogs_equivalent` compares two dialogs; `scripted` has a judge that answers from a script; `pytest_plugin` has
the `dialog_golden` fixture. Importing this package loads none of them: the plugin is loaded in every run of pytest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bicameral.testing.dialogs import assert_dialogs_equivalent

__all__ = ["assert_dialogs_equivalent"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from bicameral.testing import dialogs

        return getattr(dialogs, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
