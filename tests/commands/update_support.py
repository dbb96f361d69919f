"""A small stand-in for the companion as a real wheel, and for systemd as a real program that starts and stops it."""

import hashlib
import os
import signal
import stat
import sys
import zipfile
from pathlib import Path
from typing import NamedTuple

from companion.commands.update.source import source_at

WELL, MUTE, UNWELL, NO_HOUSE, NO_SERVICE, SOON_DEAD = "well", "mute", "unwell", "no house", "no service", "soon dead"

# It answers what an update asks, as the companion does, and behaves as the test wants.
PROGRAM = """
import http.server, json, os, signal, sqlite3, sys, threading

VERSION, KIND = {version!r}, {kind!r}


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({{"ok": True, "version": VERSION}}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


def play(words):
    is_service = "MAKABANA_SERVICE" in os.environ
    if KIND == "no house" or KIND == "no service" and is_service:
        print("ERROR: the roof leaks", file=sys.stderr)
        return 1
    data = words[words.index("--data") + 1]
    with sqlite3.connect(os.path.join(data, "tables.db")) as store:
        store.execute("create table if not exists opened (version, games)")
        games = store.execute("select count(*) from sqlite_master where name = 'games'").fetchone()[0]
        store.execute("insert into opened values (?, ?)", (VERSION, games))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(words[words.index("--port") + 1])), Page)
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
    if KIND == "soon dead" and is_service:
        threading.Timer(1.0, lambda: os._exit(1)).start()
    server.serve_forever()
    return 0


def main():
    words = sys.argv[1:]
    if words == ["--version"]:
        print("" if KIND == "mute" else f"makabana {{VERSION}}")
    elif "doctor" in words:
        bad = {{"needed": True, "fine": False, "text": "The moon is full."}}
        print(json.dumps([bad] if KIND == "unwell" else []))
    elif "play" in words:
        return play(words)
    return 0
"""

SYSTEMCTL = """#!{python}
import json, os, pathlib, subprocess, sys, time, urllib.request
place = pathlib.Path({place!r})
pid_file = place / "pid"


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{{pid}}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def pid():
    return int(pid_file.read_text()) if pid_file.exists() else 0


def restart():
    if is_alive(pid()):
        os.kill(pid(), 15)
        while is_alive(pid()):
            time.sleep(0.01)
    command = [{program!r}, "play", "--port", {port!r}, "--data", {data!r}]
    quiet = dict(stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    house = subprocess.Popen(command, env={{**os.environ, "MAKABANA_SERVICE": "1"}}, start_new_session=True, **quiet)
    pid_file.write_text(str(house.pid))
    while house.poll() is None:
        try:
            urllib.request.urlopen("http://127.0.0.1:" + {port!r}, timeout=5).read()
            return 0
        except OSError:
            time.sleep(0.02)
    print("Job for makabana.service failed.", file=sys.stderr)
    return 1


verb = sys.argv[1]
if verb == "restart":
    sys.exit(restart())
if verb == "show":
    state = "inactive" if not pid_file.exists() else "active" if is_alive(pid()) else "failed"
    print(f"ActiveState={{state}}\\nResult=exit-code\\nMainPID={{pid()}}\\nNRestarts=0")
"""


class Place(NamedTuple):
    """A machine to install on: its releases, its games, its systemd."""

    folder: Path
    port: str

    @property
    def prefix(self) -> Path:
        return self.folder / "opt"

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def path(self) -> str:
        """With our systemctl before the machine's."""
        return f"{self.folder / 'bin'}:{os.environ['PATH']}"

    def current(self) -> str:
        return (self.prefix / "current").readlink().name

    def start(self) -> None:
        os.spawnve(os.P_WAIT, self.folder / "bin" / "systemctl", ["systemctl", "restart"], os.environ)

    def stop(self) -> None:
        pid_file = self.folder / "pid"
        if pid_file.exists():
            try:
                os.kill(int(pid_file.read_text()), signal.SIGKILL)
            except ProcessLookupError:
                return


def make_place(folder: Path, port: int) -> Place:
    place = Place(folder, str(port))
    for part in (place.prefix / "releases", place.data, folder / "bin", folder / "wheels"):
        part.mkdir(parents=True)
    program = str(place.prefix / "current" / "venv" / "bin" / "makabana")
    script = SYSTEMCTL.format(
        python=sys.executable, place=str(folder), program=program, port=place.port, data=str(place.data)
    )
    _make_program(folder / "bin" / "systemctl", script)
    return place


def make_wheel(place: Place, version: str, kind: str = WELL) -> Path:
    """A wheel of the stand-in, as pip takes it."""
    path = place.folder / "wheels" / kind.replace(" ", "-") / f"makabana_companion-{version}-py3-none-any.whl"
    path.parent.mkdir(parents=True, exist_ok=True)
    info = f"makabana_companion-{version}.dist-info"
    extras = "".join(f"Provides-Extra: {extra}\n" for extra in ("vision", "devices", "web"))
    files = {
        "companion/__init__.py": f'__version__ = "{version}"\n',
        "companion/cli.py": PROGRAM.format(version=version, kind=kind),
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: makabana-companion\nVersion: {version}\n{extras}",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "[console_scripts]\nmakabana = companion.cli:main\n",
    }
    with zipfile.ZipFile(path, "w") as wheel:
        for name, content in files.items():
            wheel.writestr(name, content)
        record = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
        wheel.writestr(f"{info}/RECORD", record)
    return path


def make_release(place: Place, version: str, kind: str = WELL) -> Path:
    """A wheel whose release is installed already, as far as an update can tell; it saves a test its venv."""
    wheel = make_wheel(place, version, kind)
    folder = place.prefix / "releases" / source_at(wheel).name
    _make_program(
        folder / "venv" / "bin" / "makabana",
        f"#!{sys.executable}\n{PROGRAM.format(version=version, kind=kind)}\nsys.exit(main())\n",
    )
    (folder / "complete").write_text(folder.name)
    return wheel


def use(place: Place, wheel: Path) -> None:
    (place.prefix / "current").unlink(missing_ok=True)
    (place.prefix / "current").symlink_to(Path("releases") / source_at(wheel).name)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _make_program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
