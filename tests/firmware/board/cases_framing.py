"""The shared byte vectors, in MicroPython. tests/firmware/test_framing.py has them in Python."""

# ruff: noqa: PTH123 - MicroPython knows no other way

import gc
import json

import framing

FOLDER = __file__.rsplit("/", 2)[0]


def vectors():
    with open(FOLDER + "/vectors.json") as file:
        return json.loads(file.read())


def case_frames_are_written_as_in_the_vectors():
    for vector in vectors()["frames"]:
        encoder = framing.Encoder()
        encoder.seq = vector["seq"]
        written = bytes(encoder.encode(vector["type"], vector["fields"]))
        assert written == vector["line"].encode() + b"\n", (vector["name"], written)


def case_frames_are_read_as_in_the_vectors():
    for vector in vectors()["frames"]:
        messages = framing.Decoder().feed(vector["line"].encode() + b"\n")
        assert len(messages) == 1, vector["name"]
        for name in vector["fields"]:
            assert messages[0][name] == vector["fields"][name], (vector["name"], messages)


def case_streams_are_read_as_in_the_vectors():
    for vector in vectors()["streams"]:
        for feed in (_by_chunks, _by_bytes):
            decoder = framing.Decoder()
            seqs = [message["seq"] for message in feed(decoder, vector["chunks"])]
            assert seqs == vector["seqs"], (vector["name"], seqs)
            dropped = {name: count for name, count in decoder.dropped.items() if count}
            assert dropped == vector["dropped"], (vector["name"], dropped)


def _by_chunks(decoder, chunks):
    return [message for chunk in chunks for message in decoder.feed(chunk.encode())]


def _by_bytes(decoder, chunks):
    messages = [decoder.push(byte) for chunk in chunks for byte in chunk.encode()]
    return [message for message in messages if message is not None]


def case_ten_megabytes_without_a_newline_cost_no_memory():
    decoder = framing.Decoder()
    chunk = b"x" * 10240
    gc.collect()
    before = gc.mem_alloc()
    gc.disable()
    for _ in range(1024):
        assert not decoder.feed(chunk)
    gc.enable()
    gc.collect()
    assert gc.mem_alloc() - before < 1024, gc.mem_alloc() - before
    decoder.feed(b"\n")
    assert decoder.overlong == 1


def case_a_byte_is_taken_without_allocating():
    decoder = framing.Decoder()
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    for _ in range(6000):
        decoder.push(0x78)
    after = gc.mem_alloc()
    gc.enable()
    assert after == before, after - before


def case_random_bytes_never_raise():
    from clocks import Dice

    dice = Dice(5)
    line = vectors()["frames"][3]["line"].encode() + b"\n"
    decoder = framing.Decoder()
    for _ in range(3000):
        broken = bytearray(line)
        for _ in range(dice.draw() % 4):
            broken[dice.draw() % len(broken)] = dice.draw() & 0xFF
        decoder.feed(bytes(broken))
    assert decoder.frames + decoder.repeated > 500
    assert decoder.corrupt + decoder.junk > 500


def case_right_checksums_around_wrong_content_never_raise():
    import binascii

    for body in (
        b"{" * 2000,
        b'{"v":1,"seq":1,"type":"x","a":' + b"[" * 2000,
        b'{[]:1,"v":1',
        b'{{}:1,"v":1',
        b'{"v":1,"seq":1,"type":"\xff\xfe"',
        b'{"v":1,"seq":1e999,"type":"x"',
        b'{"v":1,"seq":-1,"type":"x"',
        b'{"v":1,"seq":1,"type":"x"}{',
        b'{"v":[],"seq":{},"type":null',
    ):
        decoder = framing.Decoder()
        line = body + b',"crc":"%08x"}\n' % binascii.crc32(body)
        assert decoder.feed(line) == [], body[:40]
        assert decoder.frames == 0
