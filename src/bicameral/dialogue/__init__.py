"""Two judges, one account: the reply contract, whose turn it is, and what comes of it.

Takes a `Question` and Judge ports, returns a `JudgeBatchResult` or a `DialogueResult`. Pure: no disk, network, clock or
chance; `runtime` fills the seats, keeps the cache and has the turns witnessed.
"""

from bicameral.canonical.fence import fenced
from bicameral.dialogue.asking import Listener
from bicameral.dialogue.cache import cache_key, decode_result, encode_result
from bicameral.dialogue.challenge import ChallengeReply, parse_challenge
from bicameral.dialogue.charge import Charge, read_charge
from bicameral.dialogue.consensus import consensus_for
from bicameral.dialogue.content import finding_content, mark_of, numbered
from bicameral.dialogue.engine import hold_dialogue, judge_alone
from bicameral.dialogue.outcome import outcome_of
from bicameral.dialogue.prompt import PROMPT_VERSION, compose
from bicameral.dialogue.proposal import ProposalReply, parse_judge_reply
from bicameral.dialogue.question import ENGINE_VERSION, Question, asks_about_clean, effective_roster
from bicameral.dialogue.refold import refold
from bicameral.dialogue.schemas import reply_schema

__all__ = [
    "ENGINE_VERSION",
    "PROMPT_VERSION",
    "ChallengeReply",
    "Charge",
    "Listener",
    "ProposalReply",
    "Question",
    "asks_about_clean",
    "cache_key",
    "compose",
    "consensus_for",
    "decode_result",
    "effective_roster",
    "encode_result",
    "fenced",
    "finding_content",
    "hold_dialogue",
    "judge_alone",
    "mark_of",
    "numbered",
    "outcome_of",
    "parse_challenge",
    "parse_judge_reply",
    "read_charge",
    "refold",
    "reply_schema",
]
