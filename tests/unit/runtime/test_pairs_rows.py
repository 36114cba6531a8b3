"""Rows as they came: their own bytes in the output, and for each that cannot be weighed the place and the reason."""

from __future__ import annotations

import base64
import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from adjudication_doubles import CONTRADICTS, BatchingNLI
from bicameral.errors import PairsError
from bicameral.runtime import pair_parquet
from bicameral.runtime.adjudicating import Adjudicators
from bicameral.runtime.pair_rows import ADDED, Columns
from bicameral.runtime.pairs import PairsSummary, adjudicate_table

GOOD = 'genuine,0.9,nli,"NLI (scripted): contradiction [c=0.90, e=0.05, n=0.05], target as premise",false,'
NEW = ",".join(ADDED)


async def weigh(tmp_path: Path, name: str, body: bytes, **more: Any) -> tuple[bytes, PairsSummary]:
    source, out = tmp_path / name, tmp_path / f"out{Path(name).suffix}"
    source.write_bytes(body)
    nli = BatchingNLI(lambda p, h: CONTRADICTS)
    summary = await adjudicate_table(source, out, Adjudicators(nli=nli), columns=Columns(**more))
    return out.read_bytes(), summary


def parsed(body: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(body.decode("utf-8", "replace"), newline="")))


async def test_a_csv_row_keeps_its_quoting_its_line_end_and_its_other_columns(tmp_path: Path) -> None:
    body = b'id,claim,target\r\n"1",a,"b, ""c"""\r\n  007 ,"two\nlines",d\n3,\xc3\xa4,\xf0\x9f\x8e\x88'
    out, summary = await weigh(tmp_path, "in.csv", body)
    assert out.decode() == (
        f'id,claim,target,{NEW}\r\n"1",a,"b, ""c""",{GOOD}\r\n  007 ,"two\nlines",d,{GOOD}\n3,ä,🎈,{GOOD}\n'
    )
    assert summary.complete


async def test_a_byte_order_mark_and_blank_lines_are_no_rows(tmp_path: Path) -> None:
    out, summary = await weigh(tmp_path, "in.csv", b"\xef\xbb\xbfclaim,target\n\na,b\n\n")
    assert out.decode("utf-8") == f"\ufeffclaim,target,{NEW}\na,b,{GOOD}\n"
    assert summary.rows == 1


async def test_bytes_that_are_no_utf8_in_another_column_stay_as_they_are(tmp_path: Path) -> None:
    out, summary = await weigh(tmp_path, "in.csv", b"note,claim,target\n\xff\xfe,a,b\n")
    assert out.startswith(b"note,claim,target," + NEW.encode() + b"\n\xff\xfe,a,b,genuine")
    assert summary.complete


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (b"1,a", "line 3: the row has 2 fields, the header 3"),
        (b"1,a,b,c", "line 3: the row has 4 fields, the header 3"),
        (b'1,"a"x,b', "line 3: the row is no CSV"),
        (b"1,a,\xff", "line 3: target holds half a character, or bytes that are no UTF-8"),
        (b"1,a\0,b", "line 3: claim holds a NUL"),
    ],
)
async def test_a_bad_csv_row_is_reported_and_carried_through(tmp_path: Path, row: bytes, fault: str) -> None:
    body = b"id,claim,target\n0,a,b\n" + row + b"\n2,c,d\n"
    out, summary = await weigh(tmp_path, "in.csv", body)
    first, bad, last = parsed(out)
    assert (first["verdict"], last["id"], last["verdict"]) == ("genuine", "2", "genuine")
    assert bad["error"].startswith(fault)
    assert (bad["verdict"], bad["confidence"]) == ("", "")
    assert row.decode("utf-8", "replace") in (bad["id"], f"{bad['id']},{bad['claim']},{bad['target']}")
    assert (summary.rows, summary.bad_rows, summary.complete) == (3, 1, False)
    assert summary.bad[0][0] == "line 3"


