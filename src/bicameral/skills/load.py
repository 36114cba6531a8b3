"""Reading a skill: a front matter of `key: value` lines between two `---` lines, then Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from bicameral.canonical import sha256_digest
from bicameral.errors import ConfigError

_REQUIRED = ("name", "version", "contract")


@dataclass(frozen=True, kw_only=True)
class Skill:
    """name, version, contract: from the front matter.  text: the instructions.  digest: `sha256:` of the whole file."""

    name: str
    version: str
    contract: str
    text: str
    digest: str


def load_skill(name: str) -> Skill:
    """A skill of the package by its name, for example `judge`. Raises ConfigError for a name that is not there."""
    path = files("bicameral.skills") / f"{name}.md"
    if "/" in name or not path.is_file():
        raise ConfigError(f"No skill is named {name!r}.", mend="Shipped skills: challenge, judge.")
    return read_skill(path.read_text(encoding="utf-8"), where=f"{name}.md")


def read_skill(text: str, *, where: str) -> Skill:
    """Read a skill's text. Raises ConfigError naming `where` and what its front matter lacks, or that it is no text."""
    try:
        digest = sha256_digest(text.encode("utf-8"))
    except UnicodeEncodeError as exc:
        at = text.count("\n", 0, exc.start) + 1
        raise ConfigError(
            f"{where}, line {at}: half a character (a lone surrogate) stands there.", mend="Save the file as UTF-8."
        ) from exc
    lines = text.replace("\r\n", "\n").split("\n")
    if not lines or lines[0].strip() != "---" or "---" not in [line.strip() for line in lines[1:]]:
        raise ConfigError(
            f"{where} has no front matter.", mend="Start it with a --- line, `name: ...` lines and a --- line."
        )
    end = next(number for number, line in enumerate(lines[1:], start=1) if line.strip() == "---")
    head: dict[str, str] = {}
    for number, line in enumerate(lines[1:end], start=2):
        key, colon, value = line.partition(":")
        if line.strip() and not colon:
            raise ConfigError(f"{where}, line {number}: {line!r} is no `key: value` line.")
        if line.strip():
            head[key.strip()] = value.strip()
    missing = [key for key in _REQUIRED if not head.get(key)]
    if missing:
        raise ConfigError(f"{where}: the front matter lacks {', '.join(missing)}.")
    return Skill(
        name=head["name"],
        version=head["version"],
        contract=head["contract"],
        text="\n".join(lines[end + 1 :]).strip() + "\n",
        digest=digest,
    )
