"""What each viewer may know, as JSON. Secrets are left out here, before anything is sent; nothing is hidden later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from companion.games.protocol import Json, Movement, movements, parse_content, plain
from companion.table.audit import ending
from companion.table.compare import CONFIRMED, DIFFERS, HIDDEN, PENDING, UNKNOWN, PlaceState, expected_contents
from companion.table.session import PERSON
from companion.table.settle import range_of
from companion.table.sight import Sight
from companion.table.table import News, Table

PUBLIC, STAFF = "public", "staff"
_told_before: WeakKeyDictionary[Table, list[tuple[News, dict[str, Json]]]] = WeakKeyDictionary()


def view(table: Table, viewer: str) -> dict[str, Json]:
    """All that a viewer may know: `PUBLIC`, `STAFF`, or a seat."""
    with table.lock:
        seen = _shared(table, viewer)
        if viewer == STAFF:
            seen |= _staff(table)
        elif viewer != PUBLIC:
            seen |= _own(table, viewer)
        return seen


def view_beside(table: Table, public: dict[str, Json], seat: str) -> dict[str, Json] | None:
    """A seat's view made from the public one of the same moment, which spares working out all they share. None if the
    table has changed since."""
    with table.lock:
        session = table.session
        if public["version"] != table.version or public["number"] != session.number or seat not in session.seats:
            return None
        game = session.game.view(session.state, seat) if session.game else None
        own = {"viewer": seat, "game": game, "question": _question(table, seat)}
        board = _as_seen(table, seat) if public["hides"] else {}
        return {**public, **own, **board, **_own(table, seat)}


def _shared(table: Table, viewer: str) -> dict[str, Json]:
    session = table.session
    seat = viewer if viewer in session.seats else None
    game = session.game.view(session.state, seat) if session.game else None
    seen = _as_seen(table, seat)
    return {
        "epoch": table.epoch,
        "version": table.version,
        "number": session.number,
        "viewer": viewer,
        "table": _about(table),
        "seats": _seats(table),
        "game": game,
        "waits_for": [actor for actor in session.actors if actor in session.seats],  # chance is nobody to wait for
        **seen,
        "question": _question(table, viewer),
        "seals": _seals(table),
        "race": _race(table),
        "news": _news(table),
        "score": _score(table, seen["hides"]),
        "end": ending(table.session, table.belief) if session.is_settled else None,
        "trouble": table.trouble is not None,
    }


def _as_seen(table: Table, seat: str | None) -> dict[str, Json]:
    """The board as the seat may see it: what lies there, what is still to be done, and what of it is in doubt.

    `hides` says that there is something on it which this viewer may not know.
    """
    session = table.session
    if session.game is None:
        return {"pieces": {}, "todo": [], "board": {}, "early": [], "hides": False}
    sight = Sight(session.game, session.state, seat)
    whole = (_todo(table), _board(table), [list(piece) for piece in table.decision.early] if table.decision else [])
    todo, board, early = whole
    seen = (
        [{**move, "colour": sight.piece((move["piece"], move["colour"]), move["place"])[1]} for move in todo],
        {place: {**on, "seen": on["seen"] and sight.content(on["seen"], place)} for place, on in board.items()},
        [list(sight.piece((kind, colour))) for kind, colour in early],
    )  # fmt: skip
    pieces = sight.pieces()
    hides = seen != whole or pieces != expected_contents(session.game, session.state)
    return {"pieces": pieces, "todo": seen[0], "board": seen[1], "early": seen[2], "hides": hides}


def _about(table: Table) -> dict[str, Json]:
    session = table.session
    return {
        "id": table.row.id,
        "name": table.row.name,
        "code": table.row.code,
        "started": session.is_started,
        "paused": session.is_paused,
        "over": session.is_started and not session.actors,
        "settled": session.is_settled,
        "sees_board": table.belief.sees_board(table.clock.now()),
    }


def _seats(table: Table) -> dict[str, Json]:
    session = table.session
    game, state = session.game, session.state
    return {
        name: {"name": seat.name, "kind": seat.kind, "colour": game.colour_of(state, name) if game else name}
        for name, seat in session.seats.items()
    }


def _todo(table: Table) -> list[dict[str, Json]]:
    """What hands still have to do. A table without eyes only tells what the last action asked for."""
    game = table.session.game
    if game is None or table.decision is None:
        return []
    sees = table.belief.sees_board(table.clock.now())
    newest = table.newest_pending()
    expected = game.expected(table.session.state)
    moves: list[Movement] = []
    for place, contents in table.earlier.items():
        if sees or place in newest:
            old = parse_content(sorted(contents)[0]) if contents else ()
            moves += movements({place: old}, {place: expected.get(place, ())})
    return [
        {**move._asdict(), "seat": _seat_for(table, move.colour)} for move in sorted(moves, key=lambda move: move.put)
    ]


def _seat_for(table: Table, colour: str) -> str:
    """Who sees to a piece: a person of its colour, else whoever helps out. What is nobody's, whoever acted last."""
    session = table.session
    assert session.game is not None
    owner = next((seat for seat in session.seats if session.game.colour_of(session.state, seat) == colour), None)
    acted = next((step.action.seat for step in reversed(session.steps) if step.action.seat in session.seats), None)
    seat = owner or acted or next(iter(session.seats))
    return table.person_for(seat) or seat


