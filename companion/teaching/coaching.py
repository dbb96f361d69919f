"""The coach at a table: on demand, for one seat, from what that seat may know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.protocol import Event, Json
from companion.players.bot import know
from companion.players.coach import advise, what_decided, why_failed
from companion.table.session import Session

LOOKS = 30  # imagined worlds behind each figure of risk: enough to compare plans by, and quick on a Pi
OPEN, PROJECT, TIKI = "coach_open", ("coach_project", "coach_laid"), "coach_tiki"


class Advice(NamedTuple):
    """What the coach has to say: about opponents, one's own projects, tikis, one's last failure, the game's end."""

    opponents: tuple[Event, ...] = ()
    projects: tuple[Event, ...] = ()
    tikis: tuple[Event, ...] = ()
    failures: tuple[Event, ...] = ()
    decided: tuple[Event, ...] = ()

    @property
    def is_silent(self) -> bool:
        return not any(self)


def advice_for(session: Session, seat: str, looks: int = LOOKS) -> Advice:
    """All that helps the seat now. It is worked out from the seat's knowledge, never from the state."""
    game, state = session.game, session.state
    if game is None or not session.is_started or seat not in session.seats:
        return Advice()
    if not session.actors:
        return Advice(decided=tuple(what_decided(session.record)))
    events = [event for step in session.steps for event in step.state.events]
    knowledge = know(game, state, seat, [step.action for step in session.steps], events)
    legal = game.legal_actions(state, seat) if seat in session.actors else ()
    told = advise(game, knowledge, legal, looks)
    return Advice(
        opponents=tuple(event for event in told if event.code.startswith(OPEN)),
        projects=tuple(event for event in told if event.code in PROJECT),
        tikis=tuple(event for event in told if event.code == TIKI),
        failures=tuple(why_failed(game, knowledge)),
    )


def odds_of(event: Event) -> dict[str, int]:
    """Where somebody's project may lie, in per cent by place: the likeliest deeds of a `coach_open`."""
    found: dict[str, float] = {}
    guesses: list[Mapping[str, Json]] = event.data.get("guesses", [])
    for guess in guesses:
        found[guess["site"]] = found.get(guess["site"], 0.0) + guess["likely"]
    return {place: round(100 * odds) for place, odds in found.items() if odds >= 0.005}
