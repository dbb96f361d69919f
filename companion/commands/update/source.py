"""Where a new version comes from: a checkout of the project, or a wheel file. Never an address."""

from __future__ import annotations

import hashlib
import os
import pwd
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from companion.commands.update.texts import UpdateError

PARTS = ("pyproject.toml", "constraints.txt", "README.md", "LICENSE", "companion", "firmware", "vision", "web")
MOST_MB = 300
_VERSION = re.compile(r'^__version__ = "([A-Za-z0-9.+]{1,40})"$', re.MULTILINE)
_WHEEL = re.compile(r"makabana_companion-([A-Za-z0-9.+]{1,40})-py3-none-any\.whl")
_REMEMBERED = "source"
_GIT_S = 180.0


class Source(NamedTuple):
    """Something that can be installed. `print` is the fingerprint of what is in it."""

    path: Path
    is_wheel: bool
    version: str
    print: str

    @property
    def name(self) -> str:
        """The release's name: the same for the same content."""
        return f"{self.version}-{self.print[:8]}"


def source_at(path: Path) -> Source:
    """What lies at a path. Raises `UpdateError` if that is nothing of ours."""
    if not path.exists():
        raise UpdateError("source_missing", path=path)
    try:
        return _checkout(path) if path.is_dir() else _wheel(path)
    except OSError as error:
        raise UpdateError("source_not_ours", path=path, what=error.strerror or error) from None


def _wheel(path: Path) -> Source:
    found = _WHEEL.fullmatch(path.name)
    if found is None:
        raise UpdateError("source_not_ours", path=path, what="makabana_companion-VERSION-py3-none-any.whl")
    if path.stat().st_size > MOST_MB * 1_000_000:
        raise UpdateError("source_too_large", path=path, most=MOST_MB)
    return Source(path, True, found[1], hashlib.sha256(path.read_bytes()).hexdigest())


def _checkout(path: Path) -> Source:
    try:
        found = _VERSION.search((path / "companion" / "__init__.py").read_text("utf-8")[:20_000])
    except UnicodeDecodeError:
        found = None
    if found is None or not (path / "pyproject.toml").is_file():
        raise UpdateError("source_not_ours", path=path, what="companion/__init__.py: __version__")
    return Source(path, False, found[1], fingerprint(path))


def fingerprint(folder: Path) -> str:
    """Of everything in a checkout that is installed."""
    whole, size = hashlib.sha256(), 0
    for name, file in _files(folder):
        content = file.read_bytes()
        size += len(content)
        if size > MOST_MB * 1_000_000:
            raise UpdateError("source_too_large", path=folder, most=MOST_MB)
        whole.update(f"{name}\0{len(content)}\0".encode() + content)
    return whole.hexdigest()


def copy(source: Source, target: Path) -> None:
    """Copies a checkout's parts, so that building leaves no traces in it. Raises `UpdateError` if it changed."""
    for name, file in _files(source.path):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target / name)
    if fingerprint(target) != source.print:
        raise UpdateError("source_changed", path=source.path)


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for part in PARTS:
        top = folder / part
        inner = sorted(top.rglob("*")) if top.is_dir() else [top]
        for file in inner:
            if file.is_file() and not file.is_symlink() and "__pycache__" not in file.parts and file.suffix != ".pyc":
                yield file.relative_to(folder).as_posix(), file


# --- The checkout that was used before ---


def remember(prefix: Path, source: Source) -> None:
    """Later updates come from this checkout; a wheel is not asked twice."""
    if not source.is_wheel:
        (prefix / _REMEMBERED).write_text(f"{source.path.resolve()}\n", "utf-8")


def remembered(prefix: Path) -> Path:
    """The checkout of the last installation. Raises `UpdateError` if there is none."""
    try:
        return Path((prefix / _REMEMBERED).read_text("utf-8").strip() or "/nowhere")
    except (OSError, UnicodeDecodeError):
        raise UpdateError("no_source") from None


def pull(checkout: Path) -> None:
    """Brings a checkout up to date from the remote it follows, if it does. Raises `UpdateError`."""
    if _has_upstream(checkout):
        _git(checkout, "pull", "--ff-only", "--quiet")


def waiting(checkout: Path) -> int:
    """How many changes the remote has that the checkout has not. Raises `UpdateError`."""
    if not _has_upstream(checkout):
        return 0
    _git(checkout, "fetch", "--quiet")
    return int(_git(checkout, "rev-list", "--count", "HEAD..@{upstream}") or "0")


def _has_upstream(checkout: Path) -> bool:
    if not (checkout / ".git").exists():
        return False
    try:
        return bool(_git(checkout, "rev-parse", "--abbrev-ref", "@{upstream}"))
    except UpdateError:
        return False


def _git(checkout: Path, *words: str) -> str:
    """What git answers. It runs as the checkout's owner: with root's rights it would refuse, and rightly."""
    owner = checkout.stat()
    identity = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []} if os.getuid() == 0 else {}
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "HOME": _home(owner.st_uid), "LC_ALL": "C"}
    command = ["git", "-C", str(checkout), *words]
    try:
        done = subprocess.run(  # type: ignore[call-overload]
            command, env=environment, capture_output=True, text=True, timeout=_GIT_S, check=False, **identity
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UpdateError("git_failed", path=checkout, what=error) from None
    if done.returncode:
        raise UpdateError("git_failed", path=checkout, what=(done.stderr.strip().splitlines() or ["?"])[-1][:300])
    return str(done.stdout).strip()


def _home(user: int) -> str:
    """Where a user keeps the keys for a remote."""
    try:
        return pwd.getpwuid(user).pw_dir
    except KeyError:
        return "/"
