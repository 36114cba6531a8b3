"""Small classifiers for tests: a real ONNX file and a real tokenizer each, written here, read by the real libraries.

The network sums what it is given, piece by piece, and takes three sines of the sum: any change of a pair's pieces, of
padding or of a mask changes its numbers. Field numbers are those of onnx.proto (ONNX 1.16).
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path

from tokenizers import Tokenizer, models, pre_tokenizers, processors

INT64, INT32, FLOAT = 7, 6, 1
WORDS = [
    *("the", "a", "shop", "user", "is", "lives", "works", "open", "shut", "not", "on", "in", "at"),
    *("monday", "paris", "berlin", "acme", "one", "two", "three"),
]


def _varint(number: int) -> bytes:
    out = bytearray()
    number &= (1 << 64) - 1
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def _field(number: int, value: bytes | str | int) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    body = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(body)) + body


def _floats(name: str, dims: Sequence[int], values: Sequence[float]) -> bytes:
    raw = struct.pack(f"<{len(values)}f", *values)
    return b"".join(_field(1, d) for d in dims) + _field(2, FLOAT) + _field(8, name) + _field(9, raw)


def _wholes(name: str, values: Sequence[int]) -> bytes:
    raw = struct.pack(f"<{len(values)}q", *values)
    return _field(1, len(values)) + _field(2, INT64) + _field(8, name) + _field(9, raw)


def _whole_attribute(name: str, value: int) -> bytes:
    return _field(5, _field(1, name) + _field(3, value) + _field(20, 2))


def _node(kind: str, inputs: Sequence[str], out: str, *attributes: bytes) -> bytes:
    return b"".join(_field(1, one) for one in inputs) + _field(2, out) + _field(4, kind) + b"".join(attributes)


def _value(name: str, kind: int, dims: Sequence[str | int]) -> bytes:
    shape = b"".join(_field(1, _field(2, d) if isinstance(d, str) else _field(1, d)) for d in dims)
    return _field(1, name) + _field(2, _field(1, _field(1, kind) + _field(2, shape)))


def network(
    inputs: Sequence[str] = ("input_ids", "attention_mask", "token_type_ids"),
    *,
    labels: int = 3,
    kind: int = INT64,
    output: str = "logits",
    said_labels: str | int | None = None,
    constant: float | None = None,
) -> bytes:
    """An ONNX file. said_labels: the last side of the output's shape as the file states it.  constant: puts that number
    into every logit."""
    nodes, total = [], []
    for one in inputs:
        nodes.append(_node("Cast", [one], f"{one}.float", _whole_attribute("to", FLOAT)))
        total.append(f"{one}.float")
    if "attention_mask" in inputs:  # a masked piece counts for nothing, an unmasked one once more
        nodes.append(_node("Mul", ["input_ids.float", "attention_mask.float"], "masked"))
        total.append("masked")
    nodes.append(_node("Sum", total, "all"))
    nodes.append(_node("ReduceSum", ["all", "last"], "sum"))
    nodes.append(_node("Mul", ["sum", "weights"], "turned"))
    nodes.append(_node("Sin", ["turned"], "sines"))
    nodes.append(_node("Mul" if constant is None else "Add", ["sines", "scale"], output))
    weights = [0.37 + 0.21 * at for at in range(labels)]
    constants = [_floats("weights", [1, labels], weights), _wholes("last", [-1])]
    constants.append(_floats("scale", [1], [2.5 if constant is None else constant]))
    graph = b"".join(_field(1, one) for one in nodes) + _field(2, "toy") + b"".join(_field(5, one) for one in constants)
    graph += b"".join(_field(11, _value(one, kind, ["pairs", "pieces"])) for one in inputs)
    graph += _field(12, _value(output, FLOAT, ["pairs", labels if said_labels is None else said_labels]))
    return _field(1, 9) + _field(7, graph) + _field(8, _field(2, 17))


def tokenizer(*, padding: bool = True) -> str:
    """Whole words, `[CLS] premise [SEP] hypothesis [SEP]`, and (the trap) a padding and truncation of its own."""
    vocabulary = {word: at for at, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS])}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]"])
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    if padding:
        made.enable_padding(length=32)
        made.enable_truncation(8)
    return str(made.to_str())


def write_model(folder: Path, body: bytes | None = None, *, config: object = None, **members: object) -> Path:
    """A whole folder. members: of the config, over the usual ones."""
    folder.mkdir(parents=True, exist_ok=True)
    usual = {"id2label": {"0": "contradiction", "1": "entailment", "2": "neutral"}, "max_length": 32, **members}
    (folder / "model.onnx").write_bytes(network() if body is None else body)
    (folder / "tokenizer.json").write_text(tokenizer(), "utf-8")
    (folder / "config.json").write_text(json.dumps(usual if config is None else config), "utf-8")
    return folder
