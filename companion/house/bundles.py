"""Dispute bundles: a zip that holds all that a test needs to run the moment again, and no other seat's secrets.

| file | content |
|---|---|
| `bundle.json` | `bundle` 1, who complained and how, times, the open question, the entries to replay |
| `record.jsonl` | the game so far as a record; plans that are still hidden are stand-ins that look the same |
| `observations.jsonl` | what sensors said around the moment, one a line, without what lies in others' trays |
| `view.json` | the public view |
| `frames/0001.jpg` ... | the pictures of the last seconds |

A bundle may come from anybody: sizes, names and counts are limited before anything is unpacked.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Sequence
from typing import NamedTuple

from companion.games.protocol import Action, Event, FormatError, Json
from companion.games.record import Record, loads_strictly, parse_record, to_jsonl
from companion.table.observations import Observation, from_json, to_json

VERSION = 1
MOST_ZIP_BYTES = 16_000_000
MOST_FRAME_BYTES, MOST_TEXT_BYTES = 1_000_000, 8_000_000
MOST_BYTES = 40_000_000  # unpacked, all together
MOST_FILES = 200
MOST_FRAMES = 120
MOST_OBSERVATIONS = 2000
LATEST_S = 1e10  # no clock of ours shows more
_NAMES = re.compile(r"bundle\.json|record\.jsonl|observations\.jsonl|view\.json|frames/[0-9]{4}\.jpg")
# All that Python's zipfile raises for what is broken, encrypted or packed in a way it does not know.
_ZIP_FAULTS = (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError, EOFError, zlib.error)
_WHEN = (2020, 1, 1, 0, 0, 0)  # a fixed date: the same moment always gives the same file


class Input(NamedTuple):
    """An action that came from outside while the observations were made: it is done again in a replay."""

    at: float  # by the table's clock
    action: Action


class Bundle(NamedTuple):
    """Everything around one complaint. `base` is how many actions of the record were done before it all begins."""

    about: dict[str, Json]
    record: Record
    base: int
    inputs: tuple[Input, ...]
    observations: tuple[Observation, ...]
    until: float  # when somebody said that it was wrong, by the table's clock
    question: dict[str, Json] | None  # the question that stood at that moment: its kind and causes
    view: dict[str, Json]
    frames: tuple[bytes, ...] = ()


def pack(bundle: Bundle) -> bytes:
    """The bundle as a zip file's bytes."""
    head = {
        "bundle": VERSION,
        **bundle.about,
        "base": bundle.base,
        "until": bundle.until,
        "question": bundle.question,
        "inputs": [{"at": entry.at, **entry.action.to_json()} for entry in bundle.inputs],
    }
    rows = [json.dumps(to_json(one), ensure_ascii=False) for one in bundle.observations[-MOST_OBSERVATIONS:]]
    files = {
        "bundle.json": json.dumps(head, ensure_ascii=False, indent=1).encode(),
        "record.jsonl": to_jsonl(bundle.record).encode(),
        "observations.jsonl": "\n".join(rows).encode(),
        "view.json": json.dumps(bundle.view, ensure_ascii=False, indent=1).encode(),
    }
    frames = bundle.frames[-MOST_FRAMES:]
    files |= {f"frames/{number:04}.jpg": frame for number, frame in enumerate(frames, 1)}
    return _zipped(files)


def _zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            kind = zipfile.ZIP_STORED if name.endswith(".jpg") else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name, _WHEN), content, kind)
    return buffer.getvalue()


def unpack(content: bytes) -> Bundle:
    """The bundle in a zip file's bytes. Raises `FormatError` for whatever is no such thing."""
    files = _unzipped(content)
    missing = [name for name in ("bundle.json", "record.jsonl", "observations.jsonl") if name not in files]
    if missing:
        raise FormatError(Event("bundle_incomplete", {"missing": missing}))
    head = loads_strictly(_text(files, "bundle.json"))
    if not isinstance(head, dict) or head.get("bundle") != VERSION:
        raise FormatError(Event("bundle_version", {"known": VERSION}))
    record = parse_record(_text(files, "record.jsonl"))
    view = loads_strictly(_text(files, "view.json")) if "view.json" in files else {}
    frames = tuple(files[name] for name in sorted(files) if name.endswith(".jpg"))
    return _bundle(head, record, _observations(_text(files, "observations.jsonl")), view, frames)


def _bundle(
    head: dict[str, Json], record: Record, observations: tuple[Observation, ...], view: Json, frames: tuple[bytes, ...]
) -> Bundle:
    try:
        base, until = int(head["base"]), _moment(head["until"])
        inputs = tuple(_input(entry) for entry in head["inputs"][:MOST_OBSERVATIONS])
        question = head["question"]
        is_sound = 0 <= base <= len(record.actions) and (question is None or isinstance(question["kind"], str))
        about = {key: str(head.get(key, ""))[:400] for key in ("seat", "words", "at")}
    except FormatError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError):
        is_sound = False
    if not is_sound:
        raise FormatError(Event("bundle_unreadable", {"file": "bundle.json"}))
    return Bundle(
        about, record, base, inputs, observations, until, question, view if isinstance(view, dict) else {}, frames
    )


def _input(entry: Json) -> Input:
    return Input(_moment(entry["at"]), Action.from_json({key: entry[key] for key in ("seat", "do", "args")}))


def _moment(value: Json) -> float:
    """A time in seconds. Raises `ValueError` for what no clock shows."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < LATEST_S:
        raise ValueError(value)
    return float(value)


def _observations(text: str) -> tuple[Observation, ...]:
    lines: Sequence[str] = [line for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_OBSERVATIONS:
        raise FormatError(Event("bundle_too_large", {"file": "observations.jsonl", "most": MOST_OBSERVATIONS}))
    return tuple(from_json(loads_strictly(line)) for line in lines)


def _unzipped(content: bytes) -> dict[str, bytes]:
    """The files of a zip, each read no further than it may be long."""
    if len(content) > MOST_ZIP_BYTES:
        raise FormatError(Event("bundle_too_large", {"file": "zip", "most": MOST_ZIP_BYTES}))
    files: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_FILES:
                raise FormatError(Event("bundle_too_large", {"file": "zip", "most": MOST_FILES}))
            for entry in entries:
                files[_checked_name(entry, files)] = _read(archive, entry, sum(map(len, files.values())))
    except FormatError:
        raise
    except _ZIP_FAULTS:
        raise FormatError(Event("bundle_unreadable", {"file": "zip"})) from None
    return files


def _checked_name(entry: zipfile.ZipInfo, files: dict[str, bytes]) -> str:
    if not _NAMES.fullmatch(entry.filename) or entry.filename in files:
        raise FormatError(Event("bundle_strange_file", {"name": entry.filename[:80]}))
    return entry.filename


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, so_far: int) -> bytes:
    """One file; what its header says of its length is not believed."""
    most = MOST_FRAME_BYTES if entry.filename.endswith(".jpg") else MOST_TEXT_BYTES
    with archive.open(entry) as file:
        content = file.read(min(most, MOST_BYTES - so_far) + 1)
    if len(content) > most or so_far + len(content) > MOST_BYTES:
        raise FormatError(Event("bundle_too_large", {"file": entry.filename[:80], "most": most}))
    return content


def _text(files: dict[str, bytes], name: str) -> str:
    try:
        return files[name].decode("utf-8")
    except UnicodeDecodeError:
        raise FormatError(Event("bundle_unreadable", {"file": name})) from None
