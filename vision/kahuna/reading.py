"""Reading a board of Kahuna from one picture: locate it, learn its light, look at every place, judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from vision.kahuna.evidence import Evidence, evidence_of
from vision.kahuna.judge import judge
from vision.kahuna.layout import SURFACE, kahuna_sheet
from vision.kahuna.looks import look_at_islands, look_at_lines
from vision.kahuna.reference import kahuna_reference
from vision.locate.find import Located, locate
from vision.locate.pose import Camera, Picture
from vision.reading.light import Light, light_of
from vision.surfaces import PlaceSeen, SurfaceReading

_DARK = 0.10


def read(picture: Picture, camera: Camera | None = None) -> SurfaceReading:
    """What lies on every line and island in a BGR picture. Raises a `VisionError` where the board is not found."""
    reference = kahuna_reference()
    located = locate(picture, reference, camera)
    lit = light_of(picture, located.view, reference.picture, reference.px_per_mm, reference.places_mm)
    evidence = evidence_of(picture, located.view, reference, lit)
    lines, islands = judge(look_at_lines(evidence, located.view), look_at_islands(evidence, located.view))
    sheet = kahuna_sheet()
    places = dict(zip((*sheet.lines_mm, *sheet.islands_mm), (*lines, *islands), strict=True))
    quality = _quality(located, lit, evidence, places)
    return SurfaceReading(SURFACE, places, quality, _notes(quality), located)


def _quality(located: Located, lit: Light, evidence: Evidence, places: Mapping[str, PlaceSeen]) -> dict[str, float]:
    """`exposure` the paper's brightness in 0..1, `veil_share` how much of the board lamps mirror on."""
    middle = np.array([[210.0, 148.0, 0.0]])
    return {
        "exposure": round(float(np.clip(lit.lamp.mean(), 0, 1)), 3),
        "markers_found": located.markers,
        "reprojection_error_px": round(located.error_px, 3),
        "glare_share": round(lit.clipped, 4),
        "veil_share": round(float((evidence.veil > 0.5).mean()), 4),
        "covered_share": round(sum(seen.is_covered for seen in places.values()) / len(places), 4),
        "px_per_mm": round(float(located.view.scale_at(middle)[0]), 2),
    }


def _notes(quality: Mapping[str, float]) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    return (("picture_dark", {}),) if quality["exposure"] < _DARK else ()
