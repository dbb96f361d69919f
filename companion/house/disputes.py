"""The dispute recorder: when somebody says "that was wrong", everything around that moment is kept as a bundle."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from companion.games.protocol import Action, Json
from companion.games.record import Record
from companion.house.bundles import Bundle, Input, pack
from companion.house.frames import Frames
from companion.house.stand_ins import without_secrets
from companion.table.entries import Entry, Store
from companion.table.observations import BoardSeen, Health, Noted, Observation, Pressed, TagsSeen, is_secret
from companion.table.session import Session
from companion.table.table import Table
from companion.table.views import PUBLIC, view

log = logging.getLogger(__name__)
FRAMES_S = 20.0
MOST_BUNDLES = 50  # the oldest goes when another one comes
# Entries that change nothing a camera or the rules know of; after any other one a replay can begin at the earliest.
_HARMLESS = ("act", "wrong", "sit", "leave", "seat_bot")


class Disputes:
    """Keeps bundles in a folder. Looked at by the evening's thread."""

    def __init__(self, folder: Path, store: Store) -> None:
        self._folder, self._store = folder, store
        self._seen: dict[str, int] = {}

    def look(self, table: Table, frames: Frames | None) -> Path | None:
        """Writes a bundle for a complaint that is new; gives its path. A disk that is full is logged, no more."""
        news = [one for one in table.news if one.event.code == "disputed"]
        newest = news[-1] if news else None
        if newest is None or newest.number <= self._seen.get(table.row.id, 0):
            return None
        self._seen[table.row.id] = newest.number
        bundle = bundle_of(table, self._store.entries(table.row.id), newest.number, frames)
        try:
            return self._write(f"{table.row.id}-{newest.number:06}.zip", pack(bundle))
        except OSError as error:
            log.error("A dispute can't be kept in %s: %s", self._folder, error.strerror)
            return None

    def _write(self, name: str, content: bytes) -> Path:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{name}"
        temporary = path.with_suffix(".part")
        try:
            temporary.touch(0o600)
            temporary.write_bytes(content)
            temporary.replace(path)
        except OSError:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
        for old in sorted(self._folder.glob("*.zip"))[:-MOST_BUNDLES]:
            old.unlink(missing_ok=True)
        return path


def bundle_of(table: Table, entries: Sequence[Entry], number: int, frames: Frames | None) -> Bundle:
    """All around the complaint with this number, as its seat may know it."""
    with table.lock:
        session, now = table.session, table.clock.now()
        complaint = next(entry for entry in entries if entry.number == number)
        to_clock = now - complaint.at
        seen = _observed(table.evidence, complaint.seat)
        first = min((time_of(one) for one in seen), default=now)
        base, began = _base(session, entries, first - to_clock)
        kept = without_secrets(session, complaint.seat)
        inputs = _inputs(session, kept, max(base, 0), to_clock, first)
        question = table.question
        asked: dict[str, Json] | None = None
        if question is not None:
            asked = {"kind": question.kind, "causes": [list(cause) for cause in question.causes]}
        public = view(table, PUBLIC)
    about = {"seat": complaint.seat or "", "words": str(complaint.body.get("words", "")), "at": f"{complaint.at:.1f}"}
    return Bundle(
        about,
        Record(session.header or {}, kept),
        min(base, len(kept)),
        inputs,
        _from(seen, began + to_clock),
        now,
        asked,
        public,
        tuple(picture.jpeg for picture in frames.since(now - FRAMES_S)) if frames else (),
    )


def _observed(evidence: Iterable[Observation], seat: str | None) -> list[Observation]:
    """What sensors said, without what lies in the trays of others."""
    own = f"tray:{seat}:"
    return [
        one for one in evidence
        if not (isinstance(one, TagsSeen) and is_secret(one.place) and not one.place.startswith(own))
    ]  # fmt: skip


def _base(session: Session, entries: Sequence[Entry], first: float) -> tuple[int, float]:
    """How many of the game's actions were done before a replay can begin, and when that was (wall clock)."""
    began, number = first, 0
    for entry in entries:
        if entry.at < first or entry.kind not in _HARMLESS:
            began, number = max(first, entry.at), entry.number
    return sum(step.entry <= number for step in session.steps), began


def _inputs(session: Session, kept: Sequence[Action], base: int, to_clock: float, first: float) -> tuple[Input, ...]:
    """The actions after the base that the table did not find out by itself."""
    return tuple(
        Input(step.at + to_clock, action)
        for step, action in list(zip(session.steps, kept, strict=False))[base:]
        if step.by != "camera" or step.at + to_clock < first
    )


def time_of(observation: Observation) -> float:
    """When a sensor saw what it says."""
    match observation:
        case TagsSeen(seen=seen) | BoardSeen(seen=seen):
            return seen.at
        case Pressed(pressed=pressed):
            return pressed.at
        case Health(since=at) | Noted(at=at):
            return at


def _from(seen: Sequence[Observation], began: float) -> tuple[Observation, ...]:
    """What was seen from a moment on; of what was seen before, the last word of each sensor."""
    before: dict[tuple[str, str], Observation] = {}
    after: list[Observation] = []
    for one in seen:
        sensor = getattr(one, "sensor", None) or getattr(one, "camera", None)
        if time_of(one) >= began:
            after.append(one)
        elif sensor is not None:
            before[type(one).__name__, str(sensor)] = one
    return (*before.values(), *after)
