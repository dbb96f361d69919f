"""Where things lie: the places of a tray, the stickers, the arm from the side, the table from above."""

from __future__ import annotations

import re
from math import cos, radians, sin, tan
from pathlib import Path

from hardware.wiring.svg import INK, PAPER, SOFT, Drawing

ENCLOSURE = Path(__file__).parents[1] / "enclosure"
SHEET = (420.0, 297.0)
CAMERA_ANGLE = (66.0, 41.0)  # of a Camera Module 3, across and along the lean of the boom
TAN, SAND, WOOD, BLUE, RED = "#f1dfc3", "#fbf6ea", "#ead9bd", "#cfe0f3", "#c0392b"


def measures(name: str) -> dict[str, float]:
    """The plain numbers of an OpenSCAD file and of what it includes."""
    text = (ENCLOSURE / name).read_text("utf-8")
    found: dict[str, float] = {}
    for included in re.findall(r"^include <(.+)>", text, re.MULTILINE):
        found |= measures(included)
    return found | {key: float(value) for key, value in re.findall(r"^(\w+) = (-?[\d.]+);", text, re.MULTILINE)}


def camera_place(arm: dict[str, float]) -> tuple[float, float]:
    """How far from the table's edge and how high above the table the lens is, looking straight down."""
    along = (
        arm["socket_start"]
        + 5
        + arm["segments"] * arm["segment_length"]
        + arm["joint_length"]
        + 6
        + arm["fork_reach"]
        - 8
    )
    lean = radians(arm["lean"])
    return along * cos(lean) + 12 + 15.5, along * sin(lean) - 8


# --- Tray and stickers ---


def places_drawing() -> Drawing:
    page = Drawing(297, 210, "Places, antennas and stickers")
    page.heading(
        "Places, antennas and stickers",
        "All lengths in mm. Scales: the tray 1 : 1.6, the cut 1.3 : 1, the card 2 : 3, the tiki 1 : 1.",
    )
    tray = measures("tray.scad")
    _draw_tray(page, tray)
    _draw_section(page, tray)
    _draw_stickers(page, tray)
    return page


def _tray_middles(tray: dict[str, float]) -> list[float]:
    half = tray["places_left"] * tray["place_pitch"] + 2 * tray["end_margin"]
    left = [tray["end_margin"] + (index + 0.5) * tray["place_pitch"] for index in range(int(tray["places_left"]))]
    right = [
        half + tray["end_margin"] + (index + 0.5) * tray["place_pitch"] for index in range(int(tray["places_right"]))
    ]
    return left + right


def _draw_tray(page: Drawing, tray: dict[str, float]) -> None:
    scale, left, top = 0.625, 18.0, 27.0
    middles = _tray_middles(tray)
    half = tray["places_left"] * tray["place_pitch"] + 2 * tray["end_margin"]
    width = half + tray["places_right"] * tray["place_pitch"] + 2 * tray["end_margin"]
    front = tray["wall"] + tray["lip_depth"] + tray["lid_fit"] + tray["card_play"]
    depth = front + tray["card_length"] + tray["card_play"] + tray["strip_depth"] + tray["wall"]
    bottom = top + depth * scale
    page.box(left, top, half * scale, depth * scale, SAND)
    page.box(left + half * scale, top, (width - half) * scale, depth * scale, SAND)
    strip = tray["strip_depth"] * scale
    page.box(left + 70 * scale, top + 7 * scale, 110 * scale, 24 * scale, "#dcebdf", SOFT, 0.3)
    page.text(left + 125 * scale, top + strip / 2 + 2, "Pico and buffers", 3, "middle")
    page.text(left + (half + 70) * scale, top + strip / 2 + 2, "cables", 3, "middle", SOFT)
    for number, middle in enumerate(middles, start=1):
        _draw_place(
            page, tray, number, left + middle * scale, bottom - (front + tray["card_length"] / 2) * scale, scale
        )
    y = bottom + 7
    page.measure((left + middles[0] * scale, y), (left + middles[1] * scale, y), f"{tray['place_pitch']:g}", -3.6)
    joint = middles[3] - middles[2]
    page.measure((left + middles[2] * scale, y), (left + middles[3] * scale, y), f"{joint:g}", -3.6)
    page.measure((left, y + 8), (left + width * scale, y + 8), f"{width:g}, printed in two halves", -3.6)
    page.measure((left + width * scale + 5, bottom), (left + width * scale + 5, top), f"{depth:.0f}", -3.8)


