"""The command line's own complaints: one sentence in the user's language, where argparse has a page in English."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import NoReturn

from companion.games.texts import LANGUAGES, harmless

BAD_INPUT = 2
_NUMBERS = {"int": {"en": "a whole number", "fr": "un nombre entier"}, "float": {"en": "a number", "fr": "un nombre"}}
# What argparse says, and how we say it.
_SENTENCES = (
    (r"argument (?P<what>.+?): invalid choice: (?P<value>.+?) \(choose from (?P<allowed>.*)\)", {
        "en": "{what} can't be {value}; choose from {allowed}.",
        "fr": "{what} ne peut pas être {value} ; choisissez parmi {allowed}."}),
    (r"argument (?P<what>.+?): invalid (?P<number>int|float) value: (?P<value>.+)", {
        "en": "{what} must be {number}, not {value}.", "fr": "{what} doit être {number}, pas {value}."}),
    (r"argument (?P<what>.+?): expected .+ arguments?", {
        "en": "{what} needs a value after it.", "fr": "{what} demande une valeur à sa suite."}),
    (r"argument (?P<what>.+?): not allowed with argument (?P<value>.+)", {
        "en": "{what} and {value} do not go together.", "fr": "{what} et {value} ne vont pas ensemble."}),
    (r"the following arguments are required: (?P<what>.+)", {
        "en": "Something is missing: {what}.", "fr": "Il manque quelque chose : {what}."}),
    (r"one of the arguments (?P<what>.+) is required", {
        "en": "One of these is needed: {what}.", "fr": "Il faut l’un de ceux-ci : {what}."}),
    (r"unrecognized arguments: (?P<what>.+)", {
        "en": "There is no place for {what} here.", "fr": "Il n’y a pas de place ici pour {what}."}),
    (r"ambiguous option: (?P<what>.+?) could match (?P<value>.+)", {
        "en": "{what} could be any of {value}.", "fr": "{what} peut être {value}."}),
)  # fmt: skip
_HELP = {"en": "{sentence} For help: {command} --help", "fr": "{sentence} Pour de l’aide : {command} --help"}


class Parser(argparse.ArgumentParser):
    """`language` is for its complaints; parsers of subcommands have the same one."""

    language = LANGUAGES[0]

    def error(self, message: str) -> NoReturn:
        """Ends the program with one sentence and exit code 2."""
        said = _HELP[self.language].format(sentence=complaint(message, self.language), command=self.prog)
        print(f"makabana: {harmless(said)}", file=sys.stderr)
        sys.exit(BAD_INPUT)


def complaint(message: str, language: str) -> str:
    """What argparse complains of, in a sentence of ours; in its own words where we know none."""
    for pattern, sentences in _SENTENCES:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            said = found.groupdict()
            if "number" in said:
                said["number"] = _NUMBERS[said["number"]][language]
            return sentences[language].format(**said)
    return message


def asked_language(argv: Sequence[str], usual: str) -> str:
    """The language that a command line asks for, before anything else of it is understood."""
    after = [*argv[1:], ""]
    asked = [value for word, value in zip(argv, after, strict=False) if word == "--lang"]
    asked += [word.removeprefix("--lang=") for word in argv if word.startswith("--lang=")]
    return next((language for language in asked if language in LANGUAGES), usual)
