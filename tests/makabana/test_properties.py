"""What holds in every game of every rule set, whatever happens in it."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given

from companion.games.makabana.plans import Plan, parse_plan
from companion.games.makabana.rules import PAINTS_PER_SEAT
from companion.games.makabana.state import PLAN, State
from companion.games.protocol import Action, FormatError, Refusal, movements
from companion.games.record import Record, last_state, parse_record, to_jsonl, to_text, undo
from tests.makabana.support import GAME, configurations, new_game, play, random_slip, random_states, seeds

MOST_ROUNDS = 100


@given(configurations, seeds)
def test_every_game_ends_with_a_winner(configuration, seed):
    *_, (_, _, last) = random_states(*configuration, seed)
    outcome = GAME.outcome(last)
    assert outcome is not None
    assert outcome.score.winners
    assert last.round < MOST_ROUNDS
    assert GAME.actors(last) == ()


@given(configurations, seeds)
def test_huts_and_cards_are_conserved(configuration, seed):
    for _, _, state in random_states(*configuration, seed):
        rules, owners = state.setup.rules, list(state.huts.values())
        for colour, left in zip(state.setup.colours, state.reserves, strict=True):
            assert left + owners.count(colour) == rules.huts_per_colour
            assert left >= 0
        assert all(0 <= paints <= PAINTS_PER_SEAT for paints in state.paints)
        assert sum(state.club_cards) + len(state.clubs) == rules.clubs_per_seat * len(state.setup.seats)


@given(configurations, seeds)
def test_an_action_leaves_its_input_state_untouched(configuration, seed):
    for before, action, after in random_states(*configuration, seed)[::7]:
        pictured = repr(before)
        assert GAME.apply(before, action) == after
        assert repr(before) == pictured
        assert after.number == before.number + 1


@given(configurations, seeds)
def test_legal_lists_are_sorted_without_twins_and_accepted(configuration, seed):
    steps = random_states(*configuration, seed)
    for state, _, _ in random.Random(seed).sample(steps, 4):
        for seat in GAME.seats(state):
            actions = GAME.legal_actions(state, seat)
            sample = list(actions) if len(actions) < 500 else list(actions[:: len(actions) // 200])
            assert sample == sorted(set(sample))
            assert all(action in actions for action in sample)
            assert not any(isinstance(GAME.apply(state, action), Refusal) for action in sample)


@given(configurations, seeds)
def test_every_accepted_action_outside_planning_is_in_the_legal_list(configuration, seed):
    rng = random.Random(seed)
    for state, _, _ in random_states(*configuration, seed):
        slip = random_slip(state, rng)
        if slip.verb != "plan" and not isinstance(GAME.apply(state, slip), Refusal):
            assert slip in GAME.legal_actions(state, slip.seat)


@given(configurations, seeds)
def test_a_slip_is_refused_with_a_code_or_leads_on(configuration, seed):
    rng = random.Random(seed)
    for state, _, _ in random_states(*configuration, seed):
        result = GAME.apply(state, random_slip(state, rng))
        assert result.code if isinstance(result, Refusal) else result.number == state.number + 1


@given(configurations, seeds)
def test_records_round_trip_in_both_forms(configuration, seed):
    steps = random_states(*configuration, seed)
    first, last = steps[0][0], steps[-1][2]
    record = Record(GAME.header(first), tuple(action for _, action, _ in steps))
    assert parse_record(to_jsonl(record)) == record
    assert parse_record(to_text(record)) == record
    assert last_state(record) == last
    for action in record.actions:
        assert Action.from_text(action.text) == action
        assert Action.from_json(json.loads(json.dumps(action.to_json()))) == action


@given(configurations, seeds)
def test_positions_round_trip_through_the_scorer(configuration, seed):
    for _, _, state in random_states(*configuration, seed)[::11]:
        position = json.loads(json.dumps(GAME.position(state)))
        assert GAME.score_position(position) == GAME.score(state)


@given(configurations, seeds)
def test_movements_lead_from_one_expected_board_to_the_next(configuration, seed):
    for before, _, after in random_states(*configuration, seed):
        board = {place: set(pieces) for place, pieces in GAME.expected(before).items()}
        for move in movements(GAME.expected(before), GAME.expected(after)):
            pieces = board.setdefault(move.place, set())
            (pieces.add if move.put else pieces.remove)((move.piece, move.colour))
        expected = {place: set(pieces) for place, pieces in GAME.expected(after).items()}
        assert {place: pieces for place, pieces in board.items() if pieces} == expected


@given(configurations, seeds)
def test_views_do_not_depend_on_hidden_cards_of_others(configuration, seed):
    """Two states that differ only in what a seat can't know look the same to it, to the last byte."""
    rng = random.Random(seed)
    for state, _, _ in random_states(*configuration, seed):
        for seat in (*GAME.seats(state), None):
            other = _with_other_secrets(state, seat, rng)
            assert json.dumps(GAME.view(state, seat)) == json.dumps(GAME.view(other, seat))


