"""One decision of one seat in Maka Bana, as the search asks about it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from companion.games.makabana.determinise import known_state
from companion.games.makabana.plans import SHOW, Plan
from companion.games.makabana.play import apply
from companion.games.makabana.state import DENOUNCE, OVER, PLAN, TIKI, State
from companion.games.protocol import Action, Refusal
from companion.players.bot import Knowledge
from companion.players.makabana.beliefs import UNSEEN, Guess, beliefs_about
from companion.players.makabana.options import Option
from companion.players.makabana.reflexes import carry_on, tiki_values
from companion.players.makabana.worth import Worth, lead, sides_of

_UNTHINKABLE = -1000.0


class Taste(NamedTuple):
    """What a board promises beyond its points, and how widely one looks; found by playing bots against each other."""

    sharpness: float = 1.0  # how strongly others are thought to prefer what brings most
    fear: float = 0.0  # what each card away from three costs in Mao, beyond the risk that is seen
    room: float = 0.35  # a free site next to an own hut
    paint: float = 1.5  # a Paint card kept while it can still serve
    club: float = 2.0  # a Club card likewise
    rivalry: float = 0.3  # how much the best opponent matters more than the others
    win: float = 6.0  # to be first in the end, beyond the points
    clues: int = 2  # cards to show that are looked at for each plan
    options: int = 9  # plans that are looked at
    tikis: int = 10  # places that are looked at


class MakaBanaThoughts:
    """Everything about one decision. Made from a seat's knowledge alone."""

    def __init__(
        self, knowledge: Knowledge, legal: Sequence[Action], temper: Mapping[str, float] = MappingProxyType({})
    ) -> None:
        """`temper` changes the taste that experience recommends."""
        self.legal, self._taste = legal, Taste()._replace(**temper)  # type: ignore[arg-type]
        # Without the story so far: nothing ahead depends on it, and games played in the head would carry it along.
        self.base = known_state({**knowledge.header, **knowledge.view}).but({"story": ()})
        setup = self.base.setup
        self.seat = setup.seat_index[knowledge.seat]
        self.beliefs = beliefs_about(self.base, knowledge.events, self._taste.sharpness)
        self.seen = [knowledge.view["plans"][name] or UNSEEN for name in setup.seats]
        self._hidden = [
            (index, self.seen[index])
            for index, plan in enumerate(self.base.plans)
            if plan is None and index != self.seat and self.base.round
        ]

    # What to look at

    def candidates(self) -> Sequence[Action | None]:
        phase = self.base.phase
        if phase == PLAN:
            return self._plans()
        if phase == TIKI:
            return self._tikis()
        if phase == DENOUNCE and all(action.verb != "close" for action in self.legal):
            return [None, *self.legal]
        return list(self.legal)

    def _plans(self) -> list[Action]:
        plans = [self.plan_action(plan) for option in self._best_options() for plan in self.best_clues(option)]
        return [plan for plan in plans if plan in self.legal] or [self.legal[0]]

    def _best_options(self) -> list[Option]:
        """The best plans, and in Mao the best few of each trickery, so that an honest one is always among them."""
        options, most = self.own_options(), self._taste.options
        chosen = options[:most]
        if self.base.setup.rules.tricky:
            for trickery in range(3):
                alike = [option for option in options if option.plans[0].trickery == trickery]
                chosen += [option for option in alike[:2] if option not in chosen]
        return chosen

    def own_options(self) -> list[Option]:
        """The plans worth a thought, best first. Partners who share a colour take turns at the list: they want the
        same sites, and would stand in each other's way."""
        colours = self.base.setup.colour_of
        partners = [seat for seat, colour in enumerate(colours) if colour == colours[self.seat]]
        return self.beliefs.options(self.seat)[partners.index(self.seat) :: len(partners)]

    def best_clues(self, option: Option) -> list[Plan]:
        """The plan with each of the cards to show that give least away."""
        ranked = sorted(option.plans, key=lambda plan: self.beliefs.exposure(self.seat, option, plan))
        return ranked[: self._taste.clues]

    def plan_action(self, plan: Plan) -> Action:
        return Action(self.base.setup.seats[self.seat], "plan", (*plan.cards, SHOW, str(plan.clue)))

    def _tikis(self) -> list[Action]:
        """The places that cost opponents most; what is seen is the same in every world that can be imagined."""
        values = tiki_values(self.imagine(random.Random(0)), self.seat, self.beliefs)
        ranked = sorted(self.legal, key=lambda action: -values.get(action.args[0], 0.0))
        return ranked[: self._taste.tikis]

    def guesses(self, seat: int) -> tuple[Guess, ...]:
        """What another seat may have laid, going by what is seen of it."""
        return self.beliefs.guesses(seat, self.seen[seat]).each

    # Worlds and their values

    def prepare(self) -> Iterator[None]:
        """What may be believed of each seat, one after the other."""
        for seat, seen in self._hidden:
            self.beliefs.guesses(seat, seen)
            yield

    def imagine(self, rng: random.Random) -> State:
        plans = list(self.base.plans)
        for seat, seen in self._hidden:
            plans[seat] = self.beliefs.draw(seat, seen, rng)
        return self.base.but({"plans": tuple(plans)})

    def value_after(self, state: State, action: Action | None, rng: random.Random) -> float:
        after = state if action is None else apply(state, action)
        if isinstance(after, Refusal):  # a world that the table's truth rules out
            return _UNTHINKABLE
        return self._value(carry_on(after, self.beliefs, rng)) - self._qualms(after, action)

    def _qualms(self, after: State, action: Action | None) -> float:
        """What a temper has against a plan, however good it is."""
        plan = after.plans[self.seat]
        if plan is None or action is None or action.verb != "plan" or not after.setup.rules.tricky:
            return 0.0
        return self._taste.fear * plan.trickery

    def _value(self, state: State) -> float:
        """How far our side leads, counting what the board and the cards still promise."""
        setup, taste = state.setup, self._taste
        worth, sides, mine = Worth(setup, state.huts, state.clubs), sides_of(setup), setup.colour_of[self.seat]
        if state.phase == OVER:
            ahead = lead(worth.points, sides, mine, taste.rivalry)
            return ahead + (taste.win if _is_first(worth, mine) else 0.0)
        left = min(max(0, min(state.reserves) - setup.rules.last_huts) if state.final is None else 1, 4)
        room = worth.room_to_grow()
        promise = {c: worth.points[c] + taste.room * min(room[c], 1.5 * left) for c in setup.colours}
        if state.final is None:
            useful = min(1.0, left / 3)
            for index, colour in enumerate(setup.colour_of):
                promise[colour] += useful * (taste.paint * state.paints[index] + taste.club * state.club_cards[index])
        return lead(promise, sides, mine, taste.rivalry)


def _is_first(worth: Worth, colour: str) -> bool:
    totals = [(sum(worth.points[one] for one in side), colour in side) for side in sides_of(worth.setup)]
    return max(totals)[1]
