"""Whole pictures are read right, in the JSON form that others rely on. Their origin: tests/data/vision/README.md."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.photograph import photograph, view_from
from vision.annotate import annotated
from vision.calibration import calibrate, from_json, missing_colours, read_calibrated, to_json
from vision.errors import CalibrationUnusable
from vision.images import open_picture
from vision.locate.find import locate
from vision.read import read
from vision.reference import printed_reference
from vision.trace import parse_trace, reference_of_trace

DATA = Path(__file__).parents[1] / "data/vision"
PICTURES = {"maka-bana-normal": "maka-bana", "noka-hard": "noka", "maka-bana-2003-easy": "maka-bana-2003"}


def _case(name):
    return open_picture(DATA / f"{name}.jpg"), json.loads((DATA / f"{name}.json").read_text())


def _wrong(reading, truth):
    found = {}
    for verdict in reading.verdicts:
        name = verdict.place if verdict.base_name == "hut" else f"club:{verdict.place}"
        base, tiki, is_judged = truth[name]
        if is_judged and tuple(verdict.state) != (base, tiki):
            found[name] = verdict
    return found


@pytest.mark.parametrize("name", PICTURES)
def test_every_place_is_right_or_doubted(name):
    picture, case = _case(name)
    reading = read(picture, printed_reference(PICTURES[name]))
    wrong = _wrong(reading, case["truth"])
    assert {place: verdict for place, verdict in wrong.items() if verdict.reason is None} == {}
    assert len(wrong) <= 1


def test_an_upside_down_picture_reads_the_same():
    picture, case = _case("maka-bana-normal")
    reading = read(np.ascontiguousarray(picture[::-1, ::-1]), printed_reference("maka-bana"))
    assert all(verdict.reason for verdict in _wrong(reading, case["truth"]).values())


def test_the_json_form():
    picture, _ = _case("maka-bana-normal")
    told = read(picture, printed_reference("maka-bana")).to_json("fr")
    assert told["found"] is True
    assert len(told["sites"]) == 39
    assert set(told["clubs"]) == {"Azzura", "Bikini", "Coquito", "Diabolo"}
    for site in told["sites"].values():
        assert set(site) == {"piece", "hut", "tiki", "confidence"}
        assert (site["hut"] is not None) == ("hut" in site["piece"])
        assert (site["tiki"] is not None) == ("tiki" in site["piece"])
        assert 0 <= site["confidence"] <= 1
    assert {"piece", "club", "tiki", "confidence"} == set(told["clubs"]["Azzura"])
    assert told["quality"]["markers_found"] >= 8
    assert {"sharpness", "exposure", "reprojection_error_px", "glare_share", "covered_share"} < set(told["quality"])
    json.dumps(told)


def test_reading_twice_gives_the_same():
    picture, _ = _case("noka-hard")
    reference = printed_reference("noka")
    assert read(picture, reference).to_json() == read(picture, reference).to_json()


def test_calibration_learns_camera_and_palette_and_survives_its_file():
    reference = printed_reference("maka-bana")
    picture, case = _case("maka-bana-normal")
    found = calibrate(open_picture(DATA / "maka-bana-normal-calibration.jpg"), reference, {"huts": case["known"]})
    assert missing_colours(found, reference) == []
    again = from_json(to_json(found))
    assert again.camera.size_px == (1600, 1200)
    assert again.pose == found.pose
    for colour, look in found.palette.items():
        assert again.palette[colour] == pytest.approx(look, abs=1e-3)
    reading = read_calibrated(picture, reference, again)
    assert [code for code, _ in reading.notes] == []
    assert all(verdict.reason for verdict in _wrong(reading, case["truth"]).values())


def test_a_bumped_camera_is_noticed():
    reference = printed_reference("maka-bana")
    picture, _ = _case("maka-bana-normal")
    found = calibrate(picture, reference)
    moved = np.roll(picture, 25, axis=1)
    assert "camera_moved" in [code for code, _ in read_calibrated(moved, reference, found).notes]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"calibration": 9}', '{"calibration": 1, "camera": 3}'])
def test_a_broken_calibration_is_refused(text):
    with pytest.raises(CalibrationUnusable):
        from_json(text)


def test_numbers_out_of_range_are_refused():
    found = calibrate(_case("maka-bana-normal")[0], printed_reference("maka-bana"))
    data = json.loads(to_json(found))
    data["camera"]["focal_px"] = float("nan")
    with pytest.raises(CalibrationUnusable, match="out of range"):
        from_json(json.dumps(data))


def test_the_annotated_picture_leaves_the_original_alone():
    picture, _ = _case("maka-bana-normal")
    before = picture.copy()
    reference = printed_reference("maka-bana")
    drawn = annotated(picture, read(picture, reference), reference)
    assert (picture == before).all()
    assert (drawn != picture).any()


@pytest.mark.parametrize("colour", [(235, 235, 235), (128, 128, 128), (40, 40, 40), (90, 160, 220)])
def test_a_plain_card_over_sites_is_never_called_empty(colour):
    """Hidden pieces must become doubts: a plain card shows neither them nor the print."""
    picture, _ = _case("maka-bana-normal")
    reference = printed_reference("maka-bana")
    hidden = ["Diabolo-Sable-Fleur", "Diabolo-Sable-Tatouage"]
    height, width = picture.shape[:2]
    covered = picture.copy()
    cv2.rectangle(covered, (width // 2 - 80, height // 2 - 60), (width // 2 + 90, height // 2 + 50), colour, -1)
    verdicts = {verdict.place: verdict for verdict in read(covered, reference).verdicts}
    for site in hidden:
        assert verdicts[site].reason is not None or verdicts[site].confidence < 0.9, verdicts[site]


def test_a_printed_card_over_sites_is_doubted():
    """A card with a picture of its own hides the sites under it, however busy it looks."""
    picture, _ = _case("maka-bana-normal")
    reference = printed_reference("maka-bana")
    view = locate(picture, reference).view
    middle = np.array(reference.sites_mm["Diabolo-Sable-Fleur"])
    rng = np.random.default_rng(2)
    card = cv2.resize(rng.integers(0, 255, (14, 20, 3), np.uint8), (400, 280), interpolation=cv2.INTER_NEAREST)
    square = np.array([[0, 0], [400, 0], [400, 280], [0, 280]], np.float32)
    corners = view.project(middle + np.array([[-28.0, -20], [28, -20], [28, 20], [-28, 20]])).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(square, corners)
    size = picture.shape[1::-1]
    laid = cv2.warpPerspective(card, matrix, size)
    is_card = cv2.warpPerspective(np.full(card.shape[:2], 255, np.uint8), matrix, size) > 127
    covered = np.where(is_card[..., None], laid, picture)
    verdicts = {verdict.place: verdict for verdict in read(covered, reference).verdicts}
    assert verdicts["Diabolo-Sable-Fleur"].reason is not None, verdicts["Diabolo-Sable-Fleur"]


def _without_markers(picture, reference):
    """The picture of an owner's board that never had markers."""
    view = locate(picture, reference).view
    plain = picture.copy()
    for corners in reference.markers_mm.values():
        grown = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * 1.25
        at = np.round(view.project(grown)).astype(np.int32)
        paper = picture[tuple(np.clip(at.min(axis=0)[::-1] - 3, 0, np.array(picture.shape[:2]) - 1))]
        cv2.fillConvexPoly(plain, at, [int(value) for value in paper])
    return plain


