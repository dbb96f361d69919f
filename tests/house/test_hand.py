"""A hand over a virtual board: the camera shows it for as long as it is held, whatever lies below."""

from __future__ import annotations

from typing import Any

from companion.house.camera import Camera
from companion.house.eye import VIRTUAL, Watch
from companion.house.virtual import VirtualBoard


class StillClock:
    def __init__(self) -> None:
        self.seconds = 100.0

    def now(self) -> float:
        return self.seconds


class PatientEye:
    """An eye that is shown layouts and says nothing."""

    pid, pipe = None, None

    def __init__(self, watch: Watch) -> None:
        self.shown: list[Any] = []

    def take(self) -> list[Any]:
        return []

    def show(self, layout: Any) -> None:
        self.shown.append(layout)

    def close(self) -> None:
        """Nothing is open."""


def test_a_hand_is_shown_for_as_long_as_it_is_held() -> None:
    clock, eyes = StillClock(), []

    def make(watch: Watch) -> Any:
        eyes.append(PatientEye(watch))
        return eyes[-1]

    board = VirtualBoard(("nadaa",))
    camera = Camera([Watch(VIRTUAL, "nadaa")], lambda _: None, clock, virtual=board, make_eye=make)
    camera.start()
    camera.tick()
    camera.cover(5.0)
    camera.tick()
    board.put("hut", "blue", "Danae-Lagon-Fleur")
    camera.tick()
    clock.seconds += 6.0
    camera.tick()
    camera.tick()
    assert [(len(layout.pieces), layout.has_hand) for layout in eyes[0].shown] == [
        (0, False), (0, True), (1, True), (1, False),
    ]  # fmt: skip
