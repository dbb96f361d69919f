"""What each seat may know: the colours that face it, and the other side of makis it has seen both sides of."""

from __future__ import annotations

from companion.games.makisan.board import Faces, maki_of
from companion.games.makisan.rules import PLACES, SIDES
from companion.games.makisan.state import OPENING, OVER, State, acting
from companion.games.protocol import CHANCE, Action, Json

HIDDEN = "?"


def view(state: State, seat: str | None) -> dict[str, Json]:
    """All that the seat may know; `None` is anybody looking at the table, who is told what both players know."""
    setup, waits_for = state.setup, acting(state)
    seat = seat if seat in SIDES else None
    seen: dict[str, Json] = setup.header()
    seen["wins"] = dict(zip(SIDES, state.wins, strict=True))
    seen["line"] = {place: _maki_seen(state, faces, seat) for place, faces in zip(PLACES, state.line, strict=False)}
    seen["seat"] = seat
    seen["seats"] = {name: name for name in setup.seats}
    seen["number"] = state.number
    seen["phase"] = state.phase
    seen["round"] = state.round
    seen["first"] = state.first
    seen["turn"] = state.turn
    seen["waits_for"] = [waits_for] if waits_for else []
    seen["bag"] = len(state.bag)
    seen["drawn"] = _drawn_seen(state, seat)
    seen["just_turned"] = _places_of(state, state.just_turned)
    seen["just_moved"] = _places_of(state, frozenset({str(state.just_moved)}))
    seen["ended_by"] = state.ended_by.to_json() if state.ended_by else None
    seen["events"] = [event.to_json() for event in state.events]
    return seen


def _maki_seen(state: State, faces: Faces, seat: str | None) -> dict[str, Json]:
    """The colours of a maki that the seat knows, by the side they face; whose Wasabi covers it, and who knows both."""
    maki = maki_of(faces)
    knows = state.phase == OVER or _knows(state, maki, seat)
    colours = {side: colour if knows or side == seat else None for side, colour in zip(SIDES, faces, strict=True)}
    covers = state.wasabi is not None and state.wasabi.maki == maki
    known_to = [side for side in SIDES if _knows(state, maki, side)]
    return {**colours, "wasabi": state.wasabi.owner if covers and state.wasabi else None, "known_to": known_to}


def _knows(state: State, maki: str, seat: str | None) -> bool:
    return all(maki in known for side, known in zip(SIDES, state.known, strict=True) if seat in (side, None))


def _drawn_seen(state: State, seat: str | None) -> list[str] | None:
    """The colours of the maki out of the bag: everybody's business when a round opens, else the drawer's."""
    if state.drawn is None or (state.phase != OPENING and seat != state.turn):
        return None
    return state.drawn.split("-")


def _places_of(state: State, makis: frozenset[str]) -> list[str]:
    return [place for place, faces in zip(PLACES, state.line, strict=False) if maki_of(faces) in makis]


def witness(action: Action, seat: str | None) -> Action:
    """The action as the seat sees it being done.

    A maki drawn is seen by its drawer alone; laid, it shows the opponent one colour. A spectator sees no more than
    either player does.
    """
    if action.seat == CHANCE and action.verb == "draw" and action.args[:1] != (seat,):
        return action._replace(args=action.args[:1])
    if action.verb == "lay" and action.seat != seat:
        end, _, theirs = (*action.args, *("",) * 3)[:3]
        return action._replace(args=(end, HIDDEN, theirs if seat in SIDES else HIDDEN))
    return action
