"""Where all links meet: what each sensor of the table says now, told to the inbox whenever it changes.

Links speak of nodes, readers and UIDs; the table hears of places and pieces. A sensor starts out unavailable. Every
change of heart is logged once, and no log line holds a tag: what lies in a tray is a secret.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from typing import NamedTuple

from companion.devices.inbox import Inbox
from companion.devices.table_file import Node, TableFile, sensor_name
from companion.devices.tags import Register
from companion.devices.texts import say
from companion.table.observations import Clock, Event, Health, Noted, Pressed, Tag, TagsSeen, When

log = logging.getLogger(__name__)

WAITING = Event("not_heard_yet")
_PASSING = ("reader_starting", "broker_unproven", "link_stopped")  # nothing that anybody should look into


class Reading(NamedTuple):
    """A tag on a reader, as a link reports it."""

    uid: str
    since: When

    def __repr__(self) -> str:
        return f"Reading(hidden, since={self.since.at:.3f})"


class _Sensor(NamedTuple):
    place: str
    tags: tuple[Tag, ...] | None  # None: unavailable, or nothing to lie on it
    reason: Event | None  # None: available


class Hub:
    """Given the table file, the register and the inbox. All methods may be called from any thread."""

    def __init__(self, table: TableFile, register: Register, inbox: Inbox, clock: Clock) -> None:
        self.table, self.register, self.inbox, self.clock = table, register, inbox, clock
        self._lock = threading.RLock()
        self._nodes: Mapping[str, Node] = {node.name: node for node in table.nodes}
        self._claims: dict[str, str] = {}
        self._forbidden: dict[str, Event] = {}
        self._lost: set[str] = set()  # what was logged as lost, and not yet as back
        self._sensors = {sensor: _Sensor(place, None, WAITING) for sensor, place in table.places.items()}
        for seat, pins in table.seats.items():
            if pins.button is not None:
                self._sensors[button_name(seat)] = _Sensor("", None, WAITING)
        for sensor in self._sensors:
            self._tell_health(sensor)

    # --- What is so now ---

    def tags_on(self, sensor: str) -> tuple[Tag, ...] | None:
        """What lies on a reader, or None while nobody can know."""
        with self._lock:
            return self._sensors[sensor].tags

    def reason_of(self, sensor: str) -> Event | None:
        """Why a sensor is unavailable; None if it is not."""
        with self._lock:
            return self._sensors[sensor].reason

    def readers_of(self, node: str) -> tuple[str, ...]:
        return tuple(self._nodes[node].readers) if node in self._nodes else ()

    # --- What links report ---

    def claim(self, node: str, via: str) -> Event | None:
        """A link has met a board. Gives why it must not be listened to: not in the table file, or met elsewhere."""
        with self._lock:
            if node not in self._nodes:
                return Event("node_unknown", {"node": node, "via": via, "allowed": sorted(self._nodes)})
            holder = self._claims.setdefault(node, via)
            if holder != via:
                return Event("node_twice", {"node": node, "via": via, "holder": holder})
        return None

    def release(self, node: str, via: str) -> None:
        with self._lock:
            if self._claims.get(node) == via:
                del self._claims[node]

    def tags_seen(self, sensor: str, readings: tuple[Reading, ...], seen: When) -> None:
        """Everything that lies on a reader. Says nothing new if the same tags lay there before."""
        with self._lock:
            old = self._sensors[sensor]
            if sensor in self._forbidden:
                self.is_lost(sensor, self._forbidden[sensor])
                return
            before = {tag.uid: tag for tag in old.tags or ()}
            tags = tuple(sorted({one.uid: before.get(one.uid) or self._tag(one) for one in readings}.values()))
            if old.tags == tags:
                return
            self._sensors[sensor] = old._replace(tags=tags, reason=None)
            if old.reason is not None:
                self._back(sensor)
                self._tell_health(sensor)
            self.inbox.put(TagsSeen(sensor, old.place, tags, seen))
            self._note_doubles(sensor, {tag.uid for tag in tags} - before.keys())

    def forbid(self, sensor: str, reason: Event | None) -> None:
        """Nothing that this sensor says may be heard, for a reason; None allows it again."""
        with self._lock:
            if reason is None:
                self._forbidden.pop(sensor, None)
            else:
                self._forbidden[sensor] = reason
                self.is_lost(sensor, reason)

    def learn(self, register: Register) -> None:
        """Another register: every tag that lies somewhere is looked up again."""
        with self._lock:
            self.register = register
            for sensor, old in self._sensors.items():
                tags = tuple(self._tag(Reading(tag.uid, tag.since)) for tag in old.tags or ())
                if old.tags is not None and tags != old.tags:
                    self._sensors[sensor] = old._replace(tags=tags)
                    self.inbox.put(TagsSeen(sensor, old.place, tags, When(self.clock.now())))

    def is_working(self, sensor: str) -> None:
        """Something that has no tags, a button, is available."""
        with self._lock:
            if self._sensors[sensor].reason is not None:
                self._sensors[sensor] = self._sensors[sensor]._replace(reason=None)
                self._back(sensor)
                self._tell_health(sensor)

    def is_lost(self, sensor: str, reason: Event) -> None:
        """A sensor can't be believed any more."""
        with self._lock:
            if self._lose(sensor, reason):
                self._log_lost(sensor, reason)

    def node_lost(self, node: str, reason: Event) -> None:
        """All readers of a board can't be believed any more. One line in the log, not eight."""
        with self._lock:
            changed = [self._lose(sensor_name(node, reader), reason) for reader in self.readers_of(node)]
            if any(changed):
                self._log_lost(node, reason)

    def node_back(self, node: str) -> None:
        with self._lock:
            self._back(node)

    def pressed(self, seat: str, when: When) -> None:
        self.inbox.put(Pressed(seat, when))

    # --- Inside ---

    def _tag(self, reading: Reading) -> Tag:
        return Tag(reading.uid, self.register.get(reading.uid), reading.since)

    def _lose(self, sensor: str, reason: Event) -> bool:
        old = self._sensors[sensor]
        if old.reason == reason:
            return False
        self._sensors[sensor] = old._replace(tags=None, reason=reason)
        self._tell_health(sensor)
        return True

    def _log_lost(self, name: str, reason: Event) -> None:
        if name not in self._lost and reason.code not in _PASSING:
            self._lost.add(name)
            log.warning("%s is unavailable. %s", name, say(reason))

    def _back(self, name: str) -> None:
        if name in self._lost:
            self._lost.remove(name)
            log.info("%s is back.", name)

    def _tell_health(self, sensor: str) -> None:
        now = self._sensors[sensor]
        self.inbox.put(Health(sensor, now.place, now.reason is None, self.clock.now(), now.reason))

    def _note_doubles(self, sensor: str, uids: set[str]) -> None:
        for other, state in self._sensors.items():
            if other != sensor and any(tag.uid in uids for tag in state.tags or ()):
                what = Event("tag_on_two_readers", {"sensors": sorted((sensor, other))})
                self.inbox.put(Noted(sensor, what, self.clock.now()))


def button_name(seat: str) -> str:
    return f"button:{seat}"
