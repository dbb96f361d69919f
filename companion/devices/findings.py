"""One line of the doctor's table."""

from __future__ import annotations

from typing import NamedTuple

from companion.table.observations import Event


class Finding(NamedTuple):
    """With `is_fine` false, the event's sentence says what to do."""

    area: str
    is_fine: bool
    what: Event
    is_needed: bool = True  # a failure matters; otherwise it is only worth knowing
