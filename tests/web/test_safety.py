"""The attack list of web/README.md, one test (or more) for each line."""

from __future__ import annotations

import re
import socket
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient

from tests.web.house import CONFIG, OneTable
from web.app import create_app
from web.config import Config, Rate
from web.preferences import COOKIE
from web.services import Services

OURS = {"X-Makabana": "1"}
SAME = {"Origin": "http://localhost"}
PAGES = ("/", "/photo", "/islands", "/islands/6", "/editor", "/nothing", "/manifest.webmanifest", "/api/health")


@pytest.mark.parametrize("page", PAGES)
def test_every_answer_carries_the_headers(client: FlaskClient, page: str) -> None:
    headers = client.get(page).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "microphone=()" in headers["Permissions-Policy"]
    assert "no-store" in headers["Cache-Control"]


@pytest.mark.parametrize("page", ["/", "/photo", "/islands", "/editor", "/nothing"])
def test_no_page_has_inline_script_or_style_or_an_outside_address(client: FlaskClient, page: str) -> None:
    html = client.get(page).get_data(as_text=True)
    assert not re.search(r"<script(?![^>]*(?:src=|application/json))", html)
    assert not re.search(r"<style|\sstyle=|\son\w+=", html)
    addresses = re.findall(r'(?:src|href|action)="([^"]+)"', html)
    assert addresses
    assert [found for found in addresses if urlsplit(found).netloc] == []


@pytest.mark.parametrize("host", ["evil.example", "makabana.local.evil.example", "127.0.0.1.evil.example", "[bad", ""])
def test_a_foreign_host_name_is_not_answered(client: FlaskClient, host: str) -> None:
    assert client.get("/api/health", headers={"Host": host}).status_code in (400, 421)


@pytest.mark.parametrize("host", ["localhost", "makabana.local:8000", "192.168.4.1", "10.0.0.7:80", "[::1]:8000"])
def test_our_names_and_bare_addresses_are_answered(client: FlaskClient, host: str) -> None:
    assert client.get("/api/health", headers={"Host": host}).status_code == 200


def test_as_access_point_strange_names_are_shown_the_way(services: Services) -> None:
    config = CONFIG._replace(is_captive=True, address="http://makabana.local")
    client = create_app(config, OneTable(), services).test_client()
    answer = client.get("/generate_204", headers={"Host": "connectivitycheck.example"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "http://makabana.local")
    assert client.post("/look", headers={"Host": "evil.example", "Origin": "http://evil.example"}).status_code == 421


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost.evil.example"}, 403),
        ({"Origin": "http://evil.example", **OURS}, 403),
        ({"Sec-Fetch-Site": "cross-site", **SAME}, 403),
        ({"Sec-Fetch-Site": "same-site", **SAME}, 403),
        ({"Sec-Fetch-Site": "cross-site", **OURS}, 403),
        (SAME, 303),
        ({"Sec-Fetch-Site": "same-origin", **SAME}, 303),
        (OURS, 303),
    ],
)
def test_only_our_own_pages_may_change_something(client: FlaskClient, headers: dict[str, str], status: int) -> None:
    assert client.post("/look", data={"theme": "dark"}, headers=headers).status_code == status


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_commands_must_be_json_of_our_script(client: FlaskClient, kind: str) -> None:
    body = b'{"trace": 1}'
    post = client.post
    assert post("/api/boards/check", data=body, content_type=kind, headers={**SAME, **OURS}).status_code == 415
    assert post("/api/boards/check", data=body, content_type="application/json", headers=SAME).status_code == 403


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"[" * 5000, b'{"a": 1, "a": 2}', b"NaN"])
def test_json_that_is_none_is_refused(client: FlaskClient, body: bytes) -> None:
    answer = client.post("/api/boards/check", data=body, content_type="application/json", headers=OURS)
    assert answer.status_code in (200, 400)
    assert answer.is_json
    assert "Traceback" not in answer.get_data(as_text=True)


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(client: FlaskClient) -> None:
    cookie = client.post("/look", data={"theme": "dark"}, headers=SAME).headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Secure" not in cookie


