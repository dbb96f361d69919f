"""What `makabana doctor` asks of the machine itself: its clock, its disk, its network."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import socket
import statistics
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from companion.devices.findings import Finding
from companion.table.observations import Event

LEAST_FREE_MB, GOOD_FREE_MB = 20, 500
SLOW_SYNC_MS = 250.0
_SYNCS, _SYNC_BYTES = 5, 16_384
_VOLATILE = ("tmpfs", "ramfs", "overlay")
_BEHIND_S = 86_400.0
_IW_S = 3.0
_SIOCGIFADDR = 0x8915


def address_of(interface: str) -> str | None:
    """The IPv4 address of an interface, None if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
        try:
            request = struct.pack("256s", interface.encode()[:15])
            return socket.inet_ntoa(fcntl.ioctl(wire.fileno(), _SIOCGIFADDR, request)[20:24])
        except OSError:
            return None


def is_access_point(interface: str) -> bool:
    """Whether others join this machine here; not known without the tool `iw`."""
    try:
        done = subprocess.run(
            ["iw", "dev", interface, "info"], capture_output=True, text=True, timeout=_IW_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return "type AP" in done.stdout


class Machine(NamedTuple):
    """Where the machine tells about itself; a test passes its own."""

    data: Path = Path("/var/lib/makabana")
    interfaces: Path = Path("/sys/class/net")
    mounts: Path = Path("/proc/mounts")
    hotspot: Path = Path("/etc/makabana/hotspot.conf")
    synced: Path = Path("/run/systemd/timesync/synchronized")
    now: Callable[[], float] = time.time
    address_of: Callable[[str], str | None] = address_of
    is_access_point: Callable[[str], bool] = is_access_point


# --- Clock ---


def check_clock(machine: Machine) -> Finding:
    """A Pi has no battery for its clock: without a network it may live in the past."""
    now, installed = machine.now(), Path(__file__).stat().st_mtime
    shown = datetime.fromtimestamp(now).astimezone().strftime("%Y-%m-%d %H:%M %Z")
    if now < installed - _BEHIND_S:
        return Finding("clock", False, Event("clock_behind", {"now": shown}))
    code = "ok_clock_synced" if machine.synced.exists() else "ok_clock"
    return Finding("clock", True, Event(code, {"now": shown}))


# --- Disk ---


def check_disk(machine: Machine) -> Iterator[Finding]:
    """Space, the right to write, how long a sync takes, and whether all of it survives a power cut."""
    folder = _existing(machine.data)
    path = {"path": str(machine.data)}
    try:
        free = shutil.disk_usage(folder).free // 1_000_000
        sync_ms = _sync_ms(folder)
    except OSError as error:
        yield Finding("disk", False, Event("disk_forbidden", {**path, "what": error.strerror or str(error)}))
        return
    if free < LEAST_FREE_MB:
        yield Finding("disk", False, Event("disk_full", {**path, "free": free, "least": LEAST_FREE_MB}))
    elif free < GOOD_FREE_MB:
        yield Finding("disk", False, Event("disk_tight", {**path, "free": free}), is_needed=False)
    else:
        yield Finding("disk", True, Event("ok_disk", {**path, "free": free, "ms": round(sync_ms, 1)}))
    if sync_ms > SLOW_SYNC_MS:
        yield Finding("disk", False, Event("disk_slow", {**path, "ms": round(sync_ms)}), is_needed=False)
    if (kind := _kind_of(folder, machine.mounts)) in _VOLATILE:
        yield Finding("disk", False, Event("disk_volatile", {**path, "kind": kind}), is_needed=False)


def _existing(folder: Path) -> Path:
    """The folder itself, or where it would be made."""
    folder = folder.absolute()
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def _sync_ms(folder: Path) -> float:
    """The middle of a few synced writes, as each action of a game is one."""
    taken = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(_SYNCS):
            start = time.monotonic()
            file.write(os.urandom(_SYNC_BYTES))
            file.flush()
            os.fsync(file.fileno())
            taken.append(1000 * (time.monotonic() - start))
    return statistics.median(taken)


def _kind_of(folder: Path, mounts: Path) -> str:
    """The kind of file system a folder is on, empty if unknown."""
    best, kind = -1, ""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        for line in mounts.read_text("utf-8").splitlines():
            _, point, found, *_ = [*line.split(" "), "", "", ""]
            if folder.is_relative_to(point) and len(point) >= best:
                best, kind = len(point), found
    return kind


# --- Network ---


def check_network(machine: Machine) -> Iterator[Finding]:
    """How phones reach this machine. Being its own Wi-Fi is needed only where it was set up."""
    wireless = [name for name in _interfaces(machine) if _is_wireless(machine.interfaces / name)]
    others = [name for name in _interfaces(machine) if name not in wireless and name != "lo"]
    points = [name for name in wireless if machine.is_access_point(name)]
    for name in points:
        yield Finding("wifi", True, Event("ok_hotspot", {"name": name, "address": machine.address_of(name) or "?"}))
    if not points and machine.hotspot.exists():
        yield Finding("wifi", False, Event("hotspot_down"))
    for name in (name for name in wireless if name not in points):
        address = machine.address_of(name)
        code, data = ("ok_wifi", {"name": name, "address": address}) if address else ("wifi_idle", {"name": name})
        yield Finding("wifi", address is not None, Event(code, data), is_needed=False)
    if not wireless:
        yield Finding("wifi", False, Event("no_wifi"), is_needed=False)
    cables = {name: address for name in others if (address := machine.address_of(name))}
    for name, address in cables.items():
        yield Finding("network", True, Event("ok_network", {"name": name, "address": address}))
    if not cables and not any(map(machine.address_of, wireless)):
        yield Finding("network", False, Event("no_network"), is_needed=False)


def _interfaces(machine: Machine) -> list[str]:
    try:
        return sorted(path.name for path in machine.interfaces.iterdir())
    except OSError:
        return []


def _is_wireless(interface: Path) -> bool:
    return (interface / "wireless").exists() or (interface / "phy80211").exists()
