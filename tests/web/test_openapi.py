"""The JSON interface is what its document says, whatever is sent to it."""

from __future__ import annotations

from importlib import resources

import pytest
import schemathesis
import yaml
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from companion.house.photo import PhotoJob
from companion.house.photo_score import Board, Seen
from companion.house.tracing import Tracer
from tests.web.house import CONFIG, OneTable
from web.app import create_app
from web.services import Services

DOCUMENT = yaml.safe_load(resources.files("web").joinpath("openapi.yaml").read_text("utf-8"))
CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
EXAMPLES = 25


class OneJob:
    """A desk with one job that is read already and takes every photo for it: the reader itself is tested elsewhere."""

    def __init__(self) -> None:
        self._job = PhotoJob()
        places = {"Danae-Lagon-Fleur": Seen("hut", "blue", None, 0.99, False, {})}
        self._job.add(Board("nadaa", places))

    def start(self, photo: bytes, boards: list[str], into: str | None = None) -> str:
        return "job"

    def job(self, name: str) -> PhotoJob | None:
        return self._job if name == "job" else None


APP = create_app(CONFIG, OneTable(), Services(OneJob(), Tracer()))
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
SCHEMA.app = APP
# The stream has no end, so it is followed in other tests.
SCHEMA = SCHEMA.include(path_regex="^/api/").exclude(path_regex="stream$")


@SCHEMA.parametrize()
@settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)  # fmt: skip
def test_answers_are_as_documented(case: schemathesis.Case) -> None:
    if "job" in case.path_parameters and len(case.path_parameters["job"]) % 2:
        case.path_parameters["job"] = "job"
    response = case.call(base_url="http://localhost", headers={"Accept-Encoding": "identity"})
    case.validate_response(response, checks=CHECKS)


def rules() -> set[tuple[str, str]]:
    """Every route of the JSON interface with its method, in the document's way of writing."""
    return {
        (rule.rule.replace("<", "{").replace(">", "}").replace("path:", ""), method.lower())
        for rule in APP.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/api/")
    }


@pytest.mark.parametrize("part", ["/api/health", "/api/boards", "/api/photo"])
def test_every_route_is_documented_and_every_document_is_a_route(part: str) -> None:
    written = {
        (path, method) for path, item in DOCUMENT["paths"].items() for method in item if method in ("get", "post")
    }
    assert {entry for entry in rules() if entry[0].startswith(part)} == {e for e in written if e[0].startswith(part)}


def test_the_document_is_served_to_whoever_asks(client: FlaskClient) -> None:
    answer = client.get("/api/openapi.yaml")
    assert answer.status_code == 200
    assert yaml.safe_load(answer.get_data(as_text=True)) == DOCUMENT
