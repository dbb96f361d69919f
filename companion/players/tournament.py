"""Who plays better: two-sided comparisons between bots, and ratings from them.

A comparison is two games with the same luck of the draw for seats and generator: in the first one side has these seats,
in the second the other side has them. Whoever has won more of the two wins the comparison; where that is equal, whoever
has more points a seat; where that is equal too, nobody.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import exp, log, sqrt
from typing import Any, NamedTuple

from companion.games.protocol import Game, Json
from companion.players.bot import Budget
from companion.players.characters import bot_named
from companion.players.match import Seat, play_match

_ELO_A_NAT = 400 / log(10)
_Z95 = 1.96
_STEPS = 60


class Pairing(NamedTuple):
    """Two bots who are to meet, for the so-manieth time."""

    one: str
    other: str
    number: int


class Comparison(NamedTuple):
    """How a pairing went, for `one`: its share of the wins and its points a seat beyond the other's, over two games."""

    one: str
    other: str
    wins: float  # of two
    margin: float

    @property
    def result(self) -> float:
        """1 if `one` won the comparison, 0 if it lost, else a half."""
        ahead = (self.wins - 1.0, self.margin)
        return 0.5 if ahead == (0.0, 0.0) else float(ahead > (0.0, 0.0))


class Rating(NamedTuple):
    """A bot's Elo around the average of 0, with its 95 % interval, and its comparisons."""

    bot: str
    elo: float
    plus_minus: float
    won: float
    played: int


class Meeting(NamedTuple):
    """All comparisons of one pair: how many `one` won, its share of games won and its points a seat beyond."""

    one: str
    other: str
    won: float
    played: int
    wins: float
    margin: float
    low: float  # 95 % interval of the share won
    high: float


def pairings(bots: Sequence[str], count: int) -> list[Pairing]:
    """Everybody against everybody, so many times, in turns."""
    return [Pairing(one, other, number) for number in range(count) for one, other in combinations(bots, 2)]


