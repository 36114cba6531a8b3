"""Traces read by someone who trusts nobody: every fault is a problem with its place, and nothing is an exception."""

from __future__ import annotations

import io
import json

import pytest

from bicameral.errors import RecordError, UnrecordableError
from bicameral.witness.cael import TraceEvent, entry_hash, read_trace, record_of_trace, verify_trace, write_trace

EVENTS = [
    TraceEvent(event="init", payload={"hashMode": "sha256", "solverType": "x.y.v1"}),
    TraceEvent(event="interaction", payload={"type": "turn", "data": {"10": 1, "9": [None, 2.5]}}, timestamp=1),
    TraceEvent(event="interaction", payload={}, timestamp=2, sim_time=0.5),
    TraceEvent(event="final", payload={"eventCount": 4}, timestamp=2),
]
LINES = list(write_trace("run-1", EVENTS))


def places(lines, **expected):
    return [problem.where for problem in verify_trace(lines, **expected)]


def changed(at, /, *, rehash=True, **members):
    """The lines with an entry's members changed (`...` takes one away), and its hash derived anew."""
    entry = json.loads(LINES[at])
    for name, value in members.items():
        if value is ...:
            del entry[name]
        else:
            entry[name] = value
    if rehash and "hash" not in members:
        entry["hash"] = entry_hash(entry, "sha256")
    return [*LINES[:at], json.dumps(entry), *LINES[at + 1 :]]


def test_a_trace_is_read_from_lines_from_bytes_from_a_whole_text_and_from_a_file():
    text = "\n".join(LINES) + "\n"
    for source in (LINES, iter(LINES), text, text.encode(), bytearray(text.encode()), text.replace("\n", "\r\n")):
        assert places(source, entries=4) == []
    for source in (io.BytesIO(text.encode()), io.StringIO(text), [line.encode() for line in LINES]):
        assert places(source, entries=4) == []
    assert places([bytearray(line.encode()) for line in LINES], entries=4) == []


def test_lines_are_asked_for_one_by_one():
    asked = []

    def lines():
        for line in LINES:
            asked.append(line)
            yield line
            asked[-1] = None

    entries = read_trace(lines())
    for count, entry in enumerate(entries, 1):
        assert entry["index"] == count - 1
        assert len(asked) == count


def test_a_long_trace_takes_no_more_memory_than_one_line():
    import tracemalloc

    def lines():
        return write_trace("r", (TraceEvent(event="step", payload={"text": "x" * 100}) for _ in range(1000)))

    tracemalloc.start()
    assert list(verify_trace(lines(), mode="sha256", entries=1000)) == []
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 500_000


@pytest.mark.parametrize(
    ("members", "where"),
    [
        ({"version": "cael.v2"}, "entries[1].version"),
        ({"version": ...}, "entries[1].version"),
        ({"runId": "run-2"}, "entries[1].runId"),
        ({"runId": ...}, "entries[1].runId"),
        ({"runId": ["run-1"]}, "entries[1].runId"),
        ({"index": 7}, "entries[1].index"),
        ({"index": 0}, "entries[1].index"),
        ({"index": "1"}, "entries[1].index"),
        ({"index": True}, "entries[1].index"),
        ({"index": ...}, "entries[1].index"),
        ({"index": 1.5}, "entries[1].index"),
        ({"index": 1e300}, "entries[1].index"),
        ({"index": -1}, "entries[1].index"),
        ({"event": None}, "entries[1].event"),
        ({"timestamp": "1"}, "entries[1].timestamp"),
        ({"timestamp": None}, "entries[1].timestamp"),
        ({"simTime": []}, "entries[1].simTime"),
        ({"prevHash": "cael.genesis"}, "entries[1].prevHash"),
        ({"prevHash": None}, "entries[1].prevHash"),
        ({"prevHash": ...}, "entries[1].prevHash"),
        ({"payload": []}, "entries[1].payload"),
        ({"payload": None}, "entries[1].payload"),
        ({"payload": ...}, "entries[1].payload"),
        ({"payload": {"__proto__": 1}}, "entries[1].payload.__proto__"),
        ({"payload": {"a": [{"b": {"__proto__": 1}}]}}, "entries[1].payload.a[0].b.__proto__"),
        ({"__proto__": 1}, "entries[1].__proto__"),
        ({"note": 1}, "entries[1].note"),
        ({"hash": ...}, "entries[1].hash"),
        ({"hash": None}, "entries[1].hash"),
        ({"hash": 3}, "entries[1].hash"),
        ({"hash": {"a": []}}, "entries[1].hash"),
        ({"hash": ""}, "entries[1].hash"),
        ({"hash": "cael-00000000"}, "entries[1].hash"),
        ({"hash": "cael-sha-" + "0" * 64}, "entries[1].hash"),
        ({"hash": "cael-sha-" + "A" * 64}, "entries[1].hash"),
        ({"hash": json.loads(LINES[1])["hash"] + "\n"}, "entries[1].hash"),
    ],
)
def test_a_fault_in_an_entry_is_told_with_its_place(members, where):
    assert where in places(changed(1, **members))


