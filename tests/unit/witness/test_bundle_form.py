"""The form of a bundle: what is written is read back, one content has one form, and standard tools open it."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bicameral.canonical import sha256_digest
from bicameral.errors import BundleError
from bicameral.model.witnessing import KeptLink, KeptReply, Redaction
from bicameral.witness.audit import Blob, End, Header, Link, Part
from bicameral.witness.bundle import Limits, read_bundle, write_bundle
from bicameral.witness.bundle.limits import SEGMENT
from witness_deposits import Deposit, agreement, alone, deposit, dispute, head_envelope, redaction, verified


def whole_deposit() -> Deposit:
    """One of everything, and a link of another run."""
    found = deposit(dispute(), agreement(), alone())
    assert found.head is not None
    replies = found.links[2].replies
    dropped = found.with_link(2, replies=(replace(replies[0], text=None), *replies[1:]))
    elsewhere = dropped.with_link(1, record=None, outcome=None, replies=())
    return elsewhere.with_(
        header=Header(runs=("r1", "r3 – übermorgen"), instructions=False),
        redactions=tuple(
            sorted((redaction(sha256_digest(b"x")), redaction(replies[0].digest, "reply")), key=lambda one: one.digest)
        ),
        envelopes=(head_envelope(found.head), head_envelope(found.head, key_id=sha256_digest(b"other"), run_id=None)),
    )


def written(parts: Any, **options: Any) -> bytes:
    file = io.BytesIO()
    assert write_bundle(parts, file, **options) == len(file.getvalue())
    return file.getvalue()


def plain(parts: Iterator[Part]) -> list[object]:
    """The parts with each blob's bytes read."""
    return [(part.digest, part.size, b"".join(part.chunks)) if isinstance(part, Blob) else part for part in parts]


def test_what_is_written_is_read_back() -> None:
    given = whole_deposit()
    assert plain(read_bundle(io.BytesIO(given.bundle()))) == plain(given.parts())
    assert verified(read_bundle(io.BytesIO(given.bundle()))) == verified(given.parts())


def test_one_content_has_one_form_and_writing_what_was_read_gives_the_same_bytes() -> None:
    body = whole_deposit().bundle()
    assert whole_deposit().bundle() == body
    assert written(read_bundle(io.BytesIO(body))) == body


def test_standard_tools_open_it_and_find_the_pictures_by_their_digest() -> None:
    given = whole_deposit()
    with tarfile.open(fileobj=io.BytesIO(given.bundle()), mode="r:") as tar:
        members = tar.getmembers()
        names = [member.name for member in members]
        assert names[:2] == ["bicameral.bundle.v1.json", "chain/0000000000.links"]
        assert names[-4:] == [
            "envelopes/0000000000.dsse.json",
            "envelopes/0000000001.json",
            "envelopes/0000000001.dsse.json",
            "end.json",
        ]
        assert {(member.mtime, member.uid, member.gid, member.uname, member.mode) for member in members} == {
            (0, 0, 0, "", 0o644)
        }
        for digest, body in given.blobs.items():
            file = tar.extractfile(f"blobs/{digest.removeprefix('sha256:')}")
            assert file is not None
            assert file.read() == body
        first = tar.extractfile("bicameral.bundle.v1.json")
        assert first is not None
        assert b'"type":"bicameral.bundle.v1"' in first.read()


class Pipe(io.RawIOBase):
    """Gives a few bytes at a time and cannot seek, as a pipe."""

    def __init__(self, body: bytes, at_once: int) -> None:
        self._body, self._at_once = io.BytesIO(body), at_once

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._body.read(min(self._at_once, len(buffer)))
        buffer[: len(piece)] = piece
        return len(piece)


@pytest.mark.parametrize("at_once", [1, 511, 100_000])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_bundle_is_read_from_a_pipe_plain_or_packed(at_once: int, pack: Any) -> None:
    given = deposit(agreement())
    pipe = Pipe(pack(given.bundle()), at_once)
    assert verified(read_bundle(pipe))[0] == []  # type: ignore[arg-type]  # a raw file reads as a buffered one does


def test_a_blob_that_is_not_read_or_half_read_is_passed_over() -> None:
    big = bytes(range(256)) * 3000
    given = deposit(agreement()).with_(blobs={sha256_digest(big): big, sha256_digest(b"b"): b"b"})
    kinds = [type(part).__name__ for part in read_bundle(io.BytesIO(given.bundle()))]
    assert kinds == ["Header", "Link", "Blob", "Blob", "End"]
    for part in read_bundle(io.BytesIO(given.bundle())):
        if isinstance(part, Blob):
            next(part.chunks)
        last = part
    assert last == End(entries=1, head=given.head)


def long_chain(links: int = 400) -> Deposit:
    """Links of some 6 KiB, which fill more than one segment."""
    (kept,) = deposit(dispute()).links
    return Deposit(links=(kept,) * links, blobs={})


def test_links_and_redactions_are_in_segments_of_whole_items_that_are_closed_when_they_are_full() -> None:
    many = sorted((redaction(f"sha256:{number:064x}") for number in range(6000)), key=lambda one: one.digest)
    given = long_chain().with_(redactions=tuple(many))
    with tarfile.open(fileobj=io.BytesIO(given.bundle())) as tar:
        sizes = {member.name: member.size for member in tar.getmembers() if "/" in member.name}
    assert list(sizes) == [f"chain/{number:010d}.links" for number in range(len(sizes) - 2)] + [
        "redactions/0000000000.lines",
        "redactions/0000000001.lines",
    ]
    assert len(sizes) >= 5
    longest = 16 * 1024
    for name in list(sizes)[:-3]:
        assert SEGMENT <= sizes[name] < SEGMENT + longest
    assert plain(read_bundle(io.BytesIO(given.bundle()))) == plain(given.parts())


