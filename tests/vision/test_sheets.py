"""What is printed is where the files say it is, and is fit to be played on and read by a camera."""

import errno
import json
import re
import subprocess
import sys
from functools import cache
from itertools import combinations, pairwise, product
from math import cos, dist, sin, tau
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.games.makabana.board import BOARD_NAMES, Board, beach_of, coordinates_of, load_board, parse_board
from vision.sheets import SheetError, print_board, print_cards, print_markers, print_palette
from vision.sheets.artwork import Art, plan_art
from vision.sheets.boards import board_pdf_a3, board_pdf_a4, board_picture, png_bytes, sheet_json
from vision.sheets.canvas import Line, Picture, Point, dashes, length_of
from vision.sheets.cards import CARD_MM, cards_pdf, place_of
from vision.sheets.colours import PIECES
from vision.sheets.decks import COLOURS, EDITIONS, beach_names, deck, decks
from vision.sheets.frame import white_rings
from vision.sheets.geometry import (
    DICTIONARY,
    DPI,
    MARGIN_MM,
    MARKER_CELLS,
    STICKER_SETS,
    Sheet,
    board_ids,
    palette_ids,
    sheet_geometry,
    sticker_ids,
    to_json,
)
from vision.sheets.island import LAGOON, island_of
from vision.sheets.lettering import strokes_along
from vision.sheets.lines import complex_outlines
from vision.sheets.palette import palette_markers, swatches
from vision.sheets.tiling import A4_MM, OVERLAP_MM, tiles

BOARDS = pytest.mark.parametrize("name", BOARD_NAMES)
EVERY_ID = [
    *(ident for name in BOARD_NAMES for ident in board_ids(name)),
    *(ident for name in STICKER_SETS for ident in sticker_ids(name)),
    *palette_ids(),
]


@cache
def sheet_of(name: str) -> Sheet:
    return sheet_geometry(load_board(name))


@cache
def art_of(name: str) -> Art:
    return plan_art(sheet_of(name))


@cache
def picture_of(name: str) -> Picture:
    return board_picture(art_of(name))


def rim_of(centre: Point, radius: float) -> list[Point]:
    return [(centre[0] + radius * cos(tau * i / 48), centre[1] + radius * sin(tau * i / 48)) for i in range(48)]


def is_inside(point: Point, ring: Line) -> bool:
    """Whether a closed line surrounds a point, by counting how often a ray to the right crosses it."""
    x, y = point
    crossings = 0
    for (ax, ay), (bx, by) in pairwise([*ring, ring[0]]):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            crossings += 1
    return crossings % 2 == 1


def own_board() -> Board:
    """A square island of an owner, without lagoon sites and without any neighbours."""
    sites = [
        {"id": f"Ohana-{sector}-{spot}", "x": 0.2 + 0.3 * column, "y": 0.2 + 0.3 * row}
        for row, sector in enumerate(("Herbe", "Rocher", "Sable"))
        for column, spot in enumerate(("Fleur", "Poisson", "Tatouage"))
    ]
    return parse_board({"board": "my-island", "edition": "2003", "aspect": [1, 1], "sites": sites})


# --- geometry ---


@BOARDS
def test_sites_and_clubs_lie_inside_the_artwork(name: str) -> None:
    sheet = sheet_of(name)
    art = sheet.art_mm
    assert sheet.sites_mm.keys() == load_board(name).sites.keys()
    assert sheet.clubs_mm.keys() == load_board(name).clubs.keys()
    for (x, y), radius in [
        *((point, sheet.plot_mm / 2) for point in sheet.sites_mm.values()),
        *((point, sheet.club_mm / 2) for point in sheet.clubs_mm.values()),
    ]:
        assert art.left < x - radius
        assert x + radius < art.right
        assert art.top < y - radius
        assert y + radius < art.bottom


def test_a_known_site_lies_where_its_board_file_says() -> None:
    assert sheet_of("maka-bana").sites_mm["Azzura-Lagon-Fleur"] == pytest.approx(
        (30 + 0.664 * 360, 24.075 + 0.799 * 248.85)
    )


@BOARDS
def test_plots_leave_room_for_each_other_and_for_a_hut(name: str) -> None:
    sheet = sheet_of(name)
    assert all(dist(a, b) > sheet.plot_mm for a, b in combinations(sheet.sites_mm.values(), 2))
    assert sheet.plot_mm >= 14.2


