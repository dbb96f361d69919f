"""The score and its reasons: stones counted at the end of each round, and what decides an equal total."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from companion.games.kahuna.bridges import Bridges, Stones
from companion.games.kahuna.rules import ROUND_POINTS, ROUNDS
from companion.games.kahuna.setup import Setup
from companion.games.protocol import Event, Score

CATEGORIES = tuple(f"round_{number}" for number in range(1, ROUNDS + 1))


class RoundResult(NamedTuple):
    """Who wins a round, if anybody, with how many points, and why."""

    winner: str | None
    points: int
    reason: Event


def round_result(setup: Setup, number: int, stones: Stones, points: int | None) -> RoundResult:
    """The scoring of a round; without `points` for its winner it pays the difference in stones."""
    counts = {colour: list(stones.values()).count(colour) for colour in setup.colours}
    most, least = max(counts.values()), min(counts.values())
    if most == least:
        return RoundResult(None, 0, Event("round_tied", {"round": number, "stones": counts}))
    winner = next(colour for colour, count in counts.items() if count == most)
    points = most - least if points is None else points
    data = {"round": number, "player": winner, "stones": counts, "points": points}
    return RoundResult(winner, points, Event("round_won", data))


def score(setup: Setup, won: Sequence[str | None], bridges: Bridges, stones: Stones) -> Score:
    """The score if the round now under way, the one after those `won`, ended with this board."""
    points = {colour: dict.fromkeys((*CATEGORIES, "total"), 0) for colour in setup.colours}
    reasons = []
    for number, winner in enumerate(won, 1):
        gain = ROUND_POINTS[number - 1]
        if winner is None:
            reasons.append(Event("round_was_tied", {"round": number}))
        else:
            reasons.append(Event("round_was_won", {"round": number, "player": winner, "points": gain}))
            points[winner][CATEGORIES[number - 1]] = gain
    now = len(won) + 1
    result = round_result(setup, now, stones, ROUND_POINTS[now - 1] if now < ROUNDS else None)
    reasons.append(result.reason)
    if result.winner is not None:
        points[result.winner][CATEGORIES[now - 1]] = result.points
    for line in points.values():
        line["total"] = sum(line.values())
    totals = {colour: line["total"] for colour, line in points.items()}
    winners, why = _winners(setup, totals, bridges, stones, sudden=now > 1)
    return Score(points, winners, (*reasons, *why))


def _winners(
    setup: Setup, totals: dict[str, int], bridges: Bridges, stones: Stones, sudden: bool
) -> tuple[tuple[str, ...], list[Event]]:
    """Who wins, and why where it is not by points: no bridge left, or equal points."""
    bridge_counts = {colour: list(bridges.values()).count(colour) for colour in setup.colours}
    alive = [colour for colour, count in bridge_counts.items() if count]
    if sudden and len(alive) == 1:
        loser = next(colour for colour in setup.colours if colour not in alive)
        return tuple(alive), [Event("sudden_end", {"player": alive[0], "loser": loser})]
    stone_counts = dict.fromkeys(setup.colours, 0) | Counter(stones.values())
    for code, counts in (("", totals), ("tie_by_stones", stone_counts), ("tie_by_bridges", bridge_counts)):
        best = [colour for colour in setup.colours if counts[colour] == max(counts.values())]
        if len(best) == 1:
            return tuple(best), [Event(code, {"player": best[0], "counts": dict(counts)})] if code else []
    return setup.colours, [Event("tie_stays")]
