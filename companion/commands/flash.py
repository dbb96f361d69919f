"""`makabana flash`: puts the reader firmware and its configuration on a board."""

from __future__ import annotations

import argparse
import json
import shlex
import tempfile
from pathlib import Path
from typing import Any

from companion.commands.table_file import DEFAULT, guarded, load_table
from companion.devices.flashing import (
    Runner,
    choose_node,
    choose_port,
    config_for,
    find_mpremote,
    firmware_files,
    firmware_folder,
    flash,
    plan_flash,
    read_config,
    run_mpremote,
)
from companion.devices.serial_link import list_ports
from companion.devices.texts import say
from companion.table.observations import Event, FormatError


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("flash", help="put the firmware on a reader board", description=__doc__)
    parser.add_argument("port", nargs="?", help="the board's serial port; found by its USB id if there is one only")
    parser.add_argument("--table", default=DEFAULT, metavar="FILE", help="the table file, which names the readers")
    parser.add_argument("--node", metavar="NAME", help="which board of the table file this is")
    parser.add_argument("--config", metavar="FILE", help="a finished config.json, instead of one from the table file")
    parser.add_argument("--dry-run", action="store_true", help="only print what would be done")
    parser.set_defaults(run=guarded(run))


def run(args: argparse.Namespace, runner: Runner = run_mpremote) -> int:
    config = _config(args)
    files = firmware_files(firmware_folder())
    mpremote = "mpremote" if args.dry_run else find_mpremote()
    port = args.port or choose_port(_ports())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "config.json"
        path.write_text(json.dumps(config, indent=1), "utf-8")
        plan = plan_flash(port, config["node"], files, path, mpremote)
        if args.dry_run:
            print("\n".join(shlex.join(command) for command in plan.commands))
            print(json.dumps(config, indent=1))
            return 0
        flash(plan, runner)
    print(say(Event("flash_done", {"port": port, "node": plan.node, "count": plan.files}), args.lang))
    return 0


def _config(args: argparse.Namespace) -> dict[str, Any]:
    try:
        if args.config:
            return read_config(Path(args.config))
        template = read_config(firmware_folder() / "config.json")
    except OSError as error:
        raise FormatError(Event("file_unreadable", {"path": str(error.filename), "what": error.strerror})) from None
    return config_for(choose_node(load_table(Path(args.table)), args.node), template)


def _ports() -> list[Any]:
    try:
        return list_ports()
    except ImportError:
        raise FormatError(Event("package_missing", {"package": "pyserial", "extra": "devices"})) from None