def _draw_place(page: Drawing, tray: dict[str, float], number: int, x: float, y: float, scale: float) -> None:
    card = (tray["card_width"] * scale, tray["card_length"] * scale)
    page.box(x - card[0] / 2, y - card[1] / 2, *card, PAPER, SOFT, 0.3, radius=2)
    board = (tray["reader_width"] * scale, tray["reader_length"] * scale)
    end = tray["antenna_from_end"] * scale
    page.box(x - board[0] / 2, y + end - board[1], *board, BLUE, SOFT, 0.3)
    antenna = tray["antenna_size"] * scale
    page.box(x - antenna / 2, y - antenna / 2, antenna, antenna, "none", "#2471a3", 0.7, radius=2)
    page.circle(x, y, tray["sticker"] / 2 * scale, PAPER, RED, 0.5)
    page.text(x, y + 1.4, str(number), 4, "middle", bold=True)
    page.text(x, y + card[1] / 2 - 3, f"place-{number}", 2.7, "middle", SOFT)


def _draw_section(page: Drawing, tray: dict[str, float]) -> None:
    scale, left, floor = 1.3, 18.0, 180.0
    pitch = tray["place_pitch"]
    base = tray["floor_thickness"] + tray["under_reader"] + tray["reader_pcb"] + tray["reader_play"]
    lid = tray["lid_thickness"]
    page.text(left, floor - 44, "Cut across two places", 3.6, bold=True)
    page.box(
        left, floor - tray["floor_thickness"] * scale, 2 * pitch * scale, tray["floor_thickness"] * scale, TAN, radius=0
    )
    page.box(left, floor - (base + lid) * scale, 2 * pitch * scale, lid * scale, TAN, radius=0)
    xs = [left + 0.5 * pitch * scale, left + 1.5 * pitch * scale]
    board_y = floor - (tray["floor_thickness"] + tray["under_reader"] + tray["reader_pcb"]) * scale
    for x in xs:
        width = tray["reader_width"] * scale
        page.box(x - width / 2, board_y, width, tray["reader_pcb"] * scale, BLUE, radius=0)
        page.box(x - 4, board_y + tray["reader_pcb"] * scale, 8, 4.5, "#9fb4c9", radius=0.4)
    card_y = floor - (base + lid) * scale - 1
    x = xs[0]
    page.box(x - tray["card_width"] / 2 * scale, card_y, tray["card_width"] * scale, 0.8, PAPER, INK, 0.3, radius=0)
    page.box(x - tray["sticker"] / 2 * scale, card_y - 1, tray["sticker"] * scale, 1, RED, RED, 0.1, radius=0)
    page.text(x, card_y - 3, "card with its sticker", 2.8, "middle")
    near, far = x + tray["sticker"] / 2 * scale, xs[1] - tray["reader_width"] / 2 * scale
    gap = pitch - tray["sticker"] / 2 - tray["reader_width"] / 2
    for at, low in ((near, card_y), (far, board_y)):
        page.line([(at, low), (at, card_y - 13)], SOFT, 0.2, "1 1")
    page.measure((near, card_y - 12), (far, card_y - 12), f"{gap:g} from a sticker to its neighbour's antenna", 1.4)
    page.measure((xs[0], floor + 6), (xs[1], floor + 6), f"{pitch:g}", -3.8)
    page.text(xs[1] + 10, card_y - 2, f"{lid + tray['reader_play']:g} of plastic and air", 2.8, "middle")
    page.text(left, floor + 17, "Reader boards lie with their parts down, the smooth side against the lid.", 2.9)
    page.text(left, floor + 22, "Table top of metal? 15 mm of wood, cork or felt under the tray.", 2.9)


