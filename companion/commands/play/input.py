"""What a player types, read forgivingly: any case, accents, order or separators, and beginnings that say enough."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import product
from math import prod
from typing import NamedTuple

from companion.games.makabana.setup import PAINT
from companion.games.protocol import Action

MOST_READINGS = 5_000  # with more ways to read a line, its first unclear word is asked back at once
_COORDINATES = ("beach", "sector", "spot")

# Other names of the cards, tried when no card itself begins like that.
_ALIASES = {
    "palms": "Cocotier", "lagoon": "Lagon", "rocks": "Rocher", "sand": "Sable", "grass": "Herbe", "herbes": "Herbe",
    "flowers": "Fleur", "fishes": "Poisson", "tattoos": "Tatouage", "tatoos": "Tatouage",
    "painting": "Paint", "peinture": "Paint", "diving": "Club", "plongee": "Club",
}  # fmt: skip
_SHOW = ("show", "shows", "showing", "montre", "montrer", "montrant", "visible")
_NOTHING = ("nothing", "none", "rien")
_YES, _NO = ("yes", "oui", "ok"), ("no", "non")

_COMMANDS = {
    "help": ("help", "aide"),
    "board": ("board", "plateau"),
    "score": ("score", "scores"),
    "near": ("near", "voisins"),
    "undo": ("undo", "annuler", "reprendre"),
    "save": ("save", "sauver", "sauvegarder", "enregistrer"),
    "quit": ("quit", "exit", "quitter", "q"),
}
_COMMAND_OF = {word: command for command, words in _COMMANDS.items() for word in words}
COMMAND_WORDS = tuple(_COMMAND_OF)


class Unclear(NamedTuple):
    """The word in this place (counted from 0) could be any of the candidates."""

    place: int
    word: str
    candidates: tuple[str, ...]


class Unknown(NamedTuple):
    """A word that fits nothing."""

    word: str


class Laid(NamedTuple):
    """The cards of a plan in written order, and the one to show if it was said."""

    cards: tuple[str, ...]
    clue: str | None


class Choice(NamedTuple):
    """An action to pick by number or by words; each part of its name may have several spellings."""

    action: Action
    label: str
    parts: tuple[tuple[str, ...], ...]


def fold(text: str) -> str:
    """Small letters without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


