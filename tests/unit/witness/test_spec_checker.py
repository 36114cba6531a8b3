"""The checker in `spec/checker`, a second implementation from the pages: it passes the promised vectors, and it says of
some thousand drawn documents what the Python program says."""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest
from said import dialogue

from bicameral.canonical import (
    build_agent_dialog_v1_record,
    build_ui_session_v1_record,
    dialog_wire_key,
    open_dialog,
    record_bytes,
    sha256_digest,
    turn_hash,
    wire_digest,
)
from bicameral.errors import DuplicateTurnError, RecordError
from bicameral.witness import chain_entry_bytes, link, read_chain_entry, record_dialog, verify_chain, verify_record
from bicameral.witness._family import build_equivalence_v1_record, verify_equivalence
from bicameral.witness.cael import export_cael, verify_trace
from node_runner import run_node

ROOT = Path(__file__).parents[3]
CHECKER = ROOT / "spec" / "checker"
FOLDERS = (ROOT / "tests" / "vectors", ROOT / "spec" / "vectors")
MODULES = sorted(CHECKER.glob("*.mjs"))

DIALOGS = 300
OWN = 80
HANDLES = (
    "a", "A", "b", "ab", "Ab", "aB", "_x", "-x", "x1", "x10", "x2", "axe+layout", "team", "", "a\x01", "a\x7f", "\x02",
    "a b", "a\tb", "~", "$", "é", "e\u0301", "strasse", "straße", "алиса", "Ångström", "中文", "שׁ", "\ufb33",
    "\U0001f600", "\ud800", "\udc00x", "\uffff", "a\u00ad", "\ufeffa", "\uff41", "\u0130", "\u017f", "\u212a",
)  # fmt: skip
OWN_HANDLES = [handle for handle in HANDLES if len(handle) > 3]  # so that no splice makes one empty
NUMBERS = (
    "0", "-0", "1", "1.0", "1e0", "2", "3", "-1", "1.5", "0.1", "1e21", "1E+21", "1e20", "123456789012345678901",
    "1e-6", "1e-7", "0.000001234", "5e-324", "1.7976931348623157e308", "1e400", "-1e400", "9007199254740991",
    "9007199254740992", "9007199254740993", "-9007199254740993", "0.30000000000000004", "4.35", "2.5e-8", "1e23",
    "100e-2",
)  # fmt: skip
NAMES = (
    "model", "parts", "a", "B", "10", "9", "01", "__proto__", "constructor", "\U0001f600", "\ufb33", "é", "\ud83d", "",
)  # fmt: skip
TEXTS = ("", "x", 'q"\\/\b\f\n\r\t\x00\x1f\x7f', "\u2028\u2029", "a\ud800b", "\U0001f600" * 3, "é" * 201, "</script>")
CONTENTS = (
    '{"a":[1,2,{"b":null}]}', ' {"a":[1,3]}', "[]", "[1e400]", "[null]", '{"k":1,"k":2}', '{"k":2}', "7", "{",
    "\ufeff[]",
)  # fmt: skip
SPLICED = (
    "", "0", "1", ".0", "e1", "-", '"', "\\", "\\u0041", "\\ud800", "{", "}", "[]", ",", ":", " ", "\t", "null", "é",
    "\x01",
)  # fmt: skip
HAS_NO = {"navigate": "target", "click": "value", "scroll": "value", "hover": "value"}
"""The member that a session's action has no place for."""


@dataclass(frozen=True)
class Number:
    """A number as its text spells it."""

    text: str


@dataclass
class Questions:
    """What the checker is asked, and what is expected of it, by subject."""

    asked: list[dict[str, object]] = field(default_factory=list)
    expected: list[tuple[str, object]] = field(default_factory=list)

    def add(self, subject, expected, **question):
        self.asked.append(question)
        self.expected.append((subject, expected))


def spelled(value):
    if isinstance(value, Number):
        return value.text
    if isinstance(value, dict):
        members = ",".join(f"{json.dumps(name)}:{spelled(member)}" for name, member in value.items())
        return f"{{{members}}}"
    if isinstance(value, list):
        return f"[{','.join(map(spelled, value))}]"
    return json.dumps(value, ensure_ascii=not (isinstance(value, str) and value.isprintable()))