def _draw_stickers(page: Drawing, tray: dict[str, float]) -> None:
    x, y = 219.0, 139.0
    page.text(x - 8, y - 3, "Sticker places", 3.6, bold=True)
    page.box(x - 8, y + 1, 42, 58.7, PAPER, INK, 0.3, radius=2)
    page.circle(x + 13, y + 30.3, tray["sticker"] / 3, PAPER, RED, 0.6)
    page.text(x + 13, y + 29.8, "NTAG213", 2.4, "middle")
    page.text(x + 13, y + 33.6, "25", 2.6, "middle")
    page.text(x + 13, y + 8, "card 63 x 88", 2.8, "middle", SOFT)
    page.text(x + 13, y + 54, "in the very middle", 2.8, "middle", SOFT)
    page.shape([(x + 52, y + 5), (x + 62, y + 5), (x + 62, y + 27), (x + 52, y + 27)], TAN)
    page.box(x + 52, y + 27, 10, 0.8, RED, RED, 0.1, radius=0)
    page.text(x + 64, y + 17, "tiki", 2.8, colour=SOFT)
    page.box(x + 52, y + 38, 10, 10, TAN, radius=0.3)
    page.circle(x + 57, y + 43, 4.9, PAPER, RED, 0.6)
    page.text(x + 57, y + 44, "10", 2.6, "middle")
    page.text(x + 57, y + 54, "its foot from below", 2.8, "middle", SOFT)


# --- The arm from the side ---


def arm_drawing() -> Drawing:
    page = Drawing(210, 297, "The camera arm")
    page.heading("The camera arm", "From the side, at about 1 : 4. All lengths in mm.")
    arm = measures("camera_arm.scad")
    scale, edge, table = 0.24, 36.0, 214.0
    inward, height = camera_place(arm)
    lens = (edge + inward * scale, table - height * scale)
    page.box(edge, table, 166, 30 * scale, WOOD, radius=0)
    page.text(199, table + 5, "table, up to 45 thick", 2.8, "end", SOFT)
    _draw_view(page, lens, table, scale)
    _draw_boom(page, arm, edge, table, scale)
    page.box(lens[0] - 4, lens[1] - 1.5, 8, 2.2, "#dcebdf", radius=0.4)
    page.circle(*lens, 1.1, INK)
    page.measure((lens[0], lens[1] + 2), (lens[0], table), f"{height:.0f}", -3.8)
    page.line([(edge, table + 12), (edge, table + 34)], SOFT, 0.2, "1 1")
    page.line([(lens[0], table + 8), (lens[0], table + 34)], SOFT, 0.2, "1 1")
    page.measure(
        (edge, table + 32), (lens[0], table + 32), f"{inward:.0f} from the edge to the middle of the board", -3.8
    )
    short = SHEET[1] * scale
    page.box(lens[0] - short / 2, table - 1.2, short, 1.2, "#9fd0c0", radius=0)
    page.text(lens[0] + 8, table - 3, "board, 297 deep", 2.8)
    page.lines_of_text(10, 264, (
        "The long side of the picture lies along the table's edge, so the boom is never in view.",
        "Clamp it between two seats, where the lamp above the table does not throw its shadow on the board.",
        f"It sees {seen(height, 0):.0f} x {seen(height, 1):.0f} mm: the sheet, the rail, and room for a nudge.",
        "A wider table or a lower lamp: change lean or segment_length in camera_arm.scad, and focus again.",
    ), 2.8)  # fmt: skip
    return page


def seen(height: float, axis: int) -> float:
    return 2 * height * tan(radians(CAMERA_ANGLE[axis] / 2))


