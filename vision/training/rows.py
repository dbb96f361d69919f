"""Files of samples as batches to learn from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

_BLIND = 0.04  # share of patches that are shown without the empty board
_ACROSS = {"seen": 2, "empty": 2, "ground": 2, "masks": 3}  # axis that a mirror turns round


class Rows:
    """All samples of some files, kept as bytes and turned into batches on demand."""

    def __init__(self, torch: Any, files: list[Path]) -> None:
        self.torch = torch
        loaded = [np.load(file) for file in files]
        self.data = {key: torch.from_numpy(np.concatenate([each[key] for each in loaded])) for key in loaded[0].files}
        self.count = len(self.data["base"])

    def batch(self, rows: Any, vary: bool) -> tuple[Any, dict[str, Any]]:
        """(N, CHANNELS, 64, 64) what the reader would make of these rows, and all that is known of them."""
        torch = self.torch
        part = {key: value[rows] for key, value in self.data.items()}
        gains = part["gains"]
        if vary:
            gains = gains * torch.exp(torch.randn(len(gains), 1) * 0.06 + torch.randn(len(gains), 3) * 0.03)
            if torch.rand(1).item() < 0.5:
                part |= {key: part[key].flip(axis) for key, axis in _ACROSS.items()}
        seen = part["seen"].permute(0, 3, 1, 2).float()
        lit = torch.clamp(seen / (255.0 * gains[:, :, None, None]), max=1.6) * 2 - 1
        empty = part["empty"].permute(0, 3, 1, 2).float() * (2 / 255) - 1
        if vary:
            empty[torch.rand(len(empty)) < _BLIND] = 0
        burnt = torch.clamp((seen.min(1, keepdim=True)[0] - 215) / 40, 0, 1)
        flat = torch.stack([part["elevation"] * 2 - 1, 1 - 2 * part["club"].float()], 1)
        rise, place = flat[:, :, None, None].expand(-1, -1, *burnt.shape[2:]).split(1, 1)
        patch = torch.cat([lit, empty, burnt, rise, part["ground"].float()[:, None] / 100, place], 1)
        part["masks"] = part["masks"].float() / 255
        return patch.contiguous(memory_format=torch.channels_last), part
