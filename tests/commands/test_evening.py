"""`makabana play`: the house opens for real, on a port of this machine, and says kindly why when it can't."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.commands.evening import banner, network
from companion.commands.evening.banner import qr_code, show_banner
from companion.commands.evening.network import own_address
from companion.commands.evening.place import Place, open_place
from companion.commands.evening.texts import _texts
from companion.devices.clock import SystemClock
from companion.games.catalogue import game_named
from companion.house.equipment import Virtual
from companion.table.entries import Command
from companion.table.house import House
from companion.table.store import open_store

PLAY = [sys.executable, "-m", "companion.cli", "play", "--no-browser", "--host", "127.0.0.1"]
PATIENCE_S = 90


@contextmanager
def house(folder: Path, *args: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running house and what it has printed until it was ready."""
    command = [*PLAY, "--data", str(folder), "--lang", "en", *args]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        assert process.stdout is not None
        printed = ""
        for line in process.stdout:
            printed += line
            if "Ctrl-C" in line:
                break
        yield process, printed
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE_S)


def port_of(printed: str) -> int:
    found = re.search(r"http://127\.0\.0\.1:(\d+)", printed)
    assert found, printed
    return int(found[1])


def status(port: int, path: str, form: str | None = None) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    if form is None:
        connection.request("GET", path)
    else:  # as a browser sends it that shows our page
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://127.0.0.1:{port}"}
        connection.request("POST", path, form, kind)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def refused(folder: Path, *args: str) -> str:
    """What a house that can't open says; it must be one sentence and exit code 2."""
    command = [*PLAY, "--data", str(folder), "--lang", "en", *args]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_the_house_opens_tells_its_address_and_closes_on_ctrl_c(tmp_path: Path) -> None:
    with house(tmp_path, "--port", str(free_port())) as (process, printed):
        port = port_of(printed)
        assert [status(port, path) for path in ("/", "/demo", "/photo")] == [200, 200, 200]
        pin = (tmp_path / "staff.pin").read_text().strip()
        assert pin in printed
        assert (tmp_path / "staff.pin").stat().st_mode & 0o077 == 0
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=PATIENCE_S)
        assert "goes on next time" in rest
        assert process.returncode == 0


def test_ctrl_c_in_a_terminal_reaches_every_process_and_still_ends_quietly(tmp_path: Path) -> None:
    with house(tmp_path, "--port", str(free_port())) as (process, printed):
        assert status(port_of(printed), "/demo", "camera=rendered") == 303
        for _ in range(2):  # and somebody is impatient
            os.killpg(process.pid, signal.SIGINT)
        rest, _ = process.communicate(timeout=PATIENCE_S)
        assert rest.splitlines() == ["The house is closed. Every game is kept and goes on next time."]
        assert process.returncode == 0


def test_a_game_left_open_is_offered_again_and_the_pin_is_not_shown_twice(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "tables.db"))
    table = House(store, SystemClock()).open_table("Sunday")
    header = json.dumps(game_named("makabana").default_header("2013", 3))
    assert table.do(Command("a", "new_game", (header,))).accepted
    assert table.do(Command("b", "start")).accepted
    store.close()
    (tmp_path / "staff.pin").write_text("314159\n")
    with house(tmp_path, "--port", str(free_port())) as (_, printed):
        assert f"Sunday, http://127.0.0.1:{port_of(printed)}/t/{table.row.code}" in printed
        assert "314159" not in printed


def left_open(place: Place, name: str, virtual: bool) -> str:
    table = place.house.open_table(name)
    header = json.dumps(game_named("makabana").default_header("2013", 3))
    assert table.do(Command(f"{name}-a", "new_game", (header,))).accepted
    assert table.do(Command(f"{name}-b", "start")).accepted
    if virtual:
        place.running.table(table.row.id).equip(Virtual(is_direct=True, has_readers=False))
    return table.row.code


def test_the_newest_games_are_offered_with_their_virtual_boards_and_the_rest_counted(tmp_path: Path, capsys) -> None:
    with open_place(tmp_path, None) as place:
        codes = [left_open(place, f"night{number}", virtual=number == 6) for number in range(7)]
        place.running.close()
    with open_place(tmp_path, None) as place:
        show_banner(place, "http://192.0.2.7:8080", "en")
    printed = capsys.readouterr().out
    assert (
        f"night6, http://192.0.2.7:8080/t/{codes[6]}; its board is http://192.0.2.7:8080/virtual/{codes[6]}" in printed
    )
    assert f"night5, http://192.0.2.7:8080/t/{codes[5]}\n" in printed
    assert printed.index("night6") < printed.index("night2")
    assert "night1" not in printed
    assert "Older games that wait as well: 2." in printed


