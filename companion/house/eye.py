"""The vision process of one board: the reader of `vision/` with the pictures it read, sent through a pipe.

`vision.live` sends what was read and keeps its pictures; a table screen and a dispute want to see them as well, and a
virtual board has to be put before the lens. So this process is our own; `looking.py` does its seeing.
It shares nothing with whoever started it but the pipe, and ends when it is told to or when nobody listens any more.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from signal import SIG_BLOCK, SIG_SETMASK, SIGINT, pthread_sigmask
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from vision.cameras import Frame, Source
    from vision.tracking import Observation

_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.5, 5.0
_STOP = "stop"
_ENDING_S = 1.0  # the evening waits for it, and a process that hangs has nothing to lose
PICTURE_PX, INSET_PX = 960, 480  # widths
_JPEG_QUALITY = 80


class Watch(NamedTuple):
    """What to watch. Plain data, so that it can be handed to another process.

    `source` is what `vision.cameras.source_of` takes, or `VIRTUAL`: then layouts come through the pipe.
    """

    source: str
    board: str
    calibration: str | None = None  # the text of a calibration file
    most_fps: float = 5.0
    picture_every_s: float = 0.5


VIRTUAL = "virtual"


class Sight(NamedTuple):
    """One frame: when it was taken (`time.monotonic`), what was read, and now and then how it looked (JPEG)."""

    time_s: float
    status: str  # ok, moving, covered, no_board, unavailable; `looking` while a virtual board is being rendered
    # By place and content, as `companion.games.protocol.content_of` spells it. None: the reading before still holds.
    odds: dict[str, dict[str, float]] | None
    covered: tuple[str, ...]
    notes: tuple[tuple[str, dict[str, Any]], ...]
    picture: bytes | None = None
    inset: bytes | None = None
    layout: int = 0  # the number of the virtual layout that is to be seen


class Eye:
    """The process, seen from outside. `close` may be called twice."""

    def __init__(self, watch: Watch) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process: SpawnProcess | None = context.Process(
            target=_run, args=(watch, theirs), daemon=True, name=f"vision {watch.board}"
        )
        with _deaf_to_ctrl_c():
            self._process.start()
        theirs.close()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def take(self) -> list[Sight]:
        """Everything that has come, oldest first. Raises `EOFError` once the process has ended."""
        sights = []
        try:
            while self.pipe.poll(0):
                sights.append(self.pipe.recv())
        except OSError as error:
            raise EOFError from error
        return sights

    def show(self, layout: Any) -> None:
        """Puts a virtual board before the lens. Raises `EOFError` once the process has ended."""
        try:
            self.pipe.send(layout)
        except OSError as error:
            raise EOFError from error

    def close(self) -> None:
        if self._process is None:
            return
        with suppress(OSError):  # it may have ended by itself
            self.pipe.send(_STOP)
        self._process.join(_ENDING_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self.pipe.close()
        self._process.close()
        self._process = None


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """A process that is started within does not hear what a terminal tells to all at once: its house ends it."""
    before = pthread_sigmask(SIG_BLOCK, {SIGINT})
    try:
        resource_tracker.ensure_running()  # which lets Ctrl-C through again when it starts its own process
        pthread_sigmask(SIG_BLOCK, {SIGINT})
        yield
    finally:
        pthread_sigmask(SIG_SETMASK, before)


# --- The process itself ---


def _run(watch: Watch, pipe: Connection) -> None:
    import cv2

    cv2.setNumThreads(1)
    with suppress(BrokenPipeError, EOFError, ConnectionResetError, KeyboardInterrupt):  # nobody listens any more
        _watch(watch, pipe)
    pipe.close()


def _watch(watch: Watch, pipe: Connection) -> None:
    source = _open_source(watch, pipe)
    looker = _Looker(watch)
    patience = _FIRST_WAIT_S
    try:
        while not _is_told_to_stop(pipe, source):
            began = time.monotonic()
            sight = looker.next_sight(source)
            if sight is None:
                return
            pipe.send(sight)
            is_lost = sight.status == "unavailable"
            pause, patience = (patience, min(2 * patience, _LONGEST_WAIT_S)) if is_lost else (0.0, _FIRST_WAIT_S)
            pipe.poll(max(pause, began + 1 / watch.most_fps - time.monotonic(), 0.0))  # a word from outside ends it
    finally:
        source.close()


def _open_source(watch: Watch, pipe: Connection) -> Source:
    from vision.cameras import source_of

    if watch.source == VIRTUAL:
        from companion.house.rendering import Rendered

        return Rendered(watch.board, lambda layout: pipe.send(_looking(layout)))
    return source_of(watch.source, time.monotonic)


def _looking(layout: int) -> Sight:
    return Sight(time.monotonic(), "looking", {}, (), (), layout=layout)


def _is_told_to_stop(pipe: Connection, source: Source) -> bool:
    """Takes in what was said from outside: a virtual layout for the source, or the word to stop."""
    show: Callable[[Any], None] | None = getattr(source, "show", None)
    while pipe.poll(0):
        word = pipe.recv()
        if word == _STOP or show is None:
            return True
        show(word)
    return False


class _Looker:
    """Reads frame after frame, and takes a picture along every now and then."""

    def __init__(self, watch: Watch) -> None:
        from companion.house.looking import looker_of

        self._watch, self._looker = watch, looker_of(watch)
        self._pictured = float("-inf")
        self._drawn: object = None  # the reading that the last inset shows
        self._told: object = None  # the reading that was sent last
        self._last: Frame | None = None

    def next_sight(self, source: Source) -> Sight | None:
        from vision.errors import CameraUnavailable

        try:
            frame = source.next_frame()
        except CameraUnavailable as error:
            self._looker.forget()
            return Sight(time.monotonic(), "unavailable", {}, (), ((error.code, dict(error.data)),))
        if frame is None and self._last is not None:  # pictures that have come to their end: the last one stays
            frame = self._last._replace(time_s=time.monotonic())
        if frame is None:
            return None
        self._last = frame
        sight = self._looker.look(frame)._replace(layout=getattr(source, "layout", 0))
        reading = self._looker.reading
        if reading is not None and reading is self._told:
            sight = sight._replace(odds=None)
        self._told = reading
        return self._with_pictures(sight, frame)

    def _with_pictures(self, sight: Sight, frame: Frame) -> Sight:
        """A picture when it is time for one; the inset when something else was read."""
        is_due = frame.time_s - self._pictured >= self._watch.picture_every_s
        is_new = self._looker.reading is not self._drawn
        if not (is_due or is_new):
            return sight
        self._pictured = frame.time_s
        sight = sight._replace(picture=_jpeg(frame.picture, PICTURE_PX))
        if is_new or sight.status == "no_board":
            self._drawn = self._looker.reading
            sight = sight._replace(inset=self._inset(frame))
        return sight

    def _inset(self, frame: Frame) -> bytes:
        is_read = self._looker.reading is not None
        return _jpeg(self._looker.annotated(frame.picture) if is_read else frame.picture, INSET_PX)


def _jpeg(picture: Any, width: int) -> bytes:
    import cv2

    scale = min(1.0, width / picture.shape[1])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])[1].tobytes()


def sight_of(seen: Observation) -> Sight:
    """What the reader says of a frame, with contents spelled as games spell them."""
    odds = {
        place: {content_named(state): float(chance) for state, chance in told["odds"].items()}
        for place, told in seen.places.items()
    }
    covered = tuple(place for place, told in seen.places.items() if told["covered"])
    notes = tuple((code, dict(data)) for code, data in seen.notes)
    return Sight(seen.time_s, seen.status, odds, covered, notes)


def content_named(state: str) -> str:
    """`blue hut + pink tiki` is `hut:blue+tiki:pink`; `empty` stays so."""
    if state == "empty":
        return state
    return "+".join(":".join(reversed(piece.split())) for piece in state.split(" + "))
