"""Fields of a message that a board sent, taken out with care: anything may be in there."""

from __future__ import annotations

from collections.abc import Mapping

from companion.devices.tags import parse_uid
from companion.table.observations import Json

LONGEST_MS = 10**10
LONGEST_TEXT = 200


class BadMessageError(ValueError):
    """A message with a right checksum and a wrong content. Its text names the field, never the value."""


def text_in(data: Mapping[str, Json], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise BadMessageError(key)
    return value


def integer_in(data: Mapping[str, Json], key: str) -> int:
    value = data.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= LONGEST_MS:
        raise BadMessageError(key)
    return value


def tables_in(data: Mapping[str, Json], key: str) -> list[Mapping[str, Json]]:
    value = data.get(key)
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise BadMessageError(key)
    return value


def uid_in(data: Mapping[str, Json]) -> str:
    uid = parse_uid(data.get("uid"))
    if uid is None:
        raise BadMessageError("uid")
    return uid
