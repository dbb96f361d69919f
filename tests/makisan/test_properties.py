"""What holds in every game of Maki-San, whatever happens in it."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import pairwise

from hypothesis import given, settings

from companion.games.makisan.board import facing_of, maki_of, rows_of, turned
from companion.games.makisan.determinise import possible_state
from companion.games.makisan.rules import MAKIS, SIDES
from companion.games.makisan.state import OPENING, OVER
from companion.games.protocol import CHANCE, Action, Refusal
from companion.games.record import Record, undo
from tests.games.every_game import greedy_action, random_steps, record_of
from tests.makisan.support import GAME, new_game, random_slip, rule_sets, seeds, with_line

# Games are long here: fewer of them, in the same measure as the profile in force asks for.
thrifty = settings(max_examples=settings.default.max_examples // 20)


def steps_of(rules, seed):
    return random_steps(GAME, new_game(rules), seed)


def test_the_ten_makis_are_the_pairs_of_five_colours_each_four_times():
    assert len(set(MAKIS)) == 10
    assert set(Counter(colour for maki in MAKIS for colour in maki.split("-")).values()) == {4}
    assert all(len(set(maki.split("-"))) == 2 for maki in MAKIS)


@thrifty
@given(rule_sets, seeds)
def test_every_maki_is_in_the_bag_in_a_hand_or_on_the_line(rules, seed):
    for _, _, state in steps_of(rules, seed):
        drawn = [state.drawn] if state.drawn else []
        assert sorted([*state.bag, *drawn, *map(maki_of, state.line)]) == sorted(MAKIS)
        if state.wasabi is not None:
            assert rules == "wasabi"
            assert state.wasabi.maki in map(maki_of, state.line)


@thrifty
@given(rule_sets, seeds)
def test_a_line_that_wins_ends_the_round_at_once(rules, seed):
    steps = steps_of(rules, seed)
    for step in steps:
        assert not rows_of(step.after.line) or step.after.phase == OVER
        if step.after.round != step.before.round:
            assert step.after.phase == OPENING
            assert step.after.first != step.before.first
    last = steps[-1].after
    totals = [points["total"] for points in GAME.score(last).points.values()]
    assert max(totals) == 2
    assert last.round <= 3
    assert GAME.outcome(last).ended_by.code == "game_over"


@thrifty
@given(rule_sets, seeds)
def test_nobody_ever_undoes_the_action_before(rules, seed):
    """No flip or move of the same maki twice running, and no Wasabi put where the other lay."""
    steps = steps_of(rules, seed)
    for earlier, later in pairwise(steps):
        if earlier.action.verb == later.action.verb and later.action.verb in ("flip", "move"):
            assert _touched(earlier) != _touched(later)
        if later.action.verb == "wasabi" and later.before.wasabi is not None:
            assert later.after.round != later.before.round or later.after.wasabi.maki != later.before.wasabi.maki


def _touched(step):
    return maki_of(step.before.line[int(step.action.args[0]) - 1])


@thrifty
@given(rule_sets, seeds)
def test_every_accepted_action_is_in_the_legal_list(rules, seed):
    rng = random.Random(seed)
    for state, _, _ in steps_of(rules, seed):
        slip = random_slip(state, rng)
        result = GAME.apply(state, slip)
        assert (slip in GAME.legal_actions(state, slip.seat)) == (not isinstance(result, Refusal))


@thrifty
@given(rule_sets, seeds)
def test_positions_come_back_from_their_pieces(rules, seed):
    for _, _, state in steps_of(rules, seed)[::7]:
        position = json.loads(json.dumps(GAME.position(state)))
        assert GAME.position_with(position, GAME.expected(state)) == position


@thrifty
@given(rule_sets, seeds)
def test_views_do_not_depend_on_faces_that_a_seat_can_not_see(rules, seed):
    """Two states that differ only in what a seat can't know look the same to it, to the last byte."""
    rng = random.Random(seed)
    for state, _, _ in steps_of(rules, seed)[::7]:
        for seat in (*SIDES, None):
            other = with_other_secrets(state, seat, rng)
            assert json.dumps(GAME.view(state, seat)) == json.dumps(GAME.view(other, seat))
            assert GAME.shown(state, seat) == GAME.shown(other, seat)


@thrifty
@given(rule_sets, seeds)
def test_the_shown_line_is_the_line_with_faces_left_out_that_the_view_leaves_out(rules, seed):
    for state, _, _ in steps_of(rules, seed)[::3]:
        for seat in (*SIDES, None):
            seen = GAME.view(state, seat)["line"]
            for place, pieces in GAME.shown(state, seat).items():
                faces = [seen[place][side] or "?" for side in SIDES]
                covers = (("wasabi", seen[place]["wasabi"]),) if seen[place]["wasabi"] else ()
                assert pieces == (("maki", "-".join(faces)), *covers)


def test_a_maki_read_the_other_way_round_does_not_tell_its_other_side():
    state = with_line("red-green blue-yellow")._replace(known=(frozenset(), frozenset()))
    turned_round = {"1": (("maki", "green-red"),), "2": (("maki", "blue-yellow"),), "3": (("maki", "red-black"),)}
    shown = GAME.shown(state, "south", turned_round)
    assert shown == {"1": (("maki", "?-?"),), "2": (("maki", "blue-?"),), "3": (("maki", "?-?"),)}
    assert GAME.shown(state, None) == {"1": (("maki", "?-?"),), "2": (("maki", "?-?"),)}


def test_the_other_secrets_of_the_leak_test_are_really_different():
    changed = 0
    for state, _, _ in steps_of("standard", 4):
        other = with_other_secrets(state, "south", random.Random(state.number))
        if other.line != state.line or other.drawn != state.drawn:
            changed += 1
            assert GAME.view(other, "north") != GAME.view(state, "north")
    assert changed > 3


