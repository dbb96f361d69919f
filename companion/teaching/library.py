"""The lessons we bring: files beside the rules of each game."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import NamedTuple

from companion.games.catalogue import GAME_NAMES
from companion.games.protocol import FormatError
from companion.teaching.lesson import Lesson
from companion.teaching.parse import parse_lesson_text
from companion.teaching.stage import Stage, staged

log = logging.getLogger(__name__)


class Course(NamedTuple):
    """A lesson that has been checked, with all its positions."""

    lesson: Lesson
    stages: tuple[Stage, ...]

    @property
    def game(self) -> str:
        return self.stages[0].game.name


def course_of(text: str) -> Course:
    """The lesson in a JSON text, checked and ready. Raises `FormatError` naming everything that is wrong."""
    lesson = parse_lesson_text(text)
    return Course(lesson, staged(lesson))


@cache
def courses() -> Mapping[str, Course]:
    """All lessons of all games by their id, in the order in which they are best taken. A spoilt one is left out."""
    found = [course for game in GAME_NAMES for file in _files(game) if (course := _course(file)) is not None]
    found.sort(key=lambda course: (GAME_NAMES.index(course.game), course.lesson.order))
    return MappingProxyType({course.lesson.id: course for course in found})


def _course(file: Traversable) -> Course | None:
    try:
        return course_of(file.read_text(encoding="utf-8"))
    except (FormatError, UnicodeDecodeError, OSError) as error:
        log.error("The lesson %s can't be taught: %s. `makabana lesson check` says more.", file.name, error)
        return None


def _files(game: str) -> list[Traversable]:
    folder = resources.files(f"companion.games.{game}").joinpath("lessons")
    if not folder.is_dir():
        return []
    return sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=lambda file: file.name)
