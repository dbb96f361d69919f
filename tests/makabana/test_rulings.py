"""The rulings of the rules digest, one by one: where the rulebooks are silent, this is how we play."""

from __future__ import annotations

from copy import deepcopy

import pytest

from companion.games.protocol import Action, Refusal
from tests.makabana.support import BOARD_FILES, GAME, new_game, play

OPENING_NADAA = (
    "violet hut Danae-Sable-Poisson",
    "pink hut Evao-Lagon-Poisson",
    "yellow hut Danae-Cocotier-Tatouage",
    "yellow hut Evao-Rocher-Fleur",
    "pink hut Danae-Lagon-Fleur",
    "violet hut Evao-Lagon-Fleur",
)
MAKA_BANA = {
    "game": "makabana",
    "rules": "2013",
    "boards": ["maka-bana"],
    "players": ["violet", "pink", "yellow", "blue", "green"],
}


def nadaa(rules="2013", *plans):
    """Three players on Nadaa after the opening, with these plans laid. Violet is first."""
    return play(new_game(rules, 3), *OPENING_NADAA, *plans)


def refusal(state, line) -> str | None:
    """The code of the refusal that an action meets, or None."""
    result = GAME.apply(state, Action.from_text(line))
    return result.code if isinstance(result, Refusal) else None


def is_listed(state, line) -> bool:
    action = Action.from_text(line)
    return action in GAME.legal_actions(state, action.seat)


def because(state) -> list[str]:
    """Why the last plan failed or came to nothing."""
    return [
        cause["code"] for event in state.events if event.code in ("failed", "void") for cause in event.data["because"]
    ]


def beach_reasons(huts, clubs) -> dict[str, tuple[str, dict[str, int]]]:
    """For each beach of Maka Bana, the code and the points of its reason."""
    score = GAME.score_position({**MAKA_BANA, "huts": huts, "clubs": clubs})
    reasons = [reason for reason in score.reasons if reason.code.startswith("beach")]
    return {reason.data["beach"]: (reason.code, reason.data["points"]) for reason in reasons}


# 1. One tiki per site and per club place.


@pytest.mark.parametrize("place", ["Danae-Sable-Fleur", "club:Danae"])
def test_ruling_1_a_place_with_a_tiki_is_not_free_for_another(place):
    state = nadaa("2013", "violet plan", "pink plan", "yellow plan")
    assert is_listed(state, f"violet tiki {place}")
    state = play(state, f"violet tiki {place}")
    assert refusal(state, f"pink tiki {place}") == "tiki_there"
    assert not is_listed(state, f"pink tiki {place}")


# 2. A tiki must be placed by every player still in the round.


def test_ruling_2_nobody_reveals_before_all_have_placed_their_tiki():
    state = nadaa("2013", "violet plan", "pink plan", "yellow plan")
    state = play(state, "violet tiki club:Danae", "pink tiki club:Evao")
    assert GAME.actors(state) == ("yellow",)
    assert refusal(state, "violet reveal") == "not_now"
    assert refusal(state, "yellow reveal") == "not_now"
    assert all(action.verb == "tiki" for action in GAME.legal_actions(state, "yellow"))
    state = play(state, "yellow tiki Danae-Sable-Fleur", "violet reveal")
    assert GAME.actors(state) == ("pink",)


def test_ruling_2_whoever_is_out_of_the_round_places_none():
    state = nadaa("2013-mao", "violet plan Danae Lagon Poisson show Lagon", "pink plan Sable show Sable")
    state = play(
        state, "yellow plan Danae Rocher Poisson show Rocher", "violet denounce pink", "violet tiki club:Danae"
    )
    assert GAME.actors(state) == ("yellow",)
    assert refusal(state, "pink tiki club:Evao") == "not_your_turn"
    state = play(state, "yellow tiki club:Evao", "violet reveal")
    assert GAME.actors(state) == ("yellow",)


# 3. A tiki on a club place needs that place to be without a club.


