"""`makabana doctor`: tries out everything the table file names, and says how to fix what does not work."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from pathlib import Path

from companion.commands.camera_check import look
from companion.commands.evening.place import data_folder
from companion.commands.table_file import DEFAULT, known_places
from companion.commands.terminal import Ink
from companion.devices.checkup import Tools, check_all, check_quickly, check_table
from companion.devices.findings import Finding
from companion.devices.gpio import MOCK, REAL
from companion.devices.machine import Machine
from companion.devices.texts import catalogue, say
from companion.table.observations import Event, FormatError
from vision.errors import sentence
from vision.errors import texts as vision_texts

UNWELL = 1
INSTALLED = Path("/etc/makabana/table.toml")
_FINE, _BAD, _ODD = "✓", "✗", "·"
_AREA_WIDTH = 9


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("doctor", help="find what is wrong with the hardware", description=__doc__)
    parser.add_argument("table", nargs="?", metavar="FILE",
                        help=f"the table file; {DEFAULT} here, or the one of an installed table")  # fmt: skip
    parser.add_argument("--pins", choices=(REAL, MOCK), default=REAL, help="mock: pretend that there are pins")
    parser.add_argument("--data", metavar="DIR", type=Path, help="where games are kept")
    parser.add_argument("--quick", action="store_true", help="only what takes no time and touches no device")
    parser.add_argument("--json", action="store_true", help="print JSON for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, tools: Tools | None = None) -> int:
    """0 if everything needed is well, else 1."""
    path = Path(args.table) if args.table else _usual_table()
    tools = (tools or Tools(look=look, machine=Machine(data=_usual_data())))._replace(pins=args.pins)
    if args.data:
        tools = tools._replace(machine=tools.machine._replace(data=args.data))
    check = check_quickly if args.quick else check_all
    findings = []
    for finding in check(path, tools, _places(path)):
        findings.append(finding)
        if not args.json:
            print(_line(finding, args.lang), flush=True)
    if args.json:
        print(json.dumps([_plain(finding, args.lang) for finding in findings], ensure_ascii=False))
        return _code(findings)
    print("\n".join(_summary(findings, args.lang)))
    return _code(findings)


def _usual_table() -> Path:
    here = Path(DEFAULT)
    return INSTALLED if not here.exists() and os.access(INSTALLED, os.R_OK) else here


def _usual_data() -> Path:
    installed = Machine().data
    return installed if os.access(installed, os.W_OK) else data_folder(None)


def _code(findings: list[Finding]) -> int:
    return UNWELL if any(_is_bad(finding) for finding in findings) else 0


def _is_bad(finding: Finding) -> bool:
    return finding.is_needed and not finding.is_fine


def _places(path: Path) -> list[str] | None:
    """The places of the boards that the table file names, if it can be read at all."""
    table, _ = check_table(path)
    try:
        return sorted(known_places(table.boards)) if table and table.boards else None
    except FormatError:
        return None


def _line(finding: Finding, language: str) -> str:
    ink = Ink()
    if finding.is_fine:
        mark = ink.colour("green", _FINE)
    else:
        mark = ink.colour("red", _BAD) if finding.is_needed else ink.dim(_ODD)
    area = say(Event(f"area.{finding.area}"), language)
    return f"{mark} {area.ljust(_AREA_WIDTH)} {_words(finding.what, language)}"


def _summary(findings: list[Finding], language: str) -> Iterator[str]:
    bad = sum(map(_is_bad, findings))
    yield say(Event("doctor_unwell" if bad else "doctor_well", {"count": bad}), language)


def _words(what: Event, language: str) -> str:
    """A finding of the camera is said as vision says it; everything else in the words of devices."""
    if what.code not in catalogue() and what.code in vision_texts():
        return sentence(what.code, what.data, language)
    return say(what, language)


def _plain(finding: Finding, language: str) -> dict[str, object]:
    return {
        "area": finding.area,
        "fine": finding.is_fine,
        "needed": finding.is_needed,
        **finding.what.to_json(),
        "text": _words(finding.what, language),
    }
