"""What routes may ask for besides their request."""

from __future__ import annotations

from typing import NamedTuple

from flask import Flask, current_app

from web.config import Config
from web.limits import Gate, Limiter
from web.services import House, Services


class Parts(NamedTuple):
    config: Config
    house: House
    services: Services
    streams: Gate
    uploads: Limiter
    codes: Limiter
    codes_of_all: Limiter


def put_parts(app: Flask, config: Config, house: House, services: Services) -> None:
    app.extensions["makabana"] = Parts(
        config=config,
        house=house,
        services=services,
        streams=Gate(config.most_streams_per_address),
        uploads=Limiter(config.uploads),
        codes=Limiter(config.codes),
        codes_of_all=Limiter(config.codes_of_all),
    )


def parts() -> Parts:
    found: Parts = current_app.extensions["makabana"]
    return found


def end_streams(app: object) -> None:
    """Ends all open streams of an app, which its server must wait for. An app that is not ours has none."""
    found = getattr(app, "extensions", {}).get("makabana")
    if found is not None:
        found.streams.close()
