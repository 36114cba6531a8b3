"""What the signatures of a deposit say: a pinned key decides, and whatever was tampered with is told."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from signing_samples import (
    CHAIN,
    OURS,
    RUN,
    SECOND,
    STRANGER,
    THIRD,
    WHEN,
    head_statement,
    members_of,
    payload_of,
    sealed_as,
    signed,
)

from bicameral.canonical import canonical_json, sha256_digest
from bicameral.errors import RecordError
from bicameral.model.witnessing import Envelope
from bicameral.witness.envelope import MAX_ENVELOPE_BYTES
from bicameral.witness.keys import PrivateKey, PublicKey
from bicameral.witness.signing import (
    SignatureState,
    check_envelope,
    follow_rotations,
    rotate,
    sign_statement,
    signature_state,
)
from bicameral.witness.statement import RotationStatement, statement_bytes

PINNED = (OURS.public,)


def state_of(
    envelopes: Iterable[Envelope],
    trusted: Sequence[PublicKey] = PINNED,
    *,
    entries: int = len(CHAIN),
) -> SignatureState:
    known = CHAIN[:entries]
    return signature_state(
        envelopes,
        trusted,
        head=known[-1] if known else None,
        entries=entries,
        seq_of=lambda head: known.index(head) if head in known else None,
    )


def status(state: SignatureState) -> int:
    """What `witness verify` answers where all else is sound: 0, 1 for broken, 3 for not signed though asked for."""
    if any(problem.kind == "broken" for problem in state.problems):
        return 1
    return 3 if state.asked and not state.signed else 0


def handed(old: PrivateKey, new: PrivateKey) -> Envelope:
    return rotate(old, new.public, signed_at=WHEN, program_version="0.1.0")


class TestOneSignature:
    def test_a_pinned_key_that_signed_the_head_makes_it_signed(self) -> None:
        state = state_of([signed()])
        assert (state.word, state.signed, state.signed_seq, state.unsigned) == ("signed", True, 5, 0)
        assert (state.key_id, state.signed_at, state.problems) == (OURS.key_id, WHEN, ())
        assert state.told == f"Signed by {OURS.key_id}."
        assert status(state) == 0

    def test_what_a_record_leaves_out_comes_back_whole(self) -> None:
        checked = check_envelope(signed(run=RUN).body, PINNED)
        assert checked.verdict == "good"
        assert checked.statement == head_statement(run=RUN)

    def test_entries_after_the_last_signature_are_told(self) -> None:
        state = state_of([signed(2), signed(3)])
        assert (state.word, state.signed, state.signed_seq, state.unsigned) == ("moved-on", False, 3, 2)
        assert state.told == f"Signed up to entry 3 by {OURS.key_id}; entries 4 to 5 are not signed."
        assert status(state) == 3

    def test_a_single_entry_after_it_is_told_by_its_number(self) -> None:
        assert state_of([signed(4)]).told.endswith("entry 5 is not signed.")

    def test_no_signature_is_status_3_only_where_one_was_asked_for(self) -> None:
        assert status(state_of([])) == 3
        assert status(state_of([], ())) == 0
        assert state_of([]).told == "There is no signature by the key that was asked for."
        assert state_of([], ()).told == "Not signed."

    def test_without_a_key_a_signature_is_said_to_be_unchecked_and_never_to_hold(self) -> None:
        state = state_of([signed()], ())
        assert (state.word, state.signed, state.asked, state.key_id) == ("unchecked", False, False, OURS.key_id)
        assert "no key was given" in state.told
        assert status(state) == 0

    def test_a_foreign_key_is_status_3_and_is_named(self) -> None:
        state = state_of([signed(key=STRANGER)])
        assert (state.word, state.problems) == ("unsigned", ())
        assert STRANGER.key_id in state.told
        assert status(state) == 3

    def test_a_strangers_signature_beside_ours_does_no_harm(self) -> None:
        assert status(state_of([signed(key=STRANGER), signed()])) == 0

    def test_an_empty_chain_has_nothing_that_could_be_signed(self) -> None:
        assert status(state_of([], entries=0)) == 3
        assert status(state_of([], (), entries=0)) == 0

    def test_only_signed_heads_are_looked_up_in_the_chain(self) -> None:
        asked: list[str] = []

        def look_up(head: str) -> int | None:
            asked.append(head)
            return CHAIN.index(head)

        envelopes = [signed(2), signed(5), handed(OURS, SECOND)]
        assert signature_state(envelopes, PINNED, head=CHAIN[-1], entries=6, seq_of=look_up).signed
        assert asked == [CHAIN[2], CHAIN[5]]

    def test_the_envelopes_may_come_as_an_iterator(self) -> None:
        assert state_of(iter([handed(OURS, SECOND), signed(key=SECOND)])).signed


class TestOneByteChanged:
    @pytest.mark.parametrize("envelope", [signed(), handed(OURS, SECOND)], ids=["head", "rotation"])
    @pytest.mark.parametrize("how", [lambda b: b ^ 1, lambda b: b ^ 0x20, lambda b: 0xFF], ids=["bit", "case", "ff"])
    def test_at_every_offset_of_the_envelope_it_is_told(self, envelope: Envelope, how: Callable[[int], int]) -> None:
        body = envelope.body
        for offset in range(len(body)):
            changed = body[:offset] + bytes([how(body[offset])]) + body[offset + 1 :]
            state = state_of([replace(envelope, body=changed), signed()] if envelope.kind != "head" else
                             [replace(envelope, body=changed)])  # fmt: skip
            assert check_envelope(changed, PINNED).verdict != "good", offset
            assert status(state) in (1, 3), offset
            assert any(problem.kind == "broken" for problem in state.problems), offset

    def test_at_every_offset_of_the_statement_it_is_told(self) -> None:
        payload = statement_bytes(head_statement(run=RUN))
        signature = members_of(signed(run=RUN))["signatures"]
        for offset in range(len(payload)):
            changed = payload[:offset] + bytes([payload[offset] ^ 1]) + payload[offset + 1 :]
            text = base64.b64encode(changed).decode()
            body = canonical_json(
                {"payload": text, "payloadType": "application/vnd.in-toto+json", "signatures": signature}
            )
            assert check_envelope(body, PINNED).verdict == "bad", offset
            assert status(state_of([replace(signed(run=RUN), body=body)])) == 1, offset

    def test_cut_off_at_every_length_it_is_told(self) -> None:
        body = signed().body
        for length in range(len(body)):
            assert check_envelope(body[:length], PINNED).verdict == "bad"

    @pytest.mark.parametrize("name", ["kind", "subject", "key_id", "signed_at", "run_id"])
    def test_a_row_that_says_something_else_than_its_envelope_is_broken(self, name: str) -> None:
        changes: dict[str, Any] = {"kind": "rotation", "subject": CHAIN[0], "key_id": SECOND.key_id}
        envelope = replace(signed(), **{name: changes.get(name, "another")})
        for trusted in (PINNED, ()):
            state = state_of([envelope], trusted)
            assert status(state) == 1
            assert [problem.where for problem in state.problems] == [f"envelopes[0].{name}"]


class TestAttacks:
    def test_an_envelope_for_another_head_signs_nothing_here(self) -> None:
        elsewhere = sha256_digest(b"another chain")
        state = state_of([signed(head=elsewhere)])
        assert status(state) == 1
        assert elsewhere in state.problems[0].what

    def test_entries_dropped_from_the_end_are_told_by_the_signature_that_is_left(self) -> None:
        state = state_of([signed(3), signed(5)], entries=4)
        assert state.word == "signed"
        assert status(state) == 1
        assert "entries were dropped" in state.problems[0].what

    def test_a_chain_made_anew_from_some_entry_on_is_told(self) -> None:
        anew = (*CHAIN[:3], *(sha256_digest(f"anew {n}".encode()) for n in range(3)))
        state = signature_state(
            [signed()], PINNED, head=anew[-1], entries=6, seq_of=lambda head: anew.index(head) if head in anew else None
        )
        assert status(state) == 1

    def test_an_older_envelope_replayed_leaves_the_later_entries_unsigned(self) -> None:
        state = state_of([signed(1)])
        assert status(state) == 3
        assert "entries 2 to 5" in state.told

    def test_a_statement_that_gives_an_entry_another_number_is_broken(self) -> None:
        state = state_of([signed(head=CHAIN[2], seq=5)])
        assert status(state) == 1
        assert "it is entry 2" in state.problems[0].what

    def test_a_signature_made_for_another_payload_type_is_not_ours(self) -> None:
        body = sealed_as(
            statement_bytes(head_statement()), kind="text/plain", payloadType="application/vnd.in-toto+json"
        )
        assert check_envelope(body, PINNED).verdict == "bad"
        assert status(state_of([replace(signed(), body=body)])) == 1

    def test_an_envelope_of_another_payload_type_is_refused_though_its_signature_holds(self) -> None:
        checked = check_envelope(sealed_as(statement_bytes(head_statement()), kind="text/plain"), PINNED)
        assert (checked.verdict, checked.statement) == ("bad", None)

    def test_a_key_that_the_envelope_brings_is_never_used(self) -> None:
        body = sealed_as(statement_bytes(head_statement()), STRANGER)
        members = json.loads(body)
        members["signatures"][0]["publicKey"] = base64.b64encode(STRANGER.public.der).decode()
        assert check_envelope(canonical_json(members), PINNED).verdict == "bad"
        assert check_envelope(body, PINNED).verdict == "foreign"
        payload = json.loads(statement_bytes(head_statement()))
        payload["predicate"]["publicKey"] = base64.b64encode(STRANGER.public.der).decode()
        assert check_envelope(sealed_as(canonical_json(payload), STRANGER), PINNED).verdict == "foreign"

    def test_a_strangers_signature_under_our_keys_name_is_broken_and_not_merely_absent(self) -> None:
        body = sealed_as(
            statement_bytes(head_statement()),
            STRANGER,
            signatures=[members_of(signed(key=STRANGER))["signatures"][0] | {"keyid": OURS.key_id}],
        )
        assert status(state_of([replace(signed(), body=body)])) == 1

    def test_our_signature_under_a_strangers_name_is_broken(self) -> None:
        body = canonical_json(
            members_of(signed()) | {"signatures": [members_of(signed())["signatures"][0] | {"keyid": STRANGER.key_id}]}
        )
        envelope = replace(signed(), body=body, key_id=STRANGER.key_id)
        assert status(state_of([envelope])) == 1

    @pytest.mark.parametrize(
        "body",
        [b"[" * 100_000, b'{"a":' * 100_000, b"A" * (MAX_ENVELOPE_BYTES + 1), b"\xff", b""],
        ids=["nesting", "nesting of objects", "too large", "no UTF-8", "empty"],
    )
    def test_bytes_that_are_no_envelope_are_told_and_raise_nothing(self, body: bytes) -> None:
        for trusted in (PINNED, ()):
            assert status(state_of([replace(signed(), body=body)], trusted)) == 1

    @pytest.mark.parametrize(
        "payload",
        [
            b"",
            b"{}",
            b"[]",
            b"[" * 100_000,
            b'{"a":' * 100_000,
            b"[1," + b"1," * 1_000_001 + b"1]",
            canonical_json({"_type": "https://in-toto.io/Statement/v0.1"}),
            canonical_json(
                {"_type": "https://in-toto.io/Statement/v1", "predicateType": "https://slsa.dev/provenance/v1"}
            ),
            statement_bytes(head_statement()).replace(b'"seq":5', b'"seq":5,"seq":5'),
            statement_bytes(head_statement()).replace(b'"seq":5', b'"seq":NaN'),
        ],
        ids=["empty", "{}", "[]", "nesting", "objects", "values", "old in-toto", "SLSA", "a member twice", "NaN"],
    )
    def test_our_key_over_something_that_is_no_statement_of_ours_signs_nothing(self, payload: bytes) -> None:
        checked = check_envelope(sealed_as(payload), PINNED)
        assert checked.verdict == "bad"
        assert checked.why
        assert status(state_of([replace(signed(), body=sealed_as(payload))])) == 1


class TestRotation:
    def test_a_reader_of_the_old_key_follows_it_to_the_new_one(self) -> None:
        state = state_of([handed(OURS, SECOND), signed(3), signed(5, SECOND)])
        assert (state.word, state.key_id) == ("signed", SECOND.key_id)
        assert state.trusted == (OURS.key_id, SECOND.key_id)
        assert status(state) == 0

    def test_a_reader_of_the_new_key_needs_no_rotation_and_does_not_trust_the_old_key(self) -> None:
        envelopes = [handed(OURS, SECOND), signed(3), signed(5, SECOND)]
        assert status(state_of(envelopes, [SECOND.public])) == 0
        assert status(state_of([handed(OURS, SECOND), signed(5)], [SECOND.public])) == 3

    def test_several_rotations_are_followed_in_any_order(self) -> None:
        envelopes = [handed(SECOND, THIRD), signed(5, THIRD), handed(OURS, SECOND)]
        assert status(state_of(envelopes)) == 0
        assert status(state_of(envelopes[::-1])) == 0

    def test_a_circle_of_rotations_ends(self) -> None:
        envelopes = [handed(OURS, SECOND), handed(SECOND, THIRD), handed(THIRD, OURS), signed(5, THIRD)]
        state = state_of(envelopes)
        assert state.trusted == (OURS.key_id, SECOND.key_id, THIRD.key_id)
        assert status(state) == 0

    def test_a_long_line_of_rotations_is_followed(self) -> None:
        keys = [OURS, *(PrivateKey(sha256_digest(str(n).encode())[-32:].encode()) for n in range(200))]
        envelopes = [handed(old, new) for old, new in pairwise(keys)]
        assert state_of([*reversed(envelopes), signed(5, keys[-1])]).signed

    def test_a_fork_is_followed_to_neither_side_and_told(self) -> None:
        state = state_of([handed(OURS, SECOND), handed(OURS, THIRD), signed(5, THIRD)])
        assert [problem.kind for problem in state.problems] == ["unverifiable"]
        assert "handed over to 2 keys" in state.problems[0].what
        assert status(state) == 3

    def test_a_fork_leaves_what_the_pinned_key_signed_itself(self) -> None:
        assert status(state_of([handed(OURS, SECOND), handed(OURS, THIRD), signed(5)])) == 0

    def test_one_rotation_said_twice_is_no_fork(self) -> None:
        again = rotate(OURS, SECOND.public, signed_at="2027-01-01T00:00:00Z", program_version="0.2.0")
        assert status(state_of([handed(OURS, SECOND), again, signed(5, SECOND)])) == 0

    def test_a_rotation_signed_by_a_stranger_leads_nowhere(self) -> None:
        assert status(state_of([handed(STRANGER, SECOND), signed(5, SECOND)])) == 3

    def test_a_strangers_rotation_in_our_keys_name_is_broken(self) -> None:
        """The stranger signs that OURS is followed by him, under his own key's name or under ours."""
        statement = RotationStatement(
            old_key_id=OURS.key_id, new_key=STRANGER.public, signed_at=WHEN, program_version="0.1.0"
        )
        own = sign_statement(statement, STRANGER)
        members = members_of(own)
        members["signatures"][0]["keyid"] = OURS.key_id
        ours = replace(own, body=canonical_json(members), key_id=OURS.key_id)
        assert status(state_of([own, signed(5, STRANGER)])) == 3
        assert status(state_of([ours, signed(5, STRANGER)])) == 1
        assert status(state_of([own, ours, signed(5, STRANGER)], [STRANGER.public])) == 1

    def test_a_rotation_kept_as_a_head_is_not_followed_and_told(self) -> None:
        hidden = replace(handed(OURS, SECOND), kind="head")
        assert status(state_of([hidden, signed(5, SECOND)])) == 1
        assert state_of([hidden, signed(5, SECOND)]).trusted == (OURS.key_id,)

    def test_a_rotation_whose_subject_is_another_key_than_the_one_it_brings_is_none(self) -> None:
        payload = payload_of(handed(OURS, SECOND))
        payload["predicate"]["newKey"] = base64.b64encode(STRANGER.public.der).decode()
        envelope = replace(handed(OURS, SECOND), body=sealed_as(canonical_json(payload)))
        state = state_of([envelope, signed(5, STRANGER)])
        assert status(state) == 1
        assert state.trusted == (OURS.key_id,)

    def test_a_key_cannot_follow_itself(self) -> None:
        with pytest.raises(RecordError, match="cannot follow itself"):
            rotate(OURS, OURS.public, signed_at=WHEN, program_version="0.1.0")
        itself = RotationStatement(old_key_id=OURS.key_id, new_key=OURS.public, signed_at=WHEN, program_version="1")
        assert check_envelope(sign_statement(itself, OURS).body, PINNED).verdict == "bad"

    def test_two_pinned_keys_are_each_trusted_once(self) -> None:
        keys, forks = follow_rotations([handed(OURS, SECOND)], [OURS.public, SECOND.public, OURS.public])
        assert (keys, forks) == ((OURS.public, SECOND.public), ())
