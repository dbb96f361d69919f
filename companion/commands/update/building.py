"""Installs a version beside the others, in a venv of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from companion.commands.update.releases import Site, finish, remove
from companion.commands.update.source import Source, copy
from companion.commands.update.texts import UpdateError
from companion.games.protocol import Event

EXTRAS = "vision,devices,web"
LEAST_FREE_MB = 700  # OpenCV and its kin take most of it
_STEP_S = 3600.0  # a Zero 2 W on a slow network takes its time
_FROM_SYSTEM = ("picamera2", "lgpio")  # what a Pi's system has and no registry does


class Builder(NamedTuple):
    """How to install. `lock` is held by whatever is started, so that nothing outlives an update unseen."""

    site: Site
    lock: int
    wheels: Path | None = None  # take packages from this folder alone
    least_free_mb: int = LEAST_FREE_MB

    def build(self, source: Source) -> list[Event]:
        """Installs a source as a complete release, and returns what is worth telling. Raises `UpdateError`."""
        self._check_disk()
        folder = self.site.release(source.name)
        remove(folder)
        folder.mkdir()
        try:
            notes = self._install(source, folder)
            finish(self.site, source.name)
        except OSError as error:
            remove(folder)
            raise UpdateError("install_failed", step=error.filename or "?", what=error.strerror or error) from None
        except BaseException:  # Ctrl-C too: nothing half-made stays
            remove(folder)
            raise
        return notes

    def _install(self, source: Source, folder: Path) -> list[Event]:
        constraints = self._constraints(source)
        python = self._make_venv(folder / "venv")
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet"]
        pip += ["--no-index", "--find-links", str(self.wheels)] if self.wheels else []
        pinned = [*pip]
        if constraints is not None:
            shutil.copyfile(constraints, folder / "constraints.txt")
            pinned += ["--constraint", str(folder / "constraints.txt")]
        if source.is_wheel:
            self._run("pip", [*pinned, f"{source.path.resolve()}[{EXTRAS}]"])
        else:
            copy(source, folder / "source")
            self._run("pip", [*pinned, "setuptools"])
            # Without build isolation, because pip would fetch an unpinned setuptools for it.
            self._run("pip", [*pinned, "--no-build-isolation", f"{folder / 'source'}[{EXTRAS}]"])
            shutil.rmtree(folder / "source")
        return self._fit_camera(python, pip)

    def _constraints(self, source: Source) -> Path | None:
        """The versions to install: the source's own, else those of the release in use."""
        beside = (source.path.parent if source.is_wheel else source.path) / "constraints.txt"
        in_use = self.site.release(self.site.current or "-") / "constraints.txt"
        return next((path for path in (beside, in_use) if path.is_file()), None)

    def _make_venv(self, folder: Path) -> Path:
        base = Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
        words = ["--system-site-packages"] if _system_has(base) else []
        self._run("venv", [str(base), "-m", "venv", *words, str(folder)])
        return folder / "bin" / "python"

    def _fit_camera(self, python: Path, pip: Sequence[str]) -> list[Event]:
        """The system's picamera2 comes with a simplejpeg for numpy 1, which ours is not: a newer one goes before it."""
        if not _has_module(python, "picamera2"):
            return []
        try:
            self._run("pip", [*pip, "--force-reinstall", "--no-deps", "simplejpeg"])
        except UpdateError as error:
            return [Event("jpeg_not_renewed", {"what": error.event.data.get("what", error.event.code)})]
        return []

    def _run(self, step: str, command: Sequence[str]) -> None:
        environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
        try:
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, timeout=_STEP_S, check=False,
                pass_fds=(self.lock,), errors="replace", cwd="/",
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise UpdateError("install_timeout", step=step, seconds=round(_STEP_S)) from None
        if done.returncode:
            if "ensurepip" in done.stdout + done.stderr:
                raise UpdateError("no_venv")
            raise UpdateError("install_failed", step=step, what=last_words(done.stderr or done.stdout))

    def _check_disk(self) -> None:
        free = shutil.disk_usage(self.site.releases).free // 1_000_000
        if free < self.least_free_mb:
            raise UpdateError("disk_full", path=self.site.releases, free=free, least=self.least_free_mb)


def last_words(text: str) -> str:
    """The line that most likely says what went wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    return (errors or lines or ["?"])[-1][:300]


def _system_has(python: Path) -> bool:
    return any(_has_module(python, module) for module in _FROM_SYSTEM)


def _has_module(python: Path, module: str) -> bool:
    question = f"import sys, importlib.util; sys.exit(importlib.util.find_spec({module!r}) is None)"
    return subprocess.run([str(python), "-I", "-c", question], check=False, timeout=60).returncode == 0
