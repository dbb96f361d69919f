"""A house to test with, and people who play by their hands on a virtual board."""

import json
import random
import time
from collections import defaultdict
from collections.abc import Callable

from companion.devices.clock import ManualClock, SystemClock
from companion.games.catalogue import game_named
from companion.games.protocol import Action, movements
from companion.house.running import Running
from companion.house.virtual import VirtualBoard, virtual_board
from companion.table.entries import Command, Store
from companion.table.house import House
from companion.table.store import open_store
from companion.table.table import Table

PATIENCE_S = 240  # a busy machine is slow; nothing waits this long when all is well


class Evening:
    """A house with its store, one clock, and the evening that runs it (not started: tests tick)."""

    def __init__(self, clock: ManualClock | SystemClock, **options: object) -> None:
        self.clock = clock
        self.store: Store = open_store("memory:")
        self.house = House(self.store, clock, wall=clock.now)
        options.setdefault("rng", random.Random(1))
        self.running = Running(self.house, clock, self.store, **options)  # type: ignore[arg-type]

    def open_table(
        self, rules: str = "2013", people: int = 3, bots: dict[str, str] | None = None, game: str = "makabana"
    ) -> Table:
        """A table at which a game has begun; seats that are not bots are taken by people."""
        table = self.house.open_table("test")
        header = game_named(game).default_header(rules, people)
        do(table, "new_game", json_of(header))
        for seat in table.session.seats:
            if bots is not None and (seat in bots or isinstance(bots, defaultdict)):
                do(table, "seat_bot", bots[seat], seat=seat)
            else:
                self.house.sit(table, seat, seat.title(), f"sit-{seat}")
        do(table, "start")
        return table

    def close(self) -> None:
        self.running.close()
        self.store.close()

    def __enter__(self) -> "Evening":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def json_of(header: dict[str, object]) -> str:
    return json.dumps(header)


_keys = iter(range(10**9))


def do(table: Table, verb: str, *args: str, seat: str | None = None) -> None:
    answer = table.do(Command(f"test-{next(_keys)}", verb, args, seat))
    assert answer.accepted, (verb, args, answer.refusal)


def act(table: Table, action: Action) -> None:
    do(table, "act", action.verb, *action.args, seat=action.seat)


def until(holds: Callable[[], object], what: Callable[[], object] = lambda: "", patience_s: float = PATIENCE_S) -> None:
    deadline = time.monotonic() + patience_s
    while not holds():
        assert time.monotonic() < deadline, what()
        time.sleep(0.005)


def virtual_for(table: Table) -> VirtualBoard:
    found = virtual_board(table.session.header)
    assert found is not None
    return found


class People:
    """Random legal play by people with hands: pieces are put on the board, all else is tapped on phones.

    `intended` has every action in the order in which it was meant; a right table's record is the same.
    """

    def __init__(self, table: Table, virtual: VirtualBoard, rng: random.Random) -> None:
        self.table, self.virtual, self._rng = table, virtual, rng
        self.intended: list[Action] = []

    def act(
        self, lay_plan: Callable[[Action], None] | None = None, reach_for: Callable[[Action], None] | None = None
    ) -> Action:
        """The next action of somebody whose turn it is. What goes by hand is put down, and the table must see it."""
        session = self.table.session
        game, state = session.game, session.state
        seat = self._rng.choice(session.actors)
        action = self._rng.choice(list(game.legal_actions(state, seat)))
        self.intended.append(action)
        if action in game.hand_actions(state):
            if reach_for is not None:
                reach_for(action)
            after = game.apply(state, action)
            for move in movements(game.expected(state), game.expected(after)):
                self.virtual.follow([move._asdict()])
        elif action.verb == "plan" and lay_plan is not None:
            lay_plan(action)
        else:
            act(self.table, action)
        return action

    def follow(self) -> bool:
        """Puts the board as the game has it; says whether there was anything to do."""
        before = self.virtual.version
        self.virtual.lay_out(self.table.session.game.expected(self.table.session.state))
        return self.virtual.version != before

    @property
    def is_understood(self) -> bool:
        """Whether the table knows of everything that was meant."""
        return len(self.table.session.steps) >= len(self.intended)


def differs(table: Table) -> list[str]:
    """Places at which the table is not at ease."""
    standing = table.decision.standing if table.decision else {}
    return [place for place, found in standing.items() if found.state != "confirmed"]
