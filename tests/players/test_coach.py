"""The coach on positions whose figures were worked out by hand, and its silence about what a seat cannot know."""

from __future__ import annotations

import random

import pytest

from companion.games.catalogue import game_named
from companion.games.texts import LANGUAGES
from companion.players.bot import know
from companion.players.coach import advise, why_failed
from companion.players.texts import say
from tests.makabana.support import CONFIGURATIONS, GAME, new_game, play
from tests.players.support import knowledge_of, lookalike, moments, opened, planned


def told(state, seat, code, **keywords):
    legal = GAME.legal_actions(state, seat)
    return [event for event in advise(GAME, knowledge_of(state, seat), legal, **keywords) if event.code == code]


def example(**changes):
    plans = {
        "violet": "Coconut Lagon Fleur show Lagon",
        "pink": "Aloa Sable Poisson show Aloa",
        "yellow": "Aloa Rocher Fleur Paint show Paint",
        "blue": "Coconut Sable Fleur Club show Club",
    }
    return planned(**{**plans, **changes})


def test_three_cards_showing_lagon_leave_the_seven_free_lagon_sites_open():
    """Noka has nine Lagon sites; yellow's huts stand on two of them. Evenly, each is meant one time in seven."""
    fact = next(event for event in told(example(), "pink", "coach_open") if event.data["seat"] == "violet")
    sites = {guess["site"] for guess in fact.data["guesses"]}
    assert fact.data["open"] == 7
    assert sites == {
        "Aloa-Lagon-Fleur", "Aloa-Lagon-Poisson", "Aloa-Lagon-Tatouage", "Borea-Lagon-Poisson", "Borea-Lagon-Tatouage",
        "Coconut-Lagon-Fleur", "Coconut-Lagon-Poisson",
    }  # fmt: skip
    assert all(guess["verb"] == "build" and guess["odds"] == round(1 / 7, 4) for guess in fact.data["guesses"])


def test_four_cards_showing_paint_leave_the_huts_of_others_open():
    """Yellow may mean any of the six huts that are not yellow."""
    fact = next(event for event in told(example(), "pink", "coach_open") if event.data["seat"] == "yellow")
    assert {guess["site"] for guess in fact.data["guesses"]} == {
        site for site, owner in opened().huts.items() if owner != "yellow"
    }
    assert [guess["odds"] for guess in fact.data["guesses"]] == [round(1 / 6, 4)] * 6


def test_a_shown_club_leaves_the_two_own_huts_open():
    fact = next(event for event in told(example(), "pink", "coach_open") if event.data["seat"] == "blue")
    assert sorted((guess["site"], guess["odds"]) for guess in fact.data["guesses"]) == [
        ("Aloa-Rocher-Fleur", 0.5),
        ("Coconut-Sable-Fleur", 0.5),
    ]


def test_four_cards_showing_a_spot_may_be_a_paint_or_a_club():
    """Blue shows Fleur with four cards: Paint on one of the four Fleur huts of others, or a club with its two own.

    Any of four cards may be shown in each case, so all six are equally likely: one in six.
    """
    state = example(blue="Coconut Sable Fleur Club show Fleur")
    fact = next(event for event in told(state, "pink", "coach_open") if event.data["seat"] == "blue")
    assert {(guess["verb"], guess["site"]) for guess in fact.data["guesses"]} == {
        ("paint", "Aloa-Sable-Fleur"), ("paint", "Borea-Lagon-Fleur"), ("paint", "Borea-Sable-Fleur"),
        ("paint", "Borea-Cocotier-Fleur"), ("club", "Aloa-Rocher-Fleur"), ("club", "Coconut-Sable-Fleur"),
    }  # fmt: skip
    assert {guess["odds"] for guess in fact.data["guesses"]} == {round(1 / 6, 4)}


def test_what_brings_more_is_thought_likelier():
    fact = next(event for event in told(example(), "pink", "coach_open") if event.data["seat"] == "violet")
    gains = [guess["brings"] for guess in fact.data["guesses"]]
    assert gains == sorted(gains, reverse=True)
    assert fact.data["guesses"][0]["site"] == "Coconut-Lagon-Fleur"  # next to violet's hut: 2 points, and the beach


def test_nobody_is_spoken_of_who_has_shown_all_or_is_oneself():
    state = example()
    state = play(
        state,
        "violet tiki Aloa-Lagon-Fleur",
        "pink tiki Aloa-Lagon-Poisson",
        "yellow tiki Borea-Lagon-Poisson",
        "blue tiki Borea-Lagon-Tatouage",
        "violet reveal",
    )
    assert [event.data["seat"] for event in told(state, "pink", "coach_open")] == ["yellow", "blue"]


def test_points_of_a_project_are_those_of_the_rules():
    """Violet builds beside its hut: its group goes from 1 to 3, and Coconut from a tie of three to a majority."""
    fact = next(event for event in told(opened(), "violet", "coach_project")
                if event.data["aims"][0]["site"] == "Coconut-Lagon-Fleur")  # fmt: skip
    assert fact.data["points"] == 2 + 4
    assert set(fact.data["cards"]) == {"Coconut", "Lagon", "Fleur"}


