"""A small MQTT 3.1.1 client: connect with a will, publish and subscribe at QoS 0, keep alive. No retry in here.

Every failure is an OSError, the broker's refusals included, so that the link above has one thing to catch.
"""

import select
import struct

from micropython import const

_CONNECT = const(0x10)
_PUBLISH = const(0x30)
_SUBSCRIBE = const(0x82)
_CONNACK = const(0x20)
_SUBACK = const(0x90)
_RETAIN = const(0x01)
_MAX_PACKET = const(4608)

_REFUSALS = (
    "accepted",
    "it does not speak MQTT 3.1.1",
    "it refuses this client id",
    "it is unavailable",
    "user or password is malformed",
    "user or password is wrong, or not allowed",
)


class MqttError(OSError):
    """The broker broke the protocol, refused, or went away. The text says which."""


class MqttClient:
    """Talks over a connected socket (plain or TLS) whose time-out is set. `clock` is a module like `time`."""

    def __init__(self, sock, clock, client_id, keepalive_s=20):
        self._sock = sock
        self._clock = clock
        self._client_id = client_id
        self._keepalive_s = keepalive_s
        self._last_asked = clock.ticks_ms()
        self._last_heard = clock.ticks_ms()
        self._poll = select.poll()
        self._poll.register(sock, select.POLLIN)
        self._packet_id = 0

    def connect(self, user, password, will_topic, will):
        """Logs in. The will is published and retained by the broker when we vanish. Raises MqttError."""
        body = _text("MQTT") + bytes([4, 0xC0 | 0x20 | 0x04 | 0x02]) + struct.pack("!H", self._keepalive_s)
        body += _text(self._client_id) + _text(will_topic) + _block(will) + _text(user) + _text(password)
        self._send(_CONNECT, body)
        kind, answer = self._read_packet()
        if kind & 0xF0 != _CONNACK or len(answer) != 2:
            raise MqttError("the broker answered a login with packet type 0x%02X" % kind)
        if answer[1]:
            reason = _REFUSALS[answer[1]] if answer[1] < len(_REFUSALS) else "reason %d" % answer[1]
            raise MqttError("the broker says that " + reason)

    def publish(self, topic, payload, is_retained=False):
        name = topic.encode()
        self._header(_PUBLISH | (_RETAIN if is_retained else 0), 2 + len(name) + len(payload))
        self._write(_block(name))
        self._write(payload)

    def subscribe(self, topic):
        self._packet_id = self._packet_id % 0xFFFF + 1
        self._send(_SUBSCRIBE, struct.pack("!H", self._packet_id) + _text(topic) + b"\x00")

    def receive(self):
        """Gives (topic, payload, whether it was retained) or None, without waiting. Raises OSError."""
        self._keep_alive()
        for event in self._poll.ipoll(0):
            if event[1] & ~select.POLLIN:
                raise MqttError("the connection was closed")
            return self._message(*self._read_packet())
        return None

    def close(self):
        """Leaves without a DISCONNECT, so that the broker publishes the will."""
        self._sock.close()

    def _message(self, kind, body):
        if kind & 0xF0 != _PUBLISH:
            if kind == _SUBACK and body[2] == 0x80:
                raise MqttError("the broker refuses the subscription")
            return None
        size = struct.unpack("!H", body[:2])[0]
        start = 2 + size + (2 if kind & 0x06 else 0)
        try:
            return body[2 : 2 + size].decode(), bytes(body[start:]), bool(kind & _RETAIN)
        except ValueError:  # a topic that is not UTF-8 is none of ours
            return None

    def _keep_alive(self):
        now = self._clock.ticks_ms()
        limit = self._keepalive_s * 1000
        if self._clock.ticks_diff(now, self._last_heard) > limit * 3 // 2:
            raise MqttError("the broker has been silent for %d s" % (limit * 3 // 2000))
        # What we publish is not answered at QoS 0, so a ping is the only proof that somebody listens.
        if self._clock.ticks_diff(now, self._last_asked) > limit // 2:
            self._last_asked = now
            self._write(b"\xc0\x00")

    def _send(self, kind, body):
        self._header(kind, len(body))
        self._write(body)

    def _header(self, kind, size):
        head = bytearray([kind])
        while True:
            head.append(size & 0x7F | (0x80 if size > 0x7F else 0))
            size >>= 7
            if not size:
                break
        self._write(head)

    def _write(self, chunk):
        view = memoryview(chunk)
        while len(view) > 0:
            count = self._sock.write(view)
            if not count:
                raise MqttError("the connection takes no more bytes")
            view = view[count:]

    def _read_packet(self):
        kind = self._read(1)[0]
        size = shift = 0
        while True:
            byte = self._read(1)[0]
            size |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                break
            if shift > 21:
                raise MqttError("a packet's length has too many bytes")
        if size > _MAX_PACKET:
            raise MqttError("a packet of %d bytes is more than this board can hold" % size)
        body = self._read(size)
        self._last_heard = self._clock.ticks_ms()
        return kind, body

    def _read(self, size):
        body = self._sock.read(size) if size else b""
        if body is None or len(body) != size:
            raise MqttError("the connection was closed")
        return body


def _block(chunk):
    return struct.pack("!H", len(chunk)) + bytes(chunk)


def _text(text):
    return _block(text.encode())
