"""The camera of a table: what the vision processes say, told to the table as one `BoardSeen` after another.

One process watches one board; a game on two islands has two, whose sights are put together. What nobody can know is
said so: places that move or are covered are hidden, a board that is lost takes its places with it, and a camera that
sees nothing at all is unavailable.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import Connection
from typing import NamedTuple

from companion.house.eye import VIRTUAL, Eye, Sight, Watch
from companion.house.frames import Frames, Picture
from companion.house.parts import PartFailedError
from companion.house.virtual import VirtualBoard
from companion.table.observations import BoardSeen, Clock, Event, Health, Observation, When

NAME = "camera"
# Loading the reader and drawing a virtual board's print takes a while; later, silence means that the process hangs.
SILENT_S = 60.0
_LOST = ("no_board", "unavailable")
_SPELLINGS = {"picamera2": "pi"}  # a table file may name the Pi's camera by its library


class _Board(NamedTuple):
    """What is known of one board now."""

    odds: Mapping[str, Mapping[str, float]] = {}
    hidden: tuple[str, ...] = ()
    lost: str = "not_seen_yet"  # the code of why it can't be seen; empty while it can


def watch_of(source: str, board: str, calibration: str | None = None, most_fps: float = 5.0) -> Watch:
    """What a table file's camera asks for."""
    return Watch(_SPELLINGS.get(source, source), board, calibration, most_fps)


class Camera:
    """A part of a running table. With a `virtual` board, that is what its processes are shown."""

    name, tells_health = NAME, True

    def __init__(
        self,
        watches: Sequence[Watch],
        tell: Callable[[Observation], None],
        clock: Clock,
        frames: Frames | None = None,
        virtual: VirtualBoard | None = None,
        make_eye: Callable[[Watch], Eye] = Eye,
    ) -> None:
        self.frames, self._make_eye = frames or Frames(), make_eye
        self.notes: dict[str, tuple[Event, ...]] = {}  # by board: what the reader remarks on, such as a blurred picture
        self._watches, self._tell, self._clock, self._virtual = tuple(watches), tell, clock, virtual
        self._eyes: dict[str, Eye] = {}
        self._covered_until = float("-inf")
        self._forget()

    @property
    def boards(self) -> tuple[str, ...]:
        return tuple(watch.board for watch in self._watches)

    def watches_as(self, other: Camera) -> bool:
        """Whether it would see what another one sees."""
        return self._watches == other._watches and self._virtual is other._virtual

    def is_calibrated(self, board: str) -> bool:
        return any(watch.calibration is not None for watch in self._watches if watch.board == board)

    def calibrate(self, board: str, text: str) -> None:
        """Has a board read with this calibration, from the next start on."""
        self._watches = tuple(w._replace(calibration=text) if w.board == board else w for w in self._watches)

    def cover(self, seconds: float) -> None:
        """Holds a hand over a virtual board."""
        self._covered_until = self._clock.now() + seconds

    @property
    def is_looking(self) -> bool:
        """Whether a virtual board has changed and its picture is not there yet."""
        wanted = None if self._virtual is None else self._virtual.version
        return wanted is not None and any(seen != wanted for seen in self._layouts.values())

    def remarks(self) -> list[Event]:
        """What a screen may say beside the picture: that the camera is looking, what the reader remarks on."""
        looking = [Event("camera_looking")] if self.is_looking else []
        return [*looking, *(note for notes in self.notes.values() for note in notes)]

    @property
    def pids(self) -> list[int]:
        """The processes, for the staff's page."""
        return [eye.pid for eye in self._eyes.values() if eye.pid is not None]

    def start(self) -> None:
        self.close()
        self._forget()
        for watch in self._watches:
            self._eyes[watch.board] = self._make_eye(watch)

    def _forget(self) -> None:
        """Nothing has been seen yet."""
        self._boards = {watch.board: _Board() for watch in self._watches}
        self._heard = {watch.board: self._clock.now() for watch in self._watches}
        self._layouts = {watch.board: -1 for watch in self._watches}  # the virtual layout that was read last
        self._shown, self._is_lost = (-1, False), False

    def tick(self) -> None:
        self._show_virtual()
        for board, eye in self._eyes.items():
            try:
                sights = eye.take()
            except EOFError:
                raise PartFailedError(Event("vision_ended", {"board": board})) from None
            for sight in sights:
                self.take_in(board, sight)
            if self._clock.now() - self._heard[board] > SILENT_S:
                raise PartFailedError(Event("vision_silent", {"board": board, "seconds": round(SILENT_S)}))

    def wakers(self) -> Sequence[Connection]:
        return [eye.pipe for eye in self._eyes.values()]

    def close(self) -> None:
        while self._eyes:
            self._eyes.popitem()[1].close()

    # --- One sight ---

    def take_in(self, board: str, sight: Sight) -> None:
        """What the process of a board says."""
        self._heard[board] = self._clock.now()
        if sight.status == "looking":
            return
        at = self._clock.now() - max(0.0, time.monotonic() - sight.time_s)
        self._keep_pictures(board, sight, at)
        self.notes[board] = tuple(Event(code, data) for code, data in sight.notes)
        if sight.status in _LOST:
            self._lose(board, sight, at)
            return
        self._boards[board] = self._seen(board, sight)
        self._tell_boards(at)
        if sight.status != "moving":
            self._layouts[board] = sight.layout

    def _seen(self, board: str, sight: Sight) -> _Board:
        odds = self._boards[board].odds if sight.odds is None else sight.odds
        if self._boards[board].lost and len(self._boards) > 1:
            self._tell(Health(f"{NAME}:{board}", "", True, self._clock.now()))
        return _Board(odds, tuple(odds) if sight.status == "moving" else sight.covered, "")

    def _tell_boards(self, at: float) -> None:
        """All boards together. Of a board that was seen once and is lost now, every place is hidden."""
        odds = {place: contents for board in self._boards.values() for place, contents in board.odds.items()}
        hidden = [place for board in self._boards.values() for place in (board.odds if board.lost else board.hidden)]
        self._is_lost = False
        self._tell(BoardSeen(NAME, odds, tuple(hidden), When(at)))

    def _lose(self, board: str, sight: Sight, at: float) -> None:
        code, data = next(iter(sight.notes), ("board_not_found", {"board": board}))
        was = self._boards[board]
        self._boards[board] = was._replace(lost=code)
        reason = Event(code, data)
        if was.lost != code and len(self._boards) > 1:
            self._tell(Health(f"{NAME}:{board}", "", False, at, reason))
        if all(one.lost for one in self._boards.values()):
            if not self._is_lost or was.lost != code:
                self._is_lost = True
                self._tell(Health(NAME, "", False, at, reason))
        elif was.lost != code:
            self._tell_boards(at)

    def _keep_pictures(self, board: str, sight: Sight, at: float) -> None:
        if sight.picture is not None:
            self.frames.add(Picture(at, board, sight.picture))
        if sight.inset is not None:
            self.frames.add_inset(Picture(at, board, sight.inset))

    def _show_virtual(self) -> None:
        if self._virtual is None:
            return
        wanted = (self._virtual.version, self._clock.now() < self._covered_until)
        if self._shown == wanted:
            return
        self._shown = wanted
        for board, eye in self._eyes.items():
            try:
                eye.show(self._virtual.layout(board)._replace(has_hand=wanted[1]))
            except EOFError:
                raise PartFailedError(Event("vision_ended", {"board": board})) from None


