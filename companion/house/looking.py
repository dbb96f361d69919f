"""Reading one board frame after frame: an island by its tracker, any other game's sheet by its package in `vision/`.

Runs inside the vision process. What a sheet shows is read when it is calm: when it has changed since it was read, and
every now and then, since a change may be too pale for a cheap look.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

from companion.house.eye import Sight, Watch, sight_of
from vision.surfaces import Maker, SurfaceReading, game_of, maker_of

if TYPE_CHECKING:
    from vision.cameras import Frame
    from vision.locate.pose import Camera, Picture
    from vision.tracking import Observation, Track

# Whatever is read between two frames is what has changed enough for a cheap look. A slow change of light or a piece as
# pale as the print may not, so all of a calm board is read anew every now and then.
WHOLE_LOOK_S = 2.0
_CALM = ("ok", "covered")
# A cheap look at a sheet: so wide, and so much of it differs by so many grey levels while something moves or has moved.
_SMALL_PX, _MOVING, _MOVING_SHARE = 240, 14.0, 0.0015
_CALM_FRAMES, _LOST_FRAMES = 2, 5


class BoardLooker(Protocol):
    """Looks at one board. `reading` is what was read last: the same object as long as nothing is read anew, and None
    while there is none."""

    @property
    def reading(self) -> Any: ...

    def look(self, frame: Frame) -> Sight:
        """What the frame says, with all odds."""

    def forget(self) -> None:
        """The camera was lost: what is seen next is seen for the first time."""

    def annotated(self, picture: Picture) -> Picture:
        """The picture with the reading drawn onto it."""


def looker_of(watch: Watch) -> BoardLooker:
    game = game_of(watch.board)
    return IslandLooker(watch) if game is None else SheetLooker(watch, maker_of(game))


class IslandLooker:
    """Maka Bana's islands, by `vision.tracking`."""

    def __init__(self, watch: Watch) -> None:
        from vision.calibration import from_json
        from vision.read import Settings
        from vision.reference import printed_reference

        self._settings, self._reference = Settings(), printed_reference(watch.board)
        self._calibration = from_json(watch.calibration) if watch.calibration else None
        self._whole_at = float("-inf")
        self._whole: object = None  # the picture that was last looked at as a whole
        self._track = _new_track()

    @property
    def reading(self) -> Any:
        return self._track.reading

    def look(self, frame: Frame) -> Sight:
        self._track, seen = self._step(self._track, frame)
        if seen.status in _CALM and self._wants_whole_look(frame):
            seen = self._look_at_all(frame) or seen
        return sight_of(seen)

    def forget(self) -> None:
        self._track = _new_track()

    def annotated(self, picture: Picture) -> Picture:
        from vision.annotate import annotated

        return annotated(picture, self.reading, self._reference)

    def _step(self, track: Track, frame: Frame) -> tuple[Track, Observation]:
        from vision.tracking import step

        return step(track, frame.picture, frame.time_s, self._reference, self._calibration, self._settings)

    def _wants_whole_look(self, frame: Frame) -> bool:
        is_due = frame.time_s - self._whole_at >= WHOLE_LOOK_S
        return is_due and frame.picture is not self._whole  # the same picture says the same again

    def _look_at_all(self, frame: Frame) -> Observation | None:
        """Finds the board and reads all of it anew; None if that fails, and then the old reading holds."""
        self._whole_at, self._whole = frame.time_s, frame.picture
        track, seen = self._step(_new_track(), frame)
        if track.reading is None:
            return None
        self._track = track._replace(calm=self._track.calm)  # it is as calm as it was
        return seen


def _new_track() -> Track:
    from vision.tracking import Track

    return Track()


class SheetLooker:
    """The sheet of any other game: calm or not is told by a cheap look, and its package reads it."""

    def __init__(self, watch: Watch, maker: Maker) -> None:
        self._surface, self._maker, self._camera = watch.board, maker, _camera_of(watch)
        self.forget()

    def forget(self) -> None:
        self.reading: SurfaceReading | None = None
        self._before: Picture | None = None  # the frame before, small and grey
        self._as_read: Picture | None = None  # the frame that was read last, whatever came of it
        self._picture: object = None  # the same, as it came
        self._calm, self._lost, self._read_at = 0, 0, float("-inf")
        self._trouble: tuple[tuple[str, dict[str, Any]], ...] = ()

    def look(self, frame: Frame) -> Sight:
        small = _small(frame.picture)
        is_first = self._before is None
        is_moving = self._before is not None and _differs(small, self._before)
        self._before, self._calm = small, 0 if is_moving else self._calm + 1
        if is_moving or (not is_first and self._calm < _CALM_FRAMES):
            return self._told(frame, "moving")
        if self._wants_reading(frame, small):
            self._read(frame, small)
        return self._told(frame, "ok")

    def annotated(self, picture: Picture) -> Picture:
        assert self.reading is not None
        return self._maker.annotated(picture, self.reading)

    def _wants_reading(self, frame: Frame, small: Picture) -> bool:
        if self._as_read is None or _differs(small, self._as_read):
            return True
        return frame.time_s - self._read_at >= WHOLE_LOOK_S and frame.picture is not self._picture

    def _read(self, frame: Frame, small: Picture) -> None:
        from vision.errors import VisionError

        self._as_read, self._picture, self._read_at = small, frame.picture, frame.time_s
        try:
            self.reading = self._maker.read(frame.picture, self._surface, self._camera)
            self._lost, self._trouble = 0, ()
        except VisionError as error:
            self._lost += 1
            self._trouble = ((error.code, dict(error.data)),)
            self._as_read = None  # it is tried again with the next frame
            if self._lost >= _LOST_FRAMES:
                self.reading = None

    def _told(self, frame: Frame, status: str) -> Sight:
        """The last reading. It holds for some frames in which the sheet is not found: a hand may be over its codes."""
        if self.reading is None:
            return Sight(frame.time_s, "no_board", {}, (), self._trouble if self._lost >= _LOST_FRAMES else ())
        places = self.reading.places
        odds = {place: {content: float(chance) for content, chance in seen.odds.items()}
                for place, seen in places.items()}  # fmt: skip
        covered = tuple(places) if self._lost else tuple(place for place, seen in places.items() if seen.is_covered)
        notes = tuple((code, dict(data)) for code, data in self.reading.notes)
        return Sight(frame.time_s, "covered" if covered and status == "ok" else status, odds, covered, notes)


def _camera_of(watch: Watch) -> Camera | None:
    from vision.calibration import from_json

    return from_json(watch.calibration).camera if watch.calibration else None


def _small(picture: Picture) -> Picture:
    """The frame small, grey and softened: noise must not look like motion."""
    import cv2

    height, width = picture.shape[:2]
    size = (_SMALL_PX, max(1, round(height * _SMALL_PX / width)))
    grey = cv2.cvtColor(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return cast("Picture", cv2.blur(grey, (3, 3)))


def _differs(one: Picture, other: Picture) -> bool:
    """Whether more than noise and a change of light lies between two small frames."""
    import numpy as np

    if one.shape != other.shape:
        return True
    gain = float(np.median(one)) / max(1.0, float(np.median(other)))  # a lamp that is dimmed moves nothing
    difference = one.astype(np.float32) - gain * other.astype(np.float32)
    return bool((np.abs(difference) > _MOVING).mean() > _MOVING_SHARE)
