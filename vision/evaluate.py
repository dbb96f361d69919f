"""How well boards are read: `python -m vision.evaluate` makes scenes, reads them and prints what came out.

Each scene is read as at a real table: a calibration picture first (same camera, lamp and set, one hut of each colour on
known sites), then the scene itself, of which the reader knows nothing else. What is counted:

- *exact*: every judged place is right. Not judged are places that a hand or clutter hides (15 % or more, as the scene's
  truth says) and pieces of which less than 15 % can be seen. A board that is not found is not exact.
- *error*: a judged place whose likeliest state is wrong, in any part of it.
- *confident error*: any place, hidden or not, that is wrong with a confidence over 0.99.
- *doubt*: a judged place read with less than 0.9.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

import cv2
import numpy as np

from companion.games.makabana.board import BOARD_NAMES
from vision.annotate import annotated
from vision.calibration import calibrate, read_calibrated
from vision.errors import VisionError
from vision.examining import examined
from vision.locate.pose import Picture
from vision.read import Reading, Settings, read
from vision.reference import printed_reference

DIFFICULTIES = ("easy", "normal", "hard")
CONFIDENT = 0.99
_LEAST_VISIBLE = 0.15


class Job(NamedTuple):
    board: str
    difficulty: str
    seed: int
    without: str | None
    folder: str | None  # where pictures are kept between runs, and wrong ones are annotated


class Made(NamedTuple):
    """A scene as the evaluation needs it; `truth` by place: base colour, tiki colour, whether it is judged."""

    picture: Picture
    calibration_picture: Picture
    known: Mapping[str, str]
    truth: Mapping[str, tuple[str | None, str | None, bool]]


class Outcome(NamedTuple):
    """What one board gave."""

    job: Job
    found: bool
    code: str | None
    places: int
    errors: tuple[str, ...]
    confident_errors: tuple[str, ...]
    doubts: int
    confidences: tuple[tuple[float, bool], ...]  # of each judged place, and whether it was right
    seconds: float

    @property
    def is_exact(self) -> bool:
        return self.found and not self.errors


def jobs(count: int, seed: int, without: str | None, folder: str | None) -> list[Job]:
    """Boards and difficulties in turn, each scene with its own seed."""
    kinds = [(board, difficulty) for board in BOARD_NAMES for difficulty in DIFFICULTIES]
    return [Job(*kinds[index % len(kinds)], seed + index, without, folder) for index in range(count)]


def made(job: Job) -> Made:
    """The job's scene, from the folder if it was made before."""
    kept = Path(job.folder) / f"{job.board}-{job.difficulty}-{job.seed}" if job.folder else None
    if kept is not None and (kept / "truth.json").exists():
        return _loaded(kept)
    from vision.scenes.scene import calibration_scene, make_scene, position_of
    from vision.scenes.spec import SceneSpec

    spec = SceneSpec(board=job.board, seed=job.seed, difficulty=job.difficulty)
    scene, first = make_scene(spec), calibration_scene(spec)
    truth = {}
    for name, site in scene.truth.sites.items():
        truth[name] = (site.hut, site.tiki, name not in scene.truth.covered and site.visible >= _LEAST_VISIBLE)
    for name, club in scene.truth.clubs.items():
        truth[f"club:{name}"] = (
            club.club,
            club.tiki,
            name not in scene.truth.covered and club.visible >= _LEAST_VISIBLE,
        )
    result = Made(scene.image, first.image, dict(position_of(first).huts), truth)
    if kept is not None:
        _keep(kept, result)
    return result


def outcome(job: Job) -> Outcome:
    """Reads one scene and compares."""
    cv2.setNumThreads(1)
    scene = made(job)
    started = time.perf_counter()
    try:
        reading = _reading(job, scene)
    except VisionError as error:
        return Outcome(job, False, error.code, len(scene.truth), (), (), 0, (), time.perf_counter() - started)
    seconds = time.perf_counter() - started
    result = _compared(job, scene, reading, seconds)
    if job.folder and (result.errors or result.confident_errors):
        drawn = annotated(scene.picture, reading, printed_reference(job.board))
        cv2.imwrite(str(Path(job.folder) / f"wrong-{job.board}-{job.difficulty}-{job.seed}.jpg"), drawn)
    return result


def _reading(job: Job, scene: Made) -> Reading:
    reference = printed_reference(job.board)
    settings = Settings(
        without_pose=job.without == "pose",
        without_reference=job.without == "reference",
    )
    if job.without == "palette":
        return read(scene.picture, reference, settings=settings)
    try:
        calibration = calibrate(scene.calibration_picture, reference, {"huts": scene.known})
    except VisionError:
        return read(scene.picture, reference, settings=settings)
    return read_calibrated(scene.picture, reference, calibration, settings)