async def test_an_empty_text_of_a_csv_row_is_weighed(tmp_path: Path) -> None:
    _, summary = await weigh(tmp_path, "in.csv", b"claim,target\n,b\n")
    assert (summary.rows, summary.bad_rows) == (1, 0)


async def test_a_quote_that_is_never_closed_costs_its_line_alone(tmp_path: Path) -> None:
    body = b'id,claim,target\n0,a,b\n1,"never closed,b\n2,c,d\n3,e,f\n'
    out, summary = await weigh(tmp_path, "in.csv", body)
    rows = parsed(out)
    assert [row["id"] for row in rows] == ["0", '1,"never closed,b', "2", "3"]
    assert [row["verdict"] for row in rows] == ["genuine", "", "genuine", "genuine"]
    assert summary.bad == (("line 3", "the row is no CSV: unexpected end of data"),)


async def test_a_quote_that_is_never_closed_does_not_read_the_whole_file(tmp_path: Path) -> None:
    body = b'claim,target\n"never closed,b\n' + (b"c" * 200 + b",d\n") * 1500
    out, summary = await weigh(tmp_path, "in.csv", body)
    assert (summary.rows, summary.bad_rows) == (1501, 1)
    assert "field larger than field limit" in summary.bad[0][1]
    assert out.count(b"\n") == 1502


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (b"", "has no header"),
        (b"\n\n", "has no header"),
        (b'"claim,target\n', "has no header"),
        (b"claims,target\na,b\n", "no column 'claim'; it has: claims, target"),
        (b"claim,target,claim\na,b,c\n", "more than one column 'claim'"),
        (b"claim,target,error\na,b,c\n", "already has a column 'error'"),
        ("claim,target\na,b\n".encode("utf-16"), "no column 'claim'"),
        (b"claim,target\ra,b\r", "has no header"),
    ],
)
async def test_a_header_that_cannot_be_used_is_an_error(tmp_path: Path, header: bytes, message: str) -> None:
    with pytest.raises(PairsError, match=message):
        await weigh(tmp_path, "in.csv", header)
    assert not (tmp_path / "out.csv").exists()


async def test_columns_may_have_other_names_and_the_new_ones_a_prefix(tmp_path: Path) -> None:
    out, _ = await weigh(
        tmp_path, "in.csv", b"verdict,said,held\nold,a,b\n", claim="said", target="held", prefix="new_"
    )
    (row,) = parsed(out)
    assert (row["verdict"], row["new_verdict"]) == ("old", "genuine")


async def test_a_json_row_keeps_every_byte_of_its_own(tmp_path: Path) -> None:
    first_row = b'{"claim":"a","target":"b","n":1.0,"big":123456789012345678901234567890,"m":{"k":NaN}}'
    body = first_row + b'\n{ "target" : "\\u00e4", "claim" : "x" } '
    out, summary = await weigh(tmp_path, "in.jsonl", body)
    first, second = out.splitlines()
    assert first.startswith(body.splitlines()[0][:-1] + b', "verdict": "genuine", "confidence": 0.9')
    assert second.startswith(b'{ "target" : "\\u00e4", "claim" : "x", "verdict": "genuine"')
    assert json.loads(second)["tier_capped"] is False
    assert summary.complete


