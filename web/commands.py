"""Commands from phones: JSON with a key and the version on the screen, answered by JSON with a sentence."""

from __future__ import annotations

from typing import Any, Protocol

from flask import Response, abort, jsonify, request

from companion.games.protocol import Event, FormatError, Refusal
from companion.games.record import loads_strictly
from companion.games.texts import say
from companion.table.entries import Answer, Command
from web.language import _l, language
from web.parts import parts
from web.safety import OUR_HEADER

# Refusals that no game knows.
WORDS = {
    "photo_not_ready": _l("The photo is not read yet; wait a moment."),
    "command_unreadable": _l("We could not read that. Reload the page and try again."),
}


class Doer(Protocol):
    def do(self, command: Command) -> Answer: ...


def json_body() -> Any:
    """The JSON of a request that our own script sent. Ends the request with 403, 413, 415 or 400 otherwise."""
    if request.headers.get(OUR_HEADER) != "1":
        abort(403)
    if request.mimetype != "application/json":
        abort(415)
    request.max_content_length = parts().config.most_json_bytes  # reading more ends the request with 413
    try:
        return loads_strictly(request.get_data(cache=False).decode("utf-8"))
    except (FormatError, UnicodeDecodeError):
        abort(400)


def carry_out(doer: Doer, seat: str | None = None) -> tuple[Response, int]:
    """Parses the request's command, has it done and answers. A refusal is an answer too: status 409."""
    try:
        command = Command.from_json(json_body(), seat)
    except FormatError as error:
        return jsonify(refused(error.problems[0], 0)), 400
    answer = doer.do(command)
    if answer.refusal is None:
        return jsonify(answer.to_json()), 200
    return jsonify(refused(answer.refusal, answer.version)), 409


def refused(why: Event | Refusal, version: int) -> dict[str, Any]:
    """A refusal with its sentence in the phone's language."""
    text = str(WORDS[why.code]) if why.code in WORDS else say(why, language())
    refusal = {**why.to_json(), "text": text}
    return {"accepted": False, "version": version, "refusal": refusal}
