"""The staff's two live guides, table by table: setting up the cameras, and enrolling the tags (`web.guides`)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any

from companion.devices.hub import Hub
from companion.devices.texts import say as say_of_devices
from companion.games.makabana.rules import COLOURS
from companion.games.protocol import Event, FormatError, Json
from companion.house.calibrating import Calibrating, Look
from companion.house.camera import Camera
from companion.house.enrolling import Enrolling, Readers, tagged_pieces
from companion.house.equipment import Real
from companion.house.running import RunningTable
from companion.house.sensors import CALIBRATION, Sensors
from companion.house.virtual_readers import VirtualReaders, uid_of
from companion.table.observations import Piece

Say = Callable[[Event, str], str]
Tables = Callable[[str], RunningTable | None]


class CameraGuide:
    """Looks at what a table's cameras see, and keeps a calibration."""

    def __init__(self, tables: Tables, say: Say) -> None:
        self._tables, self._say = tables, say
        self._calibrating = Calibrating()
        self._kept: dict[tuple[str, str], int] = {}  # the look that was kept, by table and board

    def state(self, table_id: str, language: str) -> dict[str, Json]:
        camera, look = self._camera(table_id), self._calibrating.latest(table_id)
        boards = list(camera.boards) if camera else []
        pictured = [board for board in boards if camera and camera.frames.latest(board)]
        return {
            "boards": boards,
            "pictured": pictured,
            "palette": list(COLOURS),
            "looking": self._calibrating.is_looking(table_id),
            "calibrated": [board for board in boards if camera and camera.is_calibrated(board)],
            "look": look and self._look_json(look, table_id, language),
        }

    def look(self, table_id: str, board: str) -> bool:
        """Begins to look at a board; says whether there is a picture of it."""
        camera = self._camera(table_id)
        picture = camera.frames.latest(board) if camera and board in camera.boards else None
        if picture is None:
            return False
        self._calibrating.look(table_id, board, picture.jpeg)
        return True

    def picture(self, table_id: str) -> bytes | None:
        look = self._calibrating.latest(table_id)
        return look.picture if look else None

    def keep(self, table_id: str, number: int) -> Event | None:
        """Goes by what that look found from now on, and says why not: it is no longer the newest, or can't be kept."""
        camera, look, running = self._camera(table_id), self._calibrating.latest(table_id), self._tables(table_id)
        if look is None or look.number != number or look.calibration is None or camera is None or running is None:
            return Event("look_gone")
        folder = running.equipment.folder if isinstance(running.equipment, Real) else None
        try:
            if folder is not None:
                _write(folder / CALIBRATION.format(board=look.board), look.calibration)
        except OSError as error:
            return Event("file_unwritable", {"path": CALIBRATION.format(board=look.board), "what": error.strerror})
        camera.calibrate(look.board, look.calibration)
        running.keepers[camera.name].restart()
        self._kept[table_id, look.board] = number
        return None

    def close(self) -> None:
        self._calibrating.close()

    def _camera(self, table_id: str) -> Camera | None:
        running = self._tables(table_id)
        camera = running.camera if running else None
        return camera if isinstance(camera, Camera) else None

    def _look_json(self, look: Look, table_id: str, language: str) -> dict[str, Json]:
        findings = [
            {"area": one.area, "fine": one.is_fine, "needed": one.is_needed, "text": self._say(one.what, language)}
            for one in look.findings
        ]
        return {
            "number": look.number,
            "board": look.board,
            "findings": findings,
            "colours": list(look.colours),
            "missing": list(look.missing),
            "doubts": look.doubts,
            "can_keep": look.calibration is not None,
            "kept": self._kept.get((table_id, look.board)) == look.number,
        }


