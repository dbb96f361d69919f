"""The canvas that paints pixels. It draws twice as finely as asked and shrinks at the end, which smooths every edge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sheets.canvas import Colour, Line, Picture
from vision.sheets.geometry import DPI, Point, size_px

_FINE = 2
_SHIFT = 4  # OpenCV takes coordinates in sixteenths of a pixel

Fixed = NDArray[np.int32]


class RasterCanvas:
    """A white sheet of `size_mm` on which to draw; `pixels` is what stands on it at the end."""

    def __init__(self, size_mm: Point, dpi: int = DPI) -> None:
        self._size = size_px(size_mm, dpi)
        self._scale = _FINE * dpi / 25.4
        self._paper: Picture = np.full((self._size[1] * _FINE, self._size[0] * _FINE, 3), 255, np.uint8)

    def fill(self, rings: Sequence[Line], colour: Colour, alpha: float = 1.0) -> None:
        def draw(paper: Picture, lines: list[Fixed]) -> None:
            cv2.fillPoly(paper, lines, colour, cv2.LINE_AA, _SHIFT)

        self._paint([self._fixed(ring) for ring in rings], alpha, 2, draw)

    def stroke(self, line: Line, colour: Colour, width: float, closed: bool = False, alpha: float = 1.0) -> None:
        thick = max(1, round(width * self._scale))

        def draw(paper: Picture, lines: list[Fixed]) -> None:
            cv2.polylines(paper, lines, closed, colour, thick, cv2.LINE_AA, _SHIFT)

        self._paint([self._fixed(line)], alpha, thick, draw)

    def picture(self, pixels: Picture, left: float, top: float, width: float, height: float) -> None:
        x, y = round(left * self._scale), round(top * self._scale)
        w, h = round((left + width) * self._scale) - x, round((top + height) * self._scale) - y
        self._paper[y : y + h, x : x + w] = cv2.resize(pixels, (w, h), interpolation=cv2.INTER_LINEAR)

    @property
    def pixels(self) -> Picture:
        return cast(Picture, cv2.resize(self._paper, self._size, interpolation=cv2.INTER_AREA))

    def _fixed(self, line: Line) -> Fixed:
        # OpenCV counts from pixel centres, we from the sheet's corner.
        sixteenths = (np.asarray(line, dtype=float) * self._scale - 0.5) * 2**_SHIFT
        return cast(Fixed, np.round(sixteenths).astype(np.int32))

    def _paint(self, lines: list[Fixed], alpha: float, pad: int, draw: Callable[[Picture, list[Fixed]], None]) -> None:
        if alpha >= 1.0:
            draw(self._paper, lines)
            return
        every = np.concatenate(lines) >> _SHIFT
        low = np.maximum(every.min(axis=0) - pad, 0)
        high = np.maximum(every.max(axis=0) + pad + 2, low)
        under = self._paper[low[1] : high[1], low[0] : high[0]]
        if under.size:
            over = under.copy()
            draw(over, [line - (low.astype(np.int32) << _SHIFT) for line in lines])
            cv2.addWeighted(over, alpha, under, 1.0 - alpha, 0.0, dst=under)
