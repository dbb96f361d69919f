"""What a house chooses about its pages. Everything has a default that is safe on a home network."""

from __future__ import annotations

from typing import NamedTuple

MEGABYTE = 1_000_000


class Rate(NamedTuple):
    """So many at once, then `per_minute` more each minute."""

    burst: int
    per_minute: float


class Config(NamedTuple):
    """`hosts` are the names this house is called by; addresses made of numbers are always answered."""

    hosts: tuple[str, ...] = ("makabana.local", "localhost")
    address: str = "http://makabana.local"  # where phones find us, shown and put into QR codes
    is_captive: bool = False  # as its own access point it answers for every name, by sending phones to `address`
    is_https: bool = False
    languages: tuple[str, ...] = ("en", "fr")
    most_upload_bytes: int = 25 * MEGABYTE
    most_json_bytes: int = 400_000
    most_streams_per_address: int = 40  # a whole café may share one address, a single phone needs two
    heartbeat_s: float = 15.0
    pages: Rate = Rate(200, 600)
    commands: Rate = Rate(60, 240)
    uploads: Rate = Rate(6, 12)
    codes: Rate = Rate(8, 12)  # wrong table codes, by address
    codes_of_all: Rate = Rate(40, 60)  # and from everybody together, so that many addresses do not help
