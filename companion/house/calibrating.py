"""Calibrating a table's cameras from a browser: a look at the newest picture, and keeping what the look found.

The looking is done by a process of its own (`calibration_worker.py`), which ends when nobody has asked for a while.
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Sequence
from threading import Lock, Thread, Timer
from typing import Any, NamedTuple

from companion.devices.findings import Finding
from companion.games.protocol import Event
from companion.house.picture_quality import judge_quality

LONGEST_S = 40.0  # for one look, a Pi included
IDLE_S = 60.0  # then the process goes


class Look(NamedTuple):
    """What one look at a board found. Without `calibration`, `findings` say why there is none."""

    board: str
    number: int
    findings: tuple[Finding, ...]
    colours: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    doubts: int = 0  # places that are not sure even so
    calibration: str | None = None
    picture: bytes | None = None  # JPEG, with what was read drawn onto it


class Calibrating:
    """Looks by table. `look` returns at once; the newest result is there when it is there."""

    def __init__(self, command: Sequence[str] | None = None, longest_s: float = LONGEST_S) -> None:
        self._command = command or (sys.executable, "-m", "companion.house.calibration_worker")
        self._longest_s = longest_s
        self._looks: dict[str, Look] = {}
        self._looking: set[str] = set()
        self._lock, self._turn = Lock(), Lock()  # of the results; of the process
        self._process: subprocess.Popen[bytes] | None = None
        self._idle: Timer | None = None

    def look(self, table_id: str, board: str, jpeg: bytes) -> None:
        """Begins to look, unless a look at this table is under way."""
        with self._lock:
            if table_id in self._looking:
                return
            self._looking.add(table_id)
        Thread(target=self._work, args=(table_id, board, jpeg), name="calibration", daemon=True).start()

    def latest(self, table_id: str) -> Look | None:
        with self._lock:
            return self._looks.get(table_id)

    def is_looking(self, table_id: str) -> bool:
        with self._lock:
            return table_id in self._looking

    def close(self) -> None:
        """Ends the process. May be called twice."""
        with self._turn:
            self._stop()

    def _work(self, table_id: str, board: str, jpeg: bytes) -> None:
        with self._turn:
            answer = self._ask(board, jpeg)
        with self._lock:
            last = self._looks.get(table_id)
            self._looks[table_id] = _look_of(board, last.number + 1 if last else 1, answer)
            self._looking.discard(table_id)

    def _ask(self, board: str, jpeg: bytes) -> dict[str, Any]:
        process = self._ready_process()
        assert process.stdin is not None  # both are pipes
        assert process.stdout is not None
        patience = Timer(self._longest_s, process.kill)
        patience.daemon = True
        patience.start()
        try:
            process.stdin.write(json.dumps({"bytes": len(jpeg), "board": board}).encode() + b"\n" + jpeg)
            process.stdin.flush()
            answer: dict[str, Any] = json.loads(process.stdout.readline())
            return answer
        except (OSError, json.JSONDecodeError):  # it died, or was ended for taking too long
            self._stop()
            return {"problem": {"code": "look_failed", "data": {"seconds": round(self._longest_s)}}}
        finally:
            patience.cancel()

    def _ready_process(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._stop()
            self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if self._idle is not None:
            self._idle.cancel()
        self._idle = Timer(IDLE_S + self._longest_s, self.close)
        self._idle.daemon = True
        self._idle.start()
        return self._process

    def _stop(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        process, self._process, self._idle = self._process, None, None
        if process is not None:
            process.kill()
            process.communicate()


def _look_of(board: str, number: int, answer: dict[str, Any]) -> Look:
    if "problem" in answer:
        problem = Event(answer["problem"]["code"], answer["problem"]["data"])
        return Look(board, number, (Finding("board", False, problem),))
    found, of = answer["markers"]
    seen = Finding("board", True, Event("ok_board_seen", {"board": board, "markers": found, "all": of}))
    return Look(
        board,
        number,
        (seen, *judge_quality(answer["quality"])),
        tuple(answer["colours"]),
        tuple(answer["missing"]),
        answer["doubts"],
        answer["calibration"],
        base64.b64decode(answer["picture"]),
    )
