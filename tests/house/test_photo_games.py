"""Photographs of any game's boards become one score: what is seen, what people correct, and what no camera sees."""

from __future__ import annotations

import pytest

from companion.games.protocol import Refusal
from companion.house.photo_score import Board, Seen, Sheet, board_found, corrected, merged, range_of
from companion.house.photo_worker import seen_json
from vision.surfaces import PlaceSeen


def board(name: str, piece: str, places: dict[str, str | None], doubtful: dict[str, dict[str, float]] | None = None):
    seen = {place: Seen(piece, colour, None, 0.99, False, {colour or "": 0.99}) for place, colour in places.items()}
    unsure = {
        place: Seen(piece, max(chances, key=chances.get) or None, None, 0.6, True, chances)
        for place, chances in (doubtful or {}).items()
    }
    return Board(name, seen | unsure)


def maori(colour: str, tiles: dict[str, str], side: str = "archipelago", **more: dict) -> Board:
    return board(f"maori-{side}-{colour}", "tile", {f"{colour}:{cell}": word for cell, word in tiles.items()}, **more)


def said(sheet: Sheet, verb: str, *args: str) -> Sheet:
    after = corrected(sheet, verb, args)
    assert isinstance(after, Sheet), after
    return after


def test_one_board_of_maori_is_scored_alone_and_says_what_is_missing() -> None:
    sheet = merged(Sheet(), maori("red", {"2,2": "I01", "2,3": "I02"}))
    told = sheet.to_json("en")
    assert (told["game"], sheet.choice, sheet.players) == ("maori", "base", ("red", "blue"))
    assert set(told["score"]["scores"]) == {"red"}
    assert told["score"]["scores"]["red"]["gaps"] == -14
    assert {reason["code"] for reason in told["score"]["reasons"]} >= {"shells_open", "canoes_open"}


def test_boards_of_several_players_and_their_shells_give_a_winner() -> None:
    sheet = merged(merged(Sheet(), maori("blue", {"2,2": "I01"})), maori("red", {"2,2": "I02", "2,3": "I03"}))
    assert sheet.to_json("en")["score"]["winners"] == []
    for player, count in (("blue", "9"), ("red", "2")):
        sheet = said(sheet, "tell", f"shells-{player}", count)
    score = sheet.to_json("en")["score"]
    assert score["scores"]["blue"]["shells"] == 9
    assert len(score["winners"]) >= 1
    assert [fact["value"] for fact in sheet.to_json("en")["facts"]] == ["9", "2"]


def test_the_other_side_of_a_board_begins_anew() -> None:
    sheet = merged(merged(Sheet(), maori("blue", {"2,2": "I01"})), maori("red", {"2,2": "I02"}, side="atoll"))
    assert (sheet.names, sheet.choice) == (("maori-atoll-red",), "base-atoll")


def test_a_doubtful_tile_makes_a_range_and_a_correction_settles_it() -> None:
    doubtful = {"blue:2,3": {"I02": 0.5, "": 0.5}}
    sheet = merged(Sheet(), maori("blue", {"2,2": "I01"}, doubtful=doubtful))
    result = range_of(sheet)
    assert (result.is_settled, result.ask) == (False, "blue:2,3")
    assert range_of(said(sheet, "put", "blue:2,3", "empty")).is_settled
    assert said(sheet, "put", "blue:2,3", "tile:W01").content("blue:2,3") == "tile:W01"
    assert board_found(sheet).doubts == ("blue:2,3",)


def kahuna() -> Sheet:
    bridges = {"ALOA-BARI": "white", "ALOA-DUDA": "white", "COCO-GOLA": "black"}
    seen = board("kahuna", "bridge", bridges).places
    stones = board("kahuna", "stone", {"ALOA": "white", "BARI": None}).places
    return merged(Sheet(), Board("kahuna", {**seen, **stones}))


def test_a_board_of_kahuna_is_the_first_round_until_the_others_are_told() -> None:
    sheet = kahuna()
    assert sheet.to_json("en")["score"]["scores"]["white"]["round_1"] == 1
    sheet = said(said(sheet, "tell", "won-1", "black"), "tell", "won-2", "nobody")
    scores = sheet.to_json("en")["score"]["scores"]
    assert (scores["black"]["round_1"], scores["white"]["round_3"]) == (1, 1)
    assert said(sheet, "tell", "won-1", "").to_json("en")["score"]["scores"]["white"]["round_1"] == 1


def test_every_reason_names_a_column_of_the_score() -> None:
    score = kahuna().to_json("fr")["score"]
    assert all(reason["category"] in score["scores"]["white"] for reason in score["reasons"])
    assert all(reason["text"] for reason in score["reasons"])


def test_a_line_of_makis_scores_as_far_as_it_says() -> None:
    """From one side four show red; what is behind the last of them is seen to be one of two."""
    line = {"1": "red-green", "2": "red-blue", "3": "red-yellow"}
    sheet = merged(Sheet(), board("makisan", "maki", line, {"4": {"red-black": 0.5, "black-red": 0.5}}))
    result = range_of(sheet)
    assert (result.low["south"], result.high["south"]) == (0, 1)
    assert range_of(said(sheet, "put", "4", "maki:red-black")).low["south"] == 1
    assert range_of(said(sheet, "tell", "wins-north", "1")).low["north"] == 1


@pytest.mark.parametrize(
    ("verb", "args", "code"),
    [
        ("tell", ["won-3", "white"], "key_unknown"),
        ("tell", ["won-1", "pink"], "key_unknown"),
        ("tell", ["won-1"], "key_unknown"),
        ("put", ["ALOA", "bridge:white"], "content_unreadable"),
        ("put", ["ALOA", "stone:pink"], "content_unreadable"),
        ("put", ["Nowhere", "empty"], "place_unknown"),
        ("rules", ["2013"], "rules_unknown"),
        ("players", ["pink"], "colour_unknown"),
    ],
)
def test_a_wrong_word_is_refused_with_its_reason(verb: str, args: list[str], code: str) -> None:
    refusal = corrected(kahuna(), verb, args)
    assert isinstance(refusal, Refusal)
    assert refusal.code == code


def test_shells_are_a_number_of_those_in_the_box() -> None:
    sheet = merged(Sheet(), maori("blue", {}))
    refusal = corrected(sheet, "tell", ["shells-blue", "31"])
    assert isinstance(refusal, Refusal)
    assert refusal.code == "number_wrong"


def test_what_stands_on_a_piece_does_not_score() -> None:
    seen = seen_json(PlaceSeen({"tile:E01+boat:blue": 0.6, "tile:E01": 0.35, "empty": 0.05}))
    assert (seen["piece"], seen["colour"], seen["confidence"], seen["is_doubtful"]) == ("tile", "E01", 0.95, False)


def test_a_covered_place_is_in_doubt_however_it_looks() -> None:
    seen = seen_json(PlaceSeen({"stone:white": 0.99, "empty": 0.01}, is_covered=True))
    assert (seen["confidence"], seen["is_doubtful"]) == (0.0, True)


def test_an_impossible_board_is_told_in_the_words_of_its_game() -> None:
    stones = board("kahuna", "stone", {"ALOA": "white"})
    score, problems = (
        merged(Sheet(), stones).to_json("en")["score"],
        merged(Sheet(), stones).to_json("en")["score_problems"],
    )
    assert score is None
    assert "ALOA" in problems[0].upper()
