"""Clicks on a photograph of somebody's own board, turned into a board file."""

from __future__ import annotations

from companion.games.protocol import FormatError, Json
from companion.games.texts import say
from web.services import Traced

MOST_PROBLEMS = 30


class Tracer:
    def board_file(self, clicks: Json, language: str) -> Traced:
        """The board and no problems, or everything that is wrong with it in words."""
        from vision.errors import VisionError, sentence
        from vision.trace import board_file, board_of, parse_trace

        try:
            trace = parse_trace(clicks)
            board_of(trace)
        except VisionError as error:
            return Traced(None, (sentence(error.code, error.data, language),))
        except FormatError as error:
            return Traced(None, tuple(say(problem, language) for problem in error.problems[:MOST_PROBLEMS]))
        return Traced(board_file(trace))
