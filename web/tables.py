"""The tables as the pages reach them: the house itself, the evening that runs it, and what the staff's door needs."""

from __future__ import annotations

from typing import NamedTuple

from flask import Flask, abort, current_app, request

from companion.table.house import House
from companion.table.session import PERSON
from companion.table.table import Table
from web.chronicle import Chronicle
from web.config import Rate
from web.limits import Limiter
from web.live import Live
from web.parts import parts
from web.services import TableDoor

SEAT_COOKIE = "makabana_seat_"  # one for each table, so that a phone may sit at several
BETWEEN, MOST_SEATS = "~", 4
A_WEEK_S = 7 * 24 * 3600
_PINS = Rate(5, 4)  # wrong PINs by address
_PINS_OF_ALL = Rate(15, 10)  # and from everybody together


class Doors:
    """The house as the first page asks for it."""

    def __init__(self, house: House) -> None:
        self._house = house

    def table_by_code(self, code: str) -> str | None:
        table = self._house.by_code(code)
        return table.row.id if table else None

    def table(self, table_id: str) -> TableDoor | None:
        """Pages of tables ask the house itself; nobody else needs one."""
        return None


class Evening(NamedTuple):
    """What the pages of tables may ask for besides their request."""

    house: House
    live: Live
    chronicle: Chronicle
    pin: str
    sessions: set[str]  # hashes of the staff's cookies; a restart asks for the PIN again
    pins: Limiter
    pins_of_all: Limiter

    def __repr__(self) -> str:
        return "Evening(hidden)"


def put_evening(app: Flask, house: House, live: Live, chronicle: Chronicle, pin: str) -> None:
    limits = Limiter(_PINS), Limiter(_PINS_OF_ALL)
    app.extensions["makabana_evening"] = Evening(house, live, chronicle, pin, set(), *limits)


def evening() -> Evening:
    found: Evening = current_app.extensions["makabana_evening"]
    return found


def table_of(code: str) -> Table:
    """The table with this code. Wrong codes cost tokens, as on the first page; ends the request with 404 or 429."""
    from web.pages.welcome import CODE, EVERYBODY
    from web.safety import client, slow_down, too_often

    found = parts()
    wait = max(found.codes.wait(client()), found.codes_of_all.wait(EVERYBODY))
    if wait:
        too_often(wait)
    table = evening().house.by_code(code) if CODE.fullmatch(code.upper()) else None
    if table is None:
        slow_down(found.codes, client())
        slow_down(found.codes_of_all, EVERYBODY)
        abort(404)
    return table


def own_tokens(table: Table) -> list[str]:
    """The tokens that this request's phone keeps for the table, those that count for nothing any more left out."""
    kept = request.cookies.get(SEAT_COOKIE + table.row.id, "")[:500].split(BETWEEN)
    return [token for token in kept[:MOST_SEATS] if _seat_by(table, token) is not None]


def own_seats(table: Table) -> list[str]:
    """The seats that this request's phone speaks for: one, or more where people play several colours."""
    found = [_seat_by(table, token) for token in own_tokens(table)]
    return [seat for index, seat in enumerate(found) if seat is not None and seat not in found[:index]]


def _seat_by(table: Table, token: str) -> str | None:
    seat = evening().house.seat_of(table, token) if 20 <= len(token) <= 100 else None
    return seat if seat is not None and table.session.seats[seat].kind == PERSON else None


def seat_of(table: Table) -> str | None:
    """The seat that this request is about: the one it names, else the one that may act, else the phone's first."""
    own = own_seats(table)
    named = request.args.get("as", "")
    if named:
        return named if named in own else None
    return next((seat for seat in own if seat in table.session.actors), own[0] if own else None)


def own_seat(table: Table) -> str:
    """The same, or the end of the request with 403."""
    seat = seat_of(table)
    if seat is None:
        abort(403)
    return seat
