"""Another process that needs a verdict: `python verdict_worker.py STORE LOG JOB`.

It starts once its stdin has a line or ends, and appends to LOG what it does. Jobs: `judge` takes a moment over its live
call; `hang` never ends it.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from bicameral.model.judging import DialogueResult
from bicameral.runtime import verdicts
from bicameral.storage import SqlVerdictCache, Store
from dialogue_batches import first, hold, proposal, row, rulings, second


def main(store: str, log: str, job: str) -> None:
    def say(word: str) -> None:
        with Path(log).open("a") as file:
            file.write(word + "\n")

    async def live() -> DialogueResult:
        say("live")
        await asyncio.sleep(600 if job == "hang" else 0.5)
        return await hold(first(proposal(row())), second(rulings("agree")))

    verdicts.LEASE_S = 2.0  # type: ignore[misc]  # a minute is too long for a test
    say("ready")
    sys.stdin.readline()
    with Store.open(store) as opened:
        cache = SqlVerdictCache(opened, now_s=time.time)
        result = asyncio.run(verdicts.served_or_judged("k", cache, live))
    say(f"cached={result.cached}")


if __name__ == "__main__":
    main(*sys.argv[1:4])
