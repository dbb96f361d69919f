"""What a seat may do, as a phone needs it: verb by verb, how it is chosen and among what."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from companion.games.protocol import Action, Game, Json, Refusal
from companion.table.table import Table
from web.language import typeset
from web.show import Foresight, Show
from web.shows import show_of
from web.words import Words

Verbs = dict[str, dict[str, Json]]
Tree = dict[str, Any]  # by word: the words that may follow it; the empty word where an action may end before them
_HOWS = ("ask", "with")
PLACE, SEAT, PLAIN, WORDS, SECRET, RACE = "place", "seat", "plain", "words", "secret", "race"


def verbs_of(table: Table, seen: Mapping[str, Json], seat: str) -> Verbs:
    """The seat's verbs. Chosen by words are those that need several, or words that are neither places nor seats."""
    game = table.session.game
    if game is None or not seen.get("legal"):
        return {}
    places, seats = set(game.places(table.session.state)), seen["seats"]
    show = show_of(game.name)
    found: Verbs = {}
    for verb in show.sorted(seen["legal"]):
        choices = seen["legal"][verb]
        kind = _kind(choices, () if 1 in show.cards.get(verb, ()) else places, seats)
        if choices and table.is_race(Action(seat, verb, tuple(choices[0]))):
            kind = RACE
        found[verb] = {"kind": kind, "choices": [choice[0] for choice in choices if choice and kind != WORDS]}
        marks = {"is_own": verb in show.own_verbs, "is_foreseen": verb in show.foreseen}
        found[verb] |= {mark: True for mark, holds in marks.items() if holds}
    is_worded = any(how["kind"] == WORDS for how in found.values())
    for verb, how in found.items():
        if how["kind"] == WORDS or (is_worded and how["kind"] == PLACE):  # then a tap asks what is to be done there
            tree = tree_of(seen["legal"][verb])
            how |= {"kind": WORDS, "choices": [], "tree": tree, "cards": show.cards.get(verb, ())}
            how["at"] = spots_of(show, seen["game"], seat, verb, tree)
    return found


def spots_of(show: Show, game: Mapping[str, Json], seat: str, verb: str, tree: Tree) -> dict[str, str]:
    """By word: the place it stands for, where that is called otherwise."""
    found = {word: show.place_of(game, seat, verb, word) for word in set(_words_in(tree))}
    return {word: place for word, place in found.items() if place is not None}


def _kind(choices: list[list[str]], places: Collection[str], seats: Collection[str]) -> str:
    """Whether a verb is done by tapping a place, naming a seat, pressing a button, word by word, or in secret."""
    if not choices:
        return SECRET
    if all(len(choice) == 1 and choice[0] in places for choice in choices):
        return PLACE
    if all(len(choice) == 1 and choice[0] in seats for choice in choices):
        return SEAT
    return PLAIN if choices == [[]] else WORDS


def tree_of(choices: Iterable[list[str]]) -> Tree:
    """The choices with what they begin alike with told once."""
    root: Tree = {}
    for choice in choices:
        at = root
        for word in choice:
            at = at.setdefault(word, {})
        at[""] = {}
    return _trimmed(root)


def _trimmed(tree: Tree) -> Tree:
    """The tree without ends where nothing else could follow."""
    return {} if tree.keys() == {""} else {word: _trimmed(further) for word, further in tree.items()}


def foreseen(table: Table, seat: str, deed: Sequence[str], words: Words) -> list[str]:
    """What an action would bring about, said before it is done; nothing for one that is not legal now."""
    with table.lock:
        game, state = table.session.game, table.session.state
    return [] if game is None else effects(game, state, seat, deed, words)


def effects(game: Game[Any], state: Any, seat: str, deed: Sequence[str], words: Words) -> list[str]:
    """The same for whatever state of a game. It is told from the seat's own views, so that the seat learns no more.

    Foreseen may be only what the seat could work out itself: not what a card from the stock will be, nor what turns up
    on the side of a maki that it has not seen. `tests/web/test_foresight.py` tries every action on other hidden cards.
    """
    action = Action(seat, deed[0], tuple(deed[1:]))
    if action.verb not in show_of(game.name).foreseen:
        return []
    after = game.apply(state, action)
    if isinstance(after, Refusal):
        return []
    before_seen, after_seen = game.view(state, seat), game.view(after, seat)
    colour = game.colour_of(state, seat)
    points = (game.score(state).points[colour]["total"], game.score(after).points[colour]["total"])
    sight = Foresight(seat, deed, before_seen, after_seen, points)
    return [typeset(said, words.language) for said in show_of(game.name).foresee(sight, words)]


def labels_of(table: Table, seen: Mapping[str, Json], seat: str, verbs: Verbs, words: Words) -> dict[str, str]:
    """What the words are called that a verb is chosen by, and what the game itself says at a step of it."""
    if table.session.game is None:
        return {}
    return labels(verbs, set(table.session.game.places(table.session.state)), seen["seats"], seat, words)


def labels(verbs: Verbs, places: Collection[str], seats: Collection[str], seat: str, words: Words) -> dict[str, str]:
    """The same for whatever has these places and seats."""
    trees = {verb: how["tree"] for verb, how in verbs.items() if how["kind"] == WORDS}
    said = dict.fromkeys(word for tree in trees.values() for word in _words_in(tree))
    named = {word: words.word(word, places, seats, seat) for word in said}
    return {**named, **{f"do {verb}": words.verb(verb) for verb in trees}, **_asked(trees, words)}


def _asked(trees: Mapping[str, Tree], words: Words) -> dict[str, str]:
    """`word.ask.bridge.2` of a game's texts asks for the second word of a bridge, `word.with.bridge.2` tells it."""
    steps = [(how, verb, step) for verb, tree in trees.items() for step in range(1, _depth(tree) + 1) for how in _HOWS]
    said = {f"{how} {verb} {step}": words.at_step(how, verb, step) for how, verb, step in steps}
    return {key: text for key, text in said.items() if text}


def _words_in(tree: Tree) -> Iterator[str]:
    for word, further in tree.items():
        if word:
            yield word
        yield from _words_in(further)


def _depth(tree: Tree) -> int:
    return 1 + max(map(_depth, tree.values())) if tree else 0
