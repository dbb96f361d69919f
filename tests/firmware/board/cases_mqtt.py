"""The MQTT client and its link against a scripted broker."""

import io
import select

import framing
from clocks import Clock
from link import MqttLink
from mqtt import MqttClient, MqttError

MP_STREAM_POLL = 3


class Broker(io.IOBase):
    """A socket whose other end is the test: `out` is what was written, `incoming` what will be read."""

    def __init__(self, incoming=b""):
        self.incoming = incoming
        self.out = b""
        self.is_closed = False

    def write(self, chunk):
        if self.is_closed:
            raise OSError(32)
        self.out += bytes(chunk)
        return len(chunk)

    def read(self, size):
        chunk, self.incoming = self.incoming[:size], self.incoming[size:]
        return chunk

    def ioctl(self, request, argument):
        if request == MP_STREAM_POLL:
            return select.POLLIN & argument if self.incoming else 0
        return -22  # it has no file number, in particular

    def close(self):
        self.is_closed = True


def connected(incoming=b"", clock=None):
    broker = Broker(b"\x20\x02\x00\x00" + incoming)
    client = MqttClient(broker, clock or Clock(), "makabana-north")
    client.connect("north", "hush", "t/status", b"gone")
    return broker, client


def _failure(call):
    """The text of the error that a call must end in."""
    try:
        call()
    except MqttError as error:
        return str(error)
    raise AssertionError("it did not fail")


def case_it_logs_in_with_a_retained_will():
    broker, _ = connected()
    body = b"\x00\x04MQTT\x04\xe6\x00\x14\x00\x0emakabana-north\x00\x08t/status\x00\x04gone\x00\x05north\x00\x04hush"
    assert broker.out == bytes([0x10, len(body)]) + body, broker.out


def case_a_refusal_is_a_sentence():
    client = MqttClient(Broker(b"\x20\x02\x00\x05"), Clock(), "x")
    text = _failure(lambda: client.connect("north", "hush", "t", b""))
    assert "user or password is wrong" in text, text
    assert "hush" not in text


def case_messages_are_published_and_received():
    broker, client = connected(b"\x30\x07\x00\x03a/bhi" + b"\x31\x07\x00\x03a/bho" + b"\xd0\x00")
    broker.out = b""
    client.publish("a/b", b"x" * 130, True)
    assert broker.out == b"\x31\x87\x01\x00\x03a/b" + b"x" * 130, broker.out
    assert client.receive() == ("a/b", b"hi", False)
    assert client.receive() == ("a/b", b"ho", True)
    assert client.receive() is None
    assert client.receive() is None


def case_a_silent_broker_is_pinged_and_then_given_up():
    clock = Clock()
    broker, client = connected(clock=clock)
    broker.out = b""
    clock.sleep_ms(11000)
    client.receive()
    assert broker.out == b"\xc0\x00"
    clock.sleep_ms(20000)
    text = _failure(client.receive)
    assert "silent for 30 s" in text, text


def case_an_overlong_or_cut_packet_ends_the_connection():
    for incoming in (b"\x30\xff\xff\x7f", b"\x30\xff\xff\xff\xff\xff", b"\x30\x09\x00\x03a"):
        _, client = connected(incoming)
        assert _failure(client.receive), incoming


def case_state_and_hello_are_retained_and_events_are_not():
    broker, client = connected()
    link = MqttLink(lambda: client, "makabana/one/north", Clock())
    assert link.service(0)
    for kind, head in (("hello", b"\x31"), ("state", b"\x31"), ("laid", b"\x30"), ("heartbeat", b"\x30")):
        broker.out = b""
        assert link.send(kind, {"a": 1})
        assert broker.out[:1] == head, kind
        topic = {"hello": b"status", "state": b"state"}.get(kind, b"event")
        assert b"makabana/one/north/" + topic + b"{" in broker.out, broker.out
        assert broker.out.endswith(b'"}'), broker.out


def case_a_retained_command_is_ignored_and_a_fresh_one_taken():
    frame = bytes(framing.Encoder().encode("state?", {}))[:-1]
    body = b"\x00\x07command" + frame
    _, client = connected(bytes([0x31, len(body)]) + body + bytes([0x30, len(body)]) + body)
    link = MqttLink(lambda: client, "makabana/one/north", Clock())
    link.service(0)
    assert link.receive() is None
    assert link.receive()["type"] == "state?"


def case_a_lost_broker_is_tried_again_with_growing_patience():
    clock = Clock()
    tries = []

    def refuse():
        tries.append(clock.ticks_ms())
        raise OSError(111)

    link = MqttLink(refuse, "makabana/one/north", clock)
    for _ in range(1500):
        link.service(clock.ticks_ms())
        assert not link.send("laid", {})
        clock.sleep_ms(100)
    gaps = [tries[index + 1] - tries[index] for index in range(len(tries) - 1)]
    assert gaps == [2000, 4000, 8000, 16000, 32000, 60000], gaps
    assert link.unsent == 1500
