"""Games through real browsers: four phones, the table's screen and a virtual board under a direct camera."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.table.table import Table
from tests.web.evening import WebEvening, do, seat_everybody, until
from tests.web.pages import axe_violations, scrolls_sideways
from tests.web.players import Phone, play_action, seated_phone

# How often a phone has measured the table's clock, by which presses are told apart.
CLOCK_TRIPS = "performance.getEntriesByType('resource').filter((one) => one.name.endsWith('/clock')).length"
SEATS = {"violet": "Mareva", "pink": "Tom", "yellow": "Ève", "blue": "Zoë"}


@pytest.fixture(scope="module")
def evening() -> Iterator[WebEvening]:
    with WebEvening() as evening:
        yield evening


def follow_with_hands(evening: WebEvening, table: Table) -> None:
    """Everybody's pieces lie on the virtual board as the game has them."""
    board, game = evening.desk.virtual(table.row.id), table.session.game
    assert board is not None
    assert game is not None
    board.help_with(set(SEATS), game.expected(table.session.state))


def through_phones(evening: WebEvening, table: Table, phones: dict[str, Phone], rng: random.Random) -> str:
    number = table.session.number
    verb = play_action(phones, table, rng, by_cards=("violet", "yellow"))
    until(lambda: table.session.number > number, lambda: (verb, table.session.actors, table.question))
    follow_with_hands(evening, table)
    return verb


def without_phones(evening: WebEvening, table: Table, rng: random.Random) -> None:
    """The long middle of a game, until its last round has been planned."""
    game = table.session.game
    assert game is not None
    while not (table.session.state.final and table.session.state.phase == "realise"):
        seat = rng.choice(table.session.actors)
        action = rng.choice(list(game.legal_actions(table.session.state, seat)))
        do(table, "act", action.verb, *action.args, seat=seat)
    follow_with_hands(evening, table)


def is_fit_to_show(phone: Phone) -> bool:
    return axe_violations(phone.page) == [] and not scrolls_sideways(phone.page)


def test_a_game_on_four_phones_ends_in_its_celebration(browser: Browser, evening: WebEvening) -> None:
    table, rng = evening.open_table(is_virtual=True), random.Random(5)
    looks = dict(zip(SEATS, ("fr.light.normal", "fr.dark.huge", "en.light.normal", "en.dark.normal"), strict=True))
    phones = {seat: Phone(browser, evening.address, table.row.code, look) for seat, look in looks.items()}
    screen = Phone(browser, evening.address, table.row.code, "fr.light.normal", width=1920)
    for seat, name in SEATS.items():
        phones[seat].join(seat, name)
    screen.open(f"/screen/{table.row.code}")
    phones["violet"].page.click('form[action$="/start"] button')

    verbs = [through_phones(evening, table, phones, rng) for _ in range(8 + 4 + 4 + 4)]
    assert verbs == ["hut"] * 8 + ["plan"] * 4 + ["tiki"] * 4 + ["reveal"] * 4
    assert all(map(is_fit_to_show, phones.values()))
    without_phones(evening, table, rng)
    while table.session.actors:
        through_phones(evening, table, phones, rng)
    until(lambda: table.session.is_settled, lambda: (table.question, table.session.actors))

    expect(screen.page.locator("[data-finale-title]")).to_have_text(re.compile("gagne\u00a0!|gagnent"))
    scores = table.session.game.score(table.session.state).points
    shown = {
        row.get_attribute("data-player"): int(row.locator(".finale-points").inner_text())
        for row in screen.page.locator(".finale-row").all()
    }
    assert shown == {player: points["total"] for player, points in scores.items() if player in shown}
    for phone in (*phones.values(), screen):
        assert phone.complaints == []
        phone.close()


def test_in_mao_the_first_press_denounces_and_the_second_is_told_so(browser: Browser, evening: WebEvening) -> None:
    table = evening.open_table("2013-mao", 3)
    tokens = seat_everybody(evening, table)
    game, rng = table.session.game, random.Random(2)
    assert game is not None
    while table.session.state.phase != "denounce":
        seat = table.session.actors[0]
        action = rng.choice(list(game.legal_actions(table.session.state, seat)))
        do(table, "act", action.verb, *action.args, seat=seat)
    phones = {s: seated_phone(browser, evening.address, table, s, tokens[s]) for s in ("pink", "violet")}
    for phone in phones.values():
        phone.page.wait_for_selector(".big-red")
        until(lambda: phone.page.evaluate(CLOCK_TRIPS) > 1)  # noqa: B023
    assert is_fit_to_show(phones["pink"])
    for phone in phones.values():
        phone.page.evaluate("document.querySelector('.big-red')?.click()")  # it goes once the race is decided
    until(lambda: table.session.verdict is not None or table.session.state.phase != "denounce")
    first = table.session.verdict.first.seat
    other = next(seat for seat in phones if seat != first)
    expect(phones[first].page.locator(".race")).to_contain_text("You were first!")
    expect(phones[other].page.locator(".race")).to_contain_text("was first")
    phones[first].page.locator(".question .answers button").first.click()
    until(lambda: table.session.state.phase != "denounce")
    assert table.session.state.out != -1
    for phone in phones.values():
        phone.close()


