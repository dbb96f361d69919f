"""Simulated evenings: clean games need no question, no error goes unnoticed, nothing wrong is committed silently."""

import heapq
import random

import pytest

from companion.commands.simulate_table import _KINDS, Plan, play
from companion.games.catalogue import game_named
from companion.games.protocol import Action
from companion.rehearsal.evening import Evening, Gear
from companion.rehearsal.sensors import Camera, Readers
from companion.rehearsal.tally import GameTally, HumanError, summary
from companion.rehearsal.world import World
from companion.table.decide import DIFFERENCES, Cause
from companion.table.entries import Answer
from companion.table.questions import Question
from tests.table.support import OPENING, first_plan

CLEAN = Gear(human_errors=False, sensor_faults=False)


def evening(number: int, gear: Gear, seed: int = 1) -> GameTally:
    rules, people = _KINDS[number % len(_KINDS)]
    return play(Plan(number, seed, rules, people, gear, spied_on=False))


def assert_right(game: GameTally) -> None:
    assert game.is_finished
    assert game.silent_wrong_commits == 0
    assert not game.wrong_final_score
    assert game.noticed == game.errors
    assert game.questions_without_cause == 0
    assert game.most_questions_per_error <= 1


@pytest.mark.parametrize("number", range(len(_KINDS)))
def test_a_clean_game_is_played_without_a_single_question(number):
    game = evening(number, CLEAN)
    assert_right(game)
    assert (game.errors, game.faults, game.questions, game.checks) == (0, 0, 0, 0)
    assert game.inferred > 10


def test_games_full_of_errors_and_faults_end_right():
    games = [evening(number, Gear()) for number in range(14)]
    for game in games:
        assert_right(game)
    found = summary(games)
    assert found["human_errors"] > 10
    assert found["human_errors_noticed"] == found["human_errors"]
    assert found["sensor_faults"] > 20
    assert found["questions"] > 0


@pytest.mark.parametrize(
    "gear",
    [
        Gear(camera=False),
        Gear(readers=False),
        Gear(camera=False, readers=False),
        Gear(lost=("camera",)),
        Gear(lost=("readers",)),
        Gear(lost=("camera", "readers")),
    ],
    ids=["no camera", "no readers", "phones only", "camera lost", "readers lost", "both lost"],
)
def test_the_game_survives_without_any_rung(gear):
    for number in (0, 4):
        game = evening(number, gear)
        assert_right(game)
        if not gear.camera or "camera" in gear.lost:
            assert game.checks > 0  # somebody compares the board by eye before the score counts


def test_the_same_seed_gives_the_same_evening():
    assert evening(3, Gear(), seed=8) == evening(3, Gear(), seed=8)
    assert evening(3, Gear(), seed=8) != evening(3, Gear(), seed=9)


# --- The tally can tell ---


def test_a_table_that_commits_something_else_is_counted():
    header = game_named("makabana").default_header("2013", 3)
    played = Evening(header, random.Random(1), CLEAN)
    people = played.people
    step = next(iter(people._intent), None)
    assert step is None
    seat = played.table.session.actors[0]
    legal = played.game.legal_actions(played.table.session.state, seat)
    people._intent[seat] = legal[0]
    played.do("act", legal[1].verb, *legal[1].args, seat=seat)
    people.look()
    assert people.wrong_commits == 1


def test_the_same_club_in_other_words_is_no_wrong_commit_and_another_deed_is():
    played = Evening(game_named("makabana").default_header("2013-mao", 3), random.Random(1), CLEAN)
    game = played.game
    lines = [
        *(f"{seat} hut {site}" for seat, site in OPENING),
        "violet plan Danae Cocotier Fleur Tatouage Club show Danae",
        *(f"{seat} plan Danae Lagon Poisson show Danae" for seat in ("pink", "yellow")),
        "violet close",
        "violet tiki Danae-Sable-Fleur",
        "pink tiki club:Evao",
        "yellow tiki Danae-Sable-Poisson",
        "violet reveal",
        "violet build Danae-Cocotier-Tatouage",
    ]
    for line in lines:
        action = Action.from_text(line)
        assert played.do("act", action.verb, *action.args, seat=action.seat).accepted, line
    state = played.table.session.state
    one, other = (action for action in game.hand_actions(state) if action.verb == "club")
    assert played.do("act", one.verb, *one.args, seat=one.seat).accepted
    step = played.table.session.steps[-1]
    assert played.people._is_as_meant(step, one)
    assert played.people._is_as_meant(step, other)
    assert not played.people._is_as_meant(step, Action("violet", "done"))


def test_a_wrong_board_at_the_end_is_counted():
    header = game_named("makabana").default_header("2013", 3)
    played = Evening(header, random.Random(1), CLEAN)
    assert not played.run().wrong_final_board
    place = next(place for place, pieces in played.world.pieces.items() if pieces)
    played.world.take(played.world.pieces[place][0], place)
    assert played._tally(0.0).wrong_final_board


def test_a_final_score_other_than_of_what_people_did_is_counted():
    header = game_named("makabana").default_header("2013", 3)
    played = Evening(header, random.Random(1), CLEAN)
    assert not played.run().wrong_final_score
    first = played.table.session.steps[0]
    others = [a for a in played.game.hand_actions(played.table.session.start) if a != first.action]
    played.people.truth[first.entry] = others[0]
    assert played._tally(0.0).wrong_final_score


