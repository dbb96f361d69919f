"""The command line as people and programs use it: what is printed, and what bad input comes to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import main
from companion.games.catalogue import GAME_NAMES
from companion.games.record import parse_record, replay_text

ROOT = Path(__file__).parents[2]
GOOD = {
    "game": "makabana",
    "rules": "2013",
    "boards": ["maka-bana"],
    "players": ["blue", "green", "yellow", "pink", "violet"],
    "huts": {"Azzura-Lagon-Fleur": "blue", "Azzura-Lagon-Tatouage": "blue", "Bikini-Sable-Fleur": "green"},
    "clubs": {"Azzura": "blue"},
}


@pytest.fixture
def file(tmp_path):
    def write(content, name="input.json"):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(path)

    return write


def run(*args: str) -> int:
    return main(["--lang", "en", *args])


def test_score_prints_json_for_programs(file, capsys):
    assert run("score", file(GOOD), "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["scores"]["blue"] == {"beaches": 4, "huts": 3, "clubs": 2, "total": 9}
    assert result["winners"] == ["blue"]
    group = next(reason for reason in result["reasons"] if reason["code"] == "group" and reason["player"] == "blue")
    assert group["sites"] == ["Azzura-Lagon-Fleur", "Azzura-Lagon-Tatouage"]
    assert group["steps"] == [1, 2]
    assert group["text"].startswith("Blue: ")


def test_score_prints_a_table_for_people(file, capsys):
    assert run("score", file(GOOD)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["beaches", "huts", "clubs", "total"]
    assert lines[2].split() == ["Blue", "4", "3", "2", "9", "★"]
    assert "  · Azzura: Blue has most huts (Blue: 2), 4 points." in lines
    assert "  · Green: 1 on their own, 1 each = 1." in lines


def test_score_speaks_french(file, capsys):
    assert main(["--lang", "fr", "score", file(GOOD)]) == 0
    out = capsys.readouterr().out
    assert "paillotes" in out
    assert "Azzura : Bleu a le plus de paillotes (Bleu : 2), 4 points." in out


TWO_HUTS = json.dumps(GOOD).replace('"huts": {', '"huts": {"Azzura-Lagon-Fleur": "green", ')
ELEVEN = {f"{beach}-{sector}-{spot}": "blue" for beach in ("Azzura", "Bikini") for sector in ("Lagon", "Rocher")
          for spot in ("Fleur", "Poisson", "Tatouage")}  # fmt: skip
ELEVEN.popitem()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({**GOOD, "huts": {"Azzura-Sable-Fleur": "blue"}}, "There is no site 'Azzura-Sable-Fleur'; that beach has "),
        (TWO_HUTS, "Azzura-Lagon-Fleur is given twice, as green and blue; keep one of them."),
        ({**GOOD, "huts": ELEVEN}, "Blue has 11 huts on the board and owns only 10; "),
        ({**GOOD, "huts": {"Azzura-Lagon-Fleur": "red"}}, "Azzura-Lagon-Fleur belongs to 'red', who does not play; "),
        ({**GOOD, "clubs": {"Aloa": "blue"}}, "There is a club on 'Aloa', which is not in play; the beaches are "),
        (json.dumps(GOOD)[:-1], "The JSON is broken at line 1, column "),
        ("[1, 2]", "One JSON object is expected, with game, rules, boards and players; "),
        ("", "The file is empty; "),
        ("  \n", "The file is empty; "),
        ({**GOOD, "game": "go"}, "There is no game 'go' here; write one of makabana"),
        ({**GOOD, "players": []}, "Rules 2013 need 3, 4, 5 or 6 colours under 'players', not 0."),
    ],
)
def test_a_bad_position_ends_in_one_sentence(file, capsys, content, sentence):
    path = file(content)
    assert run("score", path) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"makabana: {path}: {sentence}")
    assert err.count("\n") == 1


def test_further_problems_are_counted(file, capsys):
    run("score", file({**GOOD, "clubs": {"Aloa": "blue", "Borea": "blue"}}))
    assert capsys.readouterr().err.endswith("(And 2 more.)\n")


def test_files_that_are_none(tmp_path, capsys):
    (tmp_path / "picture.json").write_bytes(b"\xff\xd8\xff\xe0")
    (tmp_path / "huge.json").write_bytes(b" " * 8_000_001)
    for name, sentence in {
        "": "This is a folder; name a file in it.",
        "nothing.json": "There is no such file; check the path.",
        "picture.json": "The file is not text in UTF-8 (byte 0); is it the right one?",
        "huge.json": "The file has more than 8000000 bytes, which ours never have; is it the right one?",
        "picture.json/x": "There is no such file; check the path.",
    }.items():
        assert run("score", str(tmp_path / name)) == 2
        assert sentence in capsys.readouterr().err
    assert run("score", "a\0b") == 2
    assert "can't be read" in capsys.readouterr().err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(file, capsys):
    path = file(GOOD)
    Path(path).chmod(0)
    assert run("score", path) == 2
    assert "check its permissions" in capsys.readouterr().err


RECORD = """makabana rules=2013 boards=nadaa players=blue,green,yellow
blue hut Danae-Lagon-Fleur
green hut Evao-Lagon-Fleur
"""


def test_replay_prints_the_end_position_and_score(file, capsys):
    assert run("replay", file(RECORD, "game.txt"), "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["position"]["huts"] == {"Danae-Lagon-Fleur": "blue", "Evao-Lagon-Fleur": "green"}
    assert (result["actions"], result["over"], result["waits_for"]) == (2, False, ["yellow"])
    assert result["scores"]["blue"]["total"] == 5


def test_replay_tells_the_story_to_people(file, capsys):
    assert run("replay", file(RECORD, "game.txt"), "--story") == 0
    out = capsys.readouterr().out
    assert out.startswith("Blue opens with a hut on Danae Lagon Fleur.\n")
    assert "After 2 actions the game goes on: waiting for Yellow." in out


def test_replay_names_the_first_bad_line(file, capsys):
    path = file(RECORD + "yellow hut Danae-Lagon-Fleur\nyellow hut Nowhere\n", "game.txt")
    assert run("replay", path) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"makabana: {path}: Line 4: A hut of Blue stands on Danae Lagon Fleur already.\n")


def test_simulate_gives_the_same_games_for_the_same_seed(tmp_path, capsys):
    for folder in ("one", "two"):
        arguments = ["--rules", "2013-mao", "--players", "4", "--games", "3", "--seed", "7"]
        assert run("simulate", *arguments, "--records", str(tmp_path / folder), "--json") == 0
    totals = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [set(one) for one in totals] == [{"games", "actions", "seconds", "actions_per_second"}] * 2
    assert totals[0]["actions"] == totals[1]["actions"]
    records = [sorted(path.read_text("utf-8") for path in (tmp_path / folder).iterdir()) for folder in ("one", "two")]
    assert records[0] == records[1]
    assert len(records[0]) == totals[0]["games"] == 3
    assert sum(len(parse_record(text).actions) for text in records[0]) == totals[0]["actions"]
    _, state = replay_text(records[0][0])
    assert state.phase == "over"


@pytest.mark.parametrize("rules_and_players", [("2013", "5"), ("2013-teams", "8"), ("2003", "2"), ("2003-mao", "3")])
def test_simulate_sums_up_for_people(capsys, rules_and_players):
    rules, players = rules_and_players
    assert run("simulate", "--rules", rules, "--players", players, "--games", "2") == 0
    out = capsys.readouterr().out
    assert f"2 games of {rules} on " in out
    assert "Wins by player" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--players", "7"), "Rules 2013 are for 3, 4, 5 or 6 people, not 7; choose another number or other rules."),
        (("--rules", "2003", "--players", "6"), "Rules 2003 are for 2, 3, 4 or 5 people, not 6; "),
        (("--games", "0"), "--games must be a whole number from 1 to 1000000, not 0."),
    ],
)
def test_simulate_refuses_in_one_sentence(capsys, arguments, sentence):
    assert run("simulate", *arguments) == 2
    assert capsys.readouterr().err.startswith(f"makabana: {sentence}")


def test_simulate_into_an_impossible_folder(file, capsys):
    path = file("x", "not-a-folder")
    assert run("simulate", "--games", "1", "--records", f"{path}/records") == 2
    assert "choose another folder" in capsys.readouterr().err


def test_board_shows_a_board_and_lists_all_that_is_wrong_with_one(file, capsys):
    assert run("board", "noka") == 0
    assert "hotel complexes: 7, 5, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1" in capsys.readouterr().out
    source = json.loads((ROOT / "companion/games/makabana/boards/noka.json").read_text("utf-8"))
    source["clubs"] = []
    path = file(source)
    assert run("board", path) == 2
    out, err = capsys.readouterr()
    assert [line.split()[2] for line in out.splitlines()] == ["Aloa", "Borea", "Coconut"]
    assert err == f"makabana: {path}: Beach Aloa has no club place; add it under 'clubs'. (And 2 more.)\n"


def test_the_installed_command_never_shows_a_traceback(tmp_path):
    (tmp_path / "deep.json").write_text("[" * 50_000, encoding="utf-8")
    for arguments in (["score", "deep.json"], ["replay", "deep.json"], ["board", "deep.json"], ["score", "."], []):
        command = [sys.executable, "-m", "companion.cli", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_error():
    command = f"{sys.executable} -m companion.cli simulate --games 1 | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_standard_input_can_be_scored():
    command = [sys.executable, "-m", "companion.cli", "score", "-", "--json"]
    done = subprocess.run(command, cwd=ROOT, input=json.dumps(GOOD), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["winners"] == ["blue"]


def test_the_language_follows_the_environment():
    environment = {**os.environ, "LC_ALL": "fr_FR.UTF-8", "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "companion.cli", "score", "nothing.json"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == "makabana: nothing.json: Ce fichier n’existe pas ; vérifiez le chemin.\n"


@pytest.mark.parametrize(
    ("shell", "code", "said"),
    [
        ("score good.json > /dev/full", 2, "The output can't be written (No space left on device)."),
        ("score good.json >&-", 0, ""),
        ("score - <&-", 2, "The file is empty"),
        ("simulate --games 1 2>&- >/dev/null", 0, ""),
        ("score big.json", 2, "The JSON is broken"),
        ("score deep.json", 2, "nested too deeply"),
        ("board sneaky.json", 2, "\ufffd"),
    ],
)
def test_odd_streams_and_numbers_end_in_a_sentence(tmp_path, shell, code, said):
    (tmp_path / "good.json").write_text(json.dumps(GOOD), encoding="utf-8")
    (tmp_path / "big.json").write_text(f'{{"game": {"9" * 5000}}}', encoding="utf-8")
    (tmp_path / "deep.json").write_text(f'{{"boards": {"[" * 900}{"]" * 900}}}', encoding="utf-8")
    (tmp_path / "sneaky.json").write_text(
        '{"board": "x", "clubs": [{"beach": "\\u001b[2J", "x": 0, "y": 0}]}', encoding="utf-8"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
    command = f"{sys.executable} -m companion.cli {shell}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == code
    assert said in done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stderr + done.stdout


def test_a_terminal_without_our_letters_gets_what_it_can_show(tmp_path):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "companion.cli", "score", "-"]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, input=json.dumps(GOOD).encode(), capture_output=True, check=False
    )
    assert done.returncode == 0
    assert b"?" in done.stdout


def test_the_language_can_be_said_after_the_command(file, capsys):
    assert main(["score", file(GOOD), "--lang", "fr"]) == 0
    assert "Pourquoi" in capsys.readouterr().out


KAHUNA = {
    "game": "kahuna",
    "rules": "standard",
    "boards": ["kahuna"],
    "players": ["white", "black"],
    "won": ["black"],
    "bridges": {"ALOA-BARI": "white", "ALOA-DUDA": "white", "KAHU-LALE": "black"},
}
MAKISAN = {
    "game": "makisan",
    "rules": "standard",
    "players": ["south", "north"],
    "wins": {"south": 1},
    "line": ["red-green", "red-yellow", "red-blue", "red-black"],
}


@pytest.mark.parametrize(
    ("position", "headings", "best", "why"),
    [
        (KAHUNA, "round 1 round 2 round 3 total", "White 0 2 0 2 ★", "Round 1 went to Black: 1."),
        (MAKISAN, "rounds before this round total", "South 1 1 2 ★", "South has red in front on 1, 2, 3 and 4: "),
    ],
)
def test_score_works_alike_for_other_games(file, capsys, position, headings, best, why):
    assert run("score", file(position)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert " ".join(lines[1].split()) == headings
    assert " ".join(lines[2].split()) == best
    assert any(why in line for line in lines)


def test_a_bad_position_of_another_game_is_told_in_its_words(file, capsys):
    assert run("score", file({**KAHUNA, "stones": {}})) == 2
    assert "White has the majority on ALOA, yet no stone there; " in capsys.readouterr().err
    assert main(["--lang", "fr", "score", file({**MAKISAN, "line": ["red-red"]})]) == 2
    assert "qui n’est aucun des dix makis" in capsys.readouterr().err


@pytest.mark.parametrize("game", GAME_NAMES)
def test_simulate_and_replay_work_alike_for_every_game(tmp_path, capsys, game):
    assert run("simulate", "--game", game, "--games", "2", "--seed", "5", "--records", str(tmp_path)) == 0
    assert "2 games of " in capsys.readouterr().out
    paths = sorted(tmp_path.iterdir())
    assert len(paths) == 2
    assert run("replay", str(paths[0]), "--json") == 0
    end = json.loads(capsys.readouterr().out)
    assert (end["over"], end["waits_for"]) == (True, [])
    assert end["winners"]
    assert all(reason["text"] for reason in end["reasons"])
    assert run("replay", str(paths[1]), "--story") == 0
    assert "The game is over after " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--game", "kahuna", "--players", "3"), "Rules standard are for 2 people, not 3; "),
        (("--game", "makisan", "--rules", "2013"), "There are no rules '2013'; write one of standard or wasabi."),
    ],
)
def test_simulate_refuses_other_games_in_one_sentence(capsys, arguments, sentence):
    assert run("simulate", *arguments) == 2
    assert capsys.readouterr().err.startswith(f"makabana: {sentence}")


def test_replay_says_who_is_awaited_even_if_it_is_chance(file, capsys):
    record = "kahuna rules=standard boards=kahuna players=white,black\nchance deal white ALOA\n"
    assert main(["--lang", "fr", "replay", file(record, "game.txt")]) == 0
    assert "on attend Hasard." in capsys.readouterr().out
