"""Texts as the pieces that a model reads. The one module that knows the tokenizers library.

Answers for: pieces of pairs, with the separators of the tokenizer's own post-processor, never padded and never cut,
whatever the tokenizer's file says of padding and truncation. Declines to know the model's length.

A special token's name inside a text (`[SEP]`) is ordinary text: nobody ends a premise by writing that it has ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bicameral.errors import ModelError


@dataclass(frozen=True)
class Pieces:
    """One pair. ids, sides: of equal length; a side is 0 for the premise and 1 for the hypothesis, if it tells."""

    ids: Sequence[int]
    sides: Sequence[int]


class Tokens:
    """A tokenizer's file. Raises ModelError for one that cannot be read."""

    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer

        try:
            self._tokenizer: Any = Tokenizer.from_file(str(path))
        except Exception as exc:  # the library raises bare Exception for a bad file
            raise ModelError(f"{path} is no tokenizer: {exc}.", mend="Fetch the model again.") from exc
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._tokenizer.encode_special_tokens = True
        self.separators: int = self._tokenizer.num_special_tokens_to_add(is_pair=True)

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> list[Pieces]:
        """Each pair's pieces, in order. The texts hold no lone surrogates."""
        return [Pieces(one.ids, one.type_ids) for one in self._tokenizer.encode_batch(list(pairs))]

    def spans(self, text: str) -> list[tuple[int, int]]:
        """First and next character of each piece of a text alone, without separators."""
        spans: list[tuple[int, int]] = self._tokenizer.encode(text, add_special_tokens=False).offsets
        return spans