def header() -> Header:
    return Header(runs=("r",))


@pytest.mark.parametrize(
    "parts",
    [
        [],
        [End(entries=0, head=None)],
        [header()],
        [header(), header(), End(entries=0, head=None)],
        [header(), End(entries=0, head=None), End(entries=0, head=None)],
        [header(), redaction("sha256:" + "0" * 64), Link(kept=KeptLink(entry=b"{}")), End(entries=1, head=None)],
        [header(), redaction("b"), redaction("a"), End(entries=0, head=None)],
        [header(), redaction("a"), redaction("a"), End(entries=0, head=None)],
        [header(), head_envelope("b"), head_envelope("a"), End(entries=0, head=None)],
        [header(), head_envelope("b"), head_envelope("b", body=b"{}"), End(entries=0, head=None)],
    ],
)
def test_parts_in_no_order_or_twice_are_not_written(parts: list[Part]) -> None:
    with pytest.raises(BundleError):
        written(parts)


def blob(digest: str, body: bytes, size: int | None = None) -> Blob:
    return Blob(digest=digest, size=len(body) if size is None else size, chunks=iter([body]))


@pytest.mark.parametrize(
    "blobs",
    [
        [("sha256:" + "1" * 64, b"", None), ("sha256:" + "0" * 64, b"", None)],
        [("sha256:" + "1" * 64, b"", None), ("sha256:" + "1" * 64, b"", None)],
        [("../x", b"", None)],
        [("sha256:" + "1" * 64, b"abc", 2)],
        [("sha256:" + "1" * 64, b"abc", 4)],
        [("sha256:" + "1" * 64, b"", -1)],
    ],
)
def test_a_blob_out_of_order_twice_by_no_digest_or_of_another_size_is_not_written(blobs: list[Any]) -> None:
    with pytest.raises(BundleError):
        written([header(), *(blob(*one) for one in blobs), End(entries=0, head=None)])


@pytest.mark.parametrize(
    "kept",
    [
        KeptLink(entry=b"{}", replies=(KeptReply(digest="sha256:x", about=b"", text=b""),)),
        KeptLink(entry=b"{}", replies=(KeptReply(digest="é" * 64, about=b"", text=b""),)),
        KeptLink(entry=b"x" * 21),
        KeptLink(entry=b"", record=b"x" * 31),
        KeptLink(entry=b"", outcome=b"x" * 31),
        KeptLink(entry=b"", replies=(KeptReply(digest="sha256:" + "0" * 64, about=b"x" * 21, text=None),)),
        KeptLink(entry=b"", replies=(KeptReply(digest="sha256:" + "0" * 64, about=b"", text=b"x" * 31),)),
        KeptLink(entry=b"", replies=(KeptReply(digest="sha256:" + "0" * 64, about=b"", text=None),) * 3),
        KeptLink(entry=b"x" * 20, record=b"x" * 30, outcome=b"x" * 30),
    ],
)
def test_a_link_that_no_bundle_may_hold_is_not_written(kept: KeptLink) -> None:
    limits = Limits(small=20, document=30, link=90, replies=2)
    with pytest.raises(BundleError):
        written([Header(), Link(kept=kept), End(entries=1, head=None)], limits=replace(limits, small=20))


def test_what_is_over_a_limit_is_neither_written_nor_read() -> None:
    given = whole_deposit()
    body = given.bundle()
    for changes in (
        {"links": 2},
        {"blobs": 3},
        {"redactions": 1},
        {"envelopes": 1},
        {"replies": 2},
        {"blob": 100},
        {"envelope": 50},
        {"document": 1000},
        {"small": 200},
        {"total": len(body) - 1},
    ):
        limits = Limits(**changes)
        with pytest.raises(BundleError, match=r"more than|at most"):
            written(given.parts(), limits=limits)
        with pytest.raises(BundleError, match=r"more than|at most|whole link"):
            plain(read_bundle(io.BytesIO(body), limits=limits))


def test_a_text_that_utf_8_cannot_say_is_not_written() -> None:
    odd = Redaction(digest="a", kind="reply", redacted_at="now", redacted_by="\ud800", reason="")
    with pytest.raises(BundleError, match="lone surrogate"):
        written([Header(), odd, End(entries=0, head=None)])
    with pytest.raises(BundleError, match="lone surrogate"):
        written([Header(runs=("\udfff",)), End(entries=0, head=None)])


def test_documents_of_any_bytes_are_carried_as_they_are() -> None:
    """A store that is damaged is bundled as it is: it is for the verifier to say what is wrong."""
    reply = KeptReply(digest="sha256:" + "a" * 64, about=b"", text=b"\n\nlink 1 - -\n\0\xff")
    odd = [KeptLink(entry=b"\n", record=b"\xff\n", outcome=b"", replies=(reply, replace(reply, text=None)))]
    odd.append(KeptLink(entry=b"", record=None, outcome=b"x"))
    parts = [Header(), *(Link(kept=kept) for kept in odd), End(entries=2, head=None)]
    assert list(read_bundle(io.BytesIO(written(parts)))) == parts


def test_a_file_that_cannot_be_read_is_said_so() -> None:
    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            raise OSError(5, "Input/output error")

    with pytest.raises(BundleError, match="Input/output error"):
        list(read_bundle(Broken()))  # type: ignore[arg-type]  # a raw file reads as a buffered one does