@pytest.mark.parametrize(
    ("address", "own", "said"),
    [
        ("http://192.0.2.7:8080", "192.0.2.7", "On any phone"),
        ("http://127.0.0.1:8080", "127.0.0.1", "in no network"),
        ("http://127.0.0.1:8080", "192.0.2.7", "On this computer alone"),
    ],
)
def test_an_address_that_no_phone_can_reach_is_not_offered_to_phones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys, address: str, own: str, said: str
) -> None:
    monkeypatch.setattr(network, "own_address", lambda host: own)
    monkeypatch.setattr(banner, "has_colours", lambda stream: True)
    with open_place(tmp_path, None) as place:
        show_banner(place, address, "en")
    printed = capsys.readouterr().out
    assert said in printed
    assert ("█" in printed) == ("phone" in said)


def test_a_service_managers_log_never_holds_the_pin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setenv("JOURNAL_STREAM", "8:12345")
    with open_place(tmp_path, None) as place:
        show_banner(place, "http://127.0.0.1:8080", "en")
        assert place.is_first
        assert place.pin not in capsys.readouterr().out
        monkeypatch.delenv("JOURNAL_STREAM")
        show_banner(place, "http://127.0.0.1:8080", "en")
        assert place.pin in capsys.readouterr().out


def test_a_taken_port_is_named_with_another_to_try(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        said = refused(tmp_path, "--port", str(port))
    assert f"port {port}" in said
    assert f"--port {port + 1}" in said


@pytest.mark.parametrize("port", ["0", "70000", "-1"])
def test_a_port_that_is_none_is_named(tmp_path: Path, port: str) -> None:
    assert "1 to 65535" in refused(tmp_path, "--port", port)


def test_an_address_of_another_machine_is_named(tmp_path: Path) -> None:
    assert "203.0.113.7" in refused(tmp_path, "--port", str(free_port()), "--host", "203.0.113.7")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "There is no table file"),
        ("not TOML", "not valid TOML"),
        ('table = "salon"\nboards = ["atlantis"]\n', "atlantis"),
    ],
)
def test_what_is_wrong_with_a_table_file_is_said(tmp_path: Path, content: str | None, said: str) -> None:
    path = tmp_path / "table.toml"
    if content is not None:
        path.write_text(content)
    assert said in refused(tmp_path / "data", "--table", str(path))


def test_a_tag_register_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text('table = "salon"\nboards = ["noka"]\ntags = "tags.json"\n')
    (tmp_path / "tags.json").mkdir()
    assert "tags.json" in refused(tmp_path / "data", "--table", str(tmp_path / "table.toml"))


def test_a_real_table_is_named_with_its_seats_and_its_screen(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text('table = "salon"\nboards = ["noka"]\ntags = "tags.json"\n')
    with house(tmp_path / "data", "--port", str(free_port()), "--table", str(tmp_path / "table.toml")) as (_, printed):
        found = re.search(r"The table salon: take a seat at \S+(/t/\w+), its screen is \S+(/screen/\w+)", printed)
        assert found, printed
        assert [status(port_of(printed), path) for path in found.groups()] == [200, 200]


def test_a_game_for_another_number_of_people_is_refused_and_nothing_is_left_open(tmp_path: Path) -> None:
    assert "not 9" in refused(tmp_path, "--game", "kahuna", "--players", "9")


def test_a_store_that_is_none_is_named(tmp_path: Path) -> None:
    assert "no address of a store" in refused(tmp_path, "--store", "nonsense://x")


def test_a_second_house_over_the_same_games_is_turned_away(tmp_path: Path) -> None:
    with house(tmp_path, "--port", str(free_port())):
        assert "already open" in refused(tmp_path, "--port", str(free_port()))


def test_a_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    assert str(tmp_path / "data") in refused(tmp_path / "data")


@pytest.mark.parametrize("name", ["open.lock", "staff.pin"])
def test_a_file_of_the_house_that_can_not_be_had_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    assert str(tmp_path / name) in refused(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_can_not_be_written_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert str(tmp_path) in refused(tmp_path / "data")


def test_the_own_address_is_one_of_numbers() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+\.\d+", own_address("0.0.0.0"))
    assert own_address("127.0.0.1") == "127.0.0.1"


def test_the_qr_code_is_drawn_in_blocks() -> None:
    lines = qr_code("http://192.168.4.1:8080").splitlines()
    assert len(lines) > 10
    assert len({len(line) for line in lines}) <= 2


def test_every_sentence_has_both_languages_and_the_same_fields() -> None:
    for key, sentences in _texts().items():
        assert sorted(sentences) == ["en", "fr"], key
        fields = [set(re.findall(r"{(\w+)}", sentence)) for sentence in sentences.values()]
        assert fields[0] == fields[1], key
