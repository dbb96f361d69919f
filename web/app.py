"""The application: one blueprint per area; a route parses, calls and renders."""

from __future__ import annotations

from flask import Flask

from web import assets, errors, language, preferences, safety
from web.config import MEGABYTE, Config
from web.drawing.scene import piece_token
from web.pages import boards, editor, learn, photo, welcome
from web.parts import put_parts
from web.services import House, Services

BLUEPRINTS = (assets.blueprint, preferences.blueprint, welcome.blueprint, boards.blueprint, photo.blueprint,
              editor.blueprint, learn.blueprint)  # fmt: skip


def create_app(config: Config, house: House, services: Services) -> Flask:
    """The pages of one house. `house` has the tables, `services` everything that is slow or needs other libraries."""
    app = Flask("web", static_folder=None)
    app.config.update(MAX_CONTENT_LENGTH=config.most_upload_bytes, MAX_FORM_MEMORY_SIZE=100_000, MAX_FORM_PARTS=20)
    put_parts(app, config, house, services)
    app.after_request(assets.pack)
    safety.guard(app, config)
    language.speak(app, config)
    errors.handle_errors(app, config.most_upload_bytes // MEGABYTE, config.address)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    _teach_templates(app)
    return app


def _teach_templates(app: Flask) -> None:
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(asset=assets.asset_url, language=language.language, token=piece_token)

    @app.context_processor
    def common() -> dict[str, object]:
        return {"preferences": preferences.preferences(), "has_page": lambda name: name in app.view_functions}
