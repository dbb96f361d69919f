"""Phones and their pages, for tests that look through a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page

from tests.web.evening import until

AXE = Path(__file__).parent / "vendor" / "axe-4.14.0.min.js"
HEIGHTS = {360: 740, 768: 1024, 1920: 1080}


@contextmanager
def phone(browser: Browser, address: str, width: int = 360, look: str = "en.light.normal") -> Iterator[Page]:
    """A page whose language, theme and letters are chosen. Whatever goes wrong in its console fails the test."""
    context = browser.new_context(
        viewport={"width": width, "height": HEIGHTS[width]}, has_touch=width < 800, reduced_motion="reduce"
    )
    context.set_default_timeout(120_000)
    context.add_cookies([{"name": "makabana_look", "value": look, "url": address}])
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if is_complaint(message.text) else None)
    try:
        yield page
        assert complaints == []
    finally:
        context.close()


def is_complaint(text: str) -> bool:
    """What a policy stopped, or a script stumbled over. A page that is not there is no complaint."""
    return any(word in text for word in ("Content Security Policy", "Refused", "Uncaught", "TypeError"))


def axe_violations(page: Page) -> list[str]:
    """What axe-core finds wrong, as `rule: element`. It is loaded past the page's policy, which forbids strangers."""
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("async () => (await axe.run({resultTypes: ['violations']})).violations")
    return [f"{rule['id']}: {node['html'][:120]}" for rule in found for node in rule["nodes"]]


def scrolls_sideways(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def tap(spot: Locator) -> None:
    """With a finger, which is gone before the page hears of it: over once it has, and has done what it does at once."""
    page = spot.page.locator("html")
    heard = int(page.get_attribute("data-clicks") or 0)
    spot.tap()
    until(lambda: int(page.get_attribute("data-clicks") or 0) > heard)


def tap_place(page: Page, place: str) -> None:
    """With a finger, on the whole map: where places are small on it, the first tap goes near, the next one chooses."""
    back = page.locator("[data-map-back]")
    if back.is_visible():
        tap(back)
    spot = page.locator(f'[data-map] .place[data-place="{place}"] .touch')
    tap(spot)
    if back.is_visible():
        tap(spot)


def score_sample(page: Page, address: str, board: str) -> None:
    """Opens the result of one of the house's own pictures, and waits until its map can be tapped."""
    page.goto(f"{address}/photo")
    page.click(f'form[action$="/{board}"] button')
    page.wait_for_selector(".result svg.island[data-attached]")
