"""Keeps the table of rooms in companion/README.md true, by reading the imports of every file of ours."""

import ast
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("companion", "vision", "web", "firmware")

ANY = ("*",)
BOARDS = ("companion.games.*.board",)
# What makes the same game run differently twice, or reaches outside it. A random generator is passed in.
IMPURE = (
    "asyncio concurrent ctypes datetime getpass glob http io locale logging multiprocessing os pathlib platform random "
    "sched secrets select selectors shutil signal socket socketserver sqlite3 ssl subprocess tempfile threading time "
    "urllib uuid"
).split()
IMPURE_CALLS = ("input", "open", "print")
# These open devices, need system libraries or take long to load, so a file of companion/ loads them inside a function.
HEAVY = ("cv2", "flask", "gpiozero", "numpy", "paho", "picamera2", "psycopg", "reportlab", "serial")
GAMES = ("makabana", "kahuna", "makisan", "maki-san", "maori")


class Room(NamedTuple):
    """What the files of a package may import, besides the package itself."""

    ours: tuple[str, ...] = ()
    others: tuple[str, ...] = ()  # third-party packages
    is_pure: bool = False


# The longest matching name is the room of a module.
ROOMS = {
    "companion": Room(),
    "companion.__main__": Room(ours=("companion.cli",)),
    "companion.cli": Room(ours=("companion.commands", "companion.games", "companion.players", "companion.table",
                                "companion.devices", "vision", "web"), others=ANY),
    "companion.commands": Room(ours=("companion.games", "companion.house", "companion.players", "companion.rehearsal",
                                     "companion.table", "companion.teaching", "companion.devices", "vision", "web"),
                               others=ANY),
    "companion.games": Room(is_pure=True),
    "companion.table": Room(ours=("companion.games",), others=("psycopg",)),
    "companion.devices": Room(ours=("companion.table.observations", "firmware.framing"),
                              others=("gpiozero", "paho", "serial")),
    "companion.rehearsal": Room(ours=("companion.games", "companion.table")),
    "companion.players": Room(ours=("companion.games",)),
    "companion.teaching": Room(ours=("companion.games", "companion.players", "companion.table")),
    "companion.house": Room(ours=("companion.games", "companion.players", "companion.table", "companion.devices",
                                  "vision", "web"), others=ANY),
    "vision": Room(ours=BOARDS, others=("cv2", "numpy", "picamera2", "reportlab")),
    # Training happens on a developer's machine; nothing of ours imports it, and torch and onnx are in no extra.
    "vision.training": Room(ours=("vision", *BOARDS), others=("cv2", "numpy", "onnx", "torch")),
    # Pages say game sentences and read what arrives by the same strict rules; they never ask a game anything.
    "web": Room(ours=("companion.table", "companion.teaching", "companion.games.protocol", "companion.games.record",
                      "companion.games.texts", *BOARDS),
                others=("babel", "cheroot", "flask", "flask_babel", "jinja2", "markupsafe", "segno", "werkzeug",
                        "zeroconf")),
    "firmware": Room(others=ANY),  # MicroPython's modules are not those of this Python
}  # fmt: skip


class Import(NamedTuple):
    name: str  # the full dotted name, `package.module.thing`
    line: int
    is_lazy: bool  # inside a function
    is_for_types: bool  # under `if TYPE_CHECKING`


class Source(NamedTuple):
    """One Python file, by its module name."""

    module: str
    text: str
    is_package: bool = False

    @property
    def package(self) -> str:
        return self.module if self.is_package else self.module.rpartition(".")[0]


def imports_of(source: Source) -> Iterator[Import]:
    yield from _imports_in(ast.parse(source.text), source.package, is_lazy=False, is_for_types=False)


def _imports_in(node: ast.AST, package: str, is_lazy: bool, is_for_types: bool) -> Iterator[Import]:
    for name in _names_imported_by(node, package):
        yield Import(name, node.lineno, is_lazy, is_for_types)
    is_lazy = is_lazy or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    typed = node.body if isinstance(node, ast.If) and _asks_type_checking(node) else []
    for child in ast.iter_child_nodes(node):
        yield from _imports_in(child, package, is_lazy, is_for_types or child in typed)


