"""The vision process: watches one board through one camera and sends observations through a pipe.

It shares nothing with whoever started it but that pipe. A camera that is lost is reported as `unavailable` and tried
again, first soon, then every few seconds; the process ends when it is told to or when nobody listens any more.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from types import TracebackType
from typing import NamedTuple, Self

from vision.calibration import Calibration, from_json
from vision.cameras import Source, source_of
from vision.errors import CameraUnavailable
from vision.read import Settings
from vision.reference import Reference, printed_reference
from vision.tracking import Observation, Track, step

_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.5, 5.0
_STOP = "stop"


class Watch(NamedTuple):
    """What to watch. Plain data, so that it can be handed to another process."""

    source: str
    board: str
    calibration: str | None = None  # the text of a calibration file
    most_fps: float = 10.0


def observations(
    source: Source,
    reference: Reference,
    calibration: Calibration | None = None,
    settings: Settings | None = None,
    clock: Callable[[], float] = time.monotonic,
    wait: Callable[[float], None] = time.sleep,
) -> Iterator[Observation]:
    """One observation per frame until the source ends; `unavailable` at every failed try while the camera is lost."""
    track, patience = Track(), _FIRST_WAIT_S
    while True:
        try:
            frame = source.next_frame()
        except CameraUnavailable as error:
            track = Track()
            yield Observation(clock(), "unavailable", {}, {}, ((error.code, dict(error.data)),))
            wait(patience)
            patience = min(2 * patience, _LONGEST_WAIT_S)
            continue
        if frame is None:
            return
        patience = _FIRST_WAIT_S
        track, seen = step(track, frame.picture, frame.time_s, reference, calibration, settings or Settings())
        yield seen


class Live:
    """The watching process, seen from outside: start it, take observations, close it (twice does no harm)."""

    def __init__(self, watch: Watch) -> None:
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process: SpawnProcess | None = context.Process(
            target=_run, args=(watch, theirs), daemon=True, name="vision"
        )
        self._process.start()
        theirs.close()

    def next_observation(self, timeout_s: float) -> Observation | None:
        """The newest observation, None if there is none in time. Raises `EOFError` once the process has ended."""
        if not self._ours.poll(timeout_s):
            return None
        newest: Observation = self._ours.recv()
        while self._ours.poll(0):
            newest = self._ours.recv()
        return newest

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def close(self) -> None:
        if self._process is None:
            return
        with suppress(OSError):  # it may have ended by itself
            self._ours.send(_STOP)
        self._process.join(2.0)
        if self._process.is_alive():
            self._process.terminate()
            self._process.join(2.0)
        self._ours.close()
        self._process = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _run(watch: Watch, pipe: Connection) -> None:
    """The process itself."""
    import cv2

    cv2.setNumThreads(2)
    calibration = from_json(watch.calibration) if watch.calibration else None
    source = source_of(watch.source, time.time)
    try:
        last = 0.0
        for seen in observations(source, printed_reference(watch.board), calibration):
            if pipe.poll(0):
                return  # the only thing ever said to us is to stop
            pipe.send(seen)
            time.sleep(max(0.0, last + 1 / watch.most_fps - time.monotonic()))
            last = time.monotonic()
    except (BrokenPipeError, EOFError, KeyboardInterrupt):
        return  # nobody listens any more
    finally:
        source.close()
        pipe.close()
