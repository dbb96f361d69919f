"""The board that comes with Kahuna, and what validation says about a wrong one."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.kahuna.board import ends_of, line_name, load_board, parse_board
from companion.games.protocol import FormatError
from companion.games.record import Record, last_state, parse_record, to_jsonl
from tests.kahuna.support import BOARD, GAME, HEADER


def test_the_board_has_twelve_islands_and_twenty_seven_lines():
    board = load_board("kahuna")
    assert (len(board.islands), len(board.lines)) == (12, 27)
    assert list(board.lines) == sorted(set(board.lines))
    assert all(line_name(*ends_of(line)[::-1]) == line for line in board.lines)
    assert GAME.start(HEADER).setup.deck.count("ALOA") == 2


def wrong(change) -> list[str]:
    data = deepcopy(BOARD)
    change(data)
    with pytest.raises(FormatError) as caught:
        parse_board(data)
    return [problem.code for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda d: d.update(board="Kahuna!"), "board_name_wrong"),
        (lambda d: d.update(islands=[]), "islands_missing"),
        (lambda d: d["islands"].update(aloa=[0.1, 0.1]), "island_name_wrong"),
        (lambda d: d["islands"].update(ALOA=[1.1, 0]), "point_off_board"),
        (lambda d: d["islands"].update(ALOA=[float("nan"), 0]), "point_off_board"),
        (lambda d: d["islands"].update(ALOA=[True, 0]), "point_off_board"),
        (lambda d: d.update(lines={}), "lines_missing"),
        (lambda d: d.update(lines=[["ALOA", "BARI"]] * 101), "lines_missing"),
        (lambda d: d["lines"].append(["ALOA"]), "not_a_line"),
        (lambda d: d["lines"].append([["ALOA"], "BARI"]), "not_a_line"),
        (lambda d: d["lines"].append(["ALOA", "ALOA"]), "line_between_unknown"),
        (lambda d: d["lines"].append(["ALOA", "MAUI"]), "line_between_unknown"),
        (lambda d: d["lines"].append(["BARI", "ALOA"]), "line_twice"),
        (lambda d: d["lines"].pop(), "board_count_wrong"),
        (lambda d: d["islands"].update(MAUI=[0.5, 0.5]), "island_with_few_lines"),
    ],
)
def test_a_wrong_board_is_named(change, code):
    assert code in wrong(change)


def test_an_own_board_goes_with_the_record():
    mine = {**deepcopy(BOARD), "board": "mine"}
    mine["islands"]["ALOA"] = [0.75, 0.7]
    record = Record({**HEADER, "boards": [mine]})
    state = last_state(parse_record(to_jsonl(record)))
    assert state.setup.board.islands["ALOA"] == (0.75, 0.7)
    assert GAME.header(state)["boards"] == [mine]


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8) | st.sampled_from(sorted(BOARD["islands"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(st.sampled_from([None, "board", "islands", "lines"]), json_values)
def test_no_data_does_more_than_raise_a_format_error(key, value):
    with suppress(FormatError):
        parse_board(value if key is None else {**BOARD, key: value})


@given(st.sampled_from(["bridges", "stones", "won", "players", "boards", "options", "rules"]), json_values)
def test_no_position_does_more_than_raise_a_format_error(key, value):
    with suppress(FormatError):
        GAME.score_position({**HEADER, "bridges": {}, key: value})
