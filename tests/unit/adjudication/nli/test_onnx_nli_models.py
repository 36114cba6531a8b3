"""`OnnxNLI` with models of other kinds: what it takes, what it refuses, and what it says."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from nli_toys import INT32, WORDS, network, write_model

from bicameral.adjudication.nli import OnnxNLI
from bicameral.errors import InputError, ModelError, ProviderFailed

PAIRS = [
    ("the shop is open", "the shop is not open"),
    ("the user lives in paris", "the user lives in berlin"),
    ("the shop is shut on monday", "the shop is open"),
    ("one", "two three"),
]


def answers(folder: Path, **how: object) -> list[object]:
    with OnnxNLI.open(folder, **how) as nli:  # type: ignore[arg-type]
        return [(one.label, dict(one.scores)) for one in nli.classify_many(PAIRS)]


def test_the_tokenizers_own_padding_and_truncation_are_switched_off(tmp_path: Path) -> None:
    padded = write_model(tmp_path / "padded")
    plain = write_model(tmp_path / "plain")
    from nli_toys import tokenizer

    (plain / "tokenizer.json").write_text(tokenizer(padding=False), "utf-8")
    assert answers(padded) == answers(plain)


def test_a_model_without_token_types_or_without_a_mask_is_asked_without_them(tmp_path: Path) -> None:
    for inputs in (("input_ids",), ("input_ids", "attention_mask"), ("input_ids", "token_type_ids")):
        folder = write_model(tmp_path / "-".join(inputs), network(inputs))
        assert len(answers(folder)) == len(PAIRS)


def test_premise_and_hypothesis_are_told_apart_by_a_model_with_token_types(tmp_path: Path) -> None:
    with OnnxNLI.open(write_model(tmp_path / "m")) as nli:
        there, back = nli.classify_many([("one two three", "one"), ("one", "one two three")])
    assert there != back
    with OnnxNLI.open(write_model(tmp_path / "n", network(("input_ids",)))) as nli:
        there, back = nli.classify_many([("one two three", "one"), ("one", "one two three")])
    assert there == back  # this network only sums its pieces


def test_a_model_of_32_bit_inputs_gives_what_one_of_64_bit_gives(tmp_path: Path) -> None:
    wide, narrow = write_model(tmp_path / "w"), write_model(tmp_path / "n", network(kind=INT32))
    assert answers(wide) == answers(narrow)


def test_swapped_labels_swap_the_answers(tmp_path: Path) -> None:
    usual = write_model(tmp_path / "usual")
    turned = write_model(tmp_path / "turned", id2label={"0": "neutral", "1": "contradiction", "2": "entailment"})
    swap = {"contradiction": "neutral", "entailment": "contradiction", "neutral": "entailment"}
    for (label, scores), (other, turned_scores) in zip(answers(usual), answers(turned), strict=True):  # type: ignore[misc]
        assert other == swap[label]
        assert turned_scores == {swap[one]: score for one, score in scores.items()}


def test_labels_that_the_caller_names_are_used_and_change_the_digest(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m", id2label={"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"})
    with pytest.raises(ModelError, match="labels"):
        OnnxNLI.open(folder)
    first = OnnxNLI.open(folder, labels=("contradiction", "entailment", "neutral"))
    second = OnnxNLI.open(folder, labels=("neutral", "entailment", "contradiction"))
    assert first.digest != second.digest
    assert answers(folder, labels=("contradiction", "entailment", "neutral")) == answers(write_model(tmp_path / "n"))


def test_a_two_class_model_is_refused_when_it_is_opened(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m", network(labels=2), id2label={"0": "entailment", "1": "not_entailment"})
    with pytest.raises(ModelError, match="not three"):
        OnnxNLI.open(folder)


@pytest.mark.parametrize("said", [None, "labels", 3])
def test_a_network_of_two_numbers_is_refused_whatever_its_files_say(tmp_path: Path, said: str | int | None) -> None:
    folder = write_model(tmp_path / "m", network(labels=2, said_labels=said))
    nli = OnnxNLI.open(folder)
    with pytest.raises(ModelError, match="contradiction, entailment and neutral"):
        list(nli.classify_many(PAIRS))


@pytest.mark.parametrize(
    "body", [b"", b"no network at all", network(("input_ids", "pixel_values")), network(("token_type_ids",))]
)
def test_a_file_that_is_no_such_network_is_refused(tmp_path: Path, body: bytes) -> None:
    nli = OnnxNLI.open(write_model(tmp_path / "m", body))
    with pytest.raises(ModelError):
        nli.load()


def test_numbers_that_are_not_finite_are_a_failed_provider(tmp_path: Path) -> None:
    nli = OnnxNLI.open(write_model(tmp_path / "m", network(constant=float("nan"))))
    with pytest.raises(ProviderFailed, match="not finite"):
        list(nli.classify_many(PAIRS))


def test_a_network_under_onnx_is_found_and_a_name_may_be_given(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m")
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model.onnx")
    assert len(answers(folder)) == len(PAIRS)
    assert OnnxNLI.open(folder).name == "m"
    assert OnnxNLI.open(folder, name="mine").name == "mine"


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_missing_file_is_named(tmp_path: Path, missing: str) -> None:
    folder = write_model(tmp_path / "m")
    (folder / missing).unlink()
    with pytest.raises(ModelError, match=missing):
        OnnxNLI.open(folder)


@pytest.mark.parametrize("body", ["", "{", "[]", "\ufffe", "[" * 100_000])
def test_a_config_that_cannot_be_read_is_named(tmp_path: Path, body: str) -> None:
    folder = write_model(tmp_path / "m")
    (folder / "config.json").write_text(body, "utf-8")
    with pytest.raises(ModelError, match=r"config\.json"):
        OnnxNLI.open(folder)


@pytest.mark.parametrize("body", ["", "{}", '{"model": 5}'])
def test_a_tokenizer_that_cannot_be_read_is_named(tmp_path: Path, body: str) -> None:
    folder = write_model(tmp_path / "m")
    (folder / "tokenizer.json").write_text(body, "utf-8")
    with pytest.raises(ModelError, match=r"tokenizer\.json"):
        OnnxNLI.open(folder).load()


def test_what_is_no_folder_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no folder"):
        OnnxNLI.open(tmp_path / "nowhere")


def test_a_file_that_is_not_the_one_its_config_names_is_refused_with_both_digests(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m", files={"model.onnx": "sha256:" + "0" * 64})
    with pytest.raises(ModelError, match=r"sha256:[0-9a-f]{64}, not sha256:0{64}"):
        OnnxNLI.open(folder)


def test_the_digest_changes_with_every_file_and_not_with_the_folder(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m")
    shutil.copytree(folder, tmp_path / "copy")
    digests = [OnnxNLI.open(folder).digest, OnnxNLI.open(tmp_path / "copy").digest]
    assert digests[0] == digests[1]
    for name in ("model.onnx", "tokenizer.json", "config.json"):
        body = (folder / name).read_bytes()
        (folder / name).write_bytes(body + b"\n")
        digests.append(OnnxNLI.open(folder).digest)
        (folder / name).write_bytes(body)
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 30}), "utf-8")
    digests.append(OnnxNLI.open(folder).digest)
    assert len(set(digests)) == len(digests) - 1


@pytest.mark.parametrize("threads", [0, -1])
def test_an_impossible_number_of_threads_is_refused(tmp_path: Path, threads: int) -> None:
    with pytest.raises(InputError, match="threads"):
        OnnxNLI.open(write_model(tmp_path / "m"), threads=threads)


@pytest.mark.parametrize("pair", [("one",), ("one", None), ("one", 2), "ab", None, ("a", "b", "c")])
def test_what_is_no_pair_of_texts_is_refused_with_its_number(tmp_path: Path, pair: object) -> None:
    nli = OnnxNLI.open(write_model(tmp_path / "m"))
    with pytest.raises(InputError, match="Pair 1 "):
        list(nli.classify_many([PAIRS[0], pair]))  # type: ignore[list-item]


def test_a_network_that_finds_its_scales_while_it_runs_is_given_its_pairs_one_at_a_time(tmp_path: Path) -> None:
    from bicameral.adjudication.nli.engine import Engine

    usual = write_model(tmp_path / "m") / "model.onnx"
    assert not Engine(usual, final_graph=False).alone
    by_batch = tmp_path / "by-batch.onnx"
    by_batch.write_bytes(network(output="logits") + b"\x12\x15DynamicQuantizeLinear")  # as its producer's name
    assert Engine(by_batch, final_graph=False).alone


def test_a_pair_beyond_the_length_is_cut_into_windows_and_says_so(tmp_path: Path) -> None:
    long = "The shop is open on monday in paris. " * 20 + "The user works at acme."
    with OnnxNLI.open(write_model(tmp_path / "m")) as nli:
        (answer,) = nli.classify_many([(long, "the user works at acme")])
        (alone,) = nli.classify_many([("The user works at acme.", "the user works at acme")])
    assert answer == alone
    assert "1 of 21 window pairs" in str(answer.note)


def test_a_long_text_without_any_full_stop_is_cut_too(tmp_path: Path) -> None:
    long = " ".join(WORDS * 40)
    with OnnxNLI.open(write_model(tmp_path / "m")) as nli:
        (answer,) = nli.classify_many([(long, long[::-1])])
    assert "window pairs" in str(answer.note)
