"""What it costs to know a dialog's digest after each of its turns: a recorder that keeps it, against making it anew.

Figure to reach (design, section 9): over 20,000 turns linear in all, so that twice the turns take twice the time. The
peer writes the snapshot with `json.dumps(sort_keys=True)` and hashes it after each turn, which is quadratic: twice the
turns take four times the time. It is run at small sizes; what it would take at the largest is extrapolated, and said
to be.

Usage: python benchmarks/recorder_digest.py [--turns N,N,...] [--peer-turns N,N,...] [--times N]
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import time
from collections.abc import Callable, Sequence
from itertools import pairwise

from bicameral.canonical import turn_hash
from bicameral.model.dialogs import DialogTurn
from bicameral.witness import DialogRecorder

Said = list[DialogTurn]


def chain(count: int) -> Said:
    """Turns that each answer the one before."""
    turns: Said = []
    parent: str | None = None
    for depth in range(count):
        turns.append(
            DialogTurn(
                speaker=("axe+layout", "pixels")[depth % 2],
                audience=("pixels", "axe+layout")[depth % 2],
                chain_depth=depth,
                content=f"Turn {depth}: measured at {depth % 13}.1:1, and 4.5:1 is asked for at this size.",
                parent_hash=parent,
                meta={"model": "1.4.0"},
            )
        )
        parent = turn_hash(turns[-1])
    return turns


def recorded(turns: Said) -> str:
    """Ours: append a turn, ask for the digest, and so on. The last digest."""
    recorder = DialogRecorder("d")
    digest = recorder.wire_digest
    for turn in turns:
        recorder.append(turn)
        digest = recorder.wire_digest
    return digest


def rebuilt(turns: Said) -> str:
    """The peer: after each turn the whole key is written and hashed."""
    members: list[dict[str, object]] = []
    digest = ""
    for turn in turns:
        member: dict[str, object] = {
            "audience": turn.audience, "chainDepth": turn.chain_depth, "content": turn.content, "meta": turn.meta,
            "speaker": turn.speaker,
        }  # fmt: skip
        members.append(member if turn.parent_hash is None else {**member, "parentHash": turn.parent_hash})
        key = json.dumps({"dialogId": "d", "turns": members}, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        digest = f"sha256:{hashlib.sha256(key.encode()).hexdigest()}"
    return digest


def seconds(call: Callable[[Said], str], turns: Said, times: int) -> float:
    """The least of some tries: what is measured is the growth, and noise only adds."""
    taken = []
    for _ in range(times):
        gc.collect()
        start = time.perf_counter()
        call(turns)
        taken.append(time.perf_counter() - start)
    return min(taken)


def table(name: str, call: Callable[[Said], str], sizes: Sequence[int], said: Said, times: int) -> list[float]:
    """Print a row a size; the seconds."""
    taken = [seconds(call, said[:size], times) for size in sizes]
    for size, spent in zip(sizes, taken, strict=True):
        print(f"{name:10} {size:7} turns {spent:9.3f} s {spent / size * 1e6:9.1f} µs a turn")
    for (size, before), (larger, after) in pairwise(zip(sizes, taken, strict=True)):
        print(f"{name:10} {larger / size:.1f} times the turns: {after / before:.2f} times the time")
    return taken


def sizes_of(text: str) -> list[int]:
    sizes = [int(word) for word in text.split(",")]
    if sizes != sorted(set(sizes)) or sizes[0] < 1:
        raise argparse.ArgumentTypeError("numbers of turns, rising, with commas between")
    return sizes


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=sizes_of, default=[5_000, 10_000, 20_000])
    parser.add_argument("--peer-turns", type=sizes_of, default=[500, 1_000, 2_000])
    parser.add_argument("--times", type=int, default=3)
    given = parser.parse_args(argv)
    largest, small = given.turns[-1], given.peer_turns[-1]
    said = chain(max(largest, small))
    if recorded(said[:small]) != rebuilt(said[:small]):
        raise SystemExit("The two do not give one digest, so there is nothing to compare.")
    ours = table("recorder", recorded, given.turns, said, given.times)[-1]
    peer = table("rebuilding", rebuilt, given.peer_turns, said, given.times)[-1]
    grown = peer * (largest / small) ** 2
    print(
        f"ratio at {largest} turns: {grown / ours:.0f} (rebuilding extrapolated from {small} turns by the square: "
        f"{grown:.0f} s, not measured)"
    )


if __name__ == "__main__":
    main()
