"""Coverage-guided fuzzing of the frame parser and the dialogue behind it: python tests/devices/fuzz/fuzz_frames.py

Needs atheris, which is no dependency of ours (it has wheels for few machines). Options are libFuzzer's:
`-max_total_time=60`. Only a crash is a finding; input that is refused is not.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
SEEDS = (
    b'{"v":1,"seq":7,"type":"ping","echo":42,"crc":"00000000"}\n',
    b'{"v":1,"seq":0,"type":"state","boot":"a","rev":0,"readers":[],"ticks":1}',
    b'\n\r\n{"v":2}\n\xff\x00',
)


def check(data: bytes) -> None:
    """Feeds the bytes in two pieces, and once more as a message with a right checksum."""
    from companion.devices.clock import ManualClock
    from companion.devices.dialogue import Dialogue
    from companion.devices.hub import Hub
    from companion.devices.inbox import Inbox
    from companion.devices.table_file import Node, TableFile
    from companion.devices.tags import Register
    from firmware import framing

    decoder, split = framing.Decoder(256), len(data) // 2
    messages = decoder.feed(data[:split]) + decoder.feed(data[split:] + b"\n")
    messages += _with_checksum(data)
    table = TableFile("t", "tags.json", nodes=(Node("north", "serial", {"r0": "desk"}),))
    dialogue = Dialogue(Hub(table, Register(), Inbox(), ManualClock()), "fuzz")
    dialogue.opened(0.0)
    for message in messages:
        dialogue.received(message, 1.0)
    assert decoder._size <= 256


def _with_checksum(data: bytes) -> list[dict[str, object]]:
    import zlib

    from firmware import framing

    body = b'{"v":1,"seq":1,"type":"state",' + data.replace(b"\n", b" ")
    return framing.Decoder().feed(body + b',"crc":"%08x"}\n' % zlib.crc32(body))


def main() -> None:
    sys.path.insert(0, str(ROOT))
    try:
        import atheris
    except ImportError:
        sys.exit("atheris is not installed. Run: pip install atheris")
    with atheris.instrument_imports():
        import companion.devices.dialogue  # noqa: F401
        import firmware.framing  # noqa: F401
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
