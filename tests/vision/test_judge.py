"""Verdicts: the likeliest state, and doubt said where it is due."""

import numpy as np

from vision.reading import colours
from vision.reading.judge import State, Temper, judge
from vision.reading.network import BASE, BOTH, COLOURS, EMPTY, TIKI, normalised

PLACES = [("A-Lagon-Fleur", "hut"), ("A", "club")]


def _verdict(state, hidden=0.001, first="blue", second="blue", other=None, inside=1.0, sure=9.0):
    """Verdicts of a site and a club place where the network is that sure of a state."""
    states = np.zeros((2, 4))
    states[:, state] = sure
    logits = np.zeros((2, 2, len(COLOURS)))
    logits[:, 0, COLOURS.index(first)] = 12
    logits[:, 1, COLOURS.index(second)] = 12
    if other:
        logits[:, 0, COLOURS.index(other)] = 11.8
    places = np.full(2, hidden), np.full(2, inside)
    return judge(PLACES, normalised(states), normalised(logits), *places, Temper(), colours.Settings())


def test_an_empty_place_is_empty():
    site, club = _verdict(EMPTY)
    assert site.to_json() == {"piece": "empty", "hut": None, "tiki": None, "confidence": site.to_json()["confidence"]}
    assert club.to_json()["piece"] == "empty"
    assert site.confidence > 0.99
    assert site.doubt() is None


def test_a_hut_and_its_tiki():
    site, club = _verdict(BOTH)
    assert (site.state, site.to_json()["piece"], club.to_json()["piece"]) == (
        State("blue", "blue"),
        "hut+tiki",
        "club+tiki",
    )


def test_a_tiki_of_another_colour_is_believed_when_it_is_plain():
    site, _ = _verdict(BOTH, first="blue", second="pink")
    assert site.state == State("blue", "pink")


def test_two_likely_colours_are_a_doubt_that_names_both():
    site, _ = _verdict(BASE, first="pink", other="violet")
    assert site.confidence < 0.9
    assert site.doubt() == ("colour_unsure", {"site": "A-Lagon-Fleur", "first": "pink hut", "second": "violet hut"})


def test_the_last_per_cents_of_sureness_are_dear_and_a_doubt_stays_what_it_is():
    plain, humble = (
        judge(
            PLACES,
            normalised(np.array([[0.0, 3.0, 0.0, 0.0], [0.0, 1.4, 0.0, 0.0]])),
            normalised(np.eye(len(COLOURS))[[[3, 3], [3, 3]]] * 30),
            np.zeros(2),
            np.ones(2),
            Temper(humble=power, least_error=0.0),
            colours.Settings(),
        )
        for power in (1.0, 0.8)
    )
    assert 0.9 < humble[0].confidence < plain[0].confidence
    assert humble[0].odds.keys() == plain[0].odds.keys()
    assert sum(humble[0].odds.values()) <= 1.0 + 1e-9
    assert humble[1].confidence == plain[1].confidence < 0.9


def test_a_covered_place_is_never_sure():
    site, _ = _verdict(EMPTY, hidden=0.997)
    assert site.confidence < 0.1
    assert site.doubt()[0] == "site_covered"


def test_a_place_outside_the_picture_is_said_to_be():
    site, _ = _verdict(EMPTY, inside=0.2)
    assert site.doubt()[0] == "site_outside"


def test_odds_never_sum_to_more_than_one():
    for verdict in _verdict(TIKI, sure=0.3, other="violet"):
        assert 0.5 < sum(verdict.odds.values()) <= 1


def test_the_calibrated_sets_colours_are_expected_and_no_colour_is_impossible():
    edition, palette = ("yellow", "blue"), dict.fromkeys(("pink", "violet", "green"), np.zeros(3))
    of_edition, learned = colours.prior_of(None, edition), colours.prior_of(palette, edition)
    for weights, expected in ((of_edition, set(edition)), (learned, set(palette))):
        assert {colour for colour, weight in zip(COLOURS, weights, strict=True) if weight == 0} == expected
        assert -4 < weights.min() < -2
    some = colours.prior_of({"pink": np.zeros(3)}, edition)
    assert {colour for colour, weight in zip(COLOURS, some, strict=True) if weight == 0} == {*edition, "pink"}


def _odds_of_two_tikis(second_sure):
    """Verdicts of a place with a plain pink tiki, and of one that may hold a pink tiki or a pink hut."""
    states = np.full((2, 4), -9.0)
    states[0, TIKI] = 9
    states[1, [BASE, TIKI]] = 0.0, second_sure
    logits = np.full((2, 2, len(COLOURS)), -9.0)
    logits[:, :, COLOURS.index("pink")] = 9
    return judge(
        [("A-Lagon-Fleur", "hut"), ("A-Lagon-Poisson", "hut")], normalised(states), normalised(logits),
        np.full(2, 0.001), np.ones(2), Temper(), colours.Settings(),
    )  # fmt: skip


def test_a_doubtful_second_tiki_of_a_colour_is_believed_less():
    first, second = _odds_of_two_tikis(0.3)
    assert (first.state, second.state) == (State(None, "pink"), State("pink", None))


def test_a_second_tiki_that_is_plain_is_believed():
    first, second = _odds_of_two_tikis(5.0)
    assert first.state == second.state == State(None, "pink")
    assert second.confidence > 0.9
