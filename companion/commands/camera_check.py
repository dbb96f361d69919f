"""The doctor's look through the camera: does it open, is the board there, is it sharp, is the light good?

A camera driver can hang for ever, so the look itself happens in a process of its own (`python -m` this file), which
is given up after a while. It prints one JSON list of findings.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import Any

from companion.devices.findings import Finding
from companion.devices.table_file import TableFile
from companion.house.picture_quality import DARK, judge_quality
from companion.table.observations import Event

LONGEST_S = 60.0
_SPELLINGS = {"picamera2": "pi"}  # a table file may name the Pi's camera by its library
_WARM_UP, _WARM_UP_S = 12, 4.0  # frames until exposure and focus have settled
_MOST_ANSWER = 100_000


def look(table: TableFile, longest_s: float = LONGEST_S) -> Iterator[Finding]:
    """What each camera of a table sees. Takes no longer than `longest_s` for each."""
    if table.camera is None:
        return
    if find_spec("cv2") is None:
        return  # said under packages
    sources = [source.strip() for source in table.camera.source.split(",")]
    boards = [*table.boards, *[""] * len(sources)]  # one camera per island, in the order of the islands
    for source, board in zip(sources, boards, strict=False):
        yield from _ask(_SPELLINGS.get(source, source), board, longest_s)


def _ask(source: str, board: str, longest_s: float) -> list[Finding]:
    command = [sys.executable, "-m", __name__, source, board]
    try:
        done = subprocess.run(command, capture_output=True, timeout=longest_s, check=False, stdin=subprocess.DEVNULL)
        return [_finding(one) for one in json.loads(done.stdout[:_MOST_ANSWER].splitlines()[-1])]
    except subprocess.TimeoutExpired:
        what = Event("camera_hangs", {"source": source, "seconds": round(longest_s)})
    except (ValueError, TypeError, KeyError, IndexError):  # the driver took the process with it
        what = Event("camera_crashed", {"source": source, "code": done.returncode})
    return [Finding("camera", False, what)]


def _finding(plain: Mapping[str, Any]) -> Finding:
    return Finding(plain["area"], plain["fine"], Event(plain["code"], plain["data"]), plain["needed"])


# --- In the process of its own ---


def findings(source: str, board: str) -> Iterator[Finding]:
    """What one camera sees, judged for reading."""
    from vision.errors import VisionError

    try:
        picture = _settled_picture(source)
    except (VisionError, OSError):
        picture = None
    if picture is None:
        yield Finding("camera", False, Event("camera_missing", {"source": source}))
        return
    height, width = picture.shape[:2]
    yield Finding("camera", True, Event("ok_camera", {"source": source, "width": width, "height": height}))
    if board:
        yield from _judged(picture, board)


def _settled_picture(source: str) -> Any:
    """A frame after the camera has adjusted itself; the last one of a folder or film that ends sooner."""
    from vision.cameras import source_of

    camera = source_of(source, time.monotonic)
    picture, start = None, time.monotonic()
    try:
        for _ in range(_WARM_UP):
            frame = camera.next_frame()
            if frame is None or time.monotonic() - start > _WARM_UP_S:
                break
            picture = frame.picture
    finally:
        camera.close()
    return picture


def _judged(picture: Any, board: str) -> Iterator[Finding]:
    from vision.errors import VisionError
    from vision.read import read
    from vision.reference import printed_reference

    reference = printed_reference(board)
    try:
        quality = read(picture, reference).quality
    except VisionError as error:
        yield Finding("board", False, Event(error.code, dict(error.data)))
        yield from _bare_light(picture)
        return
    data = {"board": board, "markers": int(quality["markers_found"]), "all": len(reference.markers_mm)}
    yield Finding("board", True, Event("ok_board_seen", data))
    yield from judge_quality(quality)


def _bare_light(picture: Any) -> Iterator[Finding]:
    """Without a board at least: is there any light at all?"""
    percent = round(100 * float(picture.mean()) / 255)
    if percent < 100 * DARK:
        yield Finding("light", False, Event("light_dark", {"percent": percent}))


def main(source: str, board: str) -> None:
    """Prints the findings as one line of JSON."""
    plain = [
        {"area": one.area, "fine": one.is_fine, "needed": one.is_needed, "code": one.what.code, "data": one.what.data}
        for one in findings(source, board)
    ]
    print(json.dumps(plain, default=str))


if __name__ == "__main__":
    main(*sys.argv[1:3])
