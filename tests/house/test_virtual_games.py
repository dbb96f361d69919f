"""Virtual boards of all games: the same hands, whatever lies on the table."""

import random
from collections.abc import Callable, Mapping

import pytest

from companion.devices.clock import ManualClock
from companion.games.catalogue import game_named
from companion.games.protocol import EMPTY, Action, FormatError, movements
from companion.house.bots import Pace
from companion.house.camera import DirectCamera
from companion.house.surfaces import boards_of, is_surface, surface_named
from companion.house.virtual import VirtualBoard, virtual_board
from companion.table.compare import expected_contents
from companion.table.session import BOT
from companion.table.situation import changes_by
from companion.table.table import Table
from companion.table.views import PUBLIC, view
from tests.games.every_game import random_steps
from tests.house.support import Evening, act, differs, until, virtual_for

GAMES = [
    ("kahuna", "standard", 2),
    ("makisan", "wasabi", 2),
    ("maori", "base", 2),
    ("maori", "expert-atoll", 3),
    ("makabana", "2013", 3),
]


def board_of(name: str, rules: str, people: int) -> VirtualBoard:
    found = virtual_board(game_named(name).default_header(rules, people))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "rules", "people", "boards"),
    [
        ("kahuna", "standard", 2, ("kahuna",)),
        ("makisan", "standard", 2, ("makisan",)),
        ("maori", "base", 2, ("maori-display", "maori-archipelago-blue", "maori-archipelago-red")),
        ("maori", "base-atoll", 2, ("maori-display", "maori-atoll-blue", "maori-atoll-red")),
        ("makabana", "2013", 6, ("noka", "nadaa")),
    ],
)
def test_the_sheets_of_a_game_follow_from_its_places(name: str, rules: str, people: int, boards: tuple) -> None:
    game = game_named(name)
    header = game.default_header(rules, people)
    assert set(boards_of(header)) == set(boards)
    places = {place for board in boards for place in surface_named(board).places}
    assert places == set(game.places(game.start(header)))


def test_a_board_of_somebodys_own_has_no_sheet() -> None:
    header = game_named("kahuna").default_header("standard", 2)
    own = {"board": "own", "islands": {"A": [0, 0], "B": [1, 1]}, "lines": [["A", "B"]]}
    assert boards_of({**header, "boards": [own]}) == ()
    assert boards_of(None) == ()
    assert not is_surface("maori-nowhere")


@pytest.mark.parametrize(("name", "rules", "people"), GAMES)
def test_whatever_happens_in_a_game_hands_can_do_on_the_board(name: str, rules: str, people: int) -> None:
    """Step by step, by the movements that the table asks for; the contents are those that the game expects."""
    game, board = game_named(name), board_of(name, rules, people)
    state = game.start(game.default_header(rules, people))
    for step in random_steps(game, state, 2)[:120]:
        before, after = game.expected(step.before), game.expected(step.after)
        board.follow(move._asdict() for move in movements(before, after))
        found = {place: content for place, content in board.contents().items() if content != EMPTY}
        assert found == {
            place: content
            for place, content in expected_contents(game, step.after).items()
            if place in found or content != EMPTY
        }
    laid = board_of(name, rules, people)
    laid.lay_out(game.expected(step.after))
    assert laid.contents() == board.contents()


def test_a_maki_is_turned_round_and_stays_the_same_piece() -> None:
    board = board_of("makisan", "standard", 2)
    maki = board.put("maki", "red-green", "3")
    board.drag({"piece": maki.id, "turn": True})
    assert board.contents()["3"] == "maki:green-red"
    board.drag({"piece": maki.id, "place": "4"})
    assert (board.contents()["3"], board.contents()["4"]) == ("empty", "maki:green-red")
    with pytest.raises(FormatError, match="virtual_piece_unknown"):
        board.drag({"piece": maki.id, "colour": "red-blue"})
    assert [piece.id for piece in board.pieces()] == [maki.id]


