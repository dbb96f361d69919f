"""What reading costs next to OpenCV's own marker detection on the same 1600 x 1200 picture, and the process' memory.

A cold read may cost 2 times `ArucoDetector.detectMarkers`, a tracked live frame 0.5 times, the process 200 MB.
"""

import multiprocessing
import resource
import sys
import time
from pathlib import Path

import cv2
import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from vision.images import open_picture  # noqa: E402
from vision.read import Settings, read  # noqa: E402
from vision.reference import printed_reference  # noqa: E402
from vision.tracking import Track, step  # noqa: E402

PICTURE = ROOT / "tests/data/vision/maka-bana-normal.jpg"
REPEATS = 15


def _median_ms(job) -> float:
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        job()
        times.append(time.perf_counter() - start)
    return 1000 * float(np.median(times))


def _memory_mb(pipe) -> None:
    picture = open_picture(PICTURE)
    reference = printed_reference("maka-bana")
    track = Track()
    for frame in range(6):
        track, _ = step(track, picture, float(frame), reference, None, Settings())
    pipe.send(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> None:
    picture = open_picture(PICTURE)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    reference = printed_reference("maka-bana")
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250))
    read(picture, reference)
    track = Track()
    for frame in range(4):
        track, seen = step(track, picture, float(frame), reference, None, Settings())
    yardstick = _median_ms(lambda: detector.detectMarkers(grey))
    cold = _median_ms(lambda: read(picture, reference))
    tracked = _median_ms(lambda: step(track, picture, 9.0, reference, None, Settings()))
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_memory_mb, args=(theirs,))
    process.start()
    memory = ours.recv()
    process.join()
    print(f"  picture {picture.shape[1]} x {picture.shape[0]}, last frame: {seen.status}")
    print(f"  detectMarkers      {yardstick:7.1f} ms")
    print(f"  cold read          {cold:7.1f} ms   {cold / yardstick:5.2f} times (at most 2)")
    print(f"  tracked frame      {tracked:7.1f} ms   {tracked / yardstick:5.2f} times (at most 0.5)")
    print(f"  memory of process  {memory:7.0f} MB   (at most 200)")


if __name__ == "__main__":
    main()
