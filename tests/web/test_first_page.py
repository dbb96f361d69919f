"""The first pages are light enough for a slow network. How soon they are usable: tests/bench/bench_first_page.py."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.bench.bench_first_page import visit
from tests.web.evening import WebEvening


@pytest.mark.parametrize("path", ["/", "/t/{code}", "/photo"])
def test_a_first_page_and_all_it_needs_weigh_less_than_60_kilobytes(browser: Browser, path: str) -> None:
    with WebEvening() as evening:
        address = evening.address + path.format(code=evening.open_table("2013", 4).row.code)
        found = visit(browser, address)
    assert found.asked > 2  # the page, its style and its script
    assert 5_000 < found.sent < 60_000
