"""Where phones find the house: a free port, and this machine's own address."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from companion.commands.evening.texts import EveningError
from companion.games.protocol import Event

LOOPBACK = "127.0.0.1"
_TRIES = 20
_NOWHERE = ("10.255.255.255", 9)  # never reached: a datagram socket that is "connected" only looks up the route


def own_address(host: str) -> str:
    """The address that phones in the same network reach this machine by."""
    if host not in ("", "0.0.0.0", "::"):
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_NOWHERE)
            return str(probe.getsockname()[0])
        except OSError:  # no network at all: this machine can still play
            return LOOPBACK


def is_of_this_machine(address: str) -> bool:
    """Whether no other machine can reach this address."""
    host = urlsplit(address).hostname or ""
    return host == "localhost" or host.startswith("127.")


def is_offline() -> bool:
    return own_address("") == LOOPBACK


def free_server(app_for: Callable[[str], Any], host: str, port: int | None, first: int) -> Any:
    """A server on the port that was asked for, or on the first free one. Raises `EveningError`."""
    from web.serve import Server

    if port is not None and not 1 <= port <= 65_535:
        raise EveningError(Event("port_wrong", {"port": port}))
    tries = [port] if port is not None else [*range(first, first + _TRIES), 0]
    for number in tries:
        try:
            found = _tried(host, number)
        except OSError as error:
            if port is not None or error.errno != errno.EADDRINUSE:
                raise _refused(error, host, number) from None
        else:
            return Server(app_for(f"http://{own_address(host)}:{found}"), host, found)
    raise _refused(OSError(errno.EADDRINUSE, ""), host, first)


def _tried(host: str, port: int) -> int:
    """The port, if it can be listened on; 0 finds a free one. The server itself would not say why it can't."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))
        return int(probe.getsockname()[1])


def _refused(error: OSError, host: str, port: int) -> EveningError:
    if error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return EveningError(Event("host_unknown", {"host": host[:80]}))
    code = "port_forbidden" if error.errno in (errno.EACCES, errno.EPERM) else "port_taken"
    return EveningError(Event(code, {"port": port, "other": port + 1 if port < 65_535 else 8080}))
