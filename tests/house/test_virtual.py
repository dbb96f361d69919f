"""A virtual board: pieces go where hands put them, and nothing a browser sends can do more than that."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.catalogue import game_named
from companion.games.protocol import FormatError, content_of
from companion.house.loose import place_near
from companion.house.surfaces import boards_of
from companion.house.virtual import MOST_PIECES, VirtualBoard

SITE, OTHER = "Danae-Lagon-Fleur", "Danae-Lagon-Poisson"


@pytest.fixture
def board() -> VirtualBoard:
    return VirtualBoard(["nadaa"])


def test_a_piece_put_on_a_place_is_there(board: VirtualBoard) -> None:
    board.put("hut", "blue", SITE)
    assert {place: content for place, content in board.contents().items() if content != "empty"} == {SITE: "hut:blue"}


def test_contents_cover_every_place_of_the_game() -> None:
    game = game_named("makabana")
    for people in (3, 4, 5, 6):
        header = game.default_header("2013", people)
        board = VirtualBoard(boards_of(header))
        assert set(board.contents()) == set(game.places(game.start(header)))


def test_pieces_of_one_place_are_spelled_as_the_games_spell_them(board: VirtualBoard) -> None:
    board.put("tiki", "pink", SITE)
    board.put("hut", "blue", SITE)
    assert board.contents()[SITE] == content_of((("hut", "blue"), ("tiki", "pink"))) == "hut:blue+tiki:pink"


def test_pieces_that_share_a_place_stand_side_by_side_and_nearer_to_it_than_to_any_other(board: VirtualBoard) -> None:
    board.put("hut", "blue", SITE)
    board.put("tiki", "blue", SITE)
    hut, tiki = board.layout("nadaa").pieces
    assert 10 < ((hut.x_mm - tiki.x_mm) ** 2 + (hut.y_mm - tiki.y_mm) ** 2) ** 0.5 < 15


def test_a_piece_dropped_near_a_place_is_on_it_and_far_from_all_on_none(board: VirtualBoard) -> None:
    there = board.put("hut", "blue", SITE)
    near = board.drop("hut", "green", "nadaa", (there.x + 0.004, there.y), 30.0)
    far = board.drop("hut", "pink", "nadaa", (-0.2, -0.2))
    assert (place_near(near), place_near(far)) == (SITE, None)


def test_a_moved_piece_is_where_it_went_and_a_taken_one_nowhere(board: VirtualBoard) -> None:
    piece = board.put("hut", "blue", SITE)
    board.move(piece.id, OTHER)
    assert [one.place for one in board.pieces()] == [OTHER]
    board.take(piece.id)
    assert board.pieces() == []
    with pytest.raises(FormatError, match="virtual_piece_gone"):
        board.take(piece.id)


def test_helping_hands_do_what_the_table_asks_and_touch_nothing_else(board: VirtualBoard) -> None:
    board.put("hut", "blue", SITE)
    board.put("tiki", "green", OTHER)
    board.help_with({"pink"}, {SITE: (("hut", "pink"),), "Evao-Lagon-Fleur": (("tiki", "pink"),)})
    found = {place: content for place, content in board.contents().items() if content != "empty"}
    assert found == {SITE: "hut:pink", OTHER: "tiki:green", "Evao-Lagon-Fleur": "tiki:pink"}
    board.help_with({"pink"}, {SITE: (("hut", "pink"),)})
    assert board.contents()["Evao-Lagon-Fleur"] == "empty"


def test_a_browser_drags_by_place_by_position_and_off_the_board(board: VirtualBoard) -> None:
    board.drag({"kind": "hut", "colour": "blue", "board": "nadaa", "x": 0.5, "y": 0.5, "angle": 400})
    piece = board.pieces()[0]
    assert (piece.x, piece.angle) == (0.5, 40.0)
    board.drag({"piece": piece.id, "place": SITE})
    assert board.contents()[SITE] == "hut:blue"
    board.drag({"piece": piece.id, "gone": True})
    assert board.to_json()["pieces"] == []


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ([], "drag_unreadable"),
        ({"kind": "hut", "colour": "blue", "board": "nadaa", "x": "1", "y": 0}, "drag_unreadable"),
        ({"kind": "hut", "colour": "blue", "board": "nadaa", "x": float("nan"), "y": 0}, "drag_unreadable"),
        ({"kind": "hut", "colour": "blue", "board": "nadaa", "x": 9, "y": 0}, "drag_out_of_range"),
        ({"kind": "ship", "colour": "blue", "board": "nadaa", "x": 0, "y": 0}, "virtual_piece_unknown"),
        ({"kind": "hut", "colour": "<b>", "board": "nadaa", "x": 0, "y": 0}, "virtual_piece_unknown"),
        ({"kind": "hut", "colour": "blue", "board": "noka", "x": 0, "y": 0}, "virtual_piece_unknown"),
        ({"kind": "hut", "colour": "blue", "place": "Azzura-Lagon-Fleur"}, "place_not_here"),
        ({"piece": True, "place": SITE}, "drag_unreadable"),
        ({"piece": 99, "place": SITE}, "virtual_piece_gone"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_reason(board: VirtualBoard, data: object, code: str) -> None:
    with pytest.raises(FormatError, match=code):
        board.drag(data)
    assert board.pieces() == []


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3),
)
_KEYS = st.sampled_from(["piece", "kind", "colour", "board", "x", "y", "angle", "place", "gone"])


@given(st.dictionaries(_KEYS, _JSON))
def test_whatever_a_browser_sends_only_the_declared_error_escapes(data: dict[str, object]) -> None:
    board = VirtualBoard(["nadaa"])
    try:
        board.drag(data)
    except FormatError:
        assert board.pieces() == []


def test_a_board_holds_so_many_pieces_and_no_more(board: VirtualBoard) -> None:
    for _ in range(MOST_PIECES):
        board.drop("hut", "blue", "nadaa", (0.5, 0.5))
    with pytest.raises(FormatError, match="too_many_pieces"):
        board.drop("hut", "blue", "nadaa", (0.5, 0.5))
