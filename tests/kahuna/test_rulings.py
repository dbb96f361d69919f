"""Rounds, ends and scores of Kahuna, and how we read the rulebook where it is silent or mistranslated."""

from __future__ import annotations

import pytest

from companion.games.protocol import Action, FormatError, Refusal
from companion.games.record import Record, undo
from tests.games.every_game import applied, refusal
from tests.kahuna.support import GAME, HEADER, dealt, idle_until, new_game, with_bridges

LINES = new_game().setup.lines_of


def at_last_card(round_):
    """A game with one open card left in this round."""
    return idle_until(new_game(), lambda s: s.round == round_ and not s.stock and len(s.open) == 1 and not s.due)


def after_last_draw(state):
    """The state after whoever's turn it is took the last card."""
    (seat,) = GAME.actors(state)
    if len(GAME.view(state, seat)["hand"]) == 5:
        state = GAME.apply(state, GAME.legal_actions(state, seat)[0]._replace(verb="discard", args=(_card(state),)))
    return applied(GAME, state, f"{seat} draw {state.open[0]}")


def _card(state):
    return state.hands[state.turn][0]


# Majority


@pytest.mark.parametrize(
    ("island", "lines", "needed"), [("ALOA", 3, 2), ("DUDA", 4, 3), ("BARI", 5, 3), ("ELAI", 6, 4)]
)
def test_a_majority_is_more_than_half_of_all_lines(island, lines, needed):
    state = new_game()
    assert len(LINES[island]) == lines
    below = with_bridges(state, white=" ".join(LINES[island][: needed - 1]))
    assert island not in below.stones
    assert with_bridges(state, white=" ".join(LINES[island][:needed])).stones[island] == "white"


def test_the_board_has_the_known_lines():
    assert {island: len(lines) for island, lines in LINES.items()} == {
        "ALOA": 3, "BARI": 5, "COCO": 4, "DUDA": 4, "ELAI": 6, "FAAA": 5,
        "GOLA": 4, "HUNA": 5, "IFFI": 5, "JOJO": 5, "KAHU": 5, "LALE": 3,
    }  # fmt: skip


def test_an_opponent_may_lay_a_bridge_at_an_island_with_a_stone():
    state = dealt("ALOA ALOA BARI", "ALOA HUNA HUNA".replace("ALOA", "DUDA"), "COCO COCO GOLA")
    state = applied(GAME, state, "white bridge ALOA-BARI ALOA", "white bridge ALOA-DUDA ALOA", "white skip")
    assert state.stones == {"ALOA": "white"}
    state = applied(GAME, state, "black bridge ALOA-HUNA HUNA")
    assert state.stones == {"ALOA": "white"}
    assert state.bridges["ALOA-HUNA"] == "black"


# Rounds


@pytest.mark.parametrize(("round_", "points"), [(1, 1), (2, 2)])
def test_a_round_pays_its_points_to_whoever_has_more_stones(round_, points):
    state = with_bridges(at_last_card(round_), white="ALOA-BARI ALOA-DUDA", black="KAHU-LALE COCO-KAHU")
    after = after_last_draw(state)
    assert after.won[-1] == "white"
    assert after.round == round_ + 1
    won = next(event for event in after.events if event.code == "round_won")
    assert won.data == {"round": round_, "player": "white", "stones": {"white": 1, "black": 0}, "points": points}
    assert GAME.score(after).points["white"][f"round_{round_}"] == points


def test_equal_stones_score_nobody():
    state = with_bridges(at_last_card(1), white="ALOA-BARI ALOA-DUDA", black="KAHU-LALE IFFI-LALE")
    after = after_last_draw(state)
    assert after.won == (None,)
    assert "round_tied" in [event.code for event in after.events]


def test_a_new_round_keeps_hands_and_board_and_begins_with_the_next_player():
    state = with_bridges(at_last_card(1), white="ALOA-BARI", black="KAHU-LALE")
    (last,) = GAME.actors(state)
    after = after_last_draw(state)
    assert GAME.actors(after) == ("chance",)
    assert after.due == (-1, -1, -1)
    assert after.discards == ()
    assert len(after.stock) + sum(map(len, after.hands)) == 24
    assert after.bridges == state.bridges
    ready = idle_until(after, lambda s: not s.due)
    assert len(ready.open) == 3
    assert GAME.actors(ready) == (({"white": "black", "black": "white"}[last]),)