# --- People ---


def test_whoever_puts_down_the_only_tiki_has_taken_it_up_where_it_lay():
    played = Evening(game_named("makabana").default_header("2013", 3), random.Random(1), CLEAN)
    people, world = played.people, played.world
    people._put_pieces({"Danae-Sable-Fleur": ((), (("tiki", "pink"),))})
    people._put_pieces({"Evao-Lagon-Fleur": ((), (("tiki", "pink"), ("hut", "pink")))})
    assert world.places_of(("tiki", "pink")) == ["Evao-Lagon-Fleur"]
    people._put_pieces({"Danae-Lagon-Fleur": ((), (("hut", "pink"),))})  # of huts there are more
    assert world.places_of(("hut", "pink")) == ["Danae-Lagon-Fleur", "Evao-Lagon-Fleur"]


def test_nobody_takes_a_piece_for_another_that_is_not_at_hand():
    played = Evening(game_named("makabana").default_header("2013", 3), random.Random(1), CLEAN)
    people = played.people
    assert people._is_at_hand(("tiki", "pink"))
    people._put_pieces({"Danae-Sable-Fleur": ((), (("tiki", "pink"), ("hut", "pink")))})
    assert not people._is_at_hand(("tiki", "pink"))
    assert people._is_at_hand(("hut", "pink"))


def test_where_the_game_wants_the_only_tiki_twice_people_let_the_board_be_right():
    """They agreed on a tiki that lay where the rules allow none, and then put it down again elsewhere."""
    played = Evening(game_named("makabana").default_header("2013", 3), random.Random(1), CLEAN)
    people = played.people
    for seat, site in OPENING:
        assert played.do("act", "hut", site, seat=seat).accepted
    for seat in played.table.session.seats:
        plan = first_plan(played.table.session.state, seat)
        assert played.do("act", plan.verb, *plan.args, seat=seat).accepted
    assert played.do("act", "tiki", "club:Danae", seat="violet").accepted
    here = OPENING[1][1]
    assert played.do("adjust", f"{here}=hut:pink+tiki:pink").accepted
    assert not people._is_short_of_a_piece({here})
    assert played.do("act", "tiki", "club:Evao", seat="pink").accepted
    assert people._is_short_of_a_piece({here})
    assert not people._is_short_of_a_piece({OPENING[0][1]})


def test_a_question_that_comes_again_is_answered_again():
    played = Evening(game_named("makabana").default_header("2013", 3), random.Random(1), CLEAN)
    people, answered = played.people, []
    question = Question("a1", DIFFERENCES, "pink", (Cause(OPENING[1][1], "hut:pink", "empty"),), {}, ("game",))
    played.do = lambda *words, seat=None: answered.append(words) or Answer(1)
    for times in (1, 2):
        played.table._asking.question = question
        people._notice_questions()
        played.clock.at += 10.0
        while played._tasks:
            heapq.heappop(played._tasks)[2]()
        assert [words[1] for words in answered] == ["a1"] * times


def test_questions_are_counted_by_what_they_are_about():
    played = Evening(game_named("makabana").default_header("2013", 3), random.Random(1), CLEAN)
    people, cause = played.people, Cause("Danae-Sable-Fleur", "hut:pink", "empty")
    people.errors.append(HumanError("knocked", frozenset({cause.place}), 0.0))
    for name in ("a1", "a1.b2", "c3"):
        people._count(Question(name, DIFFERENCES, "pink", (cause,), {}, ("game",)))
    assert people.asked == {"a1", "c3"}
    assert people.errors[0].questions == {"a1", "c3"}


# --- World and sensors ---


def test_a_hand_covers_a_place_and_its_neighbours_for_a_while():
    world = World(("a", "b", "c"), {"a": ("b",)})
    world.cover("a", until=5.0)
    assert world.covered(4.0) == {"a", "b"}
    assert world.covered(5.0) == frozenset()


def test_the_camera_misreads_as_often_as_the_real_reader():
    places = tuple(str(n) for n in range(4000))
    world = World(places, {})
    camera = Camera(world, ["blue", "pink"], random.Random(1))
    seen = camera.look(1.0).odds
    wrong = sum(max(reading, key=reading.get) != "empty" for reading in seen.values())
    assert 15 <= wrong <= 60  # 33 in 4,091 on average
    steady = camera.look(2.0).odds
    assert steady == seen  # the same picture is misread in the same way


def test_a_clean_camera_never_errs():
    world = World(tuple(str(n) for n in range(500)), {})
    camera = Camera(world, ["blue", "pink"], random.Random(1), faulty=False)
    seen = camera.look(1.0).odds
    assert all(reading["empty"] > 0.98 for reading in seen.values())
    assert camera.faults_so_far == 0


def test_a_dead_reader_says_no_more():
    readers = Readers(random.Random(1), faulty=False)
    readers.lay("blue", "blue", ["Danae"], 1.0)
    assert len(list(readers.words(1.0))) == 5
    readers.kill("tray-blue/place-1", "tray:blue:1", 2.0)
    readers.lay("blue", "blue", ["Evao"], 3.0)
    sensors = [word.sensor for word in readers.words(3.0)]
    assert sensors.count("tray-blue/place-1") == 1  # its last word is that it is lost
