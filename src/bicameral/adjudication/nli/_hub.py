"""What the model hub has, and one file of it. The one module that knows huggingface_hub.

Answers for: the commit of a revision, the names of its files and the digests that the hub states, and files by commit;
what the client raises, as errors of ours. Declines to keep anything: `fetch` does.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from bicameral.errors import ModelError, ProviderFailed

COMMIT: Final = re.compile(r"[0-9a-f]{40}")
_ASKED_S: Final = 20.0
_DISK: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS, errno.EIO})


@dataclass(frozen=True)
class Offer:
    """What the hub has at a commit. sizes, digests: of the files that it states them for."""

    commit: str
    names: frozenset[str]
    digests: Mapping[str, str]


def offered(name: str, revision: str, endpoint: str | None) -> Offer:
    """Ask the hub what it has. Raises ModelError and ProviderFailed."""
    from huggingface_hub import HfApi

    with _HubErrors(name, revision):
        info = HfApi(endpoint=endpoint).model_info(name, revision=revision, files_metadata=True, timeout=_ASKED_S)
    if not isinstance(info.sha, str) or not COMMIT.fullmatch(info.sha):
        raise ModelError(f"The hub names no commit for {name}@{revision}.", mend="Name a commit by its full hash.")
    if COMMIT.fullmatch(revision) and info.sha != revision:
        raise ModelError(f"The hub gives commit {info.sha} for {name}@{revision}.", mend="Try another hub.")
    files = info.siblings or []
    stated = {one.rfilename: f"sha256:{one.lfs.sha256}" for one in files if one.lfs is not None}
    return Offer(info.sha, frozenset(one.rfilename for one in files), stated)


def download(name: str, offer: Offer, wanted: str, part: Path, endpoint: str | None) -> None:
    """Fetch one file into the folder `part`. Raises ModelError, ProviderFailed, and OSError of the disk."""
    from huggingface_hub import hf_hub_download

    with _HubErrors(name, offer.commit):
        hf_hub_download(
            name,
            wanted,
            revision=offer.commit,
            local_dir=part,
            endpoint=endpoint,
            etag_timeout=_ASKED_S,
            tqdm_class=_bar(),
        )


def _bar() -> Any:
    """The library's own progress bar, on a terminal only."""
    bar: Any = import_module("huggingface_hub.utils").tqdm

    def begin(self: Any, *args: Any, **kwargs: Any) -> None:
        bar.__init__(self, *args, **{**kwargs, "disable": None})

    return type("Bar", (bar,), {"__init__": begin})


class _HubErrors:
    """What the hub's client raises, as errors of ours."""

    def __init__(self, name: str, revision: str) -> None:
        self._model = f"{name}@{revision}"

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, exc: BaseException | None, trace: object) -> None:
        if not isinstance(exc, Exception) or (isinstance(exc, OSError) and exc.errno in _DISK):
            return
        from huggingface_hub import errors

        if isinstance(exc, errors.GatedRepoError):
            raise ProviderFailed(
                f"{self._model} is given only to those who asked for it.",
                kind="unauthorised",
                mend="Accept its terms on the hub and sign in there, or choose another model.",
            ) from exc
        if isinstance(
            exc, errors.RepositoryNotFoundError | errors.RevisionNotFoundError | errors.RemoteEntryNotFoundError
        ):
            raise ModelError(
                f"The hub has no {self._model}, or shows it to nobody.", mend="See that name and revision are right."
            ) from exc
        raise ProviderFailed(
            f"The model hub could not be asked for {self._model}: {type(exc).__name__}.",
            kind="unreachable",
            mend="Try again where it can be reached, or copy the model's folder from such a machine and name it.",
        ) from exc
