"""How long news takes to the last phone: 600 open streams on 100 tables, each table changing once a second.

`python tests/bench/bench_streams.py` measures the server of `web/serve.py`; `--server waitress` and others compare,
where they are installed. The stream is the real one of `web/stream.py`; what is published is a made-up view of 3 kB.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

PHONES, TABLES, SECONDS = 600, 100, 20
VIEW = {"seats": {f"seat-{n}": {"name": "Mareva", "colour": "blue", "cards": list(range(40))} for n in range(12)}}


def app():
    """100 tables behind one Flask app. A request for /go starts the publishing."""
    from threading import Event, Thread

    from flask import Flask, Response

    from web.limits import Gate
    from web.stream import stream

    class Table:
        def __init__(self) -> None:
            self.listeners, self.version, self.at = [], 0, 0

        def snapshot(self) -> dict:
            return {"version": self.version, "at": self.at, **VIEW}

        def change(self) -> None:
            self.version, self.at = self.version + 1, time.monotonic_ns()
            for listener in self.listeners:
                listener(self.version)

    tables, started, gate = [Table() for _ in range(TABLES)], Event(), Gate(2 * PHONES)
    flask = Flask(__name__)

    @flask.get("/s/<int:number>")
    def follow(number: int) -> Response:
        table = tables[number]
        return stream(table, table.snapshot, gate, 15.0)

    @flask.get("/go")
    def go() -> str:
        started.set()
        return "go"

    def publish() -> None:
        started.wait()
        begin = time.monotonic()
        for number in range(SECONDS * TABLES):
            time.sleep(max(0.0, begin + number / TABLES - time.monotonic()))
            tables[number % TABLES].change()

    Thread(target=publish, daemon=True).start()
    return flask


def serve_ours(port: int) -> None:
    from web.serve import Server

    Server(app(), "127.0.0.1", port).serve()


def serve_gevent(port: int) -> None:
    from gevent import monkey

    monkey.patch_all()
    from gevent.pywsgi import WSGIServer

    WSGIServer(("127.0.0.1", port), app(), log=None).serve_forever()


def serve_waitress(port: int) -> None:
    from waitress import serve

    serve(app(), host="127.0.0.1", port=port, threads=PHONES + 20, connection_limit=PHONES + 100)


def serve_cheroot(port: int) -> None:
    from cheroot.wsgi import Server

    Server(("127.0.0.1", port), app(), numthreads=PHONES + 20, request_queue_size=PHONES).start()


def serve_werkzeug(port: int) -> None:
    from werkzeug.serving import ThreadedWSGIServer

    ThreadedWSGIServer("127.0.0.1", port, app()).serve_forever()


def _gunicorn(port: int, kind: str, threads: int) -> None:
    from gunicorn.app.base import BaseApplication

    class Standalone(BaseApplication):
        def load_config(self) -> None:
            options = {"bind": f"127.0.0.1:{port}", "workers": 1, "worker_class": kind, "threads": threads,
                       "timeout": 120, "worker_connections": 2 * PHONES, "loglevel": "error"}  # fmt: skip
            for key, value in options.items():
                self.cfg.set(key, value)

        def load(self):
            return app()

    Standalone().run()


def serve_gunicorn_gthread(port: int) -> None:
    _gunicorn(port, "gthread", PHONES + 20)


def serve_gunicorn_gevent(port: int) -> None:
    _gunicorn(port, "gevent", 1)


def serve_hypercorn(port: int) -> None:
    from hypercorn.asyncio import serve
    from hypercorn.config import Config

    config = Config()
    config.bind, config.backlog = [f"127.0.0.1:{port}"], PHONES

    async def run() -> None:
        from concurrent.futures import ThreadPoolExecutor

        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(PHONES + 20))
        await serve(app(), config, mode="wsgi")

    asyncio.run(run())


SERVERS = {
    name.removeprefix("serve_"): function for name, function in list(globals().items()) if name.startswith("serve_")
}


class Phones:
    """600 phones, as plain sockets: when did which version of which table arrive?"""

    def __init__(self, port: int) -> None:
        self.port = port
        self.latest: dict[tuple[int, int], float] = defaultdict(float)  # last phone's delay in ms, by table and version
        self.seen: dict[int, list[int]] = defaultdict(list)
        self.ready = 0

    async def follow(self, phone: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        table = phone % TABLES
        writer.write(f"GET /s/{table} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        while line := await reader.readline():
            if line.startswith(b"data: {"):
                self.arrived(phone, table, line)

    def arrived(self, phone: int, table: int, line: bytes) -> None:
        now = time.monotonic_ns()
        data = json.loads(line[6:])
        if data.get("version") == 0:
            self.ready += 1
        elif "version" in data:
            self.seen[phone].append(data["version"])
            key = (table, data["version"])
            self.latest[key] = max(self.latest[key], (now - data["at"]) / 1e6)

    async def run(self) -> None:
        tasks = []
        for phone in range(PHONES):
            tasks.append(asyncio.create_task(self.follow(phone)))
            if phone % 20 == 0:
                await asyncio.sleep(0.02)
        while self.ready < PHONES:
            await asyncio.sleep(0.1)
        _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(b"GET /go HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await asyncio.sleep(SECONDS + 2)
        for task in tasks:
            task.cancel()


def measure(name: str) -> None:
    port = free_port()
    server = subprocess.Popen([sys.executable, __file__, "--serve", name, "--port", str(port)])
    try:
        wait_for(port)
        phones = Phones(port)
        asyncio.run(asyncio.wait_for(phones.run(), SECONDS + 60))
        report(name, phones, memory_mb(server.pid), cpu_s(server.pid))
    except TimeoutError:
        print(f"{name:18} only {phones.ready} of {PHONES} phones got a stream")
    finally:
        server.kill()
        server.wait()


def report(name: str, phones: Phones, memory: float, cpu: float) -> None:
    delays = sorted(phones.latest.values())
    whole = sum(seen == sorted(set(seen)) and len(seen) == SECONDS for seen in phones.seen.values())
    print(
        f"{name:18} last phone p50 {delays[len(delays) // 2]:6.1f} ms  p99 {delays[len(delays) * 99 // 100]:6.1f} ms  "
        f"max {delays[-1]:6.1f} ms  memory {memory:4.0f} MB  cpu {100 * cpu / SECONDS:3.0f} %  whole {whole}/{PHONES}"
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port: int) -> None:
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return


def family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in children for each in family(int(child)))]


def memory_mb(pid: int) -> float:
    """At its highest until now."""
    lines = [Path(f"/proc/{each}/status").read_text().split("VmHWM:")[1].split()[0] for each in family(pid)]
    return sum(map(int, lines)) / 1000


def cpu_s(pid: int) -> float:
    fields = [Path(f"/proc/{each}/stat").read_text().rsplit(")", 1)[1].split() for each in family(pid)]
    return sum(int(values[11]) + int(values[12]) for values in fields) / 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", choices=SERVERS, nargs="+", default=["ours"])
    parser.add_argument("--serve", choices=SERVERS, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        SERVERS[args.serve](args.port)
        return
    for name in args.server:
        measure(name)


if __name__ == "__main__":
    main()
