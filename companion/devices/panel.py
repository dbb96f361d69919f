"""Buttons and lamps at the seats: what the table asks of them, whatever they are made of."""

from __future__ import annotations

from typing import Protocol

from companion.devices.hub import Hub
from companion.table.observations import When

Colour = tuple[float, float, float]  # red, green, blue, each from 0 to 1

DARK: Colour = (0.0, 0.0, 0.0)
# The lamps' own idea of each player's colour: what looks right through a frosted cap, not on a screen.
LAMP_COLOURS: dict[str, Colour] = {
    "violet": (0.45, 0.0, 1.0),
    "pink": (1.0, 0.1, 0.4),
    "yellow": (1.0, 0.7, 0.0),
    "blue": (0.0, 0.1, 1.0),
    "green": (0.0, 1.0, 0.1),
    "orange": (1.0, 0.3, 0.0),
    "red": (1.0, 0.0, 0.0),
    "white": (1.0, 1.0, 1.0),
    "off": DARK,
}
BOUNCE_S = 0.05


class Panel(Protocol):
    """What the table does with the hardware at the seats. A part that a seat has not is passed over in silence."""

    def light(self, seat: str, colour: Colour) -> None: ...
    def buzz(self, is_on: bool) -> None: ...
    def show_status(self, is_on: bool) -> None: ...
    def close(self) -> None:
        """May be called twice. All lamps are dark afterwards."""


class Bounce:
    """Reports a press at its first edge, which is exact, and takes what follows at once for the contact bouncing."""

    def __init__(self, hub: Hub, seat: str, within_s: float = 0.001) -> None:
        self._hub, self._seat, self._within = hub, seat, within_s
        self._moved_at = float("-inf")

    def pressed(self, at: float) -> None:
        is_bounce = at - self._moved_at < BOUNCE_S
        self._moved_at = at
        if not is_bounce:
            self._hub.pressed(self._seat, When(at, self._within))

    def released(self, at: float) -> None:
        self._moved_at = at