def _asks_type_checking(node: ast.If) -> bool:
    return ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def _names_imported_by(node: ast.AST, package: str) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=module, names=names, level=level):
            origin = _absolute("." * level + (module or ""), package)
            return [f"{origin}.{alias.name}" for alias in names]
        case ast.Call(func=func, args=[ast.Constant(value=str(name)), *_]):
            if ast.unparse(func) in ("importlib.import_module", "import_module", "__import__"):
                return [_absolute(name, package)]
    return []


def _absolute(name: str, package: str) -> str:
    bare = name.lstrip(".")
    level = len(name) - len(bare)
    if level == 0:
        return name
    parents = package.split(".")
    return ".".join([*parents[: len(parents) - level + 1], *bare.split(".")]).rstrip(".")


def room_of(module: str) -> str:
    return max((name for name in ROOMS if _is_within(module, name)), key=len)


def _is_within(name: str, pattern: str) -> bool:
    """Whether a dotted name is `pattern` or something below it; a `*` stands for one part."""
    parts, wanted = name.split("."), pattern.split(".")
    return len(parts) >= len(wanted) and all(map(fnmatchcase, parts, wanted))


def faults_of(source: Source) -> list[str]:
    """Everything in a file that its room does not allow, as `module:line: sentence`."""
    room = room_of(source.module)
    faults = [(found.line, fault) for found in imports_of(source) if (fault := _import_fault(found, room))]
    if ROOMS[room].is_pure:
        faults += _impure_calls(source)
    if room != "companion.games":
        faults += _game_names_compared(source)
    return [f"{source.module}:{line}: {fault}" for line, fault in sorted(faults)]


def _import_fault(found: Import, room: str) -> str | None:
    rules, top = ROOMS[room], found.name.split(".")[0]
    if top in PACKAGES:
        allowed = (room, "companion.__version__", *rules.ours) if room != "companion" else ()
        is_allowed = any(_is_within(found.name, pattern) for pattern in allowed)
    elif top in sys.stdlib_module_names:
        # A type's name under TYPE_CHECKING does nothing: that is how a passed-in generator gets its type.
        is_allowed = not rules.is_pure or top not in IMPURE or found.is_for_types
    else:
        is_allowed = any(fnmatchcase(top, pattern) for pattern in rules.others)
    if not is_allowed:
        return f"{room} may not import {found.name}"
    if top in HEAVY and room.startswith("companion") and not (found.is_lazy or found.is_for_types):
        return f"{found.name} is heavy: import it inside the function that needs it"
    return None


def _impure_calls(source: Source) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source.text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS:
            yield node.lineno, f"{node.func.id}() is input or output, which the rules do without"


def _game_names_compared(source: Source) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source.text)):
        if isinstance(node, ast.Compare | ast.MatchValue):
            for part in ast.walk(node):
                if isinstance(part, ast.Constant) and part.value in GAMES:
                    yield part.lineno, f"asks if the game is {part.value!r}: that belongs in companion.games"


