"""The score while some places are in doubt: from how much to how much, and which one question narrows it most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

from companion.games.protocol import Expected, FormatError, Game, Json, Pieces, Score

MOST_BOARDS = 2_000  # what may be scored while somebody waits
LEAST_CHANCE = 0.01  # what is less likely is not counted among the ways a place may be


class Way(NamedTuple):
    """One way a doubtful place may be, and how likely that is."""

    pieces: Pieces
    chance: float


class ScoreRange(NamedTuple):
    """`best` is the score of the likeliest board; `low` and `high` are totals over every board still possible.

    `ask` is the place whose answer narrows the range most; `winners` gives the chance of each winner. With more doubts
    than can be worked through, `left_out` names the places taken at their likeliest.
    """

    best: Score
    low: Mapping[str, int]
    high: Mapping[str, int]
    winners: Mapping[str, float]
    ask: str | None
    left_out: tuple[str, ...]

    @property
    def is_settled(self) -> bool:
        return self.low == self.high


class _Board(NamedTuple):
    ways: tuple[Way, ...]  # one for each doubtful place
    chance: float
    score: Score


def certain_range(score: Score) -> ScoreRange:
    """The range of a score that nothing is doubtful about."""
    totals = {player: points["total"] for player, points in score.points.items()}
    return ScoreRange(score, totals, totals, {player: float(player in score.winners) for player in totals}, None, ())


def score_range(
    game: Game[Any], header: Mapping[str, Json], certain: Expected, doubtful: Mapping[str, Sequence[Way]]
) -> ScoreRange:
    """The range over every way the doubtful places may be. Raises `FormatError` if no such board is possible at all."""
    asked, left_out = _workable({place: _likely(ways) for place, ways in doubtful.items()})
    settled = {**certain, **{place: ways[0].pieces for place, ways in left_out.items()}}
    boards = _boards(game, header, settled, asked)
    totals = {player: [board.score.points[player]["total"] for board in boards] for player in boards[0].score.points}
    weight = sum(board.chance for board in boards)
    return ScoreRange(
        best=max(boards, key=lambda board: board.chance).score,
        low={player: min(values) for player, values in totals.items()},
        high={player: max(values) for player, values in totals.items()},
        winners={p: sum(b.chance for b in boards if p in b.score.winners) / weight for p in totals},
        ask=_best_question(list(asked), boards),
        left_out=tuple(left_out),
    )


def _likely(ways: Sequence[Way]) -> list[Way]:
    ranked = sorted(ways, key=lambda way: -way.chance)
    return [way for way in ranked if way.chance >= LEAST_CHANCE] or ranked[:1]


def _workable(doubtful: dict[str, list[Way]]) -> tuple[dict[str, list[Way]], dict[str, list[Way]]]:
    """The most doubtful places, as many as can be worked through together, and the rest."""
    most_doubtful_first = sorted(doubtful, key=lambda place: doubtful[place][0].chance)
    asked: dict[str, list[Way]] = {}
    for place in most_doubtful_first:
        if prod(map(len, asked.values())) * len(doubtful[place]) > MOST_BOARDS:
            break
        asked[place] = doubtful[place]
    return asked, {place: ways for place, ways in doubtful.items() if place not in asked}


def _boards(
    game: Game[Any], header: Mapping[str, Json], certain: Expected, asked: Mapping[str, list[Way]]
) -> list[_Board]:
    """Every possible board with its score; what the rules can't have, such as eleven huts of a colour, drops out."""
    boards = []
    problem: FormatError | None = None
    for ways in product(*asked.values()):
        pieces = {**certain, **{place: way.pieces for place, way in zip(asked, ways, strict=True)}}
        try:
            score = game.score_position(game.position_with(header, pieces))
        except FormatError as error:
            problem = problem or error
            continue
        boards.append(_Board(ways, prod(way.chance for way in ways), score))
    if not boards:
        assert problem is not None  # the product is never empty
        raise problem
    return boards


def _best_question(places: list[str], boards: list[_Board]) -> str | None:
    """The place after whose answer the totals are expected to vary least; None when nothing varies."""
    if not _spread(boards):
        return None
    return min(places, key=lambda place: _expected_spread(places.index(place), boards))


def _expected_spread(index: int, boards: list[_Board]) -> float:
    by_way: dict[Way, list[_Board]] = {}
    for board in boards:
        by_way.setdefault(board.ways[index], []).append(board)
    weight = sum(way.chance for way in by_way)
    return sum(way.chance / weight * _spread(same) for way, same in by_way.items())


def _spread(boards: list[_Board]) -> int:
    """How far the totals vary, all players together."""
    totals = [[points["total"] for points in board.score.points.values()] for board in boards]
    return sum(max(values) - min(values) for values in zip(*totals, strict=True))
