"""The first page: join a table, score a photo, look around."""

from __future__ import annotations

import re
from importlib import resources

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion import __version__
from web.assets import asset_url, assets
from web.language import _
from web.parts import parts
from web.safety import client, slow_down, too_often

blueprint = Blueprint("welcome", __name__)
CODE = re.compile(r"[A-Z]{4}")
EVERYBODY = "everybody"


@blueprint.get("/")
def home() -> str:
    return render_template("welcome.html", code="", problem="")


@blueprint.post("/join")
def join() -> AnyResponse | tuple[str, int]:
    """From four letters to a table. Wrong letters cost tokens, one's own and everybody's, so guessing is slow."""
    found = parts()
    wait = max(found.codes.wait(client()), found.codes_of_all.wait(EVERYBODY))
    if wait:
        too_often(wait)
    code = request.form.get("code", "")[:20].strip().upper()
    table = found.house.table_by_code(code) if CODE.fullmatch(code) else None
    if table is None:
        slow_down(found.codes, client())
        slow_down(found.codes_of_all, EVERYBODY)
        return render_template(
            "welcome.html", code=code[:4], problem=_("No table has this code. Look at its screen again.")
        ), 404
    return redirect(f"/t/{code}", code=303)


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    """Lets phones put the page on their first screen."""
    icons = [
        {"src": asset_url(f"icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"} for size in (192, 512)
    ]
    content = {
        "name": "Maka Bana",
        "short_name": "Maka Bana",
        "start_url": url_for("welcome.home"),
        "display": "standalone",
        "background_color": "#fbf3e0",
        "theme_color": "#0e5a6b",
        "icons": icons,
    }
    response = jsonify(content)
    response.mimetype = "application/manifest+json"
    return response


@blueprint.get("/favicon.ico")
def favicon() -> Response:
    return Response(assets()["icon.svg"].content, content_type="image/svg+xml")


@blueprint.get("/api/health")
def health() -> Response:
    return jsonify({"ok": True, "version": __version__})


@blueprint.get("/api/openapi.yaml")
def document() -> Response:
    """What the JSON interface takes and gives."""
    text = resources.files("web").joinpath("openapi.yaml").read_text(encoding="utf-8")
    return Response(text, content_type="application/yaml; charset=utf-8")