def test_the_other_secrets_of_the_leak_test_are_really_different():
    state = random_states("2013-mao", 4, 1)[12][0]
    others = [_with_other_secrets(state, None, random.Random(seed)) for seed in range(20)]
    assert any(other.plans != state.plans for other in others)
    assert all(GAME.view(state, seat) != GAME.view(other, seat) for other in others for seat in _changed(state, other))


def _changed(state: State, other: State) -> list[str]:
    pairs = zip(state.setup.seats, state.plans, other.plans, strict=True)
    return [seat for seat, mine, theirs in pairs if mine != theirs]


def _with_other_secrets(state: State, seat: str | None, rng: random.Random) -> State:
    plans = [
        plan if name == seat or plan is None or state.revealed[i] else _lookalike(state, i, plan, rng)
        for i, (name, plan) in enumerate(zip(state.setup.seats, state.plans, strict=True))
    ]
    return state._replace(plans=tuple(plans))


def _lookalike(state: State, seat: int, plan: Plan, rng: random.Random) -> Plan:
    """Another plan that shows the same from outside at this moment, if a few tries find one."""
    hand = [
        *(card for card in state.setup.card_kinds if card not in ("Paint", "Club")),
        *["Paint"] * state.paints[seat],
    ]
    for _ in range(20):
        size = len(plan.cards) if state.counted[seat] else rng.randint(1, 5)
        cards = rng.sample(hand, min(size, len(hand)))
        clue = plan.clue if state.phase != PLAN else rng.choice(cards)
        other = parse_plan(state.setup, (*cards, "show", str(clue)))
        if isinstance(other, Plan) and (state.phase == PLAN or _open_paints(state, other) == _open_paints(state, plan)):
            return other
    return plan


def _open_paints(state: State, plan: Plan) -> int:
    return plan.paints if state.setup.rules.paint_lies_open else 0


def test_a_shown_two_way_card_keeps_its_direction_secret():
    states = [_all_planned(f"violet-1 plan {beach} Lagon Fleur show {beach}") for beach in ("Azzura", "Aloa")]
    assert states[0] != states[1]
    for seat in (*GAME.seats(states[0])[1:], None):
        views = [json.dumps(GAME.view(state, seat)) for state in states]
        assert views[0] == views[1]
        assert '"Azzura/Aloa"' in views[0] or '"Aloa/Azzura"' in views[0]


def _all_planned(first_plan: str) -> State:
    """Team play after its opening, with the first seat's plan and any plan of all others."""
    state = new_game("2013-teams", 8)
    while state.phase != PLAN:
        state = GAME.apply(state, GAME.legal_actions(state, GAME.actors(state)[0])[0])
    state = play(state, first_plan)
    for seat in GAME.actors(state):
        state = GAME.apply(state, GAME.legal_actions(state, seat)[0])
    return state


