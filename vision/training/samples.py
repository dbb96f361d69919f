"""From training pictures to what the network learns from: patches, and what stands in them.

`python -m vision.training.samples OUT --pictures 500 --seed 1 --references DIR` writes one .npz. DIR holds BOARD.png
files as `makabana print` makes them.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.makabana.board import BOARD_NAMES, load_board
from vision.locate.pose import Floats, Picture
from vision.reading import light, patches
from vision.sheets.geometry import sheet_geometry
from vision.training.clutter import FOREIGN
from vision.training.pictures import Training, make

PX_PER_MM = 3.0
CELLS = 16  # masks are this many cells wide
_PLACE_MM = 8.5
_POSE_MM = (0.3, 0.6, 1.2)  # by how much a located board may be off
KINDS = 5  # of masks: this place's base and tiki, anybody's base and tiki, strangers


class Ground(NamedTuple):
    """A board to play on: its picture and its places, the sites first."""

    empty: Picture
    places_mm: Floats
    sites: int


def grounds(folder: Path) -> list[Ground]:
    found = []
    for name in BOARD_NAMES:
        sheet = sheet_geometry(load_board(name))
        picture = cv2.imread(str(folder / f"{name}.png"))
        if picture is None:
            raise FileNotFoundError(
                f"There is no {name}.png in {folder}. Make it with: makabana print {name} --out {folder}"
            )
        size = (round(sheet.size_mm[0] * PX_PER_MM), round(sheet.size_mm[1] * PX_PER_MM))
        small = cast(Picture, cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
        places = np.array([*sheet.sites_mm.values(), *sheet.clubs_mm.values()])
        found.append(Ground(small, places, len(sheet.sites_mm)))
    return found


def samples_of(ground: Ground, rng: np.random.Generator) -> dict[str, NDArray[Any]]:
    """The patches of one made-up picture with all that is to be learned, one row per place in view."""
    empty = _other_art(ground.empty, rng) if rng.random() < 0.4 else ground.empty
    scene = make(empty, PX_PER_MM, ground.places_mm, ground.sites, rng)
    off = rng.choice(_POSE_MM) / 2
    near = ground.places_mm + rng.normal(0, off, 2) + rng.normal(0, off, ground.places_mm.shape)
    cut = patches.cut(scene.picture, scene.view, near, empty, PX_PER_MM)
    lit = light.light_of(scene.picture, scene.view, empty, PX_PER_MM, near)
    masks, cover = _owned(scene, near, cut.elevation)
    keep = cut.inside.mean(axis=(1, 2)) > 0.8
    rows: dict[str, NDArray[Any]] = {
        "seen": cut.seen,
        "empty": cut.empty,
        "ground": np.round(cut.ground * 100).astype(np.int8),
        "elevation": cut.elevation.astype(np.float32),
        "gains": light.gains_at(lit, near).astype(np.float32),
        "base": np.array([s.base for s in scene.standing], np.int8),
        "tiki": np.array([s.tiki for s in scene.standing], np.int8),
        "club": np.arange(len(near)) >= ground.sites,
        "masks": masks,
        "cover": cover,
    }
    return {key: value[keep] for key, value in rows.items()}


def _other_art(empty: Picture, rng: np.random.Generator) -> Picture:
    """The board in other inks: turned hues, deeper colours, coarse blotches, as an owner's own board may have."""
    hsv = cv2.cvtColor(empty, cv2.COLOR_BGR2HSV).astype(np.float32)
    blotch = cv2.resize(
        rng.normal(0, 1, (12, 18, 3)).astype(np.float32), empty.shape[1::-1], interpolation=cv2.INTER_CUBIC
    )
    hsv[..., 0] = (hsv[..., 0] + rng.uniform(0, 180) + 12 * blotch[..., 0] * rng.random()) % 180
    hsv[..., 1] *= rng.uniform(0.3, 3.5)
    hsv[..., 2] *= rng.uniform(0.35, 1.0) * np.exp(0.25 * blotch[..., 1] * rng.random())
    return cast(Picture, cv2.cvtColor(np.clip(hsv, 0, 255).astype(np.uint8), cv2.COLOR_HSV2BGR))


def _owned(scene: Training, places_mm: Floats, elevation: Floats) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """(N, KINDS, CELLS, CELLS) shares of what each cell shows in 0..255, and (N,) the share hidden by strangers."""
    size = patches.SIZE_PX
    masks = np.zeros((len(places_mm), KINDS, CELLS, CELLS), np.uint8)
    cover = np.zeros(len(places_mm), np.float32)
    y, x = np.mgrid[:size, :size]
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    owners = scene.owners.astype(np.float32)
    for place, matrix in enumerate(patches.patch_transforms(scene.view, places_mm)):
        seen = cv2.warpAffine(owners, matrix, (size, size), flags=flags)
        is_foreign, is_tiki = seen >= FOREIGN, seen % 2 == 0
        mine = [seen == 1 + 2 * place, seen == 2 + 2 * place]
        anyone = [(seen > 0) & ~is_foreign & ~is_tiki, (seen > 0) & ~is_foreign & is_tiki]
        kinds = np.dstack([*mine, *anyone, is_foreign]).astype(np.float32) * 255
        masks[place] = np.round(cv2.resize(kinds, (CELLS, CELLS), interpolation=cv2.INTER_AREA)).transpose(2, 0, 1)
        sine = elevation[place]
        lift = 4 * np.sqrt(max(0.0, 1 - sine**2))
        across = (x - patches.ANCHOR_PX[0]) * patches.MM_PER_PX / _PLACE_MM
        along = ((y - patches.ANCHOR_PX[1]) * patches.MM_PER_PX + lift) / (_PLACE_MM * sine + lift)
        cover[place] = is_foreign[across**2 + along**2 < 1].mean()
    return masks, cover


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--pictures", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--references", type=Path, required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    rng = np.random.default_rng(args.seed)
    boards = grounds(args.references)
    rows = [samples_of(boards[int(rng.integers(len(boards)))], rng) for _ in range(args.pictures)]
    joined: Any = {key: np.concatenate([row[key] for row in rows]) for key in rows[0]}
    unfinished = args.out.with_name(f".{args.out.name}")  # a training that goes on meanwhile does not take it yet
    np.savez(unfinished, **joined)
    unfinished.rename(args.out)


if __name__ == "__main__":
    main()
