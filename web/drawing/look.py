"""What a drawing is for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

MAP, PICTURE = "map", "picture"  # places to tap, or one picture to look at


class Look(NamedTuple):
    """What a drawing is for. `labels` names places for screen readers, `title` the whole."""

    kind: str = PICTURE
    title: str = ""
    labels: Mapping[str, str] = {}
    is_column: bool = False  # parts one below the other, for a phone held upright
    seat: str | None = None  # whose eyes it is for, where that makes a difference
