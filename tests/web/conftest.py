"""A browser, a running house and a test client, each made once for all tests of a process."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, BrowserContext, Playwright, expect, sync_playwright

from companion.house.photo import PhotoDesk
from companion.house.tracing import Tracer
from tests.web.house import CONFIG, OneTable, running, samples
from web.app import create_app
from web.services import Services

CHROMIUM = Path("/usr/bin/chromium")
expect.set_options(timeout=120_000)  # a busy machine is slow; nothing waits this long when all is well
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--no-first-run"]  # fmt: skip


@pytest.fixture(scope="session")
def desk() -> Iterator[PhotoDesk]:
    desk = PhotoDesk()
    yield desk
    desk.close()


@pytest.fixture(scope="session")
def services(desk: PhotoDesk) -> Services:
    return Services(desk, Tracer(), samples())


@pytest.fixture
def client(services: Services) -> FlaskClient:
    """The pages without a server. Its base address is one of ours."""
    return create_app(CONFIG, OneTable(), services).test_client()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with running() as found:
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip("Debian's chromium is not installed (make test installs it)")
    with tempfile.TemporaryDirectory() as _profile, sync_playwright() as play:
        browser = launched(play)
        yield browser
        browser.close()


# Nobody taps a page that is not drawn yet, but a test does, before its scripts listen. So taps wait until they do.
# And a finger is gone before the page hears of its tap: the clicks that came are counted, for `tests.web.pages.tap`.
_TAPS_WAIT = """
    const page = document.documentElement;
    if (page) {
        page.style.pointerEvents = "none";
        addEventListener("DOMContentLoaded", () => page.style.removeProperty("pointer-events"));
    }
    addEventListener("click", () => {
        const { dataset } = document.documentElement;
        dataset.clicks = Number(dataset.clicks || 0) + 1;
    }, true);
"""


def launched(play: Playwright) -> Browser:
    """A browser whose taps wait for the page's scripts."""
    browser = play.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
    plain = browser.new_context

    def new_context(**options: Any) -> BrowserContext:
        context = plain(**options)
        if options.get("java_script_enabled", True):
            context.add_init_script(_TAPS_WAIT)
        return context

    browser.new_context = new_context  # type: ignore[method-assign]
    return browser
