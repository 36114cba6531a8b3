"""Fixed activation ranges and integer weights for the int8 export, found on sentences written for it.

Answers for: a `Product` for each product of the network. Declines to look at any labelled set.

For each tensor, in order:
1. Its values are collected while the float32 network reads the calibration pairs.
2. Outlying channels are evened out against the weights (SmoothQuant, Xiao et al. 2022): factors
   max|x|^a / max|w|^(1-a), for several a.
3. Of these and of several clippings of the range, the one with the least squared error of the product stands.
4. The weights are rounded for it (`_nli_rounding`), and what the mean of the product is then off is added back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from _nli_graph import Array, Graph, Product, Range, Shape
from _nli_rounding import plainly, rounded

MIGRATIONS: Final = (0.0, 0.35, 0.5, 0.65, 0.8, 0.9, 1.0)
CLIPS: Final = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
ROWS: Final = 4000
"""Pieces on which the error of one choice is measured."""


def calibration_pairs(path: Path) -> list[tuple[str, str]]:
    """The file's pairs, both ways; each premise with itself and with another's hypothesis; and as a longer text."""
    rows = [line.split(" | ") for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    premises, hypotheses = [row[0] for row in rows], [row[1] for row in rows]
    count = len(rows)
    pairs = [(row[0], row[1]) for row in rows] + [(row[1], row[0]) for row in rows]
    for at in range(count):
        long = f"{premises[at]} {premises[(at + 31) % count]} {hypotheses[(at + 57) % count]}"
        pairs += [
            (premises[at], premises[at]),
            (premises[at], hypotheses[(at + 7) % count]),
            (long, hypotheses[at]),
        ]
    return pairs


def find_products(
    weights: Mapping[str, Array], shape: Shape, encoded: Sequence[tuple[list[int], list[int]]]
) -> dict[str, Product]:
    """Every product. encoded: (ids, type ids) of each calibration pair, no longer than the positions."""
    seen = _watch(weights, shape, encoded)
    return {name: _product(values, _weights_of(weights, name)) for name, values in seen.items()}


def _product(values: Array, weight: Array) -> Product:
    how = _best(values, weight)
    inputs = _rounded(values / how.divide, how).astype(np.float32)
    integers, scale = rounded(weight * how.divide, inputs)
    shift = (values @ weight.T - inputs @ (integers * scale[:, None]).T).mean(axis=0)
    return Product(range=how, integers=integers, scale=scale, shift=shift)


def _watch(
    weights: Mapping[str, Array], shape: Shape, encoded: Sequence[tuple[list[int], list[int]]]
) -> dict[str, Array]:
    import onnxruntime as ort

    graph = Graph(weights, shape, None, watch=True)
    model = graph.build({})
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    found: dict[str, list[Array]] = {name: [] for name in graph.watched}
    for ids, kinds in encoded:
        feeds = {"input_ids": np.array([ids], np.int64), "token_type_ids": np.array([kinds], np.int64)}
        for name, out in zip(found, session.run(list(graph.watched.values()), feeds), strict=True):
            found[name].append(out.reshape(-1, out.shape[-1]))
    return {name: np.concatenate(rows) for name, rows in found.items()}


def _weights_of(weights: Mapping[str, Array], name: str) -> Array:
    if name == "pooler":
        return weights["bert.pooler.dense.weight"]
    layer, _, part = name.partition(".")
    base = f"bert.encoder.layer.{layer.removeprefix('layer')}."
    if part == "input":
        return np.concatenate([weights[f"{base}attention.self.{one}.weight"] for one in ("query", "key", "value")])
    path = {"context": "attention.output.dense", "between": "intermediate.dense", "gelu": "output.dense"}[part]
    return weights[f"{base}{path}.weight"]


def _best(values: Array, weight: Array) -> Range:
    rng = np.random.default_rng(0)
    rows = values[rng.choice(len(values), min(ROWS, len(values)), replace=False)]
    wanted = rows @ weight.T
    most_x = np.maximum(np.abs(values).max(axis=0), 1e-4)
    most_w = np.maximum(np.abs(weight).max(axis=0), 1e-5)
    best: tuple[float, Range] | None = None
    for migration in MIGRATIONS:
        divide = np.ones_like(most_x)
        if migration:
            divide = most_x**migration / most_w ** (1 - migration)
            divide = divide / np.exp(np.log(divide).mean())
        divide = divide.astype(np.float32)
        whole, scale = plainly(weight * divide)
        back = (whole * scale[:, None]).T
        even = values / divide
        low, high = min(float(even.min()), 0.0), max(float(even.max()), 0.0)
        for clip in CLIPS:
            # A one-sided tensor (after Gelu) keeps its short side whole.
            short = low if -low < 0.2 * high else low * clip
            tried = Range(divide=divide, low=short, high=high * clip)
            error = float(np.square(_rounded(rows / divide, tried) @ back - wanted).mean())
            if best is None or error < best[0]:
                best = (error, tried)
    assert best is not None
    return best[1]


def _rounded(x: Array, how: Range) -> Any:
    return (np.clip(np.round(x / how.step) + how.zero, 0, 255) - how.zero) * how.step
