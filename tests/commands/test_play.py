"""`makabana play` as somebody at the keyboard has it: forgiving, fair, resumable, and silent about secrets."""

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
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.commands.play.input import Laid, Unclear, Unknown, command_of, meant, number_of, read_plan, words_of
from companion.commands.play.screen import Scene, board_lines, screen_lines
from companion.commands.terminal import Ink
from companion.games.catalogue import game_named
from companion.games.makabana.setup import make_setup
from companion.games.makabana.state import AMENDS, OVER
from companion.games.protocol import Action, Json
from companion.games.record import Record, last_state, loads_strictly, replay_text, to_jsonl
from companion.players.random_player import random_action
from tests.commands.play_support import ROOT, AtTerminal, from_menus, play_here

GAME = game_named("makabana")
GAMES = [("2013", 3), ("2013", 4), ("2013", 5), ("2013", 6), ("2013-mao", 4), ("2013-mao", 6), ("2013-teams", 8),
         ("2013-teams", 10), ("2003", 2), ("2003", 3), ("2003", 5), ("2003-mao", 2), ("2003-mao", 4)]  # fmt: skip
ONE_OF_EACH = [("2013", 4), ("2013-mao", 4), ("2013-teams", 8), ("2003", 2), ("2003-mao", 4)]
TEXTS = loads_strictly(resources.files("companion.commands.play").joinpath("texts.json").read_text(encoding="utf-8"))
OPENING = ["alo lag fle", "", "bor lag poi"]  # with seed 1 both sites are free


def script(monkeypatch, *lines: str, args: tuple[str, ...] = ("--seed", "1"), lang: str = "en") -> str:
    code, printed = play_here(monkeypatch, lines, *args, lang=lang)
    assert code == 0
    return printed


def after(printed: str, typed: str) -> str:
    """What was printed after a line was typed."""
    return printed.partition(f"> {typed}\n")[2]


def unwrapped(text: str) -> str:
    return " ".join(text.split())


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


# Forgiving input

NOKA = make_setup(GAME.default_header("2013", 4))
TEAMS = make_setup(GAME.default_header("2013-teams", 10))
CARDS_2003 = make_setup(GAME.default_header("2003", 4))


def read(text: str, setup=NOKA) -> Laid | Unclear | Unknown:
    return read_plan(words_of(text), setup.card_kinds, setup.site_set)


@pytest.mark.parametrize(
    ("text", "cards", "clue"),
    [
        ("Aloa Lagon Fleur", "Aloa Lagon Fleur", None),
        ("fle,lag,alo", "Aloa Lagon Fleur", None),
        ("a l f", "Aloa Lagon Fleur", None),
        ("ALOA-LAGON-FLEUR", "Aloa Lagon Fleur", None),
        ("  álöa / LÀG + flé ", "Aloa Lagon Fleur", None),
        ("a l f show lag", "Aloa Lagon Fleur", "Lagon"),
        ("a l f montre f", "Aloa Lagon Fleur", "Fleur"),
        ("a f show lagon", "Aloa Lagon Fleur", "Lagon"),
        ("show lag a f", "Aloa Lagon Fleur", "Lagon"),
        ("c l f", "Coconut Lagon Fleur", None),
        ("c l show f", "Coconut Lagon Fleur", "Fleur"),
        ("c c f", "Coconut Cocotier Fleur", None),
        ("b s p", "Borea Sable Poisson", None),
        ("b s p peinture", "Borea Sable Poisson Paint", None),
        ("paint fish sand aloa", "Aloa Sable Poisson Paint", None),
        ("club tattoo lagoon bor show club", "Borea Lagon Tatouage Club", "Club"),
        ("a b l f", "Aloa Borea Lagon Fleur", None),
        ("lag", "Lagon", None),
    ],
)
def test_a_plan_is_understood_however_it_is_typed(text: str, cards: str, clue: str | None) -> None:
    assert read(text) == Laid(tuple(cards.split()), clue)


@pytest.mark.parametrize(
    ("text", "setup", "place", "candidates"),
    [
        ("c l", NOKA, 0, ("Coconut", "Cocotier", "Club")),
        ("alo p", NOKA, 1, ("Poisson", "Paint")),
        ("a l f", TEAMS, 0, ("Aloa", "Azzura")),
        ("coc poi show co", NOKA, 0, ("Coconut", "Cocotier")),
        ("alo cocotier fle show c", NOKA, None, None),
        ("coconut cocotier fle show c", NOKA, 4, ("Coconut", "Cocotier")),
    ],
)
def test_an_unclear_word_is_asked_back_with_what_it_could_be(text, setup, place, candidates) -> None:
    read_so = read(text, setup)
    if candidates is None:
        assert read_so == Laid(("Aloa", "Cocotier", "Fleur"), "Cocotier")
    else:
        assert isinstance(read_so, Unclear)
        assert (read_so.place, read_so.candidates) == (place, candidates)


