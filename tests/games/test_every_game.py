"""What holds in every game of the catalogue, asked through the protocol alone."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest

from companion.games import texts
from companion.games.catalogue import GAME_NAMES, game_named
from companion.games.chance import chance_action
from companion.games.protocol import CHANCE, HIDDEN, Action, FormatError, Refusal, content_of, movements
from companion.games.record import Record, last_state, parse_record, to_jsonl, to_text, undo
from tests.games.every_game import EVERY_GAME, new_game, random_steps, record_of

# Every rule set, with the fewest people it is for; the tests of each game try the others.
CONFIGURATIONS = list({(name, rules): (name, rules, people) for name, rules, people in reversed(EVERY_GAME)}.values())
SAMPLE = 30  # states of a game that are looked at closely

every_game = pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=lambda words: "-".join(map(str, words)))


@cache
def played(name, rules, people):
    """A game and the steps of a random play of it."""
    game, state = new_game(name, rules, people)
    return game, random_steps(game, state, "every game")


def some(steps, most=SAMPLE):
    return random.Random(1).sample(steps, min(most, len(steps)))


@every_game
def test_every_game_ends_with_an_outcome(configuration):
    game, steps = played(*configuration)
    assert game.outcome(steps[0].before) is None
    outcome = game.outcome(steps[-1].after)
    assert outcome is not None
    assert outcome.score.winners
    assert game.actors(steps[-1].after) == ()
    assert all(game.legal_actions(steps[-1].after, seat) == () for seat in (*game.seats(steps[0].before), CHANCE))


@every_game
def test_an_action_leaves_its_input_state_untouched(configuration):
    game, steps = played(*configuration)
    for before, action, after in some(steps):
        pictured = repr(before)
        assert game.apply(before, action) == after
        assert repr(before) == pictured
        assert after.number == before.number + 1


@every_game
def test_legal_lists_are_sorted_without_twins_and_accepted(configuration):
    game, steps = played(*configuration)
    for before, _, _ in some(steps, 8):
        for seat in (*game.seats(before), CHANCE):
            actions = game.legal_actions(before, seat)
            sample = list(actions) if len(actions) < 300 else list(actions[:: len(actions) // 100])
            assert sample == sorted(set(sample))
            assert all(action.seat == seat for action in sample)
            assert not any(isinstance(game.apply(before, action), Refusal) for action in sample)


@every_game
def test_the_odds_are_chances_legal_actions(configuration):
    game, steps = played(*configuration)
    for before, _, _ in steps:
        odds = game.odds(before)
        assert list(odds) == list(game.legal_actions(before, CHANCE))
        assert all(type(weight) is int and weight > 0 for weight in odds.values())
        assert bool(odds) == (CHANCE in game.actors(before))


@every_game
def test_records_round_trip_in_both_forms(configuration):
    game, steps = played(*configuration)
    record = record_of(game, steps)
    assert parse_record(to_jsonl(record)) == record
    assert parse_record(to_text(record)) == record
    assert last_state(record) == steps[-1].after
    for action in record.actions:
        assert Action.from_text(action.text) == action
        assert Action.from_json(json.loads(json.dumps(action.to_json()))) == action


@every_game
def test_positions_round_trip_through_the_scorer(configuration):
    game, steps = played(*configuration)
    for _, _, after in some(steps):
        position = json.loads(json.dumps(game.position(after)))
        assert game.score_position(position) == game.score(after)


@every_game
def test_movements_lead_from_one_expected_board_to_the_next(configuration):
    game, steps = played(*configuration)
    for before, _, after in steps:
        board = {place: set(pieces) for place, pieces in game.expected(before).items()}
        for move in movements(game.expected(before), game.expected(after)):
            pieces = board.setdefault(move.place, set())
            (pieces.add if move.put else pieces.remove)((move.piece, move.colour))
        expected = {place: set(pieces) for place, pieces in game.expected(after).items()}
        assert {place: pieces for place, pieces in board.items() if pieces} == expected
        assert set(expected) <= set(game.places(after))


@every_game
def test_what_a_seat_is_shown_is_what_lies_there_with_things_left_out(configuration):
    game, steps = played(*configuration)
    for state, _, _ in some(steps):
        lies = game.expected(state)
        for seat in (*game.seats(state), None):
            shown = game.shown(state, seat)
            assert shown == game.shown(state, seat, lies)
            assert shown.keys() == lies.keys()
            for place, pieces in lies.items():
                for (kind, colour), (seen_kind, seen) in zip(pieces, shown[place], strict=True):
                    assert seen_kind == kind
                    assert seen == colour or HIDDEN in seen


@every_game
def test_every_piece_that_must_lie_on_the_board_comes_out_of_the_box(configuration):
    game, steps = played(*configuration)
    for state, _, _ in some(steps):
        box = game.components(state)
        assert all(game.component_of(piece) in box for pieces in game.expected(state).values() for piece in pieces)
        assert all(game.component_of(piece) == piece for piece in box)


@every_game
def test_undo_never_goes_back_behind_chance_or_another_seat(configuration):
    game, steps = played(*configuration)
    for index in random.Random(1).sample(range(len(steps)), 4):
        before, action, _ = steps[index]
        record = record_of(game, steps[: index + 1])
        result = undo(record, action.seat)
        if action.seat == CHANCE:
            assert isinstance(result, Refusal)
            assert result.code == "chance_has_spoken"
        elif isinstance(result, Record):
            assert last_state(result) == before
        other = next(seat for seat in game.seats(before) if seat != action.seat)
        assert isinstance(undo(record, other), Refusal)


@every_game
def test_whoever_agrees_that_the_board_is_as_expected_changes_nothing_on_it(configuration):
    game, steps = played(*configuration)
    for before, _, _ in some(steps, 10):
        expected = game.expected(before)
        words = [f"{place}={content_of(pieces)}" for place, pieces in list(expected.items())[:30]]
        result = game.apply(before, Action("table", "adjust", tuple(words))) if words else before
        if not isinstance(result, Refusal):
            assert game.expected(result) == expected
            assert result.number == before.number + bool(words)


@every_game
def test_what_is_given_out_can_be_changed_without_changing_the_game(configuration):
    game, steps = played(*configuration)
    after = steps[-1].after
    kept = json.dumps([game.view(after, None), game.header(after), game.position(after)])
    for given_out in (game.view(after, None), game.header(after), game.position(after)):
        for value in given_out.values():
            if isinstance(value, dict | list):
                value.clear()
    assert json.dumps([game.view(after, None), game.header(after), game.position(after)]) == kept


@every_game
def test_a_stranger_sees_what_a_spectator_sees(configuration):
    game, steps = played(*configuration)
    for state, action, _ in some(steps):
        for stranger in ("nobody", CHANCE, ""):
            assert {**game.view(state, stranger), "seat": None} == game.view(state, None)
            assert game.witness(action, stranger) == game.witness(action, None)


@every_game
def test_everything_a_game_says_can_be_said_in_both_languages(configuration):
    game, steps = played(*configuration)
    said = [event for step in steps for event in step.after.events] + [*game.score(steps[-1].after).reasons]
    said += [result for step in some(steps) for result in _slips(game, step, steps) if isinstance(result, Refusal)]
    for event in said:
        for language in texts.LANGUAGES:
            sentence = texts.say(event, language, game.name)
            assert sentence[0].isupper() or not sentence[0].isalpha(), sentence
            assert sentence.endswith((".", "?", "!")), sentence
            assert "{" not in sentence, sentence


def _slips(game, step, steps):
    """Actions of other moments, tried now."""
    return [game.apply(step.before, other.action) for other in steps[:: max(1, len(steps) // 10)]]


@every_game
def test_words_of_pieces_and_categories_are_there(configuration):
    game, steps = played(*configuration)
    known = texts.catalogue(game.name)
    pieces = {kind for step in steps for pieces in game.expected(step.after).values() for kind, _ in pieces}
    categories = {key for points in game.score(steps[-1].after).points.values() for key in points}
    assert {f"word.piece.{kind}" for kind in pieces} <= known.keys()
    assert {f"word.{category}" for category in categories} <= known.keys()


@every_game
def test_a_phase_that_has_a_reminder_has_it_for_all_phases(configuration):
    """Makers of pages may show `reminder.<phase>` wherever a game gives any."""
    game, steps = played(*configuration)
    phases = {game.view(state, None)["phase"] for step in steps for state in (step.before, step.after)}
    known = {code for code in texts.catalogue(game.name) if code.startswith("reminder.")}
    assert not known or {f"reminder.{phase}" for phase in phases} <= known


@pytest.mark.parametrize("name", GAME_NAMES)
def test_rules_for_another_number_of_people_are_refused(name):
    game = game_named(name)
    for rules, allowed in game.rule_sets.items():
        for people in {0, 1, 2, 7, 99} - set(allowed):
            with pytest.raises(FormatError) as caught:
                game.default_header(rules, people)
            assert caught.value.problems[0].code == "players_number"
    with pytest.raises(FormatError) as caught:
        game.default_header("of the moon", 2)
    assert caught.value.problems[0].code == "rules_unknown"


def test_chance_draws_by_the_odds():
    """After a card of a pair is gone, its twin comes up half as often as a whole pair."""
    game, state = new_game("kahuna", "standard", 2)
    state = game.apply(state, Action("chance", "deal", ("white", "ALOA")))
    rng = random.Random(1)
    drawn = [chance_action(game, state, rng).args[1] for _ in range(23_000)]
    assert 900 < drawn.count("ALOA") < 1100
    assert 1870 < drawn.count("BARI") < 2130
