"""Ready-made ESPHome readers: a UID in upper-case hexadecimal with dashes on one topic, online or offline on another.

`hardware/esphome/` has a configuration that says what lies on the reader at every change and each 5 s, so that silence
shows. An empty payload means that nothing lies there.
"""

from __future__ import annotations

from companion.devices.hub import Hub, Reading
from companion.devices.table_file import EspReader
from companion.devices.tags import parse_uid
from companion.table.observations import Event, When

SILENT_S = 12.0
POLL_S = 1.0  # ESPHome's usual update interval
MOST_BYTES = 100
EMPTY = (b"", b"none")


class EspDialogue:
    """One such reader. Never raises on a payload."""

    def __init__(self, hub: Hub, reader: EspReader) -> None:
        self.malformed = 0
        self._hub, self._reader = hub, reader
        self._heard_at: float | None = None
        self._uid: str | None = None
        self._since = When(0.0)

    def received(self, topic: str, payload: bytes, is_retained: bool, now: float) -> None:
        """A message on one of its topics. A retained tag may be long gone: only a live one counts."""
        if topic == self._reader.status:
            if payload.strip().lower() != b"online":
                self._lose(Event("board_gone", {"node": self._reader.name}))
        elif not is_retained:
            self._tag(payload, now)

    def ticked(self, now: float) -> None:
        if self._heard_at is not None and now - self._heard_at > SILENT_S:
            self._lose(Event("board_silent", {"seconds": round(SILENT_S), "via": self._reader.topic}))

    def closed(self, reason: Event) -> None:
        self._lose(reason)

    def _tag(self, payload: bytes, now: float) -> None:
        bare = payload[: MOST_BYTES + 1].strip()
        uid = None if bare.lower() in EMPTY else parse_uid(bare.decode("ascii", "replace"))
        if uid is None and bare.lower() not in EMPTY:
            self.malformed += 1
            return
        self._heard_at = now
        if uid != self._uid:
            self._uid, self._since = uid, When(now - POLL_S / 2, POLL_S / 2)
        readings = (Reading(uid, self._since),) if uid else ()
        self._hub.tags_seen(self._reader.name, readings, When(now - POLL_S / 2, POLL_S / 2))

    def _lose(self, reason: Event) -> None:
        self._heard_at, self._uid = None, None
        self._hub.is_lost(self._reader.name, reason)
