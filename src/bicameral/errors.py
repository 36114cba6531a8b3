"""Every exception that Bicameral raises, in one tree.

    BicameralError
    ├── InputError            the caller can mend it: a file, a flag, a name, a value
    │   ├── ConfigError       a setting or a seat that cannot be used
    │   │   └── RosterError   two seats that may not sit together, or a seat nobody can fill
    │   ├── EvidenceError     a picture, a facts file or a folder that cannot be judged
    │   │   └── RedactedEvidenceError   bytes that were dropped on purpose
    │   ├── TargetError       an address that does not answer, or may not be opened
    │   ├── RecordError       a document that is not the record it says it is
    │   │   ├── DuplicateTurnError   two turns with one depth, speaker and audience
    │   │   ├── UnknownParentError   a turn that names a parent nobody has said
    │   │   ├── UnrecordableError    a value that a record may not hold (a float, a lone surrogate, ...)
    │   │   └── BundleError          a file that is no bundle, is torn, or holds what no bundle may hold
    │   ├── SigningKeyError   a key file that is missing, open to others, or no Ed25519 key
    │   ├── ModelError        an NLI model that is missing, damaged, not the pinned one, or no three-way classifier
    │   ├── PairsError        a file of pairs that cannot be read or continued
    │   └── UnknownIssueError        an issue key that names nothing, or more than one
    ├── TryAgainError         the same call may work later
    │   ├── JudgeFailed       a judge did not answer, or not in a way that can be used
    │   ├── ProviderFailed    a model's server or program did not answer, or not in a way that can be used
    │   ├── BrowserError      the browser is missing or broke off
    │   └── StoreBusyError    another process holds the store (a StoreError too)
    ├── StoreError            the store cannot be opened, read or written
    │   ├── StoreVersionError the store was made by a newer version
    │   └── StoreBusyError    see above
    └── DefectError           a fault of Bicameral's own: please report it

The split is by what the caller can do. `exit_status` is what the command line answers with.
A message names the thing, what was found, what was expected and the next step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bicameral.model.judging import RawReply, Spend
    from bicameral.model.vocabulary import Reason


class BicameralError(Exception):
    """The base of all. `exit_status` 2: the job could not be done."""

    exit_status = 2

    def __init__(self, message: str, *, mend: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.mend = mend

    def __str__(self) -> str:
        return f"{self.message} {self.mend}" if self.mend else self.message


class InputError(BicameralError):
    """Something that was handed in is wrong; mend it and call again."""


class ConfigError(InputError):
    """A setting, a flag or a file of settings that cannot be used."""


class RosterError(ConfigError):
    """Two seats that may not sit together, or a seat that nobody here can fill."""


class EvidenceError(InputError):
    """A picture, a facts file or a folder that cannot be judged."""


class RedactedEvidenceError(EvidenceError):
    """Evidence that was dropped on purpose; its digest stays wherever it was named."""


class TargetError(InputError):
    """An address that does not answer, redirects away, or may not be opened."""


class RecordError(InputError):
    """A document that is not the record it says it is."""


class DuplicateTurnError(RecordError):
    """Two turns share depth, speaker and audience."""


class UnknownParentError(RecordError):
    """A turn names a parent that was never said in this dialog."""


class UnrecordableError(RecordError):
    """A value that a record may not hold."""


class BundleError(RecordError):
    """A file that is no bundle, is torn, or holds what no bundle may hold."""


class SigningKeyError(InputError):
    """A key file that is missing, open to others, or no Ed25519 key."""


class ModelError(InputError):
    """An NLI model that is missing, damaged, not the pinned one, or no three-way classifier."""


class PairsError(InputError):
    """A file of pairs that cannot be read or continued."""


class UnknownIssueError(InputError):
    """An issue key that names nothing, or a short form that names several."""


class TryAgainError(BicameralError):
    """The same call may work later."""


class JudgeFailed(TryAgainError):
    """A judge gave nothing that can be used.

    reason: one of the closed words of `model.vocabulary.REASONS`.
    raw: the reply as it came, where one came.  spend: what it cost all the same.
    """

    def __init__(
        self, message: str, *, reason: Reason, raw: RawReply | None = None, spend: Spend | None = None
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.raw = raw
        self.spend = spend


class ProviderFailed(TryAgainError):
    """A model's server or program did not answer, or not in a way that can be used.

    kind: `unreachable`, `timed-out`, `refused`, `truncated`, `overloaded`, `unauthorised` or `unreadable`.
    """

    def __init__(self, message: str, *, kind: str, mend: str | None = None) -> None:
        super().__init__(message, mend=mend)
        self.kind = kind


class BrowserError(TryAgainError):
    """The browser is missing, did not start, or broke off."""


class StoreError(BicameralError):
    """The store cannot be opened, read or written."""


class StoreBusyError(StoreError, TryAgainError):
    """Another process holds the store for longer than we wait.

    It is both: whoever can do without the store catches StoreError and has caught this too.
    """


class StoreVersionError(StoreError):
    """The store was made by a newer version of Bicameral."""


class DefectError(BicameralError):
    """A fault of Bicameral's own: please report it."""
