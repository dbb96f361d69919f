"""Expectations that only the stories of Māori have, besides the common ones of `tests/games/stories.py`."""

from __future__ import annotations

from pathlib import Path

from tests.games.stories import Check, Telling, field, of_player, piece
from tests.games.stories import tell as tell_story

FOLDER = Path(__file__).parent
STORIES = sorted(FOLDER.glob("*.txt"))


def tell(text: str) -> Telling:
    return tell_story(text, CHECKS)


CHECKS: dict[str, Check] = {
    "tile": piece("tile"),
    "boat": piece("boat"),
    "ship": piece("ship"),
    "shells": of_player("shells"),
    "canoes": of_player("canoes"),
    "reserve": field("reserve"),
    "pile": field("pile"),
    "final": field("final"),
}
