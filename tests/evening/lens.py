"""A network camera over a board that is not there: layouts come in by standard input, an MJPEG stream goes out by HTTP.

`python -m tests.evening.lens BOARD` prints its address. Each line it reads is JSON: a layout of the board, as
`VirtualBoard.layout` gives it, or `"unplug"` and `"plug"` for the cable. It renders as the house's own virtual camera
does, and ends with its input.
"""

from __future__ import annotations

import json
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2

from companion.house.rendering import Laid, Layout, Rendered

# The vision process looks five times a second. A camera that is slower than its reader never leaves it stale frames.
FRAMES_A_SECOND = 3
JPEG_QUALITY = 92
BETWEEN = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n"


class Shutter:
    """The newest picture, and whether the cable is in."""

    def __init__(self) -> None:
        self.is_plugged = True
        self.picture = b""
        self.changed = threading.Condition()

    def show(self, picture: bytes) -> None:
        with self.changed:
            self.picture = picture
            self.changed.notify_all()

    def plug(self, is_plugged: bool) -> None:
        with self.changed:
            self.is_plugged = is_plugged
            self.changed.notify_all()

    def next_picture(self) -> bytes:
        """A new picture at once, else the old one again when its time has come. Empty once the cable is out."""
        with self.changed:
            self.changed.wait(1 / FRAMES_A_SECOND)
            return self.picture if self.is_plugged else b""


def handler_of(shutter: Shutter) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if not shutter.is_plugged:
                self.send_error(503)
                return
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 100_000)
            while picture := shutter.next_picture():
                self.wfile.write(BETWEEN % len(picture) + picture + b"\r\n")

        def log_message(self, format: str, *args: Any) -> None:
            """Nobody asks for a log of frames."""

    return Handler


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever looked has gone: so it is when a house crashes."""


def layout_of(word: dict[str, Any]) -> Layout:
    return Layout(word["number"], tuple(Laid(*piece) for piece in word["pieces"]))


def main() -> None:
    cv2.setNumThreads(1)
    shutter, source = Shutter(), Rendered(sys.argv[1], lambda number: None)
    server = Server(("127.0.0.1", 0), handler_of(shutter))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    shutter.show(_jpeg(source))
    print(f"http://127.0.0.1:{server.server_address[1]}/table.mjpg", flush=True)
    for line in sys.stdin:
        word = json.loads(line)
        if isinstance(word, str):
            shutter.plug(word == "plug")
        else:
            source.show(layout_of(word))
            shutter.show(_jpeg(source))


def _jpeg(source: Rendered) -> bytes:
    picture = source.next_frame().picture
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()


if __name__ == "__main__":
    main()
