"""Makes the vectors of the record family anew. A test holds that this changes nothing.

Each file is one JSON object in ASCII: `format` and `cases`, one case a line. A record stands in a case as its JSON
text, because its bytes count. `status` is what verifying it gives: `sound`, `broken` or `unverifiable`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bicameral.canonical import (
    build_agent_dialog_v1_record,
    build_ui_session_v1_record,
    record_bytes,
    sha256_digest,
    turn_hash,
)
from bicameral.witness import verify_record
from bicameral.witness._cael_text import SHAPES
from bicameral.witness._family import build_equivalence_v1_record
from bicameral.witness.cael import export_cael

Case = dict[str, Any]
HERE = Path(__file__).parent
PICTURE, FACTS = (sha256_digest(text) for text in (b"a picture", b"its facts"))


def turn(depth: float, speaker: str, audience: str, content: str, **more: Any) -> Case:
    return {"speaker": speaker, "audience": audience, "chainDepth": depth, "content": content, **more}


def dialog(*said: Case, dialog_id: str = "d-1") -> Case:
    """The turns as one chain: each that names no parent itself names the turn before."""
    turns: list[Case] = []
    for each in said:
        parent = {"parentHash": turn_hash(turns[-1])} if turns and "parentHash" not in each else {}
        turns.append({**each, **parent})
    return {"dialogId": dialog_id, "turns": turns}


ASK = turn(0, "clerk", "pixels", "Is the link legible?")
YES = turn(1, "pixels", "clerk", '{"rulings":[{"index":0,"verdict":"agree"}]}', meta={"model": "1"})
NO = turn(1, "pixels", "clerk", '{"rulings":[{"index":0,"verdict":"dispute"}]}', meta={"model": "1"})
OWN = sha256_digest(ASK["content"].encode())


def record_case(name: str, record: Case) -> Case:
    kinds = {problem.kind for problem in verify_record(record)}
    status = "broken" if "broken" in kinds else "unverifiable" if kinds else "sound"
    data = record_bytes(record)
    return {"name": name, "status": status, "record": data.decode(), "recordDigest": sha256_digest(data)}


def dialog_cases() -> Iterator[Case]:
    own = build_agent_dialog_v1_record(dialog(ASK, YES, dialog_id=OWN))
    foreign = build_agent_dialog_v1_record(dialog(ASK, YES))
    yield record_case("own", own)
    yield record_case("own_with_label", build_agent_dialog_v1_record(dialog(ASK, YES, dialog_id=OWN), label="a look"))
    yield record_case("foreign", foreign)
    yield record_case("foreign_with_a_member_nobody_knows", {**foreign, "cost": {"usd": "0.1"}})
    yield record_case("own_with_a_member_nobody_knows", {**own, "cost": {"usd": "0.1"}})
    yield record_case("version_2", {**own, "specVersion": 2})
    yield record_case("turn_count", {**own, "turnCount": 3})
    yield record_case("other_id", {**own, "dialogId": "d-1"})
    yield record_case("id_of_another_charge", build_agent_dialog_v1_record(dialog(ASK, YES, dialog_id=FACTS)))
    key = str(own["wireKey"])
    yield record_case("no_dialog", {**own, "wireKey": "[]"})
    yield record_case("no_json", {**own, "wireKey": key[:-1]})
    yield record_case("white_space", {**own, "wireKey": key.replace(",", ", ", 1)})
    yield record_case("number_spelled_otherwise", {**own, "wireKey": key.replace('"chainDepth":1', '"chainDepth":1.0')})
    yield record_case("escape_spelled_otherwise", {**own, "wireKey": key.replace("legible", "l\\u0065gible")})
    yield record_case("changed_word", {**own, "wireKey": key.replace("legible", "readable")})
    doubled = key.replace('"chainDepth":1,', '"chainDepth":7,"chainDepth":1,')
    yield record_case("repeated_member", {**own, "wireKey": doubled})
    lost = dialog(ASK, {**YES, "parentHash": FACTS})
    yield record_case("foreign_parent_points_nowhere", build_agent_dialog_v1_record(lost))
    yield record_case("own_parent_points_nowhere", build_agent_dialog_v1_record({**lost, "dialogId": OWN}))
    yield record_case("foreign_parent_null", build_agent_dialog_v1_record(dialog({**ASK, "parentHash": None}, YES)))
    level = dialog(ASK, {**YES, "chainDepth": 0})
    yield record_case("own_parent_at_the_same_depth", build_agent_dialog_v1_record({**level, "dialogId": OWN}))
    late = build_agent_dialog_v1_record(dialog({**ASK, "chainDepth": 1}, {**YES, "chainDepth": 2}, dialog_id=OWN))
    yield record_case("own_genesis_at_depth_1", late)
    two = dialog(ASK, YES, dialog_id=OWN)
    del two["turns"][1]["parentHash"]
    yield record_case("own_two_genesis_turns", build_agent_dialog_v1_record(two))
    yield record_case("no_turns", build_agent_dialog_v1_record(dialog()))
    for name, meta in [
        ("own_meta_with_a_time", {"model": "1", "took": "3 s"}),
        ("own_meta_with_a_long_text", {"model": "m" * 201}),
        ("own_meta_with_a_text_of_200_pairs", {"model": "\U0001f600" * 200}),
        ("own_meta_that_is_a_list", []),
        ("own_meta_null", None),
        ("own_meta_empty", {}),
    ]:
        yield record_case(name, build_agent_dialog_v1_record(dialog(ASK, {**YES, "meta": meta}, dialog_id=OWN)))
    for name, value in [
        ("fraction", 0.5),
        ("integer_beyond", 2**53),
        ("largest_integer", 2**53 - 1),
        ("large_double", 1e21),
        ("lone_surrogate", "\ud800"),
        ("names_by_code_unit", {"\ufb33": 1, "\U0001f600": 2, "10": 3, "9": 4, "__proto__": 5}),
    ]:
        yield record_case(f"foreign_{name}", build_agent_dialog_v1_record(dialog(ASK, {**YES, "meta": {"m": [value]}})))
    pair = [turn(1, speaker, "team", speaker, parentHash=turn_hash(ASK)) for speaker in ("b", "B", "a", "é", "\ufb33")]
    room = dialog(ASK, *pair)
    yield record_case("room", build_agent_dialog_v1_record(room))
    swapped = build_agent_dialog_v1_record(room)
    texts = [json.dumps(each, sort_keys=True, separators=(",", ":"), ensure_ascii=False) for each in room["turns"]]
    swapped["wireKey"] = f'{{"dialogId":"d-1","turns":[{",".join(texts)}]}}'
    yield record_case("room_in_the_order_of_another_locale", swapped)
    swapped = dict(swapped, wireKey=f'{{"dialogId":"d-1","turns":[{",".join(texts[::-1])}]}}')
    yield record_case("room_in_falling_depth", swapped)
    twice = dict(swapped, wireKey=f'{{"dialogId":"d-1","turns":[{",".join([texts[0], texts[0]])}]}}', turnCount=2)
    yield record_case("duplicate_turn", twice)
    depthless = build_agent_dialog_v1_record(dialog(ASK, {**YES, "chainDepth": float("nan")}))
    yield record_case("foreign_depth_null", depthless)


def says(content: str) -> Case:
    return dialog(turn(0, "a", "b", content))


def equivalence_cases() -> Iterator[Case]:
    one = dialog(ASK, YES)
    long = {**YES, "content": "x" * 300}
    pairs: list[tuple[str, Case, Case]] = [
        ("same", one, {**one, "turns": one["turns"][::-1]}),
        ("other_ruling", one, dialog(ASK, NO)),
        ("other_id", one, {**one, "dialogId": "d-2"}),
        ("turn_missing", one, {**one, "turns": one["turns"][:1]}),
        ("turn_elsewhere", one, {**one, "turns": [one["turns"][0], {**one["turns"][1], "chainDepth": 2}]}),
        ("long_value", one, dialog(ASK, long)),
        ("meta_added", dialog(ASK), dialog({**ASK, "meta": {"model": "1"}})),
        ("parent_added", dialog(ASK), dialog({**ASK, "parentHash": FACTS})),
        ("member_order_of_a_first", says('{"x":1}'), says('{"a":1,"x":2}')),
        ("list_longer", says("[1]"), says("[1,[2]]")),
        ("list_and_object", says("[1]"), says('{"0":1}')),
        ("json_spelled_otherwise", says("[1]"), says("[1 ]")),
        ("json_and_no_json", says("[1]"), says("[1")),
    ]  # fmt: skip
    for name, a, b in pairs:
        yield {**record_case(name, build_equivalence_v1_record(a, b)), "a": a, "b": b}
    same, other = build_equivalence_v1_record(one, one), build_equivalence_v1_record(one, dialog(ASK, NO))
    part = other["firstDifference"]
    for name, record in [
        ("labelled", {**same, "label": "nightly"}),
        ("outcome_turned", {**other, "outcome": "equivalent"}),
        ("outcome_unknown", {**other, "outcome": "similar"}),
        ("difference_dropped", {name: value for name, value in other.items() if name != "firstDifference"}),
        ("difference_of_equals", {**same, "firstDifference": part}),
        ("digest_of_another_text", {**other, "firstDifference": {**part, "a": {**part["a"], "text": '"agreed"'}}}),
        ("one_value_on_both_sides", {**other, "firstDifference": {**part, "a": part["b"]}}),
        ("where_in_another_turn", {**other, "firstDifference": {**part, "turn": 1, "where": "turns[2].content"}}),
        ("where_without_turn", {**other, "firstDifference": {**part, "where": "dialogId"}}),
        ("clock", {**same, "comparedAt": "2026-01-01T00:00:00Z"}),
        ("clock_inside", {**same, "a": {**same["a"], "at": 1}}),
        ("one_digest_two_ids", {**same, "a": {**same["a"], "dialogId": "d-2"}}),
    ]:
        yield record_case(name, record)


def session_cases() -> Iterator[Case]:
    opened = {"actor": "clerk", "target": "shop", "platform": "web", "formFactor": "phone", "scheme": "light"}
    steps: list[Case] = [
        {"action": "navigate", "value": "/sign-in", "seen": {"picture": PICTURE, "facts": FACTS}},
        {"action": "fill", "target": "textbox Email", "value": "ada@example.org"},
        {"action": "fill", "target": "textbox Password", "secret": True},
        {"action": "press", "value": "Enter"},
        {"action": "wait", "target": "heading Basket", "value": "visible"},
        {"action": "hover", "target": "button Ä\U0001f600"},
        {"action": "click", "target": "button Pay", "failed": "absent", "seen": {"picture": PICTURE}},
    ]
    full = build_ui_session_v1_record(opened, steps)
    for name, head, done in [
        ("whole", opened, steps),
        ("nothing_done", {"actor": "clerk", "target": "shop"}, []),
        ("task", {**opened, "task": "buy a lamp"}, steps[:1]),
    ]:
        case = record_case(name, build_ui_session_v1_record(head, done))
        yield {**case, "opened": head, "steps": done}
    first, last = full["steps"][0], full["steps"][-1]
    for name, record in [
        ("labelled", build_ui_session_v1_record(opened, steps, label="sign-in")),
        ("other_actor", {**full, "opened": {**opened, "actor": "ada"}}),
        ("step_dropped", {**full, "steps": full["steps"][:2] + full["steps"][3:], "stepCount": 6}),
        ("last_step_dropped", {**full, "steps": full["steps"][:-1]}),
        ("steps_swapped", {**full, "steps": [*full["steps"][:-2], last, full["steps"][-2]]}),
        ("other_picture", {**full, "steps": [{**first, "seen": {"picture": FACTS}}, *full["steps"][1:]]}),
        ("clock", {**full, "startedAt": "2026-01-01T00:00:00Z"}),
        ("clock_in_a_step", {**full, "steps": [{**first, "ms": 3}, *full["steps"][1:]]}),
        ("host", {**full, "steps": [{**first, "value": "http://127.0.0.1/"}, *full["steps"][1:]]}),
        ("unknown_action", {**full, "steps": [{**first, "action": "teleport"}, *full["steps"][1:]]}),
        ("click_with_a_value", {**full, "steps": [*full["steps"][:-1], {**last, "value": "x"}]}),
    ]:
        yield record_case(name, record)


def trace_cases() -> Iterator[Case]:
    odd = turn(1, "pixels", "clerk", "x", meta={"10": 1, "9": 2, "__proto__": 0.5})
    sources = {"own": dialog(ASK, YES, dialog_id=OWN), "no_turns": dialog(), "odd_meta": dialog(ASK, odd)}
    for name, said in sources.items():
        record = build_agent_dialog_v1_record(said)
        for mode in SHAPES:
            lines = list(export_cael(record, mode=mode))
            jsonl, head = "\n".join(lines) + "\n", json.loads(lines[-1])["hash"]
            yield {"name": f"{name}_{mode}", "mode": mode, "record": record, "jsonl": jsonl, "head": head}


FILES = {
    "agent.dialog.v1": dialog_cases,
    "equivalence.v1": equivalence_cases,
    "ui.session.v1": session_cases,
    "cael.v1": trace_cases,
}


def vectors() -> dict[str, str]:
    """Each file's name and its text."""
    made = {}
    for name, cases in FILES.items():
        rows = ",\n".join(json.dumps(case) for case in cases())
        made[f"{name}.json"] = f'{{"format": "{name} vectors", "cases": [\n{rows}\n]}}\n'
    return made


if __name__ == "__main__":
    for file, text in vectors().items():
        (HERE / file).write_text(text, "ascii")
