"""What the service manager hears, over a real datagram socket."""

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.commands import notify


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
        wire.bind(str(path))
        wire.settimeout(10)
        monkeypatch.setenv(notify.SOCKET, str(path))
        yield wire


def test_ready_alive_and_stopping_are_heard(manager: socket.socket) -> None:
    assert notify.ready("2 tables\nopen")
    assert notify.alive()
    assert notify.stopping()
    assert [manager.recv(500) for _ in range(3)] == [b"READY=1\nSTATUS=2 tables open", b"WATCHDOG=1", b"STOPPING=1"]


def test_an_abstract_socket_is_reached_too(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"makabana-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
        wire.bind(f"\0{name}")
        monkeypatch.setenv(notify.SOCKET, f"@{name}")
        assert notify.ready()
        assert wire.recv(500) == b"READY=1"


@pytest.mark.parametrize("address", ["", "@", "relative", "/nobody/listens/here", "/" + "x" * 200])
def test_without_a_listener_nothing_is_told_and_nothing_breaks(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(notify.SOCKET, address)
    assert not notify.ready()


def test_a_manager_that_reads_nothing_holds_nobody_up(manager: socket.socket) -> None:
    told = [notify.alive() for _ in range(5000)]
    assert told[0] is True
    assert told[-1] is False


@pytest.mark.parametrize(
    ("microseconds", "pid", "expected"),
    [("30000000", None, 30.0), ("30000000", "1", None), ("0", None, None), ("soon", None, None), (None, None, None)],
)
def test_the_managers_patience_is_read_for_this_process_alone(
    microseconds: str | None, pid: str | None, expected: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key, value in ((notify.WATCHDOG_USEC, microseconds), (notify.WATCHDOG_PID, pid)):
        monkeypatch.delenv(key, raising=False)
        if value is not None:
            monkeypatch.setenv(key, value)
    assert notify.patience_s() == expected


def test_a_watched_process_says_alive_until_it_is_stopped(
    manager: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(notify.WATCHDOG_USEC, "30000")
    stopped = threading.Event()
    waiting = threading.Thread(target=notify.wait_well, args=(stopped, lambda: True))
    waiting.start()
    heard = [manager.recv(500) for _ in range(3)]
    stopped.set()
    waiting.join(10)
    assert heard == [b"WATCHDOG=1"] * 3
    assert not waiting.is_alive()


def test_a_process_that_is_not_well_keeps_silent(manager: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(notify.WATCHDOG_USEC, "3000")
    stopped, asked = threading.Event(), []

    def unwell() -> bool:
        asked.append(None)
        if len(asked) == 5:
            stopped.set()
        return False

    notify.wait_well(stopped, unwell)
    manager.setblocking(False)
    with pytest.raises(BlockingIOError):
        manager.recv(500)


def test_a_stop_stays_set_however_often_it_is_set() -> None:
    stop = notify.Stop()
    assert not stop.wait(0)
    stop.set()
    stop.set()
    assert [stop.wait(0) for _ in range(5)] == [True] * 5
