"""The WSGI server under the pages. README.md tells what was measured and why it is this one."""

from __future__ import annotations

import socket
from typing import Any

from cheroot.wsgi import Server as Cheroot

from web.parts import end_streams

MOST_STREAMS = 700  # each open stream holds a thread; an idle one costs about 60 kB
OTHERS = 24  # threads that answer everything else
HEADER_S = 10  # a phone that takes longer to ask is given up
MOST_HEADER_BYTES = 16_384


class Server:
    """Serves an app on a port; port 0 chooses a free one, which `port` then tells."""

    def __init__(self, app: Any, host: str, port: int, most_streams: int = MOST_STREAMS) -> None:
        self._app = app
        self._server = Cheroot((host, port), app, numthreads=most_streams + OTHERS, request_queue_size=256)
        self._server.timeout = HEADER_S
        self._server.shutdown_timeout = 1
        self._server.max_request_header_size = MOST_HEADER_BYTES
        self._server.server_name = "makabana"
        self._server.prepare()

    @property
    def port(self) -> int:
        return int(self._server.bind_addr[1])

    def serve(self) -> None:
        """Answers until `close` is called from another thread."""
        self._server.serve()

    def close(self) -> None:
        """Ends every stream and answer, and waits for them."""
        end_streams(self._app)
        self._server.stop()


def free_port(host: str = "127.0.0.1") -> int:
    """A port that nobody uses just now."""
    with socket.socket() as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])
