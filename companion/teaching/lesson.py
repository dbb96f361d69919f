"""What a lesson is: plain data that a teacher writes. `parse.py` reads it, `stage.py` plays it."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import NamedTuple

from companion.games.protocol import Action, Json

SHOW = "show"  # parts the words of an action whose order before and after it does not matter


class Text(NamedTuple):
    """A sentence in every language we speak."""

    en: str
    fr: str

    def said(self, language: str) -> str:
        return self.fr if language == "fr" else self.en


class Hint(NamedTuple):
    """What is said after a wrong try: after one that fits a pattern, or, without patterns, to whoever is stuck."""

    text: Text
    patterns: tuple[str, ...] = ()
    lit: tuple[str, ...] = ()


class Count(NamedTuple):
    """A question about the score; the rules know the answer."""

    player: str
    column: str
    choices: tuple[int, ...]


class Step(NamedTuple):
    """One thing to do. Without `board` and `then` it goes on where the step before it ended."""

    title: Text
    say: Text
    so: Text  # after the right answer
    seat: str
    board: Mapping[str, str] | None = None  # the whole board: what lies on each place that is not empty
    then: tuple[Action, ...] = ()  # played on that board before the learner is asked
    right: tuple[str, ...] = ()  # patterns without the seat; the first is the model and has no star
    question: Count | None = None
    lit: tuple[str, ...] = ()
    hints: tuple[Hint, ...] = ()
    after: tuple[Action, ...] = ()  # played by itself after the right answer

    @property
    def model(self) -> tuple[str, ...]:
        """The words of the answer that is shown to whoever gives up."""
        return tuple(self.right[0].split()) if self.right else ()


class Lesson(NamedTuple):
    """A lesson for one seat of one game."""

    id: str
    header: Mapping[str, Json]
    title: Text
    about: Text
    minutes: int
    order: int
    before: tuple[Action, ...]  # what leads to the first prepared board: an opening, say
    steps: tuple[Step, ...]


def fits(pattern: str, words: tuple[str, ...]) -> bool:
    """Whether words are what a pattern asks for: the verb, then its words, `*` standing for any, in any order but
    for what comes after `show`."""
    wanted, given = _parts(tuple(pattern.split())), _parts(words)
    return len(wanted) == len(given) and all(map(_same_words, wanted, given))


def _parts(words: tuple[str, ...]) -> list[list[str]]:
    """Verb, words before `show`, words after it."""
    parts: list[list[str]] = [list(words[:1]), []]
    for word in words[1:]:
        if word == SHOW:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _same_words(wanted: list[str], given: list[str]) -> bool:
    left = list(given)
    for pattern in sorted(wanted, key=lambda word: "*" in word):  # plain words first: a star takes what they leave
        found = next((word for word in left if fnmatchcase(word, pattern)), None)
        if found is None:
            return False
        left.remove(found)
    return not left