def test_ruling_3_a_club_place_with_a_club_takes_no_tiki():
    state = nadaa("2013", "violet plan Danae Sable Poisson Club show Club", "pink plan", "yellow plan")
    assert is_listed(state, "violet tiki club:Danae")
    state = play(state, "violet tiki Danae-Rocher-Fleur", "pink tiki Danae-Rocher-Poisson", "yellow tiki club:Evao")
    state = play(state, "violet reveal", "pink reveal", "yellow reveal", "pink plan", "yellow plan", "violet plan")
    assert state.clubs == {"Danae": "violet"}
    assert refusal(state, "pink tiki club:Danae") == "club_there"
    assert not is_listed(state, "pink tiki club:Danae")
    assert is_listed(state, "pink tiki club:Evao")


def test_ruling_3_holds_for_the_owner_of_the_club_too():
    state = nadaa("2013", "violet plan Danae Sable Poisson Club show Club", "pink plan", "yellow plan")
    state = play(state, "violet tiki Danae-Rocher-Fleur", "pink tiki Danae-Rocher-Poisson", "yellow tiki club:Evao")
    state = play(state, "violet reveal", "pink reveal", "yellow reveal", "pink plan", "yellow plan", "violet plan")
    state = play(state, "pink tiki Danae-Rocher-Fleur", "yellow tiki club:Evao")
    assert refusal(state, "violet tiki club:Danae") == "club_there"


# 4. A beach where nobody has a hut pays nobody. The club breaks a tie only for a player among the tied.


def test_ruling_4_an_empty_beach_pays_nobody():
    assert beach_reasons({}, {}) == dict.fromkeys(("Azzura", "Bikini", "Coquito", "Diabolo"), ("beach_empty", {}))


def test_ruling_4_a_club_on_an_empty_beach_wins_nothing():
    assert beach_reasons({"Bikini-Lagon-Fleur": "pink"}, {"Azzura": "green"})["Azzura"] == ("beach_empty", {})


ONE_EACH = {"Azzura-Lagon-Fleur": "pink", "Azzura-Rocher-Fleur": "blue"}
TWO_EACH = {**ONE_EACH, "Azzura-Lagon-Poisson": "pink", "Azzura-Rocher-Poisson": "blue"}


@pytest.mark.parametrize(
    ("huts", "club", "reason"),
    [
        (ONE_EACH, {}, ("beach_shared", {"pink": 2, "blue": 2})),
        (ONE_EACH, {"Azzura": "blue"}, ("beach_won_by_club", {"blue": 4})),
        (ONE_EACH, {"Azzura": "green"}, ("beach_shared", {"pink": 2, "blue": 2})),
        (ONE_EACH, {"Bikini": "blue"}, ("beach_shared", {"pink": 2, "blue": 2})),
        (
            {**TWO_EACH, "Azzura-Cocotier-Fleur": "green"},
            {"Azzura": "green"},
            ("beach_shared", {"pink": 2, "blue": 2}),
        ),
        ({**ONE_EACH, "Azzura-Cocotier-Fleur": "yellow"}, {"Azzura": "green"}, ("beach_blocked", {})),
        (
            {**ONE_EACH, "Azzura-Cocotier-Fleur": "yellow"},
            {"Azzura": "yellow"},
            ("beach_won_by_club", {"yellow": 4}),
        ),
        ({"Azzura-Lagon-Fleur": "pink"}, {"Azzura": "green"}, ("beach_won", {"pink": 4})),
    ],
)
def test_ruling_4_the_club_decides_only_among_the_tied(huts, club, reason):
    assert beach_reasons(huts, club)["Azzura"] == reason


# 5. "One hut left" means one or fewer: Mao can skip over one.

# Violet builds twice a round; the others lay nothing. Four rounds take the reserve from eight to none.
DOUBLE_BUILDS = (
    ("Danae Lagon Poisson Tatouage", "Danae-Lagon-Poisson", "Danae-Lagon-Tatouage"),
    ("Danae Rocher Poisson Tatouage", "Danae-Rocher-Poisson", "Danae-Rocher-Tatouage"),
    ("Evao Cocotier Poisson Tatouage", "Evao-Cocotier-Poisson", "Evao-Cocotier-Tatouage"),
    ("Evao Lagon Rocher Tatouage", "Evao-Lagon-Tatouage", "Evao-Rocher-Tatouage"),
)


