"""`makabana lesson`: list the lessons, or check one that a teacher has written."""

from __future__ import annotations

import argparse
import sys

from companion.commands.files import FileError, read_text
from companion.commands.terminal import columns
from companion.games.catalogue import GAME_NAMES
from companion.games.protocol import Event, FormatError
from companion.games.texts import harmless
from companion.teaching.library import Course, course_of, courses
from companion.teaching.texts import say

BAD_INPUT = 2


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("lesson", help="list lessons, or check a lesson file", description=__doc__)
    parser.add_argument("do", choices=("list", "check"), help="list the lessons there are, or check and play a file")
    parser.add_argument("lesson", nargs="?", default="-", help="a lesson file, or - for the standard input")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    return {"list": run_list, "check": run_check}[args.do](args)


def run_list(args: argparse.Namespace) -> int:
    rows = [[name, course.lesson.title.said(args.lang), f"{course.lesson.minutes} min"]
            for name, course in courses().items()]  # fmt: skip
    print("\n".join(f"  {line}" for line in columns(rows, "   ")))
    return 0


def run_check(args: argparse.Namespace) -> int:
    """Reads the lesson and plays every step with its model answer. All faults at once: a teacher wants the list."""
    try:
        text = read_text(args.lesson)
    except FormatError as error:
        raise FileError(args.lesson, error) from None
    try:
        course = course_of(text)
    except FormatError as error:
        for problem in error.problems:
            sentence = say(problem, args.lang, error.game or GAME_NAMES[0])
            print(f"makabana: {args.lesson}: {harmless(sentence)}", file=sys.stderr)
        return BAD_INPUT
    print(_praise(course, args.lang))
    return 0


def _praise(course: Course, language: str) -> str:
    lesson = course.lesson
    data = {"title": lesson.title.said(language), "steps": len(lesson.steps), "minutes": lesson.minutes}
    return say(Event("lesson_ok", data), language, course.game)
