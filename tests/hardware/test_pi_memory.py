"""How much memory a full table takes: the real programs, six players, a camera, phones, and a photo read meanwhile.

`MAKABANA_LONG=1 pytest -s tests/hardware/test_pi_memory.py` prints the table of hardware/pi/README.md. PSS is what a
process costs: its own pages, and its share of those that several use.
"""

import http.client
import http.cookiejar
import http.server
import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from companion.devices.clock import SystemClock
from companion.table.commands import Command
from companion.table.house import House
from companion.table.store import open_store
from tests.devices.support import free_port

pytestmark = pytest.mark.skipif(os.environ.get("MAKABANA_LONG") != "1", reason="takes minutes; set MAKABANA_LONG=1")

ROOT = Path(__file__).parents[2]
BUDGET_MB = 350
PHONES = 6
PLAYING_S = 60.0
GIVE_UP_S = 120.0
TABLE = 'table = "salon"\nboards = ["maka-bana"]\n[camera]\nsource = "{source}"\n'


class Camera(http.server.BaseHTTPRequestHandler):
    """A network camera over the board, as 5 pictures a second."""

    picture = b""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
        self.end_headers()
        try:
            while True:
                head = f"--next\r\nContent-Type: image/jpeg\r\nContent-Length: {len(self.picture)}\r\n\r\n"
                self.wfile.write(head.encode() + self.picture + b"\r\n")
                time.sleep(0.2)  # a camera's own pace
        except OSError:
            return

    def log_message(self, *words: object) -> None: ...