def test_all_boards_share_one_frame() -> None:
    frames = {tuple(marker.corners_mm for marker in sheet_of(name).markers) for name in BOARD_NAMES}
    assert len(frames) == 1
    assert len({sheet_of(name).art_mm for name in BOARD_NAMES}) == 1


@BOARDS
def test_markers_keep_their_quiet_zone_free(name: str) -> None:
    sheet = sheet_of(name)
    art = sheet.art_mm
    assert len(sheet.markers) >= 12
    zones = []
    for marker in sheet.markers:
        (left, top), _, (right, bottom), _ = marker.corners_mm
        assert min(left, top) >= MARGIN_MM
        assert right <= sheet.size_mm[0] - MARGIN_MM
        assert bottom <= sheet.size_mm[1] - MARGIN_MM
        quiet = marker.side_mm / MARKER_CELLS
        zones.append((left - quiet, top - quiet, right + quiet, bottom + quiet))
    for a, b in combinations([*zones, (art.left, art.top, art.right, art.bottom)], 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


@BOARDS
def test_marker_corners_run_clockwise_from_the_top_left(name: str) -> None:
    for marker in sheet_of(name).markers:
        a, b, c, d = marker.corners_mm
        assert a[0] == d[0] < b[0] == c[0]
        assert a[1] == b[1] < c[1] == d[1]


def test_no_marker_is_used_twice_anywhere() -> None:
    assert len(EVERY_ID) == len(set(EVERY_ID)) == 4 * 20 + 3 * 8 + 4


def test_printed_codes_are_far_apart_and_differ_from_their_mirror_images() -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    codes = [cv2.aruco.generateImageMarker(dictionary, ident, MARKER_CELLS)[1:-1, 1:-1] > 0 for ident in EVERY_ID]
    turned = [[np.rot90(code, quarter) for quarter in range(4)] for code in codes]
    for a, b in product(range(len(codes)), repeat=2):
        if a != b:
            assert min(int((codes[a] != turn).sum()) for turn in turned[b]) >= 4
        assert min(int((np.fliplr(codes[a]) != turn).sum()) for turn in turned[b]) >= 2


def test_an_owners_board_of_other_proportions_fits_into_the_frame() -> None:
    sheet = sheet_geometry(own_board())
    assert (sheet.art_mm.width, sheet.art_mm.height) == pytest.approx((249.0, 249.0))
    assert not {marker.id for marker in sheet.markers} & {ident for name in BOARD_NAMES for ident in board_ids(name)}


@BOARDS
def test_json_tells_what_a_reader_needs(name: str) -> None:
    sheet, found = sheet_of(name), json.loads(sheet_json(sheet_of(name)))
    assert found == to_json(sheet)
    assert found["board"] == name
    assert found["size_mm"] == [420.0, 297.0]
    assert found["picture"] == {"file": f"{name}.png", "dpi": 200, "size_px": [3307, 2339]}
    assert found["sites_mm"].keys() == sheet.sites_mm.keys()
    assert all(found["sites_mm"][site] == pytest.approx(point, abs=0.001) for site, point in sheet.sites_mm.items())
    assert all(found["clubs_mm"][beach] == pytest.approx(point, abs=0.001) for beach, point in sheet.clubs_mm.items())
    assert found["marker_dictionary"] == "DICT_4X4_250"
    assert [marker["id"] for marker in found["markers"]] == list(board_ids(name))
    assert all(len(marker["corners_mm"]) == 4 for marker in found["markers"])


# --- the picture ---


@BOARDS
def test_every_marker_is_found_in_the_picture_where_the_json_says(name: str) -> None:
    picture, expected = picture_of(name), to_json(sheet_of(name))
    assert picture.shape == (2339, 3307, 3)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, expected["marker_dictionary"]))
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(
        cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    )
    found = {
        int(i): (np.reshape(c, (4, 2)) + 0.5) * 25.4 / DPI for i, c in zip(np.reshape(ids, -1), corners, strict=True)
    }
    assert found.keys() == {marker["id"] for marker in expected["markers"]}
    for marker in expected["markers"]:
        assert np.abs(found[marker["id"]] - marker["corners_mm"]).max() < 0.3


def test_a_mirrored_picture_shows_no_printed_code() -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    mirrored = cv2.flip(cv2.cvtColor(picture_of("nadaa"), cv2.COLOR_RGB2GRAY), 1)
    _, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(mirrored)
    assert not set(EVERY_ID) & set([] if ids is None else np.reshape(ids, -1).tolist())


