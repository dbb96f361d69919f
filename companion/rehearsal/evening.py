"""One simulated game: people act it out, sensors watch, the real table makes sense of it, and everything is counted."""

from __future__ import annotations

import heapq
import json
import random
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, NamedTuple

from companion.games.catalogue import game_of
from companion.games.protocol import Json, Refusal
from companion.rehearsal.people import People
from companion.rehearsal.sensors import Camera, Readers
from companion.rehearsal.spy import Spy
from companion.rehearsal.tally import GameTally
from companion.rehearsal.world import HandClock, World
from companion.table.compare import expected_contents
from companion.table.entries import Answer, Command, Store, TableRow
from companion.table.store import open_store
from companion.table.table import Table

FRAME_S = 0.2
MOST_SECONDS = 4 * 3600.0  # of one game; longer means that it has stuck
LOST_S = 60.0


class Gear(NamedTuple):
    """What the table has, and what may go wrong tonight."""

    camera: bool = True
    readers: bool = True
    human_errors: bool = True
    sensor_faults: bool = True
    lost: tuple[str, ...] = ()  # what fails for good in mid-game: `camera`, `readers`


class Evening:
    """Everything around one game. Time moves by frames; people's deeds are tasks in a queue."""

    def __init__(
        self,
        header: Mapping[str, Json],
        rng: random.Random,
        gear: Gear,
        store: Store | None = None,
        spied_on: bool = False,
    ) -> None:
        self.rng, self.gear, self.clock = rng, gear, HandClock()
        self.game: Any = game_of(dict(header))
        start = self.game.start(header)
        places = self.game.places(start)
        self.world = World(places, beside(places))
        self.one_of_a_kind = {piece for piece, count in self.game.components(start).items() if count == 1}
        self.colours = colours = sorted({self.game.colour_of(start, seat) for seat in self.game.seats(start)})
        self.camera = Camera(self.world, colours, random.Random(rng.random()), gear.sensor_faults)
        self.readers = Readers(random.Random(rng.random()), gear.sensor_faults)
        row = TableRow("rehearsal", "rehearsal", "BCDF", 0.0)
        salts = random.Random(rng.random())
        self.table = Table(
            store or _memory(row), row, self.clock, self.clock.now, lambda: f"{salts.getrandbits(128):032x}"
        )
        self.spy = Spy(self.table) if spied_on else None
        self._tasks: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._keys = count()
        self.faults = 0
        self.people = People(self)
        self._set_up(header)

    def _set_up(self, header: Mapping[str, Json]) -> None:
        self.do("new_game", json.dumps(header))
        for seat in self.table.session.seats:
            self.do("sit", seat.title(), "0" * 64, seat=seat)
        self.do("start")
        if self.gear.readers:
            for seat in self.table.session.seats:
                self.readers.tiki_home(self.game.colour_of(self.table.session.state, seat), True, self.clock.at)
        if self.gear.sensor_faults:
            self._plan_faults()
        failures = {"camera": self._lose_camera_for_good, "readers": self._kill_all}
        for what in self.gear.lost:
            self.later(self.rng.uniform(60, 240), failures[what])

    def _plan_faults(self) -> None:
        """A camera lost for a minute, frames that do not come, a reader dead for the rest of the night."""
        if self.gear.camera and self.rng.random() < 0.15:
            self.later(self.rng.uniform(20, 400), self._lose_camera)
        if self.gear.readers and self.rng.random() < 0.15:
            seat = self.rng.choice(list(self.table.session.seats))
            self.later(self.rng.uniform(20, 400), lambda: self._kill_reader(seat))

    def _lose_camera(self) -> None:
        self.faults += 1
        self.camera.lost_until = self.clock.at + LOST_S

    def _lose_camera_for_good(self) -> None:
        self.faults += 1
        self.camera.lost_until = float("inf")

    def _kill_all(self) -> None:
        for seat in self.table.session.seats:
            for number in range(1, 6):
                self.readers.kill(f"tray-{seat}/place-{number}", f"tray:{seat}:{number}", self.clock.at)
            colour = self.game.colour_of(self.table.session.state, seat)
            self.readers.kill(f"home#{colour}", "desk", self.clock.at)
        self.faults += 1

    def _kill_reader(self, seat: str) -> None:
        self.faults += 1
        number = self.rng.randint(1, 5)
        self.readers.kill(f"tray-{seat}/place-{number}", f"tray:{seat}:{number}", self.clock.at)

    # --- For people ---

    def later(self, seconds: float, task: Callable[[], None]) -> None:
        heapq.heappush(self._tasks, (self.clock.at + seconds, next(self._order), task))

    def do(self, do: str, *args: str, seat: str | None = None) -> Answer:
        return self.table.do(Command(f"k{next(self._keys)}", do, args, seat))

    @property
    def camera_works(self) -> bool:
        return self.gear.camera and self.table.belief.sees_board(self.clock.at)

    def expected(self) -> dict[str, str]:
        return self.contents(self.table.session.state)

    def contents(self, state: Any) -> dict[str, str]:
        return expected_contents(self.game, state)

    def spy_looks(self) -> None:
        if self.spy is not None:
            self.spy.look()

    # --- Time ---

    def run(self) -> GameTally:
        began, frames = self.clock.at, 0
        while not self.table.session.is_settled and self.clock.at - began < MOST_SECONDS:
            self._step(frames)
            frames += 1
        return self._tally(self.clock.at - began)

    def _step(self, frame: int) -> None:
        self.clock.at += FRAME_S
        while self._tasks and self._tasks[0][0] <= self.clock.at:
            heapq.heappop(self._tasks)[2]()
        if self.gear.readers:
            for word in self.readers.words(self.clock.at):
                self.table.observe(word)
        is_dropped = self.gear.sensor_faults and self.rng.random() < 0.01
        if self.gear.camera and not is_dropped:
            self.table.observe(self.camera.look(self.clock.at))
        self.table.tick()
        self.people.look()

    # --- Counting ---

    def _tally(self, seconds: float) -> GameTally:
        people = self.people
        session = self.table.session
        errors = [error for error in people.errors if error.is_noticed or not error.is_over]
        return GameTally(
            is_finished=session.is_settled,
            actions=len(session.steps),
            seconds=seconds,
            inferred=sum(step.by in ("camera", "tray") for step in session.steps),
            silent_wrong_commits=people.wrong_commits,
            wrong_final_score=not session.is_settled or self._is_score_wrong(),
            wrong_final_board=bool(self.world.differences(self.expected())),
            errors=len(errors),
            noticed=sum(error.is_noticed for error in errors),
            mended=len(people.errors) - len(errors),
            questions=len(people.asked),
            questions_without_cause=people.without_cause,
            most_questions_per_error=max((len(error.questions) for error in errors), default=0),
            faults=self.faults + self.camera.faults_so_far + self.readers.faults_so_far,
            checks=people.checks,
            secrets_leaked=self.spy.found if self.spy else 0,
        )

    def _is_score_wrong(self) -> bool:
        """Whether the table's final score is another than that of what people really did."""
        truth = self.game.start(self.table.session.header)
        for step in self.table.session.steps:
            truth = self.game.apply(truth, self.people.truth.get(step.entry, step.action))
            if isinstance(truth, Refusal):
                return True
        told = self.game.outcome(self.table.session.state)
        return bool(told is None or told.score != self.game.score(truth))


def _memory(row: TableRow) -> Store:
    """A store of which nothing survives: all that a rehearsal needs."""
    store = open_store("memory:")
    store.create_table(row)
    return store


def beside(places: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Places that lie close by: those before and after in the list, which goes along the beaches."""
    near = range(-2, 3)
    return {
        place: tuple(places[i + d] for d in near if d and 0 <= i + d < len(places)) for i, place in enumerate(places)
    }