def _compared(job: Job, scene: Made, reading: Reading, seconds: float) -> Outcome:
    errors, confident, confidences, doubts, places = [], [], [], 0, 0
    for verdict in reading.verdicts:
        name = verdict.place if verdict.base_name == "hut" else f"club:{verdict.place}"
        base, tiki, is_judged = scene.truth[name]
        right = tuple(verdict.state) == (base, tiki)
        told = f"{name}: read {'/'.join(map(str, verdict.state))} {verdict.confidence:.3f}, is {base}/{tiki}"
        if not right and verdict.confidence > CONFIDENT:
            confident.append(told)
        if is_judged:
            places += 1
            doubts += verdict.reason is not None
            confidences.append((verdict.confidence, right))
            if not right:
                errors.append(told)
    return Outcome(job, True, None, places, tuple(errors), tuple(confident), doubts, tuple(confidences), seconds)


def summary(outcomes: list[Outcome]) -> dict[str, Any]:
    """The figures of one group of boards."""
    places = sum(each.places for each in outcomes if each.found)
    errors = sum(len(each.errors) for each in outcomes)
    doubts = sum(each.doubts for each in outcomes)
    return {
        "boards": len(outcomes),
        "exact_boards": sum(each.is_exact for each in outcomes),
        "exact_rate": round(sum(each.is_exact for each in outcomes) / max(1, len(outcomes)), 4),
        "not_found": dict(Counter(each.code for each in outcomes if not each.found)),
        "places": places,
        "errors": errors,
        "error_rate": round(errors / max(1, places), 5),
        "confident_errors": sum(len(each.confident_errors) for each in outcomes),
        "doubts": doubts,
        "doubt_rate": round(doubts / max(1, places), 5),
        "median_seconds": round(float(np.median([each.seconds for each in outcomes])), 3) if outcomes else None,
    }


def results(outcomes: list[Outcome]) -> dict[str, Any]:
    """All figures by difficulty, with every error in words."""
    by_level = {level: [each for each in outcomes if each.job.difficulty == level] for level in DIFFICULTIES}
    return {
        "by_difficulty": {level: summary(group) for level, group in by_level.items()},
        "all": summary(outcomes),
        "wrong": [
            {"scene": f"{each.job.board} {each.job.difficulty} {each.job.seed}", "code": each.code,
             "errors": each.errors, "confident_errors": each.confident_errors}
            for each in outcomes if not each.is_exact or each.confident_errors
        ],
    }  # fmt: skip


def table(figures: Mapping[str, Any]) -> str:
    """The figures as a table of Markdown."""
    lines = [
        "| difficulty | boards | exact | wrong places | confident errors | doubts | not found |",
        "|---|---|---|---|---|---|---|",
    ]
    for level, row in [*figures["by_difficulty"].items(), ("all", figures["all"])]:
        lines.append(
            f"| {level} | {row['boards']} | {row['exact_rate']:.1%} | {row['errors']} of {row['places']} "
            f"| {row['confident_errors']} | {row['doubts']} ({row['doubt_rate']:.2%}) "
            f"| {sum(row['not_found'].values())} |"
        )
    return "\n".join(lines)


def _keep(folder: Path, scene: Made) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / "scene.png"), scene.picture)
    cv2.imwrite(str(folder / "calibration.png"), scene.calibration_picture)
    (folder / "truth.json").write_text(json.dumps({"known": dict(scene.known), "truth": dict(scene.truth)}))


def _loaded(folder: Path) -> Made:
    data = json.loads((folder / "truth.json").read_text())
    pictures = [cast(Picture, cv2.imread(str(folder / f"{name}.png"))) for name in ("scene", "calibration")]
    truth = {name: (base, tiki, bool(is_judged)) for name, (base, tiki, is_judged) in data["truth"].items()}
    return Made(pictures[0], pictures[1], data["known"], truth)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=20_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--without", choices=("pose", "palette", "reference"))
    parser.add_argument("--difficulty", choices=DIFFICULTIES)
    parser.add_argument("--folder", help="keeps the scenes here between runs, and annotated pictures of wrong readings")
    parser.add_argument("--out", type=Path, help="writes all figures as JSON")
    args = parser.parse_args()
    todo = jobs(args.scenes, args.seed, args.without, args.folder)
    todo = [job for job in todo if args.difficulty in (None, job.difficulty)]
    done = examined(outcome, todo, args.processes, "boards")
    figures = results(done)
    sys.stdout.write(table(figures) + "\n")
    for wrong in figures["wrong"]:
        sys.stdout.write(f"\n{wrong['scene']}: {wrong['code'] or ''}\n")
        sys.stdout.writelines(f"  {error}\n" for error in wrong["errors"] or wrong["confident_errors"])
    if args.out:
        args.out.write_text(json.dumps(figures, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
