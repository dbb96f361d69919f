"""How heavy the first pages are, and when a phone on a slow network can use them.

`python tests/bench/bench_first_page.py`. The network is throttled by the browser itself: 1.6 Mbit/s down, 0.75 up,
300 ms for each way and back, the third generation as web performance tests have it. Usable means that all is there
and its scripts listen. Asked for: 60 kB and 2 s.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from playwright.sync_api import Browser, sync_playwright

from tests.web.conftest import launched
from tests.web.evening import WebEvening

PAGES = {"welcome": "/", "join": "/t/{code}"}
TIMES = 5
THIRD_GENERATION = {"offline": False, "latency": 300, "downloadThroughput": 200_000, "uploadThroughput": 93_750}
_USABLE = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"


class Visit(NamedTuple):
    sent: int  # bytes over the network, heads included
    asked: int  # requests
    usable_ms: float


def visit(browser: Browser, address: str) -> Visit:
    """One visit by a phone that was never here."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, device_scale_factor=3, is_mobile=True)
    page = context.new_page()
    wire = context.new_cdp_session(page)
    sent: list[float] = []
    wire.on("Network.loadingFinished", lambda event: sent.append(event["encodedDataLength"]))
    wire.send("Network.enable")
    wire.send("Network.emulateNetworkConditions", THIRD_GENERATION)
    page.goto(address, wait_until="load")
    found = Visit(round(sum(sent)), len(sent), page.evaluate(_USABLE))
    context.close()
    return found


def main() -> None:
    with WebEvening() as evening, sync_playwright() as play:
        browser = launched(play)
        code = evening.open_table("2013", 4).row.code
        print("| page | kB | requests | usable |\n|---|---|---|---|")
        for name, path in PAGES.items():
            address = evening.address + path.format(code=code)
            visit(browser, address)  # drawn anew by the server only once
            visits = [visit(browser, address) for _ in range(TIMES)]
            usable = median(one.usable_ms for one in visits)
            print(f"| {name} | {visits[0].sent / 1000:.1f} | {visits[0].asked} | {usable:.0f} ms |")
        browser.close()


if __name__ == "__main__":
    main()
