"""The table's screen: a TV or tablet that everybody sees, so it has the public view and nothing else."""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify, render_template

from web.language import language
from web.pages.maps import PICTURE, table_map
from web.pages.seats import join_link, qr_svg
from web.panels import screen_snapshot
from web.parts import parts
from web.shows import show_of
from web.stream import stream
from web.tables import evening, table_of
from web.words import Words

blueprint = Blueprint("screen", __name__)


@blueprint.get("/screen/<code>")
def table(code: str) -> str:
    found = table_of(code)
    snapshot = screen_snapshot(found, language())
    link = join_link(found)
    return render_template(
        "screen/screen.html",
        table=found.row,
        snapshot=snapshot,
        regions=snapshot["regions"],
        map=table_map(found, PICTURE, is_column=False),
        link=link,
        is_flat=len((found.session.header or {}).get("boards", [])) == 2,  # islands side by side leave room below
        qr=qr_svg(link),
        words=Words(language(), str((found.session.header or {}).get("game", "makabana"))),
        badge=show_of(str((found.session.header or {}).get("game"))).badge,
        has_picture=evening().live.picture(found.row.id, is_inset=True) is not None,
    )


@blueprint.get("/screen/<code>/stream")
def follow(code: str) -> Response:
    found, spoken = table_of(code), language()
    return stream(found, lambda: screen_snapshot(found, spoken), parts().streams, parts().config.heartbeat_s)


@blueprint.get("/screen/<code>/snapshot")
def snapshot(code: str) -> Response:
    return jsonify(screen_snapshot(table_of(code), language()))


@blueprint.get("/screen/<code>/camera.jpg")
def camera(code: str) -> Response:
    """The newest camera picture with what was read drawn onto it, else the plain one."""
    found = table_of(code)
    live, table_id = evening().live, found.row.id
    if not show_of(str((found.session.header or {}).get("game"))).is_camera_public:
        abort(404)  # it would show a player what only the other may see
    picture = live.picture(table_id, is_inset=True) or live.picture(table_id, is_inset=False)
    if picture is None:
        abort(404)
    return Response(picture, mimetype="image/jpeg")
