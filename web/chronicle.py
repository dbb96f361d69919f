"""The games that were played here, read back from the log: who, how long, with which score."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.games.protocol import Json
from companion.table.audit import summary
from companion.table.entries import Entry, Store, TableRow
from companion.table.session import PERSON, Session, fold


class Played(NamedTuple):
    """One game that came to its end."""

    table: TableRow
    session: Session
    set_up: float  # when the game was laid out: from then to `began` people were seated and taught

    @property
    def teaching_s(self) -> float:
        return max(0.0, self.session.began - self.set_up)

    @property
    def playing_s(self) -> float:
        return max(0.0, self.session.ended - self.session.began)

    def to_json(self) -> dict[str, Json]:
        session = self.session
        assert session.game is not None
        score = session.game.score(session.state)
        people = {name: seat.name for name, seat in session.seats.items()}
        return {
            "table": self.table.name,
            "game": session.game.name,
            "rules": (session.header or {}).get("rules"),
            "began": session.began,
            "ended": session.ended,
            "teaching_s": round(self.teaching_s),
            "playing_s": round(self.playing_s),
            "people": sum(seat.kind == PERSON for seat in session.seats.values()),
            "seats": people,
            "totals": {player: points["total"] for player, points in score.points.items()},
            "winners": list(score.winners),
            "scores": summary(session)["scores"],
            # As everybody saw them: a project that was never opened stays closed.
            "actions": [session.game.witness(step.action, None).text for step in session.steps],
        }


class Chronicle:
    """Reads finished games from the store, and each table's log again only when it has grown."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, tuple[int, list[Played]]] = {}

    def games(self) -> list[Played]:
        """All finished games, the newest first."""
        found = [game for table in self._store.tables() for game in self._of(table)]
        return sorted(found, key=lambda game: -game.session.ended)

    def _of(self, table: TableRow) -> list[Played]:
        entries = self._store.entries(table.id)
        last = entries[-1].number if entries else 0
        known = self._known.get(table.id)
        if known is None or known[0] != last:
            known = self._known[table.id] = (last, list(_played(table, entries)))
        return known[1]


def _played(table: TableRow, entries: list[Entry]) -> Iterator[Played]:
    session, set_up = Session(table.id), 0.0
    for entry in entries:
        if entry.kind == "new_game":
            if session.ended:
                yield Played(table, session, set_up)
            set_up = entry.at
        session = fold(session, entry)
    if session.ended:
        yield Played(table, session, set_up)
