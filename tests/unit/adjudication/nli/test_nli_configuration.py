"""What a model's own files say of it."""

from __future__ import annotations

import pytest

from bicameral.adjudication.nli.configuration import read_config
from bicameral.errors import ModelError

WORDS = {"0": "contradiction", "1": "entailment", "2": "neutral"}


def test_the_order_of_the_labels_is_the_configs() -> None:
    assert read_config({"id2label": WORDS}).labels == ("contradiction", "entailment", "neutral")
    turned = {"2": "contradiction", "0": "entailment", "1": "neutral"}
    assert read_config({"id2label": turned}).labels == ("entailment", "neutral", "contradiction")


def test_labels_are_compared_after_trimming_and_case_folding() -> None:
    loud = {"0": "ENTAILMENT ", "1": "Neutral", "2": "Contradiction"}
    assert read_config({"id2label": loud}).labels == ("entailment", "neutral", "contradiction")


def test_nameless_labels_may_be_named_by_label2id() -> None:
    config = {
        "id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"},
        "label2id": {"neutral": 0, "contradiction": 1, "entailment": 2},
    }
    assert read_config(config).labels == ("neutral", "contradiction", "entailment")


def test_nameless_labels_are_refused_and_the_mend_is_named() -> None:
    with pytest.raises(ModelError, match=r"LABEL_1.*`labels`"):
        read_config({"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}})


def test_the_callers_labels_stand_instead() -> None:
    config = {"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}}
    read = read_config(config, labels=["neutral", "entailment", "contradiction"])
    assert read.labels == ("neutral", "entailment", "contradiction")
    with pytest.raises(ModelError, match="that were given"):
        read_config(config, labels=["neutral", "entailment", "yes"])


@pytest.mark.parametrize(
    "labels",
    [
        {"0": "entailment", "1": "not_entailment"},
        {"0": "contradiction"},
        {"0": "contradiction", "1": "entailment", "2": "neutral", "3": "other"},
        {},
    ],
)
def test_a_model_with_another_number_of_classes_is_refused(labels: dict[str, str]) -> None:
    with pytest.raises(ModelError, match="not three"):
        read_config({"id2label": labels})


@pytest.mark.parametrize(
    "labels",
    [
        {"0": "contradiction", "1": "contradiction", "2": "neutral"},
        {"0": "contradiction", "1": "entailment", "3": "neutral"},
        {"0": "contradiction", "1": 5, "2": "neutral"},
        {"0": "contradiction", "1": None, "2": "neutral"},
        {"0": "negative", "1": "neutral", "2": "positive"},
    ],
)
def test_labels_that_are_not_the_three_words_once_each_are_refused(labels: dict[str, object]) -> None:
    with pytest.raises(ModelError, match="once each"):
        read_config({"id2label": labels})


@pytest.mark.parametrize("config", [None, [], "text", {}, {"id2label": ["contradiction", "entailment", "neutral"]}])
def test_a_config_without_labels_is_refused(config: object) -> None:
    with pytest.raises(ModelError):
        read_config(config)


@pytest.mark.parametrize(
    ("config", "tokenizer", "length"),
    [
        ({}, None, 512),
        ({"max_length": 96}, None, 96),
        ({"max_position_embeddings": 512}, {"model_max_length": 128}, 128),
        ({"max_position_embeddings": 512}, {"model_max_length": 1e30}, 512),
        ({"max_position_embeddings": 514, "model_type": "roberta"}, {}, 512),
        ({"max_position_embeddings": 514}, {}, 514),
        ({"max_length": "96"}, {"model_max_length": True}, 512),
        ({"max_length": float("nan")}, {"model_max_length": 200.0}, 200),
    ],
)
def test_the_length_is_the_least_that_the_files_give(config: dict[str, object], tokenizer: object, length: int) -> None:
    assert read_config({"id2label": WORDS, **config}, tokenizer).max_length == length


@pytest.mark.parametrize("length", [0, 3, -1, 15])
def test_a_length_that_takes_no_two_sentences_is_refused(length: int) -> None:
    with pytest.raises(ModelError, match="too few"):
        read_config({"id2label": WORDS, "max_length": length})


@pytest.mark.parametrize("temperature", [0, -1, "1.3", True, float("inf"), float("nan")])
def test_a_temperature_that_is_none_is_refused(temperature: object) -> None:
    with pytest.raises(ModelError, match="temperature"):
        read_config({"id2label": WORDS, "temperature": temperature})


@pytest.mark.parametrize("scripts", ["LATIN", [], [1], {}])
def test_scripts_that_are_no_list_of_words_are_refused(scripts: object) -> None:
    with pytest.raises(ModelError, match="scripts"):
        read_config({"id2label": WORDS, "scripts": scripts})


@pytest.mark.parametrize("files", [[], {"model.onnx": 1}, "x"])
def test_digests_that_are_no_texts_are_refused(files: object) -> None:
    with pytest.raises(ModelError, match="files"):
        read_config({"id2label": WORDS, "files": files})
