"""The staff's live guides: a camera is calibrated and tags are enrolled by following the page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, expect

from companion.devices.table_file import Camera, TableFile
from companion.devices.tags import Register
from companion.house.equipment import Real, Virtual
from companion.table.table import Table
from tests.web.evening import PIN, WebEvening, until
from tests.web.house import PICTURES
from tests.web.pages import axe_violations, scrolls_sideways
from tests.web.players import Phone

SCRIPT = {"Origin": "http://localhost", "X-Makabana": "1"}


@pytest.fixture(scope="module")
def evening() -> Iterator[WebEvening]:
    with WebEvening() as evening:
        yield evening
        evening.desk.cameras.close()


@pytest.fixture
def staff(evening: WebEvening) -> FlaskClient:
    client = evening.app.test_client()
    client.post("/staff/door", data={"pin": PIN}, headers=SCRIPT)
    return client


def staff_phone(browser: Browser, evening: WebEvening, look: str, width: int = 360) -> Phone:
    phone = Phone(browser, evening.address, "", look, width)
    phone.open("/staff/door")
    phone.page.fill("#pin", PIN)
    phone.page.click('form[action$="/door"] button')
    phone.page.wait_for_selector(".staff-head")
    return phone


def do(staff: FlaskClient, table: Table, guide: str, what: str, *args: str) -> dict[str, object]:
    command = {"key": f"k{what}", "do": what, "args": list(args)}
    found: dict[str, object] = staff.post(f"/staff/t/{table.row.id}/{guide}/do", json=command, headers=SCRIPT).json
    return found


def with_camera(evening: WebEvening, folder: Path) -> Table:
    """A table whose camera shows one photograph of a board again and again."""
    (folder / "pictures").mkdir()
    shutil.copy(PICTURES / "maka-bana-normal.jpg", folder / "pictures" / "1.jpg")
    table = evening.open_table(people=5)
    running = until(lambda: evening.running.table(table.row.id))
    file = TableFile("Window", "tags.json", boards=("maka-bana",), camera=Camera(str(folder / "pictures"), 1280, 960))
    running.equip(Real(file, Register(), folder, pins="mock"))
    return table


def with_readers(evening: WebEvening, known: int) -> Table:
    """A virtual table on which all cards but so many have lost their tags; the tikis are at home in their rail."""
    table = evening.open_table(people=3)
    running = until(lambda: evening.running.table(table.row.id))
    running.equip(Virtual(is_direct=True))
    until(lambda: running.readers is not None and running.readers.hub is not None and len(running.readers.lying) == 3)
    pieces = {uid: piece for uid, piece in running.readers.register.items() if piece.kind == "card"}
    tikis = {uid: piece for uid, piece in running.readers.register.items() if piece.kind == "tiki"}
    running.readers.learn(Register(dict(list(pieces.items())[:known]) | tikis))
    return table


def test_a_camera_is_calibrated_by_following_the_page(browser: Browser, evening: WebEvening, tmp_path: Path) -> None:
    table = with_camera(evening, tmp_path)
    phone = staff_phone(browser, evening, "fr.light.normal", width=1920)
    phone.open("/staff/guide/camera")
    phone.page.click(f'a[href$="/{table.row.id}/camera"]')
    expect(phone.page.locator('[data-guide-colour="blue"].is-seen')).to_be_visible(timeout=120_000)
    expect(phone.page.locator(".guide-findings .is-fine").first).to_contain_text("maka-bana trouvé")
    assert phone.page.locator('[data-guide-colour="orange"]').get_attribute("class").count("is-seen") == 0
    assert axe_violations(phone.page) == []
    assert not scrolls_sideways(phone.page)
    phone.page.click("[data-guide-keep]")
    expect(phone.page.locator("[data-guide-advice]")).to_contain_text("Gardé")
    kept = tmp_path / "calibration-maka-bana.json"
    assert '"palette"' in kept.read_text("utf-8")
    running = evening.running.table(table.row.id)
    assert running is not None
    assert running.camera.is_calibrated("maka-bana")
    assert phone.complaints == []
    phone.close()


def test_a_look_that_is_not_the_newest_is_not_kept(evening: WebEvening, staff: FlaskClient) -> None:
    table = evening.open_table(is_virtual=True)
    for args in ([], ["7"], ["x"]):
        answer = do(staff, table, "camera", "keep", *args)
        assert answer["refusal"]["code"] == "look_gone"
        assert "newest" in answer["refusal"]["text"]
    assert do(staff, table, "camera", "look", "atlantis")["accepted"] is False


def test_a_table_without_camera_or_readers_is_told_so(evening: WebEvening, staff: FlaskClient) -> None:
    table = evening.open_table()
    assert "no camera" in staff.get(f"/staff/t/{table.row.id}/camera").get_data(as_text=True)
    assert "no readers" in staff.get(f"/staff/t/{table.row.id}/tags").get_data(as_text=True)
    assert do(staff, table, "tags", "begin")["refusal"]["code"] == "enrol_no_reader"


def test_tags_are_enrolled_by_following_the_page(browser: Browser, evening: WebEvening) -> None:
    table = with_readers(evening, known=1)
    readers = evening.running.table(table.row.id).readers
    phone = staff_phone(browser, evening, "fr.dark.normal")
    phone.open(f"/staff/t/{table.row.id}/tags")
    said, hand = phone.page.locator("[data-tag-said]"), lambda arg: phone.page.click(f'[data-tag-arg="{arg}"]')
    phone.page.click('[data-tag-do="begin"]')
    expect(said).to_contain_text("Posez la carte")
    asked = said.inner_text()
    hand("asked")
    expect(said).not_to_have_text(asked)  # it has its tag, and asks for it to be taken off
    phone.page.click('[data-tag-do="lift"]')
    expect(said).to_contain_text("Posez la carte")
    assert len(readers.register) == 5

    hand("other")  # a piece that is known already: a question, and neither answer loses anything
    expect(phone.page.locator("[data-tag-doubt]")).to_be_visible()
    assert axe_violations(phone.page) == []
    assert not scrolls_sideways(phone.page)
    before = dict(readers.register)
    phone.page.click('[data-tag-do="no"]')
    expect(phone.page.locator("[data-tag-doubt]")).to_be_hidden()
    assert dict(readers.register) == before
    phone.page.click('[data-tag-do="lift"]')
    hand("other")
    phone.page.click('[data-tag-do="yes"]')
    expect(phone.page.locator("[data-tag-doubt]")).to_be_hidden()
    until(lambda: dict(readers.register) != before)
    assert set(readers.register) == set(before)  # the tags are the same, one of them is another piece's
    assert phone.complaints == []
    phone.close()


def test_a_piece_may_be_skipped_and_its_tag_freed(evening: WebEvening, staff: FlaskClient) -> None:
    table = with_readers(evening, known=2)
    readers = evening.running.table(table.row.id).readers
    address = f"/staff/t/{table.row.id}/tags.json"
    do(staff, table, "tags", "begin")
    first = staff.get(address).json["now"]["piece"]
    do(staff, table, "tags", "skip")
    assert staff.get(address).json["now"]["piece"] != first
    do(staff, table, "tags", "back")
    assert staff.get(address).json["now"]["piece"] == first
    known = staff.get(address).json["known"]
    do(staff, table, "tags", "forget", known[0]["piece"])
    assert len(readers.register) == 4
    assert do(staff, table, "tags", "forget", known[0]["piece"])["refusal"]["code"] == "piece_without_tag"
    do(staff, table, "tags", "end")
    assert staff.get(address).json["now"] is None


def test_an_enrolled_tag_is_kept_in_the_tables_file(tmp_path: Path, evening: WebEvening) -> None:
    from companion.devices.clock import SystemClock
    from companion.devices.tags import read_register
    from companion.house.sensors import Sensors
    from companion.table.observations import Piece

    sensors = Sensors(evening.open_table(), TableFile("Bar", "tags.json"), Register(), tmp_path, SystemClock(), "mock")
    sensors.learn(Register({"04AABBCCDDEEFF": Piece("tiki", "blue")}))
    assert dict(read_register(tmp_path / "tags.json")) == {"04AABBCCDDEEFF": Piece("tiki", "blue")}
    assert len(sensors.register) == 1


@pytest.mark.parametrize("guide", ["camera", "tags"])
def test_the_guides_need_the_pin_and_know_their_commands(evening: WebEvening, staff: FlaskClient, guide: str) -> None:
    table, stranger = evening.open_table(), evening.app.test_client()
    address = f"/staff/t/{table.row.id}/{guide}"
    assert stranger.get(address).status_code == 302
    assert stranger.get(f"{address}.json").status_code == 302
    body = {"key": "k", "do": "dance", "args": []}
    assert stranger.post(f"{address}/do", json=body, headers=SCRIPT).status_code == 403
    assert staff.post(f"{address}/do", json=body, headers=SCRIPT).status_code == 400
    assert staff.post(f"{address}/do", json=[], headers=SCRIPT).status_code == 400
    assert staff.get(f"/staff/t/nowhere/{guide}").status_code == 404