def after_double_builds(rounds):
    state = nadaa("2013-mao")
    order = ["violet", "pink", "yellow"]
    for cards, one, other in DOUBLE_BUILDS[:rounds]:
        deeds = {"violet": (f"violet build {one}", f"violet build {other}")}
        state = play(state, f"violet plan {cards} show {cards.split()[0]}", "pink plan", "yellow plan")
        state = play(state, f"{order[0]} close")
        tikis = zip(order, ("club:Danae", "club:Evao", "Danae-Sable-Fleur"), strict=True)
        state = play(state, *(f"{seat} tiki {place}" for seat, place in tikis))
        state = play(state, *(line for seat in order for line in (f"{seat} reveal", *deeds.get(seat, ()))))
        order = order[1:] + order[:1]
    return state


def test_ruling_5_two_huts_left_is_not_yet_the_end():
    state = after_double_builds(3)
    assert (state.reserves[0], state.final) == (2, None)


def test_ruling_5_none_left_calls_the_final_round_as_one_left_does():
    state = after_double_builds(4)
    assert state.reserves[0] == 0
    assert [cause["code"] for cause in state.final.data["because"]] == ["reserve_low"]
    assert state.final.data["because"][0]["left"] == 0


# 6. A paint or build with an empty reserve fails and loses nothing.


def test_ruling_6_a_build_with_an_empty_reserve_fails():
    state = after_double_builds(4)
    huts = state.huts
    state = play(state, "violet plan Danae Sable Tatouage show Danae", "pink plan", "yellow plan", "pink close")
    state = play(state, "pink tiki club:Danae", "yellow tiki club:Evao", "violet tiki Danae-Sable-Fleur")
    state = play(state, "pink reveal", "yellow reveal", "violet reveal")
    assert because(state) == ["reserve_empty"]
    assert (state.huts, state.reserves[0]) == (huts, 0)


def test_ruling_6_a_paint_with_an_empty_reserve_fails_and_the_paint_returns():
    state = nadaa("2013", "violet plan Danae Lagon Fleur Paint show Paint", "pink plan", "yellow plan")
    state = play(state, "violet tiki club:Danae", "pink tiki club:Evao", "yellow tiki Danae-Sable-Fleur")
    state = state._replace(reserves=(0, *state.reserves[1:]))  # no ordinary round begins like this, so put it so
    state = play(state, "violet reveal")
    assert because(state) == ["reserve_empty"]
    assert state.huts["Danae-Lagon-Fleur"] == "pink"
    assert (state.reserves, state.paints[0]) == ((0, 8, 8), 2)


def two_huts_left():
    """Mao 2003, three players: yellow has built twice in each of four seasons, blue and green once in all."""
    state, order = new_game("2003-mao", 3), ["yellow", "blue", "green"]
    others = ["blue plan Diabolo Lagon Fleur show Lagon", "green plan Diabolo Rocher Fleur show Rocher"]
    for sector in ("Azzura Lagon", "Azzura Rocher", "Coquito Lagon", "Coquito Sable"):
        builds = [f"yellow build {sector.replace(' ', '-')}-{spot}" for spot in ("Fleur", "Poisson")]
        state = play(state, f"yellow plan {sector} Fleur Poisson show Fleur", *others, f"{order[0]} close")
        spots = zip(order, ("Fleur", "Poisson", "Tatouage"), strict=True)
        state = play(state, *(f"{seat} tiki Azzura-Herbe-{spot}" for seat, spot in spots))
        state = play(state, *(line for seat in order for line in (f"{seat} reveal", *builds * (seat == "yellow"))))
        order, others = order[1:] + order[:1], ["blue plan", "green plan"]
    return state


def test_ruling_6_the_second_deed_of_a_plan_ends_with_the_last_hut():
    """Yellow repaints as amends, then builds the last hut: none is left for the paint, whose card returns."""
    state = two_huts_left()
    assert (state.reserves[0], state.final) == (2, None)
    state = play(state, "yellow plan Diabolo Rocher Fleur Poisson Paint show Rocher", "green plan")
    state = play(state, "blue plan Azzura Lagon Herbe Fleur Poisson Paint show Lagon", "yellow denounce blue")
    state = play(state, "yellow repaint Diabolo-Lagon-Fleur")
    assert state.reserves[0] == 1
    state = play(state, "green tiki Azzura-Herbe-Fleur", "yellow tiki Azzura-Herbe-Poisson", "green reveal")
    state = play(state, "yellow reveal")
    assert is_listed(state, "yellow paint Diabolo-Rocher-Fleur")
    state = play(state, "yellow build Diabolo-Rocher-Poisson")
    assert GAME.actors(state) == ("yellow", "blue", "green")  # yellow's turn, and with it the season, is over
    assert state.huts["Diabolo-Rocher-Fleur"] == "green"
    assert (state.reserves[0], state.paints[0]) == (0, 2)


