"""The process that decodes and reads photographs: whatever a stranger's file does, it does it here alone.

It is asked by one line of JSON on its standard input followed by the photo's bytes, and answers by lines of JSON:
`{"step": "opening"}` while it works, then `{"reading": {...}}` or `{"problem": {"code": ..., "data": {...}}}`.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from vision.locate.pose import Picture
    from vision.read import Reading

MOST_MEMORY = 1_600_000_000
LONGEST_SIDE = 3000  # px; more shows nothing more of a board, and costs seconds on a Pi
ENOUGH_MARKERS = 3


def main() -> int:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    source, out = sys.stdin.buffer, sys.stdout.buffer
    while line := source.readline():
        request = json.loads(line)
        photo = source.read(request["bytes"])
        _tell(out, _answer(photo, request["boards"], out))
    return 0


def _tell(out: BinaryIO, message: dict[str, Any]) -> None:
    out.write(json.dumps(message).encode() + b"\n")
    out.flush()


def _answer(photo: bytes, boards: Sequence[str], out: BinaryIO) -> dict[str, Any]:
    from vision.errors import VisionError

    try:
        return {"reading": _read(photo, boards, out)}
    except VisionError as error:
        return {"problem": {"code": error.code, "data": dict(error.data)}}
    except MemoryError:
        return {"problem": {"code": "photo_too_much", "data": {}}}


def _read(photo: bytes, boards: Sequence[str], out: BinaryIO) -> dict[str, Any]:
    """Raises a `VisionError` where there is no board to read."""
    from vision.images import decode

    _tell(out, {"step": "opening"})
    picture = _sized(decode(photo, "photo"))
    _tell(out, {"step": "finding"})
    name, reading = _first_found(picture, boards or _boards_seen(picture))
    _tell(out, {"step": "judging"})
    return {
        "board": name,
        "places": dict(map(_place, reading.verdicts)),
        "notes": [[c, dict(d)] for c, d in reading.notes],
    }


def _sized(picture: Picture) -> Picture:
    import cv2

    longest = max(picture.shape[:2])
    if longest <= LONGEST_SIDE:
        return picture
    share = LONGEST_SIDE / longest
    smaller: Picture = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    return smaller


def _boards_seen(picture: Picture) -> list[str]:
    """The boards whose markers are in the picture, most markers first; all boards where there are none."""
    import cv2

    from vision.locate import markers
    from vision.reference import board_of_marker

    grey: Picture = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)  # type: ignore[assignment]
    board_of = board_of_marker()
    groups = markers.by_board(markers.find(grey, board_of), board_of)
    seen = sorted((name for name in groups if len(groups[name]) >= ENOUGH_MARKERS), key=lambda name: -len(groups[name]))
    return seen or sorted(set(board_of.values()))


def _first_found(picture: Picture, boards: Sequence[str]) -> tuple[str, Reading]:
    """The first board that can be read; if none can, the reason for the first of them is told."""
    from vision.errors import VisionError
    from vision.read import read
    from vision.reference import printed_reference

    first_error: VisionError | None = None
    for name in boards:
        try:
            return name, read(picture, printed_reference(name))
        except VisionError as error:
            first_error = first_error or error
    assert first_error is not None  # there is always a board to look for
    raise first_error


def _place(verdict: Any) -> tuple[str, dict[str, Any]]:
    """A place with what scores there: the likeliest colour, and the chances of all, None standing for nothing."""
    place = verdict.place if verdict.base_name == "hut" else f"club:{verdict.place}"
    chances: dict[str, float] = {}
    for state, chance in verdict.odds.items():
        chances[state.base or ""] = chances.get(state.base or "", 0.0) + float(chance)
    found = {
        "piece": verdict.base_name,
        "colour": verdict.state.base,
        "tiki": verdict.state.tiki,
        "confidence": round(float(verdict.confidence), 4),
        "is_doubtful": verdict.reason is not None,
        "chances": chances,
    }
    return place, found


if __name__ == "__main__":
    sys.exit(main())