def words_of(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", fold(text))


def command_of(text: str) -> str | None:
    """The command that a line begins with, in either language, if it is one."""
    if text.strip().startswith("?"):
        return "help"
    return _COMMAND_OF.get(next(iter(words_of(text)), ""))


def number_of(text: str) -> int | None:
    """The number that is all a line says."""
    said = text.strip().rstrip(".)")
    return int(said) if re.fullmatch(r"[0-9]{1,4}", said) else None


def is_yes(text: str) -> bool:
    return _begins(text, _YES)


def is_no(text: str) -> bool:
    return _begins(text, _NO)


def _begins(text: str, spellings: tuple[str, ...]) -> bool:
    words = words_of(text)
    return len(words) == 1 and any(spelling.startswith(words[0]) for spelling in spellings)


def is_nothing(words: Sequence[str]) -> bool:
    return len(words) == 1 and words[0] in _NOTHING


def meant(word: str, vocabulary: Iterable[str]) -> str | None:
    """What a word that fits nothing was perhaps meant to be."""
    close = get_close_matches(word, {fold(known): known for known in vocabulary}, n=1, cutoff=0.7)
    return close[0] if close else None


# Cards and plans


def cards_like(word: str, cards: Collection[str]) -> tuple[str, ...]:
    """The cards that begin with the word; failing that, those with another name that does."""
    own = tuple(card for card in dict.fromkeys(cards) if fold(card).startswith(word))
    others = (card for alias, card in _ALIASES.items() if alias.startswith(word) and card in cards)
    return own or tuple(dict.fromkeys(others))


def read_plan(words: Sequence[str], kinds: Mapping[str, str], sites: Collection[str]) -> Laid | Unclear | Unknown:
    """The plan that the words name; `kinds` are all cards and their kinds, in written order.

    After a word for "show" comes the clue, which need not be named among the cards before.
    """
    at = next((index for index, word in enumerate(words) if _means_show(word)), len(words))
    cards = {index: word for index, word in enumerate(words) if index not in (at, at + 1)}
    if at + 1 >= len(words):
        read = _read_cards(cards, kinds, sites)
        return Laid(_in_order(read.values(), kinds), None) if isinstance(read, dict) else read
    apart = _read_with_clue(cards, at + 1, words[at + 1], kinds, sites)
    if isinstance(apart, Laid) or (isinstance(apart, Unclear) and apart.place == at + 1):
        return apart
    read = _read_cards({**cards, at + 1: words[at + 1]}, kinds, sites, clue_at=at + 1)
    if isinstance(read, dict):
        return Laid(_in_order(read.values(), kinds), read[at + 1])
    return apart or read


def _means_show(word: str) -> bool:
    return len(word) > 2 and any(show.startswith(word) for show in _SHOW)


def _read_with_clue(
    cards: Mapping[int, str], at: int, clue: str, kinds: Mapping[str, str], sites: Collection[str]
) -> Laid | Unclear | Unknown | None:
    """The plan if the clue is one of the cards already named; None if it is not."""
    read = _read_cards(cards, kinds, sites)
    if not isinstance(read, dict):
        return read
    clues = cards_like(clue, read.values())
    if len(clues) > 1:
        return Unclear(at, clue, clues)
    return Laid(_in_order(read.values(), kinds), clues[0]) if clues else None


def _read_cards(
    words: Mapping[int, str], kinds: Mapping[str, str], sites: Collection[str], clue_at: int = -1
) -> dict[int, str] | Unclear | Unknown:
    """A card for each word. An unclear word is settled where only one reading names a site: `c l f`."""
    options = {index: cards_like(word, kinds) for index, word in words.items()}
    for index, cards in options.items():
        if not cards:
            return Unknown(words[index])
    if prod(map(len, options.values())) <= MOST_READINGS:
        readings = [dict(zip(options, cards, strict=True)) for cards in product(*options.values())]
        if len(readings) == 1:
            return readings[0]
        if sound := [reading for reading in readings if _names_a_site(list(reading.values()), kinds, sites)]:
            options = {index: tuple(dict.fromkeys(reading[index] for reading in sound)) for index in options}
            if len({(_in_order(reading.values(), kinds), reading.get(clue_at)) for reading in sound}) == 1:
                return sound[0]
    index = next(index for index, cards in options.items() if len(cards) > 1)
    return Unclear(index, words[index], options[index])


def _names_a_site(cards: Sequence[str], kinds: Mapping[str, str], sites: Collection[str]) -> bool:
    """Whether the cards are one of each coordinate, of a site that exists, with at most one card more."""
    by_kind = {kinds[card]: card for card in cards}
    counts = Counter(kinds[card] for card in cards)
    is_exact = all(counts[kind] == 1 for kind in _COORDINATES) and len(cards) <= len(_COORDINATES) + 1
    return is_exact and "-".join(by_kind[kind] for kind in _COORDINATES) in sites


def _in_order(cards: Iterable[str], kinds: Mapping[str, str]) -> tuple[str, ...]:
    rank = list(kinds)
    return tuple(sorted(cards, key=rank.index))


def clues_of(cards: Iterable[str], paint_lies_open: bool) -> tuple[str, ...]:
    """The cards of a plan that may lie face up."""
    faces = tuple(dict.fromkeys(cards))
    others = tuple(card for card in faces if card != PAINT)
    return others if paint_lies_open and others else faces


# Picking one of several actions


def place_parts(place: str) -> tuple[tuple[str, ...], ...]:
    """The words that name a place: `Aloa-Lagon-Fleur`, `club:Aloa`."""
    return tuple((word,) for word in words_of(place))


def fitting(words: Sequence[str], choices: Iterable[Choice]) -> list[Choice]:
    """The choices that all the words fit, in any order; each word stands for another part."""
    return [choice for choice in choices if _fit(words, choice.parts)]


def _fit(words: Sequence[str], parts: tuple[tuple[str, ...], ...]) -> bool:
    if len(words) > len(parts):
        return False
    if not words:
        return True
    return any(
        any(spelling.startswith(words[0]) for spelling in part) and _fit(words[1:], parts[:i] + parts[i + 1 :])
        for i, part in enumerate(parts)
    )


def in_card_words(words: Iterable[str], cards: Collection[str]) -> list[str]:
    """The words with other names of cards put as the cards call themselves: `fish` is `poisson`."""
    found = []
    for word in words:
        own = any(fold(card).startswith(word) for card in cards)
        alias = cards_like(word, cards)
        found.append(word if own or len(alias) != 1 else fold(alias[0]))
    return found