@given(configurations, seeds)
def test_witnesses_of_a_plan_see_no_card(configuration, seed):
    for state, action, _ in random_states(*configuration, seed):
        for seat in (*GAME.seats(state), None):
            seen = GAME.witness(action, seat)
            assert seen == (action if seat == action.seat or action.verb != "plan" else Action(action.seat, "plan"))


@given(configurations, seeds)
def test_undo_is_fair(configuration, seed):
    """One's own last action can be taken back unless it showed something; nobody else's ever."""
    steps = random_states(*configuration, seed)
    for count in random.Random(seed).sample(range(1, len(steps)), 5):
        actions = tuple(action for _, action, _ in steps[:count])
        record = Record(GAME.header(steps[0][0]), actions)
        before, action, after = steps[count - 1]
        showed = len(_known(after)) > len(_known(before)) and after.round == before.round
        result = undo(record, action.seat)
        assert isinstance(result, Refusal) == (showed or action.verb == "reveal"), (action, result)
        if isinstance(result, Record):
            assert last_state(result) == before
        other = next(seat for seat in GAME.seats(before) if seat != action.seat)
        refusal = undo(record, other)
        assert isinstance(refusal, Refusal)
        assert refusal.code == "another_has_acted"


def _known(state: State) -> str:
    """What a spectator knows of cards."""
    plans = GAME.view(state, None)["plans"].values()
    return "".join(
        str(plan[key]) for plan in plans if plan for key in ("clue", "count", "cards") if plan[key] is not None
    )


def test_a_game_without_actions_has_nothing_to_undo():
    result = undo(Record(GAME.header(new_game("2013", 4))), "violet")
    assert isinstance(result, Refusal)
    assert result.code == "nothing_to_undo"


def test_changing_ones_mind_does_not_make_the_story_grow():
    state = random_states("2013", 3, 1)[6][0]
    while state.phase != PLAN:
        state = GAME.apply(state, GAME.legal_actions(state, GAME.actors(state)[0])[0])
    plan = GAME.legal_actions(state, "pink")[0].text
    lengths = set()
    for _ in range(20):
        state = play(state, plan, "pink withdraw")
        lengths.add(len(state.story))
    assert lengths == {0}


def test_what_is_given_out_can_be_changed_without_changing_the_game():
    state = random_states("2013-mao", 4, 1)[20][2]
    kept = json.dumps([GAME.view(state, None), GAME.header(state)])
    view = GAME.view(state, None)
    for event in view["events"] + view["story"]:
        for value in event.values():
            if isinstance(value, dict):
                value.clear()
    refusal = GAME.apply(new_game("2003", 3), Action.from_text("yellow plan Atlantis show Atlantis"))
    refusal.data["cards"].clear()
    again = GAME.apply(new_game("2003", 3), Action.from_text("yellow plan Atlantis show Atlantis"))
    assert json.dumps([GAME.view(state, None), GAME.header(state)]) == kept
    assert again.data["cards"]


@pytest.mark.parametrize(
    ("rules", "players", "boards"),
    [("2013-teams", ["violet", "pink", "yellow", "blue", "green"], ["nadaa"]), ("2013", ["violet"] * 3, ["noka"] * 9)],
)
def test_boards_that_could_stop_a_game_are_refused(rules, players, boards):
    with pytest.raises(FormatError):
        GAME.start({"game": "makabana", "rules": rules, "boards": boards, "players": players})


def test_an_unknown_seat_has_nothing_to_do():
    assert GAME.legal_actions(new_game("2013", 4), "nobody") == ()


def test_the_view_tells_what_amends_are_about():
    for seed in range(40):
        for _, _, state in random_states("2003-mao", 4, seed):
            if state.amends and state.amends.offered:
                seen = GAME.view(state, None)["amends"]
                assert seen["offered"] == state.amends.offered
                assert seen["accused"] in GAME.actors(state)
                return
    raise AssertionError("no game came to an offer")
