"""Helping hands over a virtual board: they move what bots and chance would move if they had any.

People move their own pieces, as at a real table, and shared ones (tiles, makis) when they act. What leaves the board by
the way and is nobody's, such as a whole line after a round, is put away for them. Between two actions these hands rest:
whoever takes a bot's piece away may be about to act, and whoever knocks one over is asked, as at a real table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from companion.games.protocol import CHANCE, Expected, Game, Movement, Piece, movements
from companion.house.virtual import VirtualBoard
from companion.table.session import BOT, Session, Step


class Helper:
    """Follows one table. It keeps what it has helped with, and begins anew with every game and every board."""

    def __init__(self) -> None:
        self._game = -1
        self._virtual: VirtualBoard | None = None
        self._steps: tuple[Step, ...] = ()  # those that have been followed
        self._bots: frozenset[str] = frozenset()  # the seats without hands then
        self._expected: Expected = {}  # what the game had on the board after them

    def help(self, session: Session, virtual: VirtualBoard) -> None:
        game = session.game
        if game is None:
            return
        bots = frozenset(seat for seat, sitting in session.seats.items() if sitting.kind == BOT)
        if not session.is_started:  # nothing lies there yet, and whoever is quick may begin before the next look
            self._game, self._virtual, self._steps = session.games, virtual, ()
            self._expected = game.expected(session.start)
            return
        if virtual is not self._virtual:
            self._game, self._virtual = session.games, virtual
            self._steps, self._expected = session.steps, game.expected(session.state)
            virtual.lay_out(self._expected)  # it may join a game under way
        elif session.games != self._game:
            self._game, self._steps, self._expected = session.games, (), game.expected(session.start)
        elif (self._steps, self._bots) == (session.steps, bots):
            return
        self._follow(game, session, virtual, bots)

    def _follow(self, game: Game[Any], session: Session, virtual: VirtualBoard, bots: frozenset[str]) -> None:
        for moves in self._due(game, session, bots):
            virtual.follow(move._asdict() for move in moves)
        expected = game.expected(session.state)
        virtual.help_with({game.colour_of(session.state, seat) for seat in bots}, expected)
        self._steps, self._bots, self._expected = session.steps, bots, expected

    def _due(self, game: Game[Any], session: Session, bots: frozenset[str]) -> Iterator[Sequence[Movement]]:
        """What has to be moved since the last look, step by step."""
        known = len(self._steps)
        if session.steps[:known] != self._steps:  # something was taken back
            yield movements(self._expected, game.expected(session.state))
            return
        owners = {game.colour_of(session.state, seat) for seat in session.seats}
        boards = [self._expected, *(game.expected(step.state) for step in session.steps[known:])]
        for step, (before, after) in zip(session.steps[known:], pairwise(boards), strict=True):
            moves = movements(before, after)
            is_ours = step.action.seat in bots or step.action.seat == CHANCE
            yield moves if is_ours else _put_away(game, moves, owners)


def _put_away(game: Game[Any], moves: Sequence[Movement], owners: set[str]) -> Sequence[Movement]:
    """The pieces of nobody's colour that leave the board."""
    laid = {_component(game, move) for move in moves if move.put}
    return [move for move in moves if not move.put and move.colour not in owners and _component(game, move) not in laid]


def _component(game: Game[Any], move: Movement) -> Piece:
    return game.component_of((move.piece, move.colour))
