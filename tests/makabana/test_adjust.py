"""The board is right: the game takes over what lies there, if such a board is possible at all."""

import pytest

from companion.games.protocol import ADJUST, TABLE, Action, Refusal
from companion.games.record import why_it_stands
from tests.makabana.test_hands import GAME, OPENED, PLANNED, state_after

SITE, FREE = "Danae-Lagon-Fleur", "Danae-Sable-Tatouage"


def adjusted(state: object, *args: str) -> object:
    return GAME.apply(state, Action(TABLE, ADJUST, args))


def test_a_piece_taken_off_goes_back_to_its_reserve():
    before = state_after("2013", 3, *OPENED)
    after = adjusted(before, f"{SITE}=empty")
    assert SITE not in GAME.expected(after)
    reserves = [GAME.view(state, None)["reserves"] for state in (before, after)]
    assert reserves[1] == {**reserves[0], "pink": reserves[0]["pink"] + 1}


def test_a_piece_that_was_moved_is_where_it_lies_now():
    after = adjusted(state_after("2013", 3, *OPENED), f"{SITE}=empty", f"{FREE}=hut:pink")
    assert GAME.expected(after)[FREE] == (("hut", "pink"),)
    assert SITE not in GAME.expected(after)
    assert GAME.view(after, None)["reserves"]["pink"] == 8


def test_a_tiki_and_a_hut_may_share_a_site():
    state = state_after("2013", 3, *PLANNED, "violet tiki club:Danae")
    after = adjusted(state, "club:Danae=empty", f"{OPENED[0].split()[-1]}=hut:violet+tiki:violet")
    assert set(GAME.expected(after)["Danae-Cocotier-Fleur"]) == {("hut", "violet"), ("tiki", "violet")}


def test_turn_plans_and_phase_stay_as_they_were():
    before = state_after("2013", 3, *PLANNED)
    after = adjusted(before, f"{SITE}=empty")
    for key in ("phase", "round", "waits_for", "plans", "first"):
        assert GAME.view(after, "violet")[key] == GAME.view(before, "violet")[key]
    assert after.number == before.number + 1


@pytest.mark.parametrize(
    "args",
    [
        (),
        ("nowhere=empty",),
        (f"{SITE}",),
        (f"{SITE}=hut",),
        (f"{SITE}=hut:nobody",),
        (f"{SITE}=boat:pink",),
        (f"{SITE}=club:pink",),  # a club on a site
        ("club:Danae=hut:pink",),  # a hut on a club place
        (f"{SITE}=hut:pink+hut:violet",),
        (f"{SITE}=tiki:pink", f"{FREE}=tiki:pink"),  # two tikis of a colour
        (f"{SITE}={'hut:pink+' * 30}hut:pink",),
        ("=",),
        ("\ud800=\ud800",),
    ],
)
def test_an_impossible_board_is_refused(args):
    state = state_after("2013", 3, *OPENED)
    assert isinstance(adjusted(state, *args), Refusal)


def test_more_huts_than_the_box_holds_are_refused():
    state = state_after("2013", 3, *OPENED)
    sites = [place for place in GAME.places(state) if not place.startswith("club")]
    assert isinstance(adjusted(state, *(f"{site}=hut:pink" for site in sites)), Refusal)


def test_nobody_but_the_table_adjusts():
    state = state_after("2013", 3, *OPENED)
    assert isinstance(GAME.apply(state, Action("violet", ADJUST, (f"{SITE}=empty",))), Refusal)


def test_what_all_agreed_on_is_not_taken_back():
    state = state_after("2013", 3, *OPENED)
    action = Action(TABLE, ADJUST, (f"{SITE}=empty",))
    assert why_it_stands(GAME, state, action, GAME.apply(state, action), action.seat).code == "agreed_by_all"


def test_a_club_taken_off_gives_its_card_back():
    state = adjusted(state_after("2013", 3, *OPENED), "club:Danae=club:pink")
    assert GAME.view(state, None)["cards_left"]["pink"]["Club"] == 0
    assert GAME.view(adjusted(state, "club:Danae=empty"), None)["cards_left"]["pink"]["Club"] == 1
