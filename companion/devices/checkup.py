"""What `makabana doctor` looks at, in which order: the machine, packages, files, boards, broker, pins, camera."""

from __future__ import annotations

import socket
import ssl
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module, metadata
from pathlib import Path
from typing import NamedTuple

from companion.devices.broker import TIMEOUT_S, anonymous_door
from companion.devices.clock import SystemClock
from companion.devices.dialogue import Dialogue
from companion.devices.findings import Finding
from companion.devices.gpio import REAL, PinsError, pin_factory
from companion.devices.hub import Hub
from companion.devices.inbox import Inbox
from companion.devices.machine import Machine, check_clock, check_disk, check_network
from companion.devices.serial_link import Line, Port, PortLink, is_reader_board, list_ports, open_port, why_lost
from companion.devices.table_file import MQTT, SERIAL, Broker, TableFile, read_table
from companion.devices.tags import Register, read_register
from companion.table.observations import Event, FormatError, is_secret

# By the name one installs: the module, and the extra of pyproject.toml it belongs to.
PACKAGES = {
    "pyserial": ("serial", "devices"),
    "paho-mqtt": ("paho.mqtt.client", "devices"),
    "gpiozero": ("gpiozero", "devices"),
    "opencv-python-headless": ("cv2", "vision"),
    "flask": ("flask", "web"),
    "cheroot": ("cheroot", "web"),
}
ANSWER_S = 3.0
SETTLE_S = 2.5  # a reader is sure of an empty place only after the removal time


class Tools(NamedTuple):
    """How to reach the world; a test passes its own."""

    ports: Callable[[], list[Port]] = list_ports
    opener: Callable[[str], Line] = open_port
    door: Callable[[str, int, str], int | None] = anonymous_door
    pins: str = REAL
    machine: Machine = Machine()
    look: Callable[[TableFile], Iterator[Finding]] = lambda table: iter(())  # through the camera, with vision's eyes


def check_all(path: Path, tools: Tools | None = None, places: Sequence[str] | None = None) -> Iterator[Finding]:
    """Everything in turn. What the table file does not name is not needed."""
    tools = tools or Tools()
    table, found = check_table(path, places)
    yield from check_basics(table, found, tools)
    yield from check_network(tools.machine)
    if table is None:
        table = TableFile("unknown", "tags.json")
    register, found = check_tags(path.parent / table.tags, is_needed=bool(table.places))
    yield found
    yield from check_boards(table, register, tools)
    if table.broker:
        yield from check_broker(table, table.broker, path.parent, tools)
    if table.seats or table.buzzer is not None or table.status_lamp is not None:
        yield check_pins(table, tools)
    if table.camera is None:
        yield Finding("camera", False, Event("camera_unnamed"), is_needed=False)
    else:
        yield from tools.look(table)


def check_quickly(path: Path, tools: Tools | None = None, places: Sequence[str] | None = None) -> Iterator[Finding]:
    """What takes no time and touches no device; without a table file, what every machine needs."""
    tools = tools or Tools()
    table, found = check_table(path, places)
    missing = found.what.code == "table_missing"
    yield from check_basics(table, found._replace(is_needed=not missing), tools)


def check_basics(table: TableFile | None, found: Finding, tools: Tools) -> Iterator[Finding]:
    """Python and its packages, the table file, clock and disk."""
    yield Finding("python", True, Event("ok_python", {"version": sys.version.split()[0]}))
    yield found
    yield from check_packages(table)
    yield check_clock(tools.machine)
    yield from check_disk(tools.machine)


def check_table(path: Path, places: Sequence[str] | None = None) -> tuple[TableFile | None, Finding]:
    try:
        table = read_table(path, places)
    except FileNotFoundError:
        return None, Finding("table", False, Event("table_missing", {"path": str(path)}))
    except OSError as error:
        return None, Finding("table", False, Event("file_unreadable", {"path": str(path), "what": error.strerror}))
    except FormatError as error:
        return None, Finding("table", False, error.problems[0])
    what = Event("ok_table", {"path": str(path), "readers": len(table.places), "seats": len(table.seats)})
    return table, Finding("table", True, what)


def check_packages(table: TableFile | None) -> Iterator[Finding]:
    needed = {
        "pyserial": table is not None and bool(table.nodes_by(SERIAL)),
        "paho-mqtt": table is not None and table.broker is not None,
        "gpiozero": table is not None and bool(table.seats),
    }
    for package, (module, extra) in PACKAGES.items():
        try:
            import_module(module)
            what, is_fine = Event("ok_package", {"package": package, "version": metadata.version(package)}), True
        except ImportError:
            what, is_fine = Event("package_missing", {"package": package, "extra": extra}), False
        yield Finding("packages", is_fine, what, needed.get(package, True))


def check_tags(path: Path, is_needed: bool) -> tuple[Register, Finding]:
    try:
        register = read_register(path)
    except OSError as error:
        what = Event("file_unreadable", {"path": str(path), "what": error.strerror})
        return Register(), Finding("tags", False, what, is_needed)
    except FormatError as error:
        return Register(), Finding("tags", False, error.problems[0], is_needed)
    if not register:
        return register, Finding("tags", False, Event("no_tags", {"path": str(path)}), is_needed)
    return register, Finding("tags", True, Event("ok_tags", {"path": str(path), "count": len(register)}))


