"""The commands for boards, photos and tables of Kahuna, Maki-San and Māori, as typed."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import cv2
import pytest

from companion.cli import main
from companion.commands import sheets
from companion.commands.evening.first_game import lay_table
from companion.commands.evening.place import open_place
from companion.games.catalogue import game_named
from companion.games.protocol import FormatError
from companion.house.virtual import virtual_board
from companion.table.session import BOT
from tests.house import toy_maker
from vision.surfaces import GAMES, maker_of


def run(*args: object) -> int:
    return main(["--lang", "en", *map(str, args)])


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Blue's board of Māori with an island of one tile, as the virtual table's camera sees it."""
    board = virtual_board(game_named("maori").default_header("base", 2))
    board.put("tile", "I01", "blue:2,2")
    path = tmp_path_factory.mktemp("photos") / "blue.png"
    surface = "maori-archipelago-blue"
    cv2.imwrite(str(path), maker_of("maori").render(surface, board.layout(surface).pieces, 1))
    return path


def test_a_photo_of_another_game_is_read_for_people_with_a_picture(photo: Path, tmp_path: Path, capsys) -> None:
    assert run("read", photo, "--board", "maori-archipelago-blue", "--debug", tmp_path / "seen.png") == 0
    out = capsys.readouterr().out
    assert any(line.split()[0] == "blue:2,2" and "I01" in line for line in out.splitlines() if line.strip())
    assert "16 places are empty." in out
    assert cv2.imread(str(tmp_path / "seen.png")) is not None


def test_a_photo_of_another_game_is_scored_with_what_is_told(photo: Path, capsys) -> None:
    """Which of the game's boards it is, the photo says itself."""
    told = ("--tell", "shells-blue=4", "--tell", "shells-red=1")
    assert run("score", photo, "--game", "maori", *told, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["scores"]["blue"]["gaps"], found["scores"]["blue"]["shells"]) == (-15, 4)
    assert found["boards"]["maori-archipelago-blue"]["blue:2,2"] == "tile:I01"
    assert found["settled"] is True


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--board", "maori-nowhere"), "Say which board it is"),
        (("--board", "maori-archipelago-blue", "--rules", "standard"), "There are no rules 'standard'"),
        (("--board", "maori-archipelago-blue", "--tell", "shells-blue=many"), "must be a whole number from 0 to 30"),
        (("--board", "maori-archipelago-blue", "--players", "pink,blue"), "pink"),
    ],
)
def test_what_can_not_be_scored_ends_in_one_sentence(
    photo: Path, capsys, monkeypatch, arguments, sentence: str
) -> None:
    blue = {"board": "maori-archipelago-blue", "places": {}, "notes": []}
    monkeypatch.setattr("companion.commands.score_sheets.read_any", lambda *_: blue)
    assert run("score", photo, *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert err.count("\n") == 1


def test_several_positions_need_a_board_each(photo: Path, capsys) -> None:
    assert run("score", photo, photo) == 2
    assert run("score", photo, photo, "--board", "kahuna") == 2
    assert capsys.readouterr().err.count("Say which board it is") == 2


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_printed_by_its_own_package(game: str, tmp_path: Path, capsys, monkeypatch) -> None:
    asked = []
    monkeypatch.setattr(sheets, "maker_of", lambda name: asked.append(name) or toy_maker)
    assert run("print", game, "--out", tmp_path, "--paper", "A4") == 0
    assert capsys.readouterr().out.strip().endswith("toy-A4.pdf")
    assert asked == [game]


@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_laid_with_bots_at_all_seats_but_one(game: str, tmp_path: Path) -> None:
    with open_place(tmp_path, None) as place:
        table = lay_table(place, game, None, None, has_pictures=False)
        seats = list(table.session.seats.values())
        assert [seat.kind == BOT for seat in seats] == [False, *[True] * (len(seats) - 1)]
        assert place.running.table(table.row.id).virtual is not None
        assert lay_table(place, game, None, None, has_pictures=False) is table  # it goes on with that one
        with pytest.raises(FormatError):
            lay_table(place, game, None, 9, has_pictures=False)
        place.running.close()


def test_the_terminal_is_for_maka_bana_alone_and_says_so_kindly(capsys) -> None:
    assert run("play", "--terminal", "--game", "kahuna") == 2
    assert "only Maka Bana can be played, not Kahuna" in capsys.readouterr().err
    assert run("play", "--terminal", "--rules", "standard") == 2
    assert "There are no rules 'standard'" in capsys.readouterr().err


def test_a_table_file_names_another_game_and_its_boards(tmp_path: Path, capsys) -> None:
    path = tmp_path / "table.toml"
    assert run("table", "init", path, "--kit", "phones-camera", "--game", "kahuna") == 0
    written = tomllib.loads(path.read_text("utf-8"))
    assert (written["game"], written["boards"], set(written["seats"])) == ("kahuna", ["kahuna"], {"white", "black"})
    assert run("table", "check", path) == 0
    path.write_text(path.read_text("utf-8").replace('game = "kahuna"', 'game = "chess"'), "utf-8")
    assert run("table", "check", path) == 2
    assert "There is no game 'chess' here" in capsys.readouterr().err


def test_a_board_that_nobody_prints_is_no_part_of_a_table_file(tmp_path: Path, capsys) -> None:
    path = tmp_path / "table.toml"
    path.write_text('table = "salon"\nboards = ["maori-display", "maori-moon"]\n', "utf-8")
    assert run("table", "check", path) == 2
    assert "maori-moon" in capsys.readouterr().err


def test_bots_meet_in_a_tournament_of_another_game(capsys) -> None:
    assert run("tournament", "--game", "kahuna", "--bots", "random,coco", "--games", "1", "--looks", "1", "--json") == 0
    assert json.loads(capsys.readouterr().out)["meetings"][0]["played"] == 1


def test_lessons_are_listed_for_all_games(capsys) -> None:
    assert run("lesson", "list") == 0
    assert len(capsys.readouterr().out.splitlines()) >= 5