class TagGuide:
    """Asks for one piece after the other, and says what each tag is."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._under_way: dict[str, Enrolling] = {}
        self._lock = Lock()

    def state(self, table_id: str, language: str) -> dict[str, Json]:
        readers = self._readers(table_id)
        if readers is None:
            return {"readers": False}
        under_way = self._enrolling(table_id)
        if under_way is not None:
            under_way.look()
        known = readers[0].register
        return {
            "readers": True,
            "virtual": isinstance(readers[0], VirtualReaders),
            "known": [{"piece": piece.text, "name": _named(piece, language), "uid": uid}
                      for uid, piece in sorted(known.items(), key=lambda item: item[1])],
            "all": len(self._pieces(table_id)),
            "now": under_way and _now_json(under_way, language),
        }  # fmt: skip

    def do(self, table_id: str, what: str, args: list[str]) -> Event | None:
        """One press of a button; gives what is wrong with it."""
        try:
            self._done(table_id, what, args)
        except FormatError as error:
            return error.problems[0]
        except OSError as error:
            return Event("file_unwritable", {"path": "tags.json", "what": error.strerror})
        return None

    def _done(self, table_id: str, what: str, args: list[str]) -> None:
        readers, under_way = self._readers(table_id), self._enrolling(table_id)
        if readers is None:
            raise FormatError(Event("enrol_no_reader"))
        if what in ("begin", "again"):
            with self._lock:
                self._under_way[table_id] = Enrolling(*readers, self._pieces(table_id), what == "again")
        elif what == "end":
            with self._lock:
                self._under_way.pop(table_id, None)
        elif what in ("lay", "lift") and isinstance(readers[0], VirtualReaders):
            _simulate(readers[0], under_way, what, args)
        elif under_way is not None:
            _press(under_way, what, args)

    def _pieces(self, table_id: str) -> list[Piece]:
        running = self._tables(table_id)
        return list(tagged_pieces((running.table.session.header if running else None) or {}))

    def _readers(self, table_id: str) -> tuple[Readers, Hub] | None:
        running = self._tables(table_id)
        part = running.keepers["readers"].part if running and "readers" in running.keepers else None
        if isinstance(part, VirtualReaders) and part.hub is not None:
            return part, part.hub
        if isinstance(part, Sensors) and part.links is not None:
            return part, part.links.hub
        return None

    def _enrolling(self, table_id: str) -> Enrolling | None:
        with self._lock:
            return self._under_way.get(table_id)


def _press(under_way: Enrolling, what: str, args: list[str]) -> None:
    presses: Mapping[str, Callable[[], None]] = {
        "skip": under_way.skip,
        "back": under_way.back,
        "yes": lambda: under_way.answer(True),
        "no": lambda: under_way.answer(False),
        "forget": lambda: under_way.forget(args[0] if args else ""),
    }
    presses.get(what, under_way.look)()


def _simulate(readers: VirtualReaders, under_way: Enrolling | None, what: str, args: list[str]) -> None:
    """A hand with a tag over the virtual readers: the tag of the asked piece, a new one, or that of another piece."""
    if what == "lift":
        readers.lift_tag()
    elif args == ["new"]:
        count = len(readers.register) + 1
        readers.lay_tag("04" + hashlib.sha256(f"new {count}".encode()).hexdigest()[:12].upper())
    elif under_way is not None and under_way.piece is not None:
        elsewhere = [under_way.piece, *readers.lying]
        others = [uid for uid, piece in readers.register.items() if piece not in elsewhere]
        readers.lay_tag(others[0] if args == ["other"] and others else uid_of(under_way.piece))


def _now_json(under_way: Enrolling, language: str) -> dict[str, Json]:
    doubt = under_way.doubt
    data: dict[str, Any] = {
        "said": say_of_devices(under_way.said, language),
        "code": under_way.said.code,
        "piece": under_way.piece.text if under_way.piece else None,
        "kind": under_way.piece.kind if under_way.piece else None,
        "colour": under_way.piece.colour if under_way.piece else None,
        "name": _named(under_way.piece, language) if under_way.piece else "",
        "over": under_way.is_over,
        "taken": _named(under_way.taken, language) if under_way.taken else "",
        "doubt": None,
    }
    if doubt is not None:
        data["doubt"] = {
            "uid": doubt.uid,
            "holder": _named(doubt.holder, language),
            "name": _named(doubt.piece, language),
        }
    return data


def _named(piece: Piece, language: str) -> str:
    return say_of_devices(Event("piece_named", {"piece": piece.text}), language)


def _write(path: Path, text: str) -> None:
    """The whole file or none of it."""
    temporary = path.with_name(f".{path.name}.part")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)
