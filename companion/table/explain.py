"""Which legal action, done by hand, explains what is new on the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.games.protocol import EMPTY, Action, content_of, parse_content
from companion.table.compare import AGREE_NATS, CONFIRMED, DIFFERS, Contents, expected_contents
from companion.table.situation import (
    Piece,
    Situation,
    Standing,
    changes_by,
    come,
    gone,
    lead_to_the_same,
    owed,
    pieces_in,
    pieces_put_by,
)

# An action is inferred when it explains the board a hundred times better than nothing having happened, and a hundred
# times better than any other action would. From ten times on it is worth a question.
SURE_NATS, MAYBE_NATS = 4.6, 2.3
CLEAR_NATS = 5.3  # beyond this, two hundred to one, nothing is ambiguous
# How long the board must have been still before a clear case counts, and before one at the edge of sureness does.
# Putting a piece down, sliding it and letting go takes people a second or two; the camera waits for the hand anyway.
CLEAR_STILL_S, UNCLEAR_STILL_S = 0.35, 2.5
MOST_CHOICES = 4  # in a question


Gain = tuple[float, bool, Action]  # by how much the board fits better after an action, and whether all of it is done
Options = Mapping[Action, Contents]  # what each action that hands can do now changes on the board


class Explanation(NamedTuple):
    """The likeliest actions, best first, and the odds of the first against anything else, in nats."""

    actions: tuple[Action, ...]
    clarity: float

    @property
    def is_sure(self) -> bool:
        return self.clarity >= SURE_NATS

    @property
    def stillness_s(self) -> float:
        """How long to wait before believing it: the closer the call, the longer."""
        unclear = max(0.0, min(1.0, (CLEAR_NATS - self.clarity) / (CLEAR_NATS - SURE_NATS)))
        return CLEAR_STILL_S + unclear * (UNCLEAR_STILL_S - CLEAR_STILL_S)


def explain(situation: Situation, standing: Standing) -> Explanation | None:
    """What hands have done, as far as that can be told; None when no action explains anything."""
    options = _options(situation)
    gains = sorted(_gains(situation, standing, options), key=lambda found: (-found[0], found[2]))
    gains = [gain for gain in gains if not _is_maybe_moved(situation, standing, options[gain[2]])] or gains
    if not gains or gains[0][0] < MAYBE_NATS or _was_moved(situation, standing, gains[0][2]):
        return None
    best, is_whole, action = gains[0]
    likely = tuple(other for gain, _, other in gains[:MOST_CHOICES] if best - gain < SURE_NATS)
    rivals = tuple(_rivals(situation, standing, options, action))
    if rivals:
        return Explanation((*likely, *rivals)[:MOST_CHOICES], MAYBE_NATS)
    clarity = min([best, *(best - gain for gain, _, _ in gains[1:2])])
    return Explanation(likely, clarity if is_whole else min(clarity, SURE_NATS))  # hands may still be at it


def _options(situation: Situation) -> Options:
    """What hands can do now, each way once: nobody is asked about a choice of words from which nothing follows."""
    options: dict[Action, Contents] = {}
    alike: dict[tuple[tuple[str, str], ...], list[Action]] = {}
    for action in situation.game.hand_actions(situation.state):
        changes = changes_by(situation.game, situation.state, action)
        others = alike.setdefault(tuple(sorted(changes.items())), [])
        if not any(lead_to_the_same(situation, action, other) for other in others):
            others.append(action)
            options[action] = changes
    return options


def _is_maybe_moved(situation: Situation, standing: Standing, changes: Contents) -> bool:
    """Whether what is new may just as well be a piece that is missing elsewhere, moved here and misread."""
    before = expected_contents(situation.game, situation.state)
    missing = _missing(standing, changes)
    moved_here = (
        (place, content_of((*parse_content(before.get(place, EMPTY)), piece)))
        for place, content in changes.items()
        for piece in sorted(missing - pieces_in(content))
    )
    costs = (situation.belief.cost(place, content, situation.now) for place, content in moved_here)
    return any(cost is not None and cost <= AGREE_NATS for cost in costs)


def _missing(standing: Standing, changes: Contents) -> frozenset[Piece]:
    """What has gone from where it lay. What an action itself takes off a place is not missing there."""
    odd = [found for place, found in standing.items() if found.state == DIFFERS and place not in changes]
    return frozenset(piece for found in odd for piece in gone(found))


def _rivals(situation: Situation, standing: Standing, options: Options, best: Action) -> Iterator[Action]:
    """Other actions that hands may have done instead: places looked at anew this turn that may well hold the piece.

    Two places side by side can be misread together, the piece overlooked on one and made up on the other. Then the
    camera's first choice may be wrong however sure it is, and only a person can tell.
    """
    for action, changes in options.items():
        costs = [situation.belief.cost(place, content, situation.now) for place, content in changes.items()]
        is_fresh = any(situation.belief.looked_at(place) > situation.acted_at for place in changes)
        may_be = all(cost is not None and AGREE_NATS < cost <= MAYBE_NATS for cost in costs)
        if action != best and is_fresh and may_be and not _is_maybe_moved(situation, standing, changes):
            yield action


def _gains(situation: Situation, standing: Standing, options: Options) -> Iterator[Gain]:
    """For each action that hands can do now: by how much the board fits better after it, where it fits at all."""
    for action, changes in options.items():
        later = {place for place in _by_the_way(situation, action, changes) if standing[place].state == CONFIRMED}
        gain = sum(
            _gain(situation, standing, place, content) for place, content in changes.items() if place not in later
        )
        if gain > 0:
            yield gain, not later, action


def _by_the_way(situation: Situation, action: Action, changes: Contents) -> frozenset[str]:
    """The places that an action changes beside the one it is done on: a stone for a majority, bridges that fall.

    Whoever does not think of them is told. None where the same pieces only change places, which is one deed.
    """
    before = expected_contents(situation.game, situation.state)
    come_there = [pieces_in(content) - pieces_in(before.get(place)) for place, content in changes.items()]
    gone_there = [pieces_in(before.get(place)) - pieces_in(content) for place, content in changes.items()]
    put, taken = ({situation.game.component_of(one) for one in frozenset().union(*p)} for p in (come_there, gone_there))
    done_on = next((word for word in action.args if word in changes), None)
    return frozenset() if done_on is None or put & taken else frozenset(changes) - {done_on}


def _gain(situation: Situation, standing: Standing, place: str, content: str) -> float:
    """By how much the place looks more like this than like nothing done there, or nothing done yet.

    A piece left behind is not a piece put down: where hands have not followed yet, what lay there may lie there still.
    """
    left_behind = situation.earlier.get(place, frozenset())
    after, *before = (
        situation.belief.cost(place, one, situation.now)
        for one in (content, standing[place].expected, *sorted(left_behind))
    )
    if after is None or after > AGREE_NATS or content in left_behind:
        return float("-inf")
    return min(cost for cost in before if cost is not None) - after


def _was_moved(situation: Situation, standing: Standing, action: Action) -> bool:
    """Whether such a piece is missing elsewhere, or is still to be put down elsewhere: then this is another matter."""
    put, changes = pieces_put_by(situation, action), changes_by(situation.game, situation.state, action)
    return any(put & pieces for pieces in (_missing(standing, changes), *owed(situation, standing).values()))


def early_pieces(
    situation: Situation, standing: Standing, odd: Sequence[str]
) -> tuple[tuple[Piece, ...], tuple[str, ...]]:
    """Pieces put down by those whose turn is still to come, and the odd places that this does not account for.

    They become actions when their turn comes, so there is nothing to ask about. A piece that is missing elsewhere, or
    was to be put down elsewhere, is not early, and neither is one of which all lie on the board already.
    """
    missed = frozenset(piece for place in odd for piece in gone(standing[place]))
    missed = missed.union(*owed(situation, standing).values())
    game, state = situation.game, situation.state
    turns = game.hand_actions(state)
    kinds = {kind for action in turns[:1] for kind, _ in pieces_put_by(situation, action)}
    acting = {game.colour_of(state, action.seat) for action in turns}
    waiting = {game.colour_of(state, seat) for seat in game.seats(state)} - acting
    spare = _beside_the_board(situation)
    early: list[Piece] = []
    rest: list[str] = []
    for place in odd:
        new = come(standing[place])
        is_alone = not gone(standing[place]) and not new & missed
        is_early = all(p[0] in kinds and p[1] in waiting and game.component_of(p) in spare for p in new)
        if new and is_alone and is_early:
            early += sorted(new)
        else:
            rest.append(place)
    return tuple(early), tuple(rest)


def _beside_the_board(situation: Situation) -> frozenset[Piece]:
    """The pieces of which the game has some left to put down."""
    game, state = situation.game, situation.state
    laid = Counter(game.component_of(piece) for pieces in game.expected(state).values() for piece in pieces)
    return frozenset(piece for piece, count in game.components(state).items() if count > laid[piece])
