"""An evening under load: 600 phones on 100 tables, each table acting once a second for a minute, over real HTTP.

`python tests/bench/bench_phones.py` starts the whole house in a process of its own (store on disk, running tables,
pages, server) and plays with it. Told are the delay from sending a command to its arrival on the table's last phone,
what came doubled or never, memory, and the round trip of an idle request for comparison.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.bench.bench_streams import cpu_s, memory_mb, wait_for
from web.serve import free_port

RULES, PEOPLE = "2013", 6
ECHOES = 200
QUIET_S = 3.0


def serve(port: int, tables: int, folder: str) -> None:
    """The house with its tables, all seated and begun; their codes and tokens go to stdout as one line."""
    from tests.web.evening import CONFIG, WebEvening, seat_everybody

    config = CONFIG._replace(most_streams_per_address=10_000)
    evening = WebEvening(Path(folder) / "tables.db", config, port, most_streams=tables * PEOPLE)
    told = []
    for number in range(tables):
        table = evening.open_table(RULES, PEOPLE, f"Table {number}")
        told.append({"id": table.row.id, "code": table.row.code, "tokens": seat_everybody(evening, table)})
    print(json.dumps(told), flush=True)
    time.sleep(3600)


class Table:
    """One table's phones: what each has been shown, and when the last one learnt of each command."""

    def __init__(self, port: int, told: dict[str, Any], rng: random.Random) -> None:
        self.port, self.rng = port, rng
        self.id, self.code, self.tokens = told["id"], told["code"], told["tokens"]
        self.shown: dict[str, dict[str, Any]] = {}
        self.sent: dict[int, float] = {}  # by number of the entry: when its command was sent
        self.arrived: dict[int, dict[str, float]] = {}
        self.doubled = self.refused = self.backwards = 0
        self.changed = asyncio.Event()

    def cookie(self, seat: str) -> str:
        return f"makabana_seat_{self.id}={self.tokens[seat]}"

    async def follow(self, seat: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**21)
        request = f"GET /t/{self.code}/stream HTTP/1.1\r\nHost: localhost\r\nCookie: {self.cookie(seat)}\r\n\r\n"
        writer.write(request.encode())
        while line := await reader.readline():
            if line.startswith(b"data: {") and len(line) > 20:
                self.take(seat, json.loads(line[6:]), time.monotonic())

    def take(self, seat: str, data: dict[str, Any], now: float) -> None:
        before = self.shown.get(seat)
        if before is not None:
            self.doubled += data["version"] == before["version"]
            self.backwards += data["version"] < before["version"]
        self.shown[seat] = data
        for number in range(before["number"] + 1 if before else data["number"], data["number"] + 1):
            self.arrived.setdefault(number, {})[seat] = now
        self.changed.set()

    async def act(self) -> None:
        """Whoever may act does something; the next second begins whether or not all have heard of it."""
        choice = self.choice()
        if choice is None:
            self.refused += 1
            return
        seat, words = choice
        body = {"key": f"{self.rng.getrandbits(64):x}", "do": "act", "args": words, "seen": self.shown[seat]["number"]}
        sent = time.monotonic()
        status, answer = await post(self.port, f"/t/{self.code}/do", body, self.cookie(seat))
        if status == 200:
            self.sent[answer["version"]] = sent
        else:
            self.refused += 1

    def choice(self) -> tuple[str, list[str]] | None:
        for seat, data in self.shown.items():
            for verb, how in data["verbs"].items():
                if how["kind"] == "place":
                    return seat, [verb, self.rng.choice(how["choices"])]
                if how["kind"] == "secret":
                    return seat, [verb, *PLOT, "show", PLOT[0]]
                if how["kind"] == "plain" and verb != "withdraw":
                    return seat, [verb]
        return None

    def delays_ms(self) -> list[float]:
        """From sending to the last phone. A phone that skipped a version had a newer one by then."""
        found = []
        for number, sent in self.sent.items():
            heard = self.arrived.get(number, {})
            if len(heard) == PEOPLE:
                found.append(1000 * (max(heard.values()) - sent))
        return found

    def lost(self) -> int:
        """Phones that do not know of the last command."""
        last = max(self.sent, default=0)
        return sum(self.shown[seat]["number"] < last for seat in self.tokens)


PLOT = ("Aloa", "Lagon", "Fleur")


async def post(port: int, path: str, body: dict[str, Any], cookie: str) -> tuple[int, dict[str, Any]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    data = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nX-Makabana: 1\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\nCookie: {cookie}\r\n\r\n"
    )
    writer.write(head.encode() + data)
    answer = await reader.read()
    writer.close()
    return int(answer.split(b" ", 2)[1]), json.loads(answer.partition(b"\r\n\r\n")[2])


async def echo(port: int) -> list[float]:
    """Round trips of a small request while nothing else happens."""
    times = []
    for _ in range(ECHOES):
        start = time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        await reader.read()
        writer.close()
        times.append(1000 * (time.monotonic() - start))
    return times


async def play(tables: list[Table], seconds: int) -> None:
    followers = []
    for table in tables:
        followers += [asyncio.create_task(table.follow(seat)) for seat in table.tokens]
        await asyncio.sleep(0.02)
    while any(len(table.shown) < PEOPLE for table in tables):
        await asyncio.sleep(0.1)
    begin, acting = time.monotonic(), set()
    for turn in range(seconds * len(tables)):
        await asyncio.sleep(max(0.0, begin + turn / len(tables) - time.monotonic()))
        acting.add(asyncio.create_task(tables[turn % len(tables)].act()))
    await asyncio.gather(*acting)
    await asyncio.sleep(QUIET_S)
    for task in followers:
        task.cancel()


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else float("nan")


def report(tables: list[Table], echoes: list[float], memory: float, cpu: float) -> None:
    delays = [delay for table in tables for delay in table.delays_ms()]
    commands = sum(len(table.sent) for table in tables)
    echo_p99 = percentile(echoes, 0.99)
    print(f"commands accepted {commands}, refused or nothing to do {sum(table.refused for table in tables)}")
    print(
        f"sent -> last phone: p50 {percentile(delays, 0.5):.0f} ms, p95 {percentile(delays, 0.95):.0f} ms, "
        f"p99 {percentile(delays, 0.99):.0f} ms, max {max(delays, default=0):.0f} ms"
    )
    print(
        f"idle echo: p50 {percentile(echoes, 0.5):.1f} ms, p99 {echo_p99:.1f} ms; "
        f"p99 is {percentile(delays, 0.99) / echo_p99:.1f} times an idle echo's"
    )
    print(
        f"phones without the last command {sum(table.lost() for table in tables)}, doubled "
        f"{sum(table.doubled for table in tables)}, backwards {sum(table.backwards for table in tables)}"
    )
    print(f"memory {memory:.0f} MB, processor of the server {cpu:.0f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--serve", metavar="FOLDER", help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        serve(args.port, args.tables, args.serve)
        return
    with tempfile.TemporaryDirectory() as folder:
        measure(args.tables, args.seconds, folder)


def measure(tables: int, seconds: int, folder: str) -> None:
    port = free_port()
    command = [sys.executable, __file__, "--serve", folder, "--port", str(port), "--tables", str(tables)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        told = json.loads(server.stdout.readline())
        wait_for(port)
        found = [Table(port, one, random.Random(number)) for number, one in enumerate(told)]
        echoes = asyncio.run(echo(port))
        used = cpu_s(server.pid)
        asyncio.run(play(found, seconds))
        report(found, echoes, memory_mb(server.pid), cpu_s(server.pid) - used)
    finally:
        server.kill()
        server.wait()


if __name__ == "__main__":
    main()
