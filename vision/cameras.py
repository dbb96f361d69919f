"""Where pictures come from. A camera is anything that yields frames; a folder of pictures is one too.

Every source opens on first use, may fail at any time with `CameraUnavailable`, and may then be asked again: whoever
reads it decides how long to wait. `close()` may be called twice.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self, cast

import cv2
import numpy as np

from vision.errors import CameraUnavailable, VisionError
from vision.images import open_picture
from vision.locate.pose import Picture

_KINDS = (".jpg", ".jpeg", ".png", ".webp", ".bmp")
_TIMEOUT_MS = 4000


class Frame(NamedTuple):
    """A BGR picture of its own memory, and when it was taken (the source's clock, in seconds)."""

    picture: Picture
    time_s: float


class Source(Protocol):
    """What a source must do: give the next frame, None at its end, or raise `CameraUnavailable`."""

    name: str

    def next_frame(self) -> Frame | None: ...

    def close(self) -> None: ...


def source_of(spec: str, clock: Callable[[], float]) -> Source:
    """`pi`, a number or /dev/video path, an http:// or rtsp:// address, a video file, or a folder of pictures."""
    if spec == "pi":
        return PiCamera(clock)
    if Path(spec).is_dir():
        return Folder(Path(spec), clock)
    return Capture(spec, clock)


class _Closing:
    """Sources are context managers."""

    def close(self) -> None:
        """Nothing is open by default."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Folder(_Closing):
    """The pictures of a folder in the order of their names, one after another; ends after the last."""

    def __init__(self, folder: Path, clock: Callable[[], float]) -> None:
        self.name = str(folder)
        self._paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in _KINDS)
        self._clock = clock
        self._next = 0

    def next_frame(self) -> Frame | None:
        if self._next >= len(self._paths):
            return None
        path = self._paths[self._next]
        self._next += 1
        try:
            return Frame(open_picture(path), self._clock())
        except VisionError as error:
            raise CameraUnavailable(source=str(path)) from error


class Capture(_Closing):
    """A camera, stream or video file through OpenCV. After a failure it is opened anew."""

    def __init__(self, spec: str, clock: Callable[[], float], size_px: tuple[int, int] = (1600, 1200)) -> None:
        self.name = spec
        self._clock = clock
        self._size = size_px
        self._capture: cv2.VideoCapture | None = None
        self._is_file = Path(spec).is_file()

    def next_frame(self) -> Frame | None:
        capture = self._capture or self._open()
        good, picture = capture.read()
        if good and picture is not None:
            return Frame(cast(Picture, np.array(picture, np.uint8)), self._clock())
        self.close()
        if self._is_file:
            return None
        raise CameraUnavailable(source=self.name)

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _open(self) -> cv2.VideoCapture:
        waits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, _TIMEOUT_MS]
        if self.name.isdigit() or self.name.startswith("/dev/"):
            device: Any = int(self.name) if self.name.isdigit() else self.name
            capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
            capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        else:
            capture = cv2.VideoCapture(self.name, cv2.CAP_FFMPEG, waits)
        if not capture.isOpened():
            capture.release()
            raise CameraUnavailable(source=self.name)
        self._capture = capture
        return capture

    def lock_exposure(self) -> bool:
        """Holds exposure and white balance as they are now, where the camera can; says whether it could."""
        if self._capture is None:
            return False
        manual = self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, 1)
        return self._capture.set(cv2.CAP_PROP_AUTO_WB, 0) and manual


class PiCamera(_Closing):
    """The camera of a Raspberry Pi, where picamera2 is installed."""

    def __init__(self, clock: Callable[[], float], size_px: tuple[int, int] = (1600, 1200)) -> None:
        self.name = "pi"
        self._clock = clock
        self._size = size_px
        self._camera: Any = None

    def next_frame(self) -> Frame | None:
        camera = self._camera or self._open()
        try:
            with camera.captured_request() as request:
                picture = np.array(request.make_array("main"), np.uint8)  # a copy: the buffer goes back at once
        except (RuntimeError, TimeoutError, OSError) as error:
            self.close()
            raise CameraUnavailable(source=self.name) from error
        return Frame(picture[..., :3], self._clock())

    def close(self) -> None:
        if self._camera is not None:
            self._camera.stop()
            self._camera.close()
            self._camera = None

    def lock_exposure(self) -> bool:
        """Holds exposure and white balance as they are now."""
        if self._camera is None:
            return False
        now = self._camera.capture_metadata()
        held = {"AeEnable": False, "AwbEnable": False}
        held |= {key: now[key] for key in ("ExposureTime", "AnalogueGain", "ColourGains") if key in now}
        self._camera.set_controls(held)
        return True

    def _open(self) -> Any:
        try:
            from picamera2 import Picamera2  # type: ignore[import-not-found]

            camera = Picamera2()
            # picamera2 names formats back to front: "RGB888" is what OpenCV calls BGR.
            camera.configure(camera.create_video_configuration(main={"size": self._size, "format": "RGB888"}))
            camera.start()
        except (ImportError, RuntimeError, IndexError, OSError) as error:
            raise CameraUnavailable(source=self.name) from error
        self._camera = camera
        return camera
