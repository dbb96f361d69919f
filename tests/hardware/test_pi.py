"""The Pi's scripts and units, as far as they can be tried without a Pi. `test_pi_root.py` installs for real."""

import configparser
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.devices.support import free_port

ROOT = Path(__file__).parents[2]
PI = ROOT / "hardware" / "pi"
UNITS = sorted((PI / "systemd").glob("*.service"))
SCRIPTS = sorted(PI.glob("*.sh"))


def sh(script: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(PI / script), *words], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


# --- install.sh ---


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_script_is_sound_shell_that_can_be_run(script: Path) -> None:
    assert os.access(script, os.X_OK)
    subprocess.run(["sh", "-n", script], check=True)
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not installed, so only the syntax was looked at")
    subprocess.run(["shellcheck", script], check=True)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_script_explains_itself(script: Path) -> None:
    done = sh(script.name, "--help")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) >= 3
    assert "#!" not in done.stdout


def test_a_dry_run_says_everything_and_does_nothing() -> None:
    if shutil.which("apt-get") is None:
        pytest.skip("this is no Debian")
    done = sh("install.sh", "--dry-run", "--hotspot", "--kit", "trays")
    assert done.returncode == 0, done.stderr
    for part in ("useradd", "companion.cli update", "--kit trays", "makabana.service", "journald", "hotspot.conf"):
        assert part in done.stdout
    assert done.stdout.endswith("Nothing was changed.\n")
    assert not Path("/etc/makabana").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--kit", "spaceship"], "'spaceship' is no kit"),
        (["--kit"], "--kit needs a name"),
        (["--wheels", "/nowhere/at/all"], "there is no folder"),
        (["--purge"], "--purge goes with --uninstall"),
        (["--frobnicate"], "is no option of ours"),
    ],
)
def test_a_wrong_option_is_named(words: list[str], sentence: str) -> None:
    done = sh("install.sh", "--dry-run", *words)
    assert done.returncode == 2
    assert sentence in done.stderr


# --- Units ---


def unit(name: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None, delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(PI / "systemd" / name)
    return parser


def test_the_house_runs_without_root_and_writes_its_games_only() -> None:
    service = unit("makabana.service")["Service"]
    wanted = {"User": "makabana", "NoNewPrivileges": "yes", "ProtectSystem": "strict", "ProtectHome": "yes",
              "ReadWritePaths": "/var/lib/makabana", "PrivateTmp": "yes", "CapabilityBoundingSet": "",
              "DevicePolicy": "closed"}  # fmt: skip
    assert {key: service.get(key) for key in wanted} == wanted


def test_the_house_is_watched_and_comes_back() -> None:
    parser = unit("makabana.service")
    assert parser["Service"]["Type"] == "notify"
    assert parser["Service"]["Restart"] == "always"
    assert int(parser["Service"]["WatchdogSec"]) >= 30
    assert parser["Unit"]["OnFailure"] == "makabana-rescue.service"
    assert parser["Service"]["ExecStart"].startswith("/opt/makabana/current/venv/bin/makabana play --no-browser ")


def test_the_servers_threads_fit_into_the_units_limit() -> None:
    pytest.importorskip("cheroot", reason="needs cheroot (extra web)")
    from web.broadcast import TELLERS
    from web.serve import ANSWERERS

    assert int(unit("makabana.service")["Service"]["TasksMax"]) > ANSWERERS + TELLERS + 100


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_systemd_understands_every_line(path: Path, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    # Programs and units of an installed Pi, so that only what is written here can be wrong.
    (tmp_path / "NetworkManager.service").write_text("[Service]\nType=oneshot\nExecStart=/bin/true\n")
    for each in UNITS:
        text = re.sub(r"(?m)^(ExecStart|ExecStop)=\S+", r"\1=/bin/true", each.read_text())
        (tmp_path / each.name).write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / path.name)],
        capture_output=True, text=True, check=False, env={**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
    )  # fmt: skip
    complaints = [line for line in done.stderr.splitlines() if "makabana" in line]
    assert complaints == []


def test_systemd_finds_the_house_little_exposed() -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    command = ["systemd-analyze", "security", "--offline=yes", "--no-pager", str(PI / "systemd" / "makabana.service")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"exposure level for makabana.service: ([\d.]+)", done.stdout)
    if found is None:
        pytest.skip(f"this systemd-analyze can't judge a file: {done.stderr[:200]}")
    assert float(found[1]) < 2.0


# --- hotspot.sh ---