def test_a_tile_is_turned_by_quarters_and_lies_any_way_round_where_that_does_not_matter() -> None:
    board, game = board_of("maori", "base", 2), game_named("maori")
    setup = game.start(game.default_header("base", 2)).setup
    word = next(word for word, face in setup.faces.items() if face.land == "E" and face.kind == "end" and "@" in word)
    name = word.partition("@")[0]
    tile = board.put("tile", name, "display:1,1")
    for _ in range(3):
        board.drag({"piece": tile.id, "turn": True})
        assert board.contents()["display:1,1"] == f"tile:{name}"
    board.drag({"piece": tile.id, "colour": word})
    board.drag({"piece": tile.id, "place": "blue:2,2"})
    assert board.contents()["blue:2,2"] == f"tile:{word}"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("kahuna", {"kind": "bridge", "colour": "white@90", "place": "ALOA-BARI"}),
        ("kahuna", {"kind": "hut", "colour": "white", "place": "ALOA"}),
        ("makisan", {"kind": "maki", "colour": "red-red", "place": "1"}),
        ("makisan", {"kind": "maki", "colour": "?-red", "place": "1"}),
        ("maori", {"kind": "tile", "colour": "E01@45", "place": "display:1,1"}),
        ("maori", {"kind": "tile", "colour": "Z99", "place": "display:1,1"}),
    ],
)
def test_only_pieces_of_the_box_can_be_put_down(name: str, data: dict) -> None:
    game = game_named(name)
    board = board_of(name, next(iter(game.rule_sets)), 2)
    with pytest.raises(FormatError, match="virtual_piece_unknown"):
        board.drag(data)
    assert board.pieces() == []


def test_pieces_that_share_a_place_lie_on_each_other_as_the_print_asks_for() -> None:
    board = board_of("makisan", "wasabi", 2)
    board.put("wasabi", "north", "2")
    board.put("maki", "red-green", "2")
    below, above = board.layout("makisan").pieces
    assert (below.kind, above.kind) == ("maki", "wasabi")
    assert abs(below.x_mm - above.x_mm) < 3
    assert board.contents()["2"] == "maki:red-green+wasabi:north"


def test_a_browser_is_shown_only_what_its_seat_may_see() -> None:
    game = game_named("makisan")
    state = random_steps(game, game.start(game.default_header("standard", 2)), 3)[12].after
    board = board_of("makisan", "standard", 2)
    board.lay_out(game.expected(state))
    pieces = board.to_json(lambda pieces: game.shown(state, "south", pieces))["pieces"]
    wanted = {place: pieces[0][1] for place, pieces in game.shown(state, "south").items()}
    assert {piece["place"]: piece["colour"] for piece in pieces} == wanted


@pytest.mark.parametrize(("name", "rules", "people"), [*GAMES[:3]])
def test_bots_play_to_the_end_on_a_board_that_helping_hands_keep_right(name: str, rules: str, people: int) -> None:
    with Evening(ManualClock(), pace=Pace.at_once()) as evening:
        table = evening.open_table(rules, people, bots=AnyBot(), game=name)
        running = evening.running.table(table.row.id)
        running.virtual, running.helps_bots = virtual_for(table), True
        running.add(DirectCamera(running.virtual, table.observe, evening.clock))
        until(lambda: pass_time(evening) or not table.session.actors, lambda: table.session.actors)
        for _ in range(30):
            pass_time(evening)
        assert table.question is None
        assert table.session.is_settled


class AnyBot(dict):
    """Somebody at every seat."""

    def __contains__(self, seat: object) -> bool:
        return True

    def __missing__(self, seat: str) -> str:
        return "random"


def pass_time(evening: Evening) -> None:
    for _ in range(3):
        evening.clock.advance(0.1)
        evening.running.tick()


@pytest.mark.parametrize(("name", "rules"), [("kahuna", "standard"), ("makisan", "standard"), ("maori", "base")])
def test_a_person_plays_by_hand_against_a_bot_that_has_none(name: str, rules: str) -> None:
    """What goes by hand is put on the board, all else is tapped; what was meant is written down, and nothing asked."""
    with Evening(ManualClock(), pace=Pace.at_once()) as evening:
        game = game_named(name)
        seats = game.seats(game.start(game.default_header(rules, 2)))
        table = evening.open_table(rules, 2, bots={seats[1]: "random"}, game=name)
        running = evening.running.table(table.row.id)
        running.virtual, running.helps_bots = virtual_for(table), True
        running.add(DirectCamera(running.virtual, table.observe, evening.clock))
        person = Person(evening, table, running.virtual, random.Random(3))
        for _ in range(12):
            until(lambda: pass_time(evening) or seats[0] in table.session.actors or not table.session.actors)
            if not table.session.actors:
                break
            person.act(seats[0])
        assert {sitting.kind for sitting in table.session.seats.values()} >= {BOT}
        assert person.wrong == []


