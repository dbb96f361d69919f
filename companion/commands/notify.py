"""Telling the service manager how we are: ready, alive, stopping. Without one listening, nothing happens.

This is systemd's notification protocol, a line of text in a datagram to the socket that `NOTIFY_SOCKET` names. A
service that says `alive` too seldom is restarted, which is how a Pi in a cupboard gets over a program that hangs.
"""

from __future__ import annotations

import os
import queue
import socket
from collections.abc import Callable
from typing import Protocol

SOCKET, WATCHDOG_USEC, WATCHDOG_PID = "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"
_EACH_S = 3600.0  # how often somebody looks up whom nobody watches


def ready(status: str = "") -> bool:
    """Phones may come. Returns whether somebody was told; `status` is what `systemctl status` shows."""
    return _tell("READY=1", *([f"STATUS={_one_line(status)}"] if status else ()))


def alive() -> bool:
    """Everything still turns. Returns whether somebody was told."""
    return _tell("WATCHDOG=1")


def stopping() -> bool:
    """We end because we were asked to. Returns whether somebody was told."""
    return _tell("STOPPING=1")


def patience_s() -> float | None:
    """After how many seconds of silence the manager restarts us; None if it does not watch this process."""
    try:
        microseconds = int(os.environ.get(WATCHDOG_USEC, ""))
        watched = int(os.environ.get(WATCHDOG_PID, os.getpid()))
    except ValueError:  # not a number: not from a service manager
        return None
    return microseconds / 1e6 if microseconds > 0 and watched == os.getpid() else None


class Waiting(Protocol):
    """What is waited for, such as `Stop` or a `threading.Event`."""

    def wait(self, timeout: float) -> bool: ...


class Stop:
    """An event that a signal's handler may set, even twice and at the worst moment.

    The handler of a `threading.Event` would wait for ever where it interrupts the thread that holds the event's lock.
    """

    def __init__(self) -> None:
        self._words: queue.SimpleQueue[None] = queue.SimpleQueue()

    def set(self) -> None:
        self._words.put(None)

    def wait(self, timeout: float) -> bool:
        """Whether it was set within these seconds."""
        try:
            self._words.get(timeout=timeout)
        except queue.Empty:
            return False
        self._words.put(None)  # and it stays set
        return True


def wait_well(stopped: Waiting, is_well: Callable[[], bool]) -> None:
    """Waits until `stopped` is set, and says `alive` three times within the manager's patience while `is_well`."""
    patience = patience_s()
    each_s = patience / 3 if patience else _EACH_S
    while True:
        if patience and is_well():
            alive()
        if stopped.wait(each_s):
            return


def _tell(*lines: str) -> bool:
    address = os.environ.get(SOCKET, "")
    if address[:1] not in ("/", "@") or len(address) < 2:
        return False
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as wire:
            wire.setblocking(False)  # a manager that does not listen must not hold up a game
            # An @ stands for the abstract namespace, which the kernel writes as a zero byte.
            wire.connect(f"\0{address[1:]}" if address[0] == "@" else address)
            wire.send("\n".join(lines).encode())
    except OSError:
        return False
    return True


def _one_line(text: str) -> str:
    return " ".join(text.split())[:200]
