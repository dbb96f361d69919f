"""`makabana play` as somebody at the keyboard has it: forgiving, fair, resumable, and silent about secrets."""

from __future__ import annotations

import random
from importlib import resources
from pathlib import Path

import pytest

from companion.games.makabana.state import AMENDS, OVER
from companion.games.record import Record, loads_strictly, replay_text, to_jsonl
from companion.players.random_player import random_action
from tests.commands.play_support import (
    GAME,
    GAMES,
    ONE_OF_EACH,
    OPENING,
    AtTerminal,
    after,
    from_menus,
    play_here,
    script,
    unwrapped,
)

TEXTS = loads_strictly(resources.files("companion.commands.play").joinpath("texts.json").read_text(encoding="utf-8"))


# Whole games


@pytest.mark.parametrize(("rules", "players"), ONE_OF_EACH)
def test_a_whole_game_can_be_played_at_a_terminal(rules: str, players: int, tmp_path: Path) -> None:
    args = ("--rules", rules, "--players", str(players), "--seed", "7", "--save", "game.jsonl")
    with AtTerminal(*args, cwd=tmp_path) as terminal:
        assert terminal.play(from_menus(random.Random(1))) == 0
        printed = terminal.output
    assert "Traceback" not in printed
    assert [line for line in printed.splitlines() if len(line) > 80] == []
    assert "The final score" in printed
    assert "★" in printed
    assert replay_text((tmp_path / "game.jsonl").read_text("utf-8"))[1].phase == OVER


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(("rules", "players"), GAMES)
def test_a_whole_game_fits_eighty_columns_and_leaves_no_gap_in_its_sentences(
    rules: str, players: int, lang: str, monkeypatch
) -> None:
    args = ("--rules", rules, "--players", str(players), "--seed", "3")
    code, printed = play_here(monkeypatch, from_menus(random.Random(2)), *args, lang=lang)
    assert code == 0
    assert [line for line in printed.splitlines() if len(line) > 80 or "{" in line] == []
    assert TEXTS["end_total"][lang] in printed


def test_each_phase_is_explained_once(monkeypatch) -> None:
    _, printed = play_here(monkeypatch, from_menus(random.Random(2)), "--rules", "2013-mao", "--seed", "3")
    for key in ("explain_opening", "explain_plan_mao", "explain_denounce", "explain_tiki", "explain_realise"):
        begin = TEXTS[key]["en"].split(":")[0]
        assert unwrapped(printed).count(begin) == 1, key


def test_the_same_seed_gives_the_same_game(monkeypatch) -> None:
    games = [play_here(monkeypatch, from_menus(random.Random(2)), "--seed", "5")[1] for _ in range(2)]
    assert games[0] == games[1]


@pytest.mark.parametrize(
    ("verb", "answer", "told"),
    [
        ("repaint", "1", "Yellow repaints the hut of"),
        ("offer", "1", "Yellow puts up the hut on"),
        ("accept", "yes", "Yellow repaints the hut of"),
        ("accept", "no", "Yellow leaves the hut on"),
    ],
)
def test_amends_are_asked_for_in_mao_2003(verb: str, answer: str, told: str, monkeypatch, tmp_path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(to_jsonl(_up_to(verb)), encoding="utf-8")
    printed = script(monkeypatch, answer, args=("--save", str(path)))
    assert TEXTS[f"ask_{verb}"]["en"] in printed
    assert told in unwrapped(after(printed, answer))


def _up_to(verb: str) -> Record:
    """A random game of Mao 2003 up to where the first seat has this to decide."""
    header = GAME.default_header("2003-mao", 4)
    for seed in range(1000):
        rng, state, actions = random.Random(seed), GAME.start(header), []
        while GAME.actors(state):
            if state.phase == AMENDS and verb in {action.verb for action in GAME.legal_actions(state, "yellow")}:
                return Record(header, tuple(actions))
            actions.append(random_action(GAME, state, rng))
            state = GAME.apply(state, actions[-1])
    raise AssertionError(f"no random game comes to {verb}")


# Plans that come to nothing


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("alo lag fle", "A hut of Violet stands on Aloa Lagon Fleur already."),
        ("alo cocotier fle", "There is no site Aloa Cocotier Fleur on the board."),
        ("alo lag", "No spot card."),
        ("alo bor lag fle", "2 beach cards instead of one."),
        ("alo lag fle paint", "The hut on Aloa Lagon Fleur is one's own."),
        ("alo sab fle club", "No hut stands on Aloa Sable Fleur."),
        ("nothing", "You lay no card at all."),
    ],
)
def test_a_doomed_plan_is_warned_about_and_may_be_laid_all_the_same(typed: str, reason: str, monkeypatch) -> None:
    printed = script(monkeypatch, *OPENING, typed, "yes", "1")
    said = unwrapped(after(printed, typed))
    assert reason in said
    assert "That would come to nothing as things stand." in said
    assert "You lay " in said