def drawn_value(draw, levels=3):
    kind = draw.randrange(8 if levels else 5)
    if kind < 2:
        return Number(draw.choice(NUMBERS))
    if kind < 5:
        return (draw.choice(TEXTS), draw.choice((True, False, None)), draw.choice(TEXTS + CONTENTS))[kind - 2]
    if kind == 5:
        return [drawn_value(draw, levels - 1) for _ in range(draw.randrange(4))]
    return {draw.choice(NAMES): drawn_value(draw, levels - 1) for _ in range(draw.randrange(5))}


def drawn_turn(draw):
    turn = {
        "speaker": draw.choice(HANDLES),
        "audience": draw.choice(HANDLES),
        "chainDepth": Number(draw.choice(NUMBERS[: draw.choice((5, 12, len(NUMBERS)))])),
        "content": draw.choice(TEXTS + CONTENTS),
    }
    if draw.random() < 0.5:
        turn["meta"] = drawn_value(draw)
    if draw.random() < 0.4:
        turn["parentHash"] = drawn_value(draw, draw.randrange(2))
    if draw.random() < 0.02:
        turn[draw.choice(list(turn))] = drawn_value(draw)
    if draw.random() < 0.02:
        del turn[draw.choice(list(turn))]
    if draw.random() < 0.1:
        turn["timestamp"] = Number("1.5")
    return dict(draw.sample(sorted(turn.items()), len(turn)))


def drawn_dialog(draw):
    """A dialog's text: many turns at few depths, handles of many scripts, odd numbers, a few that are no dialog."""
    turns = [drawn_turn(draw) for _ in range(draw.randrange(9))]
    if turns and draw.random() < 0.05:
        turns.append(turns[0])
    return spelled({"turns": turns, "dialogId": draw.choice(("d", "", "sha256:x", "é\ud800"))})


def own_dialog(draw):
    """A dialog as our recorder makes one, or nearly."""
    turns = []
    for depth in range(draw.randrange(1, 5)):
        speaker = draw.choice(OWN_HANDLES)
        turn = {"speaker": speaker, "audience": "team", "chainDepth": depth, "content": draw.choice(CONTENTS)}
        if depth:
            turn["parentHash"] = turn_hash(turns[draw.randrange(len(turns))])
        if draw.random() < 0.5:
            said = draw.choice(("1", "é" * 200, "\U0001f600" * 200))
            turn["meta"] = {draw.choice(("model", "parts", "pictures")): said}
        turns.append(turn)
    identity = sha256_digest(turns[0]["content"].encode()) if draw.random() < 0.7 else "d-1"
    draw.shuffle(turns)
    return {"dialogId": identity, "turns": turns}


def spliced(draw, text):
    """The text with one place changed."""
    at = draw.randrange(len(text))
    return text[:at] + draw.choice(SPLICED) + text[at + draw.randrange(4) :]


def status(problems):
    """`unreadable`, `broken`, `unverifiable` or `sound`, of what a function of no arguments finds."""
    try:
        kinds = {problem.kind for problem in problems()}
    except RecordError:
        return "unreadable"
    return "broken" if "broken" in kinds else "unverifiable" if kinds else "sound"


def key_answer(text):
    try:
        dialog = open_dialog(text)
        record = build_agent_dialog_v1_record(dialog)
        hashes = [turn_hash(turn) for turn in open_dialog(record)["turns"]]
        return {"wireKey": dialog_wire_key(dialog), "wireDigest": wire_digest(dialog), "turnHashes": hashes}
    except DuplicateTurnError:
        return "DuplicateTurn"
    except RecordError:
        return "no key"


def ask_record(questions, text):
    questions.add("records", status(lambda: verify_record(text)), ask="check", text=text)


def ask_pair(questions, a, b, draw):
    """Two dialogs compared, and the record of it checked as it is, with its dialogs, and changed."""
    one, other = open_dialog(a), open_dialog(b)
    text = record_bytes(build_equivalence_v1_record(one, other)).decode()
    questions.add("comparisons", {"record": text}, ask="compare", a=a, b=b)
    for changed in (text, spliced(draw, text), spliced(draw, text)):
        ask_record(questions, changed)
    exchanged = status(lambda: verify_equivalence(text, other, one))
    questions.add("records", exchanged, ask="check", text=text, a=b, b=a)


