"""Commands: who may do what and when. Whatever is refused changes nothing; nothing from outside is trusted."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.protocol import FormatError
from companion.games.texts import LANGUAGES
from companion.table.commands import COMMANDS, MOST_NAME_CHARS, clean_name
from companion.table.entries import MOST_ARGS, Command
from companion.table.texts import say
from tests.table.support import MAKABANA, OPENING, Scene, first_plan, header_of

FIRST, SECOND, THIRD = (site for _, site in OPENING[:3])
HASH = "ab" * 32


# --- Idempotency ---


def test_the_same_key_does_nothing_twice_and_gets_the_same_answer():
    scene = Scene()
    once = scene.do("act", "hut", FIRST, seat="violet", key="tap-1")
    again = scene.do("act", "hut", FIRST, seat="violet", key="tap-1")
    assert once.accepted
    assert again.accepted
    assert scene.log == [f"violet hut {FIRST}"]


def test_the_same_key_does_nothing_twice_after_a_restart():
    scene = Scene()
    scene.do("act", "hut", FIRST, seat="violet", key="tap-1")
    scene.restart()
    assert scene.do("act", "hut", FIRST, seat="violet", key="tap-1").accepted
    assert scene.log == [f"violet hut {FIRST}"]
    assert sum(entry.key == "violet/tap-1" for entry in scene.kept) == 1


def test_a_key_used_again_with_other_words_is_no_silent_yes():
    scene = Scene()
    assert scene.do("act", "hut", FIRST, seat="violet", key="one").accepted
    scene.act(f"pink hut {SECOND}")
    before = scene.log
    assert scene.do("act", "hut", THIRD, seat="violet", key="one").refusal.code == "key_reused"
    assert scene.do("undo", seat="violet", key="one").refusal.code == "key_reused"
    assert scene.do("act", "hut", FIRST, seat="violet", key="one").accepted
    assert scene.log == before


@pytest.mark.parametrize("beyond", [1, 10**30])
def test_a_screen_that_shows_what_never_happened_here_is_as_bad_as_an_old_one(beyond):
    scene = Scene()
    number = scene.table.session.number
    assert scene.refused("act", "hut", FIRST, seat="violet", seen=number + beyond) == "screen_is_old"
    assert scene.do("act", "hut", FIRST, seat="violet", seen=number).accepted


def test_two_seats_may_make_up_the_same_key():
    scene = Scene()
    assert scene.do("act", "hut", FIRST, seat="violet", key="tap-1").accepted
    assert scene.do("act", "hut", SECOND, seat="pink", key="tap-1").accepted
    assert scene.log == [f"violet hut {FIRST}", f"pink hut {SECOND}"]


def test_a_refused_command_gets_the_same_refusal_again():
    scene = Scene()
    once = scene.do("act", "hut", FIRST, seat="pink", key="tap-1")
    scene.act(f"violet hut {SECOND}")
    again = scene.do("act", "hut", FIRST, seat="pink", key="tap-1")
    assert once.refusal is not None
    assert again == once
    assert scene.log == [f"violet hut {SECOND}"]


def test_a_tap_on_an_old_screen_is_refused():
    scene = Scene()
    seen = scene.view("pink")["number"]
    scene.act(f"violet hut {FIRST}", f"pink hut {SECOND}")
    assert scene.refused("act", "hut", "Evao-Rocher-Fleur", seat="pink", seen=seen) == "screen_is_old"


def test_a_tap_is_taken_when_only_others_have_acted_since():
    scene = Scene().opened()
    seen = scene.view("pink")["number"]
    plan = first_plan(scene.state, "violet")
    scene.act(plan.text)
    assert scene.do("act", "plan", *first_plan(scene.state, "pink").args, seat="pink", seen=seen).accepted


# --- Who may ---


@pytest.mark.parametrize("do", ["leave", "seat_bot", "sit", "act", "undo", "claim", "wrong"])
def test_nothing_can_be_done_for_a_seat_before_a_game_is_set_up(do):
    assert Scene(start=False).refused(do, "x", HASH, seat="violet") == "not_set_up"


def test_start_needs_a_game():
    assert Scene(start=False).refused("start") == "not_set_up"


def test_nobody_acts_before_the_start():
    scene = Scene(start=False)
    scene.accepted("new_game", json.dumps(header_of()))
    for do in ("act", "undo", "claim"):
        assert scene.refused(do, "hut", FIRST, seat="violet") == "not_started"
    assert scene.refused("pause") == "not_started"


def test_nobody_acts_while_the_game_is_paused():
    scene = Scene()
    scene.accepted("pause")
    for do in ("act", "undo", "claim"):
        assert scene.refused(do, "hut", FIRST, seat="violet") == "game_paused"
    assert scene.refused("pause") == "not_started"
    scene.accepted("resume")
    assert scene.refused("resume") == "not_paused"
    scene.act(f"violet hut {FIRST}")


def test_nothing_is_inferred_while_the_game_is_paused():
    scene = Scene()
    scene.accepted("pause")
    scene.lay(FIRST, "hut:violet")
    scene.watch(5.0)
    assert scene.log == []
    scene.accepted("resume")
    scene.watch(2.0)
    assert scene.log == [f"violet hut {FIRST}"]


def test_a_seat_that_is_not_its_turn_is_refused():
    assert Scene().refused("act", "hut", FIRST, seat="pink") == "not_your_turn"


@pytest.mark.parametrize("seat", ["blue", "", "table", "chance", "Violet", "violet ", "x" * 5000, "\u202eviolet"])
def test_an_unknown_seat_is_refused_for_every_command(seat):
    scene = Scene()
    for do in COMMANDS:
        assert scene.refused(do, "hut", FIRST, seat=seat) == "seat_unknown"


@pytest.mark.parametrize("do", ["act", "undo", "claim", "sit", "leave", "seat_bot"])
def test_the_house_must_say_for_which_seat(do):
    assert Scene().refused(do, "1", "1") == "seat_missing"


def test_an_unknown_command_is_refused_and_the_known_ones_are_named():
    answer = Scene().do("explode" * 100, seat="violet")
    assert answer.refusal is not None
    assert answer.refusal.code == "command_unknown"
    assert answer.refusal.data["known"] == sorted(COMMANDS)
    assert len(answer.refusal.data["do"]) == 40


def test_nobody_can_act_as_the_table_or_as_chance():
    scene = Scene()
    for words in (("adjust", f"{FIRST}=hut:violet"), ("violet", "adjust", f"{FIRST}=hut:violet")):
        assert scene.do("act", *words, seat="violet").refusal
        assert scene.do("act", *words, seat="table").refusal
    assert scene.log == []


# --- Answers ---


def questioned() -> Scene:
    scene = Scene().opened().seen()
    scene.board.pop(SECOND)
    scene.watch(5.0)
    assert scene.asked().seat == "pink"
    return scene


def test_an_answer_nobody_offered_is_refused_and_the_question_stays():
    scene = questioned()
    name = scene.asked().id
    assert scene.refused("answer", name, "maybe", seat="pink") == "answer_unknown"
    assert scene.asked().id == name


@pytest.mark.parametrize("args", [(), ("x",), ("a", "b", "c")])
def test_an_answer_of_the_wrong_shape_is_refused(args):
    assert questioned().refused("answer", *args, seat="pink") == "command_unreadable"


def test_only_the_asked_seat_and_the_house_can_answer():
    scene = questioned()
    assert scene.refused("answer", scene.asked().id, "game", seat="violet") == "question_gone"
    assert scene.do("answer", scene.asked().id, "game").accepted


def test_no_question_is_answered_while_the_game_is_paused():
    scene = questioned()
    name = scene.asked().id
    scene.accepted("pause")
    assert scene.refused("answer", name, "board", seat="pink") == "game_paused"
    scene.accepted("resume")
    assert scene.answer("board").accepted


# --- Undo ---


def test_ones_own_last_action_can_be_taken_back():
    scene = Scene()
    scene.act(f"violet hut {FIRST}")
    assert scene.view("violet")["undo"]
    scene.accepted("undo", seat="violet")
    assert scene.log == []
    assert "taken_back" in scene.news()


def test_somebody_elses_action_cannot_be_taken_back():
    scene = Scene()
    scene.act(f"violet hut {FIRST}")
    assert not scene.view("pink")["undo"]
    assert scene.do("undo", seat="pink").refusal
    scene.act(f"pink hut {SECOND}")
    assert scene.do("undo", seat="violet").refusal
    assert len(scene.log) == 2


def test_what_has_shown_secrets_cannot_be_taken_back():
    scene = Scene().opened().planned()
    assert scene.refused("undo", seat="yellow") == "secrets_shown"


def test_there_is_nothing_to_take_back_at_the_start():
    assert Scene().refused("undo", seat="violet") == "nothing_to_undo"


# --- Games and seats ---


def test_a_game_under_way_is_not_replaced_by_accident():
    scene = Scene()
    scene.act(f"violet hut {FIRST}")
    other = json.dumps(header_of("2013", 4))
    assert scene.refused("new_game", other) == "game_under_way"
    scene.accepted("new_game", other, "anyway")
    assert len(scene.table.session.seats) == 4
    assert scene.log == []


def test_people_keep_their_seats_for_the_next_game():
    scene = Scene()
    scene.accepted("new_game", json.dumps(header_of("2013-mao", 3)), "anyway")
    assert scene.table.session.seats["violet"].name == "Violet"


@pytest.mark.parametrize(
    "header",
    [
        "", "{", "[]", "null", "1e999", "NaN", '{"game": "makabana"}', '{"game": ["makabana"]}', '{"game": {}}',
        '{"game": "chess"}', '{"game": "makabana", "rules": "2013", "boards": 7, "players": null}',
        '{"game": "makabana", "rules": {}, "boards": ["nadaa"], "players": ["violet", "pink", "yellow"]}',
        '{"game": "makabana", "rules": "2013", "boards": ["nadaa"], "players": ["violet", "violet", "yellow"]}',
        '{"game": "makabana", "rules": "2013", "boards": [{}], "players": ["violet", "pink", "yellow"]}',
        '{"game": "makabana", "rules": "2013", "boards": ["nadaa"], "players": ["\\ud800", "pink", "yellow"]}',
        '{"game": "kahuna"}', '{"game": "maori", "rules": []}', "[" * 100_000, '{"a":' * 5000, "\ud800", "9" * 10_000,
    ],
)  # fmt: skip
def test_a_hostile_header_is_refused_with_words(header):
    scene = Scene(start=False)
    answer = scene.do("new_game", header)
    assert answer.refusal is not None
    for language in LANGUAGES:
        assert answer.refusal.code not in say(answer.refusal, language)
    assert scene.table.session.game is None


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ana", "Ana"),
        ("  Ana \t Lucía\n", "Ana Lucía"),
        ("Ana\x00\x1b[31mred", "Ana [31mred"),
        ("\u202eanA", "anA"),  # a mark that would turn everything after it round
        ("\u200f\u2066Ana\u2069", "Ana"),
        ("x" * 10_000, "x" * MOST_NAME_CHARS),
        ("名前", "名前"),
        ("\ud800Ana", "Ana"),
    ],
)
def test_a_name_is_shown_as_one_plain_line(typed, shown):
    assert clean_name(typed) == shown
    scene = Scene()
    scene.accepted("sit", typed, HASH, seat="violet")
    assert scene.view("public")["seats"]["violet"]["name"] == shown


@pytest.mark.parametrize("typed", ["", "   ", "\x00\x01", "\u202e\u200f", "\ud800"])
def test_a_name_of_nothing_is_refused(typed):
    assert Scene().refused("sit", typed, HASH, seat="violet") == "name_missing"


def test_a_bot_takes_an_empty_seat_only():
    scene = Scene()
    assert scene.refused("seat_bot", "Moana", seat="violet") == "seat_is_taken"
    scene.accepted("leave", seat="violet")
    assert scene.refused("leave", seat="violet") == "seat_is_free"
    scene.accepted("seat_bot", "Moana", seat="violet")
    assert scene.view("public")["seats"]["violet"] == {"name": "Moana", "kind": "bot", "colour": "violet"}


def test_that_was_wrong_is_kept_and_harmless():
    scene = Scene()
    scene.accepted("wrong", "\u202eno\x00", "way " * 1000, seat="pink")
    words = scene.kept[-1].body["words"]
    assert len(words) <= 300
    assert words.isprintable()
    assert scene.news()[-1] == "disputed"


# --- Hostile ---

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
plausible = st.fixed_dictionaries(
    {},
    optional={
        "key": st.text(max_size=80) | json_values,
        "do": st.sampled_from(sorted(COMMANDS)) | json_values,
        "args": st.lists(st.text(max_size=30), max_size=60) | json_values,
        "seen": st.integers() | json_values,
    },
)


@given(json_values | plausible, st.sampled_from([None, "violet", "table"]))
def test_whatever_a_phone_sends_is_a_command_or_a_format_error(data, seat):
    try:
        command = Command.from_json(data, seat)
    except FormatError:
        return
    assert command.seat == seat
    assert len(command.args) <= MOST_ARGS
    assert all(isinstance(arg, str) for arg in command.args)


def test_a_phone_cannot_choose_its_seat():
    assert Command.from_json({"key": "k", "do": "act", "seat": "pink"}, "violet").seat == "violet"


@pytest.mark.parametrize("seen", [True, "1", 1.5, [1]])
def test_a_version_that_is_no_number_is_unreadable(seen):
    with pytest.raises(FormatError):
        Command.from_json({"key": "k", "do": "undo", "seen": seen}, "violet")


VERBS = "hut plan tiki reveal denounce close withdraw adjust show anyway yes Danae Evao Lagon Fleur Paint violet pink"
ODD = ["denounce pink", "1", "1000", "nan", "-inf", "1e309", "0x10", "{}", "\ud800", "\x00", "#", "\u202e", ""]
WORDS = st.sampled_from([*VERBS.split(), *ODD, FIRST, SECOND, HASH, f"{FIRST}=hut:violet"]) | st.text(max_size=12)
COMMAND = st.builds(
    Command,
    st.integers(0, 10**9).map(lambda n: f"key-{n}"),
    st.sampled_from(sorted(COMMANDS)) | st.text(max_size=8),
    st.lists(WORDS, max_size=7).map(tuple),
    st.sampled_from(["violet", "pink", "yellow", None, "table", "blue"]),
    st.none() | st.integers(-5, 100),
)


def at_every_phase() -> list[Any]:
    """How to get to each phase of a game of Mao, in which nearly everything can happen."""
    return [
        lambda: Scene("2013-mao"),
        lambda: Scene("2013-mao").opened(),
        lambda: Scene("2013-mao").opened().planned(),
        _raced,
        _tikis,
    ]


def _raced() -> Scene:
    scene = Scene("2013-mao").opened().planned()
    scene.press("pink")
    scene.wait(1.0)
    return scene


def _tikis() -> Scene:
    scene = Scene("2013-mao").opened().planned()
    scene.act("violet close")
    return scene


@pytest.mark.parametrize("scene_at", at_every_phase())
def test_random_commands_never_fail_and_what_is_refused_changes_nothing(scene_at):
    @settings(max_examples=30)
    @given(st.lists(COMMAND, min_size=1, max_size=12))
    def attack(commands):
        scene = scene_at()
        for command in commands:
            before, kept = scene.table.session, len(scene.kept)
            answer = scene.table.do(command)
            if answer.refusal is not None:
                assert scene.table.session is before
                assert len(scene.kept) == kept
                assert all(say(answer.refusal, language) for language in LANGUAGES)
            assert scene.table.trouble is None, command
            json.dumps(scene.view("public"))
        scene.wait(2.0)
        assert MAKABANA.actors(scene.state) or scene.table.session.game is None
        scene.restart()

    attack()