@BOARDS
def test_same_board_gives_the_same_bytes(name: str) -> None:
    again = plan_art(sheet_geometry(load_board(name)))
    assert png_bytes(board_picture(again)) == png_bytes(picture_of(name))
    assert sheet_json(again.sheet) == sheet_json(sheet_of(name))


def test_same_board_gives_the_same_pdf() -> None:
    assert board_pdf_a3(art_of("nadaa")) == board_pdf_a3(art_of("nadaa"))


def chroma_and_lightness(colours: Picture) -> tuple[np.ndarray, np.ndarray]:
    lab = cv2.cvtColor(colours.astype(np.float32) / 255, cv2.COLOR_RGB2Lab)
    return np.hypot(lab[..., 1], lab[..., 2]), lab[..., 0]


@BOARDS
def test_the_printed_ground_is_paler_than_any_piece(name: str) -> None:
    art = sheet_of(name).art_mm
    left, top, right, bottom = (round(mm * DPI / 25.4) for mm in (art.left, art.top, art.right, art.bottom))
    chroma, lightness = chroma_and_lightness(picture_of(name)[top:bottom, left:right])
    pieces = np.array([[piece.ink for name, piece in PIECES.items() if name != "black"]], np.uint8)
    assert np.percentile(chroma, 99) + 12 < chroma_and_lightness(pieces)[0].min()
    assert np.percentile(lightness, 10) > 70


@BOARDS
def test_an_empty_plot_has_a_pattern_that_a_piece_would_cover(name: str) -> None:
    grey = cv2.cvtColor(picture_of(name), cv2.COLOR_RGB2GRAY)
    for x, y in sheet_of(name).sites_mm.values():
        column, row = round(x * DPI / 25.4), round(y * DPI / 25.4)
        plot = grey[row - 55 : row + 56, column - 55 : column + 56]
        assert plot.std() > 20
        assert np.median(plot) > 200


# --- the map ---


@BOARDS
def test_dashes_enclose_exactly_the_sites_of_one_complex(name: str) -> None:
    sheet = sheet_of(name)
    outlines = complex_outlines(sheet)
    assert [sites for sites, _ in outlines] == list(sheet.board.complexes)
    for sites, ring in outlines:
        for site, centre in sheet.sites_mm.items():
            rim = rim_of(centre, sheet.plot_mm / 2 + 0.5)
            assert {is_inside(point, ring) for point in rim} == {site in sites}, site
            least = min(dist(centre, point) for point in ring)
            assert least > sheet.plot_mm / 2 + 0.5


@BOARDS
def test_dashes_of_two_complexes_never_touch(name: str) -> None:
    rings = [np.array(ring) for _, ring in complex_outlines(sheet_of(name))]
    for a, b in combinations(rings, 2):
        assert np.hypot(*(a[:, None] - b[None]).transpose(2, 0, 1)).min() > 0.8


@BOARDS
def test_every_plot_lies_on_its_own_ground(name: str) -> None:
    sheet = sheet_of(name)
    island = island_of(sheet, np.random.default_rng(1))
    for site, centre in sheet.sites_mm.items():
        beach, sector, _ = coordinates_of(site)
        at = island.grid.indices([centre, *rim_of(centre, sheet.plot_mm / 2)])
        assert {island.sectors[index] for index in island.owner[at]} == {(beach, sector)}
        ground = island.lagoon if sector == LAGOON else island.land
        assert ground[at].min() > 0, site


@BOARDS
def test_club_places_lie_in_the_lagoon_of_their_beach(name: str) -> None:
    sheet = sheet_of(name)
    island = island_of(sheet, np.random.default_rng(1))
    for beach, centre in sheet.clubs_mm.items():
        at = island.grid.indices([centre, *rim_of(centre, sheet.club_mm / 2)])
        assert {island.sectors[index][0] for index in island.owner[at]} == {beach}
        assert island.lagoon[at].min() > 0


@BOARDS
def test_roads_jetties_and_names_stay_off_the_plots(name: str) -> None:
    art = art_of(name)
    lines = [*art.roads, *art.jetties]
    lines += [stroke for word in art.names for stroke in strokes_along(word.text, word.line, word.height)]
    sheet = art.sheet
    drawn = np.array([point for line in lines for point in line])
    for centre in sheet.sites_mm.values():
        assert np.hypot(*(drawn - centre).T).min() > sheet.plot_mm / 2 + 0.5
    for centre in sheet.clubs_mm.values():
        assert np.hypot(*(drawn - centre).T).min() > sheet.club_mm / 2