def test_after_a_warning_other_cards_can_be_typed_at_once(monkeypatch) -> None:
    printed = script(monkeypatch, *OPENING, "alo lag fle", "bor lag fle show fle")
    assert "You lay Borea Lagon Fleur, showing Fleur." in printed


def test_after_a_warning_no_means_to_think_again(monkeypatch) -> None:
    printed = script(monkeypatch, *OPENING, "alo lag fle", "no", "bor lag fle show bor")
    assert "You lay Borea Lagon Fleur, showing Borea." in printed


def test_cards_one_does_not_hold_are_refused_with_the_reason(monkeypatch) -> None:
    printed = script(monkeypatch, *OPENING, "alo lag fle paint paint paint", "lag lag alo", "club club alo")
    assert "Nobody holds 3 cards Paint." in printed
    assert "Nobody holds 2 cards Lagon." in printed


def test_a_sound_plan_is_laid_without_a_warning(monkeypatch) -> None:
    printed = script(monkeypatch, *OPENING, "alo sab fle show sab", "", args=("--seed", "1"))
    assert "come to nothing" not in printed
    assert "The clues: Violet: Sable" in printed


# Commands


def test_help_board_score_and_neighbours_do_not_disturb_the_question(monkeypatch) -> None:
    printed = script(monkeypatch, "?", "board", "score", "near alo roc fle", "near", "alo lag fle")
    assert "take your last action back, where that is fair" in printed
    assert "If the game ended now:" in printed
    assert (
        "Aloa-Rocher-Fleur lies next to Aloa-Lagon-Fleur, Aloa-Rocher-Tatouage and Borea-Rocher-Tatouage."
        in unwrapped(printed)
    )
    assert "Violet opens with a hut on Aloa Lagon Fleur." in after(printed, "alo lag fle")


def test_an_action_can_be_taken_back_until_others_act(monkeypatch) -> None:
    printed = script(monkeypatch, "alo lag fle", "undo", "alo lag poi", "", "undo")
    assert "Taken back." in after(printed, "undo")
    assert "Violet opens with a hut on Aloa Lagon Poisson." in printed
    assert "Pink has acted since; what others have built on can't be taken back." in printed


def test_a_laid_plan_can_be_taken_back_before_the_clues_are_shown(monkeypatch) -> None:
    printed = script(monkeypatch, *OPENING, "alo sab fle show sab", "undo", "alo sab poi show alo", "")
    assert "The clues: Violet: Aloa" in printed


def test_undo_within_a_question_goes_back_to_its_beginning(monkeypatch) -> None:
    printed = script(monkeypatch, *OPENING, "alo sab fle", "undo", "bor sab poi show sab")
    assert "All right, once more." in printed
    assert "You lay Borea Sable Poisson, showing Sable." in printed


def test_with_two_colours_both_plans_are_ones_own_to_see_and_take_back(monkeypatch) -> None:
    lines = ["azz lag fle show lag", "undo", "azz lag poi show lag", "dia roc fle show dia", ""]
    printed = script(monkeypatch, *lines, args=("--rules", "2003", "--players", "2", "--seed", "1"))
    assert "[Yellow] Your project" in printed
    assert "Azzura [Lagon] Poisson" in printed
    assert "[Diabolo] Rocher Fleur" in printed


# Leaving and coming back


