"""Photographs of any game's boards, as the photo page shows them: their names, their map, what else people may say."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup, escape

from companion.games.maori.board import BOARD_NAMES as MAORI_SIDES
from companion.games.texts import name, word
from web.drawing import MAP, Look
from web.drawing.pieces import pieces_svg
from web.pages.boards import TITLES
from web.shows import show_of
from web.words import Words

_MAORI_COLOURS = ("blue", "red", "yellow", "green", "violet")  # of the printed boards
_OTHERS = {"kahuna": "Kahuna", "makisan": "Maki-San"}
_MAORI = {f"maori-{side}-{colour}": (side, colour) for side in MAORI_SIDES for colour in _MAORI_COLOURS}
_PLACE = re.compile(
    r'(data-place="([^"]+)"[^>]*? data-content=")empty("[^>]*? data-size="([\d.]+)".*?<g class="pieces"[^>]*>)(</g>)'
)


def board_titles(language: str) -> dict[str, str]:
    """Every board that a photo may show, as people call it."""
    maori = {
        board: f"Māori: {word(side, language, 'maori')}, {name(colour, language, 'maori')}"
        for board, (side, colour) in _MAORI.items()
    }
    return {**TITLES, **_OTHERS, **maori}


def is_board(board: str) -> bool:
    return board in TITLES or board in _OTHERS or board in _MAORI


def sheet_map(snapshot: Mapping[str, Any], words: Words) -> Markup:
    """The game's own drawing with what was read on it; nothing for a game that nobody has drawn yet."""
    show = show_of(words.game)
    contents = {place: seen["content"] for place, seen in snapshot["places"].items()}
    labels = {place: f"{words.label(place)}: {words.content(content)}" for place, content in contents.items()}
    look = Look(MAP, words.gettext(show.title), labels, is_column=True)
    header = {key: value for key, value in snapshot["header"].items() if key in ("game", "rules", "boards", "players")}

    def filled(match: re.Match[str]) -> str:
        content = contents.get(html.unescape(match[2]), "empty")
        drawn = pieces_svg(content, float(match[4]), show.symbols)
        return f"{match[1]}{escape(content)}{match[3]}{drawn}{match[5]}"

    return Markup(_PLACE.sub(filled, str(show.draw(header, look))))


def facts(snapshot: Mapping[str, Any], words: Words) -> list[dict[str, Any]]:
    """What people may add that no camera sees, each with its label and the words to choose from."""
    return [
        {**fact, "label": _label(fact, words), "choices": _choices(fact, words)} for fact in snapshot.get("facts", ())
    ]


def _label(fact: Mapping[str, Any], words: Words) -> str:
    about = str(fact["about"])
    if about.isdigit():
        return words.round(int(about))
    category = {"wins": "rounds"}.get(str(fact["key"]).partition("-")[0], str(fact["key"]).partition("-")[0])
    return f"{words.verb(category)}{words.card('colon')}{words.who(about)}"


def _choices(fact: Mapping[str, Any], words: Words) -> dict[str, str]:
    values = [str(value) for value in fact["values"]]
    return {value: value if value.isdigit() else "–" if value == "nobody" else words.who(value) for value in values}


def ways(snapshot: Mapping[str, Any], words: Words) -> dict[str, list[list[str]]]:
    """By place: what may lie there, as contents with their names, the likeliest first and nothing at the end."""
    found = {}
    for place, seen in snapshot["places"].items():
        own = [seen["content"], *seen["ways"]]
        colours = snapshot["players"] if _is_owned(own, snapshot["players"]) else ()
        contents = dict.fromkeys([*own, *(f"{seen['piece']}:{colour}" for colour in colours), "empty"])
        contents.pop("empty")
        found[place] = [[content, words.content(content)] for content in (*contents, "empty")]
    return found


def _is_owned(contents: list[str], players: list[str]) -> bool:
    return all(content.rpartition(":")[2] in (*players, "empty") for content in contents)