@BOARDS
def test_board_beaches_and_sectors_are_named(name: str) -> None:
    names = [word.text for word in art_of(name).names]
    board = load_board(name)
    assert name.replace("-", " ").upper() in names
    assert {beach.upper() for beach in board.beaches} <= set(names)
    sectors = {coordinates_of(site)[:2] for site in board.sites}
    assert sorted(names[len(board.beaches) + 1 :]) == sorted(sector.upper() for _, sector in sectors)


@BOARDS
def test_a_road_separates_every_two_beaches_that_meet_on_land(name: str) -> None:
    """Walking between neighbouring sites of different beaches crosses a road."""
    art = art_of(name)
    sites = art.sheet.sites_mm
    roads = np.array([point for road in art.roads for point in road])
    for a, b in art.sheet.board.adjacent:
        if beach_of(a) != beach_of(b):
            way = np.linspace(sites[a], sites[b], 50)
            assert np.hypot(*(way[:, None] - roads[None]).transpose(2, 0, 1)).min() < 1.0, (a, b)


def test_an_owners_board_without_lagoon_or_neighbours_can_be_drawn() -> None:
    art = plan_art(sheet_geometry(own_board()))
    assert len(art.complexes) == 9
    assert "OHANA" in [word.text for word in art.names]


# --- pages ---


def page_sizes_mm(pdf: bytes) -> list[tuple[float, float]]:
    boxes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
    return [(round(float(w) / 72 * 25.4, 1), round(float(h) / 72 * 25.4, 1)) for w, h in boxes]


@BOARDS
def test_a3_is_one_page_at_true_scale(name: str) -> None:
    assert page_sizes_mm(board_pdf_a3(art_of(name))) == [(420.0, 297.0)]


def test_a4_is_three_upright_pages() -> None:
    assert page_sizes_mm(board_pdf_a4(art_of("nadaa"))) == [(210.0, 297.0)] * 3


@BOARDS
def test_tiles_cover_the_sheet_with_the_stated_overlap(name: str) -> None:
    sheet = sheet_of(name)
    pages = tiles(sheet)
    assert (pages[0].part.left, pages[-1].part.right) == (0.0, 420.0)
    for before, after in pairwise(pages):
        assert before.part.right - after.part.left == pytest.approx(OVERLAP_MM)
    for tile in pages:
        assert (tile.part.top, tile.part.height) == (0.0, 297.0)
        # What is printed of the sheet, without its white margins, falls where a printer can reach.
        printed_left = tile.at[0] + max(MARGIN_MM - tile.part.left, 0.0)
        printed_right = tile.right - max(tile.part.right - (420.0 - MARGIN_MM), 0.0)
        assert printed_left >= MARGIN_MM
        assert printed_right <= A4_MM[0] - MARGIN_MM


@BOARDS
def test_no_cut_goes_through_a_marker(name: str) -> None:
    sheet = sheet_of(name)
    for tile in tiles(sheet)[1:]:
        for marker in sheet.markers:
            assert not marker.corners_mm[0][0] - 2 < tile.part.left < marker.corners_mm[1][0] + 2


@pytest.mark.parametrize(("edition", "count", "pages"), [("2013", 90, 20), ("2003", 65, 16)])
def test_decks_are_complete(edition: str, count: int, pages: int) -> None:
    assert len(decks(edition)) == count
    assert page_sizes_mm(cards_pdf(edition)) == [A4_MM] * pages


def test_a_deck_of_2013_holds_the_cards_of_the_rulebook() -> None:
    kinds = [card.kind for card in deck("2013", "blue")]
    assert [kinds.count(kind) for kind in ("beach", "sector", "spot", "Paint", "Club")] == [5, 4, 3, 2, 1]
    pairs = [("Azzura", "Aloa"), ("Bikini", "Borea"), ("Coquito", "Coconut"), ("Diabolo", "Danae"), ("Evao",)]
    assert beach_names("2013") == pairs
    assert beach_names("2003") == [("Azzura",), ("Bikini",), ("Coquito",), ("Diabolo",)]
    assert {colour for edition in EDITIONS for colour in COLOURS[edition]} == PIECES.keys()


