"""Players made of code for `makabana play`: one at a real pseudo-terminal, one within this process."""

from __future__ import annotations

import io
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from companion.cli import main
from companion.games.catalogue import game_named

ROOT = Path(__file__).parents[2]
PROMPT = re.compile(r"\n  [^\n]{3,} > $")
# Opening the terminal makes it the controlling one of a new process group, so that Ctrl-C in it is a signal.
RUN = (
    "import os, signal, sys, companion.cli; os.close(os.open(os.ttyname(0), os.O_RDWR)); "
    "signal.signal(signal.SIGINT, signal.default_int_handler); "  # ignored where tests run in the background
    "sys.exit(companion.cli.main())"
)
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|[\x01\x02]")
PATIENCE_S = 60
MOST_ANSWERS = 2_000

GAME = game_named("makabana")
GAMES = [("2013", 3), ("2013", 4), ("2013", 5), ("2013", 6), ("2013-mao", 4), ("2013-mao", 6), ("2013-teams", 8),
         ("2013-teams", 10), ("2003", 2), ("2003", 3), ("2003", 5), ("2003-mao", 2), ("2003-mao", 4)]  # fmt: skip
ONE_OF_EACH = [("2013", 4), ("2013-mao", 4), ("2013-teams", 8), ("2003", 2), ("2003-mao", 4)]
OPENING = ["alo lag fle", "", "bor lag poi"]  # with seed 1 both sites are free

Policy = Callable[[str], str]


def plain(text: str) -> str:
    return ESCAPES.sub("", text).replace("\r\n", "\n")


def from_menus(rng: random.Random) -> Policy:
    """Presses Enter for ideas, then picks one by its number, as a newcomer would."""

    def answer(asked: str) -> str:
        numbers = re.findall(r"(?:^|  ) *([0-9]+)  \S", asked.rpartition("\n\n")[0].rpartition(" > ")[2], re.MULTILINE)
        return rng.choice(numbers) if numbers else ""

    return answer


class GoneError(Exception):
    """The program has ended and can't be asked any more."""


class AtTerminal:
    """`makabana play` at a pseudo-terminal of 80 by 24."""

    def __init__(self, *args: str, cwd: Path, **env: str) -> None:
        self._here, there = pty.openpty()
        settings = {"LANG": "C.UTF-8", "TERM": "dumb", "COLUMNS": "80", "PYTHONPATH": str(ROOT), **env}
        command = [sys.executable, "-c", RUN, "play", "--terminal", "--pause", "0", "--lang", "en", *args]
        self._process = subprocess.Popen(
            command, stdin=there, stdout=there, stderr=there, cwd=cwd, env={**os.environ, **settings},
            start_new_session=True,
        )  # fmt: skip
        os.close(there)
        self.output, self.raw, self._answered = "", "", 0

    def __enter__(self) -> AtTerminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._here)

    def asked(self) -> str:
        """All that was printed since the last answer, once the program waits for the next. Raises `GoneError`."""
        while not PROMPT.search(self.output[self._answered :]):
            ready, _, _ = select.select([self._here], [], [], PATIENCE_S)
            assert ready, f"no prompt for {PATIENCE_S} s after: {self.output[-2000:]}"
            try:
                data = os.read(self._here, 65536)
            except OSError:  # how a pseudo-terminal says that its other side was closed
                data = b""
            if not data:
                raise GoneError
            self.raw += data.decode("utf-8", "replace")
            self.output = plain(self.raw)
        return self.output[self._answered :]

    def answer(self, text: str, end: str = "\n") -> None:
        self._answered = len(self.output)
        os.write(self._here, (text + end).encode())

    def play(self, policy: Policy, most: int = MOST_ANSWERS) -> int:
        """Answers until the program ends, and gives its exit code."""
        try:
            for _ in range(most):
                self.answer(policy(self.asked()))
        except GoneError:
            return self.wait()
        raise AssertionError(f"the game has not ended after {most} answers")

    def wait(self) -> int:
        try:
            while True:
                self.asked()
                self._answered = len(self.output)
        except GoneError:
            return self._process.wait(PATIENCE_S)

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(PATIENCE_S)


class _Answers(io.StringIO):
    """A standard input that is written while it is read, knowing what has been printed so far."""

    def __init__(self, policy: Policy, printed: io.StringIO) -> None:
        super().__init__()
        self._policy, self._printed, self._seen, self._count = policy, printed, 0, 0

    def readline(self, *_: object) -> str:  # type: ignore[override]
        text, self._count = self._printed.getvalue(), self._count + 1
        assert self._count <= MOST_ANSWERS, f"the game has not ended after {MOST_ANSWERS} answers"
        asked, self._seen = text[self._seen :], len(text)
        return self._policy(asked)


def play_here(monkeypatch, policy: Policy | Iterable[str], *args: str, lang: str = "en") -> tuple[int, str]:
    """A game within this process: its exit code and all that it printed. Lines that run out are an end of file."""
    printed = io.StringIO()
    if callable(policy):
        answers: io.StringIO = _Answers(lambda asked: policy(asked) + "\n", printed)
        first = ["\n"]  # the program looks for a first line before it prints anything
        answers.readline = _after(first, answers.readline)  # type: ignore[method-assign]
    else:
        answers = io.StringIO("".join(f"{line}\n" for line in policy))
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", answers)
        patch.setattr(sys, "stdout", printed)
        code = main(["play", "--terminal", "--lang", lang, *args])
    return code, printed.getvalue()


def _after(first: list[str], then: Callable[..., str]) -> Callable[..., str]:
    def readline(*args: object) -> str:
        return first.pop() if first else then(*args)

    return readline


def script(monkeypatch, *lines: str, args: tuple[str, ...] = ("--seed", "1"), lang: str = "en") -> str:
    code, printed = play_here(monkeypatch, lines, *args, lang=lang)
    assert code == 0
    return printed


def after(printed: str, typed: str) -> str:
    """What was printed after a line was typed."""
    return printed.partition(f"> {typed}\n")[2]


def unwrapped(text: str) -> str:
    return " ".join(text.split())
