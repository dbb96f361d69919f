"""The process that decodes and reads photographs: whatever a stranger's file does, it does it here alone.

It is asked by one line of JSON on its standard input followed by the photo's bytes, and answers by lines of JSON:
`{"step": "opening"}` while it works, then `{"reading": {...}}` or `{"problem": {"code": ..., "data": {...}}}`.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

from companion.games.protocol import parse_content
from vision.surfaces import DOUBTFUL, GAMES

if TYPE_CHECKING:
    from vision.locate.pose import Picture
    from vision.surfaces import PlaceSeen, SurfaceReading

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
    found = read_any(picture, boards)
    _tell(out, {"step": "judging"})
    return found


def read_any(picture: Picture, boards: Sequence[str] = (), game: str = "") -> dict[str, Any]:
    """What a photo shows of the first of these boards that can be read; else of whichever sheet of the game that has
    more than islands; else of whatever is to be seen.

    Raises a `VisionError`: the reason for the first that was tried.
    """
    from vision.errors import VisionError

    first_error: VisionError | None = None
    looks = [partial(_read_board, picture, name) for name in boards]
    for look in looks or ([partial(_read_sheet_of, picture, game)] if game in GAMES else _looks(picture)):
        try:
            return look()
        except VisionError as error:
            first_error = first_error or error
    assert first_error is not None  # there is always a board to look for
    raise first_error


def _looks(picture: Picture) -> Iterator[Callable[[], dict[str, Any]]]:
    """What to try on a photo of which nothing is known: islands whose markers are to be seen, the sheets of the other
    games, then islands by their looks alone."""
    from companion.games.makabana.board import BOARD_NAMES

    seen = _islands_seen(picture)
    yield from (partial(_read_board, picture, name) for name in seen)
    yield from (partial(_read_sheet_of, picture, game) for game in reversed(GAMES))
    yield from (partial(_read_board, picture, name) for name in sorted(BOARD_NAMES) if name not in seen)


def _sized(picture: Picture) -> Picture:
    import cv2

    longest = max(picture.shape[:2])
    if longest <= LONGEST_SIDE:
        return picture
    share = LONGEST_SIDE / longest
    smaller: Picture = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    return smaller


def _islands_seen(picture: Picture) -> list[str]:
    """The islands whose markers are in the picture, most markers first."""
    import cv2

    from companion.games.makabana.board import BOARD_NAMES
    from vision.locate import markers
    from vision.sheets.geometry import board_ids

    grey: Picture = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)  # type: ignore[assignment]
    board_of = {ident: name for name in BOARD_NAMES for ident in board_ids(name)}
    groups = markers.by_board(markers.find(grey, board_of), board_of)
    return sorted((name for name in groups if len(groups[name]) >= ENOUGH_MARKERS), key=lambda name: -len(groups[name]))


def _read_board(picture: Picture, board: str) -> dict[str, Any]:
    """One board, whichever game it belongs to. Raises a `VisionError`."""
    from vision.read import read
    from vision.reference import printed_reference
    from vision.surfaces import game_of, maker_of

    game = game_of(board)
    if game is not None:
        return _sheet_json(maker_of(game).read(picture, board))
    reading = read(picture, printed_reference(board))
    return _found(board, dict(map(_place, reading.verdicts)), reading.notes)


def _read_sheet_of(picture: Picture, game: str) -> dict[str, Any]:
    """Whichever sheet of a game is to be seen: who is asked for one of them says which other it is. Raises a
    `VisionError`."""
    from vision.errors import OtherBoard
    from vision.surfaces import maker_of

    maker = maker_of(game)
    try:
        return _sheet_json(maker.read(picture, maker.SURFACES[0]))
    except OtherBoard as error:
        other = str(error.data.get("other", ""))
        if other not in maker.SURFACES:
            raise
        return _sheet_json(maker.read(picture, other))


def _sheet_json(reading: SurfaceReading) -> dict[str, Any]:
    places = {place: seen_json(seen) for place, seen in reading.places.items()}
    return _found(reading.surface, places, reading.notes)


def _found(board: str, places: dict[str, Any], notes: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    return {"board": board, "places": places, "notes": [[code, dict(data)] for code, data in notes]}


def seen_json(seen: PlaceSeen) -> dict[str, Any]:
    """A place of a sheet with what scores there: the piece that lies below, whatever stands on it."""
    chances: dict[tuple[str, str], float] = {}
    for content, chance in seen.odds.items():
        below = next(iter(parse_content(content)), ("", ""))
        chances[below] = chances.get(below, 0.0) + float(chance)
    kind, colour = max(chances, key=lambda piece: chances[piece])
    kinds = [other for other, _ in sorted(chances, key=lambda piece: -chances[piece]) if other]
    confidence = 0.0 if seen.is_covered else chances[kind, colour]
    return {
        "piece": kinds[0] if kinds else "",
        "colour": colour or None,
        "tiki": None,
        "confidence": round(confidence, 4),
        "is_doubtful": confidence < DOUBTFUL,
        "chances": {colour: chance for (_, colour), chance in chances.items()},
    }


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
