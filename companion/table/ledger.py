"""A table's log and what follows from it: the one place where entries are written, and the session they add up to."""

from __future__ import annotations

import logging
from collections.abc import Callable

from companion.games.protocol import Action, Event, FormatError, Refusal
from companion.table.entries import Entry, Store, StoreError, TableRow
from companion.table.questions import Draft
from companion.table.session import fold, replayed

log = logging.getLogger(__name__)


class Ledger:
    """Writes drafts as entries. `trouble` is why that can't be done at present."""

    def __init__(self, store: Store, row: TableRow, wall: Callable[[], float], salt: Callable[[], str]) -> None:
        self._store, self._table = store, row.id
        self._wall, self._salt = wall, salt
        entries = store.entries(row.id)
        self.session = replayed(row.id, entries)
        self.trouble: Event | None = None
        self._keys = {entry.key for entry in entries if entry.key}

    def has(self, key: str) -> bool:
        """Whether a command with this key was accepted."""
        return key in self._keys

    def write(self, drafts: list[Draft], key: str = "") -> list[Entry] | Refusal:
        """Entries that are safe from a power cut by now; a refusal if they can't be kept, and then nothing is."""
        entries = self._entries(drafts, key)
        after = self.session
        try:
            for entry in entries:
                after = fold(after, entry)
        except (FormatError, AssertionError):
            return Refusal("no_longer_possible")
        try:
            self._store.append(self._table, entries)
        except StoreError as error:
            if self.trouble is None or self.trouble.code != error.event.code:  # it is tried again every moment
                log.error("table %s: entries can't be kept (%s)", self._table, error.event.code)
            self.trouble = error.event
            return Refusal(error.event.code, error.event.data)
        self.trouble = None
        self.session = after
        self._keys |= {entry.key for entry in entries if entry.key}
        return entries

    def catch_up(self) -> list[Entry]:
        """After trouble nobody knows for sure what was kept: what is there now is the truth. Gives what was unknown."""
        try:
            missed = self._store.entries(self._table, self.session.number)
        except StoreError as error:
            self.trouble = error.event
            return []
        for entry in missed:
            self.session = fold(self.session, entry)
            self._keys |= {entry.key} - {""}
        return missed

    def _entries(self, drafts: list[Draft], key: str) -> list[Entry]:
        first = self.session.number + 1
        entries = []
        for offset, draft in enumerate(drafts):
            body = dict(draft.body)
            if draft.kind == "act" and self._is_secret(draft):
                body["salt"] = self._salt()
            entries.append(Entry(first + offset, draft.kind, draft.seat, body, "" if offset else key, self._wall()))
        return entries

    def _is_secret(self, draft: Draft) -> bool:
        assert self.session.game is not None
        action = Action(str(draft.seat), draft.body["do"], tuple(draft.body["args"]))
        return self.session.game.witness(action, None) != action
