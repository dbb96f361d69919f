"""The table file, `table.toml`: which readers lie where, which pins the seats have, the camera, the broker.

`parse_table` gives a `TableFile`, or raises `FormatError` with every mistake. Places are checked by their form only;
whoever knows the island passes its places in.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from companion.devices.fields import NAME, Fields, shown
from companion.table.observations import DESK, TRAY, Event, FormatError, is_secret

SERIAL, MQTT = "serial", "mqtt"
TRAY_PLACES = 5
MOST_BYTES = 1_000_000
HIGHEST_PIN = 27  # of a Raspberry Pi's header, as the chip numbers them
TLS_PORT = 8883

SEAT = r"[a-z]{1,16}(-[12])?"
_WORD = r"[^\W\d_]{1,30}"
_PLACE = re.compile(rf"{_WORD}-{_WORD}-{_WORD}|club:{_WORD}|{TRAY}:{SEAT}:[1-{TRAY_PLACES}]|{DESK}")
_TOPIC = r"[^\x00-\x1f#+]{1,200}"


class Node(NamedTuple):
    """A reader board: how it is reached, and what lies over each of its readers."""

    name: str
    link: str
    readers: Mapping[str, str]
    port: str = ""  # only where the USB id does not tell


class EspReader(NamedTuple):
    """A ready-made ESPHome reader. `topic` carries the tag, `status` says online or offline."""

    name: str
    place: str
    topic: str
    status: str


class Lamp(NamedTuple):
    red: int
    green: int
    blue: int


class SeatPins(NamedTuple):
    button: int | None = None
    lamp: Lamp | None = None


class Broker(NamedTuple):
    """Where the broker is. The password stands in a file of its own, so that this one can be shown around."""

    host: str
    port: int
    ca: str  # the certificate authority's file; empty: no TLS
    user: str
    password_file: str


class Camera(NamedTuple):
    source: str
    width: int
    height: int


class TableFile(NamedTuple):
    name: str
    tags: str
    boards: tuple[str, ...] = ()  # the islands in play, or the sheets of another game
    game: str = ""  # the game that is played here as a rule; empty: it follows from the boards
    nodes: tuple[Node, ...] = ()
    esphome: tuple[EspReader, ...] = ()
    seats: Mapping[str, SeatPins] = {}
    buzzer: int | None = None
    status_lamp: int | None = None
    camera: Camera | None = None
    broker: Broker | None = None

    @property
    def places(self) -> dict[str, str]:
        """What lies over each sensor, by the sensor's name."""
        boards = {
            sensor_name(node.name, reader): place for node in self.nodes for reader, place in node.readers.items()
        }
        return boards | {reader.name: reader.place for reader in self.esphome}

    def nodes_by(self, link: str) -> tuple[Node, ...]:
        return tuple(node for node in self.nodes if node.link == link)


def sensor_name(node: str, reader: str) -> str:
    return f"{node}/{reader}"


def read_table(path: Path, places: Collection[str] | None = None) -> TableFile:
    """The table file at a path. Raises `FormatError` for what is wrong in it, and `OSError`."""
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise FormatError(Event("table_too_large", {"most": MOST_BYTES}))
    return parse_table(content, places)


def parse_table(content: bytes, places: Collection[str] | None = None) -> TableFile:
    """The table that a file's bytes describe. `places` are the sites and clubs there are, if known."""
    try:
        data = tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise FormatError(Event("table_not_text", {"byte": error.start})) from None
    except (tomllib.TOMLDecodeError, ValueError) as error:  # a ValueError is a date such as 2026-99-99
        raise FormatError(Event("toml_broken", {"what": shown(str(error))})) from None
    except RecursionError:
        raise FormatError(Event("toml_too_deep")) from None
    problems: list[Event] = []
    table = _table(Fields(data, "", problems))
    problems += chain(_place_problems(table, places), _pin_problems(table), _secret_problems(table))
    if problems:
        raise FormatError(*problems)
    return table


def _table(fields: Fields) -> TableFile:
    table = TableFile(
        name=fields.name("table"),
        tags=fields.text("tags", default="tags.json"),
        boards=fields.texts("boards", r"[a-z0-9-]{1,40}"),
        game=fields.text("game", NAME, default=""),
        nodes=tuple(_node(node) for node in fields.each("node")),
        esphome=tuple(_esphome(reader) for reader in fields.each("esphome")),
        seats=_seats(fields.inner("seats")),
        buzzer=_pin(panel := fields.inner("panel"), "buzzer"),
        status_lamp=_pin(panel, "status_lamp"),
        camera=_camera(fields.inner("camera")) if "camera" in fields else None,
        broker=_broker(fields.inner("mqtt")) if "mqtt" in fields else None,
    )
    panel.finish()
    fields.finish()
    return table


def _node(fields: Fields) -> Node:
    readers = fields.inner("readers")
    lying = {reader: readers.text(reader) for reader in readers.names()}
    for reader in lying:
        if not re.fullmatch(NAME, reader):
            readers.complain("reader_name_wrong", value=shown(reader))
    if not lying:
        readers.complain("no_readers")
    node = Node(
        fields.name("name"), fields.choice("link", (SERIAL, MQTT), SERIAL), lying, fields.text("port", default="")
    )
    fields.finish()
    return node


