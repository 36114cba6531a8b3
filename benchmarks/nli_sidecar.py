"""Requests a second of `bicameral nli serve` at 1, 8 and 64 clients, against the same server one request at a time.

The peer has the same model, the same HTTP stack and the same machine in the same run; it alone lacks the batching.
Both run in processes of their own, and turns are interleaved. Every client asks one pair at a time over one connection.

Usage: python benchmarks/nli_sidecar.py [--data PAIRS.jsonl] [--seconds S] [--rounds N] [--clients 1,8,64]
--data has one object a line with `premise` and `hypothesis`; without it, pairs are made up from a few words.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

SERVER = """
import asyncio, sys
from bicameral.adjudication.nli import OnnxNLI
from bicameral.interfaces.nli.app import make_app
from bicameral.interfaces.nli.serve import listen, serve

class OneAtATime:
    def __init__(self, nli):
        self.nli, self.name = nli, nli.name
    async def classify(self, premise, hypothesis):
        return await self.nli.classify(premise, hypothesis)

async def main():
    nli = OnnxNLI.packaged()
    await nli.classify("The lamp is on.", "The lamp is off.")
    bound = listen("127.0.0.1", 0)
    ready = lambda: print(bound.getsockname()[1], flush=True)
    await serve(make_app(OneAtATime(nli) if sys.argv[1] == "single" else nli), bound, ready=ready)

asyncio.run(main())
"""
PLACES = ["shop", "museum", "station", "harbour", "library", "garden", "office", "school", "theatre", "bakery"]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def made_up() -> Iterator[tuple[str, str]]:
    """Pairs without end, none twice: a statement about a place, and one that conflicts with it or does not."""
    number = 0
    while True:
        place, day = PLACES[number % 10], DAYS[number % 7]
        premise = f"The {place} in street {number} is closed on {day}"
        premise += ", and whoever comes then finds a note on the door." if number % 3 == 0 else "."
        yield premise, f"The {place} in street {number} is {'open' if number % 2 else 'shut'} on {day}."
        number += 1


def read(path: Path) -> Iterator[tuple[str, str]]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    while True:
        yield from ((row["premise"], row["hypothesis"]) for row in rows)


async def client(port: int, pairs: Iterator[tuple[str, str]], until: float, waits: list[float]) -> None:
    """Ask until the time is over. The request is made by hand, so that asking takes little of the machine."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        while time.perf_counter() < until:
            premise, hypothesis = next(pairs)
            body = json.dumps({"premise": premise, "hypothesis": hypothesis}).encode()
            start = time.perf_counter()
            writer.write(
                b"POST /classify HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
            )
            head = await reader.readuntil(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 200 "):
                raise RuntimeError(head.decode())
            length = next(int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
            await reader.readexactly(length)
            waits.append((time.perf_counter() - start) * 1000)
    finally:
        writer.close()


async def turn(port: int, clients: int, pairs: Iterator[tuple[str, str]], seconds: float) -> tuple[float, float]:
    """Requests a second, and the median wait in milliseconds."""
    waits: list[float] = []
    start = time.perf_counter()
    await asyncio.gather(*(client(port, pairs, start + seconds, waits) for _ in range(clients)))
    return len(waits) / (time.perf_counter() - start), statistics.median(waits)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clients", default="1,8,64")
    asked = parser.parse_args()
    pairs = read(asked.data) if asked.data else made_up()
    servers: dict[str, subprocess.Popen[str]] = {}
    try:
        ports = {}
        for name in ("batched", "single"):
            servers[name] = subprocess.Popen([sys.executable, "-c", SERVER, name], stdout=subprocess.PIPE, text=True)
            ports[name] = int((servers[name].stdout or sys.stdin).readline())
        for clients in map(int, asked.clients.split(",")):
            measure(ports, clients, pairs, asked.seconds, asked.rounds)
    finally:
        for server in servers.values():
            server.terminate()
            server.wait()


def measure(ports: dict[str, int], clients: int, pairs: Iterator[tuple[str, str]], seconds: float, rounds: int) -> None:
    """One line a number of clients: medians over the rounds."""
    rates: dict[str, list[float]] = {name: [] for name in ports}
    waits: dict[str, list[float]] = {name: [] for name in ports}
    for _ in range(rounds):
        for name, port in ports.items():
            rate, wait = asyncio.run(turn(port, clients, pairs, seconds))
            rates[name].append(rate)
            waits[name].append(wait)
    ours, peer = (statistics.median(rates[name]) for name in ("batched", "single"))
    our_wait, peer_wait = (statistics.median(waits[name]) for name in ("batched", "single"))
    print(
        f"{clients:3} clients   nli serve {ours:7.1f} requests/s (median wait {our_wait:6.1f} ms)   "
        f"one at a time {peer:7.1f} ({peer_wait:6.1f} ms)   ratio {ours / peer:.2f}"
    )


if __name__ == "__main__":
    main()
