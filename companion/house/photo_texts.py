"""What can go wrong with a photograph, in words: vision's own sentences, and a few for the process around it."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.protocol import Event

_OWN: Mapping[str, Mapping[str, str]] = {
    "photo_reader_died": {
        "en": "Reading this photo failed or took more than {seconds} seconds. Take another one, closer to the board.",
        "fr": "La lecture de cette photo a échoué ou dépassé {seconds} secondes. Reprenez-en une de plus près.",
    },
    "photo_too_much": {
        "en": "This photo needs more memory than there is here. Send a smaller one.",
        "fr": "Cette photo demande plus de mémoire qu’il n’y en a ici. Envoyez-en une plus petite.",
    },
}


def problem_text(problem: Event, language: str) -> str:
    from vision.errors import sentence

    own = _OWN.get(problem.code)
    return own[language].format(**problem.data) if own else sentence(problem.code, problem.data, language)
