"""The rulings of `companion/games/maori/README.md`, one by one: where the rulebook is silent, this is how we play."""

from __future__ import annotations

import pytest

from companion.games.maori.setup import default_header
from tests.maori.support import BOARD_FILES, GAME, TILES, new_game, play, refusal

DEAL = "E01 I01 W01 M01 E02 E15 W07 I05 W10 E29 E30 I08 E42 W16 E13 M08".split()
# Sixteen tiles for the display and two to draw: a game that soon runs dry.
SMALL_SET = {"set": "small", "tiles": [TILES[tile] for tile in (*DEAL, "W17", "V1")]}


def dealt(rules="base", people=2, deal=DEAL, ship=16, **changes):
    """A game after its deal, the ship placed. Blue begins."""
    state = new_game(rules, people, **changes)
    lines = [f"chance refill display:{number // 4 + 1},{number % 4 + 1} {tile}" for number, tile in enumerate(deal)]
    return play(state, *lines, f"{GAME.seats(state)[-1]} anchor {ship}")


def scored(laid, rules="base", shells=(0, 0), **changes):
    """The score of blue with these tiles, against red with none."""
    position = {**default_header(rules, 2), "laid": {"blue": laid}, **changes}
    position["shells"] = dict(zip(("blue", "red"), shells, strict=True))
    return GAME.score_position(position)


def filled(state, seat, but=()):
    """The state with the seat's board full of plain water, whichever tiles that takes."""
    index = GAME.seats(state).index(seat)
    words = iter([tile for tile in state.pile if tile[0] != "V"])
    laid = {cell: next(words) for cell in state.setup.cells if cell not in but}
    boards = list(state.laid)
    boards[index] = laid
    return state._replace(laid=tuple(boards), pile=tuple(t for t in state.pile if t not in laid.values()))


# 1. The game ends at the end of the round.


def test_ruling_1_a_full_board_gives_the_others_their_turn():
    state = filled(dealt(people=3), "blue", but=("2,2",))
    state = play(state, "blue sail 1", "blue take E01 2,2")
    assert state.final.code == "board_full"
    state = play(state, "chance refill display:1,1 E54", "red sail 1", "red pass", "yellow sail 1")
    assert GAME.outcome(state) is None
    state = play(state, "yellow pass")
    assert GAME.actors(state) == ()
    assert GAME.outcome(state).ended_by.data == {"player": "blue"}


def test_ruling_1_whoever_is_last_in_the_round_ends_it_at_once():
    state = filled(dealt(), "red", but=("2,2",))
    state = play(state, "blue sail 1", "blue pass", "red sail 1", "red take I01 2,2", "chance refill display:1,2 E54")
    assert GAME.actors(state) == ()


def test_ruling_1_a_tile_taken_off_again_does_not_call_the_end_off():
    state = filled(filled(dealt(), "blue", but=("2,2",)), "red")
    state = play(
        state, "blue sail 1", "blue take E01 2,2", "chance refill display:1,1 E54", "red sail 1", "red clear 2,2"
    )
    assert GAME.outcome(state) is not None


# 2. and 15. Empty places, and the end of the tiles.


def dry():
    """Blue and red have taken what lies in column 1 until nothing is left to draw."""
    state = dealt(tiles=[SMALL_SET])
    state = play(state, "blue sail 1", "blue take E01 2,2", "chance refill display:1,1 W17")
    return play(state, "red sail 7", "red take M08 2,2", "chance refill display:4,4 V1")


def test_ruling_2_an_empty_place_costs_nothing_to_pass():
    state = play(dry()._replace(ship=16), "blue sail 1", "blue take W17 2,3")
    assert (state.phase, state.display[0]) == ("sail", None)  # there is nothing to refill with
    state = play(state._replace(ship=16), "red sail 1")
    assert GAME.view(state, None)["row"] == {"E02": 0, "W10": 1, "E42": 2}
    assert play(state, "red take E02 2,3").shells[1] == 1  # none paid, and the one drawn on it


