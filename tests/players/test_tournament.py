"""Comparisons are fair, ratings are those of Bradley and Terry, and the command says so in two languages."""

from __future__ import annotations

import json
from math import log10

import pytest

from companion.cli import main
from companion.players.bot import Budget
from companion.players.tournament import Comparison, compare, meetings, pairings, ratings, share_interval
from tests.makabana.support import GAME

QUICK = Budget(None, 3)


def results(one, other, won, lost):
    return [Comparison(one, other, 2.0, 5.0)] * won + [Comparison(one, other, 0.0, -5.0)] * lost


def test_everybody_meets_everybody_as_often():
    assert [pairing[:2] for pairing in pairings(["a", "b", "c"], 2)] == [("a", "b"), ("a", "c"), ("b", "c")] * 2
    assert [pairing.number for pairing in pairings(["a", "b"], 3)] == [0, 1, 2]


def test_more_wins_decide_a_comparison_then_more_points_then_nobody():
    assert Comparison("a", "b", 2.0, -3.0).result == 1.0
    assert Comparison("a", "b", 0.5, 9.0).result == 0.0
    assert Comparison("a", "b", 1.0, 0.5).result == 1.0
    assert Comparison("a", "b", 1.0, -0.5).result == 0.0
    assert Comparison("a", "b", 1.0, 0.0).result == 0.5


def test_a_comparison_of_a_bot_with_itself_shares_the_wins():
    """Rua is the strong bot by another name: what one side wins in the first game, the other wins in the second."""
    header = GAME.default_header("2013", 3)
    for pairing in pairings(["strong", "rua"], 2):
        same = compare(GAME, header, pairing, 1, QUICK)
        assert (same.wins, same.margin) == (1.0, 0.0)


@pytest.mark.parametrize(("rules", "people"), [("2013", 3), ("2003", 2)])
def test_a_comparison_is_repeatable(rules, people):
    header = GAME.default_header(rules, people)
    pairing = pairings(["moana", "coco"], 1)[0]
    first, second = (compare(GAME, header, pairing, 5, QUICK) for _ in range(2))
    assert first == second


def test_equal_results_give_equal_ratings():
    for rating in ratings(["a", "b"], results("a", "b", 10, 10)):
        assert abs(rating.elo) < 1e-6
        assert (rating.won, rating.played) == (10, 20)


def test_three_to_one_is_the_elo_that_the_formula_says():
    """Without the one draw against the average, 75 % are 400 log10(3) = 191 points; many games outweigh that draw."""
    best, worst = ratings(["a", "b"], results("a", "b", 3000, 1000))
    assert (best.bot, worst.bot) == ("a", "b")
    assert best.elo - worst.elo == pytest.approx(400 * log10(3), abs=1.0)


def test_intervals_shrink_with_games_and_stay_finite_for_a_bot_that_never_lost():
    few, many = (ratings(["a", "b"], results("a", "b", count, count))[0].plus_minus for count in (5, 500))
    assert many < few / 5
    champion = ratings(["a", "b"], results("a", "b", 40, 0))[0]
    assert 100 < champion.elo < 1000
    assert 50 < champion.plus_minus < 1000


def test_wilsons_interval_of_forty_out_of_forty():
    """z²/(n + z²) = 3.8416 / 43.8416: the lower end is 1 - 0.0876."""
    low, high = share_interval(40, 40)
    assert low == pytest.approx(0.9124, abs=1e-4)
    assert high == pytest.approx(1.0)
    assert share_interval(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)


def test_a_meeting_sums_its_comparisons():
    (meeting,) = meetings(results("a", "b", 3, 1))
    assert (meeting.won, meeting.played, meeting.wins, meeting.margin) == (3.0, 4, 0.75, 2.5)


def test_the_command_prints_ratings_for_programs(capsys):
    arguments = ["tournament", "--bots", "greedy,random", "--games", "2", "--players", "3", "--looks", "1", "--json"]
    assert main(arguments) == 0
    table = json.loads(capsys.readouterr().out)
    assert {rating["bot"] for rating in table["ratings"]} == {"greedy", "random"}
    assert table["meetings"][0]["played"] == 2
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out) == table


@pytest.mark.parametrize(("language", "word"), [("en", "played"), ("fr", "jouées")])
def test_the_command_prints_a_table_in_the_readers_language(capsys, language, word):
    assert main(["tournament", "--bots", "coco,random", "--games", "1", "--players", "3", "--lang", language]) == 0
    assert word in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--bots", "hal,greedy"], "Nobody here is called 'hal'"),
        (["--bots", "greedy"], "from 2 to 20"),
        (["--bots", "greedy,greedy"], "different bots"),
        (["--games", "0"], "--games must be"),
        (["--looks", "-1"], "--looks must be"),
        (["--seconds", "nan"], "--seconds must be"),
        (["--rules", "1999"], "'1999'"),
        (["--players", "7"], "7"),
    ],
)
def test_wrong_arguments_end_in_a_sentence(capsys, arguments, said):
    assert main(["tournament", *arguments, "--lang", "en"]) == 2
    assert said in capsys.readouterr().err
