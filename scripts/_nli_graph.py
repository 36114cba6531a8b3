"""The packaged NLI model as an ONNX graph, built node by node from the weights of a BERT classifier.

Answers for: one graph, in float32 or in int8 with fixed activation ranges. Declines to find the ranges (`_nli_ranges`)
and to write files (`export_nli`).

Why the scores of a pair do not depend on what shares its batch:
1. Pairs of one batch have one length in pieces, so there is no padding and no mask.
2. Every matrix product over the weights is of integers with scales fixed at export, so its sums are exact in any order
   of blocks, and the same on processors of any kind (`_nli_rounding`).
3. Attention and layer normalisation work inside one pair or one piece.
4. The last step (384 to 3) is a product and a sum in each pair by itself, not a matrix product, whose kernel would
   depend on the number of rows.

Of the last layer only what the first piece needs is computed: nothing else of it is read.

The graph is final: Add and LayerNormalization stay apart, because ONNX Runtime's fused SkipLayerNormalization is ten
times slower than the two (measured 2026-12, onnxruntime 1.32, AVX-512), so it is to be run as it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Array = np.ndarray[Any, Any]
OPSET: Final = 17
IR: Final = 9
MICROSOFT: Final = "com.microsoft"


@dataclass(frozen=True, kw_only=True)
class Range:
    """How the inputs of one product become 8-bit integers.

    divide: one positive factor for each input channel, taken out before and multiplied into the weights.
    low, high: what 0 and 255 stand for after that division; low <= 0 <= high.
    """

    divide: Array
    low: float
    high: float

    @property
    def step(self) -> np.float32:
        return np.float32((self.high - self.low) / 255)

    @property
    def zero(self) -> int:
        return int(np.clip(round(-self.low / float(self.step)), 0, 255))


@dataclass(frozen=True, kw_only=True)
class Shape:
    """Of the network: layers, heads, and the positions that are kept."""

    layers: int
    heads: int
    positions: int


@dataclass(frozen=True, kw_only=True)
class Product:
    """One product's inputs and weights as integers.

    integers, scale, shift: int8 (outputs, inputs), and for each output what an integer step stands for and what is
    added to the bias, so that on the calibration pieces the mean of the product is that of float32.
    """

    range: Range
    integers: Array
    scale: Array
    shift: Array


class Graph:
    """Builds one graph. Inputs `input_ids` and `token_type_ids` (int64, pairs x pieces); output `logits`.

    weights: by their Hugging Face names, float32.  products: by the name of the tensor that goes in, or None for
    float32 arithmetic.  watch: with float32, computes the last layer for all pieces, and adds each tensor that would be
    quantised as an output, so that its range can be found.
    """

    def __init__(
        self, weights: Mapping[str, Array], shape: Shape, products: Mapping[str, Product] | None, *, watch: bool = False
    ) -> None:
        self.weights = weights
        self.shape = shape
        self.products = products
        self.watch = watch
        self.watched: dict[str, str] = {}
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, value: Array) -> str:
        self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def node(self, kind: str, inputs: list[str], out: str, *, domain: str = "", **attributes: Any) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [out], name=out, domain=domain, **attributes))
        return out

    def integers(self, x: str, name: str) -> str | None:
        """The tensor as 8-bit integers, or None in float32."""
        self.watched[name] = x
        if self.products is None:
            return None
        how = self.products[name].range
        folded = name.endswith(".context")  # its factors are in the value weights
        if not folded and not np.all(how.divide == 1):
            x = self.node(
                "Mul", [x, self.constant(f"{name}.factor", (1 / how.divide).astype(np.float32))], f"{name}.even"
            )
        step = self.constant(f"{name}.step", np.array(how.step))
        zero = self.constant(f"{name}.zero", np.array(how.zero, np.uint8))
        return self.node("QuantizeLinear", [x, step, zero], f"{name}.integers")

    def product(
        self, x: str, of: str, name: str, whole: str | None, weight: Array, bias: Array, *, part: slice = slice(None)
    ) -> str:
        """x times the weights plus the bias.

        of: the tensor's name that `whole` was made from.  part: the outputs of that tensor's product that are meant.
        """
        if whole is None or self.products is None:
            out = self.node("MatMul", [x, self.constant(f"{name}.weight", weight.T)], f"{name}.product")
            return self.node("Add", [out, self.constant(f"{name}.bias", bias)], name)
        rounded = self.products[of]
        scale, shifted = rounded.scale[part], bias + rounded.shift[part]
        if name.endswith(".value"):
            by = self.products[f"{name.removesuffix('value')}context"].range.divide
            scale, shifted = scale / by, shifted / by
        inputs = [
            whole,
            self.constant(f"{name}.weight", rounded.integers[part].T),
            f"{of}.step",
            self.constant(f"{name}.scale", scale.astype(np.float32)),
            f"{of}.zero",
            self.constant(f"{name}.middle", np.zeros(len(scale), np.int8)),
            self.constant(f"{name}.bias", shifted.astype(np.float32)),
        ]
        return self.node("MatMulIntegerToFloat", inputs, name, domain=MICROSOFT)

    def normal(self, x: str, weights: str, name: str) -> str:
        gain = self.constant(f"{name}.gain", self.weights[f"{weights}.weight"])
        shift = self.constant(f"{name}.shift", self.weights[f"{weights}.bias"])
        return self.node("LayerNormalization", [x, gain, shift], name, axis=-1, epsilon=1e-12)

    def embedded(self) -> str:
        base = "bert.embeddings."
        words = self.weights[base + "word_embeddings.weight"]
        if self.products is None:
            x = self.node("Gather", [self.constant("words", words), "input_ids"], "words.taken")
        else:
            scale = np.abs(words).max(axis=1, keepdims=True) / 127
            whole = np.round(words / np.maximum(scale, 1e-12)).astype(np.int8)
            x = self.node("Gather", [self.constant("words", whole), "input_ids"], "words.whole")
            x = self.node("Cast", [x], "words.cast", to=TensorProto.FLOAT)
            by = self.node(
                "Gather", [self.constant("words.scale", scale.astype(np.float32)), "input_ids"], "words.steps"
            )
            x = self.node("Mul", [x, by], "words.taken")
        for name, value in (("zero", 0), ("one", 1), ("two", 2), ("last", -1)):
            self.constant(name, np.array([value], np.int64))
        kept = self.weights[base + "position_embeddings.weight"][: self.shape.positions]
        length = self.node("Slice", [self.node("Shape", ["input_ids"], "shape"), "one", "two"], "length")
        places = self.node("Slice", [self.constant("places", kept), "zero", length, "zero"], "places.taken")
        kinds = self.constant("kinds", self.weights[base + "token_type_embeddings.weight"])
        x = self.node("Add", [x, self.node("Gather", [kinds, "token_type_ids"], "kinds.taken")], "words.kinds")
        return self.normal(self.node("Add", [x, places], "words.places"), base + "LayerNorm", "embedded")

    def layer(self, x: str, number: int) -> str:
        base, name = f"bert.encoder.layer.{number}.", f"layer{number}"

        def part(path: str) -> tuple[Array, Array]:
            return self.weights[f"{base}{path}.weight"], self.weights[f"{base}{path}.bias"]

        whole = self.integers(x, f"{name}.input")
        asked, asked_whole = x, whole
        if number == self.shape.layers - 1 and not self.watch:
            # Only the first piece is read after the last layer, so it alone asks the others.
            asked = self.node("Slice", [x, "zero", "one", "one"], "first")
            if whole is not None:
                asked_whole = self.node("Slice", [whole, "zero", "one", "one"], "first.integers")
        parts = []
        for at, what in enumerate(("query", "key", "value")):
            weight, bias = part(f"attention.self.{what}")
            of = slice(at * len(bias), (at + 1) * len(bias))
            taken = (asked, asked_whole) if what == "query" else (x, whole)
            parts.append(self.product(taken[0], f"{name}.input", f"{name}.{what}", taken[1], weight, bias, part=of))
        x = asked
        seen = self.node("MultiHeadAttention", parts, f"{name}.context", domain=MICROSOFT, num_heads=self.shape.heads)
        whole = self.integers(seen, f"{name}.context")
        out = self.product(seen, f"{name}.context", f"{name}.attended", whole, *part("attention.output.dense"))
        x = self.normal(
            self.node("Add", [out, x], f"{name}.sum1"), base + "attention.output.LayerNorm", f"{name}.normal1"
        )
        whole = self.integers(x, f"{name}.between")
        wide = self.product(x, f"{name}.between", f"{name}.wide", whole, *part("intermediate.dense"))
        wide = self.node("Gelu", [wide], f"{name}.gelu", domain=MICROSOFT)
        whole = self.integers(wide, f"{name}.gelu")
        out = self.product(wide, f"{name}.gelu", f"{name}.narrow", whole, *part("output.dense"))
        return self.normal(self.node("Add", [out, x], f"{name}.sum2"), base + "output.LayerNorm", f"{name}.normal2")

    def build(self, notes: Mapping[str, str]) -> onnx.ModelProto:
        """The whole graph. notes: kept in the file's own metadata."""
        x = self.embedded()
        for number in range(self.shape.layers):
            x = self.layer(x, number)
        if self.watch:
            x = self.node("Slice", [x, "zero", "one", "one"], "first")
        whole = self.integers(x, "pooler")
        pooled = (self.weights["bert.pooler.dense.weight"], self.weights["bert.pooler.dense.bias"])
        x = self.node("Tanh", [self.product(x, "pooler", "pooled", whole, *pooled)], "pooled.tanh")
        x = self.node("Mul", [x, self.constant("labels", self.weights["classifier.weight"][None])], "labels.parts")
        x = self.node("ReduceSum", [x, "last"], "labels.sum", keepdims=0)
        self.node("Add", [x, self.constant("labels.bias", self.weights["classifier.bias"])], "logits")
        sides = ["pairs", "pieces"]
        inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, sides) for n in ("input_ids", "token_type_ids")]
        outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["pairs", 3])]
        if self.watch:
            outputs += [helper.make_tensor_value_info(x, TensorProto.FLOAT, None) for x in self.watched.values()]
        graph = helper.make_graph(self.nodes, "nli", inputs, outputs, list(self.constants.values()))
        versions = [helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)]
        model = helper.make_model(graph, opset_imports=versions, ir_version=IR, producer_name="bicameral-export-nli")
        helper.set_model_props(model, dict(sorted(notes.items())))
        return model