def ask_traces(questions, record, draw):
    for mode in ("fnv1a", "sha256"):
        lines = list(export_cael(record, mode=mode))
        text = "".join(f"{line}\n" for line in lines)
        questions.add("exports", {"trace": text}, ask="export", text=record, mode=mode)
        at = draw.randrange(len(lines))
        swapped = [*lines[:at], *lines[at + 1 :], lines[at]]
        dropped = lines[:at] + lines[at + 1 :]
        spoiled = (spliced(draw, text) for _ in "12")
        for trace in (text, "\n".join(dropped), "\r\n".join(swapped), *spoiled):
            for demanded in (None, "fnv1a"):
                found = status(lambda trace=trace, demanded=demanded: verify_trace(trace.encode(), mode=demanded))
                mode_said = {} if demanded is None else {"mode": demanded}
                questions.add("traces", found, ask="trace", text=trace, **mode_said)


def ask_session(questions, draw):
    steps = []
    for _ in range(draw.randrange(5)):
        action = draw.choice(("navigate", "click", "fill", "select", "press", "scroll", "wait", "hover"))
        step = {"action": action, "target": draw.choice(TEXTS[:4]) or "t", "value": "/a"}
        step.pop(HAS_NO.get(action), None)
        if action == "fill" and draw.random() < 0.5:
            step["secret"] = step.pop("value") == "/a"
        if draw.random() < 0.5:
            step["seen"] = {"facts": sha256_digest(b"x")}
        steps.append(step)
    record = build_ui_session_v1_record({"actor": "a", "target": "shop"}, steps)
    text = record_bytes(record).decode()
    for changed in (text, *(spliced(draw, text) for _ in "1234")):
        ask_record(questions, changed)
    if not steps:
        return
    # Changed in a step, and every digest made anew: what is wrong then is the step itself.
    member = draw.choice(("target", "value", "secret", "failed", "more"))
    step = {**draw.choice(steps), member: draw.choice(("", "//h", True))}
    opened = {"actor": "a", "target": "shop"}
    previous = record["sessionId"]
    remade = {**record, "steps": [{**step, "previous": previous}], "stepCount": 1}
    wire = {"opened": opened, "sessionId": previous, "steps": remade["steps"]}
    ask_record(questions, record_bytes({**remade, "wireDigest": sha256_digest(record_bytes(wire))}).decode())


def ask_chain(questions, draw):
    entries = []
    for number in range(draw.randrange(1, 5)):
        entries.append(link(entries[-1] if entries else None, record_dialog(dialogue(note=f"note {number}"))))
    lines = [chain_entry_bytes(entry).decode() for entry in entries]
    at = draw.randrange(len(lines))
    for changed in (lines, lines[:at], lines[at:], [*lines[:at], lines[at].replace("stop", "halt"), *lines[at + 1 :]]):
        if changed:
            found = status(lambda said=changed: verify_chain([read_chain_entry(line.encode()) for line in said]))
            expected = "broken" if found == "unreadable" else found  # a chain's line is told by its number
            questions.add("chains", expected, ask="chain", text="".join(f"{line}\n" for line in changed))


def drawn_questions(seed=1):
    draw = random.Random(seed)
    questions = Questions()
    keyed = []
    for _ in range(DIALOGS):
        text = drawn_dialog(draw)
        answer = key_answer(text)
        questions.add("keys", answer, ask="key", text=text)
        if isinstance(answer, dict):
            keyed.append(text)
    for a, b in pairwise(keyed):
        near = spliced(draw, a)
        ask_pair(questions, a, near if isinstance(key_answer(near), dict) else b, draw)
        record = record_bytes(build_agent_dialog_v1_record(open_dialog(a))).decode()
        for changed in (record, spliced(draw, record), record.replace('"turnCount":', '"turnCount":1')):
            ask_record(questions, changed)
        if len(a) % 30 == 0:
            ask_traces(questions, record, draw)
    for number in range(OWN):
        dialog = own_dialog(draw)
        record = record_bytes(build_agent_dialog_v1_record(dialog, "l" if number % 2 else None)).decode()
        for changed in (record, *(spliced(draw, record) for _ in "1234"), f'{record[:-1]},"cost":{{"x":1.5}}}}'):
            ask_record(questions, changed)
        near = json.dumps({**dialog, "turns": [{**turn, "content": draw.choice(CONTENTS)} for turn in dialog["turns"]]})
        ask_pair(questions, json.dumps(dialog), near, draw)
        if number % 4 == 0:
            ask_traces(questions, record, draw)
            ask_session(questions, draw)
            ask_session(questions, draw)
            ask_chain(questions, draw)
    for levels in (999, 1000, 1001, 1007, 1008):
        ask_deep(questions, levels)
    return questions


