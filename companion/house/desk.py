"""The evening as the pages ask for it (`web.live.Live`): games, guests, pictures, virtual boards, restarts."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from companion.devices.texts import catalogue as device_texts
from companion.devices.texts import say as say_of_devices
from companion.games.catalogue import GAME_NAMES, game_named
from companion.games.makabana.warnings import warnings as makabana_warnings
from companion.games.protocol import Action, Event, Json, Refusal
from companion.games.texts import LANGUAGES, say_from
from companion.house.camera import Camera, CoveredCamera
from companion.house.equipment import Virtual
from companion.house.guides import CameraGuide, TagGuide
from companion.house.photo_start import begin_from
from companion.house.running import Running, RunningTable
from companion.house.surfaces import boards_of
from companion.house.virtual import VirtualBoard
from companion.players.characters import characters
from companion.table.observations import Clock
from companion.table.table import Table
from companion.table.texts import catalogue as table_texts
from web.live import GameChoice, Guest
from web.services import PhotoBoard

TITLES = {"makabana": "Maka Bana", "kahuna": "Kahuna", "makisan": "Maki-San", "maori": "Māori"}
# Games whose players' pages there are; the others can be played on the command line.
SHOWN = ("makabana", "kahuna", "makisan", "maori")
# Games that warn of what can't succeed; the others only say what they refuse.
_WARNERS: Mapping[str, Callable[[Any, Action], Sequence[Event]]] = {"makabana": makabana_warnings}


# A rendered camera takes some 600 MB; with less than this nothing would be left for the rest of a small Pi.
RENDERING_BYTES = 1.5e9


class Desk:
    """What the pages may ask of a running evening."""

    def __init__(self, running: Running, clock: Clock, has_firmware: bool = False) -> None:
        """With `has_firmware` the readers of virtual tables run the real one, where a MicroPython is at hand."""
        self._running, self._clock, self._has_firmware = running, clock, has_firmware
        self.cameras, self.tags = CameraGuide(running.table, self.say), TagGuide(running.table)

    def games(self) -> Sequence[GameChoice]:
        return [GameChoice(name, TITLES[name], game_named(name).rule_sets) for name in GAME_NAMES if name in SHOWN]

    def guests(self) -> Sequence[Guest]:
        return [Guest(one.id, one.name, one.level, one.temperament) for one in characters()]

    def header(self, game: str, rules: str, people: int) -> dict[str, Json]:
        return game_named(game).default_header(rules, people)

    def warnings(self, table: Table, seat: str, words: Sequence[str]) -> Sequence[Event]:
        with table.lock:
            game, state = table.session.game, table.session.state
        if game is None or not words:
            return ()
        action = Action(seat, words[0], tuple(words[1:]))
        if game.name in _WARNERS:
            return _WARNERS[game.name](state, action)
        after = game.apply(state, action)
        return (Event(*after),) if isinstance(after, Refusal) else ()

    # --- Pictures ---

    def picture(self, table_id: str, is_inset: bool) -> bytes | None:
        camera = self._camera(table_id)
        if camera is None:
            return None
        found = camera.frames.inset() if is_inset else camera.frames.latest()
        return found.jpeg if found is not None else None

    def is_looking(self, table_id: str) -> bool:
        camera = self._camera(table_id)
        return camera is not None and camera.is_looking

    # --- Virtual boards ---

    def virtual(self, table_id: str) -> VirtualBoard | None:
        running = self._running.table(table_id)
        if running is not None:
            running.lay_again()
        if running is None or running.virtual is None:
            return None
        boards = boards_of(running.table.session.header)
        return running.virtual if running.virtual.boards == boards else None

    def can_render(self) -> bool:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >= RENDERING_BYTES

    def start_virtual(self, table_id: str, is_rendered: bool) -> VirtualBoard | None:
        running = self._running.table(table_id)
        boards = boards_of(running.table.session.header) if running else ()
        if running is None or not boards:
            return None
        running.equip(Virtual(is_direct=not is_rendered, has_trays=False, has_firmware=self._has_firmware))
        return running.virtual

    def cover(self, table_id: str, seconds: float) -> None:
        camera = self._camera(table_id)
        if isinstance(camera, Camera | CoveredCamera):
            camera.cover(seconds)

    # --- Photographs ---

    def begin_from(self, table: Table, board: PhotoBoard, is_over: bool) -> Refusal | None:
        refusal, running = begin_from(table, board, is_over), self._running.table(table.row.id)
        if refusal is None and running is not None and running.virtual is not None:
            running.refit()  # a virtual board is laid out as the game has it
        return refusal

    # --- Parts ---

    def parts(self, table_id: str) -> Sequence[str]:
        running = self._running.table(table_id)
        return sorted(running.keepers) if running else ()

    def restart(self, table_id: str, part: str) -> bool:
        running = self._running.table(table_id)
        keeper = running.keepers.get(part) if running else None
        if keeper is None:
            return False
        keeper.restart()
        return True

    def say(self, event: Event, language: str) -> str:
        if event.code in device_texts():  # which have words for tags and pieces of their own
            return say_of_devices(event, language if language in LANGUAGES else "en")
        return say_from(event, language if language in LANGUAGES else "en", _texts())

    def _camera(self, table_id: str) -> Any:
        running: RunningTable | None = self._running.table(table_id)
        return running.camera if running else None


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    """The sentences of every sensor."""
    vision = json.loads(resources.files("vision").joinpath("texts.json").read_text(encoding="utf-8"))
    house = resources.files("companion.house").joinpath("texts.json")
    own = json.loads(house.read_text(encoding="utf-8")) if house.is_file() else {}
    return {**table_texts("makabana"), **vision, **device_texts(), **own}
