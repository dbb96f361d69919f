"""What holds in every game of Kahuna, whatever happens in it."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import pairwise

from hypothesis import given, settings

from companion.games.kahuna.bridges import stones_on
from companion.games.kahuna.determinise import possible_state
from companion.games.kahuna.state import DEAL, HANDICAP, LAST, OVER, TURN
from companion.games.protocol import CHANCE, Action, Refusal
from tests.games.every_game import greedy_action, random_steps
from tests.kahuna.support import GAME, header_with, option_sets, random_slip, seeds

# Fewer games than the profile in force asks for, in the same measure.
thrifty = settings(max_examples=settings.default.max_examples // 8)


def steps_of(options, seed):
    return random_steps(GAME, GAME.start(header_with(options)), seed)


@thrifty
@given(option_sets, seeds)
def test_cards_bridges_and_stones_are_conserved(options, seed):
    for _, _, state in steps_of(options, seed):
        cards = Counter(state.stock) + Counter(state.open) + Counter(state.discards)
        for hand in state.hands:
            cards += Counter(hand)
            assert len(hand) <= 5
            assert list(hand) == sorted(hand)
        assert cards == Counter(state.setup.deck)
        assert sorted(cards.values()) == [2] * 12
        assert max(Counter(state.bridges.values()).values(), default=0) <= 25
        assert state.stones == stones_on(state.setup, state.bridges)
        assert len(state.open) == 3 or not state.stock or state.due


@thrifty
@given(option_sets, seeds)
def test_a_game_has_three_rounds_or_a_sudden_end(options, seed):
    steps = steps_of(options, seed)
    last = steps[-1].after
    assert {step.before.phase for step in steps} <= {DEAL, HANDICAP, TURN, LAST}
    assert last.phase == OVER
    if last.ended_by.code == "third_scoring":
        assert (last.round, len(last.won), last.last_turns) == (3, 2, 0)
        assert [step.action.verb for step in steps if step.before.phase == LAST].count("skip") == 2
    else:
        assert last.ended_by.code == "sudden_end"
        assert len(set(last.bridges.values())) == 1


@thrifty
@given(option_sets, seeds)
def test_two_players_never_skip_in_a_row(options, seed):
    verbs = [step.action.verb for step in steps_of(options, seed) if step.before.phase == TURN]
    ends = [verb for verb in verbs if verb in ("skip", "draw")]
    assert ("skip", "skip") not in list(pairwise(ends))


@thrifty
@given(option_sets, seeds)
def test_every_accepted_action_is_in_the_legal_list(options, seed):
    rng = random.Random(seed)
    for state, _, _ in steps_of(options, seed):
        slip = random_slip(state, rng)
        result = GAME.apply(state, slip)
        assert (slip in GAME.legal_actions(state, slip.seat)) == (not isinstance(result, Refusal))


@thrifty
@given(option_sets, seeds)
def test_positions_come_back_from_their_pieces(options, seed):
    for _, _, state in steps_of(options, seed)[::7]:
        position = json.loads(json.dumps(GAME.position(state)))
        assert GAME.position_with(position, GAME.expected(state)) == position


@thrifty
@given(option_sets, seeds)
def test_views_do_not_depend_on_cards_that_a_seat_can_not_see(options, seed):
    """Two states that differ only in what a seat can't know look the same to it, to the last byte."""
    rng = random.Random(seed)
    for state, _, _ in steps_of(options, seed)[::3]:
        for seat in ("white", "black", None):
            other = with_other_secrets(state, seat, rng)
            assert json.dumps(GAME.view(state, seat)) == json.dumps(GAME.view(other, seat))


def test_the_other_secrets_of_the_leak_test_are_really_different():
    state = steps_of({}, 1)[40].before
    others = [with_other_secrets(state, "white", random.Random(seed)) for seed in range(20)]
    assert any(other.hands != state.hands for other in others)
    assert any(GAME.view(other, "black") != GAME.view(state, "black") for other in others)
    assert GAME.view(state, "white")["hand"] == list(state.hands[0])
    assert GAME.view(state, None)["hand"] is None


