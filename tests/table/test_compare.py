"""How a place stands: belief against expectation, place by place."""

import pytest

from companion.table.belief import Belief
from companion.table.compare import CONFIRMED, DIFFERS, DOUBTFUL, HIDDEN, PENDING, UNKNOWN, compare
from companion.table.observations import DESK, TIKI, BoardSeen, Piece, Tag, TagsSeen, When
from tests.table.support import CAMERA, odds

SITE, NOW = "Danae-Lagon-Fleur", 10.0


def standing(
    reading: dict[str, float] | None,
    expected: str = "empty",
    earlier: frozenset[str] = frozenset(),
    hidden: tuple[str, ...] = (),
    belief: Belief | None = None,
) -> str:
    belief = belief or Belief()
    if reading is not None or hidden:
        belief.hear(BoardSeen(CAMERA, {SITE: reading} if reading else {}, hidden, When(NOW)))
    return compare((SITE,), {SITE: expected}, {SITE: earlier} if earlier else {}, belief, NOW)[SITE].state


@pytest.mark.parametrize(
    ("reading", "expected", "earlier", "state"),
    [
        (odds("hut:blue"), "hut:blue", frozenset(), CONFIRMED),
        (odds("empty"), "empty", frozenset(), CONFIRMED),
        (odds("hut:blue"), "empty", frozenset(), DIFFERS),
        (odds("empty"), "hut:blue", frozenset(), DIFFERS),
        (odds("hut:pink", other="hut:blue"), "hut:blue", frozenset(), DIFFERS),
        (odds("hut:pink", 0.6, "hut:blue"), "hut:blue", frozenset(), CONFIRMED),  # below 2 : 1 it is hesitation
        (odds("hut:pink", 0.9, "hut:blue"), "hut:blue", frozenset(), DOUBTFUL),
        (odds("hut:blue"), "hut:blue", frozenset({"empty"}), CONFIRMED),  # hands have followed
        (odds("empty", other="hut:blue"), "hut:blue", frozenset({"empty"}), PENDING),  # hands have not yet
        (odds("hut:pink", other="empty"), "hut:blue", frozenset({"empty"}), DIFFERS),  # hands did something else
        (odds("hut:blue", 0.8, "empty"), "hut:blue", frozenset({"empty"}), DOUBTFUL),  # not yet ten times likelier
        (
            odds("tiki:blue"),
            "empty",
            frozenset({"tiki:blue", "hut:pink"}),
            PENDING,
        ),  # any earlier content may still lie
    ],
)
def test_a_place_stands_as_its_odds_say(reading, expected, earlier, state):
    assert standing(reading, expected, earlier) == state


def test_a_covered_place_is_hidden_and_not_wrong():
    assert standing(None, "hut:blue", hidden=(SITE,)) == HIDDEN


def test_a_place_without_any_sensor_is_unknown_and_not_wrong():
    assert standing(None, "hut:blue") == UNKNOWN


def test_a_reader_alone_against_the_camera_is_a_doubt_and_no_difference():
    belief = Belief()
    belief.hear(TagsSeen("home", DESK, (Tag("04AA", Piece(TIKI, "blue"), When(NOW)),), When(NOW)))
    assert standing(odds("tiki:blue"), "tiki:blue", belief=belief) == DOUBTFUL


def test_every_place_is_compared_even_where_nothing_is_expected():
    found = compare(("a", "b"), {}, {}, Belief(), NOW)
    assert {place: one.state for place, one in found.items()} == {"a": UNKNOWN, "b": UNKNOWN}
