"""`python -m tests.web.screenshots DIR [WHAT ...]`: every page at three widths, in both languages and lights, as PNG.

Each page is also checked: nothing may scroll sideways or be cut off, and axe-core may find nothing. What is wrong is
printed, and then the command fails. WHAT chooses some: names of pages, widths (360) and looks (fr.dark.normal).
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from companion.house.equipment import Virtual
from companion.house.photo import PhotoDesk
from companion.house.tracing import Tracer
from companion.table.table import Table
from tests.web.conftest import launched
from tests.web.evening import PIN, WebEvening, do, seat_everybody, until
from tests.web.house import samples
from tests.web.pages import HEIGHTS, axe_violations, phone, score_sample, scrolls_sideways
from tests.web.scenes import GAMES, MOMENTS, photo_of, scene
from tests.web.test_guides import with_camera
from web.services import Services
from web.tables import SEAT_COOKIE

LOOKS = ("en.light.normal", "en.dark.normal", "fr.light.normal", "fr.dark.normal")
PATHS = {"welcome": "/", "photo": "/photo", "islands-5": "/islands/5", "islands-6": "/islands/6",
         "islands-10": "/islands/10", "editor": "/editor", "lost": "/nothing", "learn": "/learn",
         "lesson": "/learn/first-steps", "new": "/new", "demo": "/demo", "door": "/staff/door", "staff": "/staff",
         "numbers": "/staff/numbers", "guide-camera": "/staff/guide/camera", "guide-tags": "/staff/guide/tags",
         "join": "/t/{waiting}", "screen-waiting": "/screen/{waiting}", "virtual-none": "/virtual/{waiting}",
         "screen-playing": "/screen/{plan}", "finale": "/screen/{over}", "story": "/t/{over}/story",
         "virtual": "/virtual/{tiki}", "staff-table": "/staff/t/{plan_id}", "staff-photo": "/staff/t/{plan_id}/photo",
         "calibration": "/staff/t/{camera_id}/camera", "enrolment": "/staff/t/{tags_id}/tags"}  # fmt: skip
# Of the other games: the table's screen and virtual board, and the page of a photograph, by the phone they go with.
PATHS |= {f"screen-{name}": f"/screen/{{{name}}}" for name in MOMENTS}
PATHS |= {f"virtual-{name}": f"/virtual/{{{name}}}" for name in ("kahuna-turn", "makisan-turn", "maori-explore")}
PHOTOS = {f"photo-{name}": name for name in ("kahuna-over", "makisan-over", "maori-over")}
SEATED = ("lobby", "opening", "plan", "locked", "tiki", "realise", "denounce", "question", "over", *MOMENTS)
CUT = """() => [...document.querySelectorAll("main *")].filter((one) => {
  const style = getComputedStyle(one);
  return style.overflowX === "hidden" && one.clientWidth > 40 && one.scrollWidth > one.clientWidth + 2 && one.innerText;
}).map((one) => one.outerHTML.slice(0, 90))"""


class Room(NamedTuple):
    """A house with a table at every step of a game. `tokens` are those of the seat that looks, by table."""

    evening: WebEvening
    tables: dict[str, Table]
    tokens: dict[str, str]
    photos: dict[str, str]  # names of what was photographed, by page

    @property
    def codes(self) -> dict[str, str]:
        ids = {f"{name}_id": table.row.id for name, table in self.tables.items()}
        return {**{name: table.row.code for name, table in self.tables.items()}, **ids}

    def address_of(self, page: str) -> str:
        path = f"/photo/{self.photos[page]}" if page in self.photos else PATHS[page].format(**self.codes)
        return self.evening.address + path


@contextmanager
def room(wanted: Sequence[str]) -> Iterator[Room]:
    """The tables that the wanted pages need; all of them if nothing is named."""
    with ExitStack() as stack:
        desk = PhotoDesk()
        stack.callback(desk.close)
        evening = stack.enter_context(WebEvening(services=Services(desk, Tracer(), samples())))
        stack.callback(evening.desk.cameras.close)
        found = Room(evening, {}, {}, {})
        pages = [one for one in wanted if one not in LOOKS and not one.isdigit()]
        if not pages or not all(any(game in page for game in GAMES) for page in pages):
            _fill(found, Path(stack.enter_context(TemporaryDirectory())))
        _fill_games(found, desk, pages)
        yield found


def _fill(room: Room, folder: Path) -> None:
    evening, tables = room.evening, room.tables
    tables["waiting"], tables["lobby"] = evening.open_table("2013-mao", 6, "Terrasse"), evening.open_table()
    room.tokens["lobby"] = evening.house.sit(tables["lobby"], "violet", "Mareva", "sit").token
    for name in ("opening", "plan", "tiki", "realise", "denounce"):
        rules = "2013-mao" if name == "denounce" else "2013"
        _seated(room, name, rules)
        _play(tables[name], partial(_is_at, name))
    _seated(room, "locked")
    _play(tables["locked"], lambda table: table.session.state.phase == "plan" and table.session.state.plans[0])
    _seated(room, "over")
    _play(tables["over"], lambda table: not table.session.actors)
    until(lambda: tables["over"].question)
    do(tables["over"], "answer", tables["over"].question.id, "yes")
    _seated(room, "question")
    _ask(evening, tables["question"])
    tables["camera"] = with_camera(evening, folder)
    tables["tags"] = evening.open_table(people=3, name="Comptoir")
    until(lambda: evening.running.table(tables["tags"].row.id)).equip(Virtual(is_direct=True))
    evening.desk.start_virtual(tables["tiki"].row.id, is_rendered=False)


def _fill_games(room: Room, desk: PhotoDesk, pages: Sequence[str]) -> None:
    for name, moment in MOMENTS.items():
        if pages and not any(page.endswith(name) for page in pages):
            continue
        found = scene(room.evening, moment)
        room.tables[name], room.tokens[name] = found.table, found.token
        if f"virtual-{name}" in (pages or PATHS):
            room.evening.desk.start_virtual(found.table.row.id, is_rendered=False)
        if f"photo-{name}" in PHOTOS:
            room.photos[f"photo-{name}"] = photo_of(desk, found)


def _seated(room: Room, name: str, rules: str = "2013") -> None:
    room.tables[name] = room.evening.open_table(rules, 4, name="Lagune")
    room.tokens[name] = seat_everybody(room.evening, room.tables[name])["violet"]


def _is_at(phase: str, table: Table) -> bool:
    """Whether it is violet's turn in this phase, of the second round where a first one has no more to show."""
    state = table.session.state
    return state.phase == phase and table.session.actors[0] == "violet" and (phase == "denounce" or state.round != 1)