def test_quit_offers_to_save_and_says_how_to_go_on(monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    printed = script(monkeypatch, "alo lag fle", "quit", "yes")
    assert "makabana play --save maka-bana.jsonl" in printed
    printed = script(monkeypatch, "undo", "quit", args=("--save", "maka-bana.jsonl"))
    assert "maka-bana.jsonl goes on after 1 actions." in printed
    assert "Taken back." in printed


def test_quit_can_be_thought_better_of(monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    printed = script(monkeypatch, "alo lag fle", "quit", "", "undo", "alo lag poi", "quit", "no")
    assert "Violet opens with a hut on Aloa Lagon Poisson." in printed
    assert "The game was not saved" in printed
    assert list(tmp_path.iterdir()) == []


def test_save_never_overwrites_another_file(monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "maka-bana.jsonl").write_text("precious")
    printed = script(monkeypatch, "alo lag fle", "save maka-bana.jsonl", "save", "save no/such/folder")
    assert "There is a file maka-bana.jsonl already" in printed
    assert "Saved in maka-bana-2.jsonl." in printed
    assert "no/such/folder can’t be written" in unwrapped(printed)
    assert (tmp_path / "maka-bana.jsonl").read_text() == "precious"
    assert len(replay_text((tmp_path / "maka-bana-2.jsonl").read_text("utf-8"))[0].actions) == 1


def test_a_killed_game_goes_on_where_it_was(tmp_path: Path) -> None:
    args, menus = ("--seed", "9", "--save", "game.jsonl"), from_menus(random.Random(4))
    with AtTerminal(*args, cwd=tmp_path) as terminal:
        for _ in range(12):
            terminal.answer(menus(terminal.asked()))
        terminal.asked()
        terminal.kill()
    kept = (tmp_path / "game.jsonl").read_text("utf-8")
    actions = len(replay_text(kept)[0].actions)
    assert actions > 8
    with AtTerminal(*args, cwd=tmp_path) as terminal:
        assert f"game.jsonl goes on after {actions} actions." in terminal.asked()
        assert terminal.play(menus) == 0
    finished = (tmp_path / "game.jsonl").read_text("utf-8")
    assert finished.startswith(kept)
    assert replay_text(finished)[1].phase == OVER


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0)])
def test_control_c_and_control_d_end_kindly_and_keep_the_game(key: str, code: int, tmp_path: Path) -> None:
    with AtTerminal("--seed", "9", "--save", "game.jsonl", cwd=tmp_path) as terminal:
        terminal.asked()
        terminal.answer("alo lag fle")
        terminal.asked()
        terminal.answer(key, end="")
        assert terminal.wait() == code
        assert "Saved in game.jsonl." in terminal.output
        assert "play --save game.jsonl" in terminal.output
        assert "Traceback" not in terminal.output
    assert len(replay_text((tmp_path / "game.jsonl").read_text("utf-8"))[0].actions) == 1


def test_an_end_of_input_says_that_nothing_was_saved(monkeypatch) -> None:
    printed = script(monkeypatch, "alo lag fle")
    assert "The game was not saved" in printed
    assert "Until next time!" in printed


def test_with_nobody_there_one_sentence_says_what_to_do(monkeypatch, capsys) -> None:
    code, printed = play_here(monkeypatch, [])
    assert code == 2
    assert printed == ""
    error = capsys.readouterr().err
    assert error.startswith("makabana: nobody is there to play. Run this in a terminal")
    assert error.count("\n") == 1


@pytest.mark.parametrize("content", ["", "not a record", "{}", '{"record": 1, "game": "makabana"}'])
def test_a_file_that_is_no_game_is_left_alone(content: str, monkeypatch, tmp_path, capsys) -> None:
    path = tmp_path / "letter.txt"
    path.write_text(content)
    code, _ = play_here(monkeypatch, ["alo lag fle"], "--save", str(path))
    assert code == 2
    assert "letter.txt: " in capsys.readouterr().err
    assert path.read_text() == content


@pytest.mark.parametrize("args", [("--players", "7"), ("--rules", "2003", "--players", "6"), ("--save", "/proc/x/y")])
def test_what_can_not_be_played_is_refused_in_a_sentence(args: tuple[str, ...], monkeypatch, capsys) -> None:
    assert play_here(monkeypatch, ["alo"], *args)[0] == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_finished_game_shows_its_end_again(monkeypatch, tmp_path) -> None:
    path = str(tmp_path / "game.jsonl")
    play_here(monkeypatch, from_menus(random.Random(2)), "--seed", "5", "--save", path)
    printed = script(monkeypatch, "", args=("--save", path))
    assert "The final score" in printed
    assert "This game is over." in printed
