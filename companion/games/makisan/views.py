"""What each seat may know: the colours that face it, and the other side of makis it has seen both sides of."""

from __future__ import annotations

from companion.games.makisan.board import Faces, faces_of, facing_of, is_facing, maki_of
from companion.games.makisan.rules import PLACES, SIDES
from companion.games.makisan.state import OPENING, OVER, State, acting, expected
from companion.games.protocol import CHANCE, HIDDEN, Action, Expected, Json, Piece


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


def shown(state: State, seat: str | None, pieces: Expected | None = None) -> Expected:
    """The line as a seat sees it: a maki of which it knows one side is `red-?`, or `?-red` to the north.

    Of other pieces that might lie there it is told no more than that: a maki read the other way round would show it the
    side that it can't see.
    """
    laid = expected(state) if pieces is None else pieces
    if state.phase == OVER:
        return laid
    faces = dict(zip(PLACES, state.line, strict=False))
    return {
        place: tuple(_piece_seen(state, piece, seat, faces.get(place)) for piece in here)
        for place, here in laid.items()
    }


def _piece_seen(state: State, piece: Piece, seat: str | None, lies: Faces | None) -> Piece:
    """A piece on a place where, by the game, a maki lies so."""
    kind, colour = piece
    if kind != "maki" or (is_facing(colour) and _knows(state, maki_of(faces_of(colour)), seat)):
        return piece
    seen = [
        face if side == seat and lies is not None and lies[index] == face else HIDDEN
        for index, (side, face) in enumerate(zip(SIDES, faces_of(colour), strict=True))
    ]
    return kind, facing_of((seen[0], seen[1]))


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
