"""Another model, fetched once by name and revision, and pinned by its digests.

Answers for: a folder that is whole or is not there, with a lock that names the commit and the digest of each file.
Declines to run the model, and to choose one.

Rules, in order:
1. A revision has to be named. A branch or tag is resolved to its commit at the first fetch and stays at that commit; to
   move on, name the new commit.
2. What lies in the cache and agrees with its lock is the answer: no network is asked. What does not agree is an error
   that names both digests, and is never overwritten.
3. Files are fetched into a folder beside, hashed, compared with what the hub says of them, checked to be a three-way
   classifier, and moved into place at once with their lock. A fetch that was torn off leaves nothing that looks whole.
4. Of a repository's networks the float32 one is taken. Another has to be named; one that quantises while it runs is
   slower here, because its pairs go through one at a time so that none feels its neighbours.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bicameral.adjudication.nli._hub import COMMIT, Offer, download, offered
from bicameral.adjudication.nli.folder import LOCK, ONNX_NAMES, file_digest, find_model
from bicameral.errors import ConfigError, ModelError

_NAME: Final = re.compile(r"[A-Za-z0-9][\w.-]*(?:/[A-Za-z0-9][\w.-]*)?", re.ASCII)
_REVISION: Final = re.compile(r"[A-Za-z0-9][\w./-]*", re.ASCII)
_OPTIONAL: Final = ("tokenizer_config.json",)
_PART: Final = ".part-"


@dataclass(frozen=True, kw_only=True)
class Fetched:
    """A model that lies in the cache. name, revision: as asked.  commit: what that revision is.

    digest: the model's identity, as `OnnxNLI.digest`.  files: `sha256:` digests by name.
    """

    name: str
    revision: str
    commit: str
    folder: Path
    digest: str
    files: Mapping[str, str]


def fetch_model(
    name_at_revision: str,
    *,
    cache_dir: str | Path | None = None,
    endpoint: str | None = None,
    network: str | None = None,
) -> Fetched:
    """Fetch `NAME@REVISION` unless it is there, and pin it.

    cache_dir: `default_cache()` where None.  endpoint: the hub's address, where it is not the usual one.  network: the
    name of the ONNX file in the repository, where it is not one of `folder.ONNX_NAMES`.

    Raises ConfigError for a name that is none, ModelError for a model that is unknown, changed or cannot be used, and
    ProviderFailed (`unreachable`, `unauthorised`) where the hub cannot be asked.
    """
    name, revision = _parsed(name_at_revision)
    home = _home(cache_dir, name)
    commit = _known_commit(home, revision)
    if commit is not None and (home / commit / LOCK).is_file():
        return _opened(name, revision, commit, home / commit)
    offer = offered(name, commit or revision, endpoint)
    if not (home / offer.commit / LOCK).is_file():
        _bring(name, offer, home, endpoint, network)
    fetched = _opened(name, revision, offer.commit, home / offer.commit)
    if revision != offer.commit:
        _write(_reference(home, revision), offer.commit + "\n")
    return fetched


def fetched_folder(name_at_revision: str, *, cache_dir: str | Path | None = None) -> Path:
    """Where a fetched model lies. Reaches no network. Raises ConfigError, and ModelError where it was not fetched."""
    name, revision = _parsed(name_at_revision)
    home = _home(cache_dir, name)
    commit = _known_commit(home, revision)
    if commit is None or not (home / commit / LOCK).is_file():
        raise ModelError(
            f"{name}@{revision} has not been fetched into {home.parent}.",
            mend=f"Run: bicameral nli pull {name}@{revision}",
        )
    return home / commit


def default_cache() -> Path:
    """`models` in Bicameral's folder of the user's cache (XDG_CACHE_HOME, else `~/.cache`)."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "bicameral" / "models"


def _parsed(text: str) -> tuple[str, str]:
    name, at, revision = text.strip().rpartition("@")
    usable = at and _NAME.fullmatch(name) and _REVISION.fullmatch(revision) and ".." not in text
    if not usable:
        raise ConfigError(
            f"{text!r} names no model and revision.",
            mend="Write NAME@REVISION, best with a commit's full hash as the revision.",
        )
    return name, revision


