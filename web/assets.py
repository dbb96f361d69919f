"""Static files under an address that changes with their content, so that phones may keep them for ever."""

from __future__ import annotations

import gzip
from functools import cache
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

from flask import Blueprint, Response, abort, request

blueprint = Blueprint("assets", __name__)
FOR_EVER = "public, max-age=31536000, immutable"
TYPES = {
    "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml; charset=utf-8",
    "png": "image/png", "webmanifest": "application/manifest+json", "yaml": "application/yaml; charset=utf-8",
}  # fmt: skip


class Asset(NamedTuple):
    type: str
    content: bytes
    packed: bytes | None  # as gzip, where that is smaller


@cache
def assets() -> dict[str, Asset]:
    """All static files by path. They are few and small, and a path that is not listed can't be asked for."""
    return {name: _asset(name, file.read_bytes()) for name, file in _files(resources.files("web").joinpath("static"))}


def _files(folder: Traversable, prefix: str = "") -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            found += _files(entry, f"{prefix}{entry.name}/")
        elif entry.name.rpartition(".")[2] in TYPES:
            found.append((prefix + entry.name, entry))
    return found


def _asset(name: str, content: bytes) -> Asset:
    packed = gzip.compress(content, 9, mtime=0)
    return Asset(TYPES[name.rpartition(".")[2]], content, packed if len(packed) < len(content) else None)


@cache
def build() -> str:
    """A short name for all static files together."""
    digest = sha256()
    for name, asset in assets().items():
        digest.update(name.encode() + b"\0" + asset.content)
    return digest.hexdigest()[:12]


def asset_url(name: str) -> str:
    """The address of a static file. Raises `KeyError` for one that is not there, so that a typo is found at once."""
    assets()[name]
    return f"/static/{build()}/{name}"


@blueprint.get("/static/<version>/<path:name>")
def static_file(version: str, name: str) -> Response:
    asset = assets().get(name)
    if asset is None:
        abort(404)
    is_packed = asset.packed is not None and "gzip" in request.headers.get("Accept-Encoding", "")
    response = Response(asset.packed if is_packed else asset.content, content_type=asset.type)
    response.headers["Vary"] = "Accept-Encoding"
    response.headers["Cache-Control"] = FOR_EVER if version == build() else "no-cache"
    if is_packed:
        response.headers["Content-Encoding"] = "gzip"
    return response


def pack(response: Response) -> Response:
    """Pages as gzip. They hold no secret that a stranger's words could be mixed with to guess it by its length."""
    is_page = response.mimetype in ("text/html", "application/json") and not response.is_streamed
    wanted = "gzip" in request.headers.get("Accept-Encoding", "")
    if is_page and wanted and response.status_code == 200 and "Content-Encoding" not in response.headers:
        content = response.get_data()
        if len(content) > 1200:
            response.set_data(gzip.compress(content, 6, mtime=0))
            response.headers["Content-Encoding"] = "gzip"
            response.headers["Vary"] = "Accept-Encoding, Cookie"
    return response
