"""The two ways to the companion, with one face: `service`, `receive`, `send`.

`service(now)` is called all the time and gives True when the line has just become usable, so that the node greets.
"""

import select

import framing
from micropython import const

_COMMAND_LIMIT = const(1024)
_BYTES_PER_TURN = const(128)  # a chattering host must not keep the readers waiting
_BAD = select.POLLERR | select.POLLHUP


class SerialLink:
    """USB serial through standard input and output, given as byte streams.

    Without a host the USB port swallows what is written, so silence costs nothing. A host that is there but does not
    read makes the line unwritable: then frames are counted as `unsent`, and the greeting tells all when it flows again.
    """

    def __init__(self, stdin, stdout, encoder=None):
        self.encoder = encoder or framing.Encoder()
        self.decoder = framing.Decoder(_COMMAND_LIMIT)
        self.retains_state = False
        self.unsent = 0
        self._stdin = stdin
        self._stdout = stdout
        self._byte = bytearray(1)
        self._is_up = False
        self._readable = select.poll()
        self._readable.register(stdin, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(stdout, select.POLLOUT)

    def service(self, now):
        was_up = self._is_up
        self._is_up = self._can(self._writable, select.POLLOUT)
        if was_up or not self._is_up:
            return False
        self.decoder.forget()
        self._write(b"\n")
        return True

    def receive(self):
        """Gives the next command, or None if there is no whole one yet."""
        for _ in range(_BYTES_PER_TURN):
            if not self._can(self._readable, select.POLLIN):
                return None
            try:
                if not self._stdin.readinto(self._byte):
                    return None
            except OSError:  # the other end closed in this moment
                return None
            message = self.decoder.push(self._byte[0])
            if message is not None:
                return message
        return None

    def send(self, kind, fields):
        frame = self.encoder.encode(kind, fields)
        if not self._is_up or not self._can(self._writable, select.POLLOUT):
            self._is_up = False
            self.unsent += 1
            return False
        return self._write(frame)

    def close(self):
        """Nothing to give back: the streams are the board's."""

    def _write(self, chunk):
        try:
            self._stdout.write(chunk)
        except OSError:
            self._is_up = False
            self.unsent += 1
            return False
        return True

    @staticmethod
    def _can(poller, flag):
        for event in poller.ipoll(0):
            return bool(event[1] & flag) and not event[1] & _BAD
        return False


_RETRY_MS = const(2000)
_LONGEST_RETRY_MS = const(60000)


class MqttLink:
    """A broker: `state` and `status` are retained, `event` never. `connect` gives a connected client or raises OSError.

    Connecting takes the time of a TLS handshake, in which no reader is polled; so tries become rarer.
    """

    def __init__(self, connect, prefix, clock, encoder=None):
        self.encoder = encoder or framing.Encoder()
        self.decoder = framing.Decoder(_COMMAND_LIMIT)
        self.retains_state = True  # after every change
        self.unsent = 0
        self._connect = connect
        self._prefix = prefix
        self._clock = clock
        self._client = None
        self._wait_ms = 0
        self._tried_at = 0

    def service(self, now):
        if self._client is not None or self._clock.ticks_diff(now, self._tried_at) < self._wait_ms:
            return False
        try:
            self._client = self._connect()
            self._client.subscribe(self._prefix + "/command")
        except OSError:
            self._lose()
            return False
        self._wait_ms = 0
        self.decoder.forget()
        return True

    def receive(self):
        """Gives the next command, or None. A retained one is old and is ignored."""
        if self._client is None:
            return None
        try:
            arrived = self._client.receive()
        except OSError:
            self._lose()
            return None
        if arrived is None or arrived[2]:
            return None
        messages = self.decoder.feed(arrived[1] + b"\n")
        return messages[0] if messages else None

    def send(self, kind, fields):
        frame = self.encoder.encode(kind, fields)
        if self._client is None:
            self.unsent += 1
            return False
        topic, is_retained = "/event", False
        if kind in ("state", "hello"):
            topic, is_retained = "/state" if kind == "state" else "/status", True
        try:
            self._client.publish(self._prefix + topic, frame[: len(frame) - 1], is_retained)
        except OSError:
            self.unsent += 1
            self._lose()
            return False
        return True

    def close(self):
        if self._client is not None:
            self._client.close()
            self._client = None

    def _lose(self):
        self.close()
        self._wait_ms = min(max(2 * self._wait_ms, _RETRY_MS), _LONGEST_RETRY_MS)
        self._tried_at = self._clock.ticks_ms()
