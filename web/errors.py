"""Kind error pages: what happened and what to do next, in the phone's language; JSON where JSON was asked for."""

from __future__ import annotations

from flask import Flask, Response, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException, InternalServerError

from web.language import _, _l
from web.safety import OUR_HEADER

# What happened, and what to do next.
WORDS = {
    400: (_l("We could not read that."), _l("Go back, and try once more.")),
    403: (_l("This did not come from one of our pages."), _l("Open our page itself and try there.")),
    404: (_l("There is nothing here, only sea."), _l("The address may be mistyped, or what was here is over.")),
    405: (_l("That can't be done here."), _l("Go back to the first page and take another way.")),
    413: (_l("That is too large."), _l("Photos may have up to %(most)s MB: choose a smaller picture.")),
    415: (_l("We can't use this kind of file."), _l("Send a photo as JPEG, PNG or WebP.")),
    421: (_l("This house goes by another name."), _l("Open %(address)s instead.")),
    429: (_l("Slowly, slowly."), _l("That was often in a short time. Try again in %(wait)s seconds.")),
    500: (_l("Something broke on our side."), _l("Nothing of your game is lost. Try again, or call the staff.")),
    503: (_l("Too many are waiting just now."), _l("Try again in a moment.")),
}  # fmt: skip


def handle_errors(app: Flask, most_upload_mb: int, address: str) -> None:
    """Every error of the app becomes a page of ours, or the same as JSON for scripts."""

    @app.errorhandler(HTTPException)
    def told(error: HTTPException) -> Response:
        code = error.code or 500
        known = code if code in WORDS else (500 if code >= 500 else 400)
        values = {"most": most_upload_mb, "address": address, "wait": request.environ.get("makabana.wait", 5)}
        what, next_step = (str(words) % values for words in WORDS[known])
        response = _as_json(known, what, next_step) if _wants_json() else _page(known, what, next_step)
        response.status_code = code
        if code == 429:
            response.headers["Retry-After"] = str(values["wait"])
        if isinstance(allowed := getattr(error, "valid_methods", None), list | tuple | set) and allowed:
            response.headers["Allow"] = ", ".join(sorted(allowed))
        return response

    @app.errorhandler(Exception)
    def broke(error: Exception) -> Response:
        app.logger.exception("A page failed: %s %s", request.method, request.path)
        try:
            return told(InternalServerError())
        except Exception:  # noqa: BLE001 - logged above; even a broken layout must not show its insides
            return Response(" ".join(map(str, WORDS[500])), status=500, mimetype="text/plain")


def _wants_json() -> bool:
    """Whether a script asked: below `/api/`, by our own header, or by sending JSON itself."""
    is_script = request.headers.get(OUR_HEADER) is not None or request.mimetype == "application/json"
    return is_script or request.path.startswith("/api/")


def _as_json(code: int, what: str, next_step: str) -> Response:
    return jsonify({"error": {"code": code, "text": f"{what} {next_step}"}})


def _page(code: int, what: str, next_step: str) -> Response:
    return make_response(render_template("error.html", code=code, what=what, next_step=next_step, title=_("Oh")))
