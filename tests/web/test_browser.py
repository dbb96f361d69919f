"""The pages as a phone meets them, in Debian's chromium, with real photographs behind them."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Browser, expect

from companion.house.photo import PhotoDesk
from tests.web.house import PICTURES, running
from tests.web.pages import axe_violations, phone, score_sample, scrolls_sideways, tap
from web.serve import free_port

LOOKS = ("en.light.normal", "fr.dark.huge")
PATHS = ("/", "/photo", "/islands/5", "/islands/6", "/editor", "/nothing")


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("width", [360, 768, 1920])
def test_pages_are_accessible_and_fit_the_screen(browser: Browser, address: str, width: int, look: str) -> None:
    with phone(browser, address, width, look) as page:
        for path in PATHS:
            page.goto(address + path)
            assert not scrolls_sideways(page), path
            assert axe_violations(page) == [], path


@pytest.mark.parametrize("look", LOOKS)
def test_a_score_is_accessible_and_fits_the_screen(browser: Browser, address: str, look: str) -> None:
    with phone(browser, address, 360, look) as page:
        score_sample(page, address, "noka")
        assert not scrolls_sideways(page)
        assert axe_violations(page) == []
        page.click("[data-settle]")
        assert axe_violations(page) == []


def test_the_first_page_is_light(browser: Browser, address: str) -> None:
    with phone(browser, address) as page:
        sizes = []
        page.on("response", lambda answer: sizes.append(answer.request.sizes()["responseBodySize"]))
        page.goto(address, wait_until="networkidle")
        assert len(sizes) >= 3
        assert sum(sizes) < 120_000


def test_a_photo_goes_from_the_camera_to_an_explained_score(browser: Browser, address: str) -> None:
    with phone(browser, address) as page:
        page.goto(f"{address}/photo")
        page.set_input_files("input[capture]", PICTURES / "maka-bana-normal.jpg")
        page.wait_for_url(re.compile(r"/photo/[\w-]{20,}$"))
        expect(page.locator("h1")).to_have_text("Blue wins!")
        number = page.locator("tr.seat-blue .points").first
        number.click()
        expect(number).to_have_attribute("aria-pressed", "true")
        expect(page.locator("[data-why]:visible")).to_contain_text("Blue has most huts")
        lit = page.eval_on_selector_all(".place.is-lit", "all => all.map((one) => one.dataset.place)")
        assert "Azzura-Rocher-Fleur" in lit
        number.click()
        expect(page.locator(".place.is-lit")).to_have_count(0)


def test_a_doubt_is_settled_by_a_tap(browser: Browser, address: str) -> None:
    with phone(browser, address) as page:
        score_sample(page, address, "noka")
        expect(page.locator(".score h1")).to_have_text("Not settled yet")
        doubts = page.locator("[data-settle]")
        for left in range(doubts.count(), 0, -1):
            name = doubts.first.get_attribute("data-settle")
            doubts.first.click()
            page.click('#picker [data-content="hut:green"]')
            expect(page.locator(f'.place[data-place="{name}"]')).to_have_attribute("data-content", "hut:green")
            expect(doubts).to_have_count(left - 1)
        expect(page.locator(".score h1")).not_to_have_text("Not settled yet")


def test_a_tap_on_the_small_map_goes_near_and_the_next_one_corrects(browser: Browser, address: str) -> None:
    with phone(browser, address) as page:
        score_sample(page, address, "maka-bana")
        site = page.locator('.place[data-place="Azzura-Lagon-Poisson"] .touch')
        tap(site)
        expect(page.locator("svg.island.is-near")).to_be_visible()
        assert site.bounding_box()["width"] >= 44
        assert page.locator("#picker[open]").count() == 0
        tap(site)
        expect(page.locator("#picker[open]")).to_be_visible()
        page.click('#picker [data-content="hut:pink"]')
        expect(page.locator("tr.seat-pink td").nth(3)).to_have_text("8")


def test_islands_stand_one_below_the_other_on_a_phone(browser: Browser, address: str) -> None:
    shapes = {}
    for width in (360, 1920):
        with phone(browser, address, width) as page:
            page.goto(f"{address}/islands/10")
            box = page.locator("svg.island").get_attribute("viewBox").split()
            shapes[width] = float(box[3]) > float(box[2])
    assert shapes == {360: True, 1920: False}


def test_every_place_can_be_reached_by_keyboard(browser: Browser, address: str) -> None:
    with phone(browser, address, 1920) as page:
        score_sample(page, address, "maka-bana")
        page.focus('.place[data-place="club:Azzura"]')
        page.keyboard.press("Enter")
        page.wait_for_selector("#picker[open]")
        assert page.locator('#picker [data-content^="hut:"]:visible').count() == 0
        assert page.locator('#picker [data-content^="club:"]:visible').count() == 8
        page.keyboard.press("Escape")
        expect(page.locator("#picker")).not_to_be_visible()


def test_players_and_rules_can_be_changed(browser: Browser, address: str) -> None:
    with phone(browser, address, look="fr.light.normal") as page:
        score_sample(page, address, "maka-bana-2003")
        expect(page.locator(".score h1")).to_have_text("Pas encore de score")
        expect(page.locator(".problems li").first).to_contain_text("Bikini est exclue à 3 joueurs")
        page.check('[name=player][value="blue"]')
        expect(page.locator(".score h1")).to_contain_text("gagne")


def test_the_score_can_be_kept_as_a_picture(browser: Browser, address: str) -> None:
    with phone(browser, address) as page:
        score_sample(page, address, "maka-bana")
        with page.expect_download() as download:
            page.click("[data-share]")
        content = download.value.path().read_bytes()
        assert download.value.suggested_filename == "maka-bana.png"
        assert content.startswith(b"\x89PNG")
        assert int.from_bytes(content[16:20], "big") == 1080


def test_what_is_no_photo_is_told_in_words(browser: Browser, address: str, tmp_path) -> None:
    (tmp_path / "x.jpg").write_bytes(b"no picture at all")
    with phone(browser, address, look="fr.light.normal") as page:
        page.goto(f"{address}/photo")
        page.set_input_files("input[capture]", tmp_path / "x.jpg")
        expect(page.locator("h1")).to_have_text("Cette photo est illisible")
        expect(page.get_by_role("link", name="Reprendre une photo")).to_be_visible()


def test_language_light_and_letters_are_chosen_per_phone(browser: Browser, address: str) -> None:
    with phone(browser, address) as page:
        page.goto(f"{address}/photo")
        for choice, text in (("Français", "Compter sur photo"), ("English", "Score a photo")):
            page.click(".look summary")
            page.get_by_role("button", name=choice).click()
            expect(page.locator("h1")).to_have_text(text)
            assert page.url.endswith("/photo")
        page.click(".look summary")
        page.get_by_role("button", name="Dusk").click()
        expect(page.locator("html")).to_have_attribute("data-theme", "dark")
        page.click(".look summary")
        page.get_by_role("button", name="Huge").click()
        expect(page.locator("html")).to_have_attribute("data-text", "huge")


def test_a_wrong_code_is_told_beside_its_field(browser: Browser, address: str) -> None:
    with phone(browser, address) as page:
        page.goto(address)
        page.fill("#code", "zzzz")
        page.press("#code", "Enter")
        expect(page.get_by_role("alert")).to_contain_text("No table has this code")
        assert page.input_value("#code") == "ZZZZ"


def test_a_command_outlives_a_dead_server(browser: Browser, desk: PhotoDesk) -> None:
    """The house is stopped, a place corrected meanwhile, the house comes back: the correction arrives, once."""
    port, context = free_port(), browser.new_context()
    page = context.new_page()
    with running(port=port, desk=desk) as address:
        score_sample(page, address, "noka")
        place = page.locator("[data-settle]").first
        name = place.get_attribute("data-settle")
        version = desk.job(page.url.rsplit("/", 1)[1]).version
    keys = []
    page.on("request", lambda r: keys.append(json.loads(r.post_data)["key"]) if r.url.endswith("/do") else None)
    place.click()
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/do")):
        page.click('#picker [data-content="empty"]')
    expect(page.locator("[data-offline]")).to_be_visible()
    with running(port=port, desk=desk):
        expect(page.locator(f'.place[data-place="{name}"]')).to_have_class(re.compile("is-corrected"), timeout=120_000)
        expect(page.locator("[data-offline]")).to_be_hidden()
    assert len(keys) >= 2
    assert len(set(keys)) == 1
    assert desk.job(page.url.rsplit("/", 1)[1]).version == version + 1
    context.close()


def test_a_lost_stream_is_told_and_comes_back_with_a_full_snapshot(browser: Browser, address: str) -> None:
    with phone(browser, address) as page:
        score_sample(page, address, "noka")
        offline = page.locator("[data-offline]")
        expect(offline).to_be_hidden()
        page.context.set_offline(True)
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(offline).to_be_visible()
        page.context.set_offline(False)
        page.evaluate("window.dispatchEvent(new Event('pageshow'))")
        expect(offline).to_be_hidden()


def test_a_board_is_traced_checked_and_saved(browser: Browser, address: str) -> None:
    with phone(browser, address, 1920) as page:
        page.goto(f"{address}/editor")
        page.set_input_files("[data-photo]", PICTURES / "maka-bana-normal.jpg")
        expect(page.locator("[data-picture]")).to_have_attribute("href", re.compile("^blob:"))
        page.click("#tab-corners")
        handle = page.locator('[data-corner="0"]').bounding_box()
        page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
        page.mouse.down()
        page.mouse.move(handle["x"] + 60, handle["y"] + 60, steps=4)
        page.mouse.up()
        page.click("#tab-sites")
        stage = page.locator("[data-stage]").bounding_box()
        expect(page.locator("[data-ask]")).to_have_text("Tap where Azzura · Cocotier · Fleur is")
        left = int(page.locator("[data-count]").inner_text().split(" of ")[1])
        for number in range(left):
            column, row = number % 9, number // 9
            page.mouse.click(stage["x"] + 90 + column * 90, stage["y"] + 90 + row * 75)
        expect(page.locator("[data-ask]")).to_have_text("Every site has its place.")
        page.click("#tab-links")
        page.locator('.stage-site[data-place="Azzura-Cocotier-Fleur"]').click()
        page.locator('.stage-site[data-place="Azzura-Cocotier-Poisson"]').click()
        expect(page.locator(".stage-link")).to_have_count(1)
        page.click("#tab-save")
        page.click("[data-check]")
        expect(page.locator("[data-verdict]")).to_have_text("The board is sound. Save it.")
        with page.expect_download() as download:
            page.click("[data-save-board]")
        board = json.loads(download.value.path().read_text())
        assert board["adjacent"] == [["Azzura-Cocotier-Fleur", "Azzura-Cocotier-Poisson"]]
        assert len(board["sites"]) == 48
        assert len(board["clubs"]) == 4


def test_an_unfinished_board_is_told_all_that_is_missing(browser: Browser, address: str) -> None:
    with phone(browser, address, look="fr.light.normal") as page:
        page.goto(f"{address}/editor")
        page.click("#tab-save")
        page.click("[data-check]")
        expect(page.locator("[data-problems] li").first).to_contain_text("plateau n’a pas d’emplacements")
        expect(page.locator("[data-save-board]")).to_be_disabled()


def test_clicks_survive_a_reload(browser: Browser, address: str) -> None:
    with phone(browser, address, 768) as page:
        page.goto(f"{address}/editor")
        page.click("#tab-sites")
        box = page.locator("[data-stage]").bounding_box()
        page.locator("[data-stage]").click(position={"x": box["width"] / 2, "y": box["height"] / 2})
        page.reload()
        page.click("#tab-sites")
        expect(page.locator(".stage-site")).to_have_count(1)


def test_photo_scoring_works_without_scripts(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/photo")
    page.set_input_files("input[name=photo]", PICTURES / "maka-bana-normal.jpg")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("h1")).to_have_text("Blue wins!", timeout=120_000)
    context.close()
