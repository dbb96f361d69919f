"""A new release shows what it can before it is put to use: its version, its own check, an evening on a copy."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import Any

from companion.commands.update.building import last_words
from companion.commands.update.releases import Site
from companion.commands.update.source import Source
from companion.commands.update.texts import UpdateError

SERVICE_USER = "makabana"
TABLE_FILE = Path("/etc/makabana/table.toml")
STORE = "tables.db"
_PREFIX = "trial-"
_ANSWER_S, _UP_S, _DOWN_S, _ASK_S = 120.0, 180.0, 30.0, 0.2


def try_out(site: Site, source: Source, table: Path = TABLE_FILE) -> None:
    """Raises `UpdateError` if the release is not fit to be used. Games are only ever copied."""
    program = site.program(source.name)
    said = _answer(program, ["--version"]).stdout.strip()
    if said.split()[-1:] != [source.version]:
        raise UpdateError("trial_version", name=source.name, said=said[:80] or "?", version=source.version)
    _ask_doctor(program, source, table)
    with _copied_games(site) as folder:
        _open_house(program, source, folder)


def _ask_doctor(program: Path, source: Source, table: Path) -> None:
    words = [str(table)] if table.is_file() else []
    done = _answer(program, ["--lang", "en", "doctor", "--quick", "--json", *words])
    try:
        findings = json.loads(done.stdout)
        amiss = [one["text"] for one in findings if one["needed"] and not one["fine"]]
    except (ValueError, TypeError, KeyError):
        amiss = [last_words(done.stderr or done.stdout)]
    if amiss:
        raise UpdateError("trial_doctor", name=source.name, what=" ".join(amiss)[:400])


def _answer(program: Path, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    command = [str(program), *words]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=_ANSWER_S, check=False, cwd="/")
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(command, 1, "", str(error))


# --- An evening on a copy ---


@contextmanager
def _copied_games(site: Site) -> Iterator[Path]:
    """A folder with a copy of the games as they are now, even while they are played."""
    for left in site.data.glob(f"{_PREFIX}*"):
        shutil.rmtree(left, ignore_errors=True)
    try:
        site.data.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=site.data))
    except OSError as error:
        raise UpdateError("trial_store", path=site.data, what=error.strerror or error) from None
    try:
        _copy_store(site.data / STORE, folder / STORE)
        _give(folder)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _copy_store(store: Path, target: Path) -> None:
    if not store.is_file():
        return
    try:
        games = sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True, timeout=10)
        with closing(games), closing(sqlite3.connect(target)) as copied:
            games.backup(copied)
    except sqlite3.Error as error:
        raise UpdateError("trial_store", path=store, what=error) from None


def _give(folder: Path) -> None:
    """The trial runs as the service does, not as root."""
    user = _service_user()
    if user is not None:
        for path in (folder, *folder.iterdir()):
            os.chown(path, user.pw_uid, user.pw_gid)


def _service_user() -> pwd.struct_passwd | None:
    if os.getuid() != 0:
        return None
    try:
        return pwd.getpwnam(SERVICE_USER)
    except KeyError:
        return None


def _open_house(program: Path, source: Source, folder: Path) -> None:
    port = _free_port()
    words = ["play", "--no-browser", "--host", "127.0.0.1", "--port", str(port), "--data", str(folder)]
    with (folder / "trial.log").open("w+") as log, _started([str(program), *words], folder, log) as process:
        if not _answers(process, port):
            process.kill()
            process.wait()
            log.seek(0)
            raise UpdateError("trial_play", name=source.name, what=last_words(log.read(100_000)))
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(_DOWN_S)
        except subprocess.TimeoutExpired:
            raise UpdateError("trial_play", name=source.name, what=f"SIGTERM: > {_DOWN_S:.0f} s") from None


@contextmanager
def _started(command: Sequence[str], folder: Path, log: Any) -> Iterator[subprocess.Popen[bytes]]:
    user = _service_user()
    identity: dict[str, Any] = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}
    # Not the service's own channel: this evening must not pass for the real one.
    private = ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "PYTHONPATH")
    environment = {key: value for key, value in os.environ.items() if key not in private} | {"HOME": str(folder)}
    process = subprocess.Popen(
        command, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **identity
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def _answers(process: subprocess.Popen[bytes], port: int) -> bool:
    deadline = time.monotonic() + _UP_S
    while process.poll() is None and time.monotonic() < deadline:
        if _is_healthy(port):
            return True
        time.sleep(_ASK_S)
    return False


def _is_healthy(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/health", timeout=5) as answer:
            return json.loads(answer.read(10_000)).get("ok") is True
    except (OSError, ValueError, HTTPException):
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
