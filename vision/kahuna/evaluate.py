"""How well boards of Kahuna are read: `python -m vision.kahuna.evaluate` makes scenes, reads them and tells.

What is counted is what `vision.evaluate` counts: *exact*, every judged place is right (not judged are places that a
hand or clutter hides by 15 % or more and pieces of which less than 15 % can be seen; a board that is not found is not
exact); *error*, a judged place read wrong; *confident error*, any place wrong with a confidence over 0.99; *doubt*, a
judged place read with less than 0.9.
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
import numpy as np

from vision.errors import VisionError
from vision.examining import examined
from vision.kahuna.drawing import annotated
from vision.kahuna.reading import read
from vision.locate.pose import Picture
from vision.scenes.spec import DIFFICULTIES, SceneSpec
from vision.surfaces import DOUBTFUL, SurfaceReading

CONFIDENT = 0.99


class Job(NamedTuple):
    difficulty: str
    seed: int
    folder: str | None  # where pictures are kept between runs, and wrong ones are annotated


class Made(NamedTuple):
    """A scene as the evaluation needs it."""

    picture: Picture
    truth: Mapping[str, str]
    judged: Mapping[str, bool]


class Outcome(NamedTuple):
    """What one board gave; `code` says why it was not found."""

    job: Job
    code: str | None
    places: int
    errors: tuple[str, ...]
    confident_errors: tuple[str, ...]
    doubts: int
    seconds: float

    @property
    def is_exact(self) -> bool:
        return self.code is None and not self.errors


def jobs(count: int, seed: int, folder: str | None) -> list[Job]:
    """The difficulties in turn, each scene with its own seed."""
    return [Job(DIFFICULTIES[index % len(DIFFICULTIES)], seed + index, folder) for index in range(count)]


def made(job: Job) -> Made:
    """The job's scene, from the folder if it was made before."""
    kept = Path(job.folder) / f"{job.difficulty}-{job.seed}" if job.folder else None
    if kept is not None and kept.with_suffix(".json").exists():
        data = json.loads(kept.with_suffix(".json").read_text())
        return Made(cast(Picture, cv2.imread(str(kept.with_suffix(".png")))), data["truth"], data["judged"])
    from vision.kahuna.scenes import make_scene

    scene = make_scene(SceneSpec(seed=job.seed, difficulty=job.difficulty))
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(kept.with_suffix(".png")), scene.shot.image)
        kept.with_suffix(".json").write_text(json.dumps({"truth": dict(scene.truth), "judged": dict(scene.judged)}))
    return Made(scene.shot.image, scene.truth, scene.judged)


def outcome(job: Job) -> Outcome:
    """Reads one scene and compares."""
    cv2.setNumThreads(1)
    scene = made(job)
    started = time.perf_counter()
    try:
        reading = read(scene.picture)
    except VisionError as error:
        return Outcome(job, error.code, 0, (), (), 0, time.perf_counter() - started)
    result = _compared(job, scene, reading, time.perf_counter() - started)
    if job.folder and (result.errors or result.confident_errors):
        path = Path(job.folder) / f"wrong-{job.difficulty}-{job.seed}.png"
        cv2.imwrite(str(path), annotated(scene.picture, reading))
    return result


def _compared(job: Job, scene: Made, reading: SurfaceReading, seconds: float) -> Outcome:
    errors, confident, doubts = [], [], 0
    for place, seen in reading.places.items():
        is_right = seen.content == scene.truth[place]
        told = f"{place}: read {seen.content} {seen.confidence:.3f}, is {scene.truth[place]}"
        if not is_right and seen.confidence > CONFIDENT:
            confident.append(told)
        if scene.judged[place]:
            doubts += int(seen.confidence < DOUBTFUL)
            errors += [] if is_right else [told]
    return Outcome(job, None, sum(scene.judged.values()), tuple(errors), tuple(confident), doubts, seconds)


def table(outcomes: list[Outcome]) -> str:
    """The figures by difficulty as a table of Markdown."""
    lines = [
        "| difficulty | boards | exact | wrong places | confident errors | doubts | not found |",
        "|---|---|---|---|---|---|---|",
    ]
    for level in (*DIFFICULTIES, "all"):
        own = [each for each in outcomes if level in ("all", each.job.difficulty)]
        if own:
            lines.append(_row(level, own))
    return "\n".join(lines)


def _row(level: str, own: list[Outcome]) -> str:
    places, doubts = sum(each.places for each in own), sum(each.doubts for each in own)
    errors, confident = sum(len(each.errors) for each in own), sum(len(each.confident_errors) for each in own)
    exact, lost = sum(each.is_exact for each in own), sum(each.code is not None for each in own)
    return (
        f"| {level} | {len(own)} | {exact / len(own):.1%} | {errors} of {places} | {confident} "
        f"| {doubts} ({doubts / max(1, places):.2%}) | {lost} |"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=150)
    parser.add_argument("--seed", type=int, default=20_000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--folder", help="keeps the scenes here between runs, and annotated pictures of wrong readings")
    args = parser.parse_args()
    todo = jobs(args.scenes, args.seed, args.folder)
    done = examined(outcome, todo, args.processes, "boards")
    sys.stdout.write(table(done) + "\n")
    sys.stdout.write(f"median time of a reading: {float(np.median([each.seconds for each in done])):.3f} s\n")
    for each in done:
        if each.code or each.errors or each.confident_errors:
            sys.stdout.write(f"\n{each.job.difficulty} {each.job.seed}: {each.code or ''}\n")
            sys.stdout.writelines(f"  {told}\n" for told in sorted({*each.errors, *each.confident_errors}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
