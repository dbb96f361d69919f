"""`makabana play`: opens the house. Phones, table screen and virtual table in the browser, until Ctrl-C."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from companion.commands import notify
from companion.commands.evening.banner import show_banner
from companion.commands.evening.network import free_server, own_address
from companion.commands.evening.place import Place, data_folder, open_place
from companion.commands.evening.texts import EveningError, text
from companion.commands.extras import need
from companion.games.protocol import Event, FormatError
from companion.table.house import House
from companion.table.table import Table

if TYPE_CHECKING:
    from companion.devices.tags import Register

PORT = 8080
INTERRUPTED = 130


def add_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the house in the browser")
    group.add_argument("--table", metavar="FILE", help="the table file of a real table; without it, tables are virtual")
    group.add_argument("--port", type=int, help=f"where phones find the house; {PORT} or the next free one if not said")
    group.add_argument("--host", default="0.0.0.0", help="the address to listen on; 127.0.0.1 keeps it on this machine")
    group.add_argument("--address", help="how phones reach the house, such as http://10.42.0.1:8080, if not as found")
    group.add_argument("--data", metavar="DIR", help="where games, PIN and disputes are kept")
    group.add_argument("--store", metavar="ADDRESS", help="where games are kept instead, such as postgresql://...")
    group.add_argument("--no-browser", action="store_true", help="do not open a browser here")
    group.add_argument("--pictures", action="store_true", help="with --game: render what a camera would see; slower")
    group.add_argument("--access-point", action="store_true", help="this machine is its own Wi-Fi: answer every name")


def run(args: argparse.Namespace) -> int:
    """Serves until it is told to stop. Raises `EveningError` with a sentence for everything that can't be done."""
    need("flask", "cheroot", "segno", extra="web")
    need("cv2", "numpy", extra="vision")
    with _stopping() as stopped, ExitStack() as closing:  # a second Ctrl-C does not disturb the closing
        with _heard_here_alone():
            address, is_serving, first_page = _open(args, closing)
        if not args.no_browser:
            _open_browser(first_page)
        notify.ready(address)
        notify.wait_well(stopped, is_serving)
        notify.stopping()
    print(text("goodbye", args.lang))
    return 0


def _open(args: argparse.Namespace, closing: ExitStack) -> tuple[str, Callable[[], bool], str]:
    """Opens everything: the house's address, whether it still serves, and the page to begin with."""
    place = closing.enter_context(open_place(data_folder(args.data), args.store))
    closing.enter_context(place.running)
    real = _set_table(Path(args.table), place) if args.table else None
    laid = _lay_table(place, args) if args.game else None
    server, address = _server(args, place, closing)
    show_banner(place, address, args.lang, laid, real)
    thread = threading.Thread(target=server.serve, name="web", daemon=True)
    thread.start()
    table = laid or real
    return address, thread.is_alive, f"{address}/t/{table.row.code}" if table else f"{address}/demo"


def _server(args: argparse.Namespace, place: Place, closing: ExitStack) -> tuple[Any, str]:
    from companion.house.desk import Desk
    from companion.house.photo import PhotoDesk
    from companion.house.tracing import Tracer
    from web.announce import Announcement
    from web.config import Config
    from web.evening import create_evening_app
    from web.services import Services

    photos = PhotoDesk()
    closing.callback(photos.close)
    services = Services(photos, Tracer())

    def app_for(address: str) -> Any:
        config = Config(address=args.address or address, is_captive=args.access_point)
        desk = Desk(place.running, place.clock, has_firmware=True)
        return create_evening_app(config, place.house, place.store, desk, services, place.pin)

    server = free_server(app_for, args.host, args.port, PORT)
    closing.callback(server.close)
    closing.enter_context(Announcement(own_address(args.host), server.port))
    return server, args.address or f"http://{own_address(args.host)}:{server.port}"


def _lay_table(place: Place, args: argparse.Namespace) -> Table:
    from companion.commands.evening.first_game import lay_table

    return lay_table(place, args.game, args.rules, args.players, args.pictures)


def _set_table(path: Path, place: Place) -> Table:
    """A real table: the one of this name goes on, or a new one is opened; its readers and cameras join it.

    Raises `EveningError`."""
    from companion.commands.table_file import load_table, problem_in_words
    from companion.house.equipment import Real

    folder = path.resolve().parent
    try:
        file = load_table(path)
        register = _register(folder / file.tags)
    except FormatError as error:
        raise EveningError(error.problems[0], problem_in_words) from None
    table = _table_named(place.house, file.name) or place.house.open_table(file.name)
    running = place.running.table(table.row.id)
    assert running is not None
    running.equip(Real(file, register, folder))
    return table


def _register(path: Path) -> Register:
    from companion.devices.tags import read_register

    try:
        return read_register(path)
    except OSError as error:
        raise FormatError(Event("file_unreadable", {"path": str(path), "what": error.strerror or str(error)})) from None


def _table_named(house: House, name: str) -> Table | None:
    return next((table for table in house.tables() if table.row.name == name), None)


@contextmanager
def _stopping() -> Iterator[notify.Stop]:
    """Set by Ctrl-C and a service manager's SIGTERM, so that everything is closed in order."""
    stopped = notify.Stop()

    def stop(number: int, frame: FrameType | None) -> None:
        stopped.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _heard_here_alone() -> Iterator[None]:
    """Threads and processes that are started within do not hear Ctrl-C, nor do those that they start.

    A terminal tells it to all of them at once; they end when the house tells them to, in order.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _open_browser(address: str) -> None:
    """Opens the first page where there is a screen; a Pi in a cupboard has none."""
    import os
    import webbrowser

    has_screen = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if has_screen:
        webbrowser.open(address)


__all__ = ["EveningError", "add_options", "run"]