def test_ruling_15_a_round_of_nothing_ends_the_game_once_the_tiles_are_gone():
    state = play(dry(), "blue sail 1", "blue pass")
    assert GAME.outcome(state) is None
    state = play(state, "red sail 1", "red pass")
    assert GAME.outcome(state).ended_by.code == "standstill"


def test_ruling_15_while_there_are_tiles_to_draw_everybody_may_wait():
    state = dealt()
    for _ in range(10):
        state = play(state, "blue sail 1", "blue pass", "red sail 1", "red pass")
    assert state.round == 11


# 3. The ship must move.


def test_ruling_3_the_first_island_is_free_even_without_a_canoe():
    board = {**BOARD_FILES["archipelago"], "canoes": 0}
    state = dealt(boards=[board])
    state = play(state, "blue sail 1")
    assert state.shells == (5, 5)
    assert refusal(dealt(boards=[board])._replace(shells=(0, 5)), "blue sail 2") == "shells_short"


def test_ruling_3_once_round_is_far_enough():
    state = dealt()._replace(shells=(20, 5))
    assert play(state, "blue sail 16").ship == 16
    assert refusal(state, "blue sail 17") == "steps_wrong"


# 4. The display is refilled before the boat moves.


def test_ruling_4_the_boat_moves_when_the_new_tile_is_seen():
    state = play(dealt("advanced"), "blue sail 1", "blue take E01 2,2", "chance refill display:1,1 W17")
    state = play(state, "red sail 1", "red pass", "blue sail 1", "blue take W01 2,3")
    assert GAME.actors(state) == ("chance",)
    state = play(state, "chance refill display:1,3 W02")
    assert (state.phase, GAME.actors(state)) == ("boat", ("blue",))


# 5. A canoe under a tile.


def test_ruling_5_a_covered_canoe_counts_again_when_it_is_uncovered():
    state = dealt("base-atoll")
    canoes = [GAME.view(state, None)["canoes"]["blue"]]
    state = play(state, "blue sail 1", "blue take E01 2,3", "chance refill display:1,1 W17")
    canoes.append(GAME.view(state, None)["canoes"]["blue"])
    state = play(state, "red sail 1", "red pass", "blue sail 1", "blue clear 2,3")
    canoes.append(GAME.view(state, None)["canoes"]["blue"])
    assert canoes == [2, 1, 2]


# 6. Unfinished islands come off before everything else.


def test_ruling_6_canoes_and_wreaths_of_unfinished_islands_do_not_count():
    whole = scored({"2,1": "E11", "2,2": "M06", "2,3": "E38"})
    assert whole.points["blue"] == {"islands": 3, "wreaths": 10, "shells": 0, "canoes": 2, "gaps": -13, "total": 2}
    broken = scored({"2,2": "M06", "2,3": "E38", "3,3": "E03"})
    assert broken.points["blue"] == {"islands": 0, "wreaths": 0, "shells": 0, "canoes": 2, "gaps": -16, "total": -14}


# 7. Printed land joins nothing.


def test_ruling_7_land_does_not_go_on_in_printed_land():
    score = scored({"1,2": "E28"})  # its land goes on to the left, where 1,1 is printed
    assert [reason.data["cells"] for reason in score.reasons if reason.code == "unfinished"] == [["1,2"]]


# 8. Wreaths.


def test_ruling_8_half_a_wreath_is_worth_nothing():
    assert scored({"2,1": "E11", "2,2": "E28"}).points["blue"]["wreaths"] == 0
    assert scored({"2,1": "E11", "2,2": "E38"}).points["blue"]["wreaths"] == 10


# 9. Turning.


@pytest.mark.parametrize(
    ("tile", "words"),
    [
        ("E01", ("E01",)),  # a palm
        ("E14", ("E14", "E14@90", "E14@180", "E14@270")),
        ("M07", ("M07", "M07@90")),
        ("W01", ("W01",)),
        ("V1", ()),
    ],
)
def test_ruling_9_a_tile_without_palms_may_be_turned(tile, words):
    assert new_game("base", 2).setup.words[tile] == words


# 10. Shells come when a tile is laid.


