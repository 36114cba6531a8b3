"""One frozen settings value, read from a TOML file, the environment and flags.

Answers for: finding the file, reading it, refusing what it does not know, and saying where each value came from.
Declines: opening targets, making judges, and any default that depends on the machine.

Rules, in order:
1. A flag beats the environment, the environment beats the file, the file beats the default.
2. An unknown key is an error that names the nearest known one; all faults of a file arrive together, each with its
   path.
3. Below this module arguments are explicit: nothing reads the environment or a file of settings again.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from bicameral.errors import ConfigError
from bicameral.model.vocabulary import FORM_FACTORS, SCHEMES, FormFactor, Scheme
from bicameral.ports import Tier

FILE_NAME: Final = "bicameral.toml"
DEFAULT_STATE: Final = Path(".bicameral")
SIGNING_KEY: Final = "BICAMERAL_SIGNING_KEY"
"""Names the file of the signing key. It is no key of the file of settings: that one is committed, for everybody."""
SIGNING_PASSPHRASE: Final = "BICAMERAL_SIGNING_PASSPHRASE"
DEFAULT_TARGET_NAME: Final = "site"
"""The name of a target given as a bare address. Host and port are no part of an identity: they change between runs."""


@dataclass(frozen=True, kw_only=True)
class TargetSettings:
    """One site. name: its identity in the backlog.  url: an absolute http(s) address.

    routes: paths below the address's origin; empty means the address itself.
    """

    name: str
    url: str
    routes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything a run may need to be told. proposer, challenger: `name[:model]`, `none`, or None for the default.

    signing_key: file of the key that signs the chain's head when a run ends; None leaves it unsigned. The key itself is
    no setting.  signing_passphrase: what opens that file; never printed.
    adjudicator: who weighs dissents: `packaged`, `none`, NAME@REVISION or an address.  adjudicator_llm: `name:model`.
    adjudicator_tier, tiers: how far a language model is trusted: in all, and by model.
    judge_timeout_s: for each reply; None waits as long as the judge does.  load_timeout_s: for a page to come to rest.
    sources: field name to where its value came from; a field that is absent has its default.
    """

    project: str = "project"
    targets: tuple[TargetSettings, ...] = ()
    form_factors: tuple[FormFactor, ...] = FORM_FACTORS
    schemes: tuple[Scheme, ...] = SCHEMES
    proposer: str | None = None
    challenger: str | None = None
    adjudicator: str = "packaged"
    adjudicator_llm: str | None = None
    adjudicator_tier: str | None = None
    tiers: Mapping[str, Tier] = field(default_factory=dict)
    state_dir: Path = DEFAULT_STATE
    database: str | None = None
    load_timeout_s: float = 20.0
    judge_timeout_s: float | None = 600.0
    allow_remote: bool = False
    use_cache: bool = True
    ignore_disputed: bool = False
    strict: bool = False
    signing_key: Path | None = None
    signing_passphrase: str | None = field(default=None, repr=False)
    sources: Mapping[str, str] = field(default_factory=dict)


