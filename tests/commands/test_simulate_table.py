"""`makabana simulate-table`: the promised figures as JSON, refusals in words, the same evening for the same seed."""

import json
import subprocess
import sys

import pytest

PROMISED = {
    "games",
    "silent_wrong_commits",
    "human_errors",
    "human_errors_noticed",
    "wrong_final_scores",
    "questions",
    "questions_without_cause",
}


def run(*args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion.cli", "simulate-table", *args]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def test_the_json_has_the_promised_figures_and_nothing_else_is_on_stdout():
    done = run("--games", "1", "--seed", "4", "--rules", "2013", "--players", "3", "--spy", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found.keys() >= PROMISED
    assert (found["games"], found["finished"]) == (1, 1)
    assert found["silent_wrong_commits"] == found["wrong_final_scores"] == found["secrets_leaked"] == 0


def test_one_game_of_a_run_is_played_alone_as_it_is_in_the_run():
    run_of_two = json.loads(run("--games", "2", "--seed", "4", "--json").stdout)
    alone = [json.loads(run("--games", "1", "--first", number, "--seed", "4", "--json").stdout) for number in "01"]
    for counted in ("actions", "sensor_faults", "questions", "human_errors"):
        assert run_of_two[counted] == sum(game[counted] for game in alone)
    assert alone[0]["actions"] != alone[1]["actions"]


def test_people_read_a_table_of_figures():
    done = run("--games", "1", "--rules", "2003", "--players", "3", "--without-errors")
    assert done.returncode == 0
    assert "silent wrong commits" in done.stdout
    assert "questions without cause" in done.stdout


@pytest.mark.parametrize(
    "args",
    [
        ("--games", "0"),
        ("--games", "-3"),
        ("--first", "-1"),
        ("--games", "1000000000"),
        ("--jobs", "0"),
        ("--rules", "2013", "--players", "9"),
        ("--rules", "1999"),
        ("--without", "luck"),
        ("--games", "many"),
    ],
)
def test_a_wrong_option_is_told_in_words_and_not_by_a_traceback(args):
    done = run(*args)
    assert done.returncode != 0
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert args[1] in done.stderr or args[-1] in done.stderr
