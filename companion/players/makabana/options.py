"""The plans worth a thought: what each would bring if it came off, and where a tiki would stop it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from companion.games.makabana.plans import SHOW, Plan, parse_plan
from companion.games.makabana.setup import CLUB, CLUB_PREFIX, PAINT, Setup
from companion.games.makabana.state import State
from companion.players.makabana.worth import Change, Worth, sides_of

# How often somebody denounces a plan that is so many cards away from three, by experience with people and bots.
DENOUNCED = (0.0, 0.12, 0.25, 0.5)
_MOST_CARDS = 5  # more cards than two deeds need are only more reason to be denounced
_BEST_AIMS = 14  # of which pairs are made
_FLEXIBLE = 0.5  # what a second-best site adds to a plan that names several
_EXTRA_CARD = {"build": (), "paint": (PAINT,), "club": (CLUB,)}


class Aim(NamedTuple):
    """One deed on one site, with the change of points it would bring and what that is worth to its doer."""

    verb: str
    site: str
    change: Change
    gain: float

    def place(self, setup: Setup) -> str:
        """Where a tiki would stop it."""
        return CLUB_PREFIX + setup.beach_of[self.site] if self.verb == "club" else self.site


class Option(NamedTuple):
    """A plan, one `Plan` for each card that could be shown; `value` is its gain less the risk of its cards alone."""

    aims: tuple[Aim, ...]
    plans: tuple[Plan, ...]
    value: float
    stops: tuple[tuple[str, float], ...]  # place -> what a tiki there takes away

    @property
    def cards(self) -> tuple[str, ...]:
        return self.plans[0].cards


def gain_of(worth: Worth, change: Change, colour: str) -> float:
    """What a change of points is worth to a colour: how its side's lead over the average other one grows."""
    if not change:
        return 0.0
    sides = sides_of(worth.setup)
    side = next(side for side in sides if colour in side)
    own = sum([change.get(one, 0) for one in side])
    return own - (sum(change.values()) - own) / (len(sides) - 1)


def aims_of(state: State, seat: int, worth: Worth) -> list[Aim]:
    """Everything a seat could do to the board as it stands, best first."""
    colour = state.setup.colour_of[seat]
    found = []
    for verb, site in _deeds(state, seat, colour):
        beach = state.setup.beach_of[site]
        change = worth.club(beach, colour) if verb == "club" else getattr(worth, verb)(site, colour)
        found.append(Aim(verb, site, change, gain_of(worth, change, colour)))
    return sorted(found, key=lambda aim: (-aim.gain, aim.verb, aim.site))


def _deeds(state: State, seat: int, colour: str) -> Iterator[tuple[str, str]]:
    setup, huts = state.setup, state.huts
    may_paint = state.paints[seat] > 0 and state.final is None
    may_club = state.club_cards[seat] > 0 and state.final is None
    if not state.reserves[setup.colour_index[seat]]:
        return
    for site in setup.sites:
        owner = huts.get(site)
        if owner is None:
            yield "build", site
        elif owner != colour and may_paint:
            yield "paint", site
        elif owner == colour and may_club and setup.beach_of[site] not in state.clubs:
            yield "club", site


def options_of(state: State, seat: int, worth: Worth) -> list[Option]:
    """The plans worth a thought for a seat, best first."""
    setup, aims = state.setup, aims_of(state, seat, worth)
    found = [_option(setup, (aim,), (), aim.gain) for aim in aims]
    if setup.rules.tricky:
        found += _pairs(setup, aims[:_BEST_AIMS])
        found += _new_club(state, seat, aims, worth)
        found += _incomplete(setup, aims)
    options = [option for option in found if option is not None]
    return sorted(options, key=lambda option: (-option.value, option.cards))


def _option(setup: Setup, aims: tuple[Aim, ...], cards: Iterable[str], gain: float) -> Option | None:
    """The option of laying the cards that the aims need, or these; None where no such plan can be laid."""
    laid = tuple(cards) or _cards(setup, aims)
    first = parse_plan(setup, (*laid, SHOW, laid[0]))
    if not isinstance(first, Plan) or first.design.faults:
        return None
    clues = [card for card in sorted(set(laid)) if card != PAINT or not setup.rules.paint_lies_open]
    plans = [first._replace(clue=clue) for clue in clues]
    risk = DENOUNCED[min(first.trickery, len(DENOUNCED) - 1)] if setup.rules.tricky else 0.0
    share = 1.0 if len(laid) >= 3 else 1 - _FLEXIBLE
    stops = tuple((aim.place(setup), aim.gain * share) for aim in aims)
    return Option(aims, tuple(plans), gain * (1 - risk), stops)


def _cards(setup: Setup, aims: tuple[Aim, ...]) -> tuple[str, ...]:
    coordinates = dict.fromkeys(card for aim in aims for card in setup.coordinates[aim.site])
    extras = [card for aim in aims for card in _EXTRA_CARD[aim.verb]]
    return (*coordinates, *extras)


def _pairs(setup: Setup, aims: list[Aim]) -> Iterator[Option | None]:
    """Mao: two deeds whose coordinates share cards, so that five are enough."""
    for one, other in combinations(aims, 2):
        if one.site == other.site or (one.verb == other.verb != "build"):
            continue
        cards = _cards(setup, (one, other))
        if len(cards) <= _MOST_CARDS:
            yield _option(setup, (one, other), cards, one.gain + other.gain)


def _new_club(state: State, seat: int, aims: list[Aim], worth: Worth) -> Iterator[Option | None]:
    """Mao: a club beside the hut that the same plan builds or paints."""
    setup, colour = state.setup, state.setup.colour_of[seat]
    if not state.club_cards[seat] or state.final is not None:
        return
    for aim in aims[:_BEST_AIMS]:
        beach = setup.beach_of[aim.site]
        if aim.verb != "club" and beach not in state.clubs:
            bonus = float(worth.hut_count(beach, colour) + 1)
            club = Aim("club", aim.site, {colour: int(bonus)}, bonus)
            yield _option(setup, (aim, club), (), aim.gain + bonus)


def _incomplete(setup: Setup, aims: list[Aim]) -> Iterator[Option | None]:
    """Mao: one or two coordinates, completed at one's turn by the best site that is still free."""
    best: dict[tuple[str, ...], list[Aim]] = {}
    for aim in aims:
        if aim.verb == "build":
            cards = setup.coordinates[aim.site]
            for some in (*combinations(cards, 1), *combinations(cards, 2)):
                best.setdefault(some, []).append(aim)
    for some, reached in best.items():
        yield _option(setup, tuple(reached[:2]), some, reached[0].gain)
