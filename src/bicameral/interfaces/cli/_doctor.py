"""`doctor`: what can be used here, and why the rest cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bicameral.interfaces.cli._options import AsJson, Config, State, settings_for

if TYPE_CHECKING:
    from bicameral.runtime.doctor import Diagnosis


def doctor(state: State = None, config: Config = None, as_json: AsJson = False) -> int:
    """List every judge, the browser, the store and the settings: whether each can be used here, and why not.

    Exit status: 0 if the default judges, the browser and the store can be used, else 2.
    """
    settings = settings_for(config, state)
    from bicameral.runtime.doctor import diagnose

    diagnosis = diagnose(settings)
    if as_json:
        from bicameral.interfaces.cli._output import print_json

        print_json(diagnosis.document())
    else:
        _show(diagnosis)
    return 0 if diagnosis.ok else 2


def _show(diagnosis: Diagnosis) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("", "What", "Used for", "Needs"):
        table.add_column(heading)
    for check in diagnosis.checks:
        mark = Text("ok", style="green") if check.ok else Text("no", style="bold red")
        table.add_row(mark, check.name, check.what, check.needs)
    console.print(table)
    for check in diagnosis.checks:
        if check.why_not:
            console.print(Text(f"{check.name}: {check.why_not}"))
    console.print()
    for name, value, source in diagnosis.settings:
        console.print(Text(f"{name} = {value}  ({source})", style="dim"))