def test_a_project_under_a_tiki_fails_always_and_one_that_nothing_can_stop_never():
    state = play(
        example(),
        "violet tiki Aloa-Lagon-Tatouage",
        "pink tiki Aloa-Sable-Fleur",
        "yellow tiki Coconut-Lagon-Fleur",
        "blue tiki Borea-Lagon-Tatouage",
    )
    (laid,) = told(state, "violet", "coach_laid")
    assert (laid.data["risk"], laid.data["risks"]) == (100, {"tiki": 100})
    state = play(state, "violet reveal")
    (laid,) = told(state, "pink", "coach_laid")  # nobody acts before pink, and no tiki stands on its site
    assert (laid.data["risk"], laid.data["risks"], laid.data["points"]) == (0, {}, laid.data["expected"])


def test_in_a_tiki_turn_places_are_recommended_that_cost_others():
    state = example()
    places = told(state, "violet", "coach_tiki")
    assert places
    assert all(event.data["costs"] > 0 for event in places)
    assert "Coconut-Lagon-Fleur" not in {event.data["place"] for event in places}  # violet's own project


def failed_round(violet):
    """Violet's plan meets yellow's tiki on Coconut-Lagon-Fleur; the round ends."""
    state = example(violet=violet)
    return play(
        state,
        "violet tiki Aloa-Lagon-Tatouage",
        "pink tiki Aloa-Sable-Fleur",
        "yellow tiki Coconut-Lagon-Fleur",
        "blue tiki Borea-Lagon-Tatouage",
        "violet reveal",
        "pink reveal",
        "yellow reveal",
        "blue reveal",
    )


def test_a_failure_by_tiki_is_explained_by_what_the_clue_gave_away():
    """Lagon left 7 sites, Fleur left 6 free ones of ten, Coconut 5 of nine: Lagon hid it best."""
    (fact,) = why_failed(GAME, knowledge_of(failed_round("Coconut Lagon Fleur show Lagon"), "violet"))
    assert (fact.code, fact.data["owner"], fact.data["open"]) == ("why_tiki", "yellow", 7)


def test_a_better_clue_is_named():
    (fact,) = why_failed(GAME, knowledge_of(failed_round("Coconut Lagon Fleur show Coconut"), "violet"))
    assert fact.code == "why_tiki_better_clue"
    free = [site for site in opened().setup.sites if site not in opened().huts]
    assert fact.data["open"] == sum(site.startswith("Coconut") for site in free)
    assert (fact.data["better"], fact.data["better_open"]) == ("Lagon", 7)


def test_a_site_taken_earlier_is_explained_by_the_turn_order():
    state = example(pink="Coconut Lagon Fleur show Fleur")
    state = play(
        state,
        "violet tiki Aloa-Lagon-Tatouage",
        "pink tiki Aloa-Sable-Fleur",
        "yellow tiki Borea-Lagon-Poisson",
        "blue tiki Borea-Lagon-Tatouage",
        "violet reveal",
        "pink reveal",
    )
    (fact,) = why_failed(GAME, knowledge_of(state, "pink"))
    assert (fact.code, fact.data["because"][0]["seat"]) == ("why_earlier", "violet")
    assert why_failed(GAME, knowledge_of(state, "violet")) == []


def test_ones_own_tiki_is_told_as_such():
    state = play(
        example(),
        "violet tiki Coconut-Lagon-Fleur",
        "pink tiki Aloa-Sable-Fleur",
        "yellow tiki Borea-Lagon-Poisson",
        "blue tiki Borea-Lagon-Tatouage",
        "violet reveal",
    )
    assert [fact.code for fact in why_failed(GAME, knowledge_of(state, "violet"))] == ["why_own_tiki"]


def test_wrong_cards_and_denunciations_are_explained():
    state = play(opened("2013-mao"), "violet plan Aloa Borea Lagon show Aloa", "pink plan Aloa Sable Poisson show Aloa",
                 "yellow plan Borea Lagon Poisson show Borea", "blue plan Borea Sable Fleur Tatouage show Sable",
                 "pink denounce blue")  # fmt: skip
    assert [fact.code for fact in why_failed(GAME, knowledge_of(state, "blue"))] == ["why_denounced_rightly"]
    while not state.revealed[0]:
        state = GAME.apply(state, GAME.legal_actions(state, GAME.actors(state)[0])[-1])
    assert [fact.code for fact in why_failed(GAME, knowledge_of(state, "violet"))] == ["why_void"]


@pytest.mark.parametrize(("rules", "people"), CONFIGURATIONS)
def test_the_coach_never_uses_secrets_and_can_always_be_understood(rules, people):
    """Three worlds that a seat can't tell apart get the same advice, which has words in every language."""
    rng = random.Random(people)
    for state, actions, events in rng.sample(moments(rules, people, 2), 6):
        seat = rng.choice(GAME.seats(state))
        legal, answers = GAME.legal_actions(state, seat), []
        for world in (state, lookalike(state, seat, 1), lookalike(state, seat, 2)):
            seen = know(GAME, world, seat, actions, events)
            answers.append(advise(GAME, seen, legal, looks=3) + why_failed(GAME, seen))
        assert answers[0] == answers[1] == answers[2]
        for event in answers[0]:
            for language in LANGUAGES:
                sentence = say(event, language)
                assert sentence.endswith((".", "!", "?")), sentence
                assert "{" not in sentence


def test_a_coach_without_knowledge_of_a_game_keeps_silent():
    kahuna = game_named("kahuna")
    state = kahuna.start(kahuna.default_header("standard", 2))
    assert advise(kahuna, know(kahuna, state, "white"), ()) == []
    assert why_failed(kahuna, know(kahuna, state, "white")) == []


def test_before_the_first_round_there_is_nothing_to_advise():
    assert advise(GAME, knowledge_of(new_game("2013", 4), "violet"), ()) == []
