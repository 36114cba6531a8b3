"""Files that are no bundle, or were made to harm who reads one: each is refused with its place, in bounded memory."""

from __future__ import annotations

import gzip
import io
import re
import subprocess
import sys
import tarfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bicameral.canonical import sha256_digest
from bicameral.errors import BundleError, RecordError
from bicameral.witness.audit import End, Header, Link, audit
from bicameral.witness.bundle import Limits, read_bundle, write_bundle
from bicameral.witness.bundle._tar import END, padding, tar_header
from witness_deposits import Deposit, agreement, alone, deposit, head_envelope, redaction

Member = tuple[str, bytes]


def small() -> Deposit:
    """One link with one of everything after it."""
    found = deposit(alone())
    assert found.head is not None
    return found.with_(redactions=(redaction(sha256_digest(b"x")),), envelopes=(head_envelope(found.head),))


def members(body: bytes) -> list[Member]:
    """Every member with its bytes."""
    with tarfile.open(fileobj=io.BytesIO(body), mode="r:") as tar:
        return [(member.name, tar.extractfile(member).read()) for member in tar.getmembers()]  # type: ignore[union-attr]


def packed(given: list[Member]) -> bytes:
    """The members in canonical headers, with an end mark that tells the truth of what is before it."""
    body = b""
    for name, data in given:
        if name == "end.json":
            data = re.sub(rb'"sha256":"[^"]*"', f'"sha256":"{sha256_digest(body)}"'.encode(), data)
        body += tar_header(name, len(data)) + data + padding(len(data))
    return body + END


def refusal(body: bytes, **limits: Any) -> str:
    """What a reader says. Nothing but a RecordError leaves it."""
    with pytest.raises(RecordError) as caught:
        list(audit(read_bundle(io.BytesIO(body), limits=Limits(**limits))))
    return str(caught.value)


def test_the_helper_here_packs_what_the_writer_writes() -> None:
    assert packed(members(small().bundle())) == small().bundle()


@pytest.mark.parametrize(
    "body", [b"", b"\x1f", b"\x1f\x8b", b"PK\x03\x04" * 400, b"{}", b"\0" * 512, b"\0" * 1024, b"\xff" * 4096]
)
def test_what_is_no_bundle_is_refused(body: bytes) -> None:
    assert "bundle" in refusal(body)


def test_a_bundle_cut_off_at_any_block_is_torn() -> None:
    body = small().bundle()
    for cut in range(0, len(body), 512):
        assert refusal(body[:cut])


def test_two_bundles_or_anything_after_the_end_are_not_one_bundle() -> None:
    body = small().bundle()
    for more in (body, b"\0", b"\0" * 512, b"x"):
        assert "does not end" in refusal(body + more)
    assert "does not end" in refusal(body[:-1] + b"x")
    for more in (gzip.compress(body), b"x"):
        assert "follows the gzip" in refusal(gzip.compress(body) + more)
    assert "torn" in refusal(gzip.compress(body)[:-9])