def test_a_person_takes_a_bots_bridge_away_and_helping_hands_let_it_be() -> None:
    with Evening(ManualClock(), pace=Pace.at_once()) as evening:
        table = evening.open_table("standard", 2, bots={"black": "random"}, game="kahuna")
        running = evening.running.table(table.row.id)
        running.virtual, running.helps_bots = virtual_for(table), True
        running.add(DirectCamera(running.virtual, table.observe, evening.clock))
        action = until_hands_can(table, lambda action, changes: (action.seat, action.verb) == ("white", "remove"))
        running.virtual.lay_out(table.session.game.expected(table.session.state))
        count = len(table.session.steps)
        until(lambda: pass_time(evening) or not differs(table))
        running.virtual.take(running.virtual.on(action.args[0])[0].id)
        until(lambda: pass_time(evening) or len(table.session.steps) > count, lambda: table.question)
        assert table.session.steps[count].action == action


def test_what_follows_from_a_bridge_may_come_later_and_is_told() -> None:
    """The bridge is laid, the stone for its majority and the bridges that fall are forgotten."""
    with Evening(ManualClock(), pace=Pace.at_once()) as evening:
        table = evening.open_table("standard", 2, game="kahuna")
        running = evening.running.table(table.row.id)
        running.virtual = virtual_for(table)
        running.add(DirectCamera(running.virtual, table.observe, evening.clock))
        action = until_hands_can(table, lambda action, changes: action.verb == "bridge" and len(changes) > 2)
        game, count = table.session.game, len(table.session.steps)
        running.virtual.lay_out(game.expected(table.session.state))
        until(lambda: pass_time(evening) or not differs(table))
        running.virtual.put("bridge", action.seat, action.args[0])
        until(lambda: pass_time(evening) or len(table.session.steps) > count, lambda: table.question)
        assert table.session.steps[count].action == action
        assert table.question is None
        forgotten = {entry["place"] for entry in view(table, PUBLIC)["todo"]}
        assert len(forgotten) >= 2
        assert action.args[0] not in forgotten
        running.virtual.lay_out(game.expected(table.session.state))
        until(lambda: pass_time(evening) or not differs(table))
        assert (view(table, PUBLIC)["todo"], table.question) == ([], None)


def until_hands_can(table: Table, wanted: Callable[[Action, Mapping[str, str]], bool]) -> Action:
    """Plays on phones until hands can do something of the kind that nothing else looks like."""
    rng, game = random.Random(11), table.session.game
    while True:
        state = table.session.state
        looks = {action: changes_by(game, state, action) for action in game.hand_actions(state)}
        found = [a for a, changes in looks.items() if wanted(a, changes) and list(looks.values()).count(changes) == 1]
        if found:
            return found[0]
        seat = rng.choice(table.session.actors)
        act(table, rng.choice(list(game.legal_actions(state, seat))))


class Person:
    """Acts at random: by hand where a camera can tell it, else on the phone."""

    def __init__(self, evening: Evening, table, virtual: VirtualBoard, rng: random.Random) -> None:
        self._evening, self._table, self._virtual, self._rng = evening, table, virtual, rng
        self.wrong: list[str] = []

    def act(self, seat: str) -> None:
        session = self._table.session
        game, state = session.game, session.state
        action = self._rng.choice(list(game.legal_actions(state, seat)))
        count = len(session.steps)
        by_hand = [
            one
            for one in game.hand_actions(state)
            if game.expected(game.apply(state, one)) == game.expected(game.apply(state, action))
        ]
        if by_hand == [action]:
            after = game.apply(state, action)
            self._virtual.follow(move._asdict() for move in movements(game.expected(state), game.expected(after)))
        else:
            act(self._table, action)
            self._virtual.lay_out(game.expected(game.apply(state, action)))
        until(
            lambda: pass_time(self._evening) or len(self._table.session.steps) > count,
            lambda: (action, self._table.question),
        )
        done = self._table.session.steps[count].action
        if done != action or self._table.question is not None:
            self.wrong.append(f"{action.text} became {done.text}")
