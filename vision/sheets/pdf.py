"""The canvas that writes PDF pages at true scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from math import degrees

import cv2
from reportlab import rl_config
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas as Report
from reportlab.pdfgen.pathobject import PDFPathObject

from vision.sheets.canvas import Colour, Line, Picture, Point
from vision.sheets.geometry import Box

_POINTS = 72 / 25.4
_JPEG_QUALITY = 92
_ROUND, _EVEN_ODD = 1, 0  # the PDF standard's numbers
rl_config.useA85 = 0  # that old coding for 7-bit lines makes files a quarter larger and half as fast to write
_FONT, _BOLD = "Vera", "VeraBd"  # these come with ReportLab


class PdfCanvas:
    """Pages of `size_mm`; `content` ends the document and gives its bytes. Equal drawings give equal bytes."""

    def __init__(self, size_mm: Point, title: str) -> None:
        self._height = size_mm[1]
        self._bytes = BytesIO()
        # `invariant` leaves out the date, so that the same sheet is the same file.
        page = (size_mm[0] * _POINTS, size_mm[1] * _POINTS)
        self._report = Report(self._bytes, pagesize=page, invariant=1, pageCompression=1)
        self._report.setTitle(title)
        self._report.setAuthor("Maka Bana companion")
        # Printers like to shrink a page to their margins; this asks them not to.
        self._report.setViewerPreference("PrintScaling", "None")
        for name in (_FONT, _BOLD):
            pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))
        self._begin_page()

    def fill(self, rings: Sequence[Line], colour: Colour, alpha: float = 1.0) -> None:
        path = self._report.beginPath()
        for ring in rings:
            _trace(path, ring, closed=True)
        self._report.setFillColorRGB(*_shares(colour), alpha=alpha)
        self._report.drawPath(path, stroke=0, fill=1, fillMode=_EVEN_ODD)

    def stroke(self, line: Line, colour: Colour, width: float, closed: bool = False, alpha: float = 1.0) -> None:
        path = self._report.beginPath()
        _trace(path, line, closed)
        self._report.setStrokeColorRGB(*_shares(colour), alpha=alpha)
        self._report.setLineWidth(width)
        self._report.drawPath(path, stroke=1, fill=0)

    def picture(self, pixels: Picture, left: float, top: float, width: float, height: float) -> None:
        _, jpeg = cv2.imencode(".jpg", pixels[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
        self._report.saveState()
        self._report.translate(left, top + height)
        self._report.scale(1, -1)
        self._report.setFillAlpha(1.0)  # pictures would take over the last fill's
        self._report.drawImage(ImageReader(BytesIO(jpeg.tobytes())), 0, 0, width, height)
        self._report.restoreState()

    def text(
        self,
        text: str,
        at: Point,
        size: float,
        colour: Colour,
        *,
        bold: bool = False,
        turn: float = 0.0,
        centred: bool = False,
    ) -> None:
        """Writes one line of `size` mm with its foot at `at`, turned clockwise by radians."""
        self._report.saveState()
        self._report.translate(*at)
        self._report.rotate(degrees(turn))
        self._report.scale(1, -1)
        self._report.setFont(_BOLD if bold else _FONT, size)
        self._report.setFillColorRGB(*_shares(colour), alpha=1.0)
        (self._report.drawCentredString if centred else self._report.drawString)(0, 0, text)
        self._report.restoreState()

    @contextmanager
    def window(self, part: Box, at: Point) -> Iterator[None]:
        """While it is open, only `part` of what is drawn shows, with that part's top left corner at `at`."""
        self._report.saveState()
        self._report.translate(at[0] - part.left, at[1] - part.top)
        frame = self._report.beginPath()
        frame.rect(part.left, part.top, part.width, part.height)
        self._report.clipPath(frame, stroke=0, fill=0)
        yield
        self._report.restoreState()

    def next_page(self) -> None:
        self._report.showPage()
        self._begin_page()

    def content(self) -> bytes:
        self._report.save()
        return self._bytes.getvalue()

    def _begin_page(self) -> None:
        # From here on: mm, counted from the top left corner like everything else of ours.
        self._report.translate(0, self._height * _POINTS)
        self._report.scale(_POINTS, -_POINTS)
        self._pen()

    def _pen(self) -> None:
        self._report.setLineCap(_ROUND)
        self._report.setLineJoin(_ROUND)


def text_width(text: str, size: float, bold: bool = False) -> float:
    """The width of a line of `PdfCanvas.text` in mm."""
    return float(pdfmetrics.stringWidth(text, _BOLD if bold else _FONT, size))


def _trace(path: PDFPathObject, line: Line, closed: bool) -> None:
    path.moveTo(*line[0])
    for point in line[1:]:
        path.lineTo(*point)
    if closed:
        path.close()


def _shares(colour: Colour) -> tuple[float, float, float]:
    return colour[0] / 255, colour[1] / 255, colour[2] / 255
