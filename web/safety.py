"""What every request must pass and every answer carries. The attacks these stop are listed in README.md."""

from __future__ import annotations

from ipaddress import ip_address
from typing import NoReturn
from urllib.parse import urlsplit

from flask import Flask, Response, abort, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from web.config import Config
from web.limits import Limiter

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
OUR_HEADER = "X-Makabana"  # a page of another origin can't send it without asking first, which we never allow
CSP = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not "no-referrer": that would make browsers hide the Origin of our own forms, too.
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=(), payment=(), usb=()",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_HSTS = "max-age=31536000"


def guard(app: Flask, config: Config) -> None:
    """Puts the checks before every request of the app and the headers behind it."""
    pages, commands = Limiter(config.pages), Limiter(config.commands)

    @app.before_request
    def check() -> AnyResponse | None:
        if not is_our_host(request.host, config):
            return _elsewhere(config)
        _check_rate(pages if request.method in SAFE_METHODS else commands)
        if request.method not in SAFE_METHODS and not is_our_page():
            abort(403)
        return None

    @app.after_request
    def harden(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if config.is_https:
            response.headers.setdefault("Strict-Transport-Security", _HSTS)
        response.headers.setdefault("Cache-Control", "no-store")
        return response


def is_our_host(host: str, config: Config) -> bool:
    """Whether a Host header names us. A name is needed for DNS rebinding, so bare addresses are harmless."""
    name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    if name in config.hosts:
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _elsewhere(config: Config) -> AnyResponse:
    """A phone that asks our access point for some other place is shown the way; anybody else is refused."""
    if config.is_captive and request.method in SAFE_METHODS:
        return redirect(config.address, code=302)
    abort(421)


def _check_rate(limiter: Limiter) -> None:
    if request.path.startswith("/static/"):
        return
    slow_down(limiter, client())


def slow_down(limiter: Limiter, key: str) -> None:
    """Takes a token for the key, or ends the request with 429 and when to come back."""
    wait = limiter.take(key)
    if wait:
        too_often(wait)


def too_often(wait_s: float) -> NoReturn:
    """Ends the request with 429; the error page tells after how many seconds to come back."""
    request.environ["makabana.wait"] = max(1, round(wait_s + 0.5))
    abort(429)


def client() -> str:
    """Whom a request comes from, for limits. No proxy is trusted to say."""
    return request.remote_addr or "unknown"


def is_our_page() -> bool:
    """Whether a request that changes something was sent by a page of ours, and by the browser's own word."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None and site != "same-origin":
        return False
    origin = request.headers.get("Origin")
    if origin is not None:
        return urlsplit(origin).netloc == request.host
    # Old browsers and programs send no Origin: they must send our own header.
    return site == "same-origin" or request.headers.get(OUR_HEADER) == "1"
