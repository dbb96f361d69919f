"""How well Māori's sheets are read: `python -m vision.maori.evaluate` makes scenes, reads them, prints what came out.

Sheets and difficulties take turns. What is counted:

- *exact*: every judged place is right. Not judged are places that a hand or clutter hides (15 % or more, as the scene's
  truth says) and solids of which less than 15 % can be seen. A sheet that is not found is not exact.
- *wrong*: a judged place whose likeliest content is not the true one, turn and boat included.
- *confident error*: any place, hidden or not, that is wrong with a confidence over 0.99.
- *doubt*: a judged place read with less than 0.9.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, cast

import cv2

from vision.errors import VisionError
from vision.examining import examined
from vision.locate.pose import Picture
from vision.maori.draw import annotated
from vision.maori.reading import read
from vision.maori.scenes import make_scene
from vision.maori.surfaces import DISPLAY, SURFACES
from vision.scenes.spec import DIFFICULTIES, SceneSpec
from vision.surfaces import DOUBTFUL, SurfaceReading

CONFIDENT = 0.99
_BOARDS = [surface for surface in SURFACES if surface != DISPLAY]


class Job(NamedTuple):
    surface: str
    difficulty: str
    seed: int
    folder: str | None  # where pictures are kept between runs, and wrong ones are annotated

    @property
    def name(self) -> str:
        return f"{self.surface}-{self.difficulty}-{self.seed}"


class Made(NamedTuple):
    picture: Picture
    contents: Mapping[str, str]
    unjudged: frozenset[str]


class Result(NamedTuple):
    """What one sheet gave."""

    job: Job
    code: str | None  # of the error, where the sheet was not found
    places: int
    wrong: tuple[str, ...]
    confident: tuple[str, ...]
    doubts: int
    seconds: float

    @property
    def is_exact(self) -> bool:
        return self.code is None and not self.wrong


def jobs(count: int, seed: int, folder: str | None) -> list[Job]:
    """Every third scene is the display, the others are all boards in turn; difficulties change after each three."""
    found = []
    for index in range(count):
        surface = DISPLAY if index % 3 == 0 else _BOARDS[(index - index // 3 - 1) % len(_BOARDS)]
        found.append(Job(surface, DIFFICULTIES[index // 3 % 3], seed + index, folder))
    return found


def made(job: Job) -> Made:
    """The job's scene, from the folder if it was made before."""
    kept = Path(job.folder) / job.name if job.folder else None
    if kept is not None and kept.with_suffix(".json").exists():
        data = json.loads(kept.with_suffix(".json").read_text())
        picture = cast(Picture, cv2.imread(str(kept.with_suffix(".png"))))
        return Made(picture, data["contents"], frozenset(data["unjudged"]))
    scene = make_scene(job.surface, SceneSpec(seed=job.seed, difficulty=job.difficulty))
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(kept.with_suffix(".png")), scene.shot.image)
        truth = {"contents": dict(scene.contents), "unjudged": sorted(scene.unjudged)}
        kept.with_suffix(".json").write_text(json.dumps(truth))
    return Made(scene.shot.image, scene.contents, scene.unjudged)


def outcome(job: Job) -> Result:
    """Reads one scene and compares."""
    cv2.setNumThreads(1)
    scene = made(job)
    started = time.perf_counter()
    try:
        reading = read(scene.picture, job.surface)
    except VisionError as error:
        return Result(job, error.code, len(scene.contents), (), (), 0, time.perf_counter() - started)
    result = _compared(job, scene, reading, time.perf_counter() - started)
    if job.folder and (result.wrong or result.confident):
        drawn = annotated(scene.picture, reading)
        cv2.imwrite(str(Path(job.folder) / f"wrong-{job.name}.png"), drawn)
    return result


def _compared(job: Job, scene: Made, reading: SurfaceReading, seconds: float) -> Result:
    wrong, confident, doubts, places = [], [], 0, 0
    for place, seen in reading.places.items():
        is_right = seen.content == scene.contents[place]
        told = f"{place}: read {seen.content} {seen.confidence:.3f}, is {scene.contents[place]}"
        if not is_right and seen.confidence > CONFIDENT:
            confident.append(told)
        if place not in scene.unjudged:
            places += 1
            doubts += seen.confidence < DOUBTFUL
            if not is_right:
                wrong.append(told)
    return Result(job, None, places, tuple(wrong), tuple(confident), doubts, seconds)


def row(name: str, results: list[Result]) -> str:
    """One line of the table."""
    found = [each for each in results if each.code is None]
    places, doubts = sum(each.places for each in found), sum(each.doubts for each in found)
    exact = sum(each.is_exact for each in results) / max(1, len(results))
    wrong, confident = sum(len(each.wrong) for each in found), sum(len(each.confident) for each in found)
    return (
        f"| {name} | {len(results)} | {exact:.1%} | {wrong} of {places} | {confident} "
        f"| {doubts} ({doubts / max(1, places):.2%}) | {len(results) - len(found)} |"
    )


def table(results: list[Result]) -> str:
    """The figures by difficulty, and of the display and the boards apart."""
    lines = [
        "| scenes | sheets | exact | wrong places | confident errors | doubts | not found |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [row(level, [each for each in results if each.job.difficulty == level]) for level in DIFFICULTIES]
    lines.append(row("display", [each for each in results if each.job.surface == DISPLAY]))
    lines.append(row("boards", [each for each in results if each.job.surface != DISPLAY]))
    return "\n".join([*lines, row("all", results)])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--folder", help="keeps the scenes here between runs, and annotated pictures of wrong readings")
    args = parser.parse_args()
    todo = jobs(args.scenes, args.seed, args.folder)
    done = examined(outcome, todo, args.processes, "sheets")
    sys.stdout.write(table(done) + "\n")
    for each in done:
        if not each.is_exact or each.confident:
            sys.stdout.write(f"\n{each.job.name}: {each.code or ''} {each.seconds:.2f} s\n")
            sys.stdout.writelines(f"  {error}\n" for error in dict.fromkeys((*each.wrong, *each.confident)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