# 7. Any card set can be submitted, as at a table. It is judged when it is realised.


@pytest.mark.parametrize(
    ("cards", "faults"),
    [
        ("", ["no_beach", "no_sector", "no_spot"]),
        ("Paint", ["no_beach", "no_sector", "no_spot"]),
        ("Paint Paint Club", ["no_beach", "no_sector", "no_spot", "too_many_extras"]),
        ("Danae Lagon", ["no_spot"]),
        ("Danae Evao Lagon Fleur", ["several_beaches"]),
        ("Danae Lagon Sable Rocher Fleur Poisson", ["several_sectors", "several_spots"]),
        ("Danae Lagon Poisson Club Paint", ["too_many_extras"]),
        ("Evao Sable Fleur", ["no_such_site"]),
        ("Danae Sable Poisson", ["site_taken"]),
        ("Danae Rocher Fleur Paint", ["no_hut_there"]),
        ("Danae Rocher Fleur Club", ["no_hut_there"]),
    ],
)
def test_ruling_7_any_cards_can_be_laid_and_are_judged_when_revealed(cards, faults):
    plan = f"violet plan {cards} show {cards.split()[0]}" if cards else "violet plan"
    state = nadaa()
    assert refusal(state, plan) is None
    state = play(state, plan, "pink plan", "yellow plan")
    state = play(state, "violet tiki club:Danae", "pink tiki club:Evao", "yellow tiki Danae-Sable-Fleur")
    before = state
    state = play(state, "violet reveal")
    assert because(state) == faults
    assert (state.huts, state.clubs, state.reserves) == (before.huts, before.clubs, before.reserves)
    assert (state.paints, state.club_cards) == (before.paints, before.club_cards)


@pytest.mark.parametrize(
    ("rules", "hand"),
    [
        ("2013-mao", "Danae Evao Sable Lagon Cocotier Rocher Tatouage Fleur Poisson Club Paint Paint"),
        ("2003-mao", "Azzura Coquito Diabolo Sable Herbe Rocher Lagon Tatouage Fleur Poisson Paint Paint"),
    ],
)
def test_ruling_7_a_whole_hand_can_be_laid_in_mao(rules, hand):
    state = nadaa(rules) if rules == "2013-mao" else new_game(rules, 3)
    assert refusal(state, f"{GAME.seats(state)[0]} plan {hand} show Lagon") is None


def test_ruling_7_only_cards_that_are_not_in_the_hand_are_refused():
    state = nadaa()
    assert refusal(state, "violet plan Danae Danae Lagon show Lagon") == "card_twice"
    assert refusal(state, "violet plan Azzura Lagon Fleur show Lagon") == "card_unknown"
    assert refusal(state._replace(paints=(0, 2, 2)), "violet plan Danae Lagon Fleur Paint show Paint") == "card_spent"


# 8. Haapii: a tiki behind one's own hut only while some opponent shows a Paint; in Mao 2003 always. An option.


def second_season(rules, yellow="", blue="", **changes):
    """2003 with three players, plans laid: yellow has a hut on Azzura-Lagon-Fleur, and is the last to place a tiki."""
    state = new_game(rules, 3, **changes)
    state = play(state, "yellow plan Azzura Lagon Fleur show Lagon", "blue plan", "green plan")
    state = play(state, *(["yellow close"] if rules == "2003-mao" else []))
    spots = {"yellow": "Fleur", "blue": "Poisson", "green": "Tatouage"}
    state = play(state, *(f"{seat} tiki Azzura-Herbe-{spot}" for seat, spot in spots.items()))
    state = play(state, *(f"{seat} reveal" for seat in spots))
    state = play(state, f"yellow plan {yellow}".strip(), f"blue plan {blue}".strip(), "green plan")
    state = play(state, *(["blue close"] if rules == "2003-mao" else []))
    return play(state, "blue tiki Azzura-Herbe-Poisson", "green tiki Azzura-Herbe-Tatouage")


