from collections.abc import Iterator

import pytest

from tests.devices.support import Mosquitto, has_mosquitto

BOARDS = ["north", "south"]


@pytest.fixture(scope="session")
def mosquitto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """One broker for all tests of a process; each test uses its own clients."""
    pytest.importorskip("paho.mqtt", reason="needs paho-mqtt (extra devices)")
    if not has_mosquitto():
        pytest.skip("needs mosquitto (Debian packages mosquitto and openssl)")
    broker = Mosquitto(tmp_path_factory.mktemp("broker"), BOARDS)
    yield broker
    broker.stop()
