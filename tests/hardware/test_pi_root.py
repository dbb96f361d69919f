"""The installation in a real Debian: a fresh root, our script in it, the house as its user, updates and back.

Takes minutes, root's rights, `debootstrap` and a Debian mirror, so it runs only with MAKABANA_LONG=1. A root that was
made before can be named by MAKABANA_DEBIAN_ROOT (it must have python3-venv, git and systemd); it is written to.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands.update_support import SYSTEMCTL
from tests.devices.support import free_port

ROOT = Path(__file__).parents[2]
PACKAGES = "ca-certificates,python3,python3-venv,git,systemd"
UP_S = 90.0
# As systemd would: without root's rights, over the installed link.
START = (
    '#!/bin/sh\nexec runuser -u makabana -- env HOME=/var/lib/makabana MAKABANA_SERVICE="$MAKABANA_SERVICE" '
    '/opt/makabana/current/venv/bin/makabana "$@" --no-browser --host 127.0.0.1 --table /etc/makabana/table.toml\n'
)

pytestmark = [
    pytest.mark.skipif(os.environ.get("MAKABANA_LONG") != "1", reason="takes minutes; set MAKABANA_LONG=1"),
    pytest.mark.skipif(os.getuid() != 0, reason="a Debian root can be made and entered by root only"),
]


class Debian:
    """A Debian root to enter. What runs inside sees its own files and processes of the whole machine."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port

    def run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        mounts = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"'
        environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
        done = subprocess.run(
            ["unshare", "--mount", "--propagation", "private", "sh", "-c", mounts, str(self.folder), *command],
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def path(self, name: str) -> Path:
        return self.folder / name.lstrip("/")

    def health(self) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/health", timeout=10) as answer:
            return str(answer.read().decode())

    def stop(self) -> None:
        pid_file = self.path("/run/shim/pid")
        if pid_file.exists():
            subprocess.run(["kill", pid_file.read_text()], check=False, capture_output=True)


@pytest.fixture(scope="module")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Debian]:
    given = os.environ.get("MAKABANA_DEBIAN_ROOT")
    folder = Path(given) if given else tmp_path_factory.mktemp("debian") / "root"
    if not given:
        if shutil.which("debootstrap") is None:
            pytest.skip("debootstrap is not installed")
        command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", "bookworm", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"no Debian could be had: {done.stdout[-300:]}")
    debian = Debian(folder, free_port())
    prepare(debian)
    yield debian
    debian.stop()


