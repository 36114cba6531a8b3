"""Fetching another model: pinned, whole or not there, and clear where the hub cannot be asked."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from nli_hub import COMMIT, OTHER_COMMIT, Hub, hub_of
from nli_toys import network, tokenizer

from bicameral.adjudication.nli import OnnxNLI
from bicameral.adjudication.nli.fetch import default_cache, fetch_model, fetched_folder
from bicameral.errors import ConfigError, ModelError, ProviderFailed

LABELS = {"0": "CONTRADICTION", "1": "ENTAILMENT", "2": "NEUTRAL"}
CONFIG = json.dumps({"model_type": "bert", "id2label": LABELS, "max_position_embeddings": 64}).encode()
FILES = {
    "README.md": b"# a model",
    "config.json": CONFIG,
    "model.safetensors": b"not needed here",
    "onnx/model.onnx": network(("input_ids", "attention_mask")),
    "onnx/model_quantized.onnx": b"not wanted",
    "tokenizer.json": tokenizer().encode(),
    "tokenizer_config.json": b'{"model_max_length": 48}',
}
WANTED = {"config.json", "tokenizer.json", "tokenizer_config.json", "onnx/model.onnx"}


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    made = Hub(commits={COMMIT: FILES}, branches={"main": COMMIT}, large={"onnx/model.onnx", "model.safetensors"})
    with hub_of(made) as listening:
        yield listening


def left_behind(cache: Path) -> list[str]:
    return [path.name for path in cache.rglob(".part-*")]


def test_a_model_is_fetched_by_commit_and_opened_without_the_hub(hub: Hub, tmp_path: Path) -> None:
    fetched = fetch_model(f"org/model@{COMMIT}", cache_dir=tmp_path / "c", endpoint=hub.url)
    assert (fetched.name, fetched.revision, fetched.commit) == ("org/model", COMMIT, COMMIT)
    assert set(fetched.files) == WANTED
    assert fetched.folder.parent.parent == tmp_path / "c"
    asked = len(hub.asked)
    with OnnxNLI.named(f"org/model@{COMMIT}", cache_dir=tmp_path / "c") as nli:
        assert nli.digest == fetched.digest
        assert nli.name == f"org/model@{COMMIT}"
        assert nli.max_length == 48
        assert len(list(nli.classify_many([("the shop is open", "the shop is shut")]))) == 1
    assert OnnxNLI.pulled("org/model", COMMIT, cache_dir=tmp_path / "c").digest == fetched.digest
    assert len(hub.asked) == asked


def test_only_what_is_needed_is_fetched_and_nothing_else_is_left(hub: Hub, tmp_path: Path) -> None:
    fetched = fetch_model(f"org/model@{COMMIT}", cache_dir=tmp_path / "c", endpoint=hub.url)
    there = {str(path.relative_to(fetched.folder)) for path in fetched.folder.rglob("*") if path.is_file()}
    assert there == {*WANTED, "model.lock"}
    assert not any("safetensors" in one or "quantized" in one for one in hub.asked)
    assert not left_behind(tmp_path / "c")


def test_a_second_fetch_asks_nobody(hub: Hub, tmp_path: Path) -> None:
    first = fetch_model(f"org/model@{COMMIT}", cache_dir=tmp_path / "c", endpoint=hub.url)
    asked = len(hub.asked)
    assert fetch_model(f"org/model@{COMMIT}", cache_dir=tmp_path / "c", endpoint="http://127.0.0.1:9") == first
    assert len(hub.asked) == asked


def test_a_branch_is_pinned_to_the_commit_that_it_was(hub: Hub, tmp_path: Path) -> None:
    first = fetch_model("org/model@main", cache_dir=tmp_path / "c", endpoint=hub.url)
    assert first.commit == COMMIT
    hub.commits[OTHER_COMMIT] = {**FILES, "onnx/model.onnx": network(("input_ids",))}
    hub.branches["main"] = OTHER_COMMIT
    assert fetch_model("org/model@main", cache_dir=tmp_path / "c", endpoint=hub.url) == first
    assert OnnxNLI.named("org/model@main", cache_dir=tmp_path / "c").digest == first.digest
    newer = fetch_model(f"org/model@{OTHER_COMMIT}", cache_dir=tmp_path / "c", endpoint=hub.url)
    assert newer.digest != first.digest


def test_a_file_that_has_changed_since_is_an_error_that_names_both_digests(hub: Hub, tmp_path: Path) -> None:
    fetched = fetch_model(f"org/model@{COMMIT}", cache_dir=tmp_path / "c", endpoint=hub.url)
    pinned = fetched.files["onnx/model.onnx"]
    (fetched.folder / "onnx" / "model.onnx").write_bytes(network(("input_ids",)))
    for again in (
        lambda: OnnxNLI.named(f"org/model@{COMMIT}", cache_dir=tmp_path / "c"),
        lambda: fetch_model(f"org/model@{COMMIT}", cache_dir=tmp_path / "c", endpoint=hub.url),
    ):
        with pytest.raises(ModelError, match=rf"sha256:(?!{pinned[7:]})[0-9a-f]{{64}}, not {pinned}"):
            again()


@pytest.mark.parametrize("name", ["config.json", "onnx/model.onnx", "tokenizer_config.json"])
def test_a_file_that_is_gone_is_an_error(hub: Hub, tmp_path: Path, name: str) -> None:
    fetched = fetch_model(f"org/model@{COMMIT}", cache_dir=tmp_path / "c", endpoint=hub.url)
    (fetched.folder / name).unlink()
    with pytest.raises(ModelError, match=Path(name).name):
        OnnxNLI.named(f"org/model@{COMMIT}", cache_dir=tmp_path / "c")


def test_bytes_that_are_not_those_of_the_hubs_list_are_refused_and_leave_nothing(hub: Hub, tmp_path: Path) -> None:
    hub.lying = {"onnx/model.onnx"}
    with pytest.raises((ModelError, ProviderFailed)):
        fetch_model(f"org/model@{COMMIT}", cache_dir=tmp_path / "c", endpoint=hub.url)
    with pytest.raises(ModelError, match="nli pull"):
        fetched_folder(f"org/model@{COMMIT}", cache_dir=tmp_path / "c")
    assert not left_behind(tmp_path / "c")


def test_a_torn_connection_leaves_nothing_that_looks_whole(hub: Hub, tmp_path: Path) -> None:
    hub.torn = {"config.json": 99}
    with pytest.raises(ProviderFailed) as failed:
        fetch_model(f"org/model@{COMMIT}", cache_dir=tmp_path / "c", endpoint=hub.url)
    assert failed.value.kind == "unreachable"
    assert not (tmp_path / "c" / "org--model" / COMMIT).exists()
    assert not left_behind(tmp_path / "c")
    hub.torn = {}
    assert fetch_model(f"org/model@{COMMIT}", cache_dir=tmp_path / "c", endpoint=hub.url).files


def test_a_connection_that_breaks_off_once_costs_nothing(hub: Hub, tmp_path: Path) -> None:
    hub.torn = {"onnx/model.onnx": 1}
    fetched = fetch_model(f"org/model@{COMMIT}", cache_dir=tmp_path / "c", endpoint=hub.url)
    assert (fetched.folder / "onnx" / "model.onnx").read_bytes() == FILES["onnx/model.onnx"]


def test_what_a_killed_fetch_left_is_swept_and_what_a_living_one_has_is_not(hub: Hub, tmp_path: Path) -> None:
    home = tmp_path / "c" / "org--model"
    dead, living = home / ".part-4194999-x", home / f".part-{os.getppid()}-x"
    dead.mkdir(parents=True)
    living.mkdir()
    fetch_model(f"org/model@{COMMIT}", cache_dir=tmp_path / "c", endpoint=hub.url)
    assert not dead.exists()
    assert living.exists()


def test_where_no_hub_listens_the_mend_is_named(tmp_path: Path, hub: Hub) -> None:
    with pytest.raises(ProviderFailed, match="copy the model's folder") as failed:
        fetch_model(f"org/model@{COMMIT}", cache_dir=tmp_path / "c", endpoint="http://127.0.0.1:9")
    assert failed.value.kind == "unreachable"


@pytest.mark.parametrize("wanted", [f"org/model@{OTHER_COMMIT}", "org/model@nowhere", f"org/another@{COMMIT}"])
def test_a_model_or_revision_that_the_hub_does_not_have_is_named(hub: Hub, tmp_path: Path, wanted: str) -> None:
    with pytest.raises(ModelError, match=wanted):
        fetch_model(wanted, cache_dir=tmp_path / "c", endpoint=hub.url)


def test_a_gated_model_is_said_to_be_one(hub: Hub, tmp_path: Path) -> None:
    hub.gated = True
    with pytest.raises(ProviderFailed, match="terms") as failed:
        fetch_model(f"org/model@{COMMIT}", cache_dir=tmp_path / "c", endpoint=hub.url)
    assert failed.value.kind == "unauthorised"


@pytest.mark.parametrize("missing", ["config.json", "tokenizer.json", "onnx/model.onnx"])
def test_a_model_without_a_needed_file_is_refused_before_anything_is_fetched(
    hub: Hub, tmp_path: Path, missing: str
) -> None:
    hub.commits[COMMIT] = {name: body for name, body in FILES.items() if name != missing}
    with pytest.raises(ModelError, match=Path(missing).name):
        fetch_model(f"org/model@{COMMIT}", cache_dir=tmp_path / "c", endpoint=hub.url)
    assert not any("/resolve/" in one for one in hub.asked)


def test_another_network_has_to_be_named_and_is_then_the_one_that_is_opened(hub: Hub, tmp_path: Path) -> None:
    files = {name: body for name, body in FILES.items() if name != "onnx/model.onnx"}
    hub.commits[COMMIT] = {**files, "onnx/model_O2.onnx": network(("input_ids",))}
    with pytest.raises(ModelError, match=r"onnx/model_O2\.onnx"):
        fetch_model(f"org/model@{COMMIT}", cache_dir=tmp_path / "c", endpoint=hub.url)
    fetch_model(f"org/model@{COMMIT}", cache_dir=tmp_path / "c", endpoint=hub.url, network="onnx/model_O2.onnx")
    with OnnxNLI.named(f"org/model@{COMMIT}", cache_dir=tmp_path / "c") as nli:
        nli.load()


@pytest.mark.parametrize("config", [b"{", b"{}", b'{"id2label": {"0": "a", "1": "b"}}'])
def test_what_is_no_three_way_classifier_is_refused_and_not_kept(hub: Hub, tmp_path: Path, config: bytes) -> None:
    hub.commits[COMMIT] = {**FILES, "config.json": config}
    with pytest.raises(ModelError):
        fetch_model(f"org/model@{COMMIT}", cache_dir=tmp_path / "c", endpoint=hub.url)
    assert not (tmp_path / "c" / "org--model" / COMMIT).exists()
    assert not left_behind(tmp_path / "c")


@pytest.mark.parametrize(
    "name",
    ["", "org/model", "org/model@", "@main", "../up@main", "org/model@../../up", "a/b/c@main", "org/model@re vision"],
)
def test_what_names_no_model_and_revision_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="NAME@REVISION"):
        fetch_model(name, cache_dir=tmp_path)
    with pytest.raises(ConfigError, match="NAME@REVISION"):
        OnnxNLI.named(name, cache_dir=tmp_path)


def test_a_model_that_was_never_fetched_names_the_command_that_fetches_it(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="bicameral nli pull org/model@main"):
        OnnxNLI.named("org/model@main", cache_dir=tmp_path)


def test_a_cache_that_cannot_be_written_is_named(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "c").write_text("a file where the folder should be", "utf-8")
    with pytest.raises(ModelError, match="cannot be written"):
        fetch_model(f"org/model@{COMMIT}", cache_dir=tmp_path / "c", endpoint=hub.url)


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"files": {"config.json": 5}}'])
def test_a_damaged_lock_is_an_error(hub: Hub, tmp_path: Path, body: str) -> None:
    fetched = fetch_model(f"org/model@{COMMIT}", cache_dir=tmp_path / "c", endpoint=hub.url)
    (fetched.folder / "model.lock").write_text(body, "utf-8")
    with pytest.raises(ModelError, match=r"model\.lock"):
        OnnxNLI.named(f"org/model@{COMMIT}", cache_dir=tmp_path / "c")


def test_the_cache_is_the_users_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache() == tmp_path / "bicameral" / "models"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert default_cache() == tmp_path / "home" / ".cache" / "bicameral" / "models"
