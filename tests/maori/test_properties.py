"""What holds in every game of every rule set, whatever happens in it."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
from hypothesis import given

from companion.games.maori.rules import SHELLS
from companion.games.maori.state import OVER, reserve
from companion.games.protocol import CHANCE, Action, Refusal, content_of, movements
from companion.games.record import Record, last_state, parse_record, to_jsonl, to_text, undo, why_it_stands
from tests.maori.support import (
    GAME,
    TILES,
    configurations,
    lively_action,
    new_game,
    play,
    random_slip,
    random_steps,
    seeds,
    some_games,
)


@some_games
@given(configurations, seeds)
def test_every_game_ends_with_a_winner(configuration, seed):
    *_, (_, _, last) = random_steps(*configuration, seed)
    outcome = GAME.outcome(last)
    assert outcome.ended_by.code in ("board_full", "standstill")
    assert outcome.score.winners
    assert GAME.actors(last) == ()


@some_games
@given(configurations, seeds)
def test_a_game_without_a_plan_ends_too(configuration, seed):
    """Players who lay, clear and pass by chance alone run out of tiles in the end."""
    rng, state = random.Random(seed), new_game(*configuration)
    while GAME.actors(state):
        state = GAME.apply(state, rng.choice(GAME.legal_actions(state, *GAME.actors(state))))
        assert state.number < 2000
    assert state.phase == OVER


@some_games
@given(configurations, seeds)
def test_all_have_had_the_same_number_of_turns_at_the_end(configuration, seed):
    steps = random_steps(*configuration, seed)
    turns = Counter(action.seat for _, action, _ in steps if action.verb == "sail")
    assert set(turns.values()) == {steps[-1][2].round}
    assert list(turns) == list(GAME.seats(steps[0][0]))


@some_games
@given(configurations, seeds)
def test_tiles_and_shells_are_conserved(configuration, seed):
    for _, _, state in random_steps(*configuration, seed):
        words = [word for laid in state.laid for word in laid.values()]
        tiles = [*state.pile, *state.box, *filter(None, state.display), *filter(None, state.stocks)]
        assert sorted(tiles + [word.split("@")[0] for word in words]) == sorted(TILES)
        assert min(state.shells) >= 0
        assert reserve(state) + sum(state.shells) == SHELLS
        assert reserve(state) >= 0


@some_games
@given(configurations, seeds)
def test_an_action_leaves_its_input_state_untouched(configuration, seed):
    for before, action, after in random_steps(*configuration, seed)[::7]:
        pictured = repr(before)
        assert GAME.apply(before, action) == after
        assert repr(before) == pictured
        assert after.number == before.number + 1


@some_games
@given(configurations, seeds)
def test_legal_lists_are_sorted_without_twins_and_accepted(configuration, seed):
    steps = random_steps(*configuration, seed)
    for state, _, _ in random.Random(seed).sample(steps, 6):
        for seat in (*GAME.seats(state), CHANCE):
            actions = list(GAME.legal_actions(state, seat))
            assert actions == sorted(set(actions))
            assert bool(actions) == (seat in GAME.actors(state))
            assert not any(isinstance(GAME.apply(state, action), Refusal) for action in actions)


@some_games
@given(configurations, seeds)
def test_every_accepted_action_is_in_the_legal_list(configuration, seed):
    rng = random.Random(seed)
    for state, _, _ in random_steps(*configuration, seed):
        slip = random_slip(state, rng)
        result = GAME.apply(state, slip)
        if isinstance(result, Refusal):
            assert result.code
            assert slip not in GAME.legal_actions(state, slip.seat)
        else:
            assert slip in GAME.legal_actions(state, slip.seat)


@some_games
@given(configurations, seeds)
def test_chance_lists_every_tile_once_and_each_is_as_likely(configuration, seed):
    for state, _, _ in random_steps(*configuration, seed)[::5]:
        odds = GAME.odds(state)
        assert list(odds) == list(GAME.legal_actions(state, CHANCE))
        assert set(odds.values()) <= {1}
        assert bool(odds) == (GAME.actors(state) == (CHANCE,))


@some_games
@given(configurations, seeds)
def test_records_round_trip_in_both_forms(configuration, seed):
    steps = random_steps(*configuration, seed)
    record = Record(GAME.header(steps[0][0]), tuple(action for _, action, _ in steps))
    assert parse_record(to_jsonl(record)) == record
    assert parse_record(to_text(record)) == record
    assert last_state(record) == steps[-1][2]
    for action in record.actions:
        assert Action.from_text(action.text) == action
        assert Action.from_json(json.loads(json.dumps(action.to_json()))) == action


@some_games
@given(configurations, seeds)
def test_positions_round_trip_through_the_scorer(configuration, seed):
    for _, _, state in random_steps(*configuration, seed)[::11]:
        position = json.loads(json.dumps(GAME.position(state)))
        assert GAME.score_position(position) == GAME.score(state)


@some_games
@given(configurations, seeds)
def test_a_table_that_is_seen_whole_gives_its_position_back(configuration, seed):
    """With the shells told, the expected pieces say all that the position says."""
    for _, _, state in random_steps(*configuration, seed)[::11]:
        position = GAME.position(state)
        told = {**GAME.header(state), "shells": position["shells"]}
        seen = GAME.position_with(told, GAME.expected(state))
        unseen = seen.pop("unseen", [])
        assert {player for player, laid in position["laid"].items() if not laid} == set(unseen)
        assert {**seen, "laid": {player: seen["laid"].get(player, {}) for player in position["laid"]}} == position


@some_games
@given(configurations, seeds)
def test_movements_lead_from_one_expected_table_to_the_next(configuration, seed):
    for before, _, after in random_steps(*configuration, seed):
        table = {place: set(pieces) for place, pieces in GAME.expected(before).items()}
        for move in movements(GAME.expected(before), GAME.expected(after)):
            pieces = table.setdefault(move.place, set())
            (pieces.add if move.put else pieces.remove)((move.piece, move.colour))
        expected = {place: set(pieces) for place, pieces in GAME.expected(after).items()}
        assert {place: pieces for place, pieces in table.items() if pieces} == expected


@some_games
@given(configurations, seeds)
def test_hands_and_button_say_all_that_a_seat_can_do(configuration, seed):
    for state, _, _ in random_steps(*configuration, seed)[::9]:
        (seat,) = GAME.actors(state)
        by_hand, by_button = GAME.hand_actions(state), GAME.button_actions(state, seat)
        assert sorted([*by_hand, *by_button]) == list(GAME.legal_actions(state, seat))
        after = [GAME.expected(GAME.apply(state, action)) for action in by_hand]
        told_apart = {tuple(sorted((place, content_of(p)) for place, p in pieces.items())) for pieces in after}
        assert len(told_apart) == len(by_hand)  # a camera can tell every one of them
        assert GAME.expected(state).keys() <= set(GAME.places(state))


@some_games
@given(configurations, seeds)
def test_pieces_on_the_table_are_pieces_of_the_box(configuration, seed):
    for _, _, state in random_steps(*configuration, seed)[::9]:
        plain = [(kind, word.split("@")[0]) for pieces in GAME.expected(state).values() for kind, word in pieces]
        assert not Counter(plain) - Counter(GAME.components(state))


@some_games
@given(configurations, seeds)
def test_everybody_sees_everything(configuration, seed):
    for state, action, _ in random_steps(*configuration, seed)[::13]:
        views = [{**GAME.view(state, seat), "seat": None} for seat in (*GAME.seats(state), None)]
        assert all(view == views[0] for view in views)
        assert json.loads(json.dumps(views[0])) == views[0]
        assert GAME.witness(action, None) == action


@some_games
@given(configurations, seeds)
def test_undo_is_fair(configuration, seed):
    """One's own last action can be taken back until chance or another has acted; nobody else's ever."""
    steps = random_steps(*configuration, seed)
    for count in random.Random(seed).sample(range(1, len(steps)), 5):
        record = Record(GAME.header(steps[0][0]), tuple(action for _, action, _ in steps[:count]))
        before, action, _ = steps[count - 1]
        for seat in GAME.seats(before):
            result = undo(record, seat)
            if action.seat == CHANCE:
                assert result.code == "chance_has_spoken"
            elif action.seat == seat:
                assert last_state(result) == before
            else:
                assert result.code == "another_has_acted"


@some_games
@given(configurations, seeds)
def test_what_the_people_agree_on_becomes_the_game(configuration, seed):
    """A tile of the display that was misread is put right, and the game goes on to its end."""
    rng = random.Random(seed)
    steps = random_steps(*configuration, seed)
    state = rng.choice([state for state, _, _ in steps if state.pile and state.phase in ("sail", "explore", "boat")])
    tile = rng.choice(state.pile)
    after = play(state, f"table adjust display:2,3=tile:{tile}")
    assert (tile in state.pile, tile in after.pile) == (True, False)
    assert state.display[6] in after.pile
    assert dict(GAME.expected(after)["display:2,3"]) == {"tile": tile}
    assert why_it_stands(GAME, state, Action("table", "adjust"), after, "table").code == "agreed_by_all"
    while GAME.actors(after):
        after = GAME.apply(after, lively_action(after, rng))
    assert GAME.outcome(after).score.winners


def test_what_is_given_out_can_be_changed_without_changing_the_game():
    state = random_steps("advanced", 3, 1)[60][2]
    kept = json.dumps([GAME.view(state, None), GAME.header(state)])
    view = GAME.view(state, None)
    for laid in view["laid"].values():
        laid.clear()
    view["players"].clear()
    assert json.dumps([GAME.view(state, None), GAME.header(state)]) == kept


@pytest.mark.parametrize("seat", ["nobody", "table", ""])
def test_an_unknown_seat_has_nothing_to_do(seat):
    assert list(GAME.legal_actions(new_game("base", 4), seat)) == []
