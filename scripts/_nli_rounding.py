"""Weights as 8-bit integers, each rounded so that it makes up for the rounding of those before it.

Answers for: integers and a scale for each output, by the method of GPTQ (Frantar et al. 2022) on the calibration
pieces. Declines to choose the activations' ranges (`_nli_ranges`).

A rule of our own: two weights that stand side by side and have one sign add up to at most 128. Processors without VNNI
multiply 8-bit numbers two at a time and add both products in 16 bits; 255 x 128 fits, so they give the same integers
as all others. Integers up to 80 leave few pairs to hold back: larger ones were worse for the many that then were, and
smaller ones for their coarseness (measured on the calibration pieces, 2026-12).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

Array = np.ndarray[Any, Any]
MOST: Final = 80
PAIR: Final = 128
_DAMPING: Final = 0.01
_BLOCK: Final = 128


def plainly(weight: Array) -> tuple[Array, Array]:
    """Each weight by itself. weight: (outputs, inputs). Gives the integers as floats and a scale for each output."""
    scale = np.abs(weight).max(axis=1) / MOST
    return np.clip(np.round(weight / scale[:, None]), -MOST, MOST), scale


def rounded(weight: Array, inputs: Array) -> tuple[Array, Array]:
    """int8 integers (outputs, inputs) and a float32 scale for each output. inputs: (pieces, inputs), as the network
    will see them, already rounded."""
    left = weight.astype(np.float64)
    outputs, width = left.shape
    scale = np.abs(left).max(axis=1) / MOST
    second = inputs.T.astype(np.float64) @ inputs / len(inputs)
    second[np.diag_indices(width)] += _DAMPING * np.diag(second).mean()
    order = np.argsort(-np.diag(second), kind="stable")
    left, second = left[:, order], second[order][:, order]
    upper = np.linalg.cholesky(np.linalg.inv(second)).T
    whole = np.zeros((outputs, width))
    for first in range(0, width, _BLOCK):
        end = min(first + _BLOCK, width)
        errors = np.zeros((outputs, end - first))
        for at in range(first, end):
            column = order[at]
            beside = whole[:, column ^ 1]
            value = np.clip(np.round(left[:, at] / scale), -MOST, MOST)
            value = np.clip(
                value, np.where(beside < 0, -PAIR - beside, -MOST), np.where(beside > 0, PAIR - beside, MOST)
            )
            whole[:, column] = value
            errors[:, at - first] = (left[:, at] - value * scale) / upper[at, at]
            left[:, at + 1 : end] -= np.outer(errors[:, at - first], upper[at, at + 1 : end])
        left[:, end:] -= errors @ upper[first:end, end:]
    return whole.astype(np.int8), scale.astype(np.float32)
