"""Of pieces that hide something, nobody is ever sent what they can't know: not by a table, not by a page."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

from companion.games.catalogue import game_named
from companion.games.protocol import EMPTY, HIDDEN
from companion.rehearsal.world import HandClock
from companion.table.audit import audit
from companion.table.compare import expected_contents
from companion.table.entries import Command, TableRow
from companion.table.observations import BoardSeen, When
from companion.table.questions import CONTENT, Question
from companion.table.sight import Sight
from companion.table.store import open_store
from companion.table.table import Table
from companion.table.views import PUBLIC, STAFF, view, view_beside
from tests.makisan.support import GAME
from tests.makisan.test_properties import with_other_secrets
from web.panels import screen_snapshot, seat_snapshot

SEATS = ("south", "north")
GAMES = range(4)


class Mat:
    """A table of Maki-San whose camera sees whatever it is told to."""

    def __init__(self, rules: str, seed: int) -> None:
        self.clock, store = HandClock(), open_store("memory:")
        store.create_table(TableRow("m", "Mat", "BCDF", 1.0))
        self.table = Table(
            store, TableRow("m", "Mat", "BCDF", 1.0), self.clock, self.clock.now, rng=random.Random(seed)
        )
        self.rng, self.keys = random.Random(seed), 0
        self.do("new_game", json.dumps(game_named("makisan").default_header(rules, 2)))
        for seat in SEATS:
            self.do("sit", seat.title(), "0" * 64, seat=seat)
        self.do("start")

    def do(self, do: str, *args: str, seat: str | None = None) -> None:
        self.keys += 1
        answer = self.table.do(Command(f"k{self.keys}", do, args, seat))
        assert answer.accepted, (do, args, answer.refusal)

    @property
    def state(self):
        return self.table.session.state

    def act(self) -> bool:
        """One random action of whoever is to act; says whether the game goes on."""
        actors = self.table.session.actors
        if actors:
            action = self.rng.choice(GAME.legal_actions(self.state, actors[0]))
            self.do("act", action.verb, *action.args, seat=action.seat)
        return bool(actors)

    def pretend(self, state) -> None:
        """From here on the game stands so."""
        session = self.table._ledger.session
        last = session.steps[-1]._replace(state=state)
        self.table._ledger.session = session._replace(steps=(*session.steps[:-1], last))
        self.table._expect_unseen_hands()

    def look(self, seconds: float, missing: str, doubtful: str) -> None:
        """The camera looks on while one maki is missing, and one can hardly be made out."""
        lies = expected_contents(GAME, self.state)
        odds = {place: {lies.get(place, EMPTY): 0.999, EMPTY: 0.001} for place in GAME.places(self.state)}
        if missing:
            odds[missing] = {EMPTY: 0.999, lies.get(missing, EMPTY): 0.001}
        if doubtful:
            odds[doubtful] = {lies.get(doubtful, EMPTY): 0.5, turned(lies.get(doubtful, EMPTY)): 0.4, EMPTY: 0.1}
        for _ in range(round(seconds / 0.5)):
            self.clock.at += 0.5
            self.table.observe(BoardSeen("camera", odds, (), When(self.clock.at)))
            self.table.tick()


def turned(content: str) -> str:
    kind, _, faces = content.partition("+")[0].partition(":")
    return f"{kind}:{'-'.join(reversed(faces.split('-')))}" if faces else content


def sent_to(mat: Mat, viewer: str) -> str:
    """Every byte that leaves for a viewer, but for what is random by design, and what the pretended past decides."""
    seen = [view(mat.table, viewer)]
    if viewer == PUBLIC:
        seen.append(screen_snapshot(mat.table, "en"))
    if viewer in SEATS:
        seen.append(seat_snapshot(mat.table, viewer, "fr"))
    sent = json.dumps(seen, ensure_ascii=False).replace(mat.table.epoch, "")
    return sent.replace('"undo": true', '"undo": false')


def twins(rules: str, seed: int, steps: int) -> Iterator[tuple[str, Mat, Mat]]:
    """For each viewer: two tables after the same actions that differ in nothing but what the viewer can't know."""
    for viewer in (PUBLIC, STAFF, *SEATS):
        one, other = Mat(rules, seed), Mat(rules, seed)
        for mat in (one, other):
            for _ in range(steps):
                mat.act()
        seat = viewer if viewer in SEATS else None
        other.pretend(with_other_secrets(other.state, seat, random.Random(f"{seed}/{viewer}")))
        one.pretend(one.state)
        yield viewer, one, other


