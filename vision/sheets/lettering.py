"""Our own letters: rounded strokes of one width, friendly and legible from across a table.

Each letter stands on a height of 1 (0 is the top). Its strokes, in the form of `canvas.shape`, are separated by `|`.
`㎜`, one sign, is the only word in small letters.
"""

from __future__ import annotations

import unicodedata

from vision.sheets.canvas import Canvas, Colour, Line, Point, shape, walk

_LETTERS = {
    "A": "0,1 .38,0 .76,1|.14,.66 .62,.66",
    "B": "0,1 0,0|~0,0 .34,0 .53,.1 .56,.24 .5,.39 .32,.47 0,.47|~.3,.47 .52,.53 .62,.72 .52,.93 .3,1 0,1",
    "C": "~.7,.2 .58,.06 .4,0 .16,.1 .02,.36 0,.5 .02,.64 .16,.9 .4,1 .58,.94 .7,.8",
    "D": "0,0 0,1|~0,0 .3,.0 .55,.13 .69,.36 .71,.5 .69,.64 .55,.87 .3,1 0,1",
    "E": "0,0 0,1|0,0 .54,0|0,.48 .46,.48|0,1 .54,1",
    "F": "0,0 0,1|0,0 .54,0|0,.49 .44,.49",
    "G": "~.7,.2 .58,.06 .4,0 .16,.1 .02,.36 0,.5 .02,.64 .16,.9 .4,1 .6,.94 .72,.78 .74,.56|.44,.56 .74,.56",
    "H": "0,0 0,1|.64,0 .64,1|0,.49 .64,.49",
    "I": "0,0 0,1",
    "J": "~.46,0 .46,.35 .45,.72 .38,.93 .2,1 .06,.94 0,.8",
    "K": "0,0 0,1|.58,0 0,.58|.22,.38 .62,1",
    "L": "0,0 0,1 .52,1",
    "M": "0,1 .06,0 .42,.72 .78,0 .84,1",
    "N": "0,1 0,0 .66,1 .66,0",
    "O": "o.4,0 .16,.08 .02,.32 0,.5 .02,.68 .16,.92 .4,1 .64,.92 .78,.68 .8,.5 .78,.32 .64,.08",
    "P": "0,1 0,0|~0,0 .32,0 .52,.09 .58,.28 .52,.46 .32,.55 0,.55",
    "Q": "o.4,0 .16,.08 .02,.32 0,.5 .02,.68 .16,.92 .4,1 .64,.92 .78,.68 .8,.5 .78,.32 .64,.08|.5,.74 .8,1.04",
    "R": "0,1 0,0|~0,0 .32,0 .52,.08 .57,.26 .52,.43 .32,.52 0,.52|.3,.52 .6,1",
    "S": "~.54,.17 .46,.05 .3,0 .12,.06 .04,.24 .12,.4 .3,.48 .5,.57 .58,.75 .5,.93 .3,1 .1,.95 0,.81",
    "T": "0,0 .68,0|.34,0 .34,1",
    "U": "~0,0 0,.3 0,.62 .08,.88 .33,1 .58,.88 .66,.62 .66,.3 .66,0",
    "V": "0,0 .36,1 .72,0",
    "W": "0,0 .24,1 .5,.24 .76,1 1,0",
    "X": "0,0 .62,1|.62,0 0,1",
    "Y": "0,0 .34,.5 .68,0|.34,.5 .34,1",
    "Z": "0,0 .6,0 0,1 .62,1",
    "0": "o.3,0 .1,.1 0,.36 0,.64 .1,.9 .3,1 .5,.9 .6,.64 .6,.36 .5,.1",
    "1": "0,.18 .22,0 .22,1",
    "2": "~.02,.22 .1,.06 .28,0 .47,.07 .53,.25 .46,.44 .25,.7|.25,.7 0,1 .56,1",
    "3": "~.02,.14 .14,.02 .3,0 .48,.09 .5,.26 .42,.42 .24,.47|~.24,.47 .46,.54 .56,.73 .46,.93 .26,1 .1,.96 0,.84",
    "4": ".44,1 .44,0 0,.68 .6,.68",
    "5": ".5,0 .1,0 .06,.42|~.06,.42 .28,.37 .48,.46 .55,.68 .46,.91 .26,1 .1,.97 0,.86",
    "6": "~.48,.06 .28,.12 .08,.4 0,.68 .08,.92 .29,1 .5,.91 .57,.68 .49,.47 .3,.4 .1,.5 0,.68",
    "7": "0,0 .56,0 .18,1",
    "8": "o.29,.46 .1,.38 .06,.22 .12,.06 .29,0 .46,.06 .52,.22 .48,.38"
    "|o.29,.46 .08,.54 0,.74 .08,.94 .29,1 .5,.94 .58,.74 .5,.54",
    "9": "~.09,.94 .29,.88 .49,.6 .57,.32 .49,.08 .28,0 .07,.09 0,.32 .08,.53 .27,.6 .47,.5 .57,.32",
    "㎜": "0,.36 0,1|~0,.6 .1,.42 .22,.37 .33,.46 .35,.62 .35,1|~.35,.6 .45,.42 .57,.37 .68,.46 .7,.62 .7,1"
    "|1,.36 1,1|~1,.6 1.1,.42 1.22,.37 1.33,.46 1.35,.62 1.35,1|~1.35,.6 1.45,.42 1.57,.37 1.68,.46 1.7,.62 1.7,1",
    "-": "0,.54 .34,.54",
    "'": ".04,0 0,.2",
    ".": "0,.99 0,1",
    "·": "0,.53 0,.54",
}
_SPACE = 0.42
_TRACKING = 0.33


def text_width(text: str, height: float) -> float:
    """How far the letters reach from the middle of the first stroke to the middle of the last."""
    return sum(_advance(letter) for letter in _spelled(text)) * height - (_TRACKING * height if text else 0.0)


def write_along(
    canvas: Canvas, text: str, line: Line, height: float, colour: Colour, width: float, alpha: float = 1.0
) -> None:
    """Writes on a line, beginning at its start; every letter stands upright on the line where it is."""
    for stroke in strokes_along(text, line, height):
        canvas.stroke(stroke, colour, width, alpha=alpha)


def strokes_along(text: str, line: Line, height: float) -> list[list[Point]]:
    strokes = []
    at = 0.0
    for letter in _spelled(text):
        breadth = (_advance(letter) - _TRACKING) * height
        ((x, y), (dx, dy)) = next(walk(line, [at + breadth / 2]))
        for stroke in _strokes(letter):
            on_line = [(px * height - breadth / 2, (py - 1) * height) for px, py in stroke]
            strokes.append([(x + px * dx - py * dy, y + px * dy + py * dx) for px, py in on_line])
        at += breadth + _TRACKING * height
    return strokes


def write(canvas: Canvas, text: str, start: Point, height: float, colour: Colour, width: float) -> None:
    """Writes straight to the right of `start`, which is the foot of the first letter."""
    line = [start, (start[0] + max(1.0, text_width(text, height)), start[1])]
    write_along(canvas, text, line, height, colour, width)


def _spelled(text: str) -> str:
    """The text in letters that we have: accents dropped, small letters as capitals, the unknown as a space."""
    plain = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return "".join(c if c in _LETTERS else c.upper() if c.upper() in _LETTERS else " " for c in plain)


def _advance(letter: str) -> float:
    if letter == " ":
        return _SPACE
    return max(x for stroke in _strokes(letter) for x, _ in stroke) + _TRACKING


def _strokes(letter: str) -> list[tuple[Point, ...]]:
    return [shape(text) for text in _LETTERS.get(letter, "").split("|") if text]