def ask_deep(questions, levels):
    """Nesting at the bounds: in a meta, in a content, and in a member that no page names."""
    deep = "[" * levels + "]" * levels
    turn = '{"dialogId":"d","turns":[{"speaker":"a","audience":"b","chainDepth":0,"content":%s,"meta":%s}]}'
    questions.add("keys", key_answer(turn % ('""', deep)), ask="key", text=turn % ('""', deep))
    contents = [turn % (json.dumps(deep[:levels] + last + deep[levels:]), "{}") for last in "12"]
    made = build_equivalence_v1_record(*map(open_dialog, contents))
    questions.add("comparisons", {"record": record_bytes(made).decode()}, ask="compare", a=contents[0], b=contents[1])
    record = record_bytes(build_agent_dialog_v1_record(open_dialog(turn % ('""', "{}")))).decode()
    ask_record(questions, f'{record[:-1]},"x":{deep}}}')


@pytest.fixture(scope="module")
def answers():
    """By subject: the question, what was expected and what the checker answered. One process answers all."""
    questions = drawn_questions()
    done = run_node(CHECKER / "batch.mjs", lines=map(json.dumps, questions.asked))
    assert (done.returncode, done.stderr) == (0, "")
    told = [json.loads(line) for line in done.stdout.split("\n") if line]
    assert len(told) == len(questions.asked)
    by_subject: dict[str, list[tuple[object, object, object]]] = {}
    for question, (subject, expected), answer in zip(questions.asked, questions.expected, told, strict=True):
        by_subject.setdefault(subject, []).append((question, expected, said(answer)))
    return by_subject


def said(answer):
    """An answer in this module's words."""
    if "error" in answer:
        return "DuplicateTurn" if answer["error"] == "DuplicateTurn" else "no key"
    return answer.get("status", answer)


@pytest.mark.parametrize("subject", ["keys", "records", "comparisons", "exports", "traces", "chains"])
def test_it_says_what_the_python_program_says(answers, subject):
    unlike = [case for case in answers[subject] if case[1] != case[2]]
    assert unlike == []


def test_what_was_drawn_is_of_every_sort(answers):
    assert len(answers["keys"]) >= DIALOGS
    keys = [expected if isinstance(expected, str) else "key" for _, expected, _ in answers["keys"]]
    assert {word for word in keys if keys.count(word) >= 5} == {"key", "DuplicateTurn", "no key"}
    for subject, wanted in (
        ("records", {"sound", "broken", "unverifiable", "unreadable"}),
        ("traces", {"sound", "broken", "unverifiable"}),
        ("chains", {"sound", "broken"}),
    ):
        found = [expected for _, expected, _ in answers[subject]]
        assert {word for word in found if found.count(word) >= 5} >= wanted


def promised(vector):
    tags = vector["tags"]
    return vector["portable"] or ("ascii-collation" in tags and "input-order-dependent" not in tags)


def test_it_passes_every_promised_vector():
    done = run_node(CHECKER / "vectors.mjs", *FOLDERS)
    assert "FAILED" not in done.stdout
    assert (done.returncode, done.stderr) == (0, "")
    counts = {name: (int(a), int(b)) for name, a, b in re.findall(r"^(.+): (\d+) of (\d+) passed", done.stdout, re.M)}
    assert all(passed == tried for passed, tried in counts.values())
    cases = {path.name: json.loads(path.read_text("ascii")) for folder in FOLDERS for path in folder.glob("*.json")}
    expected = {
        "agent_dialog_v1.json cases": sum(map(promised, cases["agent_dialog_v1.json"]["cases"])),
        "agent_dialog_v1_equivalence.json cases": sum(
            not case["reference_defect"] for case in cases["agent_dialog_v1_equivalence.json"]["cases"]
        ),
        "ascii_collation.json": 1,
        "cael_trace.json chains": len(cases["cael_trace.json"]["chains"]),
        "cael_trace.json entry_hashes": len(cases["cael_trace.json"]["entry_hashes"]),
        **{f"{path.name} cases": len(cases[path.name]["cases"]) for path in FOLDERS[1].glob("*.json")},
    }
    assert {name: tried for name, (_, tried) in counts.items()} == expected


