"""What an action would bring about, said before it is done: right, short, and never more than its seat may know."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from companion.games.catalogue import game_named
from companion.games.kahuna.determinise import possible_state as possible_kahuna
from companion.games.makisan.determinise import possible_state as possible_makisan
from companion.games.protocol import CHANCE
from tests.web.evening import WebEvening, do, seat_everybody, until
from tests.web.kahuna import legal, open_kahuna
from tests.web.pages import axe_violations, scrolls_sideways
from tests.web.players import seated_phone
from tests.web.test_makisan import open_makisan
from web.choices import effects
from web.shows import show_of
from web.words import Words

KAHUNA, MAKISAN, MAORI = game_named("kahuna"), game_named("makisan"), game_named("maori")


@pytest.fixture(scope="module")
def evening() -> Iterator[WebEvening]:
    with WebEvening() as evening:
        yield evening


def states(game: Any, rules: str, people: int, seed: int) -> Iterator[Any]:
    """The states of a random game in which a seat may act."""
    rng, state = random.Random(seed), game.start(game.default_header(rules, people))
    while actors := game.actors(state):
        if actors[0] != CHANCE:
            yield state
        state = game.apply(state, rng.choice(list(game.legal_actions(state, actors[0]))))


# --- Secrets ---


@pytest.mark.parametrize(
    ("game", "rules", "possible"),
    [(KAHUNA, "standard", possible_kahuna), (MAKISAN, "wasabi", possible_makisan)],
    ids=["kahuna", "makisan"],
)
def test_other_hidden_cards_and_backs_change_nothing_that_is_told(
    game: Any, rules: str, possible: Callable[[Any, random.Random], Any]
) -> None:
    """Every action is tried, of verbs that are not foreseen today, too."""
    rng, words, show = random.Random(7), Words("en", game.name), show_of(game.name)
    others = 0
    for state in states(game, rules, 2, seed=3):
        (seat,) = game.actors(state)
        seen = game.view(state, seat)
        hidden = possible({**game.header(state), **seen}, rng)
        assert game.view(hidden, seat) == seen
        others += hidden != state
        assert show.about(game.view(hidden, seat), seat, words) == show.about(seen, seat, words)
        assert show.own(game.view(hidden, seat), seat) == show.own(seen, seat)
        for action in game.legal_actions(state, seat):
            deed = (action.verb, *action.args)
            assert effects(game, hidden, seat, deed, words) == effects(game, state, seat, deed, words), action.text
    assert others > 10


def test_in_maori_only_the_order_of_the_pile_is_hidden_and_nothing_told_depends_on_it() -> None:
    rng, words = random.Random(7), Words("en", "maori")
    for state in list(states(MAORI, "advanced", 2, seed=3))[::8]:
        (seat,) = MAORI.actors(state)
        hidden = state._replace(pile=tuple(rng.sample(state.pile, len(state.pile))))
        for action in MAORI.legal_actions(state, seat):
            deed = (action.verb, *action.args)
            assert effects(MAORI, hidden, seat, deed, words) == effects(MAORI, state, seat, deed, words), action.text


@pytest.mark.parametrize("game", [KAHUNA, MAKISAN, MAORI], ids=lambda game: game.name)
def test_nobody_is_told_what_another_seats_action_would_bring_about(game: Any) -> None:
    words = Words("en", game.name)
    for state in list(states(game, next(iter(show_of(game.name).rules)), 2, seed=1))[:40]:
        (seat,) = game.actors(state)
        other = next(name for name in game.view(state, None)["seats"] if name != seat)
        for action in game.legal_actions(state, seat):
            assert effects(game, state, other, (action.verb, *action.args), words) == []


def test_of_a_maki_only_the_sides_that_a_seat_has_seen_are_told() -> None:
    words, show = Words("en", "makisan"), show_of("makisan")
    line = {"1": {"south": "red", "north": None}, "2": {"south": "red", "north": "green"},
            "3": {"south": "blue", "north": "green"}, "4": {"south": "red", "north": None}}  # fmt: skip
    seen = {"seats": {"south": "south", "north": "north"}, "line": line}
    told = show.about(seen, "south", words)
    assert told["1"] == "Maki 1: red in front of you; you do not know what is behind."
    assert told["2"] == "Maki 2: red in front of you, green behind."
    own = show.own(seen, "south")
    assert own["front"] == [("1", "red"), ("2", "red"), ("3", "blue"), ("4", "red")]
    assert (own["best"], own["danger"]) == (("red", ["1", "2"]), ("green", ["2", "3"]))
    first_is_north = {**seen, "seats": {"north": "north", "south": "south"}}
    assert show.own(first_is_north, "south") == own
    assert show.own(first_is_north, "north")["front"] == [("4", None), ("3", "green"), ("2", "green"), ("1", None)]


# --- Sentences ---


def kahuna(bridges: dict[str, str], stones: dict[str, str], hand: tuple[str, ...], **changes: Any) -> Any:
    """Kahuna with these pieces, and White to act with these cards."""
    start = KAHUNA.start(KAHUNA.default_header("standard", 2))
    given = {"phase": "turn", "due": (), "hands": (hand, ()), "bridges": bridges, "stones": stones}
    return start._replace(**{**given, **changes})


def told(state: Any, *deed: str, language: str = "en") -> list[str]:
    return effects(KAHUNA, state, "white", deed, Words(language, "kahuna"))


def test_a_bridge_tells_what_it_wins_and_what_the_other_loses_by_it() -> None:
    state = kahuna({"ALOA-HUNA": "white", "ALOA-BARI": "black"}, {}, ("ALOA",))
    assert told(state, "bridge", "ALOA-DUDA", "ALOA") == ["You win ALOA.", "Black loses the bridges ALOA–BARI."]
    assert told(state, "bridge", "ALOA-DUDA", "ALOA", language="fr") == [
        "Vous gagnez ALOA.", "Noir perd les routes ALOA–BARI."]  # fmt: skip


def test_a_bridge_that_wins_nothing_tells_what_is_missing() -> None:
    state = kahuna({}, {}, ("ALOA",))
    assert told(state, "bridge", "ALOA-HUNA", "ALOA") == ["No majority yet: ALOA needs 1 more, HUNA needs 2 more."]


def test_a_removal_tells_which_stone_it_costs_and_that_it_wins_the_game() -> None:
    state = kahuna({"ALOA-HUNA": "black", "ALOA-DUDA": "black", "COCO-GOLA": "white"}, {"ALOA": "black"}, ("ALOA",) * 2)
    assert told(state, "remove", "ALOA-HUNA", "ALOA", "ALOA") == ["Black loses the stone on ALOA."]
    last = kahuna({"ALOA-HUNA": "black", "COCO-GOLA": "white"}, {}, ("ALOA",) * 2)
    assert told(last, "remove", "ALOA-HUNA", "ALOA", "ALOA") == ["Nothing else changes."]
    assert told(last._replace(round=2), "remove", "ALOA-HUNA", "ALOA", "ALOA") == ["That wins the game at once."]


def test_what_is_not_legal_brings_nothing_about() -> None:
    state = kahuna({}, {}, ("ALOA",))
    assert told(state, "bridge", "COCO-GOLA", "COCO") == []
    assert told(state, "draw", "stock") == []
    assert told(state, "dance") == []


def test_maori_tells_shells_and_points_as_the_rules_count_them() -> None:
    words, seen = Words("en", "maori"), set()
    for state in states(MAORI, "advanced", 2, seed=2):
        (seat,) = MAORI.actors(state)
        for action in list(MAORI.legal_actions(state, seat))[:6]:
            after = MAORI.apply(state, action)
            shells = [MAORI.view(one, seat)["shells"][seat] for one in (state, after)]
            points = [MAORI.score(one).points[seat]["total"] for one in (state, after)]
            found = effects(MAORI, state, seat, (action.verb, *action.args), words)
            spent = f"Your shells: {shells[0]}, then {shells[1]}."
            assert (spent in found) == (shells[0] != shells[1] and action.verb in show_of("maori").foreseen)
            assert (f"Your points: {points[0]}, then {points[1]}." in found) == (
                action.verb in ("take", "lay", "clear")
            )
            seen.add((action.verb, len(found)))
    assert {("take", 1), ("take", 2), ("sail", 0), ("sail", 1), ("stay", 0)} <= seen


# --- Phones ---


def test_a_phone_says_what_a_bridge_wins_before_it_is_laid(browser: Browser, evening: WebEvening) -> None:
    table = open_kahuna(evening, seed=2, handicap_white=3)
    tokens = seat_everybody(evening, table)
    phone = seated_phone(browser, evening.address, table, "white", tokens["white"])
    phone.keep_up(table)
    phone.tap_place("ALOA-HUNA")
    expect(phone.page.locator("[data-confirm-effect]")).to_contain_text("ALOA needs 1 more")
    phone.page.click("[data-confirm-yes]")
    until(lambda: table.session.number > 0 and "ALOA-HUNA" in table.session.state.bridges)
    phone.keep_up(table)
    phone.tap_place("ALOA-DUDA")
    expect(phone.page.locator("[data-confirm-effect]")).to_have_text("You win ALOA.")
    assert axe_violations(phone.page) == []
    assert not scrolls_sideways(phone.page)
    phone.page.click("[data-confirm-no]")
    assert "ALOA-DUDA" not in table.session.state.bridges
    phone.tap_place("ALOA")
    expect(phone.page.locator("[data-named]")).to_have_text(
        "ALOA: 2 of its 3 lines are the majority. White 1, Black 0."
    )
    do(table, "act", "bridge", "ALOA-DUDA", seat="white")  # what is told of a place keeps up with the game
    expect(phone.page.locator("[data-named]")).to_contain_text("White 2")
    assert phone.complaints == []
    phone.close()


def test_what_one_thinks_of_no_more_is_not_told(browser: Browser, evening: WebEvening) -> None:
    table = open_kahuna(evening, seed=2)
    tokens = seat_everybody(evening, table)
    phone = seated_phone(browser, evening.address, table, "white", tokens["white"])
    action = next(action for action in legal(table) if action.verb == "bridge")
    phone.keep_up(table)
    effect = phone.page.locator("[data-pick-effect]")
    phone.tap_place(action.args[0])
    while not phone.page.locator("[data-pick-yes]").is_visible():  # two cards may go with it, or a discard
        phone.page.locator('.pick-chip[data-way^="bridge"], .pick-chip').first.click()
    expect(effect).to_be_visible()
    phone.page.click("[data-pick-back]")
    expect(effect).to_be_hidden()
    phone.close()


def test_a_phone_shows_the_colours_in_front_of_its_player(browser: Browser, evening: WebEvening) -> None:
    table = open_makisan(evening, seed=2)
    tokens = {seat: evening.house.sit(table, seat, seat, f"sit.{seat}").token for seat in ("south", "north")}
    do(table, "start")
    for _ in range(3):  # the facing of the first maki, a draw, and its laying
        until(lambda: CHANCE not in table.session.actors)
        action = legal(table)[0]
        do(table, "act", action.verb, *action.args, seat=action.seat)
    line = table.session.state.line
    for seat, faces in (("south", [front for front, _ in line]), ("north", [back for _, back in reversed(line)])):
        phone = seated_phone(browser, evening.address, table, seat, tokens[seat])
        words = Words("en", "makisan")
        colours = phone.page.locator(".side-colours svg")
        expect(colours).to_have_count(len(line))
        assert [one.get_attribute("aria-label") for one in colours.all()] == [words.card(face) for face in faces]
        assert axe_violations(phone.page) == []
        phone.close()
