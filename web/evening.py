"""All pages of an evening: those of `app.py`, and those that need tables."""

from __future__ import annotations

import secrets

from flask import Flask

from companion.table.entries import Store
from companion.table.house import House
from web.app import create_app
from web.chronicle import Chronicle
from web.config import Config
from web.live import Live
from web.pages import demo, guides, learn, numbers, play, screen, seats, staff, staff_photo, story, virtual
from web.services import Services
from web.tables import Doors, put_evening

PIN_DIGITS = 6
TABLE_BLUEPRINTS = (seats.blueprint, play.blueprint, screen.blueprint, virtual.blueprint, demo.blueprint,
                    staff.blueprint, staff_photo.blueprint, guides.blueprint, numbers.blueprint, learn.at_table,
                    story.blueprint)  # fmt: skip


def new_pin() -> str:
    """A PIN for the staff, to be shown once to whoever starts the house."""
    return f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}d}"


def create_evening_app(config: Config, house: House, store: Store, live: Live, services: Services, pin: str) -> Flask:
    """The pages of one evening. `store` is the house's own, `live` runs the tables, `pin` opens the staff's page."""
    app = create_app(config, Doors(house), services)
    put_evening(app, house, live, Chronicle(store), pin)
    for blueprint in TABLE_BLUEPRINTS:
        app.register_blueprint(blueprint)
    return app
