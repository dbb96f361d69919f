"""What no phone may do: read or act for another seat, guess codes and PINs, or be steered by another site."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.table.table import Table
from tests.web.evening import PIN, WebEvening, do, seat_everybody
from web.config import Config
from web.tables import SEAT_COOKIE

OURS = {"Origin": "http://localhost"}
SCRIPT = {**OURS, "X-Makabana": "1", "Content-Type": "application/json"}


@pytest.fixture(scope="module")
def evening() -> Iterator[WebEvening]:
    with WebEvening() as evening:
        yield evening


@pytest.fixture
def table(evening: WebEvening) -> Table:
    return evening.open_table()


def phone_of(evening: WebEvening, table: Table, token: str = "") -> FlaskClient:
    client = evening.app.test_client()
    if token:
        client.set_cookie(SEAT_COOKIE + table.row.id, token)
    return client


def send(client: FlaskClient, table: Table, headers: dict[str, str] = SCRIPT, **command: Any) -> TestResponse:
    body = {"key": "k1", "args": [], **command}
    return client.post(f"/t/{table.row.code}/do", data=json.dumps(body), headers=headers)


def laid(evening: WebEvening, table: Table) -> dict[str, str]:
    """A game in which violet has locked a project, and everybody's tokens."""
    tokens = seat_everybody(evening, table)
    game = table.session.game
    assert game is not None
    while table.session.state.phase == "opening":
        seat = table.session.actors[0]
        do(table, "act", "hut", *game.legal_actions(table.session.state, seat)[0].args, seat=seat)
    free = next(site for site in game.places(table.session.state) if site not in table.session.state.huts)
    do(table, "act", "plan", *free.split("-"), "show", free.split("-")[0], seat="violet")
    return tokens


def test_a_seats_cookie_is_kept_from_scripts_and_other_sites(evening: WebEvening, table: Table) -> None:
    client = phone_of(evening, table)
    answer = client.post(f"/t/{table.row.code}/sit", data={"seat": "violet", "name": "Ann"}, headers=OURS)
    cookie = answer.headers["Set-Cookie"]
    assert answer.status_code == 303
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


def test_nobody_sits_down_on_a_taken_seat(evening: WebEvening, table: Table) -> None:
    for name in ("Ann", "Ben"):
        client = phone_of(evening, table)
        answer = client.post(f"/t/{table.row.code}/sit", data={"seat": "violet", "name": name}, headers=OURS)
    assert answer.status_code == 409
    assert table.session.seats["violet"].name == "Ann"
    assert "Set-Cookie" not in answer.headers


def test_no_phone_is_shown_anothers_project(evening: WebEvening, table: Table) -> None:
    tokens = laid(evening, table)
    plan = table.session.steps[-1].action.args
    own = phone_of(evening, table, tokens["violet"]).get(f"/t/{table.row.code}/snapshot").get_json()
    assert all(card in own["regions"]["secret"] for card in plan if card != "show")
    for seat in ("pink", "yellow", "blue"):
        seen = phone_of(evening, table, tokens[seat]).get(f"/t/{table.row.code}/snapshot").get_json()
        assert "data-locked" not in seen["regions"]["secret"]
        assert seen["seals"]["violet"]["text"] is None
    public = phone_of(evening, table).get(f"/screen/{table.row.code}/snapshot").get_data(as_text=True)
    assert "card-chip" not in public


@pytest.mark.parametrize("path", ["stream", "snapshot"])
def test_without_a_seat_nothing_of_a_seat_is_sent(evening: WebEvening, table: Table, path: str) -> None:
    seat_everybody(evening, table)
    assert phone_of(evening, table).get(f"/t/{table.row.code}/{path}").status_code == 403
    assert phone_of(evening, table, "x" * 43).get(f"/t/{table.row.code}/{path}").status_code == 403


def test_a_token_of_one_table_opens_no_other(evening: WebEvening, table: Table) -> None:
    tokens = seat_everybody(evening, table)
    other = evening.open_table()
    seat_everybody(evening, other)
    assert phone_of(evening, other, tokens["violet"]).get(f"/t/{other.row.code}/snapshot").status_code == 403


