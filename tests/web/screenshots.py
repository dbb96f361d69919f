"""`python -m tests.web.screenshots DIR`: every page at three widths, in both languages and lights, as PNG files."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.conftest import CHROMIUM, FLAGS
from tests.web.house import running
from tests.web.pages import HEIGHTS, phone, score_sample

PATHS = {"welcome": "/", "photo": "/photo", "islands": "/islands/5", "islands-6": "/islands/6",
         "islands-10": "/islands/10", "editor": "/editor", "lost": "/nothing"}  # fmt: skip
LOOKS = ("en.light.normal", "en.dark.normal", "fr.light.normal", "fr.dark.normal")


def take_all(browser: Browser, address: str, folder: Path) -> None:
    for look in LOOKS:
        for width in HEIGHTS:
            with phone(browser, address, width, look) as page:
                ending = f"{width}-{'-'.join(look.split('.')[:2])}.png"
                for name, path in PATHS.items():
                    page.goto(address + path)
                    take(page, folder / f"{name}-{ending}")
                score_sample(page, address, "noka")
                take(page, folder / f"score-{ending}")


def take(page: Page, path: Path) -> None:
    page.wait_for_load_state("load")
    page.screenshot(path=path, full_page=True)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with running() as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        take_all(browser, address, folder)
        browser.close()


if __name__ == "__main__":
    main()
