"""The worked example of `companion/games/README.md`: taken from the page, put beside the other games, and played."""

from __future__ import annotations

import re
import subprocess
import sys
from inspect import signature
from pathlib import Path

import pytest

import companion.games
from companion.cli import main
from companion.games import catalogue
from companion.games.protocol import Action
from tests.games import test_every_game

ROOT = Path(__file__).parents[2]
README = (ROOT / "companion/games/README.md").read_text("utf-8")
NAME, RULES = "matches", "standard"


def block(language: str) -> str:
    return re.search(rf"```{language}\n(.*?)```", README, re.DOTALL)[1]


@pytest.fixture
def matches(tmp_path, monkeypatch):
    """The example as a package of its own, in the catalogue for the length of a test."""
    folder = tmp_path / NAME
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "game.py").write_text(block("python"), encoding="utf-8")
    (folder / "texts.json").write_text(block("json"), encoding="utf-8")
    monkeypatch.setattr(companion.games, "__path__", [*companion.games.__path__, str(tmp_path)])
    from companion.games.matches.game import Matches

    monkeypatch.setattr(catalogue, "_GAMES", {**catalogue._GAMES, NAME: Matches})
    yield Matches()
    catalogue.game_named.cache_clear()
    test_every_game.played.cache_clear()
    for module in [module for module in sys.modules if module.startswith("companion.games.matches")]:
        del sys.modules[module]


COMMON = [
    test
    for name, test in vars(test_every_game).items()
    if name.startswith("test_") and "configuration" in signature(test).parameters
]


@pytest.mark.parametrize("test", COMMON, ids=lambda test: test.__name__)
def test_what_holds_in_every_game_holds_in_the_example(matches, test):
    test((NAME, RULES, 2))


def test_all_common_tests_are_found():
    assert len(COMMON) > 10


def test_the_example_is_played_by_its_rules(matches):
    state = matches.start(matches.default_header(RULES, 2))
    for line in ("chance heap 5", "blue take 3", "green take 2"):
        state = matches.apply(state, Action.from_text(line))
    assert matches.outcome(state).score.winners == ("green",)


def test_a_record_of_the_example_is_replayed_and_told(matches, tmp_path, capsys):
    path = tmp_path / "game.txt"
    path.write_text("matches rules=standard players=blue,green\nchance heap 5\nblue take 3\ngreen take 2\n", "utf-8")
    assert main(["--lang", "en", "replay", str(path), "--story"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("There are 5 matches.\nBlue takes 3.\nGreen takes 2.\n")
    assert "Green took the last match." in out
    path.write_text(path.read_text("utf-8") + "blue take 1\n", "utf-8")
    assert main(["--lang", "en", "replay", str(path)]) == 2
    assert "Line 5: 'blue take 1' can't be: 0 are left" in capsys.readouterr().err


def test_the_example_has_the_types_of_a_game(tmp_path):
    """Checked by mypy as strictly as our own code is."""
    folder = tmp_path / "example"
    folder.mkdir()
    (folder / "matches.py").write_text(block("python"), encoding="utf-8")
    lines = ["from companion.games.protocol import Game", "from matches import Matches, State"]
    (folder / "check.py").write_text("\n".join([*lines, "game: Game[State] = Matches()", ""]), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(ROOT / ".mypy_cache/example"), "check.py"]
    environment = {"MYPYPATH": f"{folder}:{ROOT}", "PATH": ""}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
