"""Opening pictures from files that may be anything: refused by their header before they are decoded."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import cast

import cv2
import numpy as np

from vision.errors import NotAPicture, PictureBroken, PictureTooLarge, PictureTooSmall
from vision.locate.pose import Picture

LEAST_PX = 200
MOST_MEGAPIXELS = 80
MOST_BYTES = 120_000_000
_JPEG_SIZES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}


def open_picture(path: str | Path) -> Picture:
    """A BGR picture, turned as its EXIF says. Raises a `VisionError` for whatever is not a usable picture."""
    try:
        if Path(path).stat().st_size > MOST_BYTES:
            raise NotAPicture(path=str(path))
        content = Path(path).read_bytes()
    except (OSError, ValueError):
        raise NotAPicture(path=str(path)) from None
    return decode(content, str(path))


def decode(content: bytes, name: str = "picture") -> Picture:
    """A BGR picture from the bytes of a JPEG, PNG, WebP or BMP file."""
    size = size_of(content)
    if size is None:
        raise NotAPicture(path=name)
    width, height = size
    if width * height > MOST_MEGAPIXELS * 1_000_000:
        raise PictureTooLarge(path=name, width=width, height=height, most=MOST_MEGAPIXELS)
    if min(size) < LEAST_PX:
        raise PictureTooSmall(path=name, width=width, height=height, least=LEAST_PX)
    if _breaks_off(content):
        raise PictureBroken(path=name)
    try:
        picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        picture = None
    if picture is None:
        raise PictureBroken(path=name)
    return cast(Picture, picture)


def size_of(content: bytes) -> tuple[int, int] | None:
    """Width and height by the file's header alone, or None if it is none of the kinds we open."""
    if content[:8] == b"\x89PNG\r\n\x1a\n" and len(content) >= 24:
        width, height = struct.unpack(">II", content[16:24])
        return width, height
    if content[:2] == b"\xff\xd8":
        return _jpeg_size(content)
    if content[:2] == b"BM" and len(content) >= 26:
        width, height = struct.unpack("<ii", content[18:26])
        return abs(width), abs(height)
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return _webp_size(content)
    return None


def _jpeg_size(content: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(content):
        if content[at] != 0xFF:
            return None
        kind = content[at + 1]
        if kind in _JPEG_SIZES:
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            return width, height
        if kind == 0xFF or 0xD0 <= kind <= 0xD8 or kind == 0x01:
            at += 1 if kind == 0xFF else 2
            continue
        at += 2 + int.from_bytes(content[at + 2 : at + 4], "big")
    return None


def _webp_size(content: bytes) -> tuple[int, int] | None:
    if len(content) < 30:
        return None
    if content[12:16] == b"VP8X":
        return 1 + int.from_bytes(content[24:27], "little"), 1 + int.from_bytes(content[27:30], "little")
    if content[12:16] == b"VP8 ":
        width, height = struct.unpack("<HH", content[26:30])
        return width & 0x3FFF, height & 0x3FFF
    bits = int.from_bytes(content[21:25], "little")
    return 1 + (bits & 0x3FFF), 1 + ((bits >> 14) & 0x3FFF)


def _breaks_off(content: bytes) -> bool:
    """Whether the file lacks its end. OpenCV would fill the rest with grey, in which every site looks empty."""
    if content[:2] == b"\xff\xd8":
        return b"\xff\xd9" not in content[-4096:]  # some phones append data after the picture's end
    if content[:4] == b"\x89PNG":
        return b"IEND" not in content[-64:]
    return content[:4] == b"RIFF" and len(content) < 8 + int.from_bytes(content[4:8], "little")
