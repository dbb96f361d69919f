"""The WSGI server under the pages. README.md tells what was measured and why it is this one."""

from __future__ import annotations

import socket
from typing import Any

from cheroot.server import HTTPConnection, HTTPRequest
from cheroot.wsgi import Gateway_10
from cheroot.wsgi import Server as Cheroot

from web.broadcast import Broadcaster
from web.parts import end_streams
from web.stream import CARRIER, Follower

# Together well below the 1024 open files that a system allows a process unless told otherwise.
MOST_STREAMS = 700
MOST_KEPT = 200  # connections that wait for a phone's next question
ANSWERERS = 48  # threads; an idle one costs about 60 kB
HEADER_S = 10  # a phone that takes longer to ask is given up
MOST_HEADER_BYTES = 16_384


class Server:
    """Serves an app on a port; port 0 chooses a free one, which `port` then tells."""

    def __init__(self, app: Any, host: str, port: int, most_streams: int = MOST_STREAMS) -> None:
        self._app = app
        self._streams = Broadcaster(most_streams)
        self._server = _Cheroot((host, port), app, numthreads=ANSWERERS, request_queue_size=256)
        self._server.streams = self._streams
        self._server.timeout = HEADER_S
        self._server.shutdown_timeout = 1
        self._server.max_request_header_size = MOST_HEADER_BYTES
        self._server.keep_alive_conn_limit = MOST_KEPT
        self._server.server_name = "makabana"
        self._server.prepare()

    @property
    def port(self) -> int:
        return int(self._server.bind_addr[1])

    def serve(self) -> None:
        """Answers until `close` is called from another thread."""
        self._streams.start()
        self._server.serve()

    def close(self) -> None:
        """Ends every stream and answer, and waits for them."""
        end_streams(self._app)
        self._streams.close()
        self._server.stop()


class _Connection(HTTPConnection):
    """A connection that may be given away: its socket then outlives it."""

    _is_given = False

    def give(self) -> socket.socket:
        self._is_given = True
        return socket.socket(fileno=self.socket.detach())

    def close(self) -> None:
        if self._is_given:
            self.rfile.close()
        else:
            super().close()


class _Handover:
    """Remembers which stream an answer turned out to be."""

    def __init__(self, streams: Broadcaster) -> None:
        self._streams = streams
        self.follower: Follower | None = None

    @property
    def has_room(self) -> bool:
        return self._streams.has_room

    def carry(self, follower: Follower) -> None:
        self.follower = follower


class _Gateway(Gateway_10):
    """Hands the connection of a stream over to the broadcaster, once the answer's head is sent."""

    def __init__(self, req: HTTPRequest) -> None:
        super().__init__(req)
        self._handover = self.env[CARRIER] = _Handover(req.server.streams)

    def respond(self) -> None:
        try:
            super().respond()
        except BaseException:
            if self._handover.follower is not None:
                self._handover.follower.close()
            raise
        if self._handover.follower is not None:
            self._hand_over(self._handover.follower)

    def _hand_over(self, follower: Follower) -> None:
        request = self.req
        is_chunked, request.chunked_write = request.chunked_write, False
        request.close_connection = True
        request.server.streams.carry(request.conn.give(), follower, is_chunked)


class _Cheroot(Cheroot):
    """Lets new connections wait for their first word where they cost no thread: browsers open some in advance."""

    ConnectionClass = _Connection
    streams: Broadcaster

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.gateway = _Gateway

    def process_conn(self, conn: HTTPConnection) -> None:
        if conn.last_used is None:
            self.put_conn(conn)
        else:
            super().process_conn(conn)


def free_port(host: str = "127.0.0.1") -> int:
    """A port that nobody uses just now."""
    with socket.socket() as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])
