"""Cards and plans: what a laid set of cards could mean under the rules, before looking at the board."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, combinations, product
from typing import NamedTuple, overload

from companion.games.makabana.rules import NORMAL_CARDS
from companion.games.makabana.setup import CLUB, PAINT, Setup
from companion.games.protocol import Action, Event, Refusal

SHOW = "show"
BUILD: tuple[str | None, ...] = (None,)
PAINT_OR_BUILD: tuple[str | None, ...] = (PAINT, None)  # 2003: a takeover may hope for a hut to come
_FAULTS = {
    "beach": ("no_beach", "several_beaches"),
    "sector": ("no_sector", "several_sectors"),
    "spot": ("no_spot", "several_spots"),
}
COORDINATES = tuple(_FAULTS)


class Design(NamedTuple):
    """What a plan is able to do. `verb` is set when it leaves no choice; `faults` say why it can do nothing."""

    verb: str | None = None
    reach: tuple[str, ...] = ()  # the sites its cards can name
    deeds: int = 0
    paints: int = 0
    club: bool = False
    faults: tuple[Event, ...] = ()


class Plan(NamedTuple):
    """The cards a seat laid, in written order, and the one that lies face up."""

    cards: tuple[str, ...]
    clue: str | None
    paints: int
    clubs: int
    design: Design

    @property
    def trickery(self) -> int:
        return abs(len(self.cards) - NORMAL_CARDS)


@lru_cache(maxsize=4096)
def parse_plan(setup: Setup, args: tuple[str, ...]) -> Plan | Refusal:
    """The plan that the arguments of a `plan` action describe; any cards of a full hand will do."""
    if not args:
        return Plan((), None, 0, 0, _design(setup, ()))
    if len(args) < 3 or args[-2] != SHOW:
        return Refusal("no_card_shown")
    cards, clue = args[:-2], args[-1]
    if unknown := [card for card in cards if card not in setup.card_kinds]:
        return Refusal("card_unknown", {"card": unknown[0], "cards": list(setup.card_kinds)})
    if refusal := _too_many_of_a_card(setup, cards):
        return refusal
    if clue not in cards:
        return Refusal("clue_not_in_plan", {"card": clue})
    if setup.rules.paint_lies_open and clue == PAINT and set(cards) != {PAINT}:
        return Refusal("clue_is_paint")
    ordered = tuple(sorted(cards, key=setup.card_rank.__getitem__))
    return Plan(ordered, clue, ordered.count(PAINT), ordered.count(CLUB), _design(setup, ordered))


def _too_many_of_a_card(setup: Setup, cards: Sequence[str]) -> Refusal | None:
    if len(set(cards)) < len(cards):
        for card in cards:
            if cards.count(card) > setup.full_hand[card]:
                return Refusal("card_twice", {"card": card, "count": cards.count(card)})
    if setup.has_two_way_cards:
        for one, other in combinations(cards, 2):
            if setup.card_kinds[one] == setup.card_kinds[other] == "beach" and one[0] == other[0]:
                return Refusal("card_both_ways", {"cards": [one, other]})
    return None


def _design(setup: Setup, cards: tuple[str, ...]) -> Design:
    rules = setup.rules
    if rules.most_cards is not None and len(cards) > rules.most_cards:
        return Design(faults=(Event("too_many_cards", {"count": len(cards), "most": rules.most_cards}),))
    if rules.tricky and 0 < len(cards) < NORMAL_CARDS:
        return _incomplete_design(setup, cards)
    if rules.tricky and len(cards) > NORMAL_CARDS:
        return _overloaded_design(setup, cards)
    return _exact_design(setup, cards)


def _exact_design(setup: Setup, cards: tuple[str, ...]) -> Design:
    """One beach, one sector, one spot; with Paint a takeover, with Club a diving club."""
    kinds = Counter(setup.card_kinds[card] for card in cards)
    faults = [_count_fault(kind, kinds[kind]) for kind in COORDINATES if kinds[kind] != 1]
    extras = kinds[PAINT] + kinds[CLUB]
    if extras > (0 if setup.rules.tricky else 1):
        faults.append(Event("too_many_extras", {"paints": kinds[PAINT], "clubs": kinds[CLUB]}))
    if faults:
        return Design(faults=tuple(faults))
    site = "-".join(cards[:NORMAL_CARDS])
    if site not in setup.site_set:
        return Design(faults=(Event("no_such_site", {"site": site}),))
    verb = "paint" if kinds[PAINT] else "club" if kinds[CLUB] else "build"
    return Design(verb, (site,), 1, kinds[PAINT], bool(kinds[CLUB]))


def _count_fault(kind: str, count: int) -> Event:
    missing, several = _FAULTS[kind]
    return Event(several, {"count": count}) if count else Event(missing)


def _incomplete_design(setup: Setup, cards: tuple[str, ...]) -> Design:
    """One or two coordinates; the missing ones come freely from the hand at the moment of building."""
    kinds = Counter(setup.card_kinds[card] for card in cards)
    if kinds[PAINT] or kinds[CLUB]:
        return Design(faults=(Event("extra_in_incomplete", {"cards": list(cards)}),))
    if faults := tuple(_count_fault(kind, count) for kind, count in kinds.items() if count > 1):
        return Design(faults=faults)
    reach = _reach(setup, cards, free_kinds=True)
    if not reach:
        return Design(faults=(Event("no_such_site", {"site": "-".join(cards)}),))
    return Design(None, reach, 1)


def _overloaded_design(setup: Setup, cards: tuple[str, ...]) -> Design:
    """Four cards or more: up to two deeds, each from cards of the plan; coordinates may serve both."""
    reach = _reach(setup, cards, free_kinds=False)
    if not reach:
        return Design(faults=(Event("names_no_site", {"cards": list(cards)}),))
    return Design(None, reach, 2, cards.count(PAINT), CLUB in cards)


def _reach(setup: Setup, cards: tuple[str, ...], free_kinds: bool) -> tuple[str, ...]:
    """The sites that the cards can name; a kind of which none is laid may be chosen freely, or not at all."""
    kinds = setup.card_kinds
    choices = []
    for kind in COORDINATES:
        laid = [card for card in cards if kinds[card] == kind]
        choices.append(laid or (setup.cards_of_kind[kind] if free_kinds else ()))
    named = setup.site_named
    return tuple([named[names] for names in product(*choices) if names in named])


class CardSets(NamedTuple):
    """The sound card sets of a tricky hand, sorted, and how many plans there are up to the end of each."""

    rows: tuple[tuple[str, ...], ...]
    ends: tuple[int, ...]
    known: frozenset[tuple[str, ...]]


class PlanChoices(Sequence[Action]):
    """Every sound plan of a tricky hand with every choice of shown card, sorted; made only when looked at.

    A hand of thirteen cards allows some fifty thousand, so the list keeps the card sets and counts the clues.
    """

    def __init__(self, seat: str, card_sets: CardSets) -> None:
        self._seat, self._card_sets = seat, card_sets

    def __len__(self) -> int:
        return self._card_sets.ends[-1] if self._card_sets.ends else 0

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> list[Action]: ...
    def __getitem__(self, index: int | slice) -> Action | list[Action]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(index)
        rows, ends, _ = self._card_sets
        row = bisect_right(ends, index)
        cards = rows[row]
        clues = sorted(set(cards))
        return Action(self._seat, "plan", (*cards, SHOW, clues[index - ends[row] + len(clues)]))

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Action) or action[:2] != (self._seat, "plan") or action.args[-2:-1] != (SHOW,):
            return False
        cards, clue = action.args[:-2], action.args[-1]
        return cards in self._card_sets.known and clue in cards


def tricky_plans(setup: Setup, seat: int, paints: int, clubs: int) -> PlanChoices:
    """The sound plans of a Mao hand with so many Paint and Club cards left."""
    return PlanChoices(setup.seats[seat], _tricky_card_sets(setup, paints, clubs))


@lru_cache(maxsize=64)
def _tricky_card_sets(setup: Setup, paints: int, clubs: int) -> CardSets:
    hand = [card for card in setup.card_kinds if card not in (PAINT, CLUB)] + [CLUB] * clubs + [PAINT] * paints
    most = min(len(hand), setup.rules.most_cards or len(hand))
    known = {
        cards for size in range(1, most + 1) for cards in combinations(hand, size) if not _design(setup, cards).faults
    }
    rows = tuple(sorted(known, key=lambda cards: (*cards, SHOW)))
    return CardSets(rows, tuple(accumulate(len(set(cards)) for cards in rows)), frozenset(known))


@lru_cache(maxsize=256)
def site_plans(setup: Setup, seat: int, extra: str | None) -> dict[str, tuple[Action, ...]]:
    """For each site, the plans that name it, alone (build) or with Paint or Club, one per card that may be shown."""
    plans = {}
    for site in setup.sites:
        coordinates = setup.coordinates[site]
        cards = (*coordinates, extra) if extra else coordinates
        clues = coordinates if extra == PAINT and setup.rules.paint_lies_open else cards
        plans[site] = tuple(Action(setup.seats[seat], "plan", (*cards, SHOW, clue)) for clue in sorted(clues))
    return plans


@lru_cache(maxsize=256)
def plans_anywhere(setup: Setup, seat: int, extras: tuple[str | None, ...]) -> tuple[Action, ...]:
    """The plans of a board without huts, sorted: equally many for every site, with each of these extras or none."""
    return tuple(plan for site in setup.sites for extra in extras for plan in site_plans(setup, seat, extra)[site])
