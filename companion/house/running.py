"""Running an evening: one thread ticks all tables and their parts, as long as the house is open.

The thread waits until a vision process has something to say, a table changes, or a tick is due; tables at which
nothing is played cost nothing, and those that wait for people next to nothing. What one part or one table does wrong
ends neither the others nor the evening.
"""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.house.bots import WORKERS, Bots, Pace
from companion.house.camera import Camera, DirectCamera
from companion.house.disputes import Disputes
from companion.house.equipment import Equipment, Virtual
from companion.house.helping import Helper
from companion.house.kept_boards import KeptBoards
from companion.house.parts import Keeper, Part
from companion.house.surfaces import boards_of
from companion.house.virtual import VirtualBoard
from companion.house.virtual_readers import VirtualReaders
from companion.table.entries import Store
from companion.table.house import House
from companion.table.listeners import listen, unlisten
from companion.table.observations import Clock
from companion.table.table import Table

log = logging.getLogger(__name__)
# A clear placement counts after 0.35 s of stillness, and phones hear of it within two frames of a camera at 5 a second.
TICK_S = 0.04
IDLE_S = 1.0  # nothing is played anywhere: look again this seldom for new tables
CALM_TICKS = 25  # a table that only waits for people is looked at as a whole once in so many ticks
_ENDING_S = 10.0


class RunningTable:
    """A table with its parts. All of it is worked on by the evening's thread alone, but for `add` and `close`."""

    def __init__(
        self, table: Table, clock: Clock, wake: Callable[[], None], disputes: Disputes | None, kept: KeptBoards
    ) -> None:
        self.table = table
        self.keepers: dict[str, Keeper] = {}
        self.virtual: VirtualBoard | None = None
        self.readers: VirtualReaders | None = None
        self.helps_bots = False
        self._equipment: Equipment | None = None
        self._fitted: tuple[object, ...] = ()
        self._kept, self._opened_at = kept, table.session.number
        self.is_touched = True
        self._helper = Helper()
        self._clock, self._wake, self._disputes = clock, wake, disputes
        self._is_broken = False
        self._is_closed = False
        self._lock = threading.RLock()
        listen(table, self._changed)

    @property
    def camera(self) -> Camera | DirectCamera | None:
        part = self.keepers["camera"].part if "camera" in self.keepers else None
        return part if isinstance(part, Camera | DirectCamera) else None

    @property
    def is_awake(self) -> bool:
        """Whether it needs ticks: something is played, or a part runs that says so by itself."""
        return self.table.is_playing or self._equipment is not None or bool(self.keepers.keys() - {"bots"})

    @property
    def equipment(self) -> Equipment | None:
        return self._equipment

    @property
    def is_calm(self) -> bool:
        """Whether it waits for people alone: no part looks at anything, and no bot is at it."""
        keeper = self.keepers.get("bots")
        if self._is_broken or self.virtual is not None or keeper is None or len(self.keepers) > 1:
            return False
        return keeper.is_steady and isinstance(keeper.part, Bots) and not keeper.part.is_busy

    def equip(self, equipment: Equipment) -> None:
        """Fits the table out, now and whenever a game with other islands or seats begins. A real one is so before any
        game: its people want to know whether everything works."""
        with self._lock:
            self._equipment, self._fitted = equipment, ()
            self._fit()
        self._kept.keep(self.table.row.id, equipment if isinstance(equipment, Virtual) else None)
        self._wake()

    @property
    def is_virtual(self) -> bool:
        """Whether it has a virtual board, or had one when the house was last open."""
        return self.virtual is not None or self._kept.of(self.table.row.id) is not None

    def lay_again(self) -> None:
        """Its virtual board of an evening before, now that somebody is at it: an old demonstration costs nothing."""
        virtual = self._kept.of(self.table.row.id) if self._equipment is None else None
        if virtual is not None:
            self.equip(virtual)

    def refit(self) -> None:
        """Fits it out anew with what it has: a virtual board is laid out as the game stands."""
        with self._lock:
            self._fitted = ()
            self._fit()
        self._wake()

    def _fit(self) -> None:
        session = self.table.session
        if self._equipment is None:
            return
        wanted = (boards_of(session.header), tuple(session.seats))
        if self._fitted[:2] != wanted:
            self._equipment.fit(self, self._clock)
        elif self._fitted != (*wanted, session.games) and self.virtual is not None:
            self.virtual.clear()  # a new game on the same islands
        self._fitted = (*wanted, session.games)

    def add(self, part: Part) -> None:
        """Adds a part, in the place of one of the same name."""
        with self._lock:
            old = self.keepers.pop(part.name, None)
            if old is not None:
                old.close()
            self.keepers[part.name] = Keeper(part, self.table.observe, self._clock)
        self._wake()

    def remove(self, name: str) -> None:
        with self._lock:
            keeper = self.keepers.pop(name, None)
            if keeper is not None:
                keeper.close()

    def tick(self) -> None:
        """Never raises: a fault of one table is logged once and the others go on."""
        with self._lock:
            self.is_touched = False
            try:
                if self.table.session.number > self._opened_at:
                    self.lay_again()
                self._fit()
                for keeper in list(self.keepers.values()):
                    keeper.tick()
                self.table.tick()
                self._help_bots()
                if self._disputes is not None:
                    self._disputes.look(self.table, self.camera.frames if self.camera else None)
                self._is_broken = False
            except Exception as error:  # noqa: BLE001 - whatever it is, twenty other tables are playing
                self._blame(error)

    def _blame(self, error: Exception) -> None:
        if not self._is_broken:
            log.error("Table %s: a tick has failed.", self.table.row.id, exc_info=error)
        self._is_broken = True

    def pass_time(self, is_whole: bool) -> None:
        """A tick for no other reason than time. Of a calm table only its own is due, and now and then the whole. Never
        raises."""
        if not self.is_calm:
            self.tick()
        elif not self._is_free():
            return  # somebody is at it, perhaps writing to a slow disk: the others need not wait for that
        elif is_whole:
            self.tick()
        else:
            try:
                self.table.tick()
            except Exception as error:  # noqa: BLE001 - as in `tick`
                self._blame(error)

    def _is_free(self) -> bool:
        is_free = self.table.lock.acquire(blocking=False)
        if is_free:
            self.table.lock.release()
        return is_free

    def wakers(self) -> list[Connection]:
        if self.keepers.keys() == {"bots"}:
            return []  # they wait for nothing but time
        with self._lock:
            return [waker for keeper in self.keepers.values() for waker in keeper.wakers()]

    def close(self) -> None:
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            unlisten(self.table, self._changed)
            while self.keepers:
                self.keepers.popitem()[1].close()

    def _changed(self, version: int) -> None:
        self.is_touched = True
        self._wake()

    def _help_bots(self) -> None:
        """On a virtual board somebody has to move the bots' pieces."""
        if self.virtual is not None and self.helps_bots:
            with self.table.lock:
                session = self.table.session
            self._helper.help(session, self.virtual)