@pytest.mark.parametrize("index", range(4))
@pytest.mark.parametrize(
    "member", ["version", "runId", "index", "event", "timestamp", "simTime", "prevHash", "payload"]
)
def test_any_changed_member_of_any_entry_is_told_by_its_hash(index, member):
    fresh = {"index": 9, "timestamp": 9, "simTime": 9, "payload": {"x": 1}}.get(member, "other")
    assert f"entries[{index}].hash" in places(changed(index, rehash=False, **{member: fresh}))


def test_a_changed_entry_whose_hash_was_made_anew_is_told_by_the_next():
    for index in range(3):
        assert f"entries[{index + 1}].prevHash" in places(changed(index, timestamp=77))
    head = json.loads(LINES[-1])["hash"]
    assert places(changed(3, timestamp=77), head=head) == ["head"]


def test_a_line_from_another_run_is_told():
    other = list(write_trace("run-2", EVENTS))
    assert {"entries[2].runId", "entries[2].prevHash"} <= set(places([*LINES[:2], other[2], LINES[3]]))


def test_dropped_swapped_repeated_and_added_entries_are_told():
    assert places(LINES[1:])[:2] == ["entries[0].index", "entries[0].prevHash"]
    assert places([LINES[0], *LINES[2:]])[:2] == ["entries[1].index", "entries[1].prevHash"]
    assert places([*LINES[:2], LINES[1], *LINES[2:]])[:2] == ["entries[2].index", "entries[2].prevHash"]
    assert "entries[4]" in places([*LINES, LINES[3]])
    for count in (1, 2, 3):
        assert places(LINES[:count]) == [f"entries[{count}]"]
    assert places([]) == places("") == places(b"\n \n\r\n") == []
    assert places([], entries=1, head="x") == ["entries", "head"]


def test_one_entry_that_is_missing_is_one_break_however_many_follow():
    lines = list(write_trace("r", (TraceEvent(event="step", payload={"n": n}) for n in range(50))))
    del lines[10]
    assert places(lines, mode="sha256") == ["entries[10].index", "entries[10].prevHash"]


@pytest.mark.parametrize("mode", [None, 3, "", "md5", "SHA256", ["sha256"], {"a": 1}])
def test_a_mode_that_there_is_none_of_is_told(mode):
    payload = {"hashMode": mode, "solverType": "x"}
    assert "entries[0].payload.hashMode" in places(changed(0, payload=payload))


def test_the_mode_that_is_asked_for_is_not_overruled_by_the_trace():
    assert places(LINES, mode="sha256") == []
    assert places(LINES, mode="fnv1a")[:2] == ["entries[0].payload.hashMode", "entries[0].hash"]
    weak = list(write_trace("r", [TraceEvent(event="init", payload={"hashMode": "fnv1a"})], mode="fnv1a"))
    assert places(weak) == []
    assert places(weak, mode="sha256") == ["entries[0].payload.hashMode", "entries[0].hash"]


DEEP = "[" * 100_000 + "]" * 100_000
ENTRY = LINES[0].replace('"x.y.v1"', "{}")


@pytest.mark.parametrize(
    "line",
    [
        "garbage",
        "{",
        "[]",
        "null",
        "3",
        '"text"',
        "NaN",
        "{}",
        "\ud800",
        "\ufeff{}",
        "\x00",
        "\x85",
        "\u2028",
        b"\xff",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf{}",
        b"\x00" * 100,
        DEEP,
        '{"a":' * 100_000,
        '{"payload":' + "[" * 990 + "]" * 990 + "}",
        '{"payload":' + "[" * 1005 + "]" * 1005 + "}",
        '{"runId":' + "[" * 990 + "]" * 990 + "}",
        LINES[1].replace('"timestamp":1', '"timestamp":NaN'),
        LINES[1].replace('"timestamp":1', '"timestamp":-Infinity'),
        LINES[1].replace('"timestamp":1', '"timestamp":1e999'),
        LINES[1].replace('"timestamp":1', f'"timestamp":{"9" * 100_000}'),
        LINES[1].replace('"index":1', '"index":1e999'),
        LINES[1].replace('"index":1', '"index":1,"index":1'),
        LINES[1].replace('"data":{', '"data":{"9":1,"9":1,'),
        LINES[1].replace('"type":"turn"', '"type":"\\ud800"'),
        LINES[1] + LINES[1],
        LINES[1][:-1],
        None,
        3,
        4.5,
        ["{}"],
        {"version": "cael.v1"},
        object(),
    ],
    ids=lambda line: "an object" if type(line) is object else repr(line)[:40],
)
def test_no_line_whatever_is_an_exception(line):
    for lines in ([line], [LINES[0], line], [LINES[0], line, *LINES[2:]], [line, *LINES]):
        for mode in (None, "fnv1a", "sha256"):
            problems = list(verify_trace(lines, mode=mode))
            assert problems
            for problem in problems:
                assert problem.kind == "broken"
                assert problem.where.isprintable()
                assert problem.what.isprintable()
                assert len(problem.what) < 600
                assert len(problem.where) < 300
        with pytest.raises(RecordError):
            record_of_trace(lines)


