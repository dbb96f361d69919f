"""What each phone likes: language, day or dusk, size of letters. Kept in one cookie, changed without JavaScript."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from web.parts import parts

COOKIE = "makabana_look"
A_YEAR_S = 365 * 24 * 3600
CHOICES = {"language": ("en", "fr"), "theme": ("auto", "light", "dark"), "text": ("normal", "large", "huge")}

blueprint = Blueprint("preferences", __name__)


class Preferences(NamedTuple):
    """An empty language means: whatever the browser says."""

    language: str = ""
    theme: str = "auto"
    text: str = "normal"

    def cookie(self) -> str:
        return ".".join(self)


def preferences() -> Preferences:
    """Those of this request's phone; whatever a cookie says that is no choice of ours is ignored."""
    words = request.cookies.get(COOKIE, "").split(".")
    known = {key: word for (key, allowed), word in zip(CHOICES.items(), words, strict=False) if word in allowed}
    return Preferences(**known)


@blueprint.post("/look")
def change() -> Response:
    """Changes one or more choices and goes back to the page one came from."""
    chosen = {key: request.form[key] for key, allowed in CHOICES.items() if request.form.get(key) in allowed}
    response = redirect(_back(), code=303)
    keep(response, preferences()._replace(**chosen))
    return response


def keep(response: Response, chosen: Preferences) -> None:
    response.set_cookie(
        COOKIE,
        chosen.cookie(),
        max_age=A_YEAR_S,
        httponly=True,
        samesite="Strict",
        secure=parts().config.is_https,
        path="/",
    )


def _back() -> str:
    """Where the form was, as a path of our own: never another site, whatever the form says."""
    path = urlsplit(request.form.get("back", "/")).path
    return path if path.startswith("/") and not path.startswith("//") and "\\" not in path else "/"