def with_other_secrets(state, seat, rng):
    """Other makis out of the bag where the seat can't tell: with the same face to the seat, if it sees one."""
    if state.phase == OVER:
        return state
    swaps: dict[str, str] = {}  # a maki and the one that takes its place, both ways
    line = list(state.line)
    for index, faces in enumerate(line):
        alike = [other for other in lookalikes(faces, seat, state.bag) if maki_of(other) not in swaps]
        if alike and not _is_known(state, maki_of(faces), seat):
            line[index] = rng.choice(alike)
            swaps |= {maki_of(faces): maki_of(line[index]), maki_of(line[index]): maki_of(faces)}
    left = [maki for maki in state.bag if maki not in swaps]
    if state.drawn is not None and state.phase != OPENING and seat != state.turn and left:
        other = rng.choice(left)
        swaps |= {state.drawn: other, other: state.drawn}
    if rows_of(tuple(line)):  # such a line would have ended the round
        return state
    return state._replace(
        line=tuple(line),
        bag=tuple(swaps.get(maki, maki) for maki in state.bag),
        drawn=swaps.get(state.drawn, state.drawn),
        known=tuple(frozenset(swaps.get(maki, maki) for maki in known) for known in state.known),
        just_moved=swaps.get(state.just_moved, state.just_moved),
        wasabi=state.wasabi and state.wasabi._replace(maki=swaps.get(state.wasabi.maki, state.wasabi.maki)),
    )


def _is_known(state, maki, seat):
    return all(maki in known for side, known in zip(SIDES, state.known, strict=True) if seat in (side, None))


def lookalikes(faces, seat, bag):
    """The makis of the bag, either way round, that show the seat the same colour; to a spectator all look alike."""
    both_ways = [way for maki in bag for way in (tuple(maki.split("-")), tuple(reversed(maki.split("-"))))]
    return [way for way in both_ways if seat is None or way[SIDES.index(seat)] == faces[SIDES.index(seat)]]


@thrifty
@given(rule_sets, seeds)
def test_witnesses_of_a_draw_and_of_a_laying_see_what_eyes_could(rules, seed):
    for step in steps_of(rules, seed):
        action = step.action
        for seat in (*SIDES, None):
            seen = GAME.witness(action, seat)
            if (action.seat, action.verb) == (CHANCE, "draw") and action.args[0] != seat:
                assert seen == Action(CHANCE, "draw", action.args[:1])
            elif action.verb == "lay" and action.seat != seat:
                end, _, theirs = action.args
                assert seen.args == (end, "?", "?" if seat is None else theirs)
            else:
                assert seen == action


@thrifty
@given(rule_sets, seeds)
def test_no_event_tells_a_colour_that_somebody_can_not_see(rules, seed):
    for step in steps_of(rules, seed):
        if step.action.verb in ("lay", "flip", "wasabi") or (step.action.seat, step.action.verb) == (CHANCE, "draw"):
            first = step.after.events[0]
            assert not set(json.dumps(first.to_json()).replace('"', " ").split()) & {"red", "green", "yellow", "blue"}


@thrifty
@given(rule_sets, seeds)
def test_what_showed_a_colour_can_not_be_taken_back(rules, seed):
    steps = steps_of(rules, seed)
    for index in random.Random(seed).sample(range(len(steps)), 3):
        before, action, after = steps[index]
        result = undo(record_of(GAME, steps[: index + 1]), action.seat)
        binds = action.seat == CHANCE or action.verb in ("draw", "lay") or before.known != after.known
        assert isinstance(result, Refusal) == binds
        assert binds or isinstance(result, Record)


def test_a_turned_maki_is_the_same_maki():
    for maki in MAKIS:
        faces = tuple(maki.split("-"))
        assert maki_of(turned(faces)) == maki_of(faces) == maki
        assert facing_of(turned(turned(faces))) == maki


def test_a_greedy_player_beats_a_random_one():
    wins = 0
    for seed in range(8):
        rng = random.Random(f"greedy/{seed}")
        state, greedy = new_game("wasabi"), SIDES[seed % 2]
        while actors := GAME.actors(state):
            legal = GAME.legal_actions(state, actors[0])
            action = rng.choice(legal) if actors[0] not in (greedy, CHANCE) else greedy_action(GAME, state, rng)
            state = GAME.apply(state, action)
        wins += greedy in GAME.outcome(state).score.winners
    assert wins >= 7


def test_hands_and_buttons_speak_the_legal_actions():
    for step in steps_of("wasabi", 5):
        state = step.before
        (actor,) = GAME.actors(state)
        legal = set(GAME.legal_actions(state, actor))
        hands = set(GAME.hand_actions(state))
        assert hands <= legal
        if actor != CHANCE:
            assert hands | set(GAME.button_actions(state, actor)) == legal


@thrifty
@given(rule_sets, seeds)
def test_a_possible_state_looks_like_the_view_it_came_from_and_can_be_played(rules, seed):
    rng = random.Random(seed)
    for state, _, _ in steps_of(rules, seed)[::9]:
        for seat in SIDES:
            imagined = possible_state(json.loads(json.dumps(GAME.view(state, seat))), rng)
            assert GAME.view(imagined, seat) == GAME.view(state, seat)
            drawn = [imagined.drawn] if imagined.drawn else []
            assert sorted([*imagined.bag, *drawn, *map(maki_of, imagined.line)]) == sorted(MAKIS)
            assert len(imagined.bag) == len(state.bag)
            if GAME.actors(state) == (seat,):
                assert GAME.legal_actions(imagined, seat) == GAME.legal_actions(state, seat)
