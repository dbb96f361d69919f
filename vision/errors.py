"""What can be wrong with a picture, each with a stable code, its data and a sentence from `texts.json`."""

# ruff: noqa: N818 - the names say what happened; all of them are VisionErrors

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any


class VisionError(ValueError):
    """A picture that can't be read. `code` is stable, `data` fills its sentence, `str()` is the English one."""

    code = "vision_failed"

    def __init__(self, **data: Any) -> None:
        self.data: Mapping[str, Any] = data
        super().__init__(sentence(self.code, data))


class NotAPicture(VisionError):
    code = "picture_unreadable"


class PictureBroken(VisionError):
    code = "picture_truncated"


class PictureTooSmall(VisionError):
    code = "picture_too_small"


class PictureTooLarge(VisionError):
    code = "picture_too_large"


class BoardNotFound(VisionError):
    code = "board_not_found"


class BoardCut(VisionError):
    code = "board_cut"


class OtherBoard(VisionError):
    code = "other_board"


class TwoBoards(VisionError):
    code = "two_boards"


class PictureMirrored(VisionError):
    code = "picture_mirrored"


class CalibrationUnusable(VisionError):
    code = "calibration_unusable"


class TraceWrong(VisionError):
    code = "trace_wrong"


class CameraUnavailable(VisionError):
    code = "camera_unavailable"


@cache
def texts() -> Mapping[str, Mapping[str, str]]:
    """All sentences of this package: code -> language -> sentence."""
    found: dict[str, dict[str, str]] = json.loads(
        resources.files(__package__).joinpath("texts.json").read_text(encoding="utf-8")
    )
    return found


def sentence(code: str, data: Mapping[str, Any], language: str = "en") -> str:
    """A code in words; without a text it is said as it is, with its data: better plain than silent."""
    if code not in texts():
        return f"{code} {dict(data)}"
    return texts()[code][language].format(**data)
