"""Puts the firmware on a reader board: stops what runs there, copies the files and the board's configuration, restarts.

mpremote does the talking, as a program of its own. A running firmware is asked to stop first, because its watchdog
would restart the board in the middle of the copying.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from companion.devices.serial_link import Line, Port, is_reader_board, open_port
from companion.devices.table_file import MQTT, Node, TableFile
from companion.table.observations import Event, FormatError, Json
from firmware import framing

MOST_READERS = 8
STOP_S = 2.0
COPY_S = 180
NOT_ON_BOARD = ("__init__.py", "manifest.py")

Runner = Callable[[Sequence[str]], None]


class Flash(NamedTuple):
    """Everything that will happen to a board."""

    port: str
    node: str
    commands: tuple[tuple[str, ...], ...]
    files: int


def firmware_folder() -> Path:
    """Where the firmware's files are: they travel with the companion as a package."""
    return Path(framing.__file__).parent


def firmware_files(folder: Path) -> list[Path]:
    """The files a board gets. Raises `FormatError` if there is no firmware."""
    files = sorted(path for path in folder.glob("*.py") if path.name not in NOT_ON_BOARD)
    if not any(path.name == "main.py" for path in files):
        raise FormatError(Event("flash_firmware_missing", {"path": str(folder)}))
    return files


def choose_port(ports: Sequence[Port]) -> str:
    """The one board that is plugged in. Raises `FormatError` if there is none, or a choice."""
    boards = [port.device for port in ports if is_reader_board(port)]
    if not boards:
        raise FormatError(Event("flash_no_board"))
    if len(boards) > 1:
        raise FormatError(Event("flash_several", {"ports": boards, "first": boards[0]}))
    return boards[0]


def choose_node(table: TableFile, name: str | None) -> Node:
    """The board of the table file by that name; the only one if there is just one. Raises `FormatError`."""
    nodes = {node.name: node for node in table.nodes}
    if name is None and len(nodes) == 1:
        return table.nodes[0]
    if name not in nodes:
        raise FormatError(Event("flash_node_needed", {"allowed": list(nodes)}))
    return nodes[name]


def config_for(node: Node, template: Mapping[str, Json]) -> dict[str, Json]:
    """The board's configuration: the template's wiring, with this node's name and its readers. Raises `FormatError`."""
    if node.link == MQTT:
        raise FormatError(Event("flash_mqtt_config", {"node": node.name}))
    wiring: Sequence[Mapping[str, Json]] = template["readers"]
    if len(node.readers) > len(wiring):
        raise FormatError(
            Event("flash_too_many", {"node": node.name, "count": len(node.readers), "most": MOST_READERS})
        )
    readers = [{**wires, "reader": reader} for reader, wires in zip(node.readers, wiring, strict=False)]
    return {**template, "node": node.name, "readers": readers}


def read_config(path: Path) -> dict[str, Json]:
    """A board's config.json. Raises `FormatError` and `OSError`."""
    try:
        config: Any = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError):
        config = None
    if not isinstance(config, dict) or not isinstance(config.get("node"), str):
        raise FormatError(Event("flash_config_broken", {"path": str(path)}))
    return config


def plan_flash(port: str, node: str, files: Sequence[Path], config: Path, mpremote: str = "mpremote") -> Flash:
    """The commands, which can be read before they are run."""
    connect = (mpremote, "connect", port)
    commands = (
        (*connect, "fs", "cp", *map(str, files), ":"),
        (*connect, "fs", "cp", str(config), ":config.json"),
        (*connect, "reset"),
    )
    return Flash(port, node, commands, len(files) + 1)


def find_mpremote() -> str:
    """The program's path. Raises `FormatError` without it."""
    path = shutil.which("mpremote", path=str(Path(sys.executable).parent)) or shutil.which("mpremote")
    if path is None:
        raise FormatError(Event("mpremote_missing"))
    return path


def run_mpremote(command: Sequence[str]) -> None:
    """Runs one command. Raises `FormatError` with its last words."""
    port = command[2]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=COPY_S, check=False)
    except subprocess.TimeoutExpired:
        raise FormatError(Event("flash_timeout", {"port": port, "seconds": COPY_S})) from None
    except OSError as error:
        raise FormatError(Event("flash_failed", {"port": port, "what": error.strerror or str(error)})) from None
    if result.returncode:
        words = (result.stderr.strip() or result.stdout.strip() or f"exit code {result.returncode}").splitlines()
        raise FormatError(Event("flash_failed", {"port": port, "what": words[-1][:200]}))


def flash(plan: Flash, runner: Runner = run_mpremote, opener: Callable[[str], Line] = open_port) -> None:
    """Carries the plan out. Raises `FormatError`."""
    stop_firmware(plan.port, opener)
    for command in plan.commands:
        runner(command)


def stop_firmware(port: str, opener: Callable[[str], Line], clock: Callable[[], float] = time.monotonic) -> bool:
    """Asks a running firmware for the prompt. False if nothing of ours answers, which a new board does not."""
    try:
        line = opener(port)
    except OSError:
        return False  # mpremote will say it better
    decoder, deadline = framing.Decoder(), clock() + STOP_S
    try:
        line.write(b"\n" + bytes(framing.Encoder().encode("stop", {})))
        while clock() < deadline:
            if any(message["type"] == "done" for message in decoder.feed(line.read(256))):
                return True
    except OSError:
        pass  # unplugged in this moment: mpremote will say so
    finally:
        line.close()
    return False