def compare(game: Game[Any], header: Mapping[str, Json], pairing: Pairing, seed: int, budget: Budget) -> Comparison:
    """Plays the two games of a comparison."""
    units = _units(game, header)
    halves = list(combinations(range(len(units)), len(units) // 2))
    half = halves[pairing.number % len(halves)]
    mine = {seat for index in half for seat in units[index]}
    theirs = {seat for unit in units for seat in unit} - mine
    luck = f"{seed}/{pairing.number}"
    first = _game(game, header, {pairing.one: mine, pairing.other: theirs}, luck, budget)
    second = _game(game, header, {pairing.one: theirs, pairing.other: mine}, luck, budget)
    return Comparison(pairing.one, pairing.other, first[0] + second[0], (first[1] + second[1]) / 2)


def _units(game: Game[Any], header: Mapping[str, Json]) -> list[tuple[str, ...]]:
    """The seats that win together: of one colour, or of one camp."""
    state = game.start(header)
    camps = header.get("camps") or []
    units: dict[str, list[str]] = {}
    for seat in game.seats(state):
        colour = game.colour_of(state, seat)
        camp = next((camp for camp in camps if colour in camp), [colour])
        units.setdefault(camp[0], []).append(seat)
    return [tuple(seats) for seats in units.values()]


def _game(
    game: Game[Any], header: Mapping[str, Json], sides: Mapping[str, set[str]], luck: str, budget: Budget
) -> tuple[float, float]:
    """The first side's share of the win, and its points a colour beyond the other's."""
    one, other = sides
    owner = {seat: name for name, seats in sides.items() for seat in seats}
    camps = [tuple(camp) for camp in header.get("camps") or []]
    partners = {seat: tuple(set(camp) - {seat}) for camp in camps for seat in camp}  # one person has both colours
    seats = {seat: Seat(bot_named(name), partners.get(seat, ())) for seat, name in owner.items()}
    state = play_match(game, header, seats, random.Random(luck), budget).state
    score = game.score(state)
    of_one, of_other = ({game.colour_of(state, seat) for seat in sides[name]} for name in (one, other))
    share = sum(winner in of_one for winner in score.winners) / len(score.winners)
    means = [sum(score.points[c]["total"] for c in colours) / len(colours) for colours in (of_one, of_other)]
    return share, means[0] - means[1]


def meetings(comparisons: Sequence[Comparison]) -> list[Meeting]:
    """What each pair's comparisons come to."""
    found: dict[tuple[str, str], list[Comparison]] = {}
    for comparison in comparisons:
        found.setdefault((comparison.one, comparison.other), []).append(comparison)
    return [_meeting(one, other, rows) for (one, other), rows in found.items()]


def _meeting(one: str, other: str, rows: Sequence[Comparison]) -> Meeting:
    won, played = sum(row.result for row in rows), len(rows)
    low, high = share_interval(won, played)
    wins, margin = sum(row.wins for row in rows) / 2 / played, sum(row.margin for row in rows) / played
    return Meeting(one, other, won, played, wins, margin, low, high)


def share_interval(won: float, played: int) -> tuple[float, float]:
    """Wilson's 95 % interval for a share: sensible at 0 and at 1 too."""
    z2, share = _Z95 * _Z95, won / played
    middle = (share + z2 / (2 * played)) / (1 + z2 / played)
    half = _Z95 / (1 + z2 / played) * sqrt(share * (1 - share) / played + z2 / (4 * played * played))
    return max(0.0, middle - half), min(1.0, middle + half)


def ratings(bots: Sequence[str], comparisons: Sequence[Comparison]) -> list[Rating]:
    """Elo by Bradley and Terry, best first. Everybody is given one draw against the average, so that a bot that never
    lost still has a number; the intervals come from the curvature of the likelihood."""
    strength = [0.0] * len(bots)
    index = {bot: position for position, bot in enumerate(bots)}
    inverse: list[list[float]] = []
    for _ in range(_STEPS):
        slope, curve = _likelihood(strength, index, comparisons)
        inverse = _inverse(curve)
        strength = [
            s + sum(a * b for a, b in zip(row, slope, strict=True)) for s, row in zip(strength, inverse, strict=True)
        ]
    mean = sum(strength) / len(strength)
    found = []
    for bot, at in index.items():
        own = [c.result if c.one == bot else 1 - c.result for c in comparisons if bot in (c.one, c.other)]
        deviation = sqrt(_variance_from_mean(inverse, at))
        elo, plus_minus = (strength[at] - mean) * _ELO_A_NAT, _Z95 * deviation * _ELO_A_NAT
        found.append(Rating(bot, elo, plus_minus, sum(own), len(own)))
    return sorted(found, key=lambda rating: -rating.elo)


def _variance_from_mean(inverse: Sequence[Sequence[float]], at: int) -> float:
    """How uncertain a strength is beside the average of all, which is the only thing comparisons tell."""
    weights = [float(index == at) - 1 / len(inverse) for index in range(len(inverse))]
    return sum(
        a * b * covariance
        for a, row in zip(weights, inverse, strict=True)
        for b, covariance in zip(weights, row, strict=True)
    )


def _likelihood(
    strength: Sequence[float], index: Mapping[str, int], comparisons: Sequence[Comparison]
) -> tuple[list[float], list[list[float]]]:
    """Slope and curvature (with its sign turned) of the log likelihood at these strengths."""
    size = len(strength)
    slope, curve = [0.0] * size, [[0.0] * size for _ in range(size)]
    for at in range(size):  # the draw against the average
        chance = 1 / (1 + exp(-strength[at]))
        slope[at] += 0.5 - chance
        curve[at][at] += chance * (1 - chance)
    for comparison in comparisons:
        one, other = index[comparison.one], index[comparison.other]
        chance = 1 / (1 + exp(strength[other] - strength[one]))
        slope[one] += comparison.result - chance
        slope[other] -= comparison.result - chance
        weight = chance * (1 - chance)
        for a, b, sign in ((one, one, 1), (other, other, 1), (one, other, -1), (other, one, -1)):
            curve[a][b] += sign * weight
    return slope, curve


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """The inverse of a small positive definite matrix."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for pivot in range(size):
        head = rows[pivot][pivot]
        rows[pivot] = [value / head for value in rows[pivot]]
        for other in range(size):
            if other != pivot:
                factor = rows[other][pivot]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[pivot], strict=True)]
    return [row[size:] for row in rows]
