"""The envelope against what others publish, and against every way of writing it differently."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from signing_samples import OURS, SECOND, sealed_as

from bicameral.canonical import canonical_json
from bicameral.errors import RecordError, UnrecordableError
from bicameral.witness.envelope import MAX_ENVELOPE_BYTES, PAYLOAD_TYPE, pae, read_envelope, seal
from bicameral.witness.keys import PublicKey

BODY = b'{"_type":"https://in-toto.io/Statement/v1"}'


class TestWhatOthersPublish:
    def test_the_pre_authentication_encoding_is_the_one_in_the_protocol_of_dsse(self) -> None:
        """The example of DSSE protocol 1.0.0, section Test Vectors."""
        found = pae("http://example.com/HelloWorld", b"hello world")
        assert found == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"

    @pytest.mark.parametrize(
        ("kind", "body", "expected"),
        [
            ("", b"", b"DSSEv1 0  0 "),
            ("application/vnd.ex\u00e4mple+json", b"x", b"DSSEv1 29 application/vnd.ex\xc3\xa4mple+json 1 x"),
            ("a b", b"\x00 7 \xff", b"DSSEv1 3 a b 5 \x00 7 \xff"),
        ],
        ids=["nothing", "a type beyond ASCII", "spaces and raw bytes"],
    )
    def test_lengths_are_counted_in_bytes(self, kind: str, body: bytes, expected: bytes) -> None:
        assert pae(kind, body) == expected

    def test_two_pairs_of_type_and_body_never_have_one_encoding(self) -> None:
        assert pae("a", b"b 1 c") != pae("a 5 b", b"c")

    def test_the_key_and_signatures_of_rfc_8032_come_out(self) -> None:
        """Section 7.1, tests 1 and 2: the empty message, and one byte."""
        assert OURS.public.raw.hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
        assert OURS.sign(b"").hex().startswith("e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155")
        other = PublicKey(bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"))
        signature = (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        )
        assert other.verifies(bytes.fromhex(signature), b"\x72")

    def test_the_signature_that_the_vectors_of_dsse_give_for_this_key_and_payload_comes_out(self) -> None:
        """`single-signature` of secure-systems-lab/dsse, testvectors/vectors.json."""
        published = "2WAfaHm5jluo0w+0rk8uVkluELJYWjSmU9x7EUzx+AyteDGJ4/nqyJXfmAUVFIAoQafWm7AxBZNw5M9ixNHiCA=="
        assert json.loads(seal(BODY, OURS))["signatures"][0]["sig"] == published

    def test_an_envelope_of_ours_is_known_byte_for_byte(self) -> None:
        """Key id and signature were checked with another implementation (node's crypto)."""
        assert seal(b"{}", OURS) == (
            b'{"payload":"e30=","payloadType":"application/vnd.in-toto+json","signatures":[{"keyid":'
            b'"sha256:06e3fd8fda29bb60ab59557de61edb0aecdb231134be30e75b455f8e1b792fa9","sig":'
            b'"vW8iDoS+pQIrO8G9pV+VHVGcvY/XcGMh2vfWpJJwwrH/m4CRZswsl9wIASL/n2XN7RSNIqdiogwYkqskDFZiAQ=="}]}'
        )


class TestReading:
    def test_what_was_sealed_reads_and_verifies(self) -> None:
        sealed = read_envelope(seal(BODY, OURS))
        assert (sealed.payload, sealed.key_id) == (BODY, OURS.key_id)
        assert sealed.is_signed_by(OURS.public)
        assert not sealed.is_signed_by(SECOND.public)

    def test_sealing_twice_gives_the_same_bytes(self) -> None:
        assert seal(BODY, OURS) == seal(BODY, OURS)

    def test_a_signature_over_the_payload_alone_is_none(self) -> None:
        bare = base64.b64encode(OURS.sign(BODY)).decode()
        envelope = sealed_as(BODY, signatures=[{"keyid": OURS.key_id, "sig": bare}])
        assert not read_envelope(envelope).is_signed_by(OURS.public)

    def test_a_signature_over_another_payload_type_does_not_hold_for_ours(self) -> None:
        envelope = sealed_as(BODY, kind="application/vnd.other+json", payloadType=PAYLOAD_TYPE)
        assert not read_envelope(envelope).is_signed_by(OURS.public)


GOOD: dict[str, Any] = json.loads(seal(BODY, OURS))
SIGNATURE: dict[str, Any] = GOOD["signatures"][0]


def written(**changes: Any) -> bytes:
    return canonical_json(GOOD | changes)


def signature(**changes: Any) -> bytes:
    return written(signatures=[SIGNATURE | changes])


REFUSED: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "is no JSON"),
    "no JSON": (b"x", "is no JSON"),
    "no UTF-8": (b"\xff", "is no UTF-8"),
    "a list": (b"[]", "is no object"),
    "an empty object": (b"{}", "lacks payload, payloadType, signatures"),
    "no payload": (canonical_json({k: v for k, v in GOOD.items() if k != "payload"}), "lacks payload"),
    "a member more": (written(note="x"), "holds note"),
    "another payload type": (written(payloadType="application/json"), "is of the type 'application/json'"),
    "a payload type in capitals": (written(payloadType=PAYLOAD_TYPE.upper()), "is of the type"),
    "a payload type that is a number": (written(payloadType=1), "payloadType is no text"),
    "a payload type with a terminal's escape": (written(payloadType="\x1b[2J"), r"'\\x1b\[2J'"),
    "a payload that is a number": (written(payload=1), "payload is no text"),
    "a payload that is null": (written(payload=None), "payload is no text"),
    "a payload that is no base64": (written(payload="!!!!"), "payload is no base64"),
    "base64 without padding": (written(payload="e30"), "payload is no base64"),
    "base64 with stray bits": (written(payload="e31="), "not the one base64 text"),
    "base64 with a line break": (written(payload="e3\n0="), "payload is no base64"),
    "base64 with something after it": (written(payload="e30=e30="), "payload is"),
    "URL-safe base64": (written(payload="-_-_"), "payload is no base64"),
    "base64 of wide letters": (written(payload="\uff45\uff13\uff10="), "payload is no base64"),
    "no list of signatures": (written(signatures={}), "no list of signatures"),
    "no signature": (written(signatures=[]), "0 signatures"),
    "two signatures": (written(signatures=[SIGNATURE, SIGNATURE]), "2 signatures"),
    "a signature that is a text": (written(signatures=["x"]), r"signatures\[0\] is no object"),
    "no key id": (written(signatures=[{"sig": SIGNATURE["sig"]}]), "lacks keyid"),
    "no sig": (written(signatures=[{"keyid": "x"}]), "lacks sig"),
    "a key in the signature": (signature(publicKey="x"), "holds publicKey"),
    "a certificate in the signature": (signature(cert="x"), "holds cert"),
    "a key id that is null": (signature(keyid=None), "keyid is no text"),
    "an empty sig": (signature(sig=""), "64 bytes, not 0"),
    "a sig of 63 bytes": (signature(sig=base64.b64encode(b"x" * 63).decode()), "64 bytes, not 63"),
    "a sig of 65 bytes": (signature(sig=base64.b64encode(b"x" * 65).decode()), "64 bytes, not 65"),
    "a sig in hex": (signature(sig="ab" * 64), "64 bytes, not 96"),
    "a space more": (seal(BODY, OURS).replace(b":", b": ", 1), "not in canonical form"),
    "a line break at the end": (seal(BODY, OURS) + b"\n", "not in canonical form"),
    "members in another order": (json.dumps(dict(reversed(GOOD.items())), separators=(",", ":")).encode(), "canonical"),
    "an escape where none is needed": (seal(BODY, OURS).replace(b"payload", b"\\u0070ayload", 1), "not in canonical"),
    "a member twice": (seal(BODY, OURS).replace(b"{", b'{"payload":"e30=",', 1), "'payload' twice"),
    "a member of the signature twice": (
        seal(BODY, OURS).replace(b'{"keyid"', b'{"keyid":"x","keyid"'),
        "'keyid' twice",
    ),
    "an envelope after the envelope": (seal(BODY, OURS) * 2, "is no JSON"),
    "a lone surrogate": (seal(BODY, OURS).replace(b'keyid":"sha', b'keyid":"\\ud800', 1), "not in canonical form"),
    "NaN": (seal(BODY, OURS).replace(b'"e', b"NaN", 1), "is no JSON|NaN"),
    "deep nesting": (b"[" * 100_000, "more than the members"),
    "deep nesting in base64's place": (b'{"payload":' + b"[" * 40 + b"]" * 40 + b"}", "lacks payloadType"),
    "a million members": (b'{"payload":[' + b"1," * 1_000_000 + b"1]}", "more than the members"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_it_is_refused_with_the_reason(fault: str) -> None:
    data, why = REFUSED[fault]
    with pytest.raises(RecordError, match=why):
        read_envelope(data)


def test_a_hundred_megabytes_are_refused_before_they_are_read() -> None:
    data = b'{"payload":"' + b"A" * 100_000_000 + b'"}'
    with pytest.raises(RecordError, match=r"100,000,014 bytes; more than 16,777,216 are not read"):
        read_envelope(data)


def test_a_payload_that_would_not_be_read_again_is_not_sealed() -> None:
    with pytest.raises(UnrecordableError, match="larger than"):
        seal(b"x" * MAX_ENVELOPE_BYTES, OURS)