def test_in_mao_2003_the_accused_makes_amends(browser: Browser, evening: WebEvening) -> None:
    table = evening.open_table("2003-mao", 4)
    tokens = seat_everybody(evening, table)
    accuser, accused, others = table.session.actors[0], table.session.actors[1], table.session.actors[2:]
    phones = {
        seat: seated_phone(browser, evening.address, table, seat, tokens[seat], look)
        for seat, look in ((accuser, "fr.light.normal"), (accused, "en.light.normal"))
    }
    build_two(table, accuser, accused, others)

    # The accused threatens somebody else's hut: the accuser offers one of their own, and the accused takes it.
    lay_plans(phones, table, accused, ["Bikini", "Lagon", "Poisson", "Paint"])
    denounce(phones[accuser], table, accused)
    phones[accuser].place("Coquito-Lagon-Tatouage")
    expect(phones[accused].page.locator('[data-act="decline"]')).to_be_visible()
    assert is_fit_to_show(phones[accused])
    phones[accused].act("accept")
    until(lambda: table.session.state.phase == "tiki")
    assert table.session.state.huts["Coquito-Lagon-Tatouage"] == accused
    end_round(table)

    # Now the accuser's own: any hut of the accused is repainted.
    lay_plans(phones, table, accused, ["Coquito", "Lagon", "Fleur", "Paint"])
    denounce(phones[accuser], table, accused)
    assert is_fit_to_show(phones[accuser])
    phones[accuser].place("Diabolo-Lagon-Fleur")
    until(lambda: table.session.state.phase == "tiki")
    assert table.session.state.huts["Diabolo-Lagon-Fleur"] == accuser
    assert table.session.state.paints[table.session.state.setup.seat_index[accused]] == 0
    for phone in phones.values():
        assert phone.complaints == []
        phone.close()


def build_two(table: Table, accuser: str, accused: str, others: Sequence[str]) -> None:
    """A season at the table: two huts for the accuser and the accused, one for somebody else."""
    plans = {accuser: "Coquito Lagon Fleur Tatouage show Lagon", accused: "Diabolo Lagon Fleur Tatouage show Lagon",
             others[0]: "Bikini Lagon Poisson show Lagon", others[1]: "Bikini Sable Fleur show Sable"}  # fmt: skip
    for seat, words in plans.items():
        do(table, "act", "plan", *words.split(), seat=seat)
    end_round(table)


def end_round(table: Table) -> None:
    """Nobody denounces, tikis go where they harm nobody, and everybody builds what they can."""
    state, game, number = table.session.state, table.session.game, table.session.state.round
    while state.round == number:
        seat = state.setup.seats[state.first] if state.phase == "denounce" else table.session.actors[0]
        legal = [action for action in game.legal_actions(state, seat) if action.verb not in ("denounce", "done")]
        action = next((one for one in legal if one.args[:1] and one.args[0].startswith("Azzura")), legal[0])
        do(table, "act", action.verb, *action.args, seat=seat)
        state = table.session.state


def lay_plans(phones: dict[str, Phone], table: Table, accused: str, cards: list[str]) -> None:
    """The accused lays these cards by tapping them; the others lay three harmless ones."""
    phones[accused].choose_cards(cards, cards[0])
    phones[accused].lock()
    free = [site for site in table.session.game.places(table.session.state) if site.startswith("Azzura-Lagon")]
    for seat, site in zip(table.session.actors, free, strict=False):
        do(table, "act", "plan", *site.split("-"), "show", "Azzura", seat=seat)
    assert table.session.state.phase == "denounce"


def denounce(phone: Phone, table: Table, accused: str) -> None:
    phone.page.click(".big-red")
    phone.page.click(f'.question [data-answer$="denounce {accused}"]')
    until(lambda: table.session.state.phase == "amends", lambda: table.session.state.phase)


def test_a_phone_that_slept_shows_the_right_view_again(browser: Browser, evening: WebEvening) -> None:
    table = evening.open_table()
    tokens = seat_everybody(evening, table)
    phone = seated_phone(browser, evening.address, table, "pink", tokens["pink"])
    phone.says("We wait for")
    phone.context.set_offline(True)
    place = table.session.game.legal_actions(table.session.state, "violet")[0].args[0]
    do(table, "act", "hut", place, seat="violet")
    phone.context.set_offline(False)
    phone.page.evaluate("window.dispatchEvent(new Event('pageshow'))")
    phone.says("Your turn")
    expect(phone.page.locator(f'[data-place="{place}"] .piece')).to_have_count(1)
    phone.close()