def test_a_round_goes_on_while_a_single_card_lies_there():
    state = at_last_card(1)
    assert refusal(GAME, state, f"{GAME.actors(state)[0]} draw stock") in ("stock_empty", "hand_full")
    assert state.round == 1


def test_after_the_third_round_each_player_has_one_last_turn_without_a_draw():
    state = with_bridges(at_last_card(3), white="ALOA-BARI ALOA-DUDA", black="KAHU-LALE COCO-KAHU")
    (last,) = GAME.actors(state)
    other = {"white": "black", "black": "white"}[last]
    state = after_last_draw(state)
    assert (state.phase, GAME.actors(state)) == ("last", (other,))
    assert "last_turns" in [event.code for event in state.events]
    assert refusal(GAME, state, f"{other} draw stock") == "no_cards_left"
    state = applied(GAME, state, f"{other} skip")
    assert GAME.actors(state) == (last,)
    assert GAME.outcome(state) is None
    state = applied(GAME, state, f"{last} skip")  # both may end without a draw: there is none
    assert GAME.outcome(state).ended_by.code == "third_scoring"


def test_a_bridge_in_the_last_turn_counts():
    state = with_bridges(at_last_card(3), white="ALOA-BARI", black="KAHU-LALE")
    state = after_last_draw(state)
    (seat,) = GAME.actors(state)
    hand = state.hands[state.turn]
    laid = next(action for action in GAME.legal_actions(state, seat) if action.verb == "bridge")
    after = GAME.apply(state, laid)
    assert after.bridges[laid.args[0]] == seat
    assert len(after.hands[state.turn]) == len(hand) - 1


# The third scoring and ties


def scored(won, **bridges):
    laid = {line: colour for colour, lines in bridges.items() for line in lines.split()}
    return GAME.score_position({**HEADER, "won": won, "bridges": laid})


FIVE = "ALOA-BARI ALOA-DUDA BARI-DUDA DUDA-HUNA BARI-ELAI BARI-FAAA DUDA-ELAI ELAI-HUNA ELAI-FAAA HUNA-LALE"
TWO = "COCO-GOLA COCO-KAHU GOLA-KAHU GOLA-JOJO"


def test_the_third_round_pays_the_difference_five_to_two_is_three():
    score = scored([None, None], white=FIVE, black=TWO + " COCO-FAAA")
    reason = next(reason for reason in score.reasons if reason.code == "round_won")
    assert reason.data["stones"] == {"white": 5, "black": 2}
    assert score.points["white"]["round_3"] == 3
    assert score.winners == ("white",)


def test_points_of_the_rounds_are_added():
    score = scored(["black", "white"], black="ALOA-BARI ALOA-DUDA", white="KAHU-LALE")
    assert score.points == {
        "white": {"round_1": 0, "round_2": 2, "round_3": 0, "total": 2},
        "black": {"round_1": 1, "round_2": 0, "round_3": 1, "total": 2},
    }


def test_equal_points_go_to_the_most_stones():
    score = scored(["black", "white"], black="ALOA-BARI ALOA-DUDA", white="KAHU-LALE JOJO-KAHU GOLA-JOJO")
    assert score.winners == ("black",)
    assert score.reasons[-1].code == "tie_by_stones"


def test_equal_points_and_stones_go_to_the_most_bridges():
    score = scored([None, None], black="ALOA-BARI", white="KAHU-LALE JOJO-KAHU")
    assert score.winners == ("white",)
    assert score.reasons[-1].code == "tie_by_bridges"
    assert score.reasons[-1].data["counts"] == {"white": 2, "black": 1}


def test_a_tie_that_stays_is_a_shared_win():
    score = scored([None, None], black="ALOA-BARI", white="KAHU-LALE")
    assert score.winners == ("white", "black")
    assert score.reasons[-1].code == "tie_stays"


# Sudden end: no bridge left on the board in rounds 2 and 3


def removal_of_the_last_bridge(round_):
    state = idle_until(new_game(), lambda s: s.round == round_ and s.phase == "turn" and not s.due)
    state = with_bridges(state, white="ALOA-BARI", black="KAHU-LALE")
    line = {"white": "KAHU-LALE", "black": "ALOA-BARI"}[GAME.actors(state)[0]]
    hands = list(state.hands)
    hands[state.turn] = tuple(line.split("-"))
    return state._replace(hands=tuple(hands)), line