def test_over_https_cookies_and_browser_stay_there(services: Services) -> None:
    client = create_app(CONFIG._replace(is_https=True), OneTable(), services).test_client()
    answer = client.post("/look", data={"theme": "dark"}, headers=SAME)
    assert "Secure" in answer.headers["Set-Cookie"]
    assert "max-age" in answer.headers["Strict-Transport-Security"]


@pytest.mark.parametrize("value", ["<script>.dark.huge", 'fr."><x.y', "a.b.c.d.e", "." * 2000, "fr"])
def test_a_forged_cookie_changes_nothing(client: FlaskClient, value: str) -> None:
    client.set_cookie(COOKIE, value)
    html = client.get("/").get_data(as_text=True)
    assert 'data-theme="auto"' in html or 'data-theme="dark"' in html
    assert "<script>." not in html


@pytest.mark.parametrize(
    "back", ["//evil.example", "http://evil.example/x", "/\\evil.example", "javascript:alert(1)", ""]
)
def test_the_way_back_never_leaves_us(client: FlaskClient, back: str) -> None:
    place = client.post("/look", data={"theme": "dark", "back": back}, headers=SAME).headers["Location"]
    assert place.startswith("/")
    assert not place.startswith("//")


@pytest.mark.parametrize(
    "path", ["/static/x/../app.py", "/static/x/%2e%2e/app.py", "/static/x//etc/passwd", "/static/x/"]
)
def test_no_path_leads_out_of_the_static_files(client: FlaskClient, path: str) -> None:
    assert client.get(path, follow_redirects=True).status_code == 404


def test_a_photo_over_the_limit_is_refused_kindly(services: Services) -> None:
    client = create_app(CONFIG._replace(most_upload_bytes=2_000_000), OneTable(), services).test_client()
    answer = client.post("/api/photo", data=b"x" * 2_000_001, content_type="image/jpeg", headers=OURS)
    assert answer.status_code == 413
    assert "2 MB" in answer.json["error"]["text"]


@pytest.mark.parametrize("kind", ["image/svg+xml", "text/html", "application/octet-stream"])
def test_only_pictures_are_taken(client: FlaskClient, kind: str) -> None:
    assert client.post("/api/photo", data=b"x", content_type=kind, headers=OURS).status_code == 415


def test_json_over_the_limit_is_refused(services: Services) -> None:
    client = create_app(CONFIG._replace(most_json_bytes=100), OneTable(), services).test_client()
    body = b'{"trace": 1, "x": "' + b"y" * 100 + b'"}'
    answer = client.post("/api/boards/check", data=body, content_type="application/json", headers=OURS)
    assert answer.status_code == 413


def test_a_form_with_very_many_parts_is_refused(client: FlaskClient) -> None:
    answer = client.post("/photo", data={str(n): (b"x" * 10, "") for n in range(50)}, headers=SAME)
    assert answer.status_code in (400, 413)


