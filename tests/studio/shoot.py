"""Takes the photographs: `python -m tests.studio.shoot FOLDER --sheets DIR --pictures 12 --seed 1`.

DIR holds BOARD.png and BOARD.json as `makabana print` makes them. FOLDER then feeds `python -m vision.evaluate`. Runs
in an environment with bpy.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import bpy
import cv2
import numpy as np

from tests.studio.scene import LEVELS, Studio, known_position, position, read_sheet

BOARDS = ("maka-bana", "maka-bana-2003", "nadaa", "noka")
SIZE_PX = (1280, 960)
_HEADROOM_STOPS = 5.0  # kept above white until the picture is developed


def render(path: Path, samples: int, seed: int) -> np.ndarray:
    """(H, W, 3) BGR of light, not yet developed."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples = "CPU", samples
    scene.cycles.use_denoising, scene.cycles.denoiser = True, "OPENIMAGEDENOISE"
    scene.cycles.max_bounces, scene.cycles.caustics_reflective = 5, False
    scene.cycles.seed = seed
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    scene.render.resolution_x, scene.render.resolution_y = SIZE_PX
    scene.render.image_settings.file_format, scene.render.image_settings.color_depth = "PNG", "16"
    scene.view_settings.view_transform = "Raw"
    scene.view_settings.exposure = -_HEADROOM_STOPS
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    return cv2.imread(str(path), cv2.IMREAD_UNCHANGED)[..., :3].astype(np.float32) * (2**_HEADROOM_STOPS / 65535)


class Film:
    """A lens and a small sensor that meters by itself: exposure, tone, distortion, blur, vignette, noise, JPEG."""

    def __init__(self, rng: np.random.Generator, hardness: float, stops: float) -> None:
        self.rng = rng
        self.exposure = 2 ** rng.normal(0, stops)
        self.tone, self.gamma = rng.uniform(0, 0.6), rng.uniform(1.9, 2.4)
        self.bend = rng.uniform(-0.12, 0.12) * hardness
        self.blur, self.noise = 0.3 + rng.uniform(0, 0.9) * hardness, 1 + 5 * hardness * rng.random()
        self.dark, self.quality = rng.uniform(0, 0.3) * hardness, int(rng.integers(95 - round(25 * hardness), 97))
        self.gain: float | None = None

    def develop(self, light: np.ndarray) -> np.ndarray:
        """(H, W, 3) BGR bytes. The gain is that of the first picture: exposure is locked after it."""
        if self.gain is None:
            self.gain = float(0.8 * self.exposure / np.percentile(light.max(axis=2), 96))
        height, width = light.shape[:2]
        camera = np.array([[width, 0, width / 2], [0, width, height / 2], [0, 0, 1.0]])
        bent = cv2.undistort(light * self.gain, camera, np.array([self.bend, 0, 0, 0]))
        soft = cv2.GaussianBlur(bent, (0, 0), self.blur)
        y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
        lit = soft * (1 - self.dark * (x**2 + y**2)[..., None] / 2)
        rolled = lit * (1 + self.tone * lit) / (1 + self.tone * lit**2)  # highlights roll off
        shown = 255 * np.clip(rolled, 0, 1) ** (1 / self.gamma) + self.rng.normal(0, self.noise, light.shape)
        _, coded = cv2.imencode(
            ".jpg", np.clip(shown, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, self.quality]
        )
        return cv2.imdecode(coded, cv2.IMREAD_COLOR)


def shoot(folder: Path, sheets: Path, index: int, seed: int, samples: int) -> str:
    """One scene with its calibration picture, in the form `vision.evaluate --folder` reads."""
    kinds = [(board, level) for board in BOARDS for level in LEVELS]
    board, level = kinds[index % len(kinds)]
    name = f"{board}-{level}-{seed + index}"
    if (folder / name / "truth.json").exists():
        return name
    (folder / name).mkdir(parents=True, exist_ok=True)
    sheet, rng = read_sheet(sheets, board), random.Random(seed + index)
    studio = Studio(sheet, level, seed + index)
    film = Film(
        np.random.default_rng(seed + index), {"easy": 0.2, "normal": 0.6, "hard": 1.0}[level], studio.level.exposure
    )
    first, second = known_position(sheet, rng), position(sheet, rng)
    with TemporaryDirectory() as made:
        for what, file, quality in ((first, "calibration", samples // 2), (second, "scene", samples)):
            studio.set_up(what, is_busy=file == "scene")
            seen = studio.truth(what)
            light = render(Path(made) / "frame.png", quality, rng.randrange(1 << 30))
            cv2.imwrite(str(folder / name / f"{file}.png"), film.develop(light))
    known = {place: base for place, (base, _) in first.items() if base}
    (folder / name / "truth.json").write_text(json.dumps({"known": known, "truth": seen}))
    return name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sheets", type=Path, required=True)
    parser.add_argument("--pictures", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=32, help="rays for each pixel")
    args = parser.parse_args()
    for index in range(args.pictures):
        started = time.monotonic()
        name = shoot(args.folder.resolve(), args.sheets, index, args.seed, args.samples)
        sys.stderr.write(f"{index + 1} of {args.pictures}: {name}, {time.monotonic() - started:.0f} s\n")


if __name__ == "__main__":
    main()
