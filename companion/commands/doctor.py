"""`makabana doctor`: tries out everything the table file names, and says how to fix what does not work."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from companion.commands.table_file import DEFAULT, known_places
from companion.commands.terminal import Ink
from companion.devices.checkup import Finding, Tools, check_all, check_table
from companion.devices.gpio import MOCK, REAL
from companion.devices.texts import say
from companion.table.observations import FormatError

UNWELL = 1
_FINE, _BAD, _ODD = "✓", "✗", "·"


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("doctor", help="find what is wrong with the hardware", description=__doc__)
    parser.add_argument("table", nargs="?", default=DEFAULT, metavar="FILE", help="the table file")
    parser.add_argument("--pins", choices=(REAL, MOCK), default=REAL, help="mock: pretend that there are pins")
    parser.add_argument("--json", action="store_true", help="print JSON for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, tools: Tools | None = None) -> int:
    path = Path(args.table)
    tools = (tools or Tools())._replace(pins=args.pins)
    findings = []
    for finding in check_all(path, tools, _places(path)):
        findings.append(finding)
        if not args.json:
            print(_line(finding, args.lang), flush=True)
    if args.json:
        print(json.dumps([_plain(finding, args.lang) for finding in findings], ensure_ascii=False))
    return UNWELL if any(finding.is_needed and not finding.is_fine for finding in findings) else 0


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
    return f"{mark} {finding.area.ljust(8)} {say(finding.what, language)}"


def _plain(finding: Finding, language: str) -> dict[str, object]:
    return {
        "area": finding.area,
        "fine": finding.is_fine,
        "needed": finding.is_needed,
        **finding.what.to_json(),
        "text": say(finding.what, language),
    }