@pytest.mark.parametrize("round_", [2, 3])
def test_whoever_loses_the_last_bridge_in_a_later_round_loses_at_once(round_):
    state, line = removal_of_the_last_bridge(round_)
    (seat,) = GAME.actors(state)
    state = applied(GAME, state, f"{seat} remove {line} {line.replace('-', ' ')}")
    outcome = GAME.outcome(state)
    assert outcome.ended_by.code == "sudden_end"
    assert outcome.score.winners == (seat,)
    assert GAME.actors(state) == ()


def test_in_the_first_round_nobody_loses_by_having_no_bridge():
    state = dealt("ALOA BARI COCO", "ALOA BARI COCO", "DUDA DUDA GOLA")
    state = applied(GAME, state, "white bridge ALOA-BARI ALOA", "white skip", "black remove ALOA-BARI ALOA BARI")
    assert GAME.outcome(state) is None
    assert state.bridges == {}


def test_a_player_without_a_bridge_loses_as_the_second_round_begins():
    state = after_last_draw(with_bridges(at_last_card(1), black="KAHU-LALE"))
    assert GAME.outcome(state).score.winners == ("black",)
    assert GAME.outcome(state).ended_by.data == {"player": "black", "loser": "white"}


def test_while_nobody_has_a_bridge_the_game_goes_on():
    state = after_last_draw(at_last_card(1))
    assert (state.round, GAME.outcome(state)) == (2, None)


def test_a_sudden_end_wins_against_points():
    score = scored(["white", "white"], black="KAHU-LALE")
    assert score.points["white"]["total"] == 3
    assert score.winners == ("black",)
    assert score.reasons[-1].code == "sudden_end"


# Options


def test_handicap_bridges_are_laid_before_the_first_turn_whoever_begins():
    state = dealt("ALOA ALOA COCO", "BARI BARI COCO", "DUDA DUDA GOLA", {"handicap_black": 2})
    assert GAME.actors(state) == ("black",)
    assert {action.verb for action in GAME.legal_actions(state, "black")} == {"bridge"}
    assert refusal(GAME, state, "black skip") == "not_now"
    state = applied(GAME, state, "black bridge ALOA-BARI", "black bridge ALOA-DUDA")
    assert state.stones == {"ALOA": "black"}
    assert GAME.actors(state) == ("white",)
    assert state.hands[1] == ("BARI", "BARI", "COCO")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"handicap_white": 1, "handicap_black": 1}, "handicap_for_both"),
        ({"handicap_white": 4}, "number_wrong"),
        ({"handicap_white": True}, "number_wrong"),
        ({"respect_stones": 1}, "option_unknown"),
        ({"handicap": 1}, "option_unknown"),
        ([], "options_wrong"),
    ],
)
def test_wrong_options_are_refused(options, code):
    with pytest.raises(FormatError) as caught:
        GAME.start({**HEADER, "options": options})
    assert [problem.code for problem in caught.value.problems] == [code]


def test_each_variant_rule_can_be_had_alone():
    bridges = {"white": "ALOA-BARI ALOA-DUDA", "black": "KAHU-LALE"}
    free = with_bridges(dealt("COCO COCO ELAI", "HUNA HUNA ELAI", "DUDA DUDA GOLA"), **bridges)._replace(turn=1)
    assert refusal(GAME, free, "black bridge ALOA-HUNA HUNA") is None
    strict = dealt("COCO COCO ELAI", "HUNA HUNA ELAI", "DUDA DUDA GOLA", {"respect_stones": True})
    strict = with_bridges(strict, **bridges)._replace(turn=1)
    assert refusal(GAME, strict, "black bridge ALOA-HUNA HUNA") == "stone_in_the_way"
    assert refusal(GAME, strict, "black bridge DUDA-HUNA HUNA") is None


def test_no_free_bridge_where_a_stone_of_the_opponent_lies_even_without_the_other_variant_rule():
    state = dealt("COCO COCO ELAI", "ALOA BARI ELAI", "DUDA DUDA GOLA", {"replace_removed": True})
    state = with_bridges(state, white="ALOA-BARI ALOA-DUDA ALOA-HUNA", black="KAHU-LALE")._replace(turn=1)
    state = applied(GAME, state, "black remove ALOA-BARI ALOA BARI")
    assert state.stones == {"ALOA": "white"}
    assert refusal(GAME, state, "black replace") == "stone_in_the_way"


