"""The house is found by its name on the local network."""

from __future__ import annotations

import socket

import pytest
from zeroconf import Zeroconf

from web.announce import Announcement

LOOPBACK = "127.0.0.1"


def test_the_house_is_found_by_its_name() -> None:
    with Announcement(LOOPBACK, 8080, "makabana-test"):
        seeker = Zeroconf(interfaces=[LOOPBACK])
        try:
            found = seeker.get_service_info("_http._tcp.local.", "makabana-test._http._tcp.local.", timeout=60_000)
        finally:
            seeker.close()
    if found is None:
        pytest.skip("this machine's loopback carries no multicast")
    assert (found.server, found.port) == ("makabana-test.local.", 8080)
    assert found.addresses == [socket.inet_aton(LOOPBACK)]


def test_a_network_without_names_is_no_reason_not_to_play(caplog: pytest.LogCaptureFixture) -> None:
    announcement = Announcement("192.0.2.1", 8080)  # an address that no machine has
    announcement.open()
    announcement.close()
    announcement.close()
    assert "can't be announced" in caplog.text
