"""The frames in Python: the shared vectors, memory, and whatever Hypothesis thinks of."""

import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware import framing

VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text("utf-8"))

leaves = st.none() | st.booleans() | st.integers(-(2**62), 2**62) | st.text(st.characters(exclude_categories=["Cs"]))
values = st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text("abcxyz"), inner), max_leaves=20)
names = st.text("abcdefgh_", min_size=1).filter(lambda name: name not in ("v", "seq", "type", "crc"))
fields = st.dictionaries(names, values, max_size=6)


def nonzero(counters: dict[str, int]) -> dict[str, int]:
    return {name: count for name, count in counters.items() if count}


@pytest.mark.parametrize("vector", VECTORS["frames"], ids=lambda vector: vector["name"])
def test_frames_are_those_of_the_vectors(vector: dict) -> None:
    encoder = framing.Encoder()
    encoder.seq = vector["seq"]
    assert bytes(encoder.encode(vector["type"], vector["fields"])) == vector["line"].encode() + b"\n"
    (message,) = framing.Decoder().feed(vector["line"].encode() + b"\n")
    assert {name: message[name] for name in vector["fields"]} == vector["fields"]


@pytest.mark.parametrize("vector", VECTORS["streams"], ids=lambda vector: vector["name"])
@pytest.mark.parametrize("size", [None, 1, 7])
def test_streams_are_read_as_in_the_vectors(vector: dict, size: int | None) -> None:
    decoder = framing.Decoder()
    stream = [chunk.encode() for chunk in vector["chunks"]]
    if size:
        whole = b"".join(stream)
        stream = [whole[start : start + size] for start in range(0, len(whole), size)]
    assert [message["seq"] for chunk in stream for message in decoder.feed(chunk)] == vector["seqs"]
    assert nonzero(decoder.dropped) == vector["dropped"]


def test_ten_megabytes_without_a_newline_are_dropped_in_bounded_memory() -> None:
    decoder, chunk = framing.Decoder(), b"x" * 65536
    tracemalloc.start()
    for _ in range(160):
        assert decoder.feed(chunk) == []
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 65536
    decoder.feed(b"\n")
    assert nonzero(decoder.dropped) == {"overlong": 1}


@given(fields, st.lists(st.integers(1, 40)))
def test_what_is_written_is_read_however_it_is_cut(content: dict, cuts: list[int]) -> None:
    decoder, frame = framing.Decoder(), bytes(framing.Encoder().encode("x", content))
    messages = []
    for cut in cuts:
        messages += decoder.feed(frame[:cut])
        frame = frame[cut:]
    (message,) = messages + decoder.feed(frame)
    assert {name: message[name] for name in content} == content
    assert nonzero(decoder.dropped) == {}


@given(st.binary(max_size=300))
def test_no_bytes_make_it_raise(junk: bytes) -> None:
    decoder = framing.Decoder()
    assert decoder.feed(junk + b"\n") == []
    good = bytes(framing.Encoder().encode("ping", {"echo": 1}))
    assert len(decoder.feed(good)) == 1


@given(fields, st.data())
def test_one_wrong_byte_is_always_noticed(content: dict, data: st.DataObject) -> None:
    frame = bytearray(framing.Encoder().encode("x", content))
    position = data.draw(st.integers(0, len(frame) - 2))
    frame[position] ^= data.draw(st.integers(1, 255))
    assert framing.Decoder().feed(bytes(frame)) == []


def test_a_version_from_the_future_is_refused_with_a_sentence() -> None:
    decoder = framing.Decoder()
    vector = next(vector for vector in VECTORS["streams"] if vector["name"] == "another version")
    decoder.feed(vector["chunks"][0].encode())
    sentence = "This end speaks protocol version 1 and the other end sent 2. Update the older of the two."
    assert decoder.refusal == sentence


@pytest.mark.parametrize("value", [1.5, object(), {1, 2}])
def test_what_a_frame_cannot_carry_is_said(value: object) -> None:
    with pytest.raises(framing.FrameError, match=f"which is a {type(value).__name__}"):
        framing.Encoder().encode("x", {"a": value})


def test_a_message_that_is_too_long_is_said_and_costs_no_number() -> None:
    encoder = framing.Encoder(100)
    with pytest.raises(framing.FrameError, match="may have 100 bytes"):
        encoder.encode("x", {"a": "y" * 100})
    assert encoder.seq == 0
