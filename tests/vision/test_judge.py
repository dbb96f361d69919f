"""Verdicts: the likeliest state, and doubt said where it is due."""

import numpy as np

from vision.reading import colours, sizes
from vision.reading.judge import State, Temper, judge
from vision.reading.network import COLOURS, Evidence

PLACES = [("A-Lagon-Fleur", "hut"), ("A", "club")]


def _evidence(base, tiki, cover=-8.0, first="blue", second="blue", other=None):
    logits = np.zeros((2, 2, len(COLOURS)))
    logits[:, 0, COLOURS.index(first)] = 12
    logits[:, 1, COLOURS.index(second)] = 12
    if other:
        logits[:, 0, COLOURS.index(other)] = 11.8
    two = np.ones(2)
    return Evidence(base * two, tiki * two, cover * two, logits, np.zeros((2, 2, 16, 16)))


def _verdict(evidence, inside=1.0):
    logs = evidence.colours - np.log(np.exp(evidence.colours).sum(axis=2, keepdims=True))
    states = sizes.state_chances(evidence, np.full(2, 0.5), np.array([True, False]), None, sizes.Settings())
    hidden = 1 / (1 + np.exp(-evidence.cover))
    return judge(PLACES, states, logs, hidden, np.full(2, inside), Temper(), colours.Settings())


def test_an_empty_place_is_empty():
    site, club = _verdict(_evidence(-9, -9))
    assert site.to_json() == {"piece": "empty", "hut": None, "tiki": None, "confidence": site.to_json()["confidence"]}
    assert club.to_json()["piece"] == "empty"
    assert site.confidence > 0.99
    assert site.doubt() is None


def test_a_hut_and_its_tiki():
    site, club = _verdict(_evidence(9, 9))
    assert (site.state, site.to_json()["piece"], club.to_json()["piece"]) == (
        State("blue", "blue"),
        "hut+tiki",
        "club+tiki",
    )


def test_a_tiki_of_another_colour_is_believed_when_it_is_plain():
    site, _ = _verdict(_evidence(9, 9, first="blue", second="pink"))
    assert site.state == State("blue", "pink")


def test_two_likely_colours_are_a_doubt_that_names_both():
    site, _ = _verdict(_evidence(9, -9, first="pink", other="violet"))
    assert site.confidence < 0.9
    assert site.doubt() == ("colour_unsure", {"site": "A-Lagon-Fleur", "first": "pink hut", "second": "violet hut"})


def test_a_covered_place_is_never_sure():
    site, _ = _verdict(_evidence(-9, -9, cover=6.0))
    assert site.confidence < 0.1
    assert site.doubt()[0] == "site_covered"


def test_a_place_outside_the_picture_is_said_to_be():
    site, _ = _verdict(_evidence(-9, -9), inside=0.2)
    assert site.doubt()[0] == "site_outside"


def test_odds_never_sum_to_more_than_one():
    for verdict in _verdict(_evidence(0.3, -0.2, other="violet")):
        assert 0.5 < sum(verdict.odds.values()) <= 1


def _sized(area_mm2, elevation):
    """State chances of a site of which the network is torn between hut and tiki, with a mask of that size."""
    masks = np.zeros((1, 2, 16, 16))
    masks[0, 0].flat[: round(area_mm2 / 9)] = 1.0
    one = np.ones(1)
    evidence = Evidence(0.2 * one, -0.2 * one, -8.0 * one, np.zeros((1, 2, len(COLOURS))), masks)
    chances = sizes.state_chances(evidence, elevation * one, np.array([True]), sizes.Huts(190.0), sizes.Settings())
    return int(chances[0].argmax())


def test_from_above_size_tells_a_tiki_from_a_hut():
    assert _sized(90, 0.97) == sizes.TIKI
    assert _sized(190, 0.97) == sizes.BASE


def test_from_the_side_size_says_only_that_something_is_there():
    assert _sized(90, 0.5) == _sized(190, 0.5) == sizes.BASE
