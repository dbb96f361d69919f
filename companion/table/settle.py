"""The end: a final score only on a settled board, and the score as a range until then."""

from __future__ import annotations

from typing import Any, NamedTuple

from companion.games.protocol import EMPTY, FormatError, parse_content
from companion.table.compare import CONFIRMED, DIFFERS, DOUBTFUL, PENDING, PlaceState
from companion.table.decide import ASK_STILL_S, COVERED_S, Ask, Cause
from companion.table.questions import CHECK, CONTENT
from companion.table.score_range import ScoreRange, Way, certain_range, score_range
from companion.table.situation import Situation, Standing

_OPEN = (DOUBTFUL, DIFFERS)
SURE = 0.999  # how likely a content is that the camera has no doubt about
MOST_CONTENTS = 5


class Settlement(NamedTuple):
    """Whether the board is settled, or else what to ask; neither: wait."""

    is_settled: bool = False
    ask: Ask | None = None


def settlement(situation: Situation, standing: Standing, header: Any) -> Settlement:
    """Whether the final score can be told: everything in place, and no doubt left that could change it."""
    if any(found.state in (PENDING, DIFFERS) for found in standing.values()):
        return Settlement()
    if not situation.belief.sees_board(situation.now):
        return Settlement(ask=Ask(CHECK, situation.game.seats(situation.state)[0], (Cause("board", "", ""),)))
    unsure = [place for place, found in standing.items() if found.state != CONFIRMED]
    if not unsure:
        return Settlement(is_settled=True)
    if situation.still_s < (COVERED_S if situation.belief.has_hidden() else ASK_STILL_S):
        return Settlement()
    found = range_of(situation, standing, header, also=unsure)
    if found is None or found.is_settled or found.ask is None:
        return Settlement(is_settled=True)
    return Settlement(ask=_content_question(situation, standing, found.ask))


def _content_question(situation: Situation, standing: Standing, place: str) -> Ask:
    ways = [way for way, _ in ways_of(situation, place, standing[place])][:MOST_CONTENTS]
    seats = situation.game.seats(situation.state)
    cause = Cause(place, standing[place].expected, standing[place].seen or EMPTY)
    return Ask(CONTENT, seats[0], (cause,), {"place": place, "contents": ways})


def range_of(situation: Situation, standing: Standing, header: Any, also: list[str] | None = None) -> ScoreRange | None:
    """The score over every way the doubtful places may be; None when the board as seen is impossible altogether."""
    expected = situation.game.expected(situation.state)
    doubtful = also if also is not None else [place for place, found in standing.items() if found.state in _OPEN]
    ways = {
        place: [Way(parse_content(content), chance) for content, chance in ways_of(situation, place, standing[place])]
        for place in doubtful
    }
    if not ways:
        return certain_range(situation.game.score(situation.state))
    certain = {place: pieces for place, pieces in expected.items() if place not in ways}
    # What no board shows, such as the rounds won so far, the game's own position tells.
    told = {**header, **situation.game.position(situation.state)}
    try:
        return score_range(situation.game, told, certain, ways)
    except FormatError:
        return None


def ways_of(situation: Situation, place: str, found: PlaceState) -> list[tuple[str, float]]:
    """How a place may be, with chances: what the camera thinks, and always what the game says."""
    seen = dict(situation.belief.contents(place)[:MOST_CONTENTS]) or {EMPTY: 0.5}
    seen[found.expected] = max(seen.get(found.expected, 0.0), 0.5 if found.seen is None else 0.05)
    total = sum(seen.values())
    return sorted(((content, chance / total) for content, chance in seen.items()), key=lambda way: -way[1])
