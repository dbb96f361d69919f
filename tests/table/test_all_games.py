"""A table plays any game: views are plain, scores are the game's own, and no piece is nobody's job."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

from companion.games.catalogue import GAME_NAMES, game_named
from companion.rehearsal.world import HandClock
from companion.table.entries import Command, TableRow
from companion.table.store import open_store
from companion.table.table import Table
from companion.table.views import PUBLIC, STAFF, view

MOST_ACTIONS = 120


def table_of(name: str, seed: int) -> Table:
    game, clock, store = game_named(name), HandClock(), open_store("memory:")
    row = TableRow("g", "Table", "BCDF", 1.0)
    store.create_table(row)
    table = Table(store, row, clock, clock.now, rng=random.Random(seed))
    rules, people = next(iter(game.rule_sets.items()))
    do(table, "new_game", json.dumps(game.default_header(rules, people[0])))
    for seat in table.session.seats:
        do(table, "sit", seat.title(), "0" * 64, seat=seat)
    do(table, "start")
    return table


def do(table: Table, verb: str, *args: str, seat: str | None = None) -> None:
    key = f"k{table.session.number}.{verb}.{seat}"
    answer = table.do(Command(key, verb, args, seat))
    assert answer.accepted, (verb, args, answer.refusal)


def actions(table: Table, seed: int) -> Iterator[int]:
    """One random action after the other; what follows a `yield` is the next."""
    rng, game = random.Random(seed), table.session.game
    for count in range(MOST_ACTIONS):
        if not table.session.actors:
            return
        yield count
        seat = rng.choice(table.session.actors)
        action = rng.choice(game.legal_actions(table.session.state, seat))
        do(table, "act", action.verb, *action.args, seat=seat)


@pytest.mark.parametrize("name", GAME_NAMES)
def test_the_score_on_screens_is_the_games_own_after_every_action(name):
    table = table_of(name, 5)
    game, checked = table.session.game, 0
    for count in actions(table, 6):
        shown = view(table, PUBLIC)["score"] if count % 4 == 0 else None
        if shown is not None and not shown.get("impossible"):
            assert shown["scores"] == game.score(table.session.state).to_json()["scores"]
            checked += 1
    assert checked > 5


@pytest.mark.parametrize("name", GAME_NAMES)
def test_every_view_is_plain_and_waits_for_seats_alone(name):
    table = table_of(name, 7)
    for count in actions(table, 8):
        if count % 9 == 0:
            for viewer in (PUBLIC, STAFF, *table.session.seats):
                seen = json.loads(json.dumps(view(table, viewer)))
                assert set(seen["waits_for"]) <= set(table.session.seats)
                assert all(move["seat"] in table.session.seats for move in seen["todo"])