def _draw_view(page: Drawing, lens: tuple[float, float], table: float, scale: float) -> None:
    half = (table - lens[1]) * tan(radians(CAMERA_ANGLE[1] / 2))
    page.shape([lens, (lens[0] - half, table), (lens[0] + half, table)], "#f2f8fc", "#b9d3e6", 0.3)
    page.text(lens[0] + 4, table - 60, "what the camera sees", 2.8, colour="#2471a3", turn=72)


def _draw_boom(page: Drawing, arm: dict[str, float], edge: float, table: float, scale: float) -> None:
    lean = radians(arm["lean"])

    def at(along: float, aside: float) -> tuple[float, float]:
        x, y = along * cos(lean) - aside * sin(lean), along * sin(lean) + aside * cos(lean)
        return edge + x * scale, table - y * scale

    def piece(start: float, end: float, width: float, fill: str) -> None:
        page.shape([at(start, -width / 2), at(end, -width / 2), at(end, width / 2), at(start, width / 2)], fill)

    jaw, spine, low = arm["jaw_reach"], arm["spine"], arm["table_max"] + 5
    outline = [(-spine, arm["jaw_height"]), (jaw, arm["jaw_height"]), (jaw, 0), (0, 0), (0, -low), (jaw, -low),
               (jaw, -low - arm["jaw_height"]), (-spine, -low - arm["jaw_height"])]  # fmt: skip
    start, length = arm["socket_start"] + 5, arm["segment_length"]
    for index in range(int(arm["segments"])):
        piece(start + index * length, start + (index + 1) * length, arm["tube"], SAND if index % 2 else TAN)
        x, y = at(start + (index + 0.5) * length, 22)
        if index != 1:
            page.text(x - 2, y, f"segment {index + 1}", 2.8, "end")
    end = start + arm["segments"] * length
    piece(end, end + arm["joint_length"] + 20, arm["tube"], WOOD)
    page.text(at(end + 20, 20)[0] - 2, at(end + 20, 20)[1], "head, tilts", 2.8, "end")
    piece(start, start + arm["socket_length"], arm["tube"] + 11, WOOD)
    page.shape([(edge + x * scale, table - y * scale) for x, y in outline], WOOD)
    bolt = edge + jaw * 0.62 * scale
    page.box(bolt - 1, table + 7.2, 2, 13, "#c9ced3", radius=0.2)
    page.box(bolt - 5, table + 20.2, 10, 3, WOOD)
    page.text(edge - 6, table + 8, "clamp", 2.8, "end")
    page.text(bolt + 7, table + 22.8, "knob, M8 bolt, pad", 2.8)
    pi_start = start + length + 45
    page.shape([at(pi_start, 14), at(pi_start + 92, 14), at(pi_start + 92, 32), at(pi_start, 32)], "#dcebdf")
    x, y = at(pi_start + 46, 36)
    page.text(x - 2, y, "Pi on its plate", 2.8, "end")
    page.line([at(pi_start + 85, 14), at(end + arm["joint_length"], 14)], RED, 0.5, "2 1")
    page.text(*at(end - 195, 22), "ribbon, 500", 2.8, "end", RED)
    page.text(edge + 13, table - 4.5, f"{arm['lean']:g}°", 2.8)


# --- The table from above ---


