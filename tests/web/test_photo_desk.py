"""Photographs behind the pages: real pictures are read in another process, and strangers' files harm nobody."""

from __future__ import annotations

import json
import sys
from threading import Event as Signal

import pytest

from companion.games.protocol import Refusal
from companion.house.photo import MOST_WAITING, PhotoDesk, PhotoJob
from companion.house.photo_score import Board, Seen, Sheet, corrected, merged
from companion.table.entries import Command
from companion.table.listeners import listen
from tests.web.house import PICTURES
from web.stream import Mailbox

PNG = b"\x89PNG\r\n\x1a\n"


def finished(desk: PhotoDesk, name: str) -> dict:
    """The snapshot of a job once it is read, waiting for news rather than for time."""
    job, box = desk.job(name), Mailbox()
    listen(job, box.put)
    while (snapshot := job.snapshot("en"))["state"] in ("waiting", "reading"):
        box.take(60.0)
    return snapshot


def picture(name: str) -> bytes:
    return (PICTURES / f"{name}.jpg").read_bytes()


@pytest.mark.parametrize(
    ("name", "board"), [("maka-bana-normal", "maka-bana"), ("maka-bana-2003-easy", "maka-bana-2003")]
)
def test_a_photo_is_read_without_being_told_the_board(desk: PhotoDesk, name: str, board: str) -> None:
    snapshot = finished(desk, desk.start(picture(name), []))
    assert snapshot["boards"] == [board]
    truth = json.loads((PICTURES / f"{name}.json").read_text())["truth"]
    contents = {place: seen["content"] for place, seen in snapshot["places"].items()}
    for place, (colour, _tiki, _visible) in truth.items():
        if "-" in place:
            assert contents[place] == (f"hut:{colour}" if colour else "empty"), place


@pytest.mark.parametrize("photo", [b"", b"hello", b"\xff\xd8\xff" + b"x" * 5000, PNG + b"\xff" * 100, b"<svg/>"])
def test_what_is_no_picture_fails_with_a_sentence(desk: PhotoDesk, photo: bytes) -> None:
    snapshot = finished(desk, desk.start(photo, []))
    assert snapshot["state"] == "failed"
    assert len(snapshot["problem"]["text"]) > 20


def test_a_picture_that_claims_to_be_huge_is_refused_by_its_header(desk: PhotoDesk) -> None:
    header = PNG + b"\0\0\0\rIHDR" + (60000).to_bytes(4, "big") * 2 + b"\x08\x02\0\0\0" + b"IEND"
    assert finished(desk, desk.start(header, []))["problem"]["code"] == "picture_too_large"


def test_a_reader_that_dies_is_replaced_for_the_next_photo() -> None:
    script = "import sys; sys.stdin.buffer.readline(); sys.exit(3)"
    desk = PhotoDesk((sys.executable, "-c", script))
    try:
        for _ in range(2):
            assert finished(desk, desk.start(b"x", []))["problem"]["code"] == "photo_reader_died"
    finally:
        desk.close()


def test_a_reader_that_hangs_is_ended() -> None:
    desk = PhotoDesk((sys.executable, "-c", "import time; time.sleep(600)"), longest_s=0.3)
    try:
        snapshot = finished(desk, desk.start(b"x", []))
        assert snapshot["problem"]["code"] == "photo_reader_died"
    finally:
        desk.close()


def test_too_many_waiting_photos_are_turned_away() -> None:
    desk = PhotoDesk((sys.executable, "-c", "import time; time.sleep(600)"), longest_s=1.0)
    try:
        started = [desk.start(b"x", []) for _ in range(MOST_WAITING + 3)]
        assert started[0] is not None
        assert started[-1] is None
    finally:
        desk._longest_s = 0.01
        desk.close()


def test_nothing_is_added_to_a_job_that_is_not_there(desk: PhotoDesk) -> None:
    assert desk.start(b"x", [], "nobody") is None


def board(name: str = "nadaa", **places: Seen) -> Board:
    return Board(name, {place.replace("_", "-"): seen for place, seen in places.items()})


def seen(colour: str | None, is_doubtful: bool = False, piece: str = "hut") -> Seen:
    return Seen(
        piece, colour, None, 0.6 if is_doubtful else 0.99, is_doubtful, {colour or "": 0.6} if is_doubtful else {}
    )


