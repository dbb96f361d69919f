"""How good a picture is for reading, in a few plain numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np

from vision.locate.find import Located
from vision.locate.pose import Picture
from vision.reading.light import Light
from vision.reading.patches import Patches

_BLURRED, _DARK = 0.12, 0.10


def measure(picture: Picture, located: Located, light: Light, patches: Patches, covered: float) -> dict[str, float]:
    """`sharpness` 1 where the print's edges are as crisp as printed, `exposure` the paper's brightness in 0..1."""
    return {
        "sharpness": round(_sharpness(patches), 3),
        "exposure": round(float(np.clip(light.lamp.mean(), 0, 1)), 3),
        "markers_found": located.markers,
        "reprojection_error_px": round(located.error_px, 3),
        "glare_share": round(light.clipped, 4),
        "covered_share": round(covered, 4),
        "px_per_mm": round(float(located.view.scale_at(np.array([[210.0, 148.0, 0.0]]))[0]), 2),
    }


def notes(measured: Mapping[str, float]) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """What is wrong with the picture as a whole, as codes with data."""
    found: list[tuple[str, Mapping[str, Any]]] = []
    if measured["sharpness"] < _BLURRED:
        found.append(("picture_blurred", {}))
    if measured["exposure"] < _DARK:
        found.append(("picture_dark", {}))
    return tuple(found)


def _sharpness(patches: Patches) -> float:
    """Contrast of fine detail in the patches as seen, against the same patches as printed: the middle of all places."""
    if not len(patches.seen):
        return 0.0
    shares = []
    for seen, empty in zip(patches.seen[::4, ..., 1], patches.empty[::4, ..., 1], strict=True):
        strength = [cv2.Laplacian(each, cv2.CV_32F).std() / max(float(each.mean()), 8.0) for each in (seen, empty)]
        shares.append(strength[0] / max(strength[1], 1e-3))
    return float(min(np.median(shares), 2.0))
