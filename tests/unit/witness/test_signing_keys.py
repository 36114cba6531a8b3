"""Keys as bytes: what is no Ed25519 key never gets past reading, and no private key is ever printed."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa, x25519
from signing_samples import OURS, SECOND

from bicameral.errors import SigningKeyError
from bicameral.witness.keys import PrivateKey, PublicKey, public_key_of_der, read_private_key, read_public_key

OTHERS: dict[str, Callable[[], Any]] = {
    "RSA": lambda: rsa.generate_private_key(65537, 2048),
    "P-256": lambda: ec.generate_private_key(ec.SECP256R1()),
    "Ed448": ed448.Ed448PrivateKey.generate,
    "X25519": x25519.X25519PrivateKey.generate,
}


def private_pem(key: Any, kind: form.PrivateFormat = form.PrivateFormat.PKCS8) -> bytes:
    found: bytes = key.private_bytes(form.Encoding.PEM, kind, form.NoEncryption())
    return found


def public_pem(key: Any) -> bytes:
    found: bytes = key.public_key().public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)
    return found


class TestRoundTrips:
    def test_a_public_key_is_the_pem_that_everybody_writes(self) -> None:
        theirs = ed25519.Ed25519PublicKey.from_public_bytes(OURS.public.raw)
        pem = theirs.public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)
        assert OURS.public.pem == pem
        assert read_public_key(pem) == OURS.public
        assert public_key_of_der(OURS.public.der) == OURS.public

    def test_the_key_id_is_the_digest_of_the_subject_public_key_info(self) -> None:
        assert OURS.key_id == OURS.public.key_id
        assert OURS.key_id == "sha256:06e3fd8fda29bb60ab59557de61edb0aecdb231134be30e75b455f8e1b792fa9"

    def test_a_private_key_is_pkcs8_and_reads_back(self) -> None:
        assert OURS.pem().startswith(b"-----BEGIN PRIVATE KEY-----")
        assert read_private_key(OURS.pem()) == OURS

    def test_a_private_key_with_a_passphrase_needs_it(self) -> None:
        pem = OURS.pem("schl\u00fcssel")
        assert pem.startswith(b"-----BEGIN ENCRYPTED PRIVATE KEY-----")
        assert read_private_key(pem, passphrase="schl\u00fcssel") == OURS
        for wrong in (None, ""):
            with pytest.raises(SigningKeyError, match="written with a passphrase, and none was given"):
                read_private_key(pem, passphrase=wrong)
        with pytest.raises(SigningKeyError, match="does not open with this passphrase"):
            read_private_key(pem, passphrase="schlussel")

    def test_a_passphrase_is_not_looked_at_where_none_is_needed(self) -> None:
        assert read_private_key(OURS.pem(), passphrase="x") == OURS

    def test_an_empty_passphrase_is_refused_and_not_taken_for_none(self) -> None:
        with pytest.raises(SigningKeyError, match="may not be empty"):
            OURS.pem("")

    def test_space_around_a_pem_does_no_harm(self) -> None:
        assert read_public_key(b"\n  " + OURS.public.pem + b"\n\n") == OURS.public
        assert read_private_key(OURS.pem().replace(b"\n", b"\r\n")) == OURS


class TestRefusals:
    @pytest.mark.parametrize("kind", OTHERS)
    def test_a_key_of_another_kind_is_named(self, kind: str) -> None:
        key = OTHERS[kind]()
        with pytest.raises(SigningKeyError, match=r"^a\.pem is of the kind \w+, not Ed25519"):
            read_private_key(private_pem(key), "a.pem")
        with pytest.raises(SigningKeyError, match=r"^a\.pem is of the kind \w+, not Ed25519"):
            read_public_key(public_pem(key), "a.pem")

    def test_each_half_in_the_place_of_the_other_is_told(self) -> None:
        with pytest.raises(SigningKeyError, match="is a private key"):
            read_public_key(OURS.pem())
        with pytest.raises(SigningKeyError, match="is a private key"):
            read_public_key(OURS.pem("x"))
        with pytest.raises(SigningKeyError, match="is a public key, which cannot sign"):
            read_private_key(OURS.public.pem)

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"\x00\xff",
            b"ssh-ed25519 AAAA",
            OURS.public.raw,
            OURS.public.der,
            b"-----BEGIN PUBLIC KEY-----\n",
            b"-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
            b"-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n",
            OURS.public.pem[:60],
            OURS.pem()[:60],
            OURS.pem().replace(b"M", b"N", 1),
            OURS.public.pem.replace(b"MCow", b"MCox"),
            OURS.public.pem + SECOND.public.pem,
            OURS.pem() + SECOND.pem(),
            private_pem(rsa.generate_private_key(65537, 2048), form.PrivateFormat.TraditionalOpenSSL),
            private_pem(ed25519.Ed25519PrivateKey.generate(), form.PrivateFormat.OpenSSH),
        ],
    )
    def test_what_is_no_key_is_a_signing_key_error_that_names_the_file(self, data: bytes) -> None:
        for read in (read_private_key, read_public_key):
            with pytest.raises(SigningKeyError, match=r"^a\.pem "):
                read(data, "a.pem")

    @pytest.mark.parametrize("length", [0, 31, 33, 64])
    def test_a_key_of_another_length_is_refused(self, length: int) -> None:
        with pytest.raises(SigningKeyError, match=f"not {length}"):
            PublicKey(b"x" * length)
        with pytest.raises(SigningKeyError, match=f"not {length}"):
            PrivateKey(b"x" * length)

    @pytest.mark.parametrize("der", [b"", OURS.public.der[:-1], OURS.public.der + b"x", b"x" + OURS.public.der[1:]])
    def test_a_subject_public_key_info_has_one_form(self, der: bytes) -> None:
        with pytest.raises(SigningKeyError, match="no SubjectPublicKeyInfo"):
            public_key_of_der(der)

    def test_32_bytes_that_are_no_point_verify_nothing(self) -> None:
        assert not PublicKey(b"\xff" * 32).verifies(OURS.sign(b"x"), b"x")
        assert not OURS.public.verifies(b"", b"x")


class TestSecrecy:
    def test_a_private_key_shows_its_id_and_nothing_of_itself(self) -> None:
        for shown in (repr(OURS), str(OURS), f"{[OURS]}"):
            assert shown.strip("[]") == f"<PrivateKey {OURS.key_id}>"

    def test_a_private_key_is_neither_pickled_nor_copied(self) -> None:
        for leak in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="not pickled"):
                leak(OURS)

    def test_an_error_about_a_damaged_key_quotes_nothing_of_it(self) -> None:
        pem = OURS.pem()
        body = pem.split(b"\n")[1]
        with pytest.raises(SigningKeyError) as caught:
            read_private_key(pem.replace(body[:8], body[4:8] + body[:4]))
        assert body[8:40].decode() not in str(caught.value)

    def test_importing_the_witness_does_not_load_cryptography(self) -> None:
        code = "import bicameral.witness.signing, sys; print('cryptography' in sys.modules)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "False"
