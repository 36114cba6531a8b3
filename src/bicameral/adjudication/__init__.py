"""Is a pair worth weighing, does it contradict, and what follows.

Answers for: the ladder of providers (`adjudicate_contradiction`, `adjudicate_many`), its rules as pure functions of
what was said (`nli_to_verdict`, `replay_rungs`, `effect_of`), and the gate for those who search (`related`). Declines
to know beliefs, findings or files. `nli/` holds the NLI providers; language models are handed in.
"""

from bicameral.adjudication.effects import EFFECTS, Effect, effect_of
from bicameral.adjudication.ladder import adjudicate_contradiction
from bicameral.adjudication.many import adjudicate_many
from bicameral.adjudication.recorded import read_result, result_document
from bicameral.adjudication.rules import Thresholds, nli_to_verdict, replay_rungs
from bicameral.adjudication.stored import StoredNLI

__all__ = [
    "EFFECTS",
    "Effect",
    "StoredNLI",
    "Thresholds",
    "adjudicate_contradiction",
    "adjudicate_many",
    "effect_of",
    "nli_to_verdict",
    "read_result",
    "replay_rungs",
    "result_document",
]