def _board(table: Table) -> dict[str, dict[str, Json]]:
    if table.decision is None:
        return {}
    return {
        place: {"state": found.state, "seen": found.seen}
        for place, found in table.decision.standing.items()
        if found.state not in (CONFIRMED, UNKNOWN) or found.expected != "empty"
    }


def _question(table: Table, viewer: str) -> Json:
    """The question itself for whoever can answer it; the others learn for whom the table waits."""
    question, session = table.question, table.session
    if question is None or session.game is None:
        return None
    if viewer not in (STAFF, question.seat):
        return {"for": question.seat}
    sight = Sight(session.game, session.state, viewer if viewer in session.seats else None)
    return {"for": question.seat, **plain(sight.question(question).to_json())}


def _seals(table: Table) -> dict[str, Json]:
    session = table.session
    if session.game is None:
        return {}
    found = {seat: session.seal(seat) for seat in session.seats}
    return {
        seat: seal.to_json(is_open=bool(session.game.is_open(session.state, seat)))
        for seat, seal in found.items()
        if seal is not None
    }


def _race(table: Table) -> Json:
    session = table.session
    if not session.claims:
        return None
    verdict = session.verdict
    return {
        "pressed": [claim.seat for claim in session.claims] if verdict else [],
        "first": verdict.first.seat if verdict else None,
        "near_tie": list(verdict.near_tie) if verdict else [],
    }


def _news(table: Table) -> list[dict[str, Json]]:
    """What has happened, oldest first. What was told before is given as the same object again: it need not be made
    anew for each of many views, and is compared with its like at no cost."""
    known = {id(news): told for news, told in _told_before.get(table, ())}
    told = [(news, known.get(id(news)) or {"number": news.number, **news.event.to_json()}) for news in table.news]
    _told_before[table] = told
    return [as_json for _, as_json in told]


def _score(table: Table, hides: bool) -> Json:
    """The score as it stands: a range while places are in doubt, and nothing is hidden on them that it would tell."""
    session = table.session
    if session.game is None or not session.is_started:
        return None
    if table.decision is None or (hides and not session.is_settled):
        return {"settled": False, **session.game.score(session.state).to_json()}
    found = range_of(table.situation(), table.decision.standing, session.header)
    if found is None:
        return {"settled": False, "impossible": True, **session.game.score(session.state).to_json()}
    return {
        "settled": session.is_settled,
        "low": dict(found.low),
        "high": dict(found.high),
        "chances": dict(found.winners),
        "ask": found.ask,
        **found.best.to_json(),
    }


# --- One seat ---


def _own(table: Table, seat: str) -> dict[str, Json]:
    session = table.session
    if session.game is None or seat not in session.seats:
        return {}
    tray, question = table.trays.tray(seat), table.private.get(seat)
    return {
        "private": {
            "tray": list(tray.laid),
            "strangers": tray.strangers,
            "question": plain(question.to_json()) if question else None,
        },
        "legal": _legal(table, seat),
        "undo": session.is_started and not session.is_paused and session.why_it_stands(seat) is None,
    }


def _legal(table: Table, seat: str) -> dict[str, Json]:
    """The seat's legal actions by verb. Of plans that nobody else may know anything of, only the verb is told."""
    session = table.session
    game = session.game
    assert game is not None
    if not table.is_playing:
        return {}
    found: dict[str, list[list[str]]] = {}
    for action in game.legal_actions(session.state, seat):
        arguments = found.setdefault(action.verb, [])
        if len(game.witness(action, None).args) != len(action.args):
            break  # where even the number of words is a secret, all are, and too many
        arguments.append(list(action.args))
    return found


# --- The house ---


def _staff(table: Table) -> dict[str, Json]:
    """Health of every sensor, and the differences. What lies in trays is nobody's business but its owner's."""
    standing: Mapping[str, Any] = table.decision.standing if table.decision else {}
    odd = (DIFFERS, PENDING, HIDDEN, "doubtful")
    return {
        "sensors": [
            {
                "sensor": health.sensor,
                "place": health.place,
                "available": health.is_available,
                "since": health.since,
                "reason": health.reason.to_json() if health.reason else None,
            }
            for _, health in sorted(table.health.items())
        ],
        "differences": [
            {"place": place, "state": found.state, **_found_on(table, place, found)}
            for place, found in standing.items()
            if found.state in odd
        ],
        "trouble": table.trouble.to_json() if table.trouble else None,
        "people": sum(seat.kind == PERSON for seat in table.session.seats.values()),
    }


def _found_on(table: Table, place: str, found: PlaceState) -> dict[str, Json]:
    """The house sees a board as everybody does."""
    session = table.session
    assert session.game is not None
    sight = Sight(session.game, session.state, None)
    seen = None if found.seen is None else sight.content(found.seen, place)
    return {"expected": sight.content(found.expected, place), "seen": seen}
