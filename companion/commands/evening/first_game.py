"""A table that is laid when the house opens: `makabana play --game kahuna`. Bots sit at all of its seats but one."""

from __future__ import annotations

import json
import secrets

from companion.commands.evening.place import Place
from companion.games.catalogue import errors_of, game_named
from companion.games.protocol import Event, FormatError, Json, Refusal
from companion.house.desk import TITLES
from companion.house.equipment import Virtual
from companion.players.characters import characters
from companion.table.entries import Command
from companion.table.table import Table

GUESTS = ("moana", "nino", "teva", "coco")  # who fills the seats, in this order
PEOPLE = 4  # at an island; other games have their own number


def lay_table(place: Place, game: str, rules: str | None, people: int | None, has_pictures: bool) -> Table:
    """The table of this game: one at which it goes on, or a new one that waits for a person. Its board is virtual.

    Raises `FormatError` where the rules have no such game.
    """
    header = _header(game, rules, people)
    table = _going_on(place, game) or _new_table(place, header)
    running = place.running.table(table.row.id)
    assert running is not None
    running.equip(Virtual(is_direct=not has_pictures))
    return table


def _header(name: str, rules: str | None, people: int | None) -> dict[str, Json]:
    game = game_named(name)
    rules = rules or next(iter(game.rule_sets))
    usual = min(game.rule_sets.get(rules, ()), key=lambda count: abs(count - PEOPLE), default=PEOPLE)
    with errors_of(game):
        return game.default_header(rules, usual if people is None else people)


def _going_on(place: Place, game: str) -> Table | None:
    """A table of ours from another evening whose game is not over."""
    for table in place.house.tables():
        session = table.session
        is_ours = table.row.name == TITLES[game] and session.game is not None and session.game.name == game
        if is_ours and (session.actors or not session.is_started):
            return table
    return None


def _new_table(place: Place, header: dict[str, Json]) -> Table:
    table = place.house.open_table(TITLES[header["game"]])
    _do(table, "new_game", json.dumps(header))
    names = {character.id: character.name for character in characters()}
    for number, seat in enumerate(list(table.session.seats)[1:]):
        _do(table, "seat_bot", names[GUESTS[number % len(GUESTS)]], seat=seat)
    return table


def _do(table: Table, verb: str, word: str, seat: str | None = None) -> None:
    answer = table.do(Command(f"play.{secrets.token_hex(8)}", verb, (word,), seat))
    if isinstance(answer.refusal, Refusal):
        raise FormatError(Event(*answer.refusal))
