"""A folder of sample files that may still be growing, and which of its samples to show next."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
_EASY_AGAIN = 0.3  # share of the easy samples that are shown again


class Round(NamedTuple):
    """Some files and the order in which to show their samples; rows count through all files, one after the other."""

    files: list[Path]
    order: NDArray[np.intp]
    easy: Flags  # (N,) which rows were easy the last time


class Shelf:
    """Each round takes the files that were shown least often, so there may be more of them than memory holds."""

    def __init__(self, folder: Path, at_a_time: int, rng: np.random.Generator) -> None:
        self._folder = folder
        self._at_a_time = at_a_time
        self._rng = rng
        self._shown: dict[Path, int] = {}
        self._easy: dict[Path, Flags] = {}

    def __len__(self) -> int:
        return len(self._shown)

    def take(self) -> Round:
        """The next round: all samples that are new or were hard, and some of the easy ones.

        Raises FileNotFoundError where the folder holds no samples.
        """
        for file in sorted(self._folder.glob("[!.]*.npz")):
            self._shown.setdefault(file, 0)
        if not self._shown:
            raise FileNotFoundError(f"There are no samples in {self._folder}. Make some with vision.training.samples.")
        lots = dict(zip(self._shown, self._rng.random(len(self._shown)), strict=True))
        files = sorted(self._shown, key=lambda file: (self._shown[file], lots[file]))[: self._at_a_time]
        for file in files:
            self._shown[file] += 1
            self._easy.setdefault(file, np.zeros(len(np.load(file)["base"]), bool))
        easy = np.concatenate([self._easy[file] for file in files])
        order = self._rng.permutation(len(easy))
        return Round(files, order[~easy[order] | (self._rng.random(len(easy)) < _EASY_AGAIN)], easy)

    def note(self, done: Round, easy: Flags) -> None:
        """Keeps which of a round's rows are easy by now."""
        start = 0
        for file in done.files:
            end = start + len(self._easy[file])
            self._easy[file] = easy[start:end].copy()
            start = end
