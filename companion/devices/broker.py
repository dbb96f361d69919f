"""Asks a broker, as a stranger would, whether it lets strangers in. Plain sockets: a doctor needs no library."""

from __future__ import annotations

import secrets
import socket
import ssl
import struct
from enum import Enum

TIMEOUT_S = 3.0
PLAIN_PORT = 1883
_CONNECT, _CONNACK, _SUBSCRIBE, _SUBACK = 0x10, 0x20, 0x82, 0x90


class Welcome(Enum):
    """How a broker treats somebody without a name."""

    CLOSED = "closed"  # nobody answers on that port
    REFUSED = "refused"  # as it should be
    OPEN = "open"  # a stranger may subscribe


def welcome_of(host: str, port: int, topic: str, tls: bool) -> Welcome:
    """Connects without a name and asks for the topic. The certificate is not checked: a spy would not, either."""
    try:
        with socket.create_connection((host, port), TIMEOUT_S) as plain:
            if not tls:
                return _ask(plain, topic)
            with _careless().wrap_socket(plain, server_hostname=host) as secured:
                return _ask(secured, topic)
    except (ConnectionRefusedError, socket.gaierror, TimeoutError):
        return Welcome.CLOSED
    except OSError:  # hung up on us, or wants a client's certificate
        return Welcome.REFUSED


def anonymous_door(host: str, port: int, topic: str) -> int | None:
    """The port at which a stranger may subscribe: the broker's own or the usual one without TLS. None: at neither."""
    for candidate, tls in ((port, True), (port, False), (PLAIN_PORT, False)):
        if welcome_of(host, candidate, topic, tls) is Welcome.OPEN:
            return candidate
    return None


def _careless() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _ask(wire: socket.socket, topic: str) -> Welcome:
    wire.settimeout(TIMEOUT_S)
    client_id = f"makabana-guest-{secrets.token_hex(4)}"
    wire.sendall(_packet(_CONNECT, _text("MQTT") + bytes((4, 2)) + struct.pack("!H", 10) + _text(client_id)))
    kind, body = _read_packet(wire)
    if kind != _CONNACK or len(body) < 2 or body[1] != 0:
        return Welcome.REFUSED
    wire.sendall(_packet(_SUBSCRIBE, struct.pack("!H", 1) + _text(topic) + b"\x00"))
    kind, body = _read_packet(wire)
    # "Granted" says little, as a broker with an access list grants and stays silent. But who lets strangers in and
    # grants may have no such list, and a tray's secrets are not worth the guess.
    return Welcome.REFUSED if kind == _SUBACK and body[-1:] >= b"\x80" else Welcome.OPEN


def _read_packet(wire: socket.socket) -> tuple[int, bytes]:
    kind, size = _read(wire, 2)
    if size > 0x7F:  # neither answer is longer
        raise ConnectionError("too long an answer")
    return kind, _read(wire, size)


def _read(wire: socket.socket, size: int) -> bytes:
    chunk = b""
    while len(chunk) < size:
        more = wire.recv(size - len(chunk))
        if not more:
            raise ConnectionError("hung up")
        chunk += more
    return chunk


def _packet(kind: int, body: bytes) -> bytes:
    return bytes((kind, len(body))) + body


def _text(text: str) -> bytes:
    return struct.pack("!H", len(text.encode())) + text.encode()
