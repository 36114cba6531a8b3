"""The network itself. The one module that knows ONNX Runtime and numpy.

Answers for: logits of a batch of pairs of equal length, in float32. Declines to pad, to cut and to know what the
numbers mean.

Rules, in order:
1. One run uses one thread; who wants two cores runs two batches side by side. So a pair's numbers do not depend on
   how many threads there are, and no time goes into waiting for the other thread after each layer.
2. A graph that says it is final is run as it is. Any other is optimised, but Add and LayerNormalization stay apart:
   the fused operator is ten times slower than the two (onnxruntime 1.32 on AVX-512, 2026-12).
3. A graph that finds its scales while it runs finds them over the whole batch, so its pairs have to go alone.
4. Inputs are those that the graph asks for, of `input_ids`, `attention_mask` and `token_type_ids`.
"""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from bicameral.adjudication.nli.tokens import Pieces
from bicameral.errors import ModelError

_KNOWN: Final = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_SLOW: Final = ["SkipLayerNormFusion", "BiasSkipLayerNormFusion"]
_ERRORS_ONLY: Final = 3
_BY_BATCH: Final = b"DynamicQuantizeLinear"


class Engine:
    """A network's file, ready to run. Raises ModelError for one that is no three-way classifier of pairs.

    alone: whether a pair has to go alone, or its numbers depend on what shares its batch.
    """

    def __init__(self, path: Path, *, final_graph: bool) -> None:
        ort: Any = import_module("onnxruntime")
        self._numpy: Any = import_module("numpy")
        self._path = path
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.enable_mem_pattern = False  # shapes differ from batch to batch, and a pattern is kept for each
        options.log_severity_level = _ERRORS_ONLY
        levels = ort.GraphOptimizationLevel
        options.graph_optimization_level = levels.ORT_DISABLE_ALL if final_graph else levels.ORT_ENABLE_ALL
        try:
            self._session: Any = ort.InferenceSession(
                str(path),
                options,
                providers=["CPUExecutionProvider"],
                disabled_optimizers=None if final_graph else _SLOW,
            )
        except Exception as exc:  # the library's errors have no base of their own
            raise ModelError(f"{path} cannot be loaded: {_first_line(exc)}", mend="Fetch the model again.") from exc
        self.alone = _holds(path, _BY_BATCH)
        self._inputs = {one.name: self._type_of(one) for one in self._session.get_inputs()}
        self._output = self._logits()

    def _type_of(self, wanted: Any) -> Any:
        kinds = {"tensor(int64)": self._numpy.int64, "tensor(int32)": self._numpy.int32}
        if wanted.name not in _KNOWN or wanted.type not in kinds:
            raise ModelError(
                f"{self._path} asks for an input {wanted.name!r} of type {wanted.type}.",
                mend="Use the export of a cross-encoder that reads text pairs.",
            )
        return kinds[wanted.type]

    def _logits(self) -> str:
        outputs = self._session.get_outputs()
        found = next((one for one in outputs if one.name == "logits"), outputs[0])
        shape = list(found.shape or [])
        last = shape[-1] if shape else None
        if "input_ids" not in self._inputs or len(shape) != 2 or (isinstance(last, int) and last != 3):
            raise ModelError(
                f"{self._path} puts out {found.name!r} of shape {shape}, not three numbers for each pair.",
                mend="Use a model that tells contradiction, entailment and neutral apart.",
            )
        name: str = found.name
        return name

    def run(self, batch: Sequence[Pieces]) -> list[list[float]]:
        """Three logits for each pair, in order. batch: at least one pair, all of one length."""
        columns = {
            "input_ids": [one.ids for one in batch],
            "token_type_ids": [one.sides for one in batch],
            "attention_mask": [[1] * len(one.ids) for one in batch],
        }
        feeds = {name: self._numpy.array(columns[name], kind) for name, kind in self._inputs.items()}
        try:
            (logits,) = self._session.run([self._output], feeds)
        except Exception as exc:  # see above
            raise ModelError(f"{self._path} cannot be run: {_first_line(exc)}", mend="Fetch the model again.") from exc
        if logits.shape != (len(batch), 3):
            raise ModelError(
                f"{self._path} gave numbers of shape {logits.shape} for {len(batch)} pairs.",
                mend="Use a model that tells contradiction, entailment and neutral apart.",
            )
        rows: list[list[float]] = logits.astype(self._numpy.float64).tolist()
        return rows


def _holds(path: Path, word: bytes) -> bool:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as read:
        return read.find(word) >= 0


def _first_line(exc: Exception) -> str:
    return (str(exc).strip() or type(exc).__name__).splitlines()[0][:300]
