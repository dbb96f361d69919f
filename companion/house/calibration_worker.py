"""`python -m companion.house.calibration_worker`: looks at camera pictures for the calibration guide, one by one.

Each request is a line of JSON (`bytes`, `board`) and the picture; each answer one line of JSON. A process of its own:
nothing that a picture does to its decoder or its reader reaches the tables.
"""

from __future__ import annotations

import base64
import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vision.locate.pose import Picture
    from vision.read import Reading
    from vision.reference import Reference

_JPEG_QUALITY = 85


def main() -> int:
    source, out = sys.stdin.buffer, sys.stdout.buffer
    while line := source.readline():
        request = json.loads(line)
        out.write(json.dumps(_answer(source.read(request["bytes"]), request["board"]), default=str).encode() + b"\n")
        out.flush()
    return 0


def _answer(photo: bytes, board: str) -> dict[str, Any]:
    from vision.errors import VisionError
    from vision.images import decode

    try:
        return _looked(decode(photo, "camera"), board)
    except VisionError as error:
        return {"problem": {"code": error.code, "data": dict(error.data)}}


def _looked(picture: Picture, board: str) -> dict[str, Any]:
    """Calibrates with what stands on the board, then reads the same picture with that. Raises a `VisionError`."""
    from vision.calibration import calibrate, missing_colours, read_calibrated, to_json
    from vision.reference import printed_reference

    reference = printed_reference(board)
    calibration = calibrate(picture, reference)
    reading = read_calibrated(picture, reference, calibration)
    return {
        "calibration": to_json(calibration),
        "colours": sorted(calibration.palette),
        "missing": missing_colours(calibration, reference),
        "doubts": sum(verdict.reason is not None for verdict in reading.verdicts),
        "quality": {name: float(value) for name, value in reading.quality.items()},
        "markers": [int(reading.quality["markers_found"]), len(reference.markers_mm)],
        "picture": base64.b64encode(_drawn(picture, reading, reference)).decode(),
    }


def _drawn(picture: Picture, reading: Reading, reference: Reference) -> bytes:
    import cv2

    from vision.annotate import annotated

    drawn = annotated(picture, reading, reference)
    return cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])[1].tobytes()


if __name__ == "__main__":
    sys.exit(main())