def test_backs_lie_behind_their_fronts_when_the_page_is_turned() -> None:
    for number in range(9):
        (front, top), (back, same_top) = place_of(number, is_back=False), place_of(number, is_back=True)
        assert back == pytest.approx(A4_MM[0] - front - CARD_MM[0])
        assert top == same_top


def test_palette_sheet_has_a_place_for_every_colour(tmp_path: Path) -> None:
    pdf, data = print_palette(tmp_path)
    assert page_sizes_mm(pdf.read_bytes()) == [A4_MM]
    found = json.loads(data.read_text("utf-8"))
    assert found["colours"].keys() == PIECES.keys()
    assert [marker["id"] for marker in found["markers"]] == list(palette_ids()) == [m.id for m in palette_markers()]
    huts = [swatch.hut for swatch in swatches()]
    assert all(dist(a, b) > 30 for a, b in combinations(huts, 2))


def test_marker_sheet_lists_its_stickers(tmp_path: Path) -> None:
    pdf, data = print_markers(tmp_path)
    assert page_sizes_mm(pdf.read_bytes()) == [A4_MM] * 3
    sets = json.loads(data.read_text("utf-8"))["sets"]
    assert {name: tuple(ids.values()) for name, ids in sets.items()} == {
        name: sticker_ids(name) for name in STICKER_SETS
    }
    assert all("top left" in ids for ids in sets.values())


@pytest.mark.parametrize("ident", EVERY_ID[:12])
def test_white_rings_surround_exactly_the_white_cells(ident: int) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    cells = cv2.aruco.generateImageMarker(dictionary, ident, MARKER_CELLS) > 0
    for row, column in np.ndindex(cells.shape):
        inside = sum(is_inside((column + 0.5, row + 0.5), ring) for ring in white_rings(ident)) % 2
        assert inside == cells[row, column]


def test_dashes_end_evenly_around_a_ring() -> None:
    square = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    found = dashes(square, 3.0, 2.0, closed=True)
    assert len(found) == 8
    assert sum(map(length_of, found)) == pytest.approx(24.0, abs=0.9)


# --- files ---


def test_print_board_writes_three_files_and_tells_its_progress(tmp_path: Path) -> None:
    told: list[str] = []
    written = print_board("nadaa", tmp_path / "new" / "folder", progress=told.append)
    assert [path.name for path in written] == ["nadaa-A3.pdf", "nadaa.png", "nadaa.json"]
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == sorted(
        path.name for path in written
    )
    assert told == ["drawing nadaa", "writing nadaa-A3.pdf", "writing nadaa.png and nadaa.json"]


@pytest.mark.parametrize(
    "write",
    [lambda out: print_board("nadaa", out), print_markers, print_cards, print_palette],
    ids=["board", "markers", "cards", "palette"],
)
def test_a_file_in_place_of_the_folder_is_told_kindly(tmp_path: Path, write) -> None:
    taken = tmp_path / "taken"
    taken.write_text("not a folder")
    with pytest.raises(SheetError, match=r"taken.* can't be written .*Choose another folder"):
        write(taken / "sheets")


def test_a_full_disk_leaves_the_old_sheet_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "palette.pdf"
    old.write_bytes(b"old")

    def full(self: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(SheetError, match=r"palette\.pdf can't be written \(No space left on device\)"):
        print_palette(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["palette.pdf"]
    assert old.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"board": "atlantis"}, "There is no board 'atlantis' to print; choose one of maka-bana,"),
        ({"board": "noka", "paper": "A5"}, "Paper 'A5' is unknown; choose A3, A4"),
    ],
)
def test_wrong_wishes_are_told_kindly(tmp_path: Path, arguments: dict[str, str], sentence: str) -> None:
    with pytest.raises(SheetError, match=re.escape(sentence)):
        print_board(out_dir=tmp_path, **arguments)
    assert list(tmp_path.iterdir()) == []


def test_unknown_edition_of_cards_is_told_kindly(tmp_path: Path) -> None:
    with pytest.raises(SheetError, match="no cards of edition '1999'"):
        print_cards(tmp_path, edition="1999")


def test_importing_the_sheets_loads_nothing_heavy() -> None:
    code = "import sys, vision.sheets; sys.exit(bool({'cv2', 'numpy', 'reportlab'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=False).returncode == 0