def test_ruling_10_the_reserve_may_be_too_small():
    state = dealt(deal=["W13", *DEAL[1:]])._replace(shells=(5, 24))
    state = play(state, "blue sail 1", "blue take W13 2,2")
    assert state.shells == (6, 24)
    assert state.events[1].data == {"seat": "blue", "shells": 1, "shown": 2}


# 11. Most of nothing.


def test_ruling_11_no_shells_no_points_and_a_tie_pays_both_in_full():
    assert [line["shells"] for line in scored({}, shells=(0, 0)).points.values()] == [0, 0]
    assert [line["shells"] for line in scored({}, shells=(4, 4)).points.values()] == [4, 4]
    assert [line["shells"] for line in scored({}, shells=(4, 5)).points.values()] == [0, 5]
    assert [line["canoes"] for line in scored({}).points.values()] == [2, 2]


# 12. is told by the positions `tie-broken.json` and `tie-shared.json`.
# 13. and 14. The boat.


def test_ruling_14_rowing_that_leaves_no_tile_to_lay_is_refused():
    """Blue's boat is walled in, the stock is full, and one shell would not take it to where there is room."""
    state = dealt("expert")
    around = {"1,2": "W02", "1,3": "W03", "1,4": "W04", "2,1": "W05", "2,2": "W06", "2,3": "W08", "2,4": "W09"}
    walls = {**around, "3,1": "W11", "3,2": "W12", "3,3": "W13", "3,4": "W14", "4,2": "W15", "4,3": "W17", "4,4": "I02"}
    state = state._replace(laid=(walls, {}), boats=("2,2", None), stocks=("I06", None), shells=(1, 5))
    state = play(state, "blue sail 1")
    assert refusal(state, "blue row 2,1") == "row_leads_nowhere"
    assert refusal(state, "blue row 2,3") == "row_leads_nowhere"
    richer = state._replace(shells=(2, 5))
    assert refusal(richer, "blue row 2,1") == "row_leads_nowhere"
    assert refusal(richer, "blue row 2,3") is None  # and from there to 2,4, which touches the free 2,5
    richer = play(richer, "blue row 2,3", "blue row 2,4", "blue lay I06 2,5")
    assert richer.shells[0] == 0


def test_ruling_14_with_room_in_the_stock_a_tile_can_always_follow():
    state = dealt("advanced")
    walls = {cell: f"W{number:02}" for number, cell in enumerate(("1,2", "2,1", "2,2"), 1)}
    state = state._replace(laid=(walls, {}), boats=("1,2", None), shells=(1, 5))
    state = play(state, "blue sail 1", "blue row 2,2", "blue stock E01")
    assert state.stocks[0] == "E01"


# The board is right and the game is not.


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("table adjust", "wrong_arguments"),
        ("table adjust blue:1,1=tile:E03", "place_unknown"),
        ("table adjust blue:2,2=tile:E99", "tile_unknown"),
        ("table adjust blue:2,2=tile:V1", "volcano_stays"),
        ("table adjust blue:2,2=tile:I01", "tile_in_two_places"),
        ("table adjust blue:2,2=tile:E03@90", "tile_lies_wrong"),
        ("table adjust blue:2,2=hat", "content_unreadable"),
        ("table adjust display:1,1=empty", "board_impossible"),
        ("table adjust ship:16=empty", "board_impossible"),
        ("table adjust ship:3=ship:shared", "board_impossible"),
        ("table adjust blue:2,2=tile:E03+boat:blue", "rules_without_boats"),
    ],
)
def test_a_table_the_rules_do_not_know_is_refused(line, code):
    assert refusal(dealt(), line) == code


def test_an_adjusted_table_may_move_ship_and_tiles_and_fill_a_board():
    state = play(dealt(), "table adjust ship:16=empty ship:3=ship:shared blue:2,2=tile:M07@180")
    assert state.ship == 3
    assert state.laid[0] == {"2,2": "M07"}  # 180 looks the same, and is written the one way
    assert "M07" not in state.pile
    full = filled(state, "blue", but=("2,2",))
    full = play(full, "table adjust blue:2,2=tile:I10")
    assert full.final.code == "board_full"


def test_an_adjustment_waits_for_chance():
    assert refusal(new_game("base", 2), "table adjust display:1,1=tile:E01") == "not_now"
