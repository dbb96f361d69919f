"""The score of a board with doubts: a range that holds, and the question that matters."""

from __future__ import annotations

import pytest

from companion.games.makabana.game import MakaBana
from companion.games.protocol import FormatError
from companion.table.score_range import MOST_BOARDS, Way, score_range

GAME = MakaBana()
HEADER = {
    "game": "makabana",
    "rules": "2013",
    "boards": ["maka-bana"],
    "players": ["blue", "green", "yellow", "pink", "violet"],
}
CERTAIN = {
    "Azzura-Lagon-Fleur": (("hut", "blue"),),
    "Azzura-Rocher-Fleur": (("hut", "green"),),
    "club:Azzura": (("club", "green"),),
}
BLUE, GREEN, EMPTY = (("hut", "blue"),), (("hut", "green"),), ()


def test_without_doubt_the_range_is_the_score():
    result = score_range(GAME, HEADER, CERTAIN, {})
    assert result.is_settled
    assert result.low == result.high == {"blue": 1, "green": 6, "yellow": 0, "pink": 0, "violet": 0}
    assert (result.ask, result.winners["green"]) == (None, 1.0)


def test_a_doubt_gives_a_range_and_asks_for_its_place():
    doubt = {"Azzura-Lagon-Tatouage": [Way(BLUE, 0.7), Way(EMPTY, 0.3)]}
    result = score_range(GAME, HEADER, CERTAIN, doubt)
    assert (result.low["blue"], result.high["blue"]) == (1, 7)  # 1+2 and the majority, or a lone hut
    assert (result.low["green"], result.high["green"]) == (2, 6)
    assert result.best.points["blue"]["total"] == 7
    assert result.ask == "Azzura-Lagon-Tatouage"
    assert result.winners["blue"] == pytest.approx(0.7)


def test_the_question_is_about_the_place_that_matters_most():
    doubt = {
        "Diabolo-Lagon-Poisson": [Way(EMPTY, 0.6), Way(BLUE, 0.4)],  # a lone hut and an empty beach: 5 points at stake
        "Azzura-Lagon-Tatouage": [Way(BLUE, 0.6), Way(GREEN, 0.4)],  # a majority and a group between two players
    }
    assert score_range(GAME, HEADER, CERTAIN, doubt).ask == "Azzura-Lagon-Tatouage"


def test_boards_that_cannot_be_drop_out():
    ten = [f"Bikini-{sector}-{spot}" for sector in ("Cocotier", "Lagon", "Rocher", "Sable")
           for spot in ("Fleur", "Poisson", "Tatouage")][:10]  # fmt: skip
    certain = {site: BLUE for site in ten}
    doubt = {"Azzura-Lagon-Fleur": [Way(BLUE, 0.9), Way(GREEN, 0.1)]}
    result = score_range(GAME, HEADER, certain, doubt)
    assert result.is_settled
    assert result.low["green"] == 5
    with pytest.raises(FormatError):
        score_range(GAME, HEADER, {**certain, "Azzura-Lagon-Poisson": BLUE}, {})


def test_many_doubts_are_worked_through_as_far_as_time_allows():
    sites = [f"{beach}-{sector}-{spot}" for beach in ("Azzura", "Coquito") for sector in ("Cocotier", "Lagon")
             for spot in ("Fleur", "Poisson", "Tatouage")]  # fmt: skip
    doubt = {site: [Way(EMPTY, 0.9 - i / 100), Way(BLUE, 0.1)] for i, site in enumerate(sites)}
    result = score_range(GAME, HEADER, {}, doubt)
    assert 2 ** (len(sites) - len(result.left_out)) <= MOST_BOARDS
    assert result.left_out == tuple(sites[: len(result.left_out)])  # the surest
    assert result.left_out
