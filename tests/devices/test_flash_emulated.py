"""`makabana flash` with the real mpremote on an emulated RP2040 that runs a real RP2 build of MicroPython.

The emulator is about 25 times slower than a Pico, so the firmware here is one small file; the whole takes a minute.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import cli
from companion.devices import flashing
from tests.devices.support import until

UF2 = os.environ.get("MICROPYTHON_UF2", "")
serial = pytest.importorskip("serial", reason="needs pyserial (extra devices)")
pytest.importorskip("rp2040py", reason="needs rp2040py")
pytest.importorskip("mpremote", reason="needs mpremote")
pytestmark = pytest.mark.skipif(not Path(UF2).is_file(), reason="MICROPYTHON_UF2 does not name a MicroPython build")

MAIN = 'import json\nwith open("config.json") as file:\n    print("I am", json.load(file)["node"])\n'


@pytest.fixture
def port(tmp_path: Path) -> Iterator[str]:
    log = tmp_path / "log"
    command = [sys.executable, "-m", "rp2040py", "micropython", "--pty", "--image", UF2]
    with log.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL) as process:
        try:
            until(lambda: re.search(r"/dev/pts/\d+", log.read_text("utf-8")), log.read_text, patience_s=60)
            yield re.search(r"/dev/pts/\d+", log.read_text("utf-8"))[0]  # type: ignore[index]
        finally:
            process.terminate()


def test_a_flashed_board_runs_our_files_with_its_own_config(
    port: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "firmware").mkdir()
    (tmp_path / "firmware" / "main.py").write_text(MAIN)
    (tmp_path / "firmware" / "manifest.py").write_text("not for the board")
    config = tmp_path / "config.json"
    config.write_text('{"node": "tray-blue"}')
    monkeypatch.setattr("companion.commands.flash.firmware_folder", lambda: tmp_path / "firmware")
    monkeypatch.setattr(flashing, "STOP_S", 0.5)
    assert cli.main(["--lang", "en", "flash", port, "--config", str(config)]) == 0, capsys.readouterr().err
    heard = b""
    with serial.Serial(port, timeout=0.5) as line:

        def is_up() -> bool:
            nonlocal heard
            heard += line.read(256)
            if b"I am tray-blue" in heard:
                return True
            line.write(b"\x04")  # at the prompt that starts main.py again, should its first words have passed unheard
            return False

        until(is_up, lambda: heard, patience_s=60)
