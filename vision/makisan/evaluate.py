"""How well lines of makis are read: `python -m vision.makisan.evaluate --scenes 90 --seed 1` makes scenes, reads them
and prints what came out. What is counted:

- *exact*: the number of makis, the colours that face the camera, and the Wasabi with its owner are right on every
  judged place. Not judged is a place whose rest is hidden by 15 % or more, or less than half of whose near face or less
  than 15 % of whose Wasabi is to be seen; nor any place where a hidden rest leaves open where the line begins.
- *error*: a judged place whose likeliest content is wrong in one of these.
- *confident error*: any place, hidden or not, whose likeliest content, far side included, is wrong with a confidence
  over 0.99; or of which a near colour, or a Wasabi, is said with more than that and wrong.
- *doubt*: a judged place whose near side and Wasabi are read with less than 0.9, whatever is open about its far side.
- *far side*: how often it was said (over 0.9), and how often that was wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import cv2
import numpy as np

from companion.games.makisan.board import PLACES, SIDES, facing_of
from vision.errors import VisionError
from vision.examining import examined
from vision.locate.pose import Picture
from vision.makisan.annotate import annotated
from vision.makisan.reading import read
from vision.surfaces import DOUBTFUL, PlaceSeen, SurfaceReading

DIFFICULTIES = ("easy", "normal", "hard")
CONFIDENT = 0.99
_HIDDEN, _LEAST_FACE, _LEAST_WASABI = 0.15, 0.5, 0.15


class Job(NamedTuple):
    difficulty: str
    seed: int
    folder: str | None  # where scenes are kept between runs, and wrong ones are annotated


class Made(NamedTuple):
    """A scene as the evaluation needs it: contents by place, whether each is judged, and the camera's side."""

    picture: Picture
    contents: Mapping[str, str]
    judged: Mapping[str, bool]
    near: str


class Outcome(NamedTuple):
    """What one line gave; `far` counts far sides said, and those said wrongly."""

    job: Job
    code: str | None
    places: int
    errors: tuple[str, ...]
    confident_errors: tuple[str, ...]
    doubts: int
    far: tuple[int, int]
    seconds: float

    @property
    def is_exact(self) -> bool:
        return self.code is None and not self.errors


def jobs(count: int, seed: int, folder: str | None) -> list[Job]:
    return [Job(DIFFICULTIES[index % len(DIFFICULTIES)], seed + index, folder) for index in range(count)]


def made(job: Job) -> Made:
    """The job's scene, from the folder if it was made before."""
    kept = Path(job.folder) / f"{job.difficulty}-{job.seed}" if job.folder else None
    if kept is not None and (kept / "truth.json").exists():
        data = json.loads((kept / "truth.json").read_text())
        return Made(cast(Picture, cv2.imread(str(kept / "scene.png"))), **data)
    result = _shot(job)
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(kept / "scene.png"), result.picture)
        told = {"contents": result.contents, "judged": result.judged, "near": result.near}
        (kept / "truth.json").write_text(json.dumps(told))
    return result


def _shot(job: Job) -> Made:
    from vision.makisan.scenes import make_scene

    scene = make_scene(job.seed, job.difficulty)
    line, contents, judged = scene.line, dict.fromkeys(PLACES, "empty"), dict.fromkeys(PLACES, True)
    for number, (place, maki) in enumerate(zip(PLACES, line.makis, strict=False)):
        contents[place] = f"maki:{facing_of(maki.faces)}"
        judged[place] = scene.hidden[maki.rest] < _HIDDEN and scene.seen[number] >= _LEAST_FACE
        if line.covered is not None and line.covered[0] == number:
            contents[place] += f"+wasabi:{line.covered[1]}"
            judged[place] = judged[place] and scene.wasabi_seen >= _LEAST_WASABI
    first = line.makis[0].rest if line.makis else 0
    last = line.makis[-1].rest if line.makis else -1
    # A hidden rest beside the line may carry a maki for all one can see; on the left it leaves the numbers open, too.
    if (first and scene.hidden[first - 1] >= _HIDDEN) or (line.makis and not judged[PLACES[0]]):
        judged = dict.fromkeys(PLACES, False)
    elif any(share >= _HIDDEN for share in scene.hidden[last + 1 :]):
        judged.update(dict.fromkeys(PLACES[len(line.makis) :], False))
    return Made(scene.image, contents, judged, scene.near)