_PLAIN: Final = {
    "string_pattern_mismatch": "must be one word, without white space or a slash",
    "string_too_short": "must not be empty",
    "too_short": "names nothing; leave it out for the default",
    "string_type": "must be a text in quotes",
    "missing": "is missing",
}
"""What is said of a fault instead of the validator's own words, which speak of types."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Target(_Part):
    name: str = Field(min_length=1, pattern=r"^[^/\s\x00-\x1f]+$")
    url: str
    routes: list[str] = []

    @field_validator("url")
    @classmethod
    def _absolute(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("must be an absolute http or https address")
        _ = parts.port  # raises ValueError for one that is out of range
        return value

    @field_validator("routes")
    @classmethod
    def _rooted(cls, value: list[str]) -> list[str]:
        for route in value:
            if not route.startswith("/"):
                raise ValueError(f"route {route!r} must start with /")
        return value


class _Judges(_Part):
    proposer: str | None = None
    challenger: str | None = None
    adjudicator: str | None = None
    adjudicator_llm: str | None = None
    tiers: dict[str, Tier] = {}


class _Limits(_Part):
    load_timeout_s: float = Field(default=20.0, gt=0, le=600)
    judge_timeout_s: float = Field(default=600.0, gt=0, allow_inf_nan=False)


class _File(_Part):
    project: str | None = Field(default=None, min_length=1, pattern=r"^[^\x00-\x1f]+$")
    targets: list[_Target] = []
    viewports: list[FormFactor] | None = Field(default=None, min_length=1)
    schemes: list[Scheme] | None = Field(default=None, min_length=1)
    judges: _Judges = _Judges()
    limits: _Limits | None = None

    @field_validator("viewports", "schemes")
    @classmethod
    def _each_once(cls, value: list[str] | None) -> list[str] | None:
        twice = sorted({word for word in value or () if (value or []).count(word) > 1})
        if twice:
            raise ValueError(f"{', '.join(twice)} is named twice")
        return value

    @field_validator("targets")
    @classmethod
    def _names_differ(cls, value: list[_Target]) -> list[_Target]:
        names = [target.name for target in value]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two targets are named {', '.join(twice)}")
        return value


def load_settings(
    folder: Path, *, config: Path | None = None, environment: Mapping[str, str], flags: Mapping[str, Any]
) -> Settings:
    """Read the settings for a run started in `folder`.

    config: an explicit file, which must exist; else `bicameral.toml`, else `[tool.bicameral]` of `pyproject.toml`,
    else none. environment: usually `os.environ`.  flags: field name to value; a None is a flag that was not given.
    Raises ConfigError with every fault of the file and its path.
    """
    settings = Settings(project=folder.resolve().name or "project")
    table, where = _find_table(folder, config)
    if table is not None:
        settings = _with(settings, _file_values(table, where), where)
    if environment.get("BICAMERAL_DB"):
        settings = _with(settings, {"database": environment["BICAMERAL_DB"]}, "the environment (BICAMERAL_DB)")
    settings = _with(settings, _signing(environment), f"the environment ({SIGNING_KEY})")
    given = {name: value for name, value in flags.items() if value is not None}
    unknown = set(given) - {item.name for item in fields(Settings)}
    if unknown:
        raise ConfigError(f"no setting is named {', '.join(sorted(unknown))}")
    return _with(settings, given, "the command line")


def _signing(environment: Mapping[str, str]) -> dict[str, Any]:
    """The key's file and what opens it. Raises ConfigError where the key itself was put in the file's place."""
    named, passphrase = environment.get(SIGNING_KEY), environment.get(SIGNING_PASSPHRASE)
    if named and ("\n" in named or "-----BEGIN" in named):
        raise ConfigError(
            f"{SIGNING_KEY} holds a key; the name of the key's file was expected.",
            mend="Write the key into a file of mode 0600. Take it for lost if others can read this environment.",
        )
    values: dict[str, Any] = {}
    if named:
        values["signing_key"] = Path(named)
    if passphrase:
        values["signing_passphrase"] = passphrase
    return values


def _with(settings: Settings, values: Mapping[str, Any], source: str) -> Settings:
    sources = {**settings.sources, **dict.fromkeys(values, source)}
    return replace(settings, **values, sources=sources)


def _find_table(folder: Path, config: Path | None) -> tuple[dict[str, Any] | None, str]:
    if config is not None:
        if not _is_file(config):
            raise ConfigError(f"{config} is not a file.", mend="Give --config the path of a TOML file.")
        table = _read_toml(config)
        return (_tool_table(table, config) or {} if config.name == "pyproject.toml" else table), str(config)
    path = folder / FILE_NAME
    if _is_file(path):
        return _read_toml(path), FILE_NAME
    path = folder / "pyproject.toml"
    if _is_file(path):
        found = _tool_table(_read_toml(path), path)
        if found is not None:
            return found, "pyproject.toml [tool.bicameral]"
    return None, ""


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError) as exc:  # a name too long for the system, or with a NUL in it
        raise ConfigError(f"{str(path)[:200]!r} is no path of a file: {exc}.") from exc


def _tool_table(table: dict[str, Any], path: Path) -> dict[str, Any] | None:
    """`[tool.bicameral]`, None where there is none. Raises ConfigError where something else stands in its place."""
    tool = table.get("tool", {})
    found = tool.get("bicameral") if isinstance(tool, dict) else None
    for name, value in (("tool", tool), ("tool.bicameral", {} if found is None else found)):
        if not isinstance(value, dict):
            raise ConfigError(
                f"{path} cannot be used:\n  {name}: a table was expected, not {value!r:.40}.",
                mend="\nWrite the settings below [tool.bicameral].",
            )
    return found


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as exc:
        raise ConfigError(f"{path} cannot be read: {exc}.") from exc
    except tomllib.TOMLDecodeError as exc:
        raise ConfigError(f"{path} is not TOML: {exc}.") from exc
    except (RecursionError, ValueError) as exc:  # thousands of brackets in brackets; a number of thousands of digits
        why = "it is nested too deeply" if isinstance(exc, RecursionError) else exc
        raise ConfigError(f"{path} cannot be read: {why}.") from exc


def _file_values(table: dict[str, Any], where: str) -> dict[str, Any]:
    try:
        # TOML has its own types, so strict reading is right, but a list of words must become the literals.
        parsed = _File.model_validate(table, strict=None)
    except ValidationError as exc:
        raise ConfigError(f"{where} cannot be used:\n" + "\n".join(_faults(exc))) from exc
    values: dict[str, Any] = {
        "project": parsed.project,
        "targets": tuple(TargetSettings(name=t.name, url=t.url, routes=tuple(t.routes)) for t in parsed.targets)
        or None,
        "form_factors": tuple(parsed.viewports) if parsed.viewports else None,
        "schemes": tuple(parsed.schemes) if parsed.schemes else None,
        "proposer": parsed.judges.proposer,
        "challenger": parsed.judges.challenger,
        "adjudicator": parsed.judges.adjudicator,
        "adjudicator_llm": parsed.judges.adjudicator_llm,
        "tiers": parsed.judges.tiers or None,
    }
    if parsed.limits is not None:
        values["load_timeout_s"] = parsed.limits.load_timeout_s
        values["judge_timeout_s"] = parsed.limits.judge_timeout_s
    return {name: value for name, value in values.items() if value is not None}


def _faults(exc: ValidationError) -> list[str]:
    lines = []
    for error in exc.errors(include_url=False):
        path = ".".join(str(step) for step in error["loc"])
        if error["type"] == "extra_forbidden":
            lines.append(f"  {path}: unknown key.{_nearest(error['loc'])}")
        else:
            said = _PLAIN.get(error["type"]) or error["msg"].removeprefix("Value error, ")
            lines.append(f"  {path}: {said}{_nearest_word(error)}")
    return lines


def _nearest_word(error: Mapping[str, Any]) -> str:
    """The word of a closed vocabulary that was probably meant."""
    known = [*FORM_FACTORS, *SCHEMES] if error["type"] == "literal_error" else []
    close = difflib.get_close_matches(str(error["input"]), known, n=1)
    return f". Did you mean {close[0]}?" if close else ""


def _nearest(location: tuple[int | str, ...]) -> str:
    model: type[BaseModel] = _File
    tables: dict[str, type[BaseModel]] = {"targets": _Target, "judges": _Judges, "limits": _Limits}
    if len(location) > 1:
        model = tables.get(str(location[0]), _File)
    close = difflib.get_close_matches(str(location[-1]), model.model_fields, n=1, cutoff=0.5)
    known = ", ".join(model.model_fields)
    return f" Did you mean {close[0]}?" if close else f" Known here: {known}."
