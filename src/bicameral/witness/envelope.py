"""DSSE envelopes: a payload, its type, and one Ed25519 signature over both.

Answers for: one payload and one key give one envelope, byte for byte, and whatever else is handed in is refused with
the reason. So no byte of an envelope can be changed unseen, also where the signature does not reach (the key's name).
Declines to say whose key is trusted, and to read the payload (`statement` does).

The envelope is DSSE 1.0.0, which any verifier of it takes; of the spellings that DSSE leaves open, ours is one:
1. At most MAX_ENVELOPE_BYTES; RFC 8785 text of an object with `payload`, `payloadType`, `signatures`, and no more.
2. `payloadType` is PAYLOAD_TYPE. `payload` and `sig` are standard base64 with padding and no stray bits (RFC 4648).
3. Exactly one signature, with `keyid` (the signer's key id) and `sig` (64 bytes).
4. The signature is over the pre-authentication encoding of type and payload, never over the payload alone.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Any, Final

from bicameral.canonical.plain import canonical_json
from bicameral.canonical.reading import parse_json
from bicameral.canonical.shown import shown
from bicameral.errors import RecordError, UnrecordableError
from bicameral.witness.keys import SIGNATURE_BYTES, PrivateKey, PublicKey

PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"
"""The media type of an in-toto Statement."""

MAX_ENVELOPE_BYTES: Final = 16 * 1024 * 1024
"""Far above the envelope of a run with 50,000 replies; a larger one is not read."""


_MOST_PUNCTUATION: Final = 64
"""Base64 has none, so an envelope has a handful; more would be a way to fill a memory."""


@dataclass(frozen=True)
class Sealed:
    """An envelope that reads, whoever signed it. key_id: the name it gives its key, which proves nothing by itself."""

    payload: bytes
    key_id: str
    signature: bytes

    def is_signed_by(self, key: PublicKey) -> bool:
        """Whether this key made the signature. Looks at no key but the one handed in."""
        return key.verifies(self.signature, pae(PAYLOAD_TYPE, self.payload))


def pae(payload_type: str, payload: bytes) -> bytes:
    """The pre-authentication encoding (DSSE protocol 1.0.0): what is signed. Lengths are in bytes of UTF-8."""
    kind = payload_type.encode("utf-8")
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def seal(payload: bytes, key: PrivateKey) -> bytes:
    """The envelope's bytes. Raises UnrecordableError for a payload that makes it larger than can be read again."""
    signature = {"keyid": key.key_id, "sig": _base64(key.sign(pae(PAYLOAD_TYPE, payload)))}
    body = canonical_json({"payload": _base64(payload), "payloadType": PAYLOAD_TYPE, "signatures": [signature]})
    if len(body) > MAX_ENVELOPE_BYTES:
        raise UnrecordableError(f"An envelope of {len(body):,} bytes is larger than {MAX_ENVELOPE_BYTES:,}.")
    return body


def read_envelope(data: bytes, what: str = "The envelope") -> Sealed:
    """An envelope from its bytes, not verified. Raises RecordError, naming what is wrong, by the module's rules."""
    if len(data) > MAX_ENVELOPE_BYTES:
        raise RecordError(f"{what} has {len(data):,} bytes; more than {MAX_ENVELOPE_BYTES:,} are not read.")
    if sum(map(data.count, (b",", b"[", b"{"))) > _MOST_PUNCTUATION:
        raise RecordError(f"{what} holds more than the members of an envelope.")
    members = _object(parse_json(data, unique_members=True, what=what), {"payload", "payloadType", "signatures"}, what)
    signatures = members["signatures"]
    if not isinstance(signatures, list) or len(signatures) != 1:
        found = f"{len(signatures)} signatures" if isinstance(signatures, list) else "no list of signatures"
        raise RecordError(f"{what} has {found}; exactly one was expected.")
    signature = _object(signatures[0], {"keyid", "sig"}, f"{what}: signatures[0]")
    for name, value in (("payloadType", members["payloadType"]), ("signatures[0].keyid", signature["keyid"])):
        if not isinstance(value, str):
            raise RecordError(f"{what}: {name} is no text.")
    if members["payloadType"] != PAYLOAD_TYPE:
        raise RecordError(f"{what} is of the type '{shown(members['payloadType'])[:80]}', not {PAYLOAD_TYPE}.")
    sealed = Sealed(
        payload=_bytes(members["payload"], f"{what}: payload"),
        key_id=signature["keyid"],
        signature=_bytes(signature["sig"], f"{what}: signatures[0].sig"),
    )
    if len(sealed.signature) != SIGNATURE_BYTES:
        raise RecordError(f"{what}: an Ed25519 signature has {SIGNATURE_BYTES} bytes, not {len(sealed.signature)}.")
    if not _is_canonical(members, data):
        raise RecordError(f"{what} is not in canonical form: it was written anew, or changed.")
    return sealed


def _object(value: Any, names: set[str], what: str) -> dict[str, Any]:
    """An object of exactly these members."""
    if not isinstance(value, dict):
        raise RecordError(f"{what} is no object.")
    missing, strange = sorted(names - value.keys()), sorted(value.keys() - names)
    if missing:
        raise RecordError(f"{what} lacks {', '.join(missing)}.")
    if strange:
        raise RecordError(f"{what} holds {shown(', '.join(strange))[:120]}, which no envelope has.")
    return value


def _bytes(text: object, what: str) -> bytes:
    if not isinstance(text, str):
        raise RecordError(f"{what} is no text.")
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as exc:  # ValueError: not ASCII
        raise RecordError(f"{what} is no base64.") from exc
    if _base64(data) != text:
        raise RecordError(f"{what} is not the one base64 text of its bytes.")
    return data


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _is_canonical(members: object, data: bytes) -> bool:
    try:
        return canonical_json(members) == data
    except UnrecordableError:
        return False
