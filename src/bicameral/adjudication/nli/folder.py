"""A model's folder: which files it is, and that they are the ones they should be.

Answers for: the paths, the config that was read, and one digest that is the model's identity. Declines to run anything.

Rules, in order:
1. `config.json` and `tokenizer.json` lie in the folder; the network is the first of `ONNX_NAMES` that is there, or the
   one that `model.lock` names.
2. A file whose digest is in the config's `files` or in the lock beside it must have it; both digests are named if not.
3. The identity is taken over the digests of network, its data, tokenizer and both configs, the labels that the caller
   named, and the version of our own rules (windows, scores): an answer that is stored by it stays right.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bicameral.adjudication.nli.configuration import ModelConfig, read_config
from bicameral.canonical import digest_of
from bicameral.errors import ModelError

RULES: Final = "1"
"""Of `windows` (with `related`, `features` and `sentences`, that it uses), `reading` and `scores`: raised whenever one
of them changes an answer."""

ONNX_NAMES: Final = ("model.onnx", "onnx/model.onnx")
LOCK: Final = "model.lock"
_CHUNK: Final = 1 << 20


@dataclass(frozen=True, kw_only=True)
class ModelFiles:
    """A folder that was found whole. digest: of the model, `sha256:`.  files: digests of its files by name."""

    folder: Path
    network: Path
    tokenizer: Path
    config: ModelConfig
    digest: str
    files: Mapping[str, str]


def find_model(folder: Path, *, labels: Sequence[str] | None = None) -> ModelFiles:
    """The model in a folder. labels: as in `read_config`. Raises ModelError for whatever is not as it should be."""
    lock = read_lock(folder)
    network = _network(folder, lock)
    config = _document(folder / "config.json")
    tokenizer = folder / "tokenizer.json"
    beside = folder / "tokenizer_config.json"
    settings = _document(beside) if beside.is_file() else None
    read = read_config(config, settings, where=str(folder / "config.json"), labels=labels)
    names = ["config.json", "tokenizer.json", network]
    names += [
        name for name in ("tokenizer_config.json", f"{network}_data", f"{network}.data") if (folder / name).is_file()
    ]
    files = {name: file_digest(folder / name) for name in names}
    pinned = lock.get("files", {}) if lock else {}
    for name, expected in {**pinned, **read.files}.items():
        _check(folder, name, expected, files)
    identity = {"files": files, "labels": None if labels is None else list(read.labels), "rules": RULES}
    return ModelFiles(
        folder=folder,
        network=folder / network,
        tokenizer=tokenizer,
        config=read,
        digest=digest_of(identity),
        files=files,
    )


def read_lock(folder: Path) -> dict[str, Any] | None:
    """What was pinned when the model was fetched; None where it was not fetched by us. Raises ModelError."""
    path = folder / LOCK
    if not path.exists():
        return None
    lock = _document(path)
    files = lock.get("files") if isinstance(lock, dict) else None
    if not isinstance(files, dict) or not all(isinstance(one, str) for one in files.values()):
        raise ModelError(f"{path} does not say which files were fetched.", mend="Delete the folder and pull again.")
    return dict(lock)


def file_digest(path: Path) -> str:
    """`sha256:` and the hex digest of a file's bytes. Raises ModelError for one that cannot be read."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    except OSError as exc:
        raise ModelError(f"{path} cannot be read: {exc.strerror or exc}.", mend="Fetch the model again.") from exc
    return f"sha256:{digest.hexdigest()}"


def _network(folder: Path, lock: Mapping[str, Any] | None) -> str:
    if not folder.is_dir():
        raise ModelError(f"{folder} is no folder.", mend="Name the folder of a model, with its config.json in it.")
    named = lock.get("network") if lock else None
    names = (named,) if isinstance(named, str) else ONNX_NAMES
    found = next((name for name in names if (folder / name).is_file()), None)
    if found is None:
        raise ModelError(
            f"{folder} holds no {' and no '.join(names)}.", mend="Export the model to ONNX, or fetch one that has it."
        )
    return found


def _check(folder: Path, name: str, expected: str, files: Mapping[str, str]) -> None:
    found = files.get(name) or file_digest(folder / name)
    if found != expected:
        raise ModelError(
            f"{folder / name} is not the file that was pinned: {found}, not {expected}.",
            mend="If you trust the new one, delete the folder and pull the model again.",
        )


def _document(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except FileNotFoundError as exc:
        raise ModelError(f"{path} is missing.", mend="Name a folder with config.json and tokenizer.json.") from exc
    except (OSError, ValueError, RecursionError) as exc:
        raise ModelError(f"{path} cannot be read: {exc}.", mend="Fetch the model again.") from exc
