"""Games that begin from a photograph: what was read and corrected is the table's board, and its score is right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, expect

from companion.games.catalogue import game_named
from companion.house.photo import PhotoJob
from companion.house.photo_score import Board, Seen
from companion.table.entries import Command
from companion.table.table import Table
from tests.web.evening import PIN, NoTracer, WebEvening, do, seat_everybody, until
from tests.web.pages import axe_violations, scrolls_sideways
from tests.web.players import Phone
from web.services import Services

OURS = {"Origin": "http://localhost"}
# Two rounds after the opening of a game of three: blue has painted a hut of green.
UNDER_WAY = {
    "Danae-Lagon-Fleur": "blue", "Danae-Sable-Fleur": "blue", "Evao-Lagon-Fleur": "blue",
    "Evao-Cocotier-Fleur": "green", "Danae-Rocher-Fleur": "yellow", "Evao-Rocher-Fleur": "yellow",
    "Danae-Rocher-Poisson": "yellow",
}  # fmt: skip


class Album:
    """A desk whose photos are read already: the reader itself is tested elsewhere."""

    def __init__(self) -> None:
        self.jobs: dict[str, PhotoJob] = {}

    def start(self, photo: bytes, boards: object, into: str | None = None) -> str | None:
        return into or self.add(f"photo-{len(self.jobs)}", UNDER_WAY)

    def add(self, name: str, huts: Mapping[str, str], doubt: str = "") -> str:
        game = game_named("makabana")
        sites = [p for p in game.places(game.start(game.default_header("2013", 3))) if ":" not in p]
        seen = {site: Seen("hut", huts.get(site), None, 0.99, site == doubt, {}) for site in sites}
        clubs = {"club:Danae": Seen("club", "blue", None, 0.99, False, {})}
        self.jobs[name] = PhotoJob()
        self.jobs[name].add(Board("nadaa", seen | clubs))
        return name

    def job(self, name: str) -> PhotoJob | None:
        return self.jobs.get(name)


ALBUM = Album()


@pytest.fixture(scope="module")
def evening() -> Iterator[WebEvening]:
    with WebEvening(services=Services(ALBUM, NoTracer(), {"nadaa": b"a picture"})) as evening:
        yield evening


@pytest.fixture
def staff(evening: WebEvening) -> FlaskClient:
    client = evening.app.test_client()
    client.post("/staff/door", data={"pin": PIN}, headers=OURS)
    return client


def begin(staff: FlaskClient, table: Table, job: str, **form: str) -> int:
    return staff.post(f"/staff/t/{table.row.id}/photo/{job}/begin", data=form, headers=OURS).status_code


def test_a_game_goes_on_from_the_board_of_a_photo(evening: WebEvening, staff: FlaskClient) -> None:
    table = evening.open_table(people=3)
    assert begin(staff, table, ALBUM.add("on", UNDER_WAY), first="yellow") == 303
    state = table.session.state
    assert (state.phase, state.huts, state.clubs) == ("plan", UNDER_WAY, {"Danae": "blue"})
    assert table.session.header["players"][0] == "yellow"
    assert state.round == 3  # blue's club and third hut took two rounds
    assert dict(zip(state.setup.colours, state.reserves, strict=True)) == {"yellow": 7, "blue": 7, "green": 9}
    assert set(table.session.actors) == {"yellow", "blue", "green"}
    do(table, "act", "plan", "Evao", "Lagon", "Poisson", "show", "Evao", seat="green")


def test_a_game_that_is_over_is_counted_at_once(evening: WebEvening, staff: FlaskClient) -> None:
    table = evening.open_table(people=3)
    assert begin(staff, table, ALBUM.add("over", UNDER_WAY), over="1") == 303
    assert table.session.is_settled
    position = {"game": "makabana", "rules": "2013", "boards": ["nadaa"], "players": ["yellow", "blue", "green"],
                "huts": UNDER_WAY, "clubs": {"Danae": "blue"}}  # fmt: skip
    game = game_named("makabana")
    assert game.score(table.session.state).points == game.score_position(position).points
    games = staff.get("/staff/games.json").get_json()["games"]
    assert any(game["table"] == "Window" and game["totals"]["blue"] for game in games)


def test_a_board_that_ends_the_game_begins_with_the_final_round(evening: WebEvening, staff: FlaskClient) -> None:
    full = dict(zip(_sites("Danae"), ["blue", "green", "yellow"] * 4, strict=True))
    others = {"Evao-Lagon-Fleur": "blue", "Evao-Cocotier-Fleur": "green", "Evao-Rocher-Fleur": "yellow"}
    table = evening.open_table(people=3)
    assert begin(staff, table, ALBUM.add("full", full | others)) == 303
    assert table.session.state.final.code == "final_round"


def _sites(beach: str) -> list[str]:
    game = game_named("makabana")
    places = game.places(game.start(game.default_header("2013", 3)))
    return [place for place in places if place.startswith(f"{beach}-")]


def test_places_in_doubt_are_settled_first(evening: WebEvening, staff: FlaskClient) -> None:
    table = evening.open_table(people=3)
    job = ALBUM.add("doubt", UNDER_WAY, doubt="Evao-Lagon-Fleur")
    before = table.session.number
    assert begin(staff, table, job) == 409
    assert table.session.number == before
    ALBUM.jobs[job].do(Command("k", "put", ("Evao-Lagon-Fleur", "hut:green")))
    assert begin(staff, table, job) == 303
    assert table.session.state.huts["Evao-Lagon-Fleur"] == "green"


def test_a_game_under_way_is_not_lost_by_accident(evening: WebEvening, staff: FlaskClient) -> None:
    table = evening.open_table(people=3)
    seat_everybody(evening, table)
    seat = table.session.actors[0]
    do(table, "act", "hut", *table.session.game.legal_actions(table.session.state, seat)[0].args, seat=seat)
    job = ALBUM.add("anyway", UNDER_WAY)
    assert begin(staff, table, job) == 409
    assert len(table.session.steps) == 1
    assert begin(staff, table, job, anyway="1") == 303
    assert table.session.state.huts == UNDER_WAY


def test_a_board_that_can_not_be_is_refused_with_a_sentence_and_changes_nothing(
    evening: WebEvening, staff: FlaskClient
) -> None:
    table = evening.open_table(people=3)
    before = table.session.number
    crowd = dict.fromkeys([*_sites("Danae"), *_sites("Evao")][:11], "blue")
    job = ALBUM.add("crowded", crowd | {"Evao-Rocher-Poisson": "green", "Evao-Rocher-Fleur": "yellow"})
    answer = staff.post(f"/staff/t/{table.row.id}/photo/{job}/begin", headers=OURS)
    assert answer.status_code == 409
    assert "owns only 10" in answer.get_data(as_text=True)
    assert table.session.number == before


def test_nobody_begins_a_game_without_the_pin(evening: WebEvening) -> None:
    table, stranger = evening.open_table(people=3), evening.app.test_client()
    job = ALBUM.add("stranger", UNDER_WAY)
    assert stranger.post(f"/staff/t/{table.row.id}/photo/{job}/begin", headers=OURS).status_code == 403
    assert stranger.get(f"/staff/t/{table.row.id}/photo/{job}").status_code == 302


def test_from_the_staffs_page_to_a_table_that_plays_on(browser: Browser, evening: WebEvening) -> None:
    table = evening.open_table(people=3, is_virtual=True)
    phone = Phone(browser, evening.address, "", look="fr.light.normal")
    phone.open("/staff/door")
    phone.page.fill("#pin", PIN)
    phone.page.click('form[action$="/door"] button')
    phone.open(f"/staff/t/{table.row.id}")
    phone.page.click('a[href$="/photo"]')
    assert axe_violations(phone.page) == []
    phone.page.click('form[action$="/sample/nadaa"] button')
    form = phone.page.locator("#begin-form")
    form.locator('select[name="first"]').select_option("green")
    phone.page.wait_for_selector("svg.island[data-attached]")
    phone.page.locator('[data-place="Evao-Lagon-Poisson"]').press("Enter")  # a hut that the reader has missed
    phone.page.click('#picker [data-content="hut:green"]')
    expect(phone.page.locator('.place[data-place="Evao-Lagon-Poisson"] .piece-hut')).to_have_count(1)
    expect(form.locator('select[name="first"]')).to_have_value("green")  # what was chosen outlives the new panel
    assert axe_violations(phone.page) == []
    assert not scrolls_sideways(phone.page)
    form.locator("button").click()
    phone.page.wait_for_selector(".staff-seats")
    assert table.session.state.huts == UNDER_WAY | {"Evao-Lagon-Poisson": "green"}
    until(lambda: table.belief.sees_board(evening.clock.now()))
    assert table.question is None  # the virtual board lies as the photo says
    assert phone.complaints == []
    phone.close()
