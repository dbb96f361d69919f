"""Whether a camera's picture is good enough to be read: focus, size and light, each with what to do about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.devices.findings import Finding
from companion.table.observations import Event

# Below these a picture is hard to read; see vision/reading/quality.py for what the numbers are.
_BLURRED, _SOFT = 0.12, 0.25
DARK, _BRIGHT = 0.10, 0.985
_GLARE = 0.01
_COARSE_PX_PER_MM = 1.4


def judge_quality(quality: Mapping[str, float]) -> Iterator[Finding]:
    """Focus and light of a picture in which the board was found."""
    sharpness, exposure, glare = quality["sharpness"], quality["exposure"], quality["glare_share"]
    percent = {"percent": round(100 * sharpness)}
    if sharpness < _BLURRED:
        yield Finding("focus", False, Event("focus_blurred", percent))
    elif sharpness < _SOFT:
        yield Finding("focus", False, Event("focus_soft", percent), is_needed=False)
    else:
        yield Finding("focus", True, Event("ok_focus", percent))
    if quality["px_per_mm"] < _COARSE_PX_PER_MM:
        yield Finding("focus", False, Event("camera_coarse", {"px": quality["px_per_mm"]}), is_needed=False)
    if exposure < DARK:
        yield Finding("light", False, Event("light_dark", {"percent": round(100 * exposure)}))
    elif exposure > _BRIGHT:
        yield Finding("light", False, Event("light_bright"), is_needed=False)
    elif glare > _GLARE:
        yield Finding("light", False, Event("light_glare", {"percent": round(100 * glare, 1)}), is_needed=False)
    else:
        yield Finding("light", True, Event("ok_light", {"percent": round(100 * exposure)}))