def table_drawing() -> Drawing:
    page = Drawing(297, 210, "A table for six, from above")
    page.heading(
        "A table for six, from above",
        "At 1 : 5.5. A table of 120 x 80 cm holds everything: board, rail, six trays and the arm.",
    )
    tray, rail, arm = measures("tray.scad"), measures("tiki_rail.scad"), measures("camera_arm.scad")
    scale, left, top = 1 / 5.5, 40.0, 34.0
    page.box(left, top, 1200 * scale, 800 * scale, WOOD, SOFT, 0.4, radius=3)
    middle = (left + 600 * scale, top + (800 - camera_place(arm)[0]) * scale)
    board = (SHEET[0] * scale, SHEET[1] * scale)
    page.box(middle[0] - board[0] / 2, middle[1] - board[1] / 2, *board, "#9fd0c0")
    page.text(middle[0] - 20, middle[1] + 1, "board, A3", 3.2, "middle")
    _draw_rail(page, rail, middle[0] - board[0] / 2, middle[1] + board[1] / 2, scale)
    width = sum(tray[half] * tray["place_pitch"] + 2 * tray["end_margin"] for half in ("places_left", "places_right"))
    size = (width * scale, 130 * scale)
    edges = (left, top, left + 1200 * scale, top + 800 * scale)
    _draw_seats(page, edges, size, 110 * scale)
    _draw_middle(page, middle, edges[3])
    page.lines_of_text(10, 196, (
        "Readers over USB: one cable per tray and one for the rail, all into the hub, the hub into the Pi.",
        "No metal under trays, rail or board. Drinks stand outside the camera's picture.",
    ))  # fmt: skip
    return page


def _draw_seats(
    page: Drawing, edges: tuple[float, float, float, float], size: tuple[float, float], inset: float
) -> None:
    """Six trays around the table: two on each long side, one on each short one."""
    left, top, right, bottom = edges
    near, far = left + inset, right - inset - size[0]
    for number, x, y in (
        (1, near, bottom - size[1] - 2),
        (2, far, bottom - size[1] - 2),
        (4, far, top + 2),
        (5, near, top + 2),
    ):
        _draw_seat_tray(page, (x, y), size, f"tray, seat {number}")
    for number, x in ((3, right - size[1] - 2), (6, left + 2)):
        y = (top + bottom) / 2 - size[0] / 2
        page.box(x, y, size[1], size[0], SAND)
        page.text(x + size[1] / 2 + 1, y + size[0] / 2, f"tray, seat {number}", 2.8, "middle", turn=-90)


def _draw_middle(page: Drawing, middle: tuple[float, float], bottom: float) -> None:
    """The arm with its camera, the Pi, and the hub under the table."""
    x, y = middle
    page.shape([(x - 2.2, bottom + 4), (x - 2.2, y), (x + 2.2, y), (x + 2.2, bottom + 4)], SAND)
    page.circle(x, y, 2.6, "#dcebdf")
    page.text(x + 4, y + 1, "camera", 2.8)
    page.box(x - 5, bottom - 25, 10, 11, "#dcebdf")
    page.text(x, bottom - 18.4, "Pi", 2.8, "middle")
    page.text(x, bottom + 9, "clamp", 2.8, "middle")
    page.box(x + 22, bottom + 4, 24, 7, "#dfe5ea")
    page.text(x + 34, bottom + 8.6, "USB hub", 2.8, "middle")
    page.text(x + 48, bottom + 8.6, "under the table; a cable of 1.5 m reaches every tray", 2.8, colour=SOFT)


def _draw_seat_tray(page: Drawing, at: tuple[float, float], size: tuple[float, float], words: str) -> None:
    page.box(*at, *size, SAND)
    page.text(at[0] + size[0] / 2, at[1] + size[1] / 2 + 1, words, 2.8, "middle")


def _draw_rail(page: Drawing, rail: dict[str, float], left: float, board_edge: float, scale: float) -> None:
    depth = rail["wall"] * 2 + rail["lip_depth"] + 6 + rail["reader_width"] + rail["strip_depth"]
    top = board_edge + 4 * scale
    page.box(left, top, SHEET[0] * scale, depth * scale, SAND)
    shift = rail["reader_length"] / 2 - rail["antenna_from_end"]
    home = rail["wall"] + rail["lip_depth"] + 3 + rail["reader_width"] / 2
    colours = ("#7d3c98", "#e58fb1", "#f1c40f", "#2471a3", "#1e8449", "#e67e22")
    for index, colour in enumerate(colours):
        page.circle(
            left + ((index + 0.5) * rail["home_pitch"] - shift) * scale, top + home * scale, 2, colour, INK, 0.3
        )
    page.text(left + 17, top + depth * scale - 2.6, "tiki rail: six homes", 2.8, "middle")
