"""A random player with manners, which leave room for a game: the opponents at the keyboard's other side."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from companion.games.makabana.plans import SHOW
from companion.games.makabana.setup import make_setup
from companion.games.makabana.state import PLAN, REALISE
from companion.games.protocol import Action, Json

# Players without a thought would lay half their hand in Mao, and denounce somebody every round.
HONEST, DENOUNCING = 0.5, 0.25


def casual_action(view: Mapping[str, Json], legal: Sequence[Action], rng: random.Random) -> Action:
    """Any of the legal actions; a plan is as often as not three cards for a free site, and no deed is left undone."""
    if view["phase"] == PLAN and rng.random() < HONEST:
        setup = make_setup(view)
        free = [site for site in setup.sites if site not in view["huts"]]
        cards = setup.coordinates[rng.choice(free or setup.sites)]
        build = Action(legal[0].seat, "plan", (*cards, SHOW, rng.choice(cards)))
        if build in legal:
            return build
    deeds = [action for action in legal if action.verb != "done"] if view["phase"] == REALISE else legal
    return rng.choice(deeds or legal)


def casual_accusation(legal: Sequence[Action], close: Action, rng: random.Random) -> Action:
    """Now and then a denunciation; else `close`, which ends the time for it."""
    accusations = [action for action in legal if action != close]
    return rng.choice(accusations) if rng.random() < DENOUNCING else close