def _home(cache_dir: str | Path | None, name: str) -> Path:
    return (default_cache() if cache_dir is None else Path(cache_dir)) / name.replace("/", "--")


def _reference(home: Path, revision: str) -> Path:
    return home / "refs" / revision.replace("/", "--")


def _known_commit(home: Path, revision: str) -> str | None:
    if COMMIT.fullmatch(revision):
        return revision
    try:
        commit = _reference(home, revision).read_text("utf-8").strip()
    except OSError:
        return None
    return commit if COMMIT.fullmatch(commit) else None


def _opened(name: str, revision: str, commit: str, folder: Path) -> Fetched:
    model = find_model(folder)
    return Fetched(
        name=name, revision=revision, commit=commit, folder=folder, digest=model.digest, files=dict(model.files)
    )


def _bring(name: str, offer: Offer, home: Path, endpoint: str | None, network: str | None) -> None:
    """Fetch into a folder beside and move it into place (rule 3)."""
    wanted = _wanted(name, offer, network)
    try:
        home.mkdir(parents=True, exist_ok=True)
        _sweep(home)
        part = Path(tempfile.mkdtemp(prefix=f"{_PART}{os.getpid()}-", dir=home))
    except OSError as exc:
        raise ModelError(
            f"{home} cannot be written: {exc.strerror or exc}.", mend="Name another cache folder."
        ) from exc
    try:
        for each in wanted:
            download(name, offer, each, part, endpoint)
        shutil.rmtree(part / ".cache", ignore_errors=True)
        _pin(part, name, offer, wanted)
        _settle(part, home / offer.commit)
    except OSError as exc:
        raise ModelError(
            f"{part} cannot be written: {exc.strerror or exc}.", mend="Make room, or see who owns it."
        ) from exc
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _wanted(name: str, offer: Offer, network: str | None) -> list[str]:
    networks = ONNX_NAMES if network is None else (network,)
    found = next((each for each in networks if each in offer.names), None)
    if found is None:
        others = ", ".join(sorted(each for each in offer.names if each.endswith(".onnx"))[:8]) or "none at all"
        raise ModelError(
            f"{name} holds no {' and no '.join(networks)}; its ONNX files: {others}.",
            mend="Name one of them, choose a model that was exported to ONNX, or export it and open the folder.",
        )
    for needed in ("config.json", "tokenizer.json"):
        if needed not in offer.names:
            raise ModelError(f"{name} holds no {needed}.", mend="Choose a model with a fast tokenizer.")
    beside = [each for each in (*_OPTIONAL, f"{found}_data", f"{found}.data") if each in offer.names]
    return ["config.json", "tokenizer.json", *beside, found]


def _pin(part: Path, name: str, offer: Offer, wanted: list[str]) -> None:
    """Hash, compare, check that it is a classifier, and write the lock last."""
    files = {each: file_digest(part / each) for each in wanted}
    for each, stated in offer.digests.items():
        if each in files and files[each] != stated:
            raise ModelError(f"{name}: {each} came as {files[each]}, not {stated}.", mend="Try again.")
    network = wanted[-1]
    lock = {"name": name, "commit": offer.commit, "network": network, "files": dict(sorted(files.items()))}
    _write(part / LOCK, json.dumps(lock, indent=2) + "\n")
    find_model(part)


def _settle(part: Path, folder: Path) -> None:
    for path in part.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
    try:
        part.rename(folder)
    except OSError:
        if not (folder / LOCK).is_file():  # else another process was first: its files are as good
            raise


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(file.name, path)


def _sweep(home: Path) -> None:
    """Remove what fetches left behind whose process is gone."""
    for path in home.glob(f"{_PART}*"):
        owner = path.name.removeprefix(_PART).partition("-")[0]
        if owner.isdecimal() and int(owner) != os.getpid() and not _alive(int(owner)):
            shutil.rmtree(path, ignore_errors=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