# --- Boards on USB ---


def check_boards(table: TableFile, register: Register, tools: Tools) -> Iterator[Finding]:
    wanted = [node.name for node in table.nodes_by(SERIAL)]
    try:
        ports = [port.device for port in tools.ports() if is_reader_board(port)]
    except ImportError:
        return  # said under packages
    ports = list(dict.fromkeys([*ports, *(node.port for node in table.nodes if node.port)]))
    if not ports:
        yield Finding("ports", False, Event("no_ports"), bool(wanted))
        return
    yield Finding("ports", True, Event("ok_ports", {"ports": ports}))
    hub = Hub(table, register, Inbox(), SystemClock())
    met = set()
    for device in ports:
        link = PortLink(hub, device, tools.opener)
        yield from _visit(link, tools)
        met.add(link.dialogue.node)
    for node in wanted:
        if node not in met:
            yield Finding("boards", False, Event("board_missing", {"node": node}))


def _visit(link: PortLink, tools: Tools) -> Iterator[Finding]:
    try:
        tools.opener(link.device).close()
    except OSError as error:
        yield Finding("boards", False, why_lost(error, link.device))
        return
    link.start()
    try:
        _wait(lambda: bool(link.dialogue.hello) or link.dialogue.refusal is not None, ANSWER_S)
        _wait(lambda: not link.dialogue.is_starting, SETTLE_S)
        yield from _board_findings(link.dialogue, link.device)
        if link.dialogue.hello and link.dialogue.refusal is None:
            yield from _wiring_findings(link)
    finally:
        link.stop()


def _wait(is_done: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not is_done() and time.monotonic() < deadline:
        time.sleep(0.02)


def _board_findings(dialogue: Dialogue, device: str) -> Iterator[Finding]:
    if dialogue.refusal is not None:
        yield Finding("boards", False, dialogue.refusal)
    elif not dialogue.hello:
        yield Finding("boards", False, Event("board_dumb", {"port": device}))
    else:
        lost = dialogue.lost_readers
        count = len(dialogue.hello["readers"]) - len(lost)
        data = {"node": dialogue.node, "via": device, "firmware": dialogue.hello.get("firmware"), "readers": count}
        yield Finding("boards", count > 0, Event("ok_board", data))
        yield from (Finding("readers", False, reason) for reason in lost)


def _wiring_findings(link: PortLink) -> Iterator[Finding]:
    """What the board's test of its own bus found amiss."""
    link.ask_check()
    _wait(lambda: link.dialogue.findings is not None, ANSWER_S)
    for finding in link.dialogue.findings or ():
        if finding.get("ok") is not True:
            yield Finding(
                "wiring", False, Event("wiring_amiss", {"node": link.dialogue.node, "text": finding["text"][:300]})
            )


# --- The broker and pins ---


def check_broker(table: TableFile, broker: Broker, folder: Path, tools: Tools) -> Iterator[Finding]:
    data = {"host": broker.host, "port": broker.port}
    if problem := _broker_problem(broker, folder):
        yield Finding("broker", False, problem)
        return
    has_trays = any(is_secret(place) for node in table.nodes_by(MQTT) for place in node.readers.values())
    door = tools.door(broker.host, broker.port, f"makabana/{table.name}/#")
    if door is None:
        yield Finding("broker", True, Event("ok_broker", data))
    elif has_trays:
        yield Finding("broker", False, Event("broker_open", {**data, "port": door}))
    else:
        yield Finding("broker", True, Event("broker_stranger", {**data, "port": door}))


def _broker_problem(broker: Broker, folder: Path) -> Event | None:
    """Why the broker can't be reached, with its certificate checked."""
    data = {"host": broker.host, "port": broker.port}
    try:
        with socket.create_connection((broker.host, broker.port), TIMEOUT_S) as plain:
            if broker.ca:
                context = ssl.create_default_context(cafile=str(folder / broker.ca))
                context.wrap_socket(plain, server_hostname=broker.host).close()
    except ssl.SSLError as error:
        return Event("broker_certificate", {**data, "what": error.reason or str(error)})
    except FileNotFoundError:
        return Event("file_unreadable", {"path": str(folder / broker.ca), "what": "no such file"})
    except OSError:
        return Event("broker_unreachable", data)
    return None


def check_pins(table: TableFile, tools: Tools) -> Finding:
    try:
        factory = pin_factory(tools.pins)
    except PinsError as error:
        return Finding("pins", False, error.reason)
    return Finding("pins", True, Event("ok_pins", {"count": _pin_count(table), "factory": type(factory).__name__}))


def _pin_count(table: TableFile) -> int:
    seats = sum((pins.button is not None) + 3 * (pins.lamp is not None) for pins in table.seats.values())
    return seats + (table.buzzer is not None) + (table.status_lamp is not None)
