"""What the terminal shows when the house opens: one address, a QR code, and what waits to go on."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Collection

from companion.commands.evening.network import is_of_this_machine, is_offline
from companion.commands.evening.place import PIN_FILE, Place
from companion.commands.evening.texts import text
from companion.commands.terminal import Ink, has_colours
from companion.table.table import Table

MOST_OFFERED = 5


def show_banner(
    place: Place, address: str, language: str, laid: Table | None = None, real: Table | None = None
) -> None:
    """`laid` is the game that was asked for on the command line, `real` the table of the table file."""
    ink = Ink()
    print(ink.bold(text("banner", language)))
    is_alone = is_of_this_machine(address)
    if has_colours(sys.stdout) and not is_alone:
        print(qr_code(address))
    print(text(("alone" if is_offline() else "here") if is_alone else "address", language, address=address))
    if laid is None and real is None:
        print(text("demo", language, address=address))
    for key, table in (("laid", laid), ("real", real)):
        if table is not None:
            print(text(key, language, name=table.row.name, address=address, code=table.row.code))
    path = place.folder / PIN_FILE
    shows_pin = place.is_first and not _is_logged()
    print(text("pin" if shows_pin else "staff", language, address=address, pin=place.pin, path=path))
    _offer_games(place, address, language, (laid, real))
    print(ink.dim(text("stop", language)), flush=True)


def _offer_games(place: Place, address: str, language: str, but: Collection[Table | None]) -> None:
    """The games that wait to go on, the newest first."""
    waiting = [table for table in place.house.tables() if table.session.is_started and table.session.actors]
    waiting = sorted((table for table in waiting if table not in but), key=lambda table: -table.row.created)
    for table in waiting[:MOST_OFFERED]:
        running = place.running.table(table.row.id)
        key = "resume_virtual" if running is not None and running.is_virtual else "resume"
        print(text(key, language, name=table.row.name, address=address, code=table.row.code))
    if len(waiting) > MOST_OFFERED:
        print(text("resume_more", language, count=len(waiting) - MOST_OFFERED))


def _is_logged() -> bool:
    """Whether a service manager keeps what is printed: a log is no place for a PIN."""
    return "JOURNAL_STREAM" in os.environ


def qr_code(address: str) -> str:
    """The address as a QR code of block characters."""
    import segno

    out = io.StringIO()
    segno.make(address, error="m").terminal(out, compact=True, border=2)
    return out.getvalue().rstrip("\n")
