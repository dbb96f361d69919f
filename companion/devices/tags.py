"""The tag register: which tag is stuck to which piece. A readable file, written whole or not at all."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from companion.devices.fields import shown
from companion.table.observations import Event, FormatError, Json, Piece

VERSION = 1
MOST_BYTES = 1_000_000
_UID = re.compile(r"[0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{20}")


def parse_uid(text: object) -> str | None:
    """A UID of 4, 7 or 10 bytes as we write it, from that or from ESPHome's form with dashes. None if it is neither."""
    if not isinstance(text, str) or len(text) > 40:
        return None
    bare = text.strip().upper().replace("-", "")
    return bare if _UID.fullmatch(bare) else None


class Register(Mapping[str, Piece]):
    """UID to piece. Frozen: `with_tag` and `without` give another one."""

    def __init__(self, pieces: Mapping[str, Piece] | None = None) -> None:
        self._pieces = dict(pieces or {})
        self._uids = {piece: uid for uid, piece in self._pieces.items()}

    def __getitem__(self, uid: str) -> Piece:
        return self._pieces[uid]

    def __iter__(self) -> Iterator[str]:
        return iter(self._pieces)

    def __len__(self) -> int:
        return len(self._pieces)

    def __repr__(self) -> str:
        return f"Register({len(self)} tags)"

    def uid_of(self, piece: Piece) -> str | None:
        return self._uids.get(piece)

    def with_tag(self, uid: str, piece: Piece) -> Register:
        """The piece now has this tag and no other. Raises `FormatError` if the tag is another piece's."""
        holder = self._pieces.get(uid, piece)
        if holder != piece:
            raise FormatError(Event("tag_taken", {"piece": piece.text, "holder": holder.text}))
        return Register({**self.without(piece)._pieces, uid: piece})

    def without(self, piece: Piece) -> Register:
        return Register({uid: other for uid, other in self._pieces.items() if other != piece})

    def missing(self, pieces: Iterable[Piece]) -> tuple[Piece, ...]:
        return tuple(piece for piece in pieces if piece not in self._uids)


# --- The file ---


def parse_register(content: bytes) -> Register:
    """Reads a tag file. Raises `FormatError` with every mistake: an unreadable UID, a tag or a piece named twice."""
    problems: list[Event] = []
    twice: list[str] = []

    def pairs(items: list[tuple[str, Json]]) -> dict[str, Json]:
        names = [name for name, _ in items]
        twice.extend(sorted({name for name in names if names.count(name) > 1}))
        return dict(items)

    try:
        data = json.loads(content.decode("utf-8-sig"), object_pairs_hook=pairs)
    except UnicodeDecodeError as error:
        raise FormatError(Event("tags_not_text", {"byte": error.start})) from None
    except json.JSONDecodeError as error:
        raise FormatError(Event("tags_broken", {"line": error.lineno, "what": error.msg})) from None
    except (RecursionError, ValueError):  # nested without end, or a number of thousands of digits
        raise FormatError(Event("tags_not_ours")) from None
    if not isinstance(data, dict) or data.get("makabana_tags") != VERSION or not isinstance(data.get("tags"), dict):
        raise FormatError(Event("tags_not_ours"))
    problems += [Event("tag_twice", {"uid": shown(uid)}) for uid in twice]
    pieces = _pieces(data["tags"], problems)
    if problems:
        raise FormatError(*problems)
    return Register(pieces)


def _pieces(data: Mapping[str, Json], problems: list[Event]) -> dict[str, Piece]:
    pieces: dict[str, Piece] = {}
    holders: dict[Piece, str] = {}
    for text, name in data.items():
        uid = parse_uid(text)
        if uid is None:
            problems.append(Event("uid_unreadable", {"uid": shown(text)}))
            continue
        try:
            piece = Piece.from_text(name if isinstance(name, str) else "")
        except FormatError:
            problems.append(Event("piece_wrong", {"uid": uid, "text": shown(name)}))
            continue
        if uid in pieces:
            problems.append(Event("tag_twice", {"uid": uid}))
        if piece in holders:
            problems.append(Event("piece_twice", {"piece": piece.text, "uid": uid, "other": holders[piece]}))
        pieces[uid], holders[piece] = piece, uid
    return pieces


def register_text(register: Register) -> str:
    """The file's text, sorted by piece, so that people can read it and compare two."""
    tags = {uid: piece.text for uid, piece in sorted(register.items(), key=lambda item: item[1])}
    return json.dumps({"makabana_tags": VERSION, "tags": tags}, indent=1, ensure_ascii=False) + "\n"


def read_register(path: Path) -> Register:
    """The register in a file; an empty one if there is none yet. Raises `FormatError` and `OSError`."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return Register()
    if len(content) > MOST_BYTES:
        raise FormatError(Event("tags_too_large", {"most": MOST_BYTES}))
    return parse_register(content)


def write_register(path: Path, register: Register) -> None:
    """Writes the whole file or, if anything fails, leaves the old one as it was. Raises `OSError`."""
    temporary = path.with_name(f".{path.name}.part")
    with temporary.open("w", encoding="utf-8") as file:
        file.write(register_text(register))
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