def test_a_chosen_project_outlives_a_reload_and_a_locked_one_a_dead_server(browser: Browser, tmp_path: Path) -> None:
    with WebEvening(store=tmp_path / "tables.db") as evening:
        table = evening.open_table()
        tokens = seat_everybody(evening, table)
        game = table.session.game
        assert game is not None
        while table.session.state.phase == "opening":
            seat = table.session.actors[0]
            do(table, "act", "hut", *game.legal_actions(table.session.state, seat)[0].args, seat=seat)
        free = next(site for site in game.places(table.session.state) if site not in table.session.state.huts)
        phone = seated_phone(browser, evening.address, table, "violet", tokens["violet"])
        phone.choose(free, clue=1)
        phone.page.reload()
        expect(phone.page.locator('[data-laid-cards] [aria-checked="true"]')).to_have_text(free.split("-")[1])

        evening.stop()
        phone.page.click("[data-lock]")
        expect(phone.page.locator("[data-offline]")).to_be_visible()
        evening.start()
        phone.page.wait_for_selector("[data-locked]")
        again = evening.house.table(table.row.id)
        assert again is not None
        assert again.session.state.plans[0].cards == tuple(free.split("-"))
        assert sum(step.action.verb == "plan" for step in again.session.steps) == 1
        expect(phone.page.locator(".peek-cards")).to_be_hidden()
        phone.page.locator("[data-peek]").dispatch_event("pointerdown")
        expect(phone.page.locator(".peek-cards")).to_be_visible()
        phone.close()


def test_a_question_is_answered_on_the_phone_it_is_put_to(browser: Browser, evening: WebEvening) -> None:
    table = evening.open_table(is_virtual=True)
    tokens = seat_everybody(evening, table)
    board = evening.desk.virtual(table.row.id)
    assert board is not None
    evening.running.table(table.row.id).tick()  # helping hands have laid out what the game has there
    places = [action.args[0] for action in table.session.game.legal_actions(table.session.state, "violet")]
    do(table, "act", "hut", places[0], seat="violet")
    board.put("hut", "violet", places[3])  # a slip of the hand
    phone = seated_phone(browser, evening.address, table, "violet", tokens["violet"])
    phone.page.wait_for_selector(".question")
    assert is_fit_to_show(phone)
    asked = table.question
    assert asked is not None
    answer = "yes" if "yes" in asked.answers else "game"
    phone.page.click(f'[data-answer="{answer}"]')
    until(lambda: table.question is None or table.question.id != asked.id)
    phone.close()


def test_an_opened_seal_is_checked_in_the_browser(browser: Browser, evening: WebEvening) -> None:
    table, rng = evening.open_table(), random.Random(1)
    tokens = seat_everybody(evening, table)
    game = table.session.game
    assert game is not None
    while not any(verb.action.verb == "reveal" for verb in table.session.steps):
        seat = table.session.actors[0]
        action = rng.choice(list(game.legal_actions(table.session.state, seat)))
        do(table, "act", action.verb, *action.args, seat=seat)
    phone = seated_phone(browser, evening.address, table, "violet", tokens["violet"])
    seal = phone.page.locator(".seal[data-salt]").first
    seal.click()
    expect(phone.page.locator("[data-toast]")).to_contain_text("Genuine")
    seal.evaluate("button => { button.dataset.text += ' show Paint'; }")
    seal.click()
    expect(phone.page.locator("[data-toast]")).to_contain_text("not what was sealed")
    phone.close()


def test_a_tap_on_a_number_of_the_score_lights_its_sites(browser: Browser, evening: WebEvening) -> None:
    table = evening.open_table()
    tokens = seat_everybody(evening, table)
    place = table.session.game.legal_actions(table.session.state, "violet")[0].args[0]
    do(table, "act", "hut", place, seat="violet")
    phone = seated_phone(browser, evening.address, table, "violet", tokens["violet"])
    phone.page.locator(".points[data-places]").first.click()
    expect(phone.page.locator("[data-why-here] li").first).to_be_visible()
    expect(phone.page.locator(".place.is-lit")).to_have_attribute("data-place", place)
    phone.close()


@pytest.mark.parametrize("page", ["/t/{code}/play", "/screen/{code}"])
def test_what_a_number_lights_outlives_what_others_do(browser: Browser, evening: WebEvening, page: str) -> None:
    table = evening.open_table()
    tokens = seat_everybody(evening, table)
    places = [action.args[0] for action in table.session.game.legal_actions(table.session.state, "violet")]
    do(table, "act", "hut", places[0], seat="violet")
    phone = seated_phone(browser, evening.address, table, "violet", tokens["violet"])
    phone.open(page.format(code=table.row.code))
    number = phone.page.locator('.points[data-points="violet huts"]:visible')
    number.click()
    do(table, "act", "hut", places[-1], seat="pink")  # the panel and the map are drawn anew
    expect(phone.page.locator('.points[data-points="pink huts"]:visible')).to_be_visible()
    expect(phone.page.locator(".place.is-lit")).to_have_attribute("data-place", places[0])
    expect(number).to_have_attribute("aria-pressed", "true")
    expect(phone.page.locator("[data-why-here]:visible li")).to_have_count(1)
    number.click()
    expect(phone.page.locator(".place.is-lit")).to_have_count(0)
    phone.close()