def prepare(debian: Debian) -> None:
    """Our checkout, the packages it needs (so that pip wants no network), and a stand-in for systemd's manager."""
    for part in ("srv/checkout", "srv/wheels", "run/shim"):
        shutil.rmtree(debian.path(part), ignore_errors=True)
        debian.path(part).mkdir(parents=True)
    for part in ("companion", "firmware", "vision", "web", "hardware"):
        shutil.copytree(ROOT / part, debian.path("srv/checkout") / part, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("pyproject.toml", "constraints.txt", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / part, debian.path("srv/checkout") / part)
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--constraint", str(ROOT / "constraints.txt")]
    wanted = ["setuptools", f"{debian.path('srv/checkout')}[vision,devices,web]"]
    subprocess.run([*pip, "--dest", str(debian.path("srv/wheels")), *wanted], check=True, cwd="/")
    write_program(debian.path("/usr/local/bin/start-house"), START)
    shim = SYSTEMCTL.format(python="/usr/bin/python3", place="/run/shim", program="/usr/local/bin/start-house",
                            port=str(debian.port), data="/var/lib/makabana")  # fmt: skip
    write_program(debian.path("/usr/local/bin/systemctl"), shim)


def write_program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def test_install_use_update_and_remove(debian: Debian) -> None:
    """One long day of a table, in order: each step needs the one before."""
    install = ["/srv/checkout/hardware/pi/install.sh", "--wheels", "/srv/wheels", "--no-start"]
    out = debian.run("sh", *install).stdout
    assert "with the PIN in /var/lib/makabana/staff.pin" in out
    check_installed(debian)
    check_it_plays(debian)
    check_installing_again_keeps_settings(debian, install)
    check_updates(debian)
    check_removal(debian)


def check_installed(debian: Debian) -> None:
    assert "makabana" in debian.run("id", "makabana").stdout
    assert debian.run("stat", "-c", "%U %a", "/var/lib/makabana").stdout == "makabana 700\n"
    assert debian.run("stat", "-c", "%U:%G %a", "/etc/makabana/table.toml").stdout == "root:makabana 640\n"
    assert debian.path("/etc/systemd/system/makabana.service").is_file()
    assert debian.run("makabana", "--version").stdout.startswith("makabana ")
    blocked = debian.run("runuser", "-u", "makabana", "--", "touch", "/opt/makabana/current/venv/x", check=False)
    assert blocked.returncode != 0, "the code is read-only for the service"


def check_it_plays(debian: Debian) -> None:
    debian.run("systemctl", "restart", "makabana.service")
    with urllib.request.urlopen(f"http://127.0.0.1:{debian.port}/", timeout=10) as page:
        assert page.status == 200
        assert "Maka Bana" in page.read().decode()
    assert debian.run("stat", "-c", "%U %a", "/var/lib/makabana/staff.pin").stdout == "makabana 600\n"


def check_installing_again_keeps_settings(debian: Debian, install: list[str]) -> None:
    table = debian.path("/etc/makabana/table.toml")
    table.write_text(table.read_text() + "# ours\n")
    pin = debian.path("/var/lib/makabana/staff.pin").read_text()
    assert "is in use and the newest there is" in debian.run("sh", *install).stdout
    assert table.read_text().endswith("# ours\n")
    assert debian.path("/var/lib/makabana/staff.pin").read_text() == pin


def change(debian: Debian, name: str, old: str, new: str) -> None:
    path = debian.path("srv/checkout") / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def set_version(debian: Debian, version: str) -> None:
    debian.path("srv/checkout/companion/__init__.py").write_text(f'"""Changed."""\n\n__version__ = "{version}"\n')


def update(debian: Debian, *words: str) -> subprocess.CompletedProcess[str]:
    return debian.run("makabana", "update", "--wheels", "/srv/wheels", "--watch", "5", *words, check=False)


def check_updates(debian: Debian) -> None:
    set_version(debian, "9.1")
    assert update(debian).returncode == 0
    assert '"version":"9.1"' in debian.health()

    set_version(debian, "9.2")  # fails in its trial
    change(
        debian,
        "web/evening.py",
        "def create_evening_app",
        "raise RuntimeError('the roof leaks')\n\n\ndef create_evening_app",
    )
    done = update(debian)
    assert done.returncode == 1
    assert "the roof leaks" in done.stderr
    assert '"version":"9.1"' in debian.health()

    set_version(debian, "9.3")  # comes up in its trial, but not as the service
    change(debian, "web/evening.py", "raise RuntimeError('the roof leaks')\n\n\n", "")
    ends = 'if __import__("os").environ.get("MAKABANA_SERVICE"):\n        raise SystemExit(3)'
    change(debian, "companion/commands/evening/__init__.py", '    need("flask"', f'    {ends}\n    need("flask"')
    done = update(debian)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "9.1" in done.stdout.splitlines()[-1]
    assert '"version":"9.1"' in debian.health()

    assert update(debian, "--rollback").returncode == 0
    assert '"version":"9.1"' not in debian.health()


def check_removal(debian: Debian) -> None:
    debian.stop()
    wait_until_down(debian)
    debian.path("/usr/local/bin/systemctl").unlink()  # from here on the real one, which knows units
    script = "/srv/checkout/hardware/pi/install.sh"
    debian.run("sh", script, "--uninstall")
    assert not debian.path("/opt/makabana").exists()
    assert debian.path("/var/lib/makabana/tables.db").is_file()
    debian.run("sh", script, "--uninstall", "--purge")
    assert not debian.path("/var/lib/makabana").exists()
    assert debian.run("id", "makabana", check=False).returncode != 0


def wait_until_down(debian: Debian) -> None:
    deadline = time.monotonic() + UP_S
    while time.monotonic() < deadline:
        try:
            debian.health()
        except (urllib.error.URLError, OSError):
            return
        time.sleep(0.1)
    os.kill(int(debian.path("/run/shim/pid").read_text()), signal.SIGKILL)
