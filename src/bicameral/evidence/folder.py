"""Pictures that some other tool took: a folder of them as shots.

Answers for finding the pictures, for what the path of each says of it, and for keeping it as 8-bit RGB PNG. Declines to
measure facts: there is no live page.

Rules. A file is a candidate by its suffix or by its first bytes; other files, and hidden ones, are passed over. A path
gives `[target/]route[/state][/form-factor][/scheme]`, read from its end: a scheme, then a form factor, where the last
words are such; of what is left one part is the route, two are target and route (or route and `rest`), three are target,
route and state, and more than three are one route with its slashes. A candidate that cannot be judged, and a second one
for a shot that has a picture already, is skipped with the reason. Links that lead out of the folder are not followed.
The order is that of the paths.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

from bicameral.errors import EvidenceError
from bicameral.evidence.plan import CaptureResult, shot_id
from bicameral.evidence.store import EvidenceFolder
from bicameral.imaging.decode import decode_image, encode_png, sniff
from bicameral.model.evidence import Shot
from bicameral.model.run import SkippedInput
from bicameral.model.vocabulary import FormFactor, Scheme

SUFFIXES: Final = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".avif", ".heic"})
MAX_FILE_BYTES: Final = 256 * 1024 * 1024
DEFAULT_TARGET: Final = "pictures"
REST: Final = "rest"
_UNSEEN: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters and those that turn what stands beside them: a name with them is not what it looks like."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """What a path says of a picture."""

    target: str
    route: str
    state: str = REST
    form_factor: str = "desktop"
    scheme: str = "light"

    @property
    def shot_id(self) -> str:
        return shot_id(self.target, self.route, self.state, self.form_factor, self.scheme)


def read_folder(path: Path | str, folder: EvidenceFolder, *, target: str = DEFAULT_TARGET) -> CaptureResult:
    """Every picture below `path`, put into the evidence folder. target: for paths that name none.

    Raises EvidenceError where there is no such folder, it cannot be read, or no picture in it can be judged.
    """
    root = Path(path)
    if not root.is_dir():
        raise EvidenceError(f"{root} is not a folder.", mend="Name a folder of PNG, JPEG or WebP pictures.")
    shots: dict[str, Shot] = {}
    names: dict[str, str] = {}
    skipped: list[SkippedInput] = []
    for name, file in _candidates(root, skipped):
        try:
            shot = _shot(name, file, folder, target, names)
        except EvidenceError as error:
            skipped.append(SkippedInput(where=name, reason=error.message))
        else:
            shots[shot.shot_id] = shot
            names[shot.shot_id] = name
    if not shots:
        why = "".join(f" {row.reason}" for row in skipped[:3])
        raise EvidenceError(
            f"{root} holds no picture that can be judged.{why}", mend="Name a folder of PNG, JPEG or WebP pictures."
        )
    skipped.sort(key=lambda row: row.where)
    return CaptureResult(
        shots=tuple(sorted(shots.values(), key=lambda shot: names[shot.shot_id])), skipped=tuple(skipped)
    )


def place_of(name: str, *, target: str = DEFAULT_TARGET) -> Place:
    """What a relative path with `/` between its parts says of the picture there."""
    parts = name.rsplit(".", 1)[0].split("/") if "." in name.rpartition("/")[2] else name.split("/")
    said: dict[str, str] = {}
    for member, words in (("scheme", get_args(Scheme)), ("form_factor", get_args(FormFactor))):
        if len(parts) > 1 and parts[-1] in words:
            said[member] = parts.pop()
    if len(parts) == 2 and parts[1] == REST:
        parts.pop()
    if len(parts) == 2:
        return Place(target=parts[0], route=parts[1], **said)
    if len(parts) == 3:
        return Place(target=parts[0], route=parts[1], state=parts[2], **said)
    return Place(target=target, route="/".join(parts), **said)


def _candidates(root: Path, skipped: list[SkippedInput]) -> Iterator[tuple[str, Path]]:
    """Relative name and path of each candidate, in the order of the names."""
    home = root.resolve()
    found: list[tuple[str, Path]] = []

    def unreadable(error: OSError) -> None:
        where = os.path.relpath(error.filename, root) if error.filename else str(root)
        skipped.append(SkippedInput(where=_name(Path(where)), reason=f"The folder cannot be read: {error.strerror}."))

    for here, folders, files in os.walk(root, onerror=unreadable):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for entry in sorted([*files, *folders]):
            file = Path(here, entry)
            name = _name(file.relative_to(root))
            if entry.startswith("."):
                continue
            if file.is_symlink() and (reason := _astray(file, home)):
                if entry in folders or file.suffix.lower() in SUFFIXES:
                    skipped.append(SkippedInput(where=name, reason=f"{name} {reason}"))
            elif entry in files and _is_candidate(file):
                found.append((name, file))
    yield from sorted(found)


def _astray(link: Path, home: Path) -> str | None:
    """Why a link is not followed, or None where it is."""
    try:
        inside = link.resolve().is_relative_to(home)
    except (OSError, RuntimeError):  # until Python 3.13 a loop of links is a RuntimeError
        return "is a link that leads in a circle."
    return None if inside else "is a link that leads out of the folder."


def _is_candidate(file: Path) -> bool:
    if file.suffix.lower() in SUFFIXES:
        return True
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            return False
        with file.open("rb") as opened:
            return sniff(opened.read(16)) is not None
    except OSError:
        return False


def _shot(name: str, file: Path, folder: EvidenceFolder, target: str, names: dict[str, str]) -> Shot:
    body = _read(name, file)
    image = decode_image(body, where=name)
    place = place_of(name, target=target)
    if place.shot_id in names:
        raise EvidenceError(f"{name} is a second picture of {place.shot_id}, after {names[place.shot_id]}.")
    return Shot(
        shot_id=place.shot_id,
        target=place.target,
        route=place.route,
        state=place.state,
        form_factor=place.form_factor,
        scheme=place.scheme,
        picture=folder.put(body if _is_plain(body) else encode_png(image), ".png"),
        width_px=image.width,
        height_px=image.height,
    )


def _read(name: str, file: Path) -> bytes:
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):
            raise EvidenceError(f"{name} is not a file.")
        if status.st_size > MAX_FILE_BYTES:
            raise EvidenceError(f"{name} has {status.st_size:,} bytes, more than the {MAX_FILE_BYTES:,} that are read.")
        return file.read_bytes()
    except OSError as error:
        raise EvidenceError(f"{name} cannot be read: {error.strerror or error}.") from error


def _is_plain(body: bytes) -> bool:
    """A PNG of 8-bit RGB with nothing that changes how it is shown is kept as the bytes it is."""
    plain = sniff(body) == "png" and body[24:26] == b"\x08\x02"
    return plain and not any(chunk in body for chunk in (b"eXIf", b"tRNS"))


def _name(relative: Path) -> str:
    """The path as text that every machine writes alike: `/` between parts, composed letters, no undecodable bytes.

    Characters that are not seen become U+FFFD.
    """
    text = os.fsencode(relative.as_posix()).decode("utf-8", "replace")
    return _UNSEEN.sub("\ufffd", unicodedata.normalize("NFC", text))
