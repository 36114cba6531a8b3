"""Weighs a table in a process that kills itself after so many batches: `pairs_worker.py IN OUT BATCHES`."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from adjudication_doubles import BatchingNLI
from bicameral.runtime.adjudicating import Adjudicators
from bicameral.runtime.pairs import adjudicate_table


class Mortal(BatchingNLI):
    """Kills its process, as a power switch would, at the start of a batch."""

    left = 0

    async def classify_batch(self, pairs: Any) -> Any:
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        self.left -= 1
        return await super().classify_batch(pairs)


if __name__ == "__main__":
    nli = Mortal()
    nli.left = int(sys.argv[3])
    asyncio.run(adjudicate_table(Path(sys.argv[1]), Path(sys.argv[2]), Adjudicators(nli=nli)))
