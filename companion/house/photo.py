"""Photographs to score: each is a job that is read in another process, corrected by taps, and scored with reasons."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from queue import Full, Queue
from threading import Lock, Thread, Timer
from typing import Any

from companion.games.protocol import Event, Json, Refusal
from companion.house.photo_score import Board, Sheet, board_found, corrected, merged
from companion.house.surfaces import is_surface
from companion.table.entries import Answer, Command
from web.services import PhotoBoard

MOST_JOBS = 80  # remembered; the oldest are forgotten first
MOST_WAITING = 6
LONGEST_S = 40.0  # for one photo, a Pi Zero included
MOST_KEYS = 300
_VERBS = ("put", "players", "rules", "tell")


class PhotoJob:
    """One score in the making: photographs of one or more boards, and what people said about them."""

    def __init__(self) -> None:
        self.listeners: list[Callable[[int], None]] = []
        self.version = 1
        self._lock = Lock()
        self._state, self._step = "waiting", ""
        self._problem: Event | None = None
        self._sheet = Sheet()
        self._answers: OrderedDict[str, Answer] = OrderedDict()

    def do(self, command: Command) -> Answer:
        """Corrections are absolute, so an older version on the phone's screen does no harm."""
        with self._lock:
            if (known := self._answers.get(command.key)) is not None:
                return known
            answer = self._done(command)
            self._answers[command.key] = answer
            while len(self._answers) > MOST_KEYS:
                self._answers.popitem(last=False)
        if answer.accepted:
            self._tell()
        return answer

    def _done(self, command: Command) -> Answer:
        if command.do not in _VERBS or self._state != "ready":
            return Answer(self.version, Refusal("photo_not_ready"))
        sheet = corrected(self._sheet, command.do, command.args)
        if isinstance(sheet, Refusal):
            return Answer(self.version, sheet)
        self._sheet = sheet
        self.version += 1
        return Answer(self.version)

    def snapshot(self, language: str) -> dict[str, Json]:
        from companion.house.photo_texts import problem_text

        with self._lock:
            problem = self._problem and {"code": self._problem.code, "text": problem_text(self._problem, language)}
            head = {"version": self.version, "state": self._state, "step": self._step, "problem": problem}
            sheet = self._sheet
        return {**head, **sheet.to_json(language)}

    def board(self) -> PhotoBoard | None:
        with self._lock:
            return board_found(self._sheet) if self._sheet.boards else None

    def say(self, state: str, step: str = "", problem: Event | None = None) -> None:
        """The reader's progress."""
        with self._lock:
            # A second photo that fails leaves the board of the first one as it was.
            self._state = "ready" if state == "failed" and self._sheet.boards else state
            self._step, self._problem = step, problem
            self.version += 1
        self._tell()

    def add(self, board: Board) -> None:
        with self._lock:
            self._sheet = merged(self._sheet, board)
            self._state, self._step, self._problem = "ready", "", None
            self.version += 1
        self._tell()

    def _tell(self) -> None:
        for listener in self.listeners:
            listener(self.version)


class PhotoDesk:
    """Keeps the jobs and feeds the one reading process, which starts with the first photo and may be stopped."""

    def __init__(self, command: Sequence[str] | None = None, longest_s: float = LONGEST_S) -> None:
        self._command = command or (sys.executable, "-m", "companion.house.photo_worker")
        self._longest_s = longest_s
        self._jobs: OrderedDict[str, PhotoJob] = OrderedDict()
        self._queue: Queue[tuple[PhotoJob, bytes, Sequence[str]] | None] = Queue(MOST_WAITING)
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()
        self._thread = Thread(target=self._work, name="photo desk", daemon=True)
        self._thread.start()

    def start(self, photo: bytes, boards: Sequence[str], into: str | None = None) -> str | None:
        """Begins to read a photo, for a new job or into an old one. None: too many wait, or there is no such job."""
        wanted = [board for board in boards if is_surface(board)]
        name = into or secrets.token_urlsafe(18)
        job = self.job(name) if into else PhotoJob()
        if job is None:
            return None
        try:
            self._queue.put_nowait((job, photo, wanted))
        except Full:
            return None
        with self._lock:
            self._jobs[name] = job
            while len(self._jobs) > MOST_JOBS:
                self._jobs.popitem(last=False)
        return name

    def job(self, name: str) -> PhotoJob | None:
        with self._lock:
            return self._jobs.get(name)

    def close(self) -> None:
        """Ends the reading process. May be called twice."""
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()
        self._stop()

    def _work(self) -> None:
        while (task := self._queue.get()) is not None:
            job, photo, boards = task
            job.say("reading", "opening")
            answer = self._ask(job, photo, boards)
            if "reading" in answer:
                job.add(Board.from_reading(answer["reading"]))
            else:
                job.say("failed", problem=Event(answer["problem"]["code"], answer["problem"]["data"]))

    def _ask(self, job: PhotoJob, photo: bytes, boards: Sequence[str]) -> Mapping[str, Any]:
        """What the reading process says. One that takes too long is ended, and the next photo gets a new one."""
        process = self._ready_process()
        assert process.stdin is not None  # both are pipes
        assert process.stdout is not None
        patience = Timer(self._longest_s, process.kill)
        patience.daemon = True
        patience.start()
        try:
            process.stdin.write(json.dumps({"bytes": len(photo), "boards": list(boards)}).encode() + b"\n" + photo)
            process.stdin.flush()
            for line in process.stdout:
                message: dict[str, Any] = json.loads(line)
                if "step" not in message:
                    return message
                job.say("reading", message["step"])
        except (BrokenPipeError, json.JSONDecodeError):
            pass  # it died in mid-sentence, which the last line tells
        finally:
            patience.cancel()
        self._stop()
        return {"problem": {"code": "photo_reader_died", "data": {"seconds": round(self._longest_s)}}}

    def _ready_process(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._stop()
            self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self._process

    def _stop(self) -> None:
        if self._process is None:
            return
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue  # what was still to be sent has nobody to read it
        self._process.wait()
        self._process = None
