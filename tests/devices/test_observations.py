"""What sensors tell the table: JSON forms, secrets, and the inbox they wait in."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.inbox import MOST_PRESSES, Inbox
from companion.table.observations import (
    BoardSeen,
    Event,
    FormatError,
    Health,
    Noted,
    Piece,
    Pressed,
    Tag,
    TagsSeen,
    When,
    from_json,
    is_secret,
    to_json,
)
from tests.devices.support import CARD, problems_of

TAG = Tag(CARD, Piece("card", "blue", "Azzura"), When(3.0, 0.1))
ONE_OF_EACH = [
    TagsSeen("north/r2", "tray:blue:1", (TAG,), When(4.0, 0.2)),
    TagsSeen("north/r0", "Azzura-Lagon-Fleur", (TAG._replace(piece=None),), When(4.0)),
    Health("north/r0", "club:Azzura", False, 5.0, Event("unplugged", {"port": "/dev/ttyACM0"})),
    Health("button:blue", "", True, 5.0),
    Pressed("blue", When(6.0, 0.001)),
    Noted("north/r0", Event("tag_on_two_readers", {"sensors": ["a", "b"]}), 7.0),
    BoardSeen("overhead", {"Azzura-Lagon-Fleur": {"empty": 0.2, "hut:blue": 0.8}}, ("club:Azzura",), When(8.0)),
]


@pytest.mark.parametrize("observation", ONE_OF_EACH, ids=lambda one: type(one).__name__)
def test_json_gives_the_same_back(observation: object) -> None:
    assert from_json(json.loads(json.dumps(to_json(observation)))) == observation


def test_the_json_of_a_press_is_this() -> None:
    assert to_json(Pressed("blue", When(6.0, 0.5))) == {
        "observed": "press",
        "seat": "blue",
        "pressed": {"at": 6.0, "within": 0.5},
    }


def test_no_repr_shows_a_tag_or_its_piece() -> None:
    for observation in ONE_OF_EACH[:2]:
        for text in (repr(observation), f"{observation}", repr([observation]), repr(TAG)):
            assert CARD not in text
            assert "card" not in text


KEYS = st.sampled_from("observed sensor place tags seen uid piece since at within reason code data odds".split())
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["tags", "health"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=12,
)


@given(JUNK)
def test_junk_is_no_observation_and_only_the_declared_error_says_so(data: object) -> None:
    assert problems_of(lambda: from_json(data)) != ()


@pytest.mark.parametrize("text", ["blue tiki", "blue card Azzura", "blue card Paint 2"])
def test_a_piece_reads_as_it_is_written(text: str) -> None:
    assert Piece.from_text(text).text == text


@pytest.mark.parametrize(
    "text", ["", "blue", "blue hut", "blue card", "blue card Paint 1", "blue card Paint x", "a b c d e"]
)
def test_what_is_no_piece_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="piece_unreadable"):
        Piece.from_text(text)


def test_only_trays_are_secret() -> None:
    assert [is_secret(place) for place in ("tray:blue:1", "club:Azzura", "desk", "Azzura-Lagon-Fleur")] == [
        True, False, False, False,
    ]  # fmt: skip


# --- The inbox ---


def seen(sensor: str, at: float) -> TagsSeen:
    return TagsSeen(sensor, "desk", (), When(at))


def test_the_inbox_is_a_queue_as_long_as_it_has_room() -> None:
    inbox = Inbox()
    for at in range(5):
        inbox.put(seen("a", at))
    assert [one.seen.at for one in inbox.drain()] == [0, 1, 2, 3, 4]
    assert inbox.take(0) is None


def test_a_full_inbox_keeps_the_newest_word_of_each_sensor_and_every_press() -> None:
    inbox = Inbox(most=10)
    inbox.put(Pressed("blue", When(0.5)))
    for at in range(100):
        inbox.put(seen("ab"[at % 2], at))
    inbox.put(Health("a", "desk", False, 100.0))
    everything = inbox.drain()
    assert everything[0] == Pressed("blue", When(0.5))
    assert [one for one in everything if isinstance(one, TagsSeen)][-2:] == [seen("a", 98), seen("b", 99)]
    assert everything[-1] == Health("a", "desk", False, 100.0)
    assert inbox.dropped == 102 - len(everything)


def test_a_stuck_button_cannot_fill_the_inbox_and_the_first_press_stays() -> None:
    inbox = Inbox(most=MOST_PRESSES + 10)
    for at in range(10_000):
        inbox.put(Pressed("blue", When(at)))
    assert len(inbox) <= MOST_PRESSES + 11
    assert inbox.take(0) == Pressed("blue", When(0))