def test_a_poisson_is_settled_where_only_it_makes_a_site() -> None:
    assert read("azz lag p", CARDS_2003) == Laid(("Azzura", "Lagon", "Poisson"), None)


def test_an_unknown_word_is_named() -> None:
    assert read("alo lag xyz") == Unknown("xyz")
    assert meant("lagonn", NOKA.card_kinds) == "lagon"


def test_a_long_line_of_unclear_words_is_answered_at_once() -> None:
    assert isinstance(read("c " * 40), Unclear)


@pytest.mark.parametrize(
    ("text", "command"),
    [("?", "help"), (" ? plan", "help"), ("AIDE", "help"), ("Undo", "undo"), ("annuler", "undo"), ("save x", "save"),
     ("q", "quit"), ("sav", None), ("", None), ("sable", None)],
)  # fmt: skip
def test_commands_are_whole_words_in_either_language(text: str, command: str | None) -> None:
    assert command_of(text) == command


def test_a_number_is_all_that_a_line_says() -> None:
    assert [number_of(text) for text in ("2", " 12. ", "3)", "2 a", "", "-1", "٣", "99999")] == [2, 12, 3] + [None] * 5


@pytest.mark.parametrize("typed", ["aloa lag fle", "FLÉ,lag,alo", "a-l-f", "flower lagoon aloa"])
def test_a_site_is_understood_however_it_is_typed(typed: str, monkeypatch) -> None:
    assert "Violet opens with a hut on Aloa Lagon Fleur." in script(monkeypatch, typed)


def test_several_fitting_sites_are_listed_and_picked_by_number(monkeypatch) -> None:
    printed = script(monkeypatch, "aloa lagon", "2")
    assert "1  Aloa-Lagon-Fleur" in printed
    assert "3  Aloa-Lagon-Tatouage" in printed
    assert "Violet opens with a hut on Aloa Lagon Poisson." in printed


def test_too_many_fitting_sites_ask_for_more_words(monkeypatch) -> None:
    printed = script(monkeypatch, "fleur", args=("--players", "6"))
    assert "places fit that" in printed


def test_enter_alone_gives_ideas_to_pick_by_number(monkeypatch) -> None:
    printed = script(monkeypatch, "", "2")
    idea = re.search(r"^ +2  (\S+)$", printed, re.MULTILINE)
    assert idea is not None
    assert "Violet opens with a hut on {}.".format(idea[1].replace("-", " ")) in printed


def test_a_number_that_is_not_listed_loses_nothing(monkeypatch) -> None:
    printed = script(monkeypatch, "", "9", "2")
    assert "There is no number 9 to pick." in printed
    assert "Violet opens with a hut on " in printed


def test_a_taken_site_is_refused_with_the_reason(monkeypatch) -> None:
    printed = script(monkeypatch, "alo lag fle", "", "alo lag poi")
    assert "Aloa Lagon Poisson is on the beach of the first hut" in unwrapped(after(printed, "alo lag poi"))


def test_a_misspelt_word_is_met_with_a_guess(monkeypatch) -> None:
    assert "“lagone” says nothing to me. Did you mean lagon?" in script(monkeypatch, "alo lagone fle")


def test_an_unclear_card_is_asked_back_and_answered_by_number_or_name(monkeypatch) -> None:
    args = ("--players", "6", "--rules", "2013-mao", "--seed", "1")
    printed = script(monkeypatch, "alo lag fle", "", "eva lag poi", "c f", "x", "conut", "coconut", "2", "", args=args)
    assert "“c” is Coconut, Cocotier or Club?" in printed
    assert "Which card lies open?" in printed
    assert "You lay Coconut Fleur, showing Fleur." in printed


@given(st.lists(st.text(max_size=30) | st.sampled_from(["1", "2", "", "undo", "a l f", "c", "yes", "quit", "no"])))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_that_is_typed_breaks_the_game(monkeypatch, tmp_path, lines: list[str]) -> None:
    lines = [line for line in lines if not re.match(r"\s*(save|sauver|sauvegarder|enregistrer)", line, re.IGNORECASE)]
    monkeypatch.chdir(tmp_path)
    code, _ = play_here(monkeypatch, [*OPENING, *lines], "--seed", "1")
    assert code == 0


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