def test_asking_too_often_is_told_when_to_come_back(services: Services) -> None:
    client = create_app(CONFIG._replace(pages=Rate(3, 6)), OneTable(), services).test_client()
    answers = [client.get("/api/health") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert int(answers[-1].headers["Retry-After"]) >= 1
    assert answers[-1].headers["Retry-After"] in answers[-1].json["error"]["text"]
    elsewhere = client.get("/api/health", environ_base={"REMOTE_ADDR": "10.9.9.9"})
    assert elsewhere.status_code == 200


def test_guessing_codes_is_slowed_by_address(services: Services) -> None:
    client = create_app(CONFIG._replace(codes=Rate(3, 6)), OneTable(), services).test_client()
    codes = ["AAAA", "AAAB", "AAAC", "AAAD", "PALM"]
    statuses = [client.post("/join", data={"code": code}, headers=SAME).status_code for code in codes]
    assert statuses == [404, 404, 404, 429, 429]


def test_guessing_codes_from_many_addresses_is_slowed_too(services: Services) -> None:
    client = create_app(CONFIG._replace(codes_of_all=Rate(5, 6)), OneTable(), services).test_client()
    statuses = [
        client.post(
            "/join", data={"code": "AAAA"}, headers=SAME, environ_base={"REMOTE_ADDR": f"10.0.0.{n}"}
        ).status_code
        for n in range(7)
    ]
    assert statuses == [404] * 5 + [429] * 2


def test_a_right_code_costs_nothing(services: Services) -> None:
    client = create_app(CONFIG._replace(codes=Rate(2, 6)), OneTable(), services).test_client()
    answers = [client.post("/join", data={"code": " palm "}, headers=SAME) for _ in range(5)]
    assert {(answer.status_code, answer.headers["Location"]) for answer in answers} == {(303, "/t/PALM")}


@pytest.mark.parametrize("code", ["<b>x", "'\"><", "A" * 5000, "ÄÖÜß", "\x00\x01"])
def test_a_strange_code_is_shown_harmlessly(client: FlaskClient, code: str) -> None:
    answer = client.post("/join", data={"code": code}, headers=SAME)
    assert answer.status_code == 404
    assert code[:4] == "" or "<b>" not in answer.get_data(as_text=True)


def test_a_failing_page_keeps_its_insides_to_itself(services: Services) -> None:
    class Broken(OneTable):
        def table_by_code(self, code: str) -> str | None:
            raise RuntimeError("secret detail")

    app = create_app(CONFIG, Broken(), services)
    app.logger.disabled = True
    answer = app.test_client().post("/join", data={"code": "PALM"}, headers=SAME)
    text = answer.get_data(as_text=True)
    assert answer.status_code == 500
    assert "Something broke on our side." in text
    assert "secret" not in text
    assert "Traceback" not in text


@pytest.mark.parametrize(("language", "text"), [("en", "only sea"), ("fr", "rien que la mer")])
def test_error_pages_speak_both_languages(client: FlaskClient, language: str, text: str) -> None:
    assert text in client.get("/nothing", headers={"Accept-Language": language}).get_data(as_text=True)
    assert text in client.get("/api/nothing", headers={"Accept-Language": language}).json["error"]["text"]


def test_other_methods_are_refused_with_those_that_go(client: FlaskClient) -> None:
    answer = client.delete("/api/health", headers=OURS)
    assert answer.status_code == 405
    assert "GET" in answer.headers["Allow"]


def test_streams_of_one_address_are_bounded(services: Services) -> None:
    client = create_app(CONFIG._replace(most_streams_per_address=2), OneTable(), services).test_client()
    job = client.post("/api/photo", data=b"no picture", content_type="image/jpeg", headers=OURS).json["job"]
    streams = [client.get(f"/api/photo/{job}/stream", buffered=False) for _ in range(3)]
    assert [stream.status_code for stream in streams] == [200, 200, 429]
    for stream in streams:
        stream.close()
    again = client.get(f"/api/photo/{job}/stream", buffered=False)
    assert again.status_code == 200
    again.close()


def test_job_names_can_not_be_guessed(services: Services) -> None:
    names = {services.photos.start(b"x", []) for _ in range(3)} - {None}
    assert all(len(name) >= 24 for name in names)


def test_a_phone_that_never_ends_its_question_is_given_up(address: str) -> None:
    place = urlsplit(address)
    with socket.create_connection((place.hostname, place.port), 30) as link:
        link.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        link.sendall(b"x" * 20_000)
        answer = link.recv(4096)
    assert answer == b"" or b" 4" in answer.split(b"\r\n")[0]


def test_defaults_are_safe() -> None:
    config = Config()
    assert not config.is_captive
    assert config.most_upload_bytes <= 30_000_000
    assert config.codes.per_minute <= 12
