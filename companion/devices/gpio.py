"""Buttons and lamps on the Pi's pins, by gpiozero. The mock is only ever used when it is asked for by name."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

from companion.devices.hub import Hub, button_name
from companion.devices.panel import Bounce, Colour
from companion.table.observations import Event

REAL, MOCK = "real", "mock"


class PinsError(OSError):
    """There are no pins here, or one can't be had. `reason` says which and what to do."""

    def __init__(self, reason: Event) -> None:
        self.reason = reason
        super().__init__(f"{reason.code} {dict(reason.data)}")


def pin_factory(kind: str = REAL) -> Any:
    """gpiozero's way to the pins: the machine's own, or the mock. Raises `PinsError`."""
    try:
        gpiozero = import_module("gpiozero")
    except ImportError:
        raise PinsError(Event("package_missing", {"package": "gpiozero", "extra": "devices"})) from None
    if kind == MOCK:
        mock = import_module("gpiozero.pins.mock")
        return mock.MockFactory(pin_class=mock.MockPWMPin)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # one per library that it tries and does not find
            gpiozero.Device.ensure_pin_factory()  # one for the whole process; GPIOZERO_PIN_FACTORY may name it
            return gpiozero.Device.pin_factory
    except (gpiozero.BadPinFactory, ImportError, OSError, RuntimeError) as error:
        raise PinsError(Event("no_pins", {"what": str(error)[:120]})) from None


class GpioPanel:
    """All seats' hardware. Opens what the table file names; raises `PinsError` if that can't be had."""

    def __init__(self, hub: Hub, factory: Any) -> None:
        self._hub, self._factory = hub, factory
        self._gpiozero = import_module("gpiozero")
        self._devices: list[Any] = []
        self._lamps: dict[str, Any] = {}
        self._buttons: dict[str, Any] = {}
        try:
            self._open()
        except self._gpiozero.GPIOZeroError as error:
            self.close()
            raise PinsError(Event("pin_unusable", {"what": str(error)[:120]})) from None

    def _open(self) -> None:
        table = self._hub.table
        for seat, pins in table.seats.items():
            if pins.lamp:
                self._lamps[seat] = self._make("RGBLED", *pins.lamp)
            if pins.button is not None:
                self._open_button(seat, pins.button)
        self._buzzer = self._make("Buzzer", table.buzzer) if table.buzzer is not None else None
        self._status = self._make("LED", table.status_lamp) if table.status_lamp is not None else None

    def _make(self, kind: str, *pins: int | None) -> Any:
        device = getattr(self._gpiozero, kind)(*pins, pin_factory=self._factory)
        self._devices.append(device)
        return device

    def _open_button(self, seat: str, pin: int) -> None:
        button, bounce = self._make("Button", pin), Bounce(self._hub, seat)
        button.when_pressed = self._dated(button, "active_time", bounce.pressed)
        button.when_released = self._dated(button, "inactive_time", bounce.released)
        self._buttons[seat] = button
        self._hub.is_working(button_name(seat))

    def _dated(self, button: Any, age: str, report: Callable[[float], None]) -> Callable[[], None]:
        """Reports with the time of the edge itself, which the kernel took, not of this call."""

        def when_moved() -> None:
            report(self._hub.clock.now() - (getattr(button, age) or 0.0))

        return when_moved

    def light(self, seat: str, colour: Colour) -> None:
        if seat in self._lamps:
            self._lamps[seat].color = colour

    def buzz(self, is_on: bool) -> None:
        if self._buzzer:
            self._buzzer.value = is_on

    def show_status(self, is_on: bool) -> None:
        if self._status:
            self._status.value = is_on

    def close(self) -> None:
        """May be called twice."""
        for device in self._devices:
            device.close()
        self._devices.clear()
        for seat in self._buttons:
            self._hub.is_lost(button_name(seat), Event("link_stopped"))
        self._buttons.clear()
        self._lamps.clear()
        self._buzzer = self._status = None

    def __enter__(self) -> GpioPanel:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