@pytest.mark.parametrize("source", [None, 3, object()])
def test_what_are_no_lines_is_a_problem_too(source):
    assert places(source) == ["entries[0]"]
    with pytest.raises(RecordError):
        list(read_trace(source))


def test_a_file_that_is_no_utf_8_is_a_problem_where_it_was_opened_as_text():
    file = io.TextIOWrapper(io.BytesIO(LINES[0].encode() + b"\n\xff\xff\n"), encoding="utf-8")
    assert places(file)[0].startswith("entries[")


def test_after_a_line_that_cannot_be_read_the_others_are_still_judged():
    assert places([LINES[0], "garbage", *LINES[2:]]) == ["entries[1]"]
    assert places([LINES[0], "garbage", LINES[2].replace("run-1", "run-9"), LINES[3]]) == [
        "entries[1]",
        "entries[2].runId",
        "entries[2].hash",
    ]


def test_nothing_that_a_terminal_obeys_is_in_a_problem():
    evil = "\x1b[2J\u202e\x07"
    for members in (
        {"version": evil},
        {"hash": evil},
        {evil: 1},
        {"payload": {evil: {"__proto__": 1}}},
        {"runId": evil},
    ):
        for problem in verify_trace(changed(1, **members), head=evil):
            assert problem.where.isprintable()
            assert problem.what.isprintable()


def test_a_number_that_is_hashed_as_null_is_told():
    line = LINES[1].replace('"timestamp":1', '"timestamp":1e999')
    entry = json.loads(line)
    entry["timestamp"] = None
    rehashed = line.replace(entry["hash"], entry_hash(entry, "sha256"))
    assert "entries[1].timestamp" in places([LINES[0], rehashed])
    assert "entries[1].hash" not in places([LINES[0], rehashed])


def test_a_hundred_megabytes_in_a_line_are_no_matter():
    lines = list(write_trace("r", [TraceEvent(event="step", payload={"big": "x" * 100_000_000})]))
    assert places(lines, mode="sha256") == []


@pytest.mark.parametrize(
    ("payload", "place"),
    [
        ({"a": {"__proto__": 1}}, "entries[1].payload.a.__proto__"),
        ({"a": [float("inf")]}, "entries[1].payload.a[0]"),
        ({"a": [object()]}, "entries[1].payload.a[0]"),
        ({1: 1}, "entries[1].payload"),
    ],
)
def test_what_the_hash_would_not_cover_is_not_written(payload, place):
    events = [EVENTS[0], TraceEvent(event="step", payload=payload)]
    with pytest.raises(UnrecordableError) as caught:
        list(write_trace("r", events))
    assert place in str(caught.value)


@pytest.mark.parametrize("member", ["timestamp", "sim_time"])
def test_a_time_that_is_no_number_is_not_written(member):
    with pytest.raises(UnrecordableError, match=r"entries\[0\]"):
        list(write_trace("r", [TraceEvent(event="step", payload={}, **{member: float("nan")})]))


def test_a_trace_without_a_record_gives_none():
    with pytest.raises(RecordError, match="holds no record"):
        record_of_trace(LINES)
    with pytest.raises(RecordError, match=r"broken at entries\[1\]\.note"):
        record_of_trace(changed(1, note=1))
    with pytest.raises(RecordError, match="holds no record"):
        record_of_trace([])


def test_entries_are_read_as_they_stand():
    assert [entry["event"] for entry in read_trace(LINES)] == ["init", "interaction", "interaction", "final"]
    with pytest.raises(RecordError, match=r"entries\[1\]"):
        list(read_trace([LINES[0], "[]"]))
