"""What the house does for a table, and what it can read afterwards."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from companion.table.table import Table
from tests.web.evening import PIN, WebEvening, do, seat_everybody
from web.plots import bars, lines

OURS = {"Origin": "http://localhost"}


@pytest.fixture(scope="module")
def evening() -> Iterator[WebEvening]:
    with WebEvening() as evening:
        yield evening


@pytest.fixture
def staff(evening: WebEvening) -> FlaskClient:
    client = evening.app.test_client()
    client.post("/staff/door", data={"pin": PIN}, headers=OURS)
    return client


def ask(staff: FlaskClient, table: Table, **form: object) -> int:
    return staff.post(f"/staff/t/{table.row.id}/do", data=form, headers=OURS).status_code


def play_out(table: Table, seed: int = 1) -> None:
    rng, game = random.Random(seed), table.session.game
    assert game is not None
    while table.session.actors:
        seat = rng.choice(table.session.actors)
        action = rng.choice(list(game.legal_actions(table.session.state, seat)))
        do(table, "act", action.verb, *action.args, seat=seat)


def test_a_game_is_paused_and_goes_on(evening: WebEvening, staff: FlaskClient) -> None:
    table = evening.open_table()
    seat_everybody(evening, table)
    assert ask(staff, table, do="pause") == 303
    assert table.session.is_paused
    assert ask(staff, table, do="resume") == 303
    assert not table.session.is_paused


def test_a_refused_wish_is_explained(evening: WebEvening, staff: FlaskClient) -> None:
    table = evening.open_table()
    answer = staff.post(f"/staff/t/{table.row.id}/do", data={"do": "resume"}, headers=OURS)
    assert answer.status_code == 409
    assert 'role="alert"' in answer.get_data(as_text=True)


def test_a_seat_is_freed_and_given_to_an_islander(evening: WebEvening, staff: FlaskClient) -> None:
    table = evening.open_table()
    seat_everybody(evening, table)
    assert ask(staff, table, do="leave", seat="pink") == 303
    assert table.session.seats["pink"].kind == "empty"
    assert ask(staff, table, do="seat_bot", seat="blue", arg="Moana") == 303
    assert (table.session.seats["blue"].kind, table.session.seats["blue"].name) == ("bot", "Moana")


def test_the_house_answers_for_a_seat(evening: WebEvening, staff: FlaskClient) -> None:
    table = evening.open_table()
    seat_everybody(evening, table)
    play_out(table)
    assert table.question is not None
    assert ask(staff, table, do="answer", arg=[table.question.id, "yes"]) == 303
    assert table.session.is_settled


def test_only_known_wishes_are_taken(evening: WebEvening, staff: FlaskClient) -> None:
    table = evening.open_table()
    for form in ({"do": "sit"}, {"do": "act"}, {"do": "pause", "arg": "x"}, {"do": ""}):
        assert ask(staff, table, **form) == 400


def test_a_new_game_needs_a_yes_while_one_is_under_way(evening: WebEvening, staff: FlaskClient) -> None:
    table = evening.open_table()
    seat_everybody(evening, table)
    do(table, "act", "hut", *table.session.game.legal_actions(table.session.state, "violet")[0].args, seat="violet")
    address, form = f"/staff/t/{table.row.id}/game", {"game": "makabana/2013", "people": "3"}
    assert staff.post(address, data=form, headers=OURS).status_code == 409
    assert staff.post(address, data={**form, "anyway": "1"}, headers=OURS).status_code == 303
    assert len(table.session.seats) == 3


def test_a_part_is_restarted_by_its_name(evening: WebEvening, staff: FlaskClient) -> None:
    table = evening.open_table(is_virtual=True)
    address = f"/staff/t/{table.row.id}/restart"
    assert staff.post(address, data={"part": "camera"}, headers=OURS).status_code == 303
    assert staff.post(address, data={"part": "toaster"}, headers=OURS).status_code == 404


def test_finished_games_are_exported_without_secrets_or_formulas(staff: FlaskClient, evening: WebEvening) -> None:
    table = evening.open_table(name="=1+1")
    seat_everybody(evening, table)
    play_out(table, 2)
    data = json.loads(staff.get("/staff/games.json").data)["games"]
    game = next(game for game in data if game["table"] == "=1+1")
    assert game["totals"] == {p: s["total"] for p, s in table.session.game.score(table.session.state).points.items()}
    assert all(len(action.split()) == 2 for action in game["actions"] if " plan" in action)
    rows = list(csv.DictReader(io.StringIO(staff.get("/staff/games.csv").get_data(as_text=True))))
    assert any(row["table"] == "'=1+1" and row["game"] == "makabana" for row in rows)


def test_a_second_game_at_a_table_does_not_lose_the_first(staff: FlaskClient, evening: WebEvening) -> None:
    table = evening.open_table(name="Twice")
    seat_everybody(evening, table)
    play_out(table, 3)
    staff.post(f"/staff/t/{table.row.id}/game", data={"game": "makabana/2013", "people": "4"}, headers=OURS)
    do(table, "start")
    play_out(table, 4)
    games = json.loads(staff.get("/staff/games.json").data)["games"]
    assert sum(game["table"] == "Twice" for game in games) == 2


def test_plots_hold_their_numbers_and_no_markup_of_others() -> None:
    drawn = str(bars([("<b>", 3.0), ("x", 1.0)], "A & B"))
    assert "&lt;b&gt;" in drawn
    assert ">3<" in drawn
    assert "A &amp; B" in drawn
    scores = str(lines({"blue": [(1, 2), (2, 5)], "pink": [(1, 2), (2, 5)]}, "Score"))
    heights = [part.split('"')[0] for part in scores.split('class="value" x="')[1:]]
    assert scores.count(">5<") == 2
    assert len(heights) == 2
