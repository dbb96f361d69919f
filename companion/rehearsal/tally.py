"""What an evening is counted by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.games.protocol import Json


@dataclass
class HumanError:
    """A mistake of hands: where, and what came of it."""

    kind: str
    places: frozenset[str]
    at: float
    questions: set[str] = field(default_factory=set)
    is_over: bool = False  # the pieces lie right again

    @property
    def is_noticed(self) -> bool:
        return bool(self.questions)


class GameTally(NamedTuple):
    """One game. `faults` counts what sensors did wrong: misreadings, losses, dropouts.

    `errors` are those that lay there until the table spoke or the game was scored. Those that people put right by
    themselves before that, as when a tiki left behind is taken up for the next round, are `mended`.
    """

    is_finished: bool
    actions: int
    seconds: float
    inferred: int
    silent_wrong_commits: int
    wrong_final_score: bool
    wrong_final_board: bool  # a piece lies wrong and nobody knows, whether or not it counts
    errors: int
    noticed: int
    mended: int
    questions: int
    questions_without_cause: int
    most_questions_per_error: int
    faults: int
    checks: int
    secrets_leaked: int

    @property
    def is_clean(self) -> bool:
        """Whether neither people nor sensors did anything wrong."""
        return self.errors == 0 and self.faults == 0


def summary(games: Iterable[GameTally]) -> Mapping[str, Json]:
    """The figures of many games."""
    all_games = list(games)
    clean = [game for game in all_games if game.is_clean]
    return {
        "games": len(all_games),
        "finished": sum(game.is_finished for game in all_games),
        "actions": sum(game.actions for game in all_games),
        "inferred_actions": sum(game.inferred for game in all_games),
        "silent_wrong_commits": sum(game.silent_wrong_commits for game in all_games),
        "human_errors": sum(game.errors for game in all_games),
        "human_errors_noticed": sum(game.noticed for game in all_games),
        "human_errors_mended_unasked": sum(game.mended for game in all_games),
        "wrong_final_scores": sum(game.wrong_final_score for game in all_games),
        "wrong_final_boards": sum(game.wrong_final_board for game in all_games),
        "sensor_faults": sum(game.faults for game in all_games),
        "questions": sum(game.questions for game in all_games),
        "questions_without_cause": sum(game.questions_without_cause for game in all_games),
        "most_questions_per_error": max((game.most_questions_per_error for game in all_games), default=0),
        "clean_games": len(clean),
        "questions_in_clean_games": sum(game.questions for game in clean),
        "final_checks_by_eye": sum(game.checks for game in all_games),
        "secrets_leaked": sum(game.secrets_leaked for game in all_games),
        "table_hours": round(sum(game.seconds for game in all_games) / 3600, 1),
    }