def _play(table: Table, is_there: Callable[[Table], object]) -> None:
    rng, game = random.Random(3), table.session.game
    assert game is not None
    while not is_there(table):
        seat = table.session.actors[0] if table.session.state.phase == "plan" else rng.choice(table.session.actors)
        legal = [one for one in game.legal_actions(table.session.state, seat) if one.verb != "withdraw"]
        action = rng.choice(legal)
        do(table, "act", action.verb, *action.args, seat=seat)


def _ask(evening: WebEvening, table: Table) -> None:
    """A slip of the hand, seen by the camera."""
    board = evening.desk.start_virtual(table.row.id, is_rendered=False)
    evening.running.table(table.row.id).tick()  # helping hands have laid out what the game has there
    places = [action.args[0] for action in table.session.game.legal_actions(table.session.state, "violet")]
    do(table, "act", "hut", places[0], seat="violet")
    board.put("hut", "violet", places[3])
    until(lambda: table.question)


def take_all(browser: Browser, room: Room, folder: Path, wanted: list[str]) -> list[str]:
    problems = []
    looks = [look for look in LOOKS if look in wanted] or LOOKS
    widths = [width for width in HEIGHTS if str(width) in wanted] or HEIGHTS
    pages = [one for one in wanted if one not in LOOKS and not one.isdigit()]
    for look in looks:
        for width in widths:
            with phone(browser, room.evening.address, width, look) as page:
                for name in _visit(page, room, pages):
                    file = folder / f"{name}-{width}-{'-'.join(look.split('.')[:2])}.png"
                    page.screenshot(path=file, full_page=True)
                    problems += [f"{file.name}: {problem}" for problem in _problems(page)]
    return problems


def _visit(page: Page, room: Room, wanted: list[str]) -> Iterator[str]:
    """Opens page after page, and says which it is."""
    address = room.evening.address
    page.goto(f"{address}/staff/door")
    page.fill("#pin", PIN)
    page.click('form[action$="/door"] button')
    page.wait_for_selector(".staff-head")
    for name in (*PATHS, *PHOTOS):
        if not wanted or name in wanted:
            page.goto(room.address_of(name))
            _settle(page, name)
            yield name
    if not wanted or "score" in wanted:
        score_sample(page, address, "noka")
        yield "score"
    if not wanted or "begin" in wanted:
        page.goto(f"{address}/staff/t/{room.tables['plan'].row.id}/photo")
        page.click('form[action$="/sample/noka"] button')
        page.wait_for_selector("#begin-form")
        yield "begin"
    for name in SEATED:
        if not wanted or name in wanted or f"phone-{name}" in wanted:
            table = room.tables[name]
            cookie = {"name": SEAT_COOKIE + table.row.id, "value": room.tokens[name], "url": address}
            page.context.add_cookies([cookie])
            page.goto(f"{address}/t/{table.row.code}/play")
            yield f"phone-{name}"


def _settle(page: Page, name: str) -> None:
    if name == "calibration":
        page.wait_for_selector("[data-guide-colour].is-seen")
        page.wait_for_function("document.querySelector('[data-guide-picture]').complete")
    if name == "enrolment":
        # It may be under way from an earlier visit, and then the button hides itself.
        page.evaluate("""document.querySelector('[data-tag-do="again"]').click()""")
        page.wait_for_selector("[data-tag-steps]:not([hidden])")


def _problems(page: Page) -> Iterator[str]:
    if scrolls_sideways(page):
        yield "scrolls sideways"
    for cut in page.evaluate(CUT):
        yield f"is cut: {cut}"
    yield from axe_violations(page)


def main() -> int:
    folder, wanted = Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    with room(wanted) as found, sync_playwright() as play:
        browser = launched(play)
        problems = take_all(browser, found, folder, wanted)
        browser.close()
    sys.stdout.write("".join(f"{problem}\n" for problem in problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
