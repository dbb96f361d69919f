"""What `makabana play` shows: no secret of anybody else, in any terminal, in both languages."""

from __future__ import annotations

import io
import os
import random
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from string import Formatter

import pytest

from companion.commands.play.screen import Scene, board_lines, screen_lines
from companion.commands.terminal import Ink
from companion.games.protocol import Action, Json
from companion.games.record import Record, last_state, loads_strictly, replay_text, to_jsonl
from tests.commands.play_support import (
    GAME,
    ONE_OF_EACH,
    ROOT,
    AtTerminal,
    from_menus,
    play_here,
    script,
)

TEXTS = loads_strictly(resources.files("companion.commands.play").joinpath("texts.json").read_text(encoding="utf-8"))


# Secrets


def _laid_by_all(rules: str, people: int, secrets: int) -> Record:
    """A game in which all have laid plans. Others' plans differ by `secrets`, but not in what everybody sees."""
    header = GAME.default_header(rules, people)
    rng, state, actions = random.Random(8), GAME.start(header), []
    mine = header["camps"][0] if "camps" in header else GAME.seats(state)[:1]
    while state.phase in ("opening", "plan"):
        seat = GAME.actors(state)[0]
        legal = GAME.legal_actions(state, seat)
        action = rng.choice(legal)
        if action.verb == "plan" and seat not in mine:
            action = _alike(legal, action)[secrets]
        actions.append(action)
        state = GAME.apply(state, action)
    return Record(header, tuple(actions))


def _alike(legal: Sequence[Action], action: Action) -> tuple[Action, Action]:
    """The plan, and another one with the same clue, as many cards and as many Paints."""

    def seen(plan: Action) -> tuple[str, int, int]:
        return plan.args[-1], len(plan.args), plan.args.count("Paint")

    return action, next((other for other in legal if seen(other) == seen(action) and other != action), action)


@pytest.mark.parametrize(("rules", "players"), ONE_OF_EACH)
def test_the_screen_is_the_same_whatever_others_hide(rules: str, players: int, monkeypatch, tmp_path) -> None:
    lines = ["?", "board", "score", "undo", "near lag", "alo", "azz", "show", "?", "quit"]
    screens = []
    for secrets in (0, 1):
        folder = tmp_path / str(secrets)
        folder.mkdir()
        monkeypatch.chdir(folder)
        Path("game.jsonl").write_text(to_jsonl(_laid_by_all(rules, players, secrets)), encoding="utf-8")
        screens.append(script(monkeypatch, *lines, args=("--save", "game.jsonl", "--seed", "1")))
    assert _laid_by_all(rules, players, 0) != _laid_by_all(rules, players, 1)
    assert screens[0] == screens[1]


@pytest.mark.parametrize(("rules", "players"), ONE_OF_EACH)
def test_no_line_shows_a_hidden_card_before_it_is_revealed(rules: str, players: int, monkeypatch, tmp_path) -> None:
    path, menus, checked = tmp_path / "game.jsonl", from_menus(random.Random(6)), [0]

    def look_then_answer(asked: str) -> str:
        state = last_state(replay_text(path.read_text("utf-8"))[0])
        mine = {state.setup.seats[0], *(state.setup.camps[0] if state.setup.camps else ())}
        for index, seat in enumerate(state.setup.seats):
            plan = state.plans[index]
            if plan is None or state.revealed[index] or seat in mine:
                continue
            who = seat.capitalize().replace("-", " ")
            rows = re.findall(rf"^[ >]+\w\W {who} +\d.*$", asked.rpartition(" ── ")[2], re.MULTILINE)
            hidden = set(plan.cards) - {plan.clue} - ({"Paint"} if state.setup.rules.paint_lies_open else set())
            assert [row for row in rows for card in hidden if card in row] == []
            checked[0] += len(rows)
        return menus(asked)

    args = ("--rules", rules, "--players", str(players), "--seed", "2", "--save", str(path))
    assert play_here(monkeypatch, look_then_answer, *args)[0] == 0
    assert checked[0] > 10


# What it looks like