def test_a_phone_acts_for_its_own_seat_alone(evening: WebEvening, table: Table) -> None:
    tokens = seat_everybody(evening, table)
    place = table.session.game.legal_actions(table.session.state, "violet")[0].args[0]
    pink = phone_of(evening, table, tokens["pink"])
    answer = send(pink, table, do="act", args=["hut", place], seat="violet")
    assert answer.status_code == 409
    assert answer.get_json()["refusal"]["code"] == "not_your_turn"
    assert not table.session.steps


@pytest.mark.parametrize("house", ["pause", "start", "new_game", "seat_bot", "sit", "resume"])
def test_no_phone_gives_the_houses_commands(evening: WebEvening, table: Table, house: str) -> None:
    tokens = seat_everybody(evening, table)
    answer = send(phone_of(evening, table, tokens["violet"]), table, do=house, args=["x"])
    assert answer.status_code == 400
    assert not table.session.is_paused


def test_the_same_key_counts_once_and_only_for_its_seat(evening: WebEvening, table: Table) -> None:
    tokens = seat_everybody(evening, table)
    for seat in ("violet", "violet", "pink"):
        assert send(phone_of(evening, table, tokens[seat]), table, do="wrong", args=["?"]).status_code == 200
    number = table.session.number
    send(phone_of(evening, table, tokens["pink"]), table, do="wrong", args=["?"])
    assert table.session.number == number


@pytest.mark.parametrize(
    "headers",
    [
        {**SCRIPT, "Origin": "http://evil.example"},
        {**SCRIPT, "Sec-Fetch-Site": "cross-site"},
        {**OURS, "Content-Type": "application/json"},  # without our header a form could have sent it
    ],
)
def test_another_site_can_not_act(evening: WebEvening, table: Table, headers: dict[str, str]) -> None:
    tokens = seat_everybody(evening, table)
    violet = phone_of(evening, table, tokens["violet"])
    answer = send(violet, table, headers, do="wrong", args=["?"])
    assert answer.status_code == 403
    assert answer.get_json()["error"]["text"]


def test_forms_of_another_site_are_refused(evening: WebEvening, table: Table) -> None:
    tokens = seat_everybody(evening, table)
    violet = phone_of(evening, table, tokens["violet"])
    for path in (f"/t/{table.row.code}/leave", f"/t/{table.row.code}/phone", "/new", "/demo", "/staff/door"):
        assert violet.post(path, headers={"Origin": "http://evil.example"}).status_code == 403
    assert table.session.seats["violet"].kind == "person"


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"><img src=x>', "\u202eabc", "{{ 7*7 }}", "a\nb"])
def test_names_are_harmless_on_every_page(evening: WebEvening, table: Table, name: str) -> None:
    client = phone_of(evening, table)
    client.post(f"/t/{table.row.code}/sit", data={"seat": "violet", "name": name}, headers=OURS)
    client.post("/staff/door", data={"pin": PIN}, headers=OURS)
    paths = (f"/t/{table.row.code}/play", f"/screen/{table.row.code}", f"/staff/t/{table.row.id}", "/staff")
    for path in paths:
        text = client.get(path).get_data(as_text=True)
        assert "<script>alert" not in text
        assert "<img src=x" not in text
        assert "\u202e" not in text


def test_a_seats_link_moves_to_another_phone_and_a_guess_does_not(evening: WebEvening, table: Table) -> None:
    tokens = seat_everybody(evening, table)
    shown = phone_of(evening, table, tokens["violet"]).post(f"/t/{table.row.code}/phone", headers=OURS)
    link = shown.get_data(as_text=True).split("/moved#")[1][:43]
    other = phone_of(evening, table)
    assert other.post(f"/t/{table.row.code}/moved", data={"token": "x" * 43}, headers=OURS).status_code == 403
    assert other.post(f"/t/{table.row.code}/moved", data={"token": link}, headers=OURS).status_code == 303
    assert other.get(f"/t/{table.row.code}/snapshot").get_json()["seat"] == "violet"


def test_whoever_left_can_neither_look_nor_act(evening: WebEvening, table: Table) -> None:
    tokens = seat_everybody(evening, table)
    violet = phone_of(evening, table, tokens["violet"])
    assert violet.post(f"/t/{table.row.code}/leave", headers=OURS).status_code == 303
    again = phone_of(evening, table, tokens["violet"])
    assert again.get(f"/t/{table.row.code}/snapshot").status_code == 403
    assert send(again, table, do="act", args=["hut", "x"]).status_code == 403