@pytest.mark.parametrize(
    ("line", "fault", "raw"),
    [
        (b"{", "the line is no JSON", True),
        (b'{"claim": "a", "target": "b"', "the line is no JSON", True),
        (b"[1]", "the line is no JSON object", True),
        (b"null", "the line is no JSON object", True),
        (b"\xff", "byte 1 of the line is no UTF-8", True),
        (b"[" * 100_000, "too deep", True),
        (b'{"claim": "a", "claim": "b", "target": "c"}', "names claim twice", True),
        (b'{"claim": "a", "target": "b", "verdict": 1}', "already has verdict", True),
        (b"{}", "the object has no claim", False),
        (b'{"claim": "a"}', "the object has no target", False),
        (b'{"claim": null, "target": "b"}', "claim is empty", False),
        (b'{"claim": 7, "target": "b"}', "claim is no text", False),
        (b'{"claim": "a", "target": ["b"]}', "target is no text", False),
        (b'{"claim": "\\u0000", "target": "b"}', "claim holds a NUL", False),
        (b'{"claim": "\\ud800", "target": "b"}', "claim holds half a character", False),
    ],
)
async def test_a_bad_json_row_is_reported_and_carried_through(
    tmp_path: Path, line: bytes, fault: str, raw: bool
) -> None:
    good = b'{"claim": "a", "target": "b"}\n'
    out, summary = await weigh(tmp_path, "in.jsonl", good + b"\n" + line + b"\n" + good)
    first, bad, last = (json.loads(one) for one in out.splitlines())
    assert first["verdict"] == last["verdict"] == "genuine"
    assert bad["error"].startswith("line 3: ")
    assert fault in bad["error"]
    assert bad["verdict"] is None
    if raw:
        assert bad["raw"] == line.decode("utf-8", "backslashreplace")
        assert base64.b64decode(bad.get("raw_base64", base64.b64encode(line))) == line
    else:
        assert out.splitlines()[1].startswith(line[:-1])
    assert (summary.rows, summary.bad_rows) == (3, 1)


def table(**columns: Any) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


async def test_a_parquet_table_keeps_its_columns_and_their_types(tmp_path: Path) -> None:
    when = pa.array([1, 2, None], pa.timestamp("ms"))
    body = table(id=pa.array([1, 2, 3], pa.int8()), claim=["a", None, "c"], when=when, target=["x", "y", "z\0"])
    out, summary = await weigh(tmp_path, "in.parquet", body)
    found = pq.read_table(io.BytesIO(out))
    assert found.schema.names == ["id", "claim", "when", "target", *ADDED]
    assert found.schema.field("id").type == pa.int8()
    assert found.column("when").to_pylist() == when.to_pylist()
    assert found.column("verdict").to_pylist() == ["genuine", None, None]
    assert found.column("confidence").to_pylist() == [0.9, None, None]
    assert found.column("tier_capped").to_pylist() == [False, None, None]
    assert found.column("error").to_pylist() == [None, "row 2: claim is empty", "row 3: target holds a NUL"]
    assert (summary.rows, summary.bad_rows) == (3, 2)


async def test_a_parquet_table_of_many_row_groups_and_of_dictionaries(tmp_path: Path) -> None:
    texts = [f"text {n}" for n in range(10_000)]
    out = io.BytesIO()
    whole = pa.table({"claim": pa.array(texts).dictionary_encode(), "target": pa.array(texts, pa.large_string())})
    pq.write_table(whole, out, row_group_size=3000)
    written, summary = await weigh(tmp_path, "in.parquet", out.getvalue())
    found = pq.read_table(io.BytesIO(written))
    assert found.column("claim").to_pylist() == texts
    assert set(found.column("verdict").to_pylist()) == {"genuine"}
    assert summary.rows == 10_000


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "cannot be read as Parquet"),
        (b"PAR1 but not really PAR1", "cannot be read as Parquet"),
        (table(claim=[1], target=["a"]), "'claim' .* holds int64, not text"),
        (table(claim=["a"]), "no column 'target'"),
        (table(claim=["a"], target=["b"], verdict=["c"]), "already has a column 'verdict'"),
    ],
)
async def test_a_parquet_file_that_cannot_be_used_is_an_error(tmp_path: Path, body: bytes, message: str) -> None:
    with pytest.raises(PairsError, match=message):
        await weigh(tmp_path, "in.parquet", body)


async def test_without_pyarrow_the_error_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(pair_parquet, "import_module", missing)
    with pytest.raises(PairsError, match=r"bicameral\[parquet\]"):
        await weigh(tmp_path, "in.parquet", b"PAR1")