def position(**pieces: Json) -> dict[str, Json]:
    state = GAME.start(GAME.default_header("2013", 4))
    return {**GAME.view(state, "violet"), **pieces}


def test_the_board_shows_huts_tikis_clubs_and_what_is_next_to_ones_own() -> None:
    view = position(
        huts={"Aloa-Rocher-Fleur": "violet", "Borea-Rocher-Poisson": "pink", "Coconut-Sable-Fleur": "violet"},
        tikis={"violet": "Coconut-Sable-Fleur", "blue": "Aloa-Sable-Fleur", "pink": "club:Coconut"},
        clubs={"Borea": "yellow"},
    )
    drawn = list(board_lines(view, Scene(("violet",), "en", Ink(io.StringIO()))))
    assert drawn[:6] == [
        "        │Aloa           │Borea               │Coconut",
        "        │Lago Roch Sabl │Coco Lago Roch Sabl │Coco Lago Sabl",
        "   Fleur│a+   aV◆  cB!  │ ·   e·   d·   f·   │ ·   f·   hV◆!",
        " Poisson│b·    ·   c·   │d·   e·   aP●  f·   │f·   f·   h+",
        "Tatouage│b·   a+   b·   │ ·   e·   a+   f·   │f·   g·   g·",
        "    Club│ ·             │ Y▲                 │ P!",
    ]


def test_a_narrow_terminal_gets_more_rows_of_beaches() -> None:
    drawn = list(screen_lines(position(), Scene(("violet",), "fr", Ink(io.StringIO()), width=50)))
    assert max(map(len, drawn)) <= 80
    assert sum("Fleur│" in line for line in drawn) == 2


def test_marks_of_all_colours_differ_without_their_colour() -> None:
    for lang in ("en", "fr"):
        scene = Scene((), lang, Ink(io.StringIO()))
        marks = [scene.mark(colour) for colour in "violet pink yellow blue green orange red black".split()]
        assert len(set(marks)) == len(marks)


def test_colours_are_for_terminals_that_have_them(tmp_path: Path) -> None:
    def raw(**env: str) -> str:
        with AtTerminal("--seed", "1", cwd=tmp_path, **env) as terminal:
            terminal.asked()
            return terminal.raw

    assert "\x1b[38;5;" in raw(TERM="xterm-256color")
    assert "\x1b[38;5;" not in raw(TERM="xterm-256color", NO_COLOR="1")
    assert "\x1b[" not in raw(TERM="dumb")


def test_a_terminal_without_unicode_gets_plain_letters() -> None:
    command = [sys.executable, "-m", "companion.cli", "play", "--terminal", "--lang", "fr", "--seed", "1"]
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    result = subprocess.run(
        command, input=b"alo lag fle\n\xff\xc3\n", capture_output=True, cwd=ROOT, env=env, check=True
    )
    printed = result.stdout.decode("ascii")
    assert "V*" in printed
    assert "Vous etes Violet" in printed
    assert "Les premieres paillotes" in printed


def test_french_is_spoken_throughout(monkeypatch) -> None:
    lines = ["alo lag fle", "annuler", "alo lag fle", "", "bor lag poi", "alo lag fle", "non", "alo sab fle montre sab"]
    printed = script(monkeypatch, *lines, "", "?", "score", "quitter", "non", lang="fr")
    for said in ("C’est repris.", "Votre main :", "Vous posez Aloa Sable Fleur, en montrant Sable.", "À bientôt !"):
        assert said in printed
    assert "Your" not in printed


@pytest.mark.parametrize("key", sorted(TEXTS))
def test_a_text_says_the_same_in_both_languages(key: str) -> None:
    def fields(text: str) -> set[str | None]:
        return {field for _, field, _, _ in Formatter().parse(text) if field}

    assert set(TEXTS[key]) == {"en", "fr"}
    assert fields(TEXTS[key]["en"]) == fields(TEXTS[key]["fr"])


def test_every_text_is_used() -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "companion" / "commands" / "play").glob("*.py"))
    composed = ("explain_", "help_", "do_")
    assert [key for key in TEXTS if not re.search(rf"""["']{key}["']""", code) and not key.startswith(composed)] == []