@pytest.mark.parametrize("words", [None, [], "plan", [1], ["x" * 65], ["x"] * 25])
def test_a_rehearsal_of_nonsense_is_refused(evening: WebEvening, table: Table, words: Any) -> None:
    tokens = seat_everybody(evening, table)
    violet = phone_of(evening, table, tokens["violet"])
    answer = violet.post(f"/t/{table.row.code}/try", data=json.dumps({"words": words}), headers=SCRIPT)
    assert answer.status_code == 400


def test_a_project_that_can_not_succeed_is_warned_of_in_the_rules_words(evening: WebEvening, table: Table) -> None:
    tokens = laid(evening, table)
    site, owner = next(iter(table.session.state.huts.items()))
    pink = phone_of(evening, table, tokens["pink"])
    words = {"words": ["plan", *site.split("-"), "show", site.split("-")[0]]}
    answer = pink.post(f"/t/{table.row.code}/try", data=json.dumps(words), headers=SCRIPT)
    assert site.replace("-", " ") in answer.get_json()["warnings"][0]
    assert table.session.state.plans[1] is None, owner


# --- The staff's door ---


PATHS = ["/staff", "/staff/t/{id}", "/staff/numbers", "/staff/games.csv", "/staff/games.json", "/staff/guide/camera"]


@pytest.mark.parametrize("path", PATHS)
def test_the_staffs_pages_need_the_pin(evening: WebEvening, table: Table, path: str) -> None:
    client = evening.app.test_client()
    address = path.format(id=table.row.id)
    assert client.get(address).status_code == 302
    client.post("/staff/door", data={"pin": PIN}, headers=OURS)
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("what", ["do", "game", "restart"])
def test_the_staffs_buttons_need_the_pin(evening: WebEvening, table: Table, what: str) -> None:
    seat_everybody(evening, table)
    client = evening.app.test_client()
    answer = client.post(f"/staff/t/{table.row.id}/{what}", data={"do": "pause"}, headers=OURS)
    assert answer.status_code == 403
    assert not table.session.is_paused


def test_guessing_the_pin_is_slowed() -> None:
    with WebEvening(config=Config()) as evening:
        client = evening.app.test_client()
        codes = [client.post("/staff/door", data={"pin": str(n)}, headers=OURS).status_code for n in range(8)]
        assert codes[:5] == [403] * 5
        assert set(codes[5:]) == {429}
        assert client.post("/staff/door", data={"pin": PIN}, headers=OURS).status_code == 429


def test_guessing_codes_by_address_is_slowed() -> None:
    with WebEvening(config=Config()) as evening:
        client = evening.app.test_client()
        codes = [client.get(f"/t/{code}").status_code for code in ("BBBB", "CCCC", "DDDD", "FFFF") * 5]
        assert codes[0] == 404
        assert codes[-1] == 429


def test_the_staffs_cookie_goes_nowhere_else_and_dies_at_the_door(evening: WebEvening) -> None:
    client = evening.app.test_client()
    cookie = client.post("/staff/door", data={"pin": PIN}, headers=OURS).headers["Set-Cookie"]
    assert all(word in cookie for word in ("HttpOnly", "SameSite=Strict", "Path=/staff"))
    client.post("/staff/out", headers=OURS)
    client.set_cookie("makabana_staff", cookie.split("=")[1].split(";")[0], path="/staff")
    assert client.get("/staff").status_code == 302


def test_one_phone_may_speak_for_two_seats_and_for_no_third(evening: WebEvening) -> None:
    table = evening.open_table("2003", 2)
    yellow, blue, green, _red = table.session.seats
    client = phone_of(evening, table)
    for seat in (yellow, green):
        answer = client.post(f"/t/{table.row.code}/sit", data={"seat": seat, "name": "Ann"}, headers=OURS)
        assert answer.status_code == 303
    for seat in (yellow, green):
        assert client.get(f"/t/{table.row.code}/snapshot?as={seat}").get_json()["seat"] == seat
    assert client.get(f"/t/{table.row.code}/snapshot?as={blue}").status_code == 403
    assert client.get(f"/t/{table.row.code}/play").get_data(as_text=True).count("data-own") == 2