def evil(name: str, **fields: Any) -> bytes:
    """A bundle's header, and then a member that Python's own tar writer makes."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=fields.pop("format", tarfile.USTAR_FORMAT)) as tar:
        data = fields.pop("data", b"")
        info = tarfile.TarInfo(name)
        info.mode, info.size = 0o644, len(data)
        for field, value in fields.items():
            setattr(info, field, value)
        tar.addfile(info, io.BytesIO(data))
    (first, *_) = members(small().bundle())
    return tar_header(first[0], len(first[1])) + first[1] + padding(len(first[1])) + file.getvalue()


BLOB = "blobs/" + "0" * 64


@pytest.mark.parametrize(
    ("name", "fields", "said"),
    [
        ("../../etc/passwd", {}, "leave the bundle's folder"),
        ("/etc/passwd", {}, "leave the bundle's folder"),
        ("blobs/../../x", {}, "leave the bundle's folder"),
        ("C:/x", {}, "leave the bundle's folder"),
        ("..\\x", {}, "leave the bundle's folder"),
        ("blobs/" + "0" * 63, {}, "no name that a bundle knows"),
        ("blobs/" + "A" * 64, {}, "no name that a bundle knows"),
        ("chain/1.links", {}, "no name that a bundle knows"),
        (f"./{BLOB}", {}, "no name that a bundle knows"),
        (BLOB + "\nx", {}, "no name that a bundle knows"),
        (BLOB, {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"}, "a symbolic link"),
        (BLOB, {"type": tarfile.LNKTYPE, "linkname": "end.json"}, "a hard link"),
        (BLOB, {"type": tarfile.CHRTYPE}, "a character device"),
        (BLOB, {"type": tarfile.BLKTYPE}, "a block device"),
        (BLOB, {"type": tarfile.FIFOTYPE}, "a pipe"),
        (BLOB, {"type": tarfile.DIRTYPE}, "a folder"),
        (BLOB, {"type": tarfile.CONTTYPE}, "a contiguous file"),
        (BLOB, {"type": tarfile.AREGTYPE}, "before POSIX"),
        (BLOB, {"mode": 0o4755}, "not written as in a bundle"),
        (BLOB, {"uid": 1}, "not written as in a bundle"),
        (BLOB, {"gid": 1}, "not written as in a bundle"),
        (BLOB, {"mtime": 1}, "not written as in a bundle"),
        (BLOB, {"uname": "root"}, "not written as in a bundle"),
        (BLOB, {"linkname": "x"}, "not written as in a bundle"),
        (BLOB, {"format": tarfile.GNU_FORMAT}, "not written as in a bundle"),
        (BLOB, {"format": tarfile.PAX_FORMAT, "pax_headers": {"path": "../x"}}, "an extended header"),
        ("x" * 300, {"format": tarfile.GNU_FORMAT}, "a long name of GNU tar"),
        (BLOB, {"format": tarfile.GNU_FORMAT, "type": tarfile.GNUTYPE_SPARSE}, "a sparse file"),
        (BLOB, {"type": b"g"}, "a global extended header"),
        (BLOB, {"type": b"Z"}, "not written as in a bundle"),
    ],
)
def test_a_member_that_is_no_plain_file_of_a_bundle_is_refused(name: str, fields: dict[str, Any], said: str) -> None:
    assert said in refusal(evil(name, **fields))


def with_member(name: str, change: Callable[[bytes], bytes]) -> bytes:
    return packed([(one, change(data) if one == name else data) for one, data in members(small().bundle())])


def test_members_in_another_order_twice_or_missing_are_refused() -> None:
    given = members(small().bundle())
    names = [name for name, _ in given]
    for at in range(1, len(given) - 1):
        if not names[at].startswith("blobs/"):
            assert refusal(packed([*given[: at + 1], *given[at:]])), names[at]
    swapped = [given[0], given[2], given[1], *given[3:]]
    assert "belongs" in refusal(packed(swapped))
    blobs = [number for number, name in enumerate(names) if name.startswith("blobs/")]
    assert "comes twice" in refusal(packed([*given[: blobs[0] + 1], *given[blobs[0] :]]))
    first, second = blobs[:2]
    assert "out of order" in refusal(packed([*given[:first], given[second], given[first], *given[second + 1 :]]))
    assert "belongs" in refusal(packed([one for one in given if one[0] != "envelopes/0000000000.json"]))
    assert "belongs" in refusal(packed([one for one in given if one[0] != "envelopes/0000000000.dsse.json"]))
    assert "begins with" in refusal(packed(given[1:]))
    assert "cut off" in refusal(packed(given[:-1]))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("bicameral.bundle.v1.json", b"{}"),
        ("bicameral.bundle.v1.json", b"[" * 100_000),
        ("bicameral.bundle.v1.json", b'{"instructions":true,"runs":[],"runs":[],"type":"bicameral.bundle.v1"}'),
        ("bicameral.bundle.v1.json", b'{"instructions":true,"runs":[],"type":"bicameral.bundle.v2"}'),
        ("bicameral.bundle.v1.json", b'{"instructions":true,"runs":[], "type":"bicameral.bundle.v1"}'),
        ("bicameral.bundle.v1.json", b'{"instructions":1,"runs":[],"type":"bicameral.bundle.v1"}'),
        ("bicameral.bundle.v1.json", b'{"host":"a","instructions":true,"runs":[],"type":"bicameral.bundle.v1"}'),
        ("bicameral.bundle.v1.json", b'\xef\xbb\xbf{"instructions":true,"runs":[],"type":"bicameral.bundle.v1"}'),
        ("bicameral.bundle.v1.json", b'{"instructions":true,"runs":["\xff"],"type":"bicameral.bundle.v1"}'),
        ("end.json", b'{"entries":NaN,"head":null,"sha256":"sha256:x"}'),
        ("end.json", b'{"entries":1.0,"head":null,"sha256":"sha256:x"}'),
        ("end.json", b'{"entries":-1,"head":null,"sha256":"sha256:x"}'),
        ("end.json", b'{"entries":1,"head":null,"sha256":"sha256:x"}\n'),
        ("redactions/0000000000.lines", b"{}\n"),
        ("redactions/0000000000.lines", b"\n"),
        ("redactions/0000000000.lines", b"{}"),
        ("redactions/0000000000.lines", b""),
        ("redactions/0000000000.lines", b"[" * 100_000 + b"\n"),
        ("envelopes/0000000000.json", b"null"),
        ("chain/0000000000.links", b""),
        ("chain/0000000000.links", b"link 1 - -\n{"),
        ("chain/0000000000.links", b"link 1 - -\n{}\n"),
        ("chain/0000000000.links", b"link 2 - -\n{}\nmore"),
        ("chain/0000000000.links", b"link 2 - -\n{}\n\n"),
        ("chain/0000000000.links", b"link 02 - -\n{}\n"),
        ("chain/0000000000.links", b"link +2 - -\n{}\n"),
        ("chain/0000000000.links", b"link 2 - - \n{}\n"),
        ("chain/0000000000.links", b"link  2 - -\n{}\n"),
        ("chain/0000000000.links", b"link - - -\n\n"),
        ("chain/0000000000.links", b"link 2 -\n{}\n"),
        ("chain/0000000000.links", b"LINK 2 - -\n{}\n"),
        ("chain/0000000000.links", b"link 2 - - 0:0\n{}\n\n\n"),
        ("chain/0000000000.links", b"link 2 - - 0:0:" + b"A" * 64 + b"\n{}\n\n\n"),
        ("chain/0000000000.links", b"link 2 - - -:0:" + b"a" * 64 + b"\n{}\n\n\n"),
        ("chain/0000000000.links", b"link 99999999999999999999 - -\n{}\n"),
        ("chain/0000000000.links", b"link " + b"9" * 100_000 + b" - -\n{}\n"),
        ("chain/0000000000.links", b"link 2 - -" * 200_000),
        ("chain/0000000000.links", "link ２ - -\n{}\n".encode()),
    ],
)
def test_a_document_of_the_bundles_own_that_is_not_in_its_one_form_is_refused(name: str, data: bytes) -> None:
    assert refusal(with_member(name, lambda _: data))


def test_segments_that_are_not_filled_or_overfilled_are_refused() -> None:
    given = members(small().bundle())
    header, links, *rest = given
    half = ("chain/0000000001.links", links[1])
    assert "not reached" in refusal(packed([header, links, half, *rest]))
    assert "next segment begins" in refusal(packed([header, (links[0], links[1] * 400), *rest]))
    assert "belongs" in refusal(packed([header, half, *rest]))


def test_a_record_that_is_nested_100_000_deep_is_told_and_not_walked() -> None:
    kept = small().with_link(0, record=b"[" * 100_000 + b"]" * 100_000)
    found = list(audit(read_bundle(io.BytesIO(kept.bundle()))))
    assert ("entries[0].record", "broken") in [(problem.where, problem.kind) for problem in found]


def test_a_gzip_that_becomes_a_thousand_times_larger_is_not_read_further() -> None:
    zeros = bytes(1024 * 1024)
    given = deposit(alone())
    digest = "sha256:" + "f" * 64
    body = given.with_(blobs={**given.blobs, digest: zeros * 100}).bundle()
    bomb = gzip.compress(body, 9)
    assert len(body) > 900 * len(bomb)
    assert "times larger" in refusal(bomb)
    assert "times larger" in refusal(gzip.compress(body[: len(body) // 50]), free=1024 * 1024)


def test_a_gzip_gives_no_more_than_is_asked_for_also_where_nothing_is() -> None:
    """To zlib a limit of 0 is none: after a member without padding everything would come at once."""
    full = bytes(512)
    given = deposit(alone())
    digest, bomb = sha256_digest(full), "sha256:" + "f" * 64
    body = given.with_(blobs={**given.blobs, digest: full, bomb: bytes(30_000_000)}).bundle()
    wrapped = gzip.compress(body, 9)
    found: list[str] = []

    def read() -> None:
        found.extend(problem.what for problem in audit(read_bundle(io.BytesIO(wrapped))))

    assert peak_of(read) < 8 * 1024 * 1024
    assert len(found) == 3


def peak_of(call: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


class Endless(io.RawIOBase):
    """A start, and then as many zeros as anybody asks for."""

    def __init__(self, start: bytes) -> None:
        self._start = io.BytesIO(start)

    def read(self, size: int = -1) -> bytes:
        assert size >= 0, "nobody reads a bundle to its end at once"
        return self._start.read(size) or bytes(min(size, 1024 * 1024))


@pytest.mark.parametrize(
    "name",
    ["chain/0000000000.links", "redactions/0000000000.lines", "envelopes/0000000000.json", "end.json"],
)
def test_a_member_of_100_mb_is_refused_by_its_header_before_any_memory_is_used(name: str) -> None:
    (first, *_) = members(small().bundle())
    start = packed([first])[: -len(END)] + tar_header(name, 100_000_000)

    def read() -> None:
        with pytest.raises(BundleError, match="at most"):
            list(read_bundle(Endless(start)))  # type: ignore[arg-type]  # read() is all that is called

    assert peak_of(read) < 1024 * 1024


def test_a_blob_of_100_mb_is_hashed_in_bounded_memory() -> None:
    (first, *_) = members(small().bundle())
    start = packed([first])[: -len(END)] + tar_header(BLOB, 100_000_000)

    def read() -> None:
        with pytest.raises(BundleError):
            list(audit(read_bundle(Endless(start))))  # type: ignore[arg-type]  # read() is all that is called

    assert peak_of(read) < 16 * 1024 * 1024


def test_a_document_longer_than_its_segment_is_refused_before_it_is_cut_out() -> None:
    assert "at most" in refusal(with_member("chain/0000000000.links", lambda _: b"link 99999999 - -\n{}\n"))


CHILD = """
import resource, sys
from bicameral.witness.audit import audit
from bicameral.witness.bundle import read_bundle
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
with open(sys.argv[1], "rb") as file:
    problems = list(audit(read_bundle(file)))
print(len(problems), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.slow
def test_a_long_chain_is_verified_in_memory_that_does_not_grow_with_it(tmp_path: Path) -> None:
    """10,000 links, which are not even a chain: every one is told, up to the limit, and few are held."""
    (kept,) = deposit(agreement()).links
    place = tmp_path / "bundle.tar"
    with place.open("wb") as file:
        parts = [Header(runs=("r",)), *[Link(kept=kept)] * 10_000, End(entries=10_000, head=None)]
        write_bundle(parts, file)
    assert place.stat().st_size > 45_000_000
    done = subprocess.run([sys.executable, "-c", CHILD, place], capture_output=True, text=True, check=True)
    problems, grown_kib = map(int, done.stdout.split())
    assert problems == 10_000
    assert grown_kib < 24 * 1024