@pytest.mark.parametrize("rules", ["standard", "wasabi"])
def test_what_everyone_is_sent_does_not_depend_on_faces_they_can_not_see(rules):
    different = 0
    for seed in GAMES:
        for viewer, one, other in twins(rules, seed, steps=6 + 3 * seed):
            different += expected_contents(GAME, one.state) != expected_contents(GAME, other.state)
            assert sent_to(one, viewer) == sent_to(other, viewer)
            for mat in (one, other):
                mat.look(8.0, missing="1", doubtful="2")
            assert sent_to(one, viewer) == sent_to(other, viewer), (seed, viewer)
    assert different > 6


@pytest.mark.parametrize("viewer", [PUBLIC, STAFF, *SEATS])
def test_in_a_whole_game_no_message_names_a_maki_that_its_reader_does_not_know(viewer):
    mat = Mat("standard", 11)
    seat = viewer if viewer in SEATS else None
    for _ in range(40):
        goes_on = mat.act()
        lies = expected_contents(GAME, mat.state)
        seen = GAME.view(mat.state, seat)["line"]
        hidden = {lies[place] for place, maki in seen.items() if None in (maki["south"], maki["north"])}
        sent = sent_to(mat, viewer)
        assert not any(content in sent or turned(content) in sent for content in hidden)
        if not goes_on:
            break


@pytest.mark.parametrize("seat", SEATS)
def test_a_seats_view_made_beside_the_public_one_is_its_own(seat):
    mat = Mat("wasabi", 5)
    for _ in range(14):
        mat.act()
        mat.look(1.0, missing="1", doubtful="2")
        beside, own = view_beside(mat.table, view(mat.table, PUBLIC), seat), view(mat.table, seat)
        assert {key: beside[key] for key in ("pieces", "todo", "board", "early", "question", "game")} == {
            key: own[key] for key in ("pieces", "todo", "board", "early", "question", "game")
        }


def asked_about_a_hidden_maki() -> Mat:
    """A table that asks somebody about a missing maki of which not everybody knows both sides."""
    for seed in range(30):
        mat = Mat("standard", seed)
        while mat.act():
            line = GAME.shown(mat.state, None)
            if len(line) > 3 and GAME.actors(mat.state)[0] in SEATS and HIDDEN in line["2"][0][1]:
                mat.look(3.0, missing="", doubtful="")
                mat.look(8.0, missing="2", doubtful="")
                if mat.table.question is not None:
                    return mat
    raise AssertionError("no game asked")


def test_a_question_about_a_hidden_maki_tells_its_asked_no_more_than_they_see():
    mat = asked_about_a_hidden_maki()
    question = mat.table.question
    real = expected_contents(GAME, mat.state)["2"]
    shown = view(mat.table, question.seat)["question"]
    seen = expected_contents_for(mat, question.seat)["2"]
    assert [cause["expected"] for cause in shown["causes"]] == [seen]
    assert view(mat.table, STAFF)["question"]["causes"][0]["expected"] == expected_contents_for(mat, None)["2"] != real
    mat.do("answer", question.id, "game", seat=question.seat)
    assert mat.table.question is None


def expected_contents_for(mat: Mat, seat: str | None) -> dict[str, str]:
    return view(mat.table, seat or PUBLIC)["pieces"]


def test_an_answer_means_what_it_looked_like_to_whoever_gave_it():
    mat = asked_about_a_hidden_maki()
    real, place = expected_contents(GAME, mat.state)["2"], {"place": "2"}
    question = Question("q", CONTENT, "south", (), {**place, "contents": [real, EMPTY]}, (real, EMPTY))
    for seat in (*SEATS, None):
        sight = Sight(GAME, mat.state, seat)
        put = sight.question(question)
        assert put.answers == (expected_contents_for(mat, seat)["2"], EMPTY)
        assert [sight.meant(question, answer) for answer in put.answers] == [real, EMPTY]
        assert sight.meant(question, "maki:red-red") is None


def test_the_pieces_of_the_box_are_counted_however_they_lie():
    mat = Mat("standard", 3)
    for _ in range(12):
        mat.act()
    counted = audit(mat.table.session, mat.table.belief)
    assert {line["piece"] for line in counted} == {"maki"}
    assert sum(line["on_board"] for line in counted) == len(mat.state.line)
    assert all(line["beside"] >= 0 for line in counted)
