"""The commands that print sheets and read photos, as typed."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main

DATA = Path(__file__).parents[1] / "data" / "vision"
NORMAL, TRUTH = DATA / "maka-bana-normal.jpg", DATA / "maka-bana-normal.json"
PLAYERS = "violet,pink,yellow,blue,green,orange"


def run(*args: object) -> int:
    return main(["--lang", "en", *map(str, args)])


def test_print_writes_pdf_picture_and_geometry(tmp_path, capsys):
    assert run("print", "nadaa", "--out", tmp_path, "--paper", "A4") == 0
    written = [Path(line).name for line in capsys.readouterr().out.splitlines()]
    assert written == ["nadaa-A4.pdf", "nadaa.png", "nadaa.json"]
    assert {path.name for path in tmp_path.iterdir()} == set(written)


def test_print_says_where_it_cannot_write(tmp_path, capsys):
    (tmp_path / "taken").write_text("a file")
    assert run("print", "palette", "--out", tmp_path / "taken") == 2
    assert "Choose another folder with --out" in capsys.readouterr().err


def test_read_gives_the_documented_json_and_a_picture(tmp_path, capsys):
    assert run("read", NORMAL, "--board", "maka-bana", "--json", "--debug", tmp_path / "seen.png") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["found"] is True
    assert set(result) >= {"found", "sites", "clubs", "doubts", "quality"}
    assert len(result["sites"]) == 39
    assert set(result["clubs"]) == {"Azzura", "Bikini", "Coquito", "Diabolo"}
    site = result["sites"]["Azzura-Lagon-Fleur"]
    assert set(site) == {"piece", "hut", "tiki", "confidence"}
    assert cv2.imread(str(tmp_path / "seen.png")) is not None


def test_read_tells_people_what_stands_where(capsys):
    assert run("read", NORMAL, "--board", "maka-bana") == 0
    out = capsys.readouterr().out
    assert "places are empty." in out
    assert " hut" in out


def test_calibrate_writes_a_file_that_read_takes(tmp_path, capsys):
    photo = DATA / "maka-bana-normal-calibration.jpg"
    assert run("calibrate", photo, "--board", "maka-bana", "--out", tmp_path / "c.json") == 0
    assert run("read", NORMAL, "--board", "maka-bana", "--calibration", tmp_path / "c.json", "--json") == 0
    assert "palette" in (tmp_path / "c.json").read_text("utf-8")


def test_a_photo_is_scored_or_given_as_a_range(capsys):
    assert run("score", NORMAL, "--board", "maka-bana", "--rules", "2013", "--players", PLAYERS, "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert set(result["scores"]) == set(PLAYERS.split(","))
    for player, (low, high) in result["ranges"].items():
        assert low <= result["scores"][player]["total"] <= high
    assert result["settled"] == all(low == high for low, high in result["ranges"].values())
    assert (result["ask"] is None) == result["settled"]
    assert run("score", NORMAL, "--board", "maka-bana", "--players", PLAYERS) == 0


def test_doubts_become_a_range_that_names_the_one_place_to_look_at(tmp_path, capsys):
    """A card laid over a part of the board hides some sites: they may be anything."""
    picture = cv2.imread(str(NORMAL))
    height, width = picture.shape[:2]
    cv2.rectangle(
        picture, (width // 2 - 60, height // 2 - 60), (width // 2 + 90, height // 2 + 50), (235, 235, 235), -1
    )
    cv2.imwrite(str(tmp_path / "covered.png"), picture)
    assert run("score", tmp_path / "covered.png", "--board", "maka-bana", "--players", PLAYERS, "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert not result["settled"]
    assert result["ask"].removeprefix("club:") in " ".join(result["reading"]["doubts"])
    assert run("score", tmp_path / "covered.png", "--board", "maka-bana", "--players", PLAYERS) == 0
    assert f"What matters most is {result['ask']}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda path: path.write_text("no picture"), "is not a picture this program can read"),
        (lambda path: path.write_bytes(NORMAL.read_bytes()[:5000]), "breaks off before its end"),
        (lambda path: cv2.imwrite(str(path), np.zeros((1, 1, 3), np.uint8)), "has only 1 x 1 pixels"),
        (lambda path: cv2.imwrite(str(path), np.full((600, 800, 3), 90, np.uint8)), "No board maka-bana is to be seen"),
    ],
)
def test_a_bad_picture_ends_in_one_sentence(tmp_path, capsys, make, sentence):
    path = tmp_path / "photo.png"
    make(path)
    assert run("read", path, "--board", "maka-bana") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert err.count("\n") == 1


def test_the_wrong_board_is_named(capsys):
    assert run("read", NORMAL, "--board", "noka") == 2
    assert "This is the board maka-bana, not noka." in capsys.readouterr().err


def test_a_photo_needs_to_know_its_board(capsys):
    assert run("read", NORMAL) == 2
    assert "Say which board it is" in capsys.readouterr().err
