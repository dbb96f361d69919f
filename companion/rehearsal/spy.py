"""A spy who reads every byte sent to anyone, and looks for secrets that are not theirs to know yet."""

from __future__ import annotations

import json
from collections import Counter

from companion.table.table import Table
from companion.table.views import PUBLIC, STAFF, view


class Spy:
    """Compares what everyone is sent with what each seat keeps secret. `found` counts leaks.

    A plan is hidden if nobody else's view depends on it: so the spy looks for its cards as a list, for its text and for
    the salt of its seal, all of which appear nowhere before the plan lies open.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self.found = 0
        self.looked = 0
        self.by_viewer: Counter[str] = Counter()

    def look(self) -> None:
        secrets = self._secrets()
        if not secrets:
            return
        for viewer in (PUBLIC, STAFF, *self._table.session.seats):
            sent = json.dumps(view(self._table, viewer), ensure_ascii=False)
            self.looked += 1
            for seat, words in secrets.items():
                if seat != viewer and any(word in sent for word in words):
                    self.found += 1
                    self.by_viewer[viewer] += 1

    def _secrets(self) -> dict[str, list[str]]:
        """By seat, what must not be read by others: whatever it has laid that does not lie open."""
        session, found = self._table.session, {}
        if session.game is None:
            return {}
        for seat in session.seats:
            if session.game.is_open(session.state, seat) is False:
                step = next(s for s in reversed(session.steps) if s.action.seat == seat and s.salt)
                words = list(step.action.args)
                found[seat] = [str(step.salt), step.action.text, json.dumps(words, ensure_ascii=False)[1:-1]]
        return found
