"""Buttons and lamps: one contract for twins and gpiozero on mock pins (buttons to ground, lamps active high)."""

from collections.abc import Callable, Iterator

import pytest

from companion.devices.clock import ManualClock, SystemClock
from companion.devices.gpio import GpioPanel, PinsError, pin_factory
from companion.devices.hub import Hub
from companion.devices.panel import DARK, LAMP_COLOURS, Bounce
from companion.devices.table_file import Lamp, SeatPins, TableFile
from companion.devices.twins import TwinPanel
from companion.table.observations import Health, Pressed
from tests.devices.support import hub_of

SEATS = {"blue": SeatPins(5, Lamp(17, 27, 22)), "green": SeatPins(6)}
TABLE = TableFile("salon", "tags.json", seats=SEATS, buzzer=12, status_lamp=16)


class Rig:
    def __init__(self, panel: object, hub: Hub, press: Callable[[str], None], release: Callable[[str], None]) -> None:
        self.panel, self.hub, self.press, self.release = panel, hub, press, release

    def presses(self) -> list[Pressed]:
        return [one for one in self.hub.inbox.drain() if isinstance(one, Pressed)]


def twin_rig() -> Rig:
    hub = hub_of(TABLE, SystemClock())
    panel = TwinPanel(hub)
    return Rig(panel, hub, lambda seat: panel.buttons[seat].press(), lambda seat: panel.buttons[seat].release())


def gpio_rig() -> Rig:
    pytest.importorskip("gpiozero", reason="needs gpiozero (extra devices)")
    hub = hub_of(TABLE, SystemClock())
    factory = pin_factory("mock")
    panel = GpioPanel(hub, factory)
    return Rig(
        panel,
        hub,
        lambda seat: factory.pin(SEATS[seat].button).drive_low(),
        lambda seat: factory.pin(SEATS[seat].button).drive_high(),
    )


@pytest.fixture(params=[twin_rig, gpio_rig], ids=["twin", "gpiozero"])
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    rig = request.param()
    yield rig
    rig.panel.close()


def test_a_press_is_told_with_its_seat_and_time(rig: Rig) -> None:
    before = rig.hub.clock.now()
    rig.press("blue")
    after = rig.hub.clock.now()
    (press,) = rig.presses()
    assert press.seat == "blue"
    assert before - 0.01 <= press.pressed.at <= after
    assert press.pressed.within <= 0.001


def test_the_first_of_two_presses_is_the_earlier_one(rig: Rig) -> None:
    rig.press("green")
    rig.press("blue")
    first, second = rig.presses()
    assert (first.seat, second.seat) == ("green", "blue")
    assert first.pressed.at <= second.pressed.at


def test_a_bouncing_contact_is_one_press(rig: Rig) -> None:
    for _ in range(5):
        rig.press("blue")
        rig.release("blue")
    assert len(rig.presses()) == 1


def test_buttons_are_available_until_the_panel_is_closed(rig: Rig) -> None:
    assert rig.hub.reason_of("button:blue") is None
    rig.panel.close()
    rig.panel.close()
    assert rig.hub.reason_of("button:blue").code == "link_stopped"
    told = [one for one in rig.hub.inbox.drain() if isinstance(one, Health) and one.sensor == "button:blue"]
    assert [one.is_available for one in told] == [False, True, False]


def test_a_seat_without_a_lamp_is_passed_over(rig: Rig) -> None:
    rig.panel.light("green", LAMP_COLOURS["green"])
    rig.panel.light("nobody", LAMP_COLOURS["green"])


def test_two_presses_apart_are_two() -> None:
    clock = ManualClock()
    hub = hub_of(TABLE, clock)
    bounce = Bounce(hub, "blue")
    for _ in range(2):
        bounce.pressed(clock.now())
        clock.advance(0.2)
        bounce.released(clock.now())
        clock.advance(0.2)
    assert [one.pressed.at for one in hub.inbox.drain() if isinstance(one, Pressed)] == pytest.approx([1000.0, 1000.4])


def test_the_twin_lamp_remembers_what_it_showed() -> None:
    panel = TwinPanel(hub_of(TABLE))
    panel.light("blue", LAMP_COLOURS["blue"])
    panel.buzz(True)
    panel.close()
    assert panel.lamps["blue"].history == [LAMP_COLOURS["blue"], DARK]
    assert panel.buzzer.colour == DARK


def test_lamps_and_buzzer_drive_their_pins() -> None:
    pytest.importorskip("gpiozero", reason="needs gpiozero (extra devices)")
    factory = pin_factory("mock")
    with GpioPanel(hub_of(TABLE), factory) as panel:
        panel.light("blue", (1.0, 0.5, 0.0))
        assert [factory.pin(pin).state for pin in SEATS["blue"].lamp] == [1.0, 0.5, 0.0]
        panel.buzz(True)
        panel.show_status(True)
        assert (factory.pin(12).state, factory.pin(16).state) == (1, 1)


def test_the_time_of_a_press_is_that_of_the_edge_not_of_the_call() -> None:
    """gpiozero hands an edge over with the kernel's time; here the call comes 0.3 s after it."""
    pytest.importorskip("gpiozero", reason="needs gpiozero (extra devices)")
    hub, factory = hub_of(TABLE), pin_factory("mock")
    with GpioPanel(hub, factory):
        pin = factory.pin(5)
        late = hub.clock.now() + 0.3
        factory.ticks = lambda: late  # type: ignore[method-assign]
        hub.clock.now = lambda: late  # type: ignore[method-assign]
        pin._state, pin._last_change = False, late - 0.3
        pin._call_when_changed()
        (press,) = [one for one in hub.inbox.drain() if isinstance(one, Pressed)]
        assert press.pressed.at == pytest.approx(late - 0.3, abs=0.001)


def test_without_pins_nobody_gets_a_mock(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("gpiozero", reason="needs gpiozero (extra devices)")
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "pigpio")  # which no test machine runs
    with pytest.raises(PinsError) as caught:
        pin_factory()
    assert caught.value.reason.code == "no_pins"
