"""Everything that a table file names, opened and closed together. What can't be had is unavailable, with its reason."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from companion.devices.clock import SystemClock
from companion.devices.gpio import REAL, GpioPanel, PinsError, pin_factory
from companion.devices.hub import Hub, button_name
from companion.devices.inbox import Inbox
from companion.devices.mqtt_link import MqttLink
from companion.devices.panel import Panel
from companion.devices.serial_link import SerialLink
from companion.devices.table_file import MQTT, SERIAL, TableFile
from companion.devices.tags import Register
from companion.table.observations import Clock, Event


class Links:
    """`with Links(table, register, folder) as links: links.inbox.take(1.0)`. Never fails for want of a device.

    `panel` is None where no seat has pins or they can't be had. Files in the table file are relative to `folder`.
    """

    def __init__(
        self, table: TableFile, register: Register, folder: Path, clock: Clock | None = None, pins: str = REAL
    ) -> None:
        self.inbox = Inbox()
        self.hub = Hub(table, register, self.inbox, clock or SystemClock())
        self.panel: Panel | None = None
        self._folder, self._pins = folder, pins
        self._open = ExitStack()

    def __enter__(self) -> Links:
        table = self.hub.table
        if table.nodes_by(SERIAL):
            self._open_serial()
        if table.broker and (table.nodes_by(MQTT) or table.esphome):
            self._open_mqtt()
        if table.seats or table.buzzer is not None or table.status_lamp is not None:
            self._open_pins()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """May be called twice."""
        self._open.close()

    def _open_serial(self) -> None:
        nodes = self.hub.table.nodes_by(SERIAL)
        link = SerialLink(self.hub, [node.port for node in nodes if node.port])
        try:
            link.scan()
        except ImportError:
            self._lose_nodes(SERIAL, Event("package_missing", {"package": "pyserial", "extra": "devices"}))
            return
        link.start()
        self._open.callback(link.close)

    def _open_mqtt(self) -> None:
        link = MqttLink(self.hub, self._folder)
        try:
            link.start()
        except ImportError:
            self._lose_nodes(MQTT, Event("package_missing", {"package": "paho-mqtt", "extra": "devices"}))
        except OSError as error:  # a certificate or password file
            what = {"path": str(error.filename or link.broker.ca), "what": error.strerror or str(error)}
            self._lose_nodes(MQTT, Event("file_unreadable", what))
        else:
            self._open.callback(link.close)

    def _open_pins(self) -> None:
        try:
            panel = GpioPanel(self.hub, pin_factory(self._pins))
        except PinsError as error:
            for seat, pins in self.hub.table.seats.items():
                if pins.button is not None:
                    self.hub.is_lost(button_name(seat), error.reason)
            return
        self.panel = panel
        self._open.callback(panel.close)

    def _lose_nodes(self, link: str, reason: Event) -> None:
        for node in self.hub.table.nodes_by(link):
            self.hub.node_lost(node.name, reason)
        if link == MQTT:
            for reader in self.hub.table.esphome:
                self.hub.is_lost(reader.name, reason)
