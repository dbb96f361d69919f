"""A house for the pages' tests: real photo reading and board tracing, on a free port, with tables that are made up."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from companion.house.photo import PhotoDesk
from companion.house.tracing import Tracer
from web.app import create_app
from web.config import Config, Rate
from web.serve import Server
from web.services import Services

PICTURES = Path(__file__).parents[1] / "data" / "vision"
SAMPLES = {"maka-bana": "maka-bana-normal", "noka": "noka-hard", "maka-bana-2003": "maka-bana-2003-easy"}
OFTEN = Rate(100_000, 1_000_000)  # tests ask faster than people
CONFIG = Config(pages=OFTEN, commands=OFTEN, uploads=OFTEN, codes=OFTEN, codes_of_all=OFTEN)


class OneTable:
    """A house whose only table has the code PALM."""

    def table_by_code(self, code: str) -> str | None:
        return "table-1" if code == "PALM" else None

    def table(self, table_id: str) -> None:
        return None


def samples() -> dict[str, bytes]:
    return {board: (PICTURES / f"{name}.jpg").read_bytes() for board, name in SAMPLES.items()}


@contextmanager
def running(config: Config = CONFIG, port: int = 0, desk: PhotoDesk | None = None) -> Iterator[str]:
    """The address of a server with the real parts behind it. A desk that is passed in outlives it."""
    own_desk = desk or PhotoDesk()
    app = create_app(config, OneTable(), Services(own_desk, Tracer(), samples()))
    server = Server(app, "127.0.0.1", port)
    thread = Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.close()
        thread.join()
        if desk is None:
            own_desk.close()


if __name__ == "__main__":  # python -m tests.web.house 8080: look at the pages by hand
    with running(port=int(sys.argv[1]) if len(sys.argv) > 1 else 0) as address:
        print(address, flush=True)
        input("Enter ends it.\n")
