"""A short dialogue of two instruments, for tests."""

from __future__ import annotations

import hashlib

from bicameral.model.judging import RawReply, Utterance


def raw(handle, task, text="{}", finish="stop", state="complete"):
    digest = f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
    return RawReply(handle=handle, model="1", task=task, text=text, digest=digest, finish=finish, state=state)


def dialogue(*, verdict="dispute", note="7.3:1 measured", picture="a" * 64):
    charge = {
        "act": "charge",
        "project": "demo",
        "route": "/",
        "shots": [{"shot_id": "demo/home/rest/phone/light", "picture": f"sha256:{picture}"}],
        "roster": [["axe+layout", "1"], ["pixels", "1"]],
    }
    finding = {
        "shot_id": "demo/home/rest/phone/light",
        "category": "contrast",
        "attribute": "color-contrast-link-home",
        "severity": "high",
        "title": "Grey on white",
        "problem": "Too faint to read.",
        "box": [1, 2, 3, 4],
        "acceptance": [],
    }
    findings = {"act": "findings", "findings": [finding], "clean_shot_ids": [], "rejected": ['{"row":1}']}
    rulings = {"act": "rulings", "rulings": [{"index": 0, "verdict": verdict, "notes": [note]}], "additions": []}
    return [
        Utterance(act="charge", speaker="clerk", audience="axe+layout", content=charge),
        Utterance(
            act="findings",
            speaker="axe+layout",
            audience="pixels",
            content=findings,
            meta={"model": "1", "pictures": "", "took": "3 s"},
            raw=raw("axe+layout", "propose"),
        ),
        Utterance(
            act="rulings",
            speaker="pixels",
            audience="axe+layout",
            content=rulings,
            meta={"model": "1"},
            raw=raw("pixels", "challenge", text='{"verdicts":[]}', state="incomplete"),
        ),
    ]
