"""An evening under load: 600 phones on 100 tables, each table acting once a second for a minute, over real HTTP.

`python -m tests.bench.bench_phones` starts the whole house in a process of its own (store on disk, running tables,
pages, server) and plays with it. Told are the delay from sending a command to its arrival on the table's last phone,
what came doubled or never, memory, processor time of both sides, and the round trip of an idle request.
"""

from __future__ import annotations

import argparse
import json
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from tests.bench.bench_streams import cpu_s, memory_mb, wait_for
from tests.bench.phones import PEOPLE, Evening, Table
from web.serve import free_port

RULES = "2013"
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


def echo(port: int) -> list[float]:
    """Round trips of a small request while nothing else happens, each over a connection of its own."""
    times = []
    for _ in range(ECHOES):
        start = time.monotonic()
        with socket.create_connection(("127.0.0.1", port)) as sock:
            sock.sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            while sock.recv(65_536):
                pass
        times.append(1000 * (time.monotonic() - start))
    return times


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else float("nan")


class Cost(NamedTuple):
    """Processor seconds of both sides while it was played, and the server's memory at its highest."""

    server_s: float
    phones_s: float
    memory: float


def report(tables: list[Table], evening: Evening, echoes: list[float], cost: Cost) -> None:
    commands = sum(len(table.sent) for table in tables)
    refused = sum((table.refused for table in tables), Counter())
    print(f"commands accepted {commands}, not done {dict(refused)}, latest sent {1000 * evening.latest_s:.0f} ms late")
    tell("sent     -> last phone", [delay for table in tables for delay in table.delays_ms(table.sent)])
    tell("accepted -> last phone", [delay for table in tables for delay in table.delays_ms(table.accepted)])
    tell("idle echo", echoes)
    print(
        f"phones without the last command {sum(table.lost() for table in tables)}, commands not told to all "
        f"{sum(table.missing() for table in tables)}, doubled {sum(table.doubled for table in tables)}, "
        f"backwards {sum(table.backwards for table in tables)}, streams ended {evening.ended}"
    )
    updates = sum(len(heard) for table in tables for number, heard in table.arrived.items() if number in table.sent)
    print(
        f"memory {cost.memory:.0f} MB; processor: server {cost.server_s:.1f} s ({ms_each(cost.server_s, updates)}), "
        f"phones {cost.phones_s:.1f} s ({ms_each(cost.phones_s, updates)}), {updates} updates"
    )


def tell(what: str, times: list[float]) -> None:
    shares = ", ".join(f"p{share:g} {percentile(times, share / 100):.1f}" for share in (50, 95, 99, 99.9))
    print(f"{what}: {shares}, longest {max(times, default=0):.1f} ms")


def ms_each(seconds: float, updates: int) -> str:
    return f"{1000 * seconds / max(1, updates):.2f} ms each"


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


def measure(count: int, seconds: int, folder: str) -> None:
    port = free_port()
    command = [sys.executable, "-m", "tests.bench.bench_phones", "--serve", folder, "--port", str(port)]
    server = subprocess.Popen([*command, "--tables", str(count)], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        told = json.loads(server.stdout.readline())
        wait_for(port)
        tables = [Table(one, random.Random(number)) for number, one in enumerate(told)]
        echoes, evening = echo(port), Evening(port, tables)
        evening.open()
        used, own = cpu_s(server.pid), time.process_time()
        evening.play(seconds)
        evening.rest(QUIET_S)
        cost = Cost(cpu_s(server.pid) - used, time.process_time() - own, memory_mb(server.pid))
        report(tables, evening, echoes, cost)
        evening.close()
    finally:
        server.kill()
        server.wait()


if __name__ == "__main__":
    main()