PROTECT = "yellow tiki Azzura-Lagon-Fleur"
ANY_TAKEOVER = "Azzura Lagon Fleur Paint show Azzura"


def test_ruling_8_no_hut_is_protected_while_nobody_shows_a_paint():
    state = second_season("2003", blue="Azzura Rocher Fleur show Azzura")
    assert refusal(state, PROTECT) == "not_threatened"
    assert not is_listed(state, PROTECT)


def test_ruling_8_an_opponents_paint_allows_protection():
    state = second_season("2003", blue=ANY_TAKEOVER)
    assert refusal(state, PROTECT) is None
    assert is_listed(state, PROTECT)


def test_ruling_8_ones_own_paint_is_no_threat():
    state = second_season("2003", yellow="Coquito Lagon Fleur Paint show Lagon")
    assert refusal(state, PROTECT) == "not_threatened"


@pytest.mark.parametrize(("option", "code"), [(True, "not_threatened"), (False, None)])
def test_ruling_8_is_an_option(option, code):
    state = second_season("2003", options={"protect_only_when_threatened": option})
    assert refusal(state, PROTECT) == code
    assert is_listed(state, PROTECT) is (code is None)


@pytest.mark.parametrize("blue", ["Azzura Rocher Fleur show Azzura", ANY_TAKEOVER])
def test_ruling_8_mao_always_allows_protection(blue):
    state = second_season("2003-mao", blue=blue)
    assert refusal(state, PROTECT) is None
    assert is_listed(state, PROTECT)


def test_ruling_8_does_not_touch_2013():
    state = nadaa("2013", "violet plan", "pink plan", "yellow plan")
    assert refusal(state, "violet tiki Danae-Sable-Poisson") is None


# 9. Adjacency and complexes are data of the board, never code.

PAIR = ["Azzura-Cocotier-Fleur", "Azzura-Rocher-Fleur"]  # far apart on the board we print
ACROSS = ["Azzura-Lagon-Poisson", "Bikini-Sable-Poisson"]  # likewise, and on two beaches


def traced_board(*pairs, without=()):
    """Maka Bana as an owner might have traced it: with these neighbours more, and those less."""
    board = deepcopy(BOARD_FILES["maka-bana"])
    board["board"] = "my-copy"
    board["adjacent"] = [pair for pair in board["adjacent"] if pair not in without] + list(pairs)
    return board


def points_for_huts(board, sites):
    position = {**MAKA_BANA, "boards": [board], "huts": dict.fromkeys(sites, "pink"), "clubs": {}}
    return GAME.score_position(position).points["pink"]["huts"]


def test_ruling_9_groups_follow_the_board_file():
    known = BOARD_FILES["maka-bana"]["adjacent"][0]
    assert (points_for_huts("maka-bana", PAIR), points_for_huts("maka-bana", known)) == (2, 3)
    mine = traced_board(PAIR, without=[known])
    assert (points_for_huts(mine, PAIR), points_for_huts(mine, known)) == (3, 2)


def test_ruling_9_the_opening_follows_the_board_file():
    for board, code in (("maka-bana", None), (traced_board(ACROSS), "next_to_first_hut")):
        state = new_game("2013", 5, boards=[board])
        state = play(
            state, "violet hut Diabolo-Sable-Fleur", "pink hut Diabolo-Lagon-Fleur", "yellow hut Diabolo-Rocher-Fleur"
        )
        state = play(state, "blue hut Diabolo-Sable-Poisson", f"green hut {ACROSS[0]}")
        assert refusal(state, f"green hut {ACROSS[1]}") == code


def test_ruling_9_each_island_has_its_own_data():
    for name, board in BOARD_FILES.items():
        rules = {"2003": "2003", "2013": "2013"}[board["edition"]]
        people = {"maka-bana": 5, "noka": 4, "nadaa": 3, "maka-bana-2003": 4}[name]
        setup = new_game(rules, people).setup
        pairs = {(site, near) for site, others in setup.neighbours.items() for near in others}
        assert pairs == {(a, b) for one, other in board["adjacent"] for a, b in ((one, other), (other, one))}