def test_a_vector_that_is_not_met_is_named(tmp_path):
    for folder in FOLDERS:
        for path in folder.glob("*.json"):
            text = path.read_text("ascii")
            changed = text.replace('"name":"two_turns"', '"name":"spoiled"').replace("hi back", "hi, back", 1)
            changed = changed.replace('"status": "broken"', '"status": "sound"', 1)
            (tmp_path / path.name).write_text(changed, "ascii")
    done = run_node(CHECKER / "vectors.mjs", tmp_path)
    assert done.returncode == 1
    failed = re.findall(r"FAILED (\S+) (\S+):", done.stdout)
    assert sorted(failed) == [
        ("agent.dialog.v1.json", "own_with_a_member_nobody_knows"),
        ("agent_dialog_v1.json", "spoiled"),
        ("equivalence.v1.json", "outcome_turned"),
        ("ui.session.v1.json", "other_actor"),
    ]


def test_the_example_on_the_page_has_the_key_and_digests_that_it_names(tmp_path):
    page = (ROOT / "spec" / "agent.dialog.v1.md").read_text("utf-8")
    example = re.search(r"```json\n(.+?)```", page, re.S)
    key = re.search(r"```\n(\{\"dialogId\".+)\n```", page)
    assert example is not None
    assert key is not None
    (tmp_path / "dialog.json").write_text(example[1], "utf-8")
    done = run_node(CHECKER / "check.mjs", "--key", tmp_path / "dialog.json")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.strip() for line in done.stdout.split("\n")]
    assert lines[0] == key[1]
    assert all(f"`{digest}`" in page for digest in lines[1:3])


def test_the_exit_status_says_what_the_worst_file_is(tmp_path):
    vectors = json.loads((FOLDERS[1] / "agent.dialog.v1.json").read_text("ascii"))["cases"]
    cases = {case["name"]: case for case in vectors}
    for name in ("own", "turn_count", "version_2"):
        (tmp_path / name).write_text(cases[name]["record"], "utf-8")
    (tmp_path / "latin").write_bytes(cases["own"]["record"].encode("utf-8").replace(b"link", b"l\xefnk"))
    (tmp_path / "trace.jsonl").write_bytes(b"\xff\n")
    dialogs = ("a", "b")
    for name in dialogs:
        (tmp_path / name).write_text(json.dumps({"dialogId": name, "turns": []}))
    compared = build_equivalence_v1_record(*({"dialogId": name, "turns": []} for name in dialogs))
    (tmp_path / "compared").write_bytes(record_bytes(compared))

    def checked(*words):
        named = [tmp_path / word if (tmp_path / word).exists() else word for word in words]
        done = run_node(CHECKER / "check.mjs", *named)
        return done.returncode, done.stdout + done.stderr

    assert checked("own")[0] == 0
    status_said, text = checked("own", "turn_count")
    assert status_said == 1
    assert "broken (5) turnCount" in text
    for words in (["version_2"], ["latin"], ["nowhere"], [], ["--what", "own"], ["--key", "own"], ["own", "nowhere"]):
        assert checked(*words)[0] == 2
    assert checked("trace.jsonl")[0] == 1
    assert checked("--a", "a", "--b", "b", "compared")[0] == 0
    assert checked("--a", "b", "--b", "a", "compared")[0] == 1


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_is_small_and_needs_nothing_installed(path):
    text = path.read_text("utf-8")
    assert len(text.splitlines()) < 250
    sources = re.findall(r"""(?:from|import|require)\s*\(?\s*["']([^"']+)["']""", text)
    assert all(source.startswith(("./", "node:")) for source in sources)
    assert "JSON.parse(" not in text or path.name == "batch.mjs"