def with_other_secrets(state, seat, rng):
    """The hidden cards dealt anew: hands of others and the stock."""
    hidden = [index for index, colour in enumerate(state.setup.colours) if colour != seat]
    cards = [*state.stock, *(card for index in hidden for card in state.hands[index])]
    rng.shuffle(cards)
    hands = list(state.hands)
    for index in hidden:
        hands[index] = tuple(sorted(cards.pop() for _ in hands[index]))
    return state._replace(hands=tuple(hands), stock=tuple(sorted(cards)))


@thrifty
@given(option_sets, seeds)
def test_a_card_dealt_is_witnessed_by_its_owner_alone_and_no_event_names_it(options, seed):
    for step in steps_of(options, seed):
        action = step.action
        for seat in ("white", "black", None):
            hidden = (action.seat, action.verb) == (CHANCE, "deal") and action.args[0] != seat
            assert GAME.witness(action, seat) == (action._replace(args=action.args[:1]) if hidden else action)
        if (action.seat, action.verb) == (CHANCE, "deal"):
            assert action.args[1] not in json.dumps(step.after.events[0].to_json())


def test_a_greedy_player_beats_a_random_one():
    wins = Counter()
    for seed in range(12):
        rng = random.Random(f"greedy/{seed}")
        state, greedy = GAME.start(header_with({})), ("white", "black")[seed % 2]
        while actors := GAME.actors(state):
            legal = GAME.legal_actions(state, actors[0])
            action = rng.choice(legal) if actors[0] not in (greedy, CHANCE) else greedy_action(GAME, state, rng)
            state = GAME.apply(state, action)
        wins[greedy in GAME.outcome(state).score.winners] += 1
    assert wins[True] >= 10


def test_hands_and_buttons_speak_the_legal_actions():
    for step in steps_of({"replace_removed": True}, 5):
        state = step.before
        (actor,) = GAME.actors(state)
        legal = set(GAME.legal_actions(state, actor))
        assert set(GAME.hand_actions(state)) <= legal
        assert all(action.verb in ("bridge", "remove", "replace") for action in GAME.hand_actions(state))
        if actor != CHANCE:
            assert set(GAME.button_actions(state, actor)) <= legal
            assert len(GAME.button_actions(state, actor)) <= 1


def test_cards_in_a_tray_mean_what_can_be_done_with_just_them():
    state = next(step.before for step in steps_of({}, 2) if any(a.verb == "remove" for a in _legal(step.before)))
    removal = next(action for action in _legal(state) if action.verb == "remove")
    pair = GAME.tray_actions(state, removal.seat, removal.args[:0:-1])
    assert removal in pair.actions
    assert pair.is_complete
    assert {action.verb for action in pair.actions} == {"remove"}
    one = GAME.tray_actions(state, removal.seat, removal.args[1:2])
    assert Action(removal.seat, "discard", removal.args[1:2]) in one.actions
    assert GAME.tray_actions(state, removal.seat, ["NOWHERE"]) == ((), False)


def _legal(state):
    return [action for seat in GAME.actors(state) for action in GAME.legal_actions(state, seat)]


@thrifty
@given(option_sets, seeds)
def test_a_possible_state_looks_like_the_view_it_came_from_and_can_be_played(options, seed):
    rng = random.Random(seed)
    for state, _, _ in steps_of(options, seed)[::9]:
        for seat in ("white", "black"):
            imagined = possible_state(json.loads(json.dumps(GAME.view(state, seat))), rng)
            assert GAME.view(imagined, seat) == GAME.view(state, seat)
            assert Counter([*imagined.stock, *sum(imagined.hands, ())]) == Counter(
                [*state.stock, *sum(state.hands, ())]
            )
            if GAME.actors(state) == (seat,):
                assert GAME.legal_actions(imagined, seat) == GAME.legal_actions(state, seat)
            elif GAME.actors(state):
                assert GAME.actors(imagined) == GAME.actors(state)