class Running:
    """The evening. `close` may be called twice, and leaves no thread, process or file behind."""

    def __init__(
        self,
        house: House,
        clock: Clock,
        store: Store | None = None,
        disputes: Path | None = None,
        pace: Pace | None = None,
        rng: random.Random | None = None,
        boards: Path | None = None,
    ) -> None:
        """`boards` is the file that says which tables have virtual ones; see `KeptBoards`."""
        self._house, self._clock = house, clock
        self._pace, self._rng = pace or Pace(), rng or random.Random()
        self._disputes = Disputes(disputes, store) if disputes is not None and store is not None else None
        self._tables: dict[str, RunningTable] = {}
        self._kept = KeptBoards(boards)
        self._lock = threading.RLock()
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="bot")
        self._waker, self._woken = Pipe()
        self._is_woken = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="evening", daemon=True)

    def start(self) -> Self:
        self._thread.start()
        return self

    def table(self, table_id: str) -> RunningTable | None:
        """A table as it runs, from the moment the house has it."""
        with self._lock:
            if table_id not in self._tables and not self._stopped.is_set():
                table = self._house.table(table_id)
                if table is not None:
                    self._open(table)
            return self._tables.get(table_id)

    def tick(self) -> None:
        """One round over all tables, without waiting. `start` does this by itself."""
        for running in self._awake():
            running.tick()

    def close(self) -> None:
        if self._stopped.is_set():
            return
        self._stopped.set()
        self._waker.send_bytes(b"!")
        if self._thread.is_alive():
            self._thread.join(_ENDING_S)
        with self._lock:
            while self._tables:
                self._tables.popitem()[1].close()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._waker.close()
        self._woken.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- The thread ---

    def _run(self) -> None:
        due, ticks = self._clock.now(), 0
        while not self._stopped.is_set():
            awake = self._awake()
            ready = self._rest(awake, max(0.0, due - self._clock.now()))
            is_due = self._clock.now() >= due
            if is_due:
                due, ticks = self._clock.now() + (TICK_S if awake else IDLE_S), ticks + 1
            for turn, running in enumerate(awake, ticks):
                if self._stopped.is_set():
                    return
                if running.is_touched or (ready and not ready.isdisjoint(running.wakers())):
                    running.tick()
                elif is_due:
                    running.pass_time(is_whole=turn % CALM_TICKS == 0)

    def _rest(self, awake: list[RunningTable], seconds: float) -> set[object]:
        """Until the next tick is due or something has to be taken in, which is what it gives."""
        wakers = [waker for running in awake for waker in running.wakers()]
        try:
            ready = set[object](wait([self._woken, *wakers], seconds))
        except (OSError, ValueError):  # another thread has just taken a part away, and its pipe with it
            return set()
        if self._woken in ready:
            self._is_woken.clear()
            self._woken.recv_bytes()
        return ready - {self._woken}

    def _awake(self) -> list[RunningTable]:
        with self._lock:
            for table in self._house.tables():
                if table.row.id not in self._tables:
                    self._open(table)
            return [running for running in self._tables.values() if running.is_awake]

    def _open(self, table: Table) -> None:
        running = RunningTable(table, self._clock, self._wake, self._disputes, self._kept)
        self._tables[table.row.id] = running
        running.add(Bots(table, self._pool, self._clock, self._pace, random.Random(self._rng.random())))

    def _wake(self) -> None:
        """May be called inside a table's lock: a byte in a pipe, and only one."""
        if not self._is_woken.is_set() and not self._stopped.is_set():
            self._is_woken.set()
            self._waker.send_bytes(b"!")
