"""Streams of the real server: they hold no thread, begin whole after a gap, and end when the house closes."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from companion.table.table import Table
from tests.web.evening import WebEvening, do, seat_everybody, until
from tests.web.house import CONFIG
from web.serve import ANSWERERS

PATIENCE_S = 120
MOST = ANSWERERS + 12


@pytest.fixture(scope="module")
def evening() -> Iterator[WebEvening]:
    with WebEvening(config=CONFIG._replace(most_streams_per_address=1000), most_streams=MOST) as found:
        yield found


@pytest.fixture(scope="module")
def table(evening: WebEvening) -> Table:
    return evening.open_table()


@pytest.fixture(scope="module")
def cookies(evening: WebEvening, table: Table) -> dict[str, str]:
    """What each seat's phone keeps."""
    tokens = seat_everybody(evening, table)
    return {seat: f"makabana_seat_{table.row.id}={token}" for seat, token in tokens.items()}


def port_of(evening: WebEvening) -> int:
    return int(evening.address.rpartition(":")[2])


def open_stream(evening: WebEvening, path: str, cookie: str = "", version: str = "1.1") -> socket.socket:
    sock = socket.create_connection(("127.0.0.1", port_of(evening)), PATIENCE_S)
    sock.sendall(f"GET {path} HTTP/{version}\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n".encode())
    return sock


def head_of(sock: socket.socket) -> bytes:
    """The beginning of an answer, up to the end of its first snapshot if it is a stream."""
    got = b""
    while b"\r\n\r\n" not in got or (b" 200 " in got and b"\ndata: " not in got):
        more = sock.recv(65_536)
        if not more:
            break
        got += more
    return got


def first_snapshot(evening: WebEvening, path: str, cookie: str) -> dict:
    """What a phone that comes just now is shown, read as browsers do."""
    with closing(http.client.HTTPConnection("127.0.0.1", port_of(evening), PATIENCE_S)) as connection:
        connection.request("GET", path, headers={"Cookie": cookie})
        answer = connection.getresponse()
        assert answer.status == 200
        return next_snapshot(answer)


def next_snapshot(answer: http.client.HTTPResponse) -> dict:
    while not (line := answer.readline()).startswith(b"data: {") or len(line) < 20:
        assert line
    return json.loads(line[6:])


def is_answered(evening: WebEvening) -> bool:
    with closing(http.client.HTTPConnection("127.0.0.1", port_of(evening), PATIENCE_S)) as connection:
        connection.request("GET", "/api/health")
        return connection.getresponse().status == 200


def test_more_streams_than_threads_leave_the_pages_answered(evening: WebEvening, table: Table) -> None:
    with ExitStack() as phones:
        for _ in range(MOST):
            sock = phones.enter_context(open_stream(evening, f"/screen/{table.row.code}/stream"))
            assert b" 200 OK" in head_of(sock)
        assert is_answered(evening)
        refused = phones.enter_context(open_stream(evening, f"/screen/{table.row.code}/stream"))
        assert b" 429 " in head_of(refused).partition(b"\r\n")[0]
    until(lambda: table.listeners == [evening.running.table(table.row.id)._changed])


def test_connections_that_say_nothing_leave_the_pages_answered(evening: WebEvening) -> None:
    with ExitStack() as silent:
        for _ in range(ANSWERERS + 5):
            silent.enter_context(socket.create_connection(("127.0.0.1", port_of(evening)), PATIENCE_S))
        assert is_answered(evening)


def test_after_a_gap_a_phone_is_shown_everything(evening: WebEvening, table: Table, cookies: dict[str, str]) -> None:
    seat, path = next(iter(cookies)), f"/t/{table.row.code}/stream"
    with closing(http.client.HTTPConnection("127.0.0.1", port_of(evening), PATIENCE_S)) as connection:
        connection.request("GET", path, headers={"Cookie": cookies[seat]})
        answer = connection.getresponse()
        whole = next_snapshot(answer)
        do(table, "pause")
        part = next_snapshot(answer)
        assert part["version"] > whole["version"]
        assert part["regions"].keys() < whole["regions"].keys()
    do(table, "resume")
    again = first_snapshot(evening, path, cookies[seat])
    assert again["version"] == table.version
    assert again["regions"].keys() == whole["regions"].keys()


def test_each_seats_stream_shows_its_own_view(evening: WebEvening, table: Table, cookies: dict[str, str]) -> None:
    for seat, cookie in cookies.items():
        assert first_snapshot(evening, f"/t/{table.row.code}/stream", cookie)["seat"] == seat


def test_an_old_client_gets_the_stream_unpacked(evening: WebEvening, table: Table) -> None:
    with open_stream(evening, f"/screen/{table.row.code}/stream", version="1.0") as sock:
        head, _, body = head_of(sock).partition(b"\r\n\r\n")
    assert b"chunked" not in head
    assert body.startswith(b"retry: 1000\nevent: snapshot\n")


def test_asking_for_a_streams_head_alone_ends(evening: WebEvening, table: Table) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", port_of(evening), PATIENCE_S)) as connection:
        connection.request("HEAD", f"/screen/{table.row.code}/stream")
        answer = connection.getresponse()
        assert (answer.status, answer.getheader("Content-Type")) == (200, "text/event-stream; charset=utf-8")
        assert answer.read() == b""


def test_a_house_that_closes_ends_its_streams_in_good_form() -> None:
    with WebEvening() as evening:
        table = evening.open_table()
        connection = http.client.HTTPConnection("127.0.0.1", port_of(evening), PATIENCE_S)
        connection.request("GET", f"/screen/{table.row.code}/stream")
        answer = connection.getresponse()
        next_snapshot(answer)
    with closing(connection):
        assert answer.read() == b"\n"  # the blank line after the snapshot, and the proper end