def board_picture() -> bytes:
    """A sheet on a brown table, from straight above, as the camera of kit A has it."""
    cv2 = pytest.importorskip("cv2", reason="needs OpenCV (extra vision)")
    np = pytest.importorskip("numpy")
    sheet = cv2.imread(str(ROOT / "vision" / "references" / "maka-bana.jpg"))
    scale = min(1350 / sheet.shape[1], 1000 / sheet.shape[0])
    sheet = cv2.resize(sheet, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    picture = np.full((1200, 1600, 3), (60, 90, 120), np.uint8)
    top, left = (1200 - sheet.shape[0]) // 2, (1600 - sheet.shape[1]) // 2
    picture[top : top + sheet.shape[0], left : left + sheet.shape[1]] = sheet
    return bytes(cv2.imencode(".jpg", picture)[1].tobytes())


def phone_photo() -> bytes:
    """The same sheet as a phone of 12 megapixels takes it."""
    cv2, np = pytest.importorskip("cv2"), pytest.importorskip("numpy")
    picture = cv2.imdecode(np.frombuffer(board_picture(), np.uint8), cv2.IMREAD_COLOR)
    return bytes(cv2.imencode(".jpg", cv2.resize(picture, (4000, 3000), interpolation=cv2.INTER_CUBIC))[1].tobytes())


def set_up(folder: Path) -> str:
    """A game of six islanders, so that nobody has to tap; returns its code."""
    from companion.house.desk import Desk
    from companion.house.running import Running

    store = open_store(str(folder / "tables.db"))
    try:
        house = House(store, SystemClock())
        running = Running(house, SystemClock())
        header = Desk(running, SystemClock()).header("makabana", "2013", 6)
        names = [guest.name for guest in Desk(running, SystemClock()).guests()]
        running.close()
        table = house.open_table("six")
        table.do(Command("new", "new_game", (json.dumps(header),)))
        for number, seat in enumerate(table.session.seats):
            table.do(Command(f"bot{number}", "seat_bot", (names[number % len(names)],), seat))
        assert table.do(Command("start", "start")).refusal is None
        return table.row.code
    finally:
        store.close()


def descendants(pid: int) -> list[int]:
    """A process and everything below it."""
    found = [pid]
    for parent in found:
        for task in Path(f"/proc/{parent}/task").glob("*/children"):
            found += [int(child) for child in task.read_text().split()]
    return found


def pss_mb(pid: int) -> tuple[str, float]:
    words = Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace")
    kinds = {"photo_worker": "photo reader", "spawn_main": "vision", "resource_tracker": "resource tracker"}
    kind = next((name for part, name in kinds.items() if part in words), "house: web, tables, bots")
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return kind, next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def measure(pid: int) -> dict[str, float]:
    found: dict[str, float] = {}
    for each in descendants(pid):
        try:
            kind, size = pss_mb(each)
        except (OSError, StopIteration):  # it has just ended
            continue
        found[kind] = found.get(kind, 0.0) + size
    return found


def peak(pid: int, seconds: float, is_over: Callable[[], bool] = lambda: False) -> dict[str, float]:
    """The largest sum seen within a time, by kind of process."""
    best: dict[str, float] = {}
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and not is_over():
        now = measure(pid)
        best = max(best, now, key=lambda each: sum(each.values()))
        time.sleep(0.1)
    return best


def highest_rss_mb(pid: int) -> dict[str, float]:
    """The most that each kind of process ever held, shared pages counted in full."""
    found = {}
    for each in descendants(pid):
        lines = Path(f"/proc/{each}/status").read_text().splitlines()
        found[pss_mb(each)[0]] = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024
    return found


def show(title: str, sizes: dict[str, float]) -> None:
    parts = ", ".join(f"{kind} {size:.0f}" for kind, size in sorted(sizes.items()))
    print(f"{title}: {sum(sizes.values()):.0f} MB ({parts})")


@contextmanager
def opened(folder: Path, port: int, table: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "companion.cli", "play", "--no-browser", "--host", "127.0.0.1", "--port",
               str(port), "--data", str(folder), "--table", str(table)]  # fmt: skip
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()


def ask(address: str, data: bytes | None = None, **headers: str) -> bytes:
    request = urllib.request.Request(address, data, {name.replace("_", "-"): value for name, value in headers.items()})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return bytes(answer.read())


def until_up(address: str) -> None:
    deadline = time.monotonic() + GIVE_UP_S
    while True:
        try:
            ask(f"{address}/api/health")
            return
        except OSError:
            assert time.monotonic() < deadline, "the house did not open"
            time.sleep(0.2)


def watch_as_phones(address: str, code: str, closing: ExitStack) -> None:
    """Streams as phones and a table screen hold them open."""
    for _ in range(PHONES):
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        stream = closing.enter_context(opener.open(f"{address}/screen/{code}/stream", timeout=300))
        threading.Thread(target=drain, args=(stream,), daemon=True).start()


def drain(stream: http.client.HTTPResponse) -> None:
    try:
        while stream.read1(65_536):
            pass
    except (OSError, ValueError, AttributeError):
        return


def state_of(address: str, job: str) -> str:
    return str(json.loads(ask(f"{address}/api/photo/{job}"))["state"])


def actions_at(folder: Path, code: str) -> int:
    store = open_store(str(folder / "tables.db"))
    try:
        table = House(store, SystemClock()).by_code(code)
        return table.session.number if table else 0
    finally:
        store.close()


def test_a_full_table_fits_into_the_budget(tmp_path: Path) -> None:
    Camera.picture = board_picture()
    port, camera_port = free_port(), free_port()
    code = set_up(tmp_path)
    table = tmp_path / "table.toml"
    table.write_text(TABLE.format(source=f"http://127.0.0.1:{camera_port}/board.mjpg"))
    camera = http.server.ThreadingHTTPServer(("127.0.0.1", camera_port), Camera)
    camera.daemon_threads = True
    threading.Thread(target=camera.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{port}"
    with ExitStack() as closing:
        closing.callback(camera.server_close)
        closing.callback(camera.shutdown)
        house = closing.enter_context(opened(tmp_path, port, table))
        until_up(address)
        watch_as_phones(address, code, closing)
        playing = peak(house.pid, PLAYING_S)
        show("Six play, a camera watches", playing)
        job = json.loads(ask(f"{address}/api/photo", phone_photo(), Content_Type="image/jpeg", X_Makabana="1"))["job"]
        with_photo = peak(house.pid, GIVE_UP_S, lambda: state_of(address, job) in ("ready", "failed"))
        show("The same, while a photo is scored", with_photo)
        assert state_of(address, job) == "ready"
        show("Highest resident sizes, shared pages counted each time", highest_rss_mb(house.pid))
    assert actions_at(tmp_path, code) > PHONES, "the game went on meanwhile"
    assert "vision" in playing
    assert sum(playing.values()) < BUDGET_MB
    assert sum(with_photo.values()) < BUDGET_MB