def test_a_board_without_any_marker_is_read_by_its_art():
    picture, case = _case("maka-bana-normal")
    printed = printed_reference("maka-bana")
    plain = _without_markers(picture, printed)
    reading = read(plain, printed._replace(markers_mm={}))
    assert (reading.located.by, reading.quality["markers_found"]) == ("art", 0)
    wrong = _wrong(reading, case["truth"])
    assert {place: verdict for place, verdict in wrong.items() if verdict.reason is None} == {}
    assert len(wrong) <= 2


def test_an_owners_photo_of_the_empty_board_is_enough_to_read_it():
    """The board is known from one slanted photo with clicks on it: no marker, no print of ours."""
    printed = printed_reference("maka-bana")
    view = view_from(25, 200, 560, size=(2400, 1800), target=(210, 148))
    photo = photograph(printed._replace(markers_mm={}), view, gain=0.7)
    photo = _without_markers(photo, printed)
    width, height = printed.size_mm
    points = {name: view.project(np.array([at]))[0].tolist() for name, at in printed.sites_mm.items()}
    clubs = {name: view.project(np.array([at]))[0].tolist() for name, at in printed.clubs_mm.items()}
    corners = view.project(np.array([[0, 0], [width, 0], [width, height], [0, height]], float)).tolist()
    clicks = {
        "trace": 1, "board": "my-island", "edition": "2013", "photo_px": [2400, 1800], "size_mm": [width, height],
        "corners_px": corners, "sites": points, "clubs": clubs,
    }  # fmt: skip
    own = reference_of_trace(parse_trace(clicks), photo)
    picture, case = _case("maka-bana-normal")
    reading = read(_without_markers(picture, printed), own)
    assert reading.located.by == "art"
    wrong = _wrong(reading, case["truth"])
    assert {place: verdict for place, verdict in wrong.items() if verdict.reason is None} == {}
    assert len(wrong) <= 2
