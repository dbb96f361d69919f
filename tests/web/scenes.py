"""Tables of Kahuna, Maki-San and Māori at telling moments, and photographs of their boards, for pictures of pages."""

from __future__ import annotations

import json
import random
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.games.catalogue import game_named
from companion.games.protocol import CHANCE, Action, content_of
from companion.house.photo import PhotoDesk, PhotoJob
from companion.house.photo_score import Board, Seen
from companion.table.entries import Command
from companion.table.table import Table
from tests.web.evening import WebEvening, do, seat_everybody, until

MOST_ACTIONS = 3000  # a line of makis could be turned for ever
GAMES = ("kahuna", "makisan", "maori")
_DULL = ("discard", "skip", "pass", "clear", "row", "stay")


class Scene(NamedTuple):
    """A table, and the seat with its token that looks at it."""

    table: Table
    seat: str
    token: str


class Moment(NamedTuple):
    """When to stop: the game and rules, for how many people, and whether it is there with that seat to act."""

    game: str
    rules: str
    people: int
    seat: str
    is_there: Callable[[Any], bool]
    is_calm: bool = True  # whether no round is to be won on the way
    seed: int = 5


def _line(length: int, phase: str) -> Callable[[Any], bool]:
    return lambda state: len(state.line) == length and state.phase == phase


def _late(number: int, phase: str) -> Callable[[Any], bool]:
    return lambda state: state.number > number and state.phase == phase


def _at_the_end(_: Any) -> bool:
    return False


# By name of the page that shows it.
MOMENTS = {
    "kahuna-turn": Moment("kahuna", "standard", 2, "white", lambda state: len(state.stones) > 4 and state.round == 2),
    "kahuna-wait": Moment("kahuna", "standard", 2, "black", lambda state: len(state.stones) > 2),
    "kahuna-over": Moment("kahuna", "standard", 2, "white", _at_the_end),
    "makisan-turn": Moment("makisan", "wasabi", 2, "south", _line(6, "turn"), seed=21),
    "makisan-lay": Moment("makisan", "wasabi", 2, "north", _line(5, "draw")),
    "makisan-full": Moment("makisan", "wasabi", 2, "north", _line(10, "turn")),
    "makisan-over": Moment("makisan", "standard", 2, "south", _at_the_end, is_calm=False),
    "maori-sail": Moment("maori", "advanced", 2, "blue", _late(80, "sail")),
    "maori-explore": Moment("maori", "advanced", 4, "red", _late(90, "explore")),
    "maori-over": Moment("maori", "base-atoll", 3, "blue", _at_the_end),
}


def scene(evening: WebEvening, moment: Moment) -> Scene:
    """Plays until the moment has come, or the game is over."""
    table = evening.house.open_table("Lagune")
    table._rng = random.Random(moment.seed)
    do(table, "new_game", json.dumps(game_named(moment.game).default_header(moment.rules, moment.people)))
    tokens = seat_everybody(evening, table)
    rng = random.Random(moment.seed)
    while _goes_on(table) and not _is_come(table, moment):
        assert table.session.number < MOST_ACTIONS, f"this moment never comes with seed {moment.seed}: {moment}"
        action = _chosen(table, rng, moment)
        do(table, "act", action.verb, *action.args, seat=action.seat)
    if not table.session.actors:
        until(lambda: table.question is not None or table.session.is_settled)
        if table.question is not None:
            do(table, "answer", table.question.id, "yes")
    return Scene(table, moment.seat, tokens[moment.seat])


def _goes_on(table: Table) -> bool:
    until(lambda: CHANCE not in table.session.actors)
    return bool(table.session.actors)


def _is_come(table: Table, moment: Moment) -> bool:
    return table.session.actors == (moment.seat,) and moment.is_there(table.session.state)


def _chosen(table: Table, rng: random.Random, moment: Moment) -> Action:
    """Something that goes on with the game; a line of makis grows, and is not won before the moment has come."""
    session = table.session
    assert session.game is not None
    actions = list(session.game.legal_actions(session.state, session.actors[0]))
    lively = [action for action in actions if action.verb not in _DULL] or actions
    if moment.game == "makisan" and moment.is_calm:
        calm = [action for action in lively if not _ends_round(table, action)] or lively
        growing = [action for action in calm if action.verb in ("draw", "lay", "face")]
        return rng.choice(growing if growing and rng.random() < 0.7 else calm)
    return rng.choice(lively)


def _ends_round(table: Table, action: Action) -> bool:
    game = table.session.game
    assert game is not None
    after: Any = game.apply(table.session.state, action)
    return bool(after.round != table.session.state.round)


def photo(desk: PhotoDesk, boards: Sequence[tuple[str, Mapping[str, str]]], told: Mapping[str, str]) -> str:
    """The name of a job whose photographs showed these pieces, by place; `told` is what people said besides."""
    job, name = PhotoJob(), secrets.token_urlsafe(18)
    for board, contents in boards:
        job.add(Board(board, {place: _seen(content) for place, content in contents.items()}))
    for key, value in told.items():
        job.do(Command(f"test.{key}", "tell", (key, value)))
    desk._jobs[name] = job
    return name


def _seen(content: str) -> Seen:
    kind, _, colour = content.partition(":")
    return Seen(kind, colour or None, None, 0.99, False, {colour: 0.99})


def photo_of(desk: PhotoDesk, scene: Scene) -> str:
    """The photographs somebody would take of that table, all boards one after the other."""
    session = scene.table.session
    assert session.game is not None
    pieces = {place: content_of(here) for place, here in session.game.expected(session.state).items()}
    return photo(desk, list(_photographed(session.game.name, session.header or {}, pieces)), {})


def _photographed(
    game: str, header: Mapping[str, Any], pieces: Mapping[str, str]
) -> Iterator[tuple[str, dict[str, str]]]:
    """By board: what lies on it, one piece a place, as readers have it."""
    lying = {place: content.split("+")[0] for place, content in pieces.items()}
    if game != "maori":
        yield game, lying
        return
    for player in header["players"]:
        own = {place: content for place, content in lying.items() if place.startswith(f"{player}:")}
        yield f"maori-{header['boards'][0]}-{player}", own
