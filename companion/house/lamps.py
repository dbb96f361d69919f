"""The lamps at the seats follow the table: whose turn it is, and who is asked something."""

from __future__ import annotations

from companion.devices.panel import DARK, LAMP_COLOURS, Colour, Panel
from companion.table.observations import Clock
from companion.table.table import Table

ASKED: Colour = LAMP_COLOURS["white"]
DIMMED = 0.25  # of those who may still press or plan while others are awaited too
BUZZ_S = 0.15


class Lamps:
    """Sets a lamp only when it changes, so that a panel's history is that of the evening."""

    def __init__(self, table: Table, panel: Panel, clock: Clock) -> None:
        self._table, self._panel, self._clock = table, panel, clock
        self._shown: dict[str, Colour] = {}
        self._question: str | None = None
        self._buzz_until: float | None = None
        self._is_status_on: bool | None = None

    def follow(self) -> None:
        with self._table.lock:
            wanted = lamps_of(self._table)
            question = self._table.question
            is_amiss = self._table.trouble is not None or any(
                not health.is_available for health in self._table.health.values()
            )
        for seat, colour in wanted.items():
            if self._shown.get(seat) != colour:
                self._shown[seat] = colour
                self._panel.light(seat, colour)
        if is_amiss is not self._is_status_on:
            self._is_status_on = is_amiss
            self._panel.show_status(is_amiss)
        self._buzz(question.id if question and question.seat else None)

    def _buzz(self, question: str | None) -> None:
        """A short buzz when somebody is asked something new."""
        now = self._clock.now()
        if question is not None and question != self._question:
            self._buzz_until = now + BUZZ_S
            self._panel.buzz(True)
        elif self._buzz_until is not None and now >= self._buzz_until:
            self._buzz_until = None
            self._panel.buzz(False)
        self._question = question


def lamps_of(table: Table) -> dict[str, Colour]:
    """Each seat's lamp: white for whoever is asked, its colour for whose turn it is, dimmed where several may act."""
    session = table.session
    if session.game is None:
        return {}
    asked = {question.seat for question in (table.question, *table.private.values()) if question is not None}
    actors = session.actors if table.is_playing else ()
    found = {}
    for seat in session.seats:
        colour = LAMP_COLOURS.get(session.game.colour_of(session.state, seat), ASKED)
        if seat in asked:
            found[seat] = ASKED
        elif seat in actors:
            red, green, blue = colour
            share = 1.0 if len(actors) == 1 else DIMMED
            found[seat] = (red * share, green * share, blue * share)
        else:
            found[seat] = DARK
    return found
