"""Ed25519 keys: their names, their files' bytes, signing and verifying.

Answers for: a key that is not Ed25519, or that is damaged, never gets past reading. Declines to make keys by chance and
to touch files: `runtime` draws the seed and holds the file. Nothing here prints a private key.

Rules, in order:
1. A key's id is `sha256:` and the SHA-256 of its SubjectPublicKeyInfo in DER (RFC 8410), the same for both halves.
2. A public key is a PEM of that DER; a private key is a PEM of PKCS#8 (RFC 5958), with a passphrase or without.
3. A signature is the 64 bytes of RFC 8032 over the message itself.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from bicameral.canonical.plain import sha256_digest
from bicameral.errors import SigningKeyError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64

_SPKI_PREFIX: Final = bytes.fromhex("302a300506032b6570032100")
"""What every SubjectPublicKeyInfo of an Ed25519 key starts with (RFC 8410, section 4); the 32 bytes follow."""

_PUBLIC: Final = b"-----BEGIN PUBLIC KEY-----"
_PRIVATE: Final = b"-----BEGIN PRIVATE KEY-----"
_ENCRYPTED: Final = b"-----BEGIN ENCRYPTED PRIVATE KEY-----"


@dataclass(frozen=True)
class PublicKey:
    """The half that is given away. raw: its 32 bytes. Raises SigningKeyError for another length."""

    raw: bytes

    def __post_init__(self) -> None:
        if len(self.raw) != KEY_BYTES:
            raise SigningKeyError(f"An Ed25519 public key has {KEY_BYTES} bytes, not {len(self.raw)}.")

    @property
    def der(self) -> bytes:
        """Its SubjectPublicKeyInfo."""
        return _SPKI_PREFIX + self.raw

    @cached_property
    def key_id(self) -> str:
        """`sha256:` digest of the DER."""
        return sha256_digest(self.der)

    @property
    def pem(self) -> bytes:
        """The file that `read_public_key` reads."""
        return _PUBLIC + b"\n" + base64.b64encode(self.der) + b"\n-----END PUBLIC KEY-----\n"

    def verifies(self, signature: bytes, message: bytes) -> bool:
        """Whether this key made the signature over the message. False for whatever is no signature at all."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, message)
        except (InvalidSignature, ValueError):  # ValueError: 32 bytes that are no point
            return False
        return True


class PrivateKey:
    """The half that signs. Made of a 32-byte seed (RFC 8032, section 5.1.5); equal by its public half."""

    __slots__ = ("_key", "public")

    def __init__(self, seed: bytes) -> None:
        """Raises SigningKeyError for a seed of another length."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        if len(seed) != KEY_BYTES:
            raise SigningKeyError(f"The seed of an Ed25519 key has {KEY_BYTES} bytes, not {len(seed)}.")
        self._key: Ed25519PrivateKey = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = PublicKey(self._key.public_key().public_bytes_raw())

    @property
    def key_id(self) -> str:
        return self.public.key_id

    def sign(self, message: bytes) -> bytes:
        """64 bytes, the same each time: Ed25519 needs no chance to sign."""
        return self._key.sign(message)

    def pem(self, passphrase: str | None = None) -> bytes:
        """The PKCS#8 file. With a passphrase the library draws a salt, so two such files of one key differ."""
        from cryptography.hazmat.primitives import serialization as form

        how: form.KeySerializationEncryption = form.NoEncryption()
        if passphrase is not None:
            if not passphrase:
                raise SigningKeyError("A passphrase may not be empty.", mend="Leave it out, or choose one.")
            how = form.BestAvailableEncryption(passphrase.encode("utf-8", "surrogatepass"))
        return self._key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, how)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PrivateKey) and self.public == other.public

    def __hash__(self) -> int:
        return hash(self.public)

    def __repr__(self) -> str:
        return f"<PrivateKey {self.key_id}>"

    def __reduce__(self) -> str:
        raise TypeError("A private key is not pickled.")


def read_public_key(data: bytes, what: str = "The public key") -> PublicKey:
    """A public key from the bytes of its PEM file. `what` begins the message of a SigningKeyError."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    body = data.strip()
    if b"PRIVATE KEY-----" in body:
        raise SigningKeyError(f"{what} is a private key.", mend="Give the public one; the private one stays with you.")
    if not body.startswith(_PUBLIC) or body.count(b"-----BEGIN ") != 1:
        raise SigningKeyError(f"{what} is no PEM file of one public key.", mend=f"It starts with {_PUBLIC.decode()}.")
    try:
        key = load_pem_public_key(body)
    except (ValueError, UnsupportedAlgorithm) as exc:
        raise SigningKeyError(f"{what} cannot be read as a public key.", mend="It is damaged: copy it anew.") from exc
    if not isinstance(key, Ed25519PublicKey):
        raise SigningKeyError(f"{what} is {_kind(key)}, not Ed25519.", mend="`bicameral witness keygen` makes a key.")
    return PublicKey(key.public_bytes_raw())


def public_key_of_der(data: bytes, what: str = "The public key") -> PublicKey:
    """A public key from its SubjectPublicKeyInfo, in the one form it has. Raises SigningKeyError."""
    if len(data) != len(_SPKI_PREFIX) + KEY_BYTES or not data.startswith(_SPKI_PREFIX):
        raise SigningKeyError(f"{what} is no SubjectPublicKeyInfo of an Ed25519 key.")
    return PublicKey(data[len(_SPKI_PREFIX) :])


def read_private_key(data: bytes, what: str = "The signing key", *, passphrase: str | None = None) -> PrivateKey:
    """A private key from the bytes of its PEM file. `what` begins the message of a SigningKeyError.

    passphrase: needed for a file that was written with one; not looked at for another.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    body = data.strip()
    if is_public_pem(body):
        raise SigningKeyError(f"{what} is a public key, which cannot sign.", mend="Name the private key's file.")
    if not body.startswith((_PRIVATE, _ENCRYPTED)) or body.count(b"-----BEGIN ") != 1:
        raise SigningKeyError(
            f"{what} is no PEM file of one private key in PKCS#8.", mend="`bicameral witness keygen` makes one."
        )
    secret: bytes | None = None
    if body.startswith(_ENCRYPTED):
        if not passphrase:
            raise SigningKeyError(
                f"{what} was written with a passphrase, and none was given.",
                mend="Set BICAMERAL_SIGNING_PASSPHRASE.",
            )
        secret = passphrase.encode("utf-8", "surrogatepass")
    try:
        key = load_pem_private_key(body, password=secret)
    except (ValueError, TypeError, UnsupportedAlgorithm) as exc:
        if secret is not None:
            raise SigningKeyError(f"{what} does not open with this passphrase, or is damaged.") from exc
        raise SigningKeyError(f"{what} cannot be read as a private key: it is damaged.") from exc
    if not isinstance(key, Ed25519PrivateKey):
        raise SigningKeyError(f"{what} is {_kind(key)}, not Ed25519.", mend="`bicameral witness keygen` makes a key.")
    return PrivateKey(key.private_bytes_raw())


def is_public_pem(data: bytes) -> bool:
    """Whether a file's bytes say that they are a public key."""
    return data.lstrip().startswith(_PUBLIC)


def _kind(key: object) -> str:
    name = type(key).__name__.lstrip("_").removesuffix("PublicKey").removesuffix("PrivateKey")
    return f"of the kind {name}"