@pytest.fixture
def radio(tmp_path: Path) -> dict[str, str]:
    """Tools that write down what they are asked to do."""
    for tool in ("nmcli", "nft", "iw"):
        path = tmp_path / tool
        stdin = "cat >> $LOG" if tool == "nft" else ":"
        path.write_text(f'#!/bin/sh\necho "{tool} $*" >> $LOG\ncase "$*" in "-f -") {stdin};; esac\n')
        path.chmod(0o755)
    return {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "LOG": str(tmp_path / "log"),
        "MAKABANA_HOTSPOT_CONF": str(tmp_path / "hotspot.conf"),
        "MAKABANA_HOTSPOT_NAMES": str(tmp_path / "names" / "makabana.conf"),
    }


def settings(radio: dict[str, str], text: str) -> None:
    Path(radio["MAKABANA_HOTSPOT_CONF"]).write_text(text)


def test_every_name_and_the_webs_port_lead_to_the_house(radio: dict[str, str]) -> None:
    settings(radio, "SSID=Chez Léa\nPASSWORD=longenough\nCOUNTRY=FR\n")
    done = sh("hotspot.sh", "up", **radio)
    assert done.returncode == 0, done.stderr
    assert "address=/#/10.42.0.1" in Path(radio["MAKABANA_HOTSPOT_NAMES"]).read_text()
    log = Path(radio["LOG"]).read_text()
    assert "iw reg set FR" in log
    assert "ssid Chez Léa 802-11-wireless.mode ap" in log
    assert "wifi-sec.psk longenough" in log
    assert 'iifname "wlan0" tcp dport 80 redirect to :8080' in log
    assert sh("hotspot.sh", "down", **radio).returncode == 0
    assert not Path(radio["MAKABANA_HOTSPOT_NAMES"]).exists()
    assert "nft delete table ip makabana" in Path(radio["LOG"]).read_text()


def test_an_open_network_has_no_password(radio: dict[str, str]) -> None:
    settings(radio, "# ours\nSSID=Maka Bana\nPASSWORD=\n")
    assert sh("hotspot.sh", "up", **radio).returncode == 0
    assert "psk" not in Path(radio["LOG"]).read_text()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("SSID=\n", "SSID must have 1 to 32 letters"),
        (f"SSID={'x' * 33}\n", "SSID must have 1 to 32 letters"),
        ("PASSWORD=short\n", "needs 8 letters"),
        ("COUNTRY=france\n", "two capitals"),
        ('INTERFACE=wlan0"; drop\n', "INTERFACE can't be"),
        ("ADDRESS=$(reboot)\n", "four numbers"),
        ("PORT=http\n", "PORT must be a number"),
        ("rm -rf=/\n", "is no setting of ours"),
    ],
)
def test_a_wrong_setting_is_named_and_nothing_is_run(text: str, sentence: str, radio: dict[str, str]) -> None:
    settings(radio, text)
    done = sh("hotspot.sh", "up", **radio)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert not Path(radio["LOG"]).exists()


def test_without_settings_the_way_to_them_is_told(radio: dict[str, str]) -> None:
    done = sh("hotspot.sh", "up", **radio)
    assert done.returncode == 2
    assert "install.sh --hotspot" in done.stderr


# --- The house and systemd ---


def test_the_house_tells_systemd_when_it_is_ready_alive_and_stopping(tmp_path: Path) -> None:
    for module in ("cv2", "flask", "cheroot", "segno"):
        pytest.importorskip(module, reason="needs the extras vision and web")
    if "notify" not in (ROOT / "companion" / "commands" / "evening" / "__init__.py").read_text("utf-8"):
        pytest.skip("`makabana play` does not call companion.commands.notify yet; until then Type=notify can't work")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(120)
        words = ["--no-browser", "--host", "127.0.0.1", "--port", str(free_port()), "--data", str(tmp_path / "data")]
        environment = {**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "3000000"}
        house = subprocess.Popen([sys.executable, "-m", "companion.cli", "play", *words], cwd=ROOT, env=environment,
                                 stdout=subprocess.DEVNULL)  # fmt: skip
        try:
            assert manager.recv(1000).startswith(b"READY=1")
            assert [manager.recv(1000) for _ in range(3)] == [b"WATCHDOG=1"] * 3
            house.terminate()
            heard = b""
            while heard != b"STOPPING=1":
                heard = manager.recv(1000)
            assert house.wait(60) == 0
        finally:
            house.kill()
            house.wait()
