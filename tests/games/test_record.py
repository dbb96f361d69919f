"""Records: both forms, what is wrong with a bad one and where, and strict JSON."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.protocol import Action, FormatError
from companion.games.record import LineError, Record, loads_strictly, parse_record, replay_text, to_jsonl, to_text

HEADER = "makabana rules=2013 boards=nadaa players=blue,green,yellow"
TEXT = f"""# a game for the tests
{HEADER}
blue hut Danae-Lagon-Fleur   # the bay

green hut Evao-Lagon-Fleur
"""
JSONL = (
    '{"record": 1, "game": "makabana", "rules": "2013", "boards": ["nadaa"], "players": ["blue", "green", "yellow"]}\n'
    '{"seat": "blue", "do": "hut", "args": ["Danae-Lagon-Fleur"]}\n'
    '{"seat": "green", "do": "hut", "args": ["Evao-Lagon-Fleur"]}\n'
)
RECORD = Record(
    {"game": "makabana", "rules": "2013", "boards": ["nadaa"], "players": ["blue", "green", "yellow"]},
    (Action("blue", "hut", ("Danae-Lagon-Fleur",)), Action("green", "hut", ("Evao-Lagon-Fleur",))),
)


def test_both_forms_say_the_same():
    assert parse_record(TEXT) == parse_record(JSONL) == RECORD
    assert to_jsonl(RECORD) == JSONL
    assert to_text(RECORD) == f"{HEADER}\nblue hut Danae-Lagon-Fleur\ngreen hut Evao-Lagon-Fleur\n"


def test_camps_and_options_have_a_text_form():
    header = {
        "game": "makabana",
        "rules": "2003",
        "boards": ["maka-bana-2003"],
        "players": ["yellow", "blue", "green", "red"],
        "camps": [["yellow", "green"], ["blue", "red"]],
        "options": {"protect_only_when_threatened": False},
    }
    text = to_text(Record(header))
    assert text == (
        "makabana rules=2003 boards=maka-bana-2003 players=yellow,blue,green,red camps=yellow+green,blue+red "
        "protect_only_when_threatened=no\n"
    )
    assert parse_record(text).header == header


def test_an_own_board_goes_into_json_lines_only():
    record = Record({"game": "makabana", "rules": "2013", "boards": [{"board": "mine"}], "players": ["blue"]})
    assert parse_record(to_jsonl(record)) == record
    with pytest.raises(FormatError, match="board_without_name"):
        to_text(record)


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        ("", 1, "record_empty"),
        ("# nothing\n\n", 1, "record_empty"),
        ("blue hut Danae-Lagon-Fleur\n", 1, "header_unreadable"),
        ("makabana\n", 1, "record_without_header"),
        ("makabana rules=2013 rules=2003\n", 1, "header_unreadable"),
        (f"\n{HEADER}\nblue\n", 3, "action_unreadable"),
        (f"{HEADER}\nblue sings loudly\n", 2, "not_now"),
        (f"{HEADER}\nblue hut Danae-Lagon-Fleur\n\n# next\ngreen hut Danae-Lagon-Fleur\n", 5, "site_taken"),
        (f"{HEADER}\ngreen hut Danae-Lagon-Fleur\n", 2, "not_your_turn"),
        ("makabana rules=2013 boards=atlantis players=blue,green,yellow\n", 1, "board_unknown"),
        ("chess rules=2013\n", 1, "game_unknown"),
        ('{"game": "makabana"}\n', 1, "record_without_header"),
        ('{"record": 2, "game": "makabana"}\n', 1, "record_version"),
        (JSONL.replace('["Evao-Lagon-Fleur"]', "[7]"), 3, "action_unreadable"),
        (JSONL.replace('"args": ["Evao', '"args": "Evao'), 3, "json_line_broken"),
        (JSONL + "[]\n", 4, "action_unreadable"),
        (JSONL + '{"seat": "green", "seat": "blue", "do": "hut"}\n', 4, "key_twice"),
        (f"{HEADER}\n{'x' * 200_001}\n", 2, "line_too_long"),
        ("#\n" * 20_001, 20_001, "record_too_long"),
    ],
)
def test_a_bad_record_names_its_first_bad_line(text, line, code):
    with pytest.raises(LineError) as caught:
        replay_text(text)
    assert (caught.value.line, caught.value.problems[0].code) == (line, code)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "json_broken"),
        ('{"a": 1, "a": 2}', "key_twice"),
        ("NaN", "json_broken"),
        ("[" * 100_000, "json_too_deep"),
        ("[" * 500 + "]" * 500, "json_too_deep"),
        ("9" * 5000, "json_broken"),
    ],
)
def test_json_is_read_strictly(text, code):
    with pytest.raises(FormatError) as caught:
        loads_strictly(text)
    assert caught.value.problems[0].code == code


@given(st.text(max_size=200))
def test_no_text_does_more_than_raise_a_line_error(text):
    with suppress(LineError):
        replay_text(text)


@given(st.text(alphabet='{}[]":,# \n=blueplanhutshow1', max_size=120))
def test_no_text_after_a_header_does_more_than_raise_a_line_error(text):
    for header in (HEADER + "\n", JSONL):
        with suppress(LineError):
            replay_text(header + text)


@given(st.binary(max_size=60))
def test_any_action_text_is_an_action_or_a_format_error(data):
    line = data.decode("utf-8", "replace")
    with suppress(FormatError):
        action = Action.from_text(line)
        assert Action.from_text(action.text) == action
        assert Action.from_json(action.to_json()) == action


def test_a_line_separator_inside_a_note_does_not_break_the_record():
    board = {"board": "mine", "note": "two\u2028lines\u0085and more"}
    record = Record({"game": "makabana", "rules": "2013", "boards": [board], "players": ["blue"]})
    assert parse_record(to_jsonl(record)) == record


def test_an_option_given_twice_is_refused():
    with pytest.raises(LineError) as caught:
        parse_record("makabana rules=2003 protect_only_when_threatened=no protect_only_when_threatened=yes\n")
    assert caught.value.problems[0].code == "header_unreadable"


def test_an_option_may_be_a_number():
    header = {"game": "kahuna", "rules": "standard", "boards": ["kahuna"], "players": ["white", "black"]}
    record = Record({**header, "options": {"respect_stones": True, "handicap_black": 2}})
    text = "kahuna rules=standard boards=kahuna players=white,black respect_stones=yes handicap_black=2\n"
    assert to_text(record) == text
    assert parse_record(text) == record
    assert replay_text(text)[1].setup.free_bridges == (0, 2)


def test_a_refusal_is_said_in_the_words_of_its_game():
    with pytest.raises(LineError) as caught:
        replay_text("makisan rules=standard players=south,north\nchance open red-pink\n")
    assert (caught.value.line, caught.value.game) == (2, "makisan")
    with pytest.raises(LineError) as caught:
        replay_text("kahuna rules=standard boards=kahuna players=white\n")
    assert (caught.value.problems[0].code, caught.value.game) == ("players_wrong", "kahuna")