def virtual_camera(
    virtual: VirtualBoard, tell: Callable[[Observation], None], clock: Clock, frames: Frames | None = None
) -> Camera:
    """The camera over a virtual board: rendered pictures through the real reader."""
    watches = [Watch(VIRTUAL, board, most_fps=10.0) for board in virtual.boards]
    return Camera(watches, tell, clock, frames, virtual)


class DirectCamera:
    """Tells a virtual board's contents without any picture: for demonstrations among bots, tests and slow machines.

    Only an explicit choice selects it; nothing falls back to it.
    """

    name, tells_health = NAME, True

    def __init__(
        self, virtual: VirtualBoard, tell: Callable[[Observation], None], clock: Clock, every_s: float = 0.2
    ) -> None:
        self.frames = Frames()
        self._virtual, self._tell, self._clock, self._every_s = virtual, tell, clock, every_s
        self._told_at = float("-inf")
        self._version = -1
        self._odds: dict[str, dict[str, float]] = {}

    @property
    def is_looking(self) -> bool:
        """Whether the board has changed since it was last told."""
        return self._version != self._virtual.version

    def remarks(self) -> list[Event]:
        return []

    def start(self) -> None:
        self._told_at, self._version = float("-inf"), -1

    def tick(self) -> None:
        now = self._clock.now()
        if self._version == self._virtual.version and now - self._told_at < self._every_s:
            return
        if self._version != self._virtual.version:
            self._version = self._virtual.version
            self._odds = {place: {content: 1.0} for place, content in self._virtual.contents().items()}
        self._told_at = now
        self._tell(BoardSeen(NAME, self._odds, (), When(now)))

    def wakers(self) -> Sequence[Connection]:
        return ()

    def close(self) -> None:
        """Nothing is open."""


class CoveredCamera(DirectCamera):
    """A direct camera over which a hand can be held."""

    _covered_until = float("-inf")

    def cover(self, seconds: float) -> None:
        self._covered_until = self._clock.now() + seconds

    def tick(self) -> None:
        now = self._clock.now()
        if now < self._covered_until and self._odds:
            self._tell(BoardSeen(self.name, self._odds, tuple(self._odds), When(now)))
            return
        super().tick()