def outcome(job: Job) -> Outcome:
    """Reads one scene and compares."""
    cv2.setNumThreads(1)
    scene = made(job)
    started = time.perf_counter()
    try:
        reading = read(scene.picture, "makisan")
    except VisionError as error:
        return Outcome(job, error.code, 0, (), (), 0, (0, 0), time.perf_counter() - started)
    seconds = time.perf_counter() - started
    result = _compared(job, scene, reading, seconds)
    if job.folder and (result.errors or result.confident_errors):
        cv2.imwrite(str(Path(job.folder) / f"wrong-{job.difficulty}-{job.seed}.jpg"), annotated(scene.picture, reading))
    return result


def _compared(job: Job, scene: Made, reading: SurfaceReading, seconds: float) -> Outcome:
    errors, confident, doubts, far = [], [], 0, [0, 0]
    for place, seen in reading.places.items():
        truth = scene.contents[place]
        shown, chance = near_side(seen, scene.near)
        told = f"{place}: read {seen.content} {seen.confidence:.3f} (near {shown} {chance:.3f}), is {truth}"
        is_right = shown == near_of(truth, scene.near)
        if (seen.content != truth and seen.confidence > CONFIDENT) or (not is_right and chance > CONFIDENT):
            confident.append(told)
        if scene.judged[place]:
            doubts += chance < DOUBTFUL
            errors += [] if is_right else [told]
        if seen.confidence > DOUBTFUL and "empty" not in (truth, seen.content):
            far[0] += 1
            far[1] += seen.content != truth
    places = sum(scene.judged.values())
    return Outcome(job, None, places, tuple(errors), tuple(confident), doubts, (far[0], far[1]), seconds)


def near_of(content: str, near: str) -> str:
    """A content with the colour on the far side left out."""
    maki, plus, wasabi = content.partition("+")
    kind, _, faces = maki.partition(":")
    return f"{kind}:{faces.split('-')[SIDES.index(near)]}{plus}{wasabi}" if faces else content


def near_side(seen: PlaceSeen, near: str) -> tuple[str, float]:
    """The likeliest near side and its chance; 0 where the place is covered."""
    chances: Counter[str] = Counter()
    for content, chance in seen.odds.items():
        chances[near_of(content, near)] += chance  # type: ignore[assignment]
    best = max(chances, key=lambda content: chances[content])
    return best, 0.0 if seen.is_covered else float(chances[best])


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The figures of one group of lines."""
    places = sum(each.places for each in outcomes)
    doubts = sum(each.doubts for each in outcomes)
    return {
        "boards": len(outcomes),
        "exact_rate": round(sum(each.is_exact for each in outcomes) / max(1, len(outcomes)), 4),
        "not_found": dict(Counter(each.code for each in outcomes if each.code)),
        "places": places,
        "errors": sum(len(each.errors) for each in outcomes),
        "confident_errors": sum(len(each.confident_errors) for each in outcomes),
        "doubts": doubts,
        "doubt_rate": round(doubts / max(1, places), 5),
        "far_said": sum(each.far[0] for each in outcomes),
        "far_wrong": sum(each.far[1] for each in outcomes),
        "median_seconds": round(float(np.median([each.seconds for each in outcomes])), 3) if outcomes else None,
    }


def table(outcomes: Sequence[Outcome]) -> str:
    """The figures by difficulty as a table of Markdown."""
    lines = [
        "| difficulty | boards | exact | wrong places | confident errors | doubts | far sides told, wrong "
        "| not found |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for level in (*DIFFICULTIES, "all"):
        row = summary([each for each in outcomes if level in (each.job.difficulty, "all")])
        lines.append(
            f"| {level} | {row['boards']} | {row['exact_rate']:.1%} | {row['errors']} of {row['places']} "
            f"| {row['confident_errors']} | {row['doubts']} ({row['doubt_rate']:.2%}) "
            f"| {row['far_said']}, {row['far_wrong']} | {sum(row['not_found'].values())} |"
        )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--difficulty", choices=DIFFICULTIES)
    parser.add_argument("--folder", help="keeps the scenes here between runs, and annotated pictures of wrong readings")
    args = parser.parse_args()
    todo = [job for job in jobs(args.scenes, args.seed, args.folder) if args.difficulty in (None, job.difficulty)]
    done = examined(outcome, todo, args.processes, "boards")
    sys.stdout.write(table(done) + "\n")
    for each in done:
        if not each.is_exact or each.confident_errors:
            sys.stdout.write(f"\n{each.job.difficulty} {each.job.seed}: {each.code or ''}\n")
            sys.stdout.writelines(f"  {error}\n" for error in each.errors or each.confident_errors)
    return 0


if __name__ == "__main__":
    sys.exit(main())