def _esphome(fields: Fields) -> EspReader:
    name = fields.name("name")
    reader = EspReader(name, fields.text("place"), fields.text("topic", _TOPIC), fields.text("status", _TOPIC))
    fields.finish()
    return reader


def _seats(fields: Fields) -> dict[str, SeatPins]:
    seats = {}
    for seat in fields.names():
        if not re.fullmatch(SEAT, seat):
            fields.complain("seat_name_wrong", value=shown(seat))
            continue
        pins = fields.inner(seat)
        seats[seat] = SeatPins(_pin(pins, "button"), _lamp(pins.inner("lamp")) if "lamp" in pins else None)
        pins.finish()
    return seats


def _lamp(fields: Fields) -> Lamp | None:
    pins = [_pin(fields, colour) for colour in Lamp._fields]
    fields.finish()
    missing = [colour for colour in Lamp._fields if colour not in fields]
    if missing:
        fields.complain("lamp_incomplete", missing=missing)
    return Lamp(*pins) if None not in pins else None  # type: ignore[arg-type]


def _pin(fields: Fields, key: str) -> int | None:
    return fields.integer(key, 0, HIGHEST_PIN)


def _camera(fields: Fields) -> Camera:
    width, height = fields.integer("width", 320, 8000, 1920), fields.integer("height", 240, 8000, 1080)
    camera = Camera(fields.text("source"), width or 0, height or 0)
    fields.finish()
    return camera


def _broker(fields: Fields) -> Broker:
    broker = Broker(
        host=fields.text("host", r"[\w.:-]{1,200}"),
        port=fields.integer("port", 1, 65535, TLS_PORT) or 0,
        ca=fields.text("ca", default=""),
        user=fields.text("user", default=""),
        password_file=fields.text("password_file", default=""),
    )
    fields.finish()
    return broker


# --- Mistakes that only show when the parts are seen together ---


def _place_problems(table: TableFile, known: Collection[str] | None) -> Iterator[Event]:
    seen: dict[str, str] = {}
    names = [node.name for node in table.nodes] + [reader.name for reader in table.esphome]
    for name in sorted({name for name in names if name and names.count(name) > 1}):
        yield Event("name_twice", {"name": name})
    for sensor, place in _all_places(table):
        if not _PLACE.fullmatch(place):
            if place:  # otherwise that was said already
                yield Event("place_unreadable", {"sensor": sensor, "place": shown(place)})
        elif place in seen and place != DESK:
            yield Event("place_twice", {"place": place, "sensor": sensor, "other": seen[place]})
        elif known is not None and not is_secret(place) and place != DESK and place not in known:
            yield Event("place_unknown", {"sensor": sensor, "place": place})
        seen.setdefault(place, sensor)
    yield from _tray_problems(seen)


def _all_places(table: TableFile) -> Iterator[tuple[str, str]]:
    for node in table.nodes:
        yield from ((sensor_name(node.name, reader), place) for reader, place in node.readers.items())
    yield from ((reader.name, reader.place) for reader in table.esphome)


def _tray_problems(places: Mapping[str, str]) -> Iterator[Event]:
    trays: dict[str, set[int]] = {}
    for place in filter(_PLACE.fullmatch, places):
        if is_secret(place):
            _, seat, number = place.split(":")
            trays.setdefault(seat, set()).add(int(number))
    for seat, numbers in sorted(trays.items()):
        if missing := sorted(set(range(1, TRAY_PLACES + 1)) - numbers):
            yield Event("tray_incomplete", {"seat": seat, "missing": missing})


def _pin_problems(table: TableFile) -> Iterator[Event]:
    holders: dict[int, str] = {}
    for holder, pin in _pins(table):
        if pin in holders:
            yield Event("pin_twice", {"pin": pin, "holder": holders[pin], "other": holder})
        holders.setdefault(pin, holder)


def _pins(table: TableFile) -> Iterator[tuple[str, int]]:
    for seat, pins in table.seats.items():
        lamp = pins.lamp._asdict() if pins.lamp else {}
        wanted = {"button": pins.button} | {f"lamp.{colour}": pin for colour, pin in lamp.items()}
        yield from ((f"seats.{seat}.{key}", pin) for key, pin in wanted.items() if pin is not None)
    for key, pin in (("panel.buzzer", table.buzzer), ("panel.status_lamp", table.status_lamp)):
        if pin is not None:
            yield key, pin


def _secret_problems(table: TableFile) -> Iterator[Event]:
    """Trays on the air need TLS and a login; and anything on the air needs a broker at all."""
    wireless = table.nodes_by(MQTT)
    names = [node.name for node in wireless] + [reader.name for reader in table.esphome]
    if names and table.broker is None:
        yield Event("broker_missing", {"names": names})
    for reader in table.esphome:
        if is_secret(reader.place):
            yield Event("tray_on_esphome", {"name": reader.name})
    for node in wireless:
        if table.broker and any(map(is_secret, node.readers.values())):
            missing = [key for key in ("ca", "user", "password_file") if not getattr(table.broker, key)]
            if missing:
                yield Event("tray_unprotected", {"name": node.name, "missing": missing})
