"""The JSON interface of tables, screens, virtual boards and the staff's guides is what its document says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings

from companion.house.equipment import Virtual
from tests.web.evening import PIN, WebEvening, seat_everybody, until
from tests.web.test_openapi import CHECKS, DOCUMENT
from web.pages.staff import COOKIE
from web.tables import SEAT_COOKIE

EXAMPLES = 12
PART = "^/(t|screen|virtual|staff)/"


class House:
    """One table with a game under way, a seat's cookie and the staff's: what a phone of somebody in the house has."""

    def __init__(self) -> None:
        self.evening = WebEvening()
        table = self.evening.open_table()
        token = seat_everybody(self.evening, table)["violet"]
        running = until(lambda: self.evening.running.table(table.row.id))
        running.equip(Virtual(is_direct=True))
        until(lambda: running.readers is not None and running.readers.hub is not None)
        self.code, self.table_id = table.row.code, table.row.id
        client = self.evening.app.test_client()
        client.post("/staff/door", data={"pin": PIN}, headers={"Origin": "http://localhost"})
        staff = client.get_cookie(COOKIE, path="/staff")
        assert staff is not None
        self.cookies = f"{SEAT_COOKIE}{table.row.id}={token}; {COOKIE}={staff.value}"


HOUSES: list[House] = []  # the one that is open while the tests run


def table_app(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    """The house's pages: schemathesis wants them before there is a house."""
    answer: Iterable[bytes] = HOUSES[0].evening.app(environ, start)
    return answer


SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
SCHEMA.app = table_app
# Streams have no end, so they are followed in other tests.
SCHEMA = SCHEMA.include(path_regex=PART).exclude(path_regex="stream$")


@pytest.fixture(scope="module", autouse=True)
def house() -> Iterator[House]:
    HOUSES.append(House())
    yield HOUSES[0]
    HOUSES.pop().evening.stop()


@SCHEMA.parametrize()
@settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)  # fmt: skip
def test_answers_are_as_documented(case: schemathesis.Case) -> None:
    house = HOUSES[0]
    for name, real in (("code", house.code), ("table_id", house.table_id)):
        if name in case.path_parameters and len(case.path_parameters[name]) % 3:  # a few tables are not there
            case.path_parameters[name] = real
    if case.query and len(str(case.query.get("as", ""))) % 2:
        case.query["as"] = "violet"
    headers = {"Accept-Encoding": "identity", "Cookie": house.cookies}
    case.validate_response(case.call(base_url="http://localhost", headers=headers), checks=CHECKS)


def test_every_table_route_that_answers_json_is_documented(house: House) -> None:
    written = {
        (path, method) for path, item in DOCUMENT["paths"].items() for method in item if method in ("get", "post")
    }
    known = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in house.evening.app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert {entry for entry in written if re.match(PART, entry[0])} <= known
    answering = re.compile(r"/(snapshot|stream|try|clock|board|drag)$|\.json$|^/t/{code}/do$|/(camera|tags)/do$")
    missing = {entry for entry in known if re.match(PART, entry[0]) and answering.search(entry[0])} - written
    assert {entry for entry in missing if "learn" not in entry[0]} == set()
