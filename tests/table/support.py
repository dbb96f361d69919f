"""A table to test with: a clock that is moved by hand, pieces that a camera sees, and a restart at any moment."""

import json
from collections.abc import Callable, Iterable, Mapping
from itertools import count

from companion.games.catalogue import game_named
from companion.games.protocol import EMPTY, Action, Json
from companion.rehearsal.world import HandClock
from companion.table.compare import expected_contents
from companion.table.entries import Answer, Command, Entry, Store, StoreError, TableRow
from companion.table.observations import (
    CARD,
    DESK,
    TIKI,
    BoardSeen,
    Event,
    Health,
    Piece,
    Pressed,
    Tag,
    TagsSeen,
    When,
)
from companion.table.questions import Question
from companion.table.store import open_store
from companion.table.table import Table
from companion.table.views import view

FRAME_S = 0.2
CAMERA = "camera"
ROW = TableRow("t", "Table t", "BCDF", 1.0)
MAKABANA = game_named("makabana")
# With three people on Nadaa: everybody's two huts, in the order in which they are put down.
OPENING = (
    ("violet", "Danae-Cocotier-Fleur"),
    ("pink", "Danae-Lagon-Fleur"),
    ("yellow", "Danae-Rocher-Fleur"),
    ("yellow", "Evao-Lagon-Fleur"),
    ("pink", "Evao-Rocher-Fleur"),
    ("violet", "Evao-Cocotier-Fleur"),
)
_SURE = 0.999


def odds(content: str, sure: float = _SURE, other: str | None = None) -> dict[str, float]:
    """What a camera says that takes a place for this content."""
    doubt = other or (EMPTY if content != EMPTY else "hut:pink")
    return {content: sure, doubt: 1 - sure}


def header_of(rules: str = "2013", people: int = 3) -> dict[str, Json]:
    return MAKABANA.default_header(rules, people)


