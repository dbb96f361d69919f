"""What each viewer may know, as JSON. Secrets are left out here, before anything is sent; nothing is hidden later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.protocol import Json, Movement, movements, parse_content, plain
from companion.table.audit import ending
from companion.table.compare import CONFIRMED, DIFFERS, HIDDEN, PENDING, UNKNOWN
from companion.table.questions import Question
from companion.table.session import PERSON
from companion.table.settle import range_of
from companion.table.table import Table

PUBLIC, STAFF = "public", "staff"


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
        own = {"viewer": seat, "game": game, "question": _question(table.question, seat)}
        return {**public, **own, **_own(table, seat)}


def _shared(table: Table, viewer: str) -> dict[str, Json]:
    session = table.session
    seat = viewer if viewer in session.seats else None
    game = session.game.view(session.state, seat) if session.game else None
    return {
        "epoch": table.epoch,
        "version": table.version,
        "number": session.number,
        "viewer": viewer,
        "table": _about(table),
        "seats": _seats(table),
        "game": game,
        "waits_for": list(session.actors),
        "todo": _todo(table),
        "board": _board(table),
        "early": [list(piece) for piece in table.decision.early] if table.decision else [],
        "question": _question(table.question, viewer),
        "seals": _seals(table),
        "race": _race(table),
        "news": [{"number": news.number, **news.event.to_json()} for news in table.news],
        "score": _score(table),
        "end": ending(table.session, table.belief) if session.is_settled else None,
        "trouble": table.trouble is not None,
    }


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


def _todo(table: Table) -> list[Json]:
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


def _seat_for(table: Table, colour: str) -> str | None:
    """Who sees to a piece: a person of its colour, else whoever helps out."""
    session = table.session
    assert session.game is not None
    owner = next((seat for seat in session.seats if session.game.colour_of(session.state, seat) == colour), None)
    return None if owner is None else (table.person_for(owner) or owner)


def _board(table: Table) -> dict[str, Json]:
    if table.decision is None:
        return {}
    return {
        place: {"state": found.state, "seen": found.seen}
        for place, found in table.decision.standing.items()
        if found.state not in (CONFIRMED, UNKNOWN) or found.expected != "empty"
    }


def _question(question: Question | None, viewer: str) -> Json:
    """The question itself for whoever can answer it; the others learn for whom the table waits."""
    if question is None:
        return None
    may_answer = viewer in (STAFF, question.seat)
    return {"for": question.seat, **(plain(question.to_json()) if may_answer else {})}


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


def _score(table: Table) -> Json:
    """The score as it stands: a range while places are in doubt."""
    session = table.session
    if session.game is None or not session.is_started:
        return None
    if table.decision is None:
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
    """The seat's legal actions by verb. Secret ones are too many to list: of those, only the verb is told."""
    session = table.session
    game = session.game
    assert game is not None
    if not table.is_playing:
        return {}
    found: dict[str, list[list[str]]] = {}
    for action in game.legal_actions(session.state, seat):
        arguments = found.setdefault(action.verb, [])
        if game.witness(action, None) != action:
            break  # where one is secret, all are
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
            {"place": place, "state": found.state, "expected": found.expected, "seen": found.seen}
            for place, found in standing.items()
            if found.state in odd
        ],
        "trouble": table.trouble.to_json() if table.trouble else None,
        "people": sum(seat.kind == PERSON for seat in table.session.seats.values()),
    }
