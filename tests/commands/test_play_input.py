"""What is typed at `makabana play` is understood however it is typed, and nothing that is typed breaks the game."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.commands.play.input import Laid, Unclear, Unknown, command_of, meant, number_of, read_plan, words_of
from companion.games.makabana.setup import make_setup
from tests.commands.play_support import (
    GAME,
    OPENING,
    after,
    play_here,
    script,
    unwrapped,
)

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
