"""What a model's own files say of it: the order of its labels, how much it reads at once, how sure it should sound.

Answers for: one value out of `config.json` (and `tokenizer_config.json`), or a ModelError that names the place and the
mend. Pure. Declines to assume an order of labels: a model whose config does not name them is not used.

Rules, in order:
1. Labels are `id2label`'s, trimmed and case folded: each of the three words once, at the indexes 0 to 2. Where it has
   only `LABEL_0` and the like, `label2id` may name them. Labels that the caller names stand instead of both.
2. The length is the least of those that the files give (`max_length` of our own configs, `model_max_length`,
   `max_position_embeddings` less what a family keeps for itself), or 512 where none does.
3. `name`, `temperature`, `scripts`, `checks`, `graph` and `files` are members of our own configs; others need none of
   them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bicameral.adjudication.nli.checks import KNOWN
from bicameral.adjudication.nli.scores import LABELS, Label
from bicameral.errors import ModelError

LEAST_LENGTH: Final = 16
USUAL_LENGTH: Final = 512
_UNBOUNDED: Final = 100_000
"""Tokenizers without a limit write 1e30 as their `model_max_length`."""
_POSITIONS_KEPT: Final = frozenset({"roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "mpnet", "longformer"})
"""Families whose first two positions are not for pieces: RoBERTa counts positions from its padding index plus one."""
_NAMELESS: Final = re.compile(r"label_\d+")


@dataclass(frozen=True, kw_only=True)
class ModelConfig:
    """labels: in the order of the logits.  max_length: pieces of a pair, separators included.

    temperature: divides the logits.  scripts: that the model reads, or None where it does not say.
    checks: that stand beside it, by name.  final_graph: the graph is to be run as it stands.  files: `sha256:` digests
    by file name.
    """

    labels: tuple[Label, Label, Label]
    max_length: int
    temperature: float = 1.0
    scripts: frozenset[str] | None = None
    checks: frozenset[str] = frozenset()
    final_graph: bool = False
    files: Mapping[str, str]
    name: str | None = None


def read_config(
    config: object, tokenizer: object = None, *, where: str = "config.json", labels: Sequence[str] | None = None
) -> ModelConfig:
    """Read the parsed files. tokenizer: `tokenizer_config.json`, None where there is none.

    labels: the three words in the order of the logits, for a model whose config does not say. Raises ModelError.
    """
    if not isinstance(config, Mapping):
        raise ModelError(f"{where} holds no JSON object.", mend="Fetch the model again.")
    theirs = tokenizer if isinstance(tokenizer, Mapping) else {}
    return ModelConfig(
        labels=_labels(config, where) if labels is None else _three(list(labels), "The labels that were given"),
        max_length=_length(config, theirs, where),
        temperature=_temperature(config, where),
        scripts=_scripts(config, where),
        checks=_checks(config, where),
        final_graph=config.get("graph") == "final",
        files=_files(config, where),
        name=config["name"] if isinstance(config.get("name"), str) and config["name"].strip() else None,
    )


def _labels(config: Mapping[str, Any], where: str) -> tuple[Label, Label, Label]:
    by_index = config.get("id2label")
    if not isinstance(by_index, Mapping):
        raise ModelError(f"{where} has no id2label.", mend="Use a model for natural-language inference.")
    words = [by_index.get(str(index), by_index.get(index)) for index in range(len(by_index))]
    nameless = all(isinstance(word, str) and _NAMELESS.fullmatch(word.strip().casefold()) for word in words)
    if nameless and isinstance(named := config.get("label2id"), Mapping):
        by_word = {index: word for word, index in named.items() if isinstance(index, int)}
        words = [by_word.get(index) for index in range(len(by_index))]
    return _three(words, f"{where}: id2label")


def _three(words: Sequence[object], what: str) -> tuple[Label, Label, Label]:
    folded = [word.strip().casefold() if isinstance(word, str) else None for word in words]
    if len(folded) != len(LABELS):
        raise ModelError(
            f"{what}: {len(folded)} labels, not three.",
            mend="Use a model that tells contradiction, entailment and neutral apart.",
        )
    if sorted(str(word) for word in folded) != sorted(LABELS):
        shown = ", ".join(str(word)[:40] for word in words)
        raise ModelError(
            f"{what} does not name contradiction, entailment and neutral once each, but {shown}.",
            mend="If you know the order of the model's labels, give it as `labels`.",
        )
    first, second, third = (next(label for label in LABELS if label == word) for word in folded)
    return first, second, third


def _length(config: Mapping[str, Any], tokenizer: Mapping[str, Any], where: str) -> int:
    kept = 2 if config.get("model_type") in _POSITIONS_KEPT else 0
    positions = _whole(config.get("max_position_embeddings"))
    given = [
        _whole(config.get("max_length")),
        _whole(tokenizer.get("model_max_length")),
        None if positions is None else positions - kept,
    ]
    length = min((one for one in given if one is not None and one < _UNBOUNDED), default=USUAL_LENGTH)
    if length < LEAST_LENGTH:
        raise ModelError(f"{where} allows {length} pieces, too few for two sentences.", mend="Fetch the model again.")
    return length


def _whole(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value != int(value):
        return None
    return int(value)


def _temperature(config: Mapping[str, Any], where: str) -> float:
    value = config.get("temperature", 1.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value <= 0:
        raise ModelError(f"{where}: the temperature is {value!r}.", mend="Give a number above 0, or leave it out.")
    return float(value)


def _scripts(config: Mapping[str, Any], where: str) -> frozenset[str] | None:
    value = config.get("scripts")
    if value is None:
        return None
    if not isinstance(value, list) or not value or not all(isinstance(one, str) for one in value):
        raise ModelError(f"{where}: scripts is {value!r}.", mend="Give a list such as ['LATIN'], or leave it out.")
    return frozenset(one.upper() for one in value)


def _checks(config: Mapping[str, Any], where: str) -> frozenset[str]:
    value = config.get("checks", [])
    if not isinstance(value, list) or not all(one in KNOWN for one in value):
        raise ModelError(f"{where}: checks is {value!r}.", mend=f"This version knows {', '.join(sorted(KNOWN))}.")
    return frozenset(value)


def _files(config: Mapping[str, Any], where: str) -> Mapping[str, str]:
    value = config.get("files", {})
    if not isinstance(value, Mapping) or not all(isinstance(one, str) for pair in value.items() for one in pair):
        raise ModelError(f"{where}: files is no list of names and digests.", mend="Fetch the model again.")
    return dict(value)
