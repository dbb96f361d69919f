"""The child of the table's crash test: a house whose table is played at by simulated people until it is killed.

Each life replays the store, plays on with a clock and people of its own, and says the key of each command right after
`do` has returned accepted. Finished games are followed by new ones, so that there is always something to lose.
"""

import json
import os
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from companion.games.catalogue import game_named
from companion.rehearsal.world import HandClock
from companion.table.compare import expected_contents
from companion.table.entries import Command
from companion.table.house import House
from companion.table.observations import BoardSeen, When
from companion.table.store import open_store
from companion.table.table import Table

GAME = game_named("makabana")
RULES = ("2013", "2013-mao", "2003-mao")


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


class Player:
    """Everybody at the table. Half of the placements are made by hand, for the camera to see."""

    def __init__(self, table: Table, clock: HandClock, life: str) -> None:
        self._table, self._clock, self._life = table, clock, life
        self._rng = random.Random(life)
        self._number = 0
        self._board: dict[str, str] = {}

    def do(self, do: str, *args: str, seat: str | None = None) -> bool:
        self._number += 1
        key = f"{self._life}:{self._number}"
        is_accepted = self._table.do(Command(key, do, args, seat)).accepted
        if is_accepted:
            kept_as = f"{seat}/{key}" if seat else key
            say(f"{self._table.row.id} {kept_as} {do} {seat} {' '.join(args) if do == 'act' else ''}")
        return is_accepted

    def step(self) -> None:
        session = self._table.session
        if session.game is None or session.is_settled:
            self._new_game()
        elif not session.is_started:  # a kill came between
            self._start()
        elif not session.actors:
            self._watch(6)
        else:
            self._act(self._rng.choice(session.actors))

    def _new_game(self) -> None:
        header = GAME.default_header(self._rng.choice(RULES), 3)
        self.do("new_game", json.dumps(header), "anyway")
        self._start()

    def _start(self) -> None:
        for seat in self._table.session.seats:
            self.do("sit", seat.title(), "0" * 64, seat=seat)
        self.do("start")

    def _act(self, seat: str) -> None:
        state = self._table.session.state
        action = self._rng.choice(GAME.legal_actions(state, seat))
        if action in GAME.hand_actions(state) and self._rng.random() < 0.5:
            self._board = dict(expected_contents(GAME, GAME.apply(state, action)))
            self._watch(6)
            return
        self.do("act", action.verb, *action.args, seat=seat)
        self._board = dict(expected_contents(GAME, self._table.session.state))
        self._watch(6 if self._table.session.claims else 1)

    def _watch(self, frames: int) -> None:
        table = self._table
        if not table.session.actors:
            self._board = dict(expected_contents(GAME, table.session.state))
        odds = {p: {self._board.get(p, "empty"): 0.999, "hut:x": 0.001} for p in GAME.places(table.session.state)}
        for _ in range(frames):
            self._clock.at += 0.2
            table.observe(BoardSeen("camera", odds, (), When(self._clock.at)))
            table.tick()
        if table.question is not None:
            question = table.question
            self.do("answer", question.id, question.answers[0], seat=question.seat)


def main() -> None:
    clock = HandClock()
    store = open_store(sys.argv[1])
    house = House(store, clock)
    table = (house.tables() or [house.open_table("crash")])[0]
    player = Player(table, clock, f"{os.getpid()}-{table.session.number}")
    say("up")
    while True:
        player.step()


if __name__ == "__main__":
    main()
