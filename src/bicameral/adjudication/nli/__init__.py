"""Natural-language-inference classifiers: in this process (`OnnxNLI`), or one that listens elsewhere (`HttpNLI`).

`provider` is the first; `folder` and `configuration` say what a model's files are, `tokens` and `engine` run it,
`batches`, `reading`, `scores` and `windows` hold its rules, `fetch` gets another model from a hub. `packaged/` is the
model that is part of this package, with its card. Nothing is loaded before it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bicameral.adjudication.nli.http import HttpNLI
    from bicameral.adjudication.nli.provider import OnnxNLI

__all__ = ["HttpNLI", "OnnxNLI"]

_HOME_OF = {"HttpNLI": "http", "OnnxNLI": "provider"}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
