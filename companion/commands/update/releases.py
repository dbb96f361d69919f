"""Releases side by side, and which of them is in use.

    releases/0.3.0-1a2b3c4d/   a release: its own venv, and the file `complete` once all of it is on the disk
    current -> releases/...    the one in use; replaced in one step, so that there is always one
    previous -> releases/...   the one to go back to
    pending                    the name to go back to, while nobody has seen `current` come up

Power may fail between any two steps: `current` leads to a complete release before, during and after.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from companion.commands.update.texts import UpdateError

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,120}")
_COMPLETE, _LOCK = "complete", "update.lock"


class Site(NamedTuple):
    """Where releases and games are on this machine."""

    prefix: Path
    data: Path

    @property
    def releases(self) -> Path:
        return self.prefix / "releases"

    def release(self, name: str) -> Path:
        return self.releases / name

    def program(self, name: str) -> Path:
        return self.release(name) / "venv" / "bin" / "makabana"

    @property
    def current(self) -> str | None:
        """The release in use."""
        return self._linked("current")

    @property
    def previous(self) -> str | None:
        """The release to go back to."""
        return self._linked("previous")

    @property
    def pending(self) -> str | None:
        """The release to go back to if the current one never comes up."""
        try:
            name = (self.prefix / "pending").read_text("utf-8")[:200].strip()
        except (OSError, UnicodeDecodeError):
            return None
        return name if self.is_complete(name) else None

    def is_complete(self, name: str) -> bool:
        return NAME.fullmatch(name) is not None and (self.release(name) / _COMPLETE).is_file()

    def _linked(self, link: str) -> str | None:
        try:
            name = (self.prefix / link).readlink().name
        except OSError:
            return None
        return name if self.is_complete(name) else None


class Before(NamedTuple):
    """What was in use, and what was to go back to, before a switch."""

    current: str | None
    previous: str | None


@contextmanager
def only_one(site: Site) -> Iterator[int]:
    """Holds the site for one update, and gives the lock's number for whoever works for it. Raises `UpdateError`."""
    try:
        site.releases.mkdir(parents=True, exist_ok=True)
        lock = os.open(site.prefix / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise UpdateError("need_rights", path=site.prefix, what=error.strerror or error) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise UpdateError("update_running", path=site.prefix) from None
    try:
        yield lock
    finally:
        os.close(lock)


def finish(site: Site, name: str) -> None:
    """Marks a release complete, once every file of it is on the disk."""
    os.sync()  # thousands of files; one by one would take a slow card minutes
    _write(site.release(name) / _COMPLETE, f"{name}\n")


def put_to_use(site: Site, name: str) -> None:
    """Makes a complete release the current one, with the way back laid before."""
    before = site.current
    if before is not None and before != name:
        _link(site.prefix / "previous", before)
        _write(site.prefix / "pending", f"{before}\n")
    _link(site.prefix / "current", name)


def restore(site: Site, before: Before) -> None:
    """Undoes a switch. The release that did not come up is nothing to go back to."""
    if before.current is not None:
        _link(site.prefix / "current", before.current)
    if before.previous is not None:
        _link(site.prefix / "previous", before.previous)
    settle(site)


def settle(site: Site) -> None:
    """The current release has come up: there is nothing to take back."""
    with suppress(FileNotFoundError):
        (site.prefix / "pending").unlink()
    _sync(site.prefix)


def clear(site: Site) -> None:
    """Removes what broken-off updates have left, and releases that nobody would go back to."""
    kept = {site.current, site.previous, site.pending}
    for folder in [*site.releases.iterdir()]:
        if folder.name not in kept:
            remove(folder)
    for link in site.prefix.glob(".*.new"):
        link.unlink(missing_ok=True)


def remove(folder: Path) -> None:
    """Removes a release; from the first moment on it is no longer a complete one."""
    (folder / _COMPLETE).unlink(missing_ok=True)
    if folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder, ignore_errors=True)
    else:
        folder.unlink(missing_ok=True)


def _link(link: Path, name: str) -> None:
    fresh = link.with_name(f".{link.name}.new")
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(Path("releases") / name)
    fresh.replace(link)
    _sync(link.parent)


def _write(path: Path, text: str) -> None:
    fresh = path.with_name(f".{path.name}.new")
    with fresh.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    _sync(path.parent)


def _sync(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
