"""The house as a systemd service: restart it, and see whether it stays up."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from typing import NamedTuple

UNIT = "makabana.service"
_RESTART_S, _ASK_S = 300.0, 20.0
_RUNNING = ("active", "activating", "reloading", "failed")


class Service(NamedTuple):
    """`wait` and `now` are the world's clock; a test passes its own."""

    unit: str = UNIT
    wait: Callable[[float], None] = time.sleep
    now: Callable[[], float] = time.monotonic

    @property
    def is_wanted(self) -> bool:
        """Whether it runs or ought to. Stopped by hand, or without systemd, it is not."""
        return self._state().get("ActiveState", "") in _RUNNING

    def restart(self) -> str:
        """Restarts it and returns what went wrong, or nothing. systemd waits until the house says it is ready."""
        _systemctl("reset-failed", self.unit)  # earlier failures must not count against this start
        return _systemctl("restart", self.unit, timeout_s=_RESTART_S)[1]

    def watch(self, seconds: float) -> str:
        """Returns why it is not well within this time, or nothing if it stays up."""
        first = self._state()
        deadline = self.now() + seconds
        while True:
            state = self._state()
            if state.get("ActiveState") != "active":
                return f"{self.unit}: {state.get('ActiveState') or 'unknown'} {state.get('Result', '')}".strip()
            if state.get("MainPID") != first.get("MainPID") or state.get("NRestarts") != first.get("NRestarts"):
                return f"{self.unit}: restarted {state.get('NRestarts')}"
            if self.now() >= deadline:
                return ""
            self.wait(min(1.0, seconds))

    def _state(self) -> dict[str, str]:
        output, problem = _systemctl("show", self.unit, "--property=ActiveState,Result,MainPID,NRestarts")
        return {} if problem else dict(line.split("=", 1) for line in output.splitlines() if "=" in line)


def _systemctl(*words: str, timeout_s: float = _ASK_S) -> tuple[str, str]:
    """What systemctl prints, and what went wrong if something did."""
    try:
        done = subprocess.run(
            ["systemctl", *words], capture_output=True, text=True, timeout=timeout_s, check=False, errors="replace"
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return "", str(error)[:200]
    return done.stdout, ((done.stderr.strip().splitlines() or ["?"])[0][:200] if done.returncode else "")
