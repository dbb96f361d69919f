"""The stories of every game hold, line by line, and a second reading of the rules tells them alike."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from companion.games.record import parse_record, to_jsonl, to_text
from tests.games.stories import Telling
from tests.kahuna import regenerate as kahuna
from tests.kahuna.golden import stories as kahuna_stories
from tests.kahuna.support import BOARD as KAHUNA_BOARD
from tests.makabana import regenerate as makabana
from tests.makabana.golden import stories as makabana_stories
from tests.makabana.support import BOARD_FILES as MAKABANA_BOARDS
from tests.makisan import regenerate as makisan
from tests.makisan.golden import stories as makisan_stories
from tests.maori import regenerate as maori
from tests.maori.golden import stories as maori_stories
from tests.maori.support import BOARD_FILES as MAORI_BOARDS
from tests.maori.support import TILE_FILE
from tests.reference.kahuna import Referee as KahunaReferee
from tests.reference.makisan import Referee as MakiSanReferee
from tests.reference.maori_referee import Referee as MaoriReferee
from tests.reference.referee import Referee as MakaBanaReferee


class Book(NamedTuple):
    """A game's stories and whole games, how to tell them, and its second reading for a header."""

    stories: list[Path]
    games: list[Path]
    tell: Callable[[str], Telling]
    referee: Callable[[dict], Any]


BOOKS = {
    "makabana": Book(
        makabana_stories.STORIES,
        sorted(makabana.FOLDER.glob("*.txt")),
        makabana_stories.tell,
        lambda header: MakaBanaReferee(header, MAKABANA_BOARDS),
    ),
    "kahuna": Book(
        kahuna_stories.STORIES,
        sorted(kahuna.FOLDER.glob("*.txt")),
        kahuna_stories.tell,
        lambda header: KahunaReferee(header, KAHUNA_BOARD),
    ),
    "makisan": Book(
        makisan_stories.STORIES, sorted(makisan.FOLDER.glob("*.txt")), makisan_stories.tell, MakiSanReferee
    ),
    "maori": Book(
        maori_stories.STORIES,
        sorted(maori.FOLDER.glob("*.txt")),
        maori_stories.tell,
        lambda header: MaoriReferee(header, MAORI_BOARDS, TILE_FILE),
    ),
}
STORIES = [(name, path) for name, book in BOOKS.items() for path in book.stories]
ALL = [*STORIES, *((name, path) for name, book in BOOKS.items() for path in book.games)]


def named(value: object) -> str:
    return value.stem if isinstance(value, Path) else str(value)


@pytest.mark.parametrize(("name", "path"), STORIES, ids=named)
def test_story_holds_line_by_line(name, path):
    telling = BOOKS[name].tell(path.read_text("utf-8"))
    assert telling.faults == ()
    assert telling.checked > 0


@pytest.mark.parametrize(("name", "path"), ALL, ids=named)
def test_story_is_an_ordinary_record_in_both_forms(name, path):
    record = parse_record(path.read_text("utf-8"))
    assert record.header["game"] == name
    assert parse_record(to_text(record)) == record
    assert parse_record(to_jsonl(record)) == record


@pytest.mark.parametrize(("name", "path"), ALL, ids=named)
def test_referee_reads_the_story_alike(name, path):
    """The second reading of the rules accepts every action, refuses what must be refused, ends at the same board."""
    text, book = path.read_text("utf-8"), BOOKS[name]
    record = parse_record(text)
    referee, header = book.referee(dict(record.header)), to_text(record).splitlines()[0]
    for number, line in enumerate(text.splitlines(), 1):
        content, tried = line.split("#", 1)[0].strip(), line.partition(": ")[2]
        if line.startswith("#= refused "):
            assert not deepcopy(referee).play(tried), f"line {number}"
        elif line.startswith("#= would "):
            assert deepcopy(referee).play(tried), f"line {number}"
        elif content and content != header:
            assert referee.play(content), f"line {number}"
    moment = book.tell(text).moment
    assert referee.position() == moment.game.position(moment.state)
