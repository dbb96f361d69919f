"""Which tables have a virtual board, in a file: a house that opens again lays them out as the games stand."""

from __future__ import annotations

import json
import logging
import threading
from pathlib import Path
from typing import Any

from companion.house.equipment import Virtual

log = logging.getLogger(__name__)
MOST_BYTES = 4_000_000


class KeptBoards:
    """The virtual equipment of tables by id. Without a path that can be written, until the evening ends.

    A board is soon laid again by hand, so what is wrong with the file is logged and stops nobody.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path, self._lock = path, threading.Lock()
        self._kept: dict[str, dict[str, bool]] = _read(path) if path is not None else {}

    def of(self, table_id: str) -> Virtual | None:
        kept = self._kept.get(table_id)
        return Virtual(**kept) if kept is not None else None

    def keep(self, table_id: str, virtual: Virtual | None) -> None:
        """What the table has from now on; None: no virtual board."""
        with self._lock:
            before = dict(self._kept)
            if virtual is None:
                self._kept.pop(table_id, None)
            else:
                self._kept[table_id] = virtual._asdict()
            if self._path is not None and self._kept != before:
                _write(self._path, self._kept)


def _read(path: Path) -> dict[str, dict[str, bool]]:
    try:
        with path.open("rb") as file:
            found = json.loads(file.read(MOST_BYTES))
        return {table: kept for table, kept in found.items() if _is_equipment(kept)}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError) as error:  # no JSON, or no object
        log.warning("%s can't be read, so virtual boards are laid by hand: %s", path, error)
        return {}


def _is_equipment(kept: Any) -> bool:
    fields = Virtual._fields
    return isinstance(kept, dict) and all(key in fields and isinstance(kept[key], bool) for key in kept)


def _write(path: Path, kept: dict[str, dict[str, bool]]) -> None:
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(json.dumps(kept, indent=1), encoding="utf-8")
        part.replace(path)
    except OSError as error:
        log.warning("%s can't be written, so virtual boards will have to be laid by hand: %s", path, error)