class Scene:
    """A table, the pieces that really lie on it, and the camera, readers and phones around it."""

    def __init__(
        self,
        rules: str = "2013",
        people: int = 3,
        store: Store | None = None,
        salt: Callable[[], str] | None = None,
        start: bool = True,
    ) -> None:
        self.clock = HandClock()
        self.store = store or open_store("memory:")
        self._options = {"salt": salt} if salt else {}
        if not self.store.tables():
            self.store.create_table(ROW)
        self.board: dict[str, str] = {}
        self.doubts: dict[str, Mapping[str, float]] = {}  # places the camera reads otherwise than they are
        self._keys = count(1)
        self.table = self._opened()
        if start:
            self.accepted("new_game", json.dumps(header_of(rules, people)))
            for seat in self.table.session.seats:
                self.accepted("sit", seat.title(), "0" * 64, seat=seat)
            self.accepted("start")

    def _opened(self) -> Table:
        return Table(self.store, ROW, self.clock, self.clock.now, **self._options)

    def restart(self) -> None:
        """The process was killed and comes back: nothing survives but the store."""
        self.table = self._opened()

    # --- Phones ---

    def do(self, do: str, *args: str, seat: str | None = None, key: str = "", seen: int | None = None) -> Answer:
        return self.table.do(Command(key or f"k{next(self._keys)}", do, args, seat, seen))

    def accepted(self, do: str, *args: str, seat: str | None = None) -> Answer:
        answer = self.do(do, *args, seat=seat)
        assert answer.accepted, answer
        return answer

    def refused(self, do: str, *args: str, seat: str | None = None, seen: int | None = None) -> str:
        """The code of a refusal, after which everything is as it was."""
        before = self.table.session
        answer = self.do(do, *args, seat=seat, seen=seen)
        assert answer.refusal is not None, (do, args)
        assert self.table.session is before
        return answer.refusal.code

    def act(self, *lines: str) -> None:
        """Actions on the phone, as text."""
        for line in lines:
            seat, *words = line.split()
            self.accepted("act", *words, seat=seat)

    def answer(self, answer: str, seat: str | None = None) -> Answer:
        question = self.asked()
        return self.do("answer", question.id, answer, seat=seat or question.seat)

    # --- Hands and camera ---

    def lay(self, place: str, content: str) -> None:
        self.board[place] = content

    def follow(self) -> None:
        """Hands make the board as the game has it."""
        self.board = dict(expected_contents(MAKABANA, self.state))

    def frame(self, hidden: Iterable[str] = ()) -> None:
        places = MAKABANA.places(self.state)
        seen = {place: self.doubts.get(place) or odds(self.board.get(place, EMPTY)) for place in places}
        self.table.observe(BoardSeen(CAMERA, seen, tuple(sorted(hidden)), When(self.clock.at)))
        self.table.tick()

    def watch(self, seconds: float = 1.0, hidden: Iterable[str] = ()) -> None:
        """The camera looks on for a while; the last frame is of the last moment."""
        for _ in range(round(seconds / FRAME_S)):
            self.clock.at += FRAME_S
            self.frame(hidden)

    def wait(self, seconds: float) -> None:
        """Time passes and no camera looks."""
        for _ in range(round(seconds / FRAME_S)):
            self.clock.at += FRAME_S
            self.table.tick()

    def lose_camera(self) -> None:
        self.table.observe(Health(CAMERA, "", False, self.clock.at, Event("camera_lost")))

    # --- Readers and buttons ---

    def card(self, seat: str, number: int, *cards: str, colour: str = "") -> None:
        """These cards, mostly one or none, lie on one place of a seat's tray."""
        colour = colour or MAKABANA.colour_of(self.state, seat)
        tags = tuple(
            Tag(f"04{number:06X}{i:06X}", Piece(CARD, colour, card), When(self.clock.at))
            for i, card in enumerate(cards)
        )
        self.table.observe(TagsSeen(f"tray-{seat}/{number}", f"tray:{seat}:{number}", tags, When(self.clock.at)))

    def cards(self, seat: str, *cards: str, places: int = 5) -> None:
        """A whole tray, the card lying face up first."""
        for number in range(1, places + 1):
            self.card(seat, number, *cards[number - 1 : number])

    def tiki_home(self, colour: str, is_home: bool = True) -> None:
        tags = (Tag("04AABBCCDDEEFF", Piece(TIKI, colour), When(self.clock.at)),) if is_home else ()
        self.table.observe(TagsSeen(f"home-{colour}", DESK, tags, When(self.clock.at)))

    def press(self, seat: str, at: float | None = None, within: float = 0.0) -> None:
        self.table.observe(Pressed(seat, When(self.clock.at if at is None else at, within)))

    # --- Looking ---

    @property
    def state(self) -> object:
        return self.table.session.state

    @property
    def log(self) -> list[str]:
        return [step.action.text for step in self.table.session.steps]

    @property
    def kept(self) -> list[Entry]:
        return self.store.entries(ROW.id)

    def asked(self) -> Question:
        assert self.table.question is not None, self.table.decision
        return self.table.question

    def view(self, viewer: str) -> dict[str, Json]:
        return view(self.table, viewer)

    def news(self) -> list[str]:
        return [news.event.code for news in self.table.news]

    # --- Ready-made beginnings ---

    def opened(self) -> "Scene":
        """All first huts stand, told by phone and seen by the camera."""
        for seat, site in OPENING:
            self.act(f"{seat} hut {site}")
        return self

    def seen(self) -> "Scene":
        self.follow()
        self.watch(1.0)
        return self

    def planned(self, **plans: str) -> "Scene":
        """Everybody has laid a plan: those given, and the first sound one for the others."""
        for seat in self.table.session.seats:
            words = plans.get(seat) or " ".join(first_plan(self.state, seat).args)
            self.act(f"{seat} plan {words}")
        return self


def first_plan(state: object, seat: str, index: int = 0) -> Action:
    plans = [action for action in MAKABANA.legal_actions(state, seat) if action.verb == "plan"]
    return plans[index]


class FailingStore:
    """A store whose disk can be taken away. With `keeps` it fails after keeping: nobody knows what became of it."""

    def __init__(self) -> None:
        self._store = open_store("memory:")
        self.fails: str | None = None
        self.keeps = False
        self.is_readable = True

    def create_table(self, table: TableRow) -> None:
        self._store.create_table(table)

    def tables(self) -> list[TableRow]:
        return self._store.tables()

    def entries(self, table_id: str, after: int = 0) -> list[Entry]:
        if self.fails and not self.is_readable:
            raise StoreError(Event(self.fails, {"path": "tables.db", "reason": "test"}))
        return self._store.entries(table_id, after)

    def append(self, table_id: str, entries: list[Entry]) -> None:
        if self.fails is None or self.keeps:
            self._store.append(table_id, entries)
        if self.fails is not None:
            raise StoreError(Event(self.fails, {"path": "tables.db", "reason": "test"}))

    def close(self) -> None:
        self._store.close()
