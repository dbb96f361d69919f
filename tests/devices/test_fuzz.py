"""The frame parser under any bytes: the fuzz target, with Hypothesis in every run and atheris where it is."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware import framing
from tests.devices.fuzz.fuzz_frames import ROOT, SEEDS, check


@given(st.binary(max_size=400) | st.lists(st.sampled_from(SEEDS)).map(b"".join))
def test_no_bytes_crash_the_parser_or_the_dialogue(data: bytes) -> None:
    check(data)


@given(st.lists(st.sampled_from([b"x", b"\n", b"{", *SEEDS]) | st.binary(max_size=30), max_size=30), st.randoms())
def test_how_the_bytes_are_cut_changes_nothing(pieces: list[bytes], dice: object) -> None:
    data = b"".join(pieces) + bytes(framing.Encoder().encode("ping", {"echo": 1}))
    whole, cut = framing.Decoder(), framing.Decoder()
    messages = whole.feed(data)
    start, parts = 0, []
    while start < len(data):
        end = start + dice.randint(1, 9)  # type: ignore[attr-defined]
        parts += cut.feed(data[start:end])
        start = end
    assert parts == messages
    assert cut.dropped == whole.dropped


def test_atheris_finds_no_crash_in_two_seconds() -> None:
    pytest.importorskip("atheris", reason="atheris is optional: pip install atheris")
    target = ROOT / "tests" / "devices" / "fuzz" / "fuzz_frames.py"
    command = [sys.executable, str(target), "-max_total_time=2", "-seed=1", "-max_len=400"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
