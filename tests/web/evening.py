"""A whole evening in one process for the pages' tests: store, house, running tables, pages and a server."""

from __future__ import annotations

import json
import random
import secrets
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

from companion.devices.clock import SystemClock
from companion.games.catalogue import game_named
from companion.house.bots import Pace
from companion.house.desk import Desk
from companion.house.running import Running
from companion.table.entries import Command
from companion.table.house import House
from companion.table.store import open_store
from companion.table.table import Table
from tests.web.house import CONFIG
from web.config import Config
from web.evening import create_evening_app
from web.serve import Server, free_port
from web.services import Services, Traced

PIN = "482913"
PATIENCE_S = 120


class NoPhotos:
    def start(self, photo: bytes, boards: object, into: str | None = None) -> None:
        return None

    def job(self, name: str) -> None:
        return None


class NoTracer:
    def board_file(self, clicks: object, language: str) -> Traced:
        return Traced(None)


class WebEvening:
    """The house with its pages. `stop` and `start` are a crash and a restart on the same port and store."""

    def __init__(
        self,
        store: Path | None = None,
        config: Config = CONFIG,
        port: int = 0,
        most_streams: int = 60,
        services: Services | None = None,
    ) -> None:
        self._services = services or Services(NoPhotos(), NoTracer())
        self._most_streams = most_streams
        self._store_path, self._config, self._port = store, config, port or free_port()
        self.start()

    def start(self) -> None:
        self.clock = SystemClock()
        self.store = open_store(str(self._store_path) if self._store_path else "memory:")
        self.house = House(self.store, self.clock)
        self.running = Running(self.house, self.clock, self.store, pace=Pace.at_once(), rng=random.Random(1)).start()
        self.desk = Desk(self.running, self.clock)
        self.app = create_evening_app(self._config, self.house, self.store, self.desk, self._services, PIN)
        self._server = Server(self.app, "127.0.0.1", self._port, most_streams=self._most_streams)
        self._thread = Thread(target=self._server.serve, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.close()
        self._thread.join()
        self.running.close()
        self.store.close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def open_table(self, rules: str = "2013", people: int = 4, name: str = "Window", is_virtual: bool = False) -> Table:
        """A table with a game set up and all seats free."""
        table = self.house.open_table(name)
        do(table, "new_game", json.dumps(game_named("makabana").default_header(rules, people)))
        if is_virtual:
            self.desk.start_virtual(table.row.id, is_rendered=False)
        return table

    def __enter__(self) -> WebEvening:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def do(table: Table, verb: str, *args: str, seat: str | None = None) -> None:
    answer = table.do(Command(f"test.{secrets.token_hex(8)}", verb, args, seat))
    assert answer.accepted, (verb, args, answer.refusal)


def until(holds: Callable[[], Any], what: Callable[[], Any] = lambda: "", patience_s: float = PATIENCE_S) -> Any:
    """Waits for something to become true, which on a busy machine takes as long as it takes."""
    deadline = time.monotonic() + patience_s
    while not (found := holds()):
        assert time.monotonic() < deadline, what()
        time.sleep(0.01)
    return found


def seat_everybody(evening: WebEvening, table: Table) -> dict[str, str]:
    """People on all seats and the game begun; gives each seat's token."""
    tokens = {seat: evening.house.sit(table, seat, seat.title(), f"sit.{seat}").token for seat in table.session.seats}
    do(table, "start")
    return tokens


if __name__ == "__main__":  # python -m tests.web.evening 8080: look at the pages by hand
    with WebEvening(port=int(sys.argv[1]) if len(sys.argv) > 1 else 0) as evening:
        print(evening.address, "PIN", PIN, flush=True)
        input("Enter ends it.\n")