# Undo


def test_a_bridge_can_be_taken_back_and_a_draw_can_not():
    state = dealt("ALOA ALOA COCO", "BARI BARI COCO", "DUDA DUDA GOLA")
    deals = [f"chance deal {c} {card}" for pair in zip("ALOA ALOA COCO".split(), "BARI BARI COCO".split(), strict=True)
             for c, card in zip(("white", "black"), pair, strict=True)]  # fmt: skip
    lines = [*deals, "chance turn DUDA", "chance turn DUDA", "chance turn GOLA", "white bridge ALOA-BARI ALOA"]
    record = Record(GAME.header(state), tuple(map(Action.from_text, lines)))
    assert isinstance(undo(record, "white"), Record)
    drawn = record._replace(actions=(*record.actions, Action("white", "draw", ("stock",))))
    assert undo(drawn, "white").code == "chance_has_spoken"
    dealt_too = drawn._replace(actions=(*drawn.actions, Action("chance", "deal", ("white", "KAHU"))))
    assert undo(dealt_too, "white").code == "chance_has_spoken"


# Positions


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"bridges": {"ALOA-KAHU": "white"}}, "no_such_place"),
        ({"bridges": {"ALOA-BARI": "red"}}, "owner_unknown"),
        ({"bridges": {"ALOA-BARI": ["white", "black"]}}, "several_on_place"),
        ({"bridges": {}, "stones": {"ALOA": "white"}}, "stone_without_majority"),
        ({"bridges": {"ALOA-BARI": "white", "ALOA-DUDA": "white"}, "stones": {}}, "stone_missing"),
        ({"bridges": {line: "white" for lines in LINES.values() for line in lines}}, "too_many_bridges"),
        ({"bridges": [], "stones": {}}, "not_an_object"),
        ({"bridges": {}, "won": ["white", "white", "white"]}, "won_wrong"),
        ({"bridges": {}, "won": ["red"]}, "won_wrong"),
        ({"bridges": {}, "huts": {}}, "key_unknown"),
        ({"bridges": {}, "players": ["white"]}, "players_wrong"),
        ({"bridges": {}, "players": ["white", {}]}, "players_wrong"),
        ({"bridges": {}, "boards": ["noka"]}, "board_unknown"),
        ({"bridges": {}, "boards": []}, "boards_missing"),
        ({}, "bridges_missing"),
    ],
)
def test_a_wrong_position_is_named(change, code):
    with pytest.raises(FormatError) as caught:
        GAME.score_position({**HEADER, **change})
    assert caught.value.problems[0].code == code


def test_stones_may_be_left_out_of_a_position():
    bridges = {"ALOA-BARI": "white", "ALOA-DUDA": "white"}
    full = GAME.score_position({**HEADER, "bridges": bridges, "stones": {"ALOA": "white"}})
    assert GAME.score_position({**HEADER, "bridges": bridges}) == full


# The board is right


def test_agreed_changes_of_the_board_bring_their_stones_or_are_refused():
    state = with_bridges(dealt("ALOA ALOA COCO", "BARI BARI COCO", "DUDA DUDA GOLA"), black="KAHU-LALE")
    words = ("ALOA-BARI=bridge:white", "ALOA-DUDA=bridge:white", "ALOA=stone:white", "KAHU-LALE=empty")
    after = GAME.apply(state, Action("table", "adjust", words))
    assert after.bridges == {"ALOA-BARI": "white", "ALOA-DUDA": "white"}
    assert after.stones == {"ALOA": "white"}
    for wrong, code in (
        (words[:2], "stone_missing"),
        (("ALOA=bridge:white",), "no_such_place"),
        (("ATLANTIS=empty",), "place_unknown"),
        (("ALOA-BARI=white",), "content_unreadable"),
        ((), "wrong_arguments"),
        (("ALOA-BARI=bridge:white+bridge:black",), "several_on_place"),
        (("ALOA-BARI=hut:white",), "key_unknown"),
    ):
        result = GAME.apply(state, Action("table", "adjust", wrong))
        assert isinstance(result, Refusal)
        assert result.code == code