def our_sources() -> list[Source]:
    return [_read(path) for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def _read(path: Path) -> Source:
    parts = path.relative_to(ROOT).with_suffix("").parts
    is_package = parts[-1] == "__init__"
    return Source(".".join(parts[:-1] if is_package else parts), path.read_text("utf-8"), is_package)


def test_every_file_keeps_to_its_room() -> None:
    assert [fault for source in our_sources() for fault in faults_of(source)] == []


@pytest.mark.parametrize(
    "room",
    ["companion", "companion.games", "companion.table", "companion.devices", "companion.players", "vision", "web"],
)
def test_no_room_escapes_the_reader(room: str) -> None:
    assert room in {room_of(source.module) for source in our_sources()}


def test_every_room_of_the_table_is_known() -> None:
    for folder in (path for path in (ROOT / "companion").iterdir() if (path / "__init__.py").exists()):
        assert f"companion.{folder.name}" in ROOMS


GAME, TABLE, DEVICE = "companion.games.makabana.rules", "companion.table.store", "companion.devices.reader"


@pytest.mark.parametrize(
    ("module", "text", "fault"),
    [
        (GAME, "import numpy", "companion.games may not import numpy"),
        (GAME, "import companion.table.log", "companion.games may not import companion.table.log"),
        (GAME, "from companion import table", "companion.games may not import companion.table"),
        (GAME, "from ...table import log", "companion.games may not import companion.table.log"),
        (GAME, "from ... import cli", "companion.games may not import companion.cli"),
        (GAME, "def f():\n    import random", "companion.games may not import random"),
        (GAME, "if TYPE_CHECKING:\n    pass\nelse:\n    import random", "companion.games may not import random"),
        (GAME, "if TYPE_CHECKING:\n    import companion.table", "companion.games may not import companion.table"),
        (GAME, "if True:\n    from os import path", "companion.games may not import os.path"),
        (GAME, "import importlib\nimportlib.import_module('vision.eye')", "companion.games may not import vision.eye"),
        (GAME, "__import__('time')", "companion.games may not import time"),
        (GAME, "text = open('x').read()", "open() is input or output, which the rules do without"),
        (TABLE, "from companion.devices import reader", "companion.table may not import companion.devices.reader"),
        (TABLE, "from importlib import import_module\nimport_module('..cli', __package__)",
         "companion.table may not import companion.cli"),
        (DEVICE, "from companion.table import *", "companion.devices may not import companion.table.*"),
        (DEVICE, "import companion.games", "companion.devices may not import companion.games"),
        (DEVICE, "import serial", "serial is heavy: import it inside the function that needs it"),
        (DEVICE, "class A:\n    import paho.mqtt", "paho.mqtt is heavy: import it inside the function that needs it"),
        ("companion.players.bot", "import companion.table", "companion.players may not import companion.table"),
        ("companion.commands.play", "from companion.cli import main",
         "companion.commands may not import companion.cli.main"),
        ("companion.cli", "import flask", "flask is heavy: import it inside the function that needs it"),
        ("companion.stray", "import companion.games", "companion may not import companion.games"),
        ("vision.sites", "import companion.games.makabana.play", "vision may not import companion.games.makabana.play"),
        ("vision.sites", "from companion.games import makabana", "vision may not import companion.games.makabana"),
        ("web.routes", "import companion.devices.reader", "web may not import companion.devices.reader"),
        ("firmware.main", "import companion", "firmware may not import companion"),
        ("web.routes", "if game == 'makabana': pass",
         "asks if the game is 'makabana': that belongs in companion.games"),
        (TABLE, "if state.game in ('x', 'kahuna'): pass",
         "asks if the game is 'kahuna': that belongs in companion.games"),
        ("companion.cli", "match game:\n    case 'maori': pass",
         "asks if the game is 'maori': that belongs in companion.games"),
    ],
)  # fmt: skip
def test_a_fault_is_named(module: str, text: str, fault: str) -> None:
    last_line = len(text.splitlines())
    assert faults_of(Source(module, text)) == [f"{module}:{last_line}: {fault}"]


@pytest.mark.parametrize(
    ("module", "text"),
    [
        (GAME, "from importlib import resources\nfrom . import board\nfrom .. import protocol\nimport json"),
        (GAME, "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from random import Random"),
        (GAME, "if name == 'makabana': pass"),
        (TABLE, "import sqlite3, time\nfrom companion.games import protocol\ndef f():\n    import psycopg"),
        (DEVICE, "from companion.table.observations import Seen\ndef link():\n    import serial"),
        ("vision.sites", "import cv2\nfrom companion.games.makabana.board import Board"),
        ("web.routes", "from companion.table import views\nfrom companion import __version__\nimport flask"),
        ("companion.cli", "from companion.commands import play\ndef f():\n    import web"),
        ("firmware.main", "import machine\nfrom firmware import framing"),
    ],
)
def test_what_a_room_may_do_is_no_fault(module: str, text: str) -> None:
    assert faults_of(Source(module, text)) == []


def test_relative_imports_of_a_package_start_at_itself() -> None:
    source = Source("companion.games", "from .protocol import Game\nfrom . import makabana", is_package=True)
    assert [found.name for found in imports_of(source)] == ["companion.games.protocol.Game", "companion.games.makabana"]