SHEET = merged(
    Sheet(),
    board(Danae_Lagon_Fleur=seen("blue"), Danae_Lagon_Tatouage=seen("pink"), Evao_Lagon_Fleur=seen("green"),
          Evao_Rocher_Fleur=seen("green", is_doubtful=True)),
)  # fmt: skip


def test_players_are_those_whose_pieces_are_surely_seen() -> None:
    assert SHEET.players == ("pink", "blue", "green")


def test_a_doubt_makes_a_range_and_a_correction_settles_it() -> None:
    score = SHEET.to_json("en")["score"]
    assert not score["is_settled"]
    assert score["ask"] == "Evao-Rocher-Fleur"
    after = corrected(SHEET, "put", ["Evao-Rocher-Fleur", "hut:blue"]).to_json("en")
    assert after["score"]["is_settled"]
    assert after["score"]["scores"]["blue"] == {"beaches": 4, "huts": 2, "clubs": 0, "total": 6}
    assert after["places"]["Evao-Rocher-Fleur"]["is_corrected"]


def test_every_point_has_a_reason_with_its_places() -> None:
    score = corrected(SHEET, "put", ["Evao-Rocher-Fleur", "empty"]).to_json("fr")["score"]
    for player, points in score["scores"].items():
        for category in ("beaches", "huts", "clubs"):
            gains = [r["gains"].get(player, 0) for r in score["reasons"] if r["category"] == category]
            assert sum(gains) == points[category]
    assert all(reason["places"] for reason in score["reasons"])
    assert all(reason["text"] for reason in score["reasons"])


def test_a_colour_that_is_put_joins_the_players() -> None:
    assert "orange" in corrected(SHEET, "put", ["Evao-Rocher-Fleur", "hut:orange"]).players


@pytest.mark.parametrize(
    ("verb", "args", "code"),
    [
        ("put", ["Nowhere", "empty"], "place_unknown"),
        ("put", ["Evao-Rocher-Fleur"], "place_unknown"),
        ("put", ["Evao-Rocher-Fleur", "club:blue"], "content_unreadable"),
        ("put", ["Evao-Rocher-Fleur", "hut:mauve"], "content_unreadable"),
        ("put", ["Evao-Rocher-Fleur", "hut:blue+hut:pink"], "content_unreadable"),
        ("put", ["Evao-Rocher-Fleur", "x" * 500], "content_unreadable"),
        ("players", ["mauve"], "colour_unknown"),
        ("players", ["blue", "blue"], "colour_unknown"),
        ("rules", ["2003"], "rules_unknown"),
        ("rules", [], "rules_unknown"),
    ],
)
def test_a_wrong_correction_is_refused_with_its_reason(verb: str, args: list[str], code: str) -> None:
    refusal = corrected(SHEET, verb, args)
    assert isinstance(refusal, Refusal)
    assert refusal.code == code


def test_a_second_island_joins_the_first_and_keeps_what_was_said() -> None:
    said = corrected(SHEET, "put", ["Evao-Rocher-Fleur", "hut:blue"])
    both = merged(said, board("noka", Aloa_Lagon_Fleur=seen("violet")))
    assert [each.name for each in both.boards] == ["noka", "nadaa"]
    assert both.said == {"Evao-Rocher-Fleur": "hut:blue"}
    assert "violet" in both.players


def test_a_board_of_another_edition_begins_anew() -> None:
    other = merged(SHEET, board("maka-bana-2003", Azzura_Lagon_Fleur=seen("red")))
    assert ([each.name for each in other.boards], other.choice) == (["maka-bana-2003"], "2003")


def ready_job() -> PhotoJob:
    job = PhotoJob()
    job.add(SHEET.boards[0])
    return job


def test_the_same_key_does_nothing_twice() -> None:
    job = ready_job()
    command = Command("k1", "put", ("Evao-Rocher-Fleur", "empty"))
    first = job.do(command)
    assert first.accepted
    assert job.do(command) == first
    assert job.version == first.version


def test_followers_hear_of_every_correction() -> None:
    job, heard = ready_job(), Signal()
    listen(job, lambda version: heard.set())
    job.do(Command("k1", "players", ("blue", "pink", "green")))
    assert heard.is_set()


def test_nothing_is_corrected_before_it_is_read() -> None:
    assert PhotoJob().do(Command("k", "rules", ("2013",))).refusal.code == "photo_not_ready"
