"""Tells the local network that the house answers at `makabana.local`."""

from __future__ import annotations

import logging
import socket
from types import TracebackType
from typing import Self

log = logging.getLogger(__name__)
NAME = "makabana"


class Announcement:
    """The house's name on the network, for as long as it is open. Where that can't be, addresses still work."""

    def __init__(self, address: str, port: int, name: str = NAME) -> None:
        self._address, self._port, self._name = address, port, name
        self._zeroconf: object | None = None

    def open(self) -> Self:
        """Never raises: a network that knows no such names is no reason not to play."""
        from zeroconf import ServiceInfo, Zeroconf

        info = ServiceInfo(
            "_http._tcp.local.",
            f"{self._name}._http._tcp.local.",
            addresses=[socket.inet_aton(self._address)],
            port=self._port,
            server=f"{self._name}.local.",
        )
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
                probe.bind((self._address, 0))  # zeroconf would leave its socket open where this fails
            zeroconf = Zeroconf(interfaces=[self._address])
            self._zeroconf = zeroconf
            zeroconf.register_service(info, allow_name_change=True)
        except OSError as error:
            log.warning("%s.local can't be announced on %s: %s", self._name, self._address, error)
        return self

    def close(self) -> None:
        """May be called twice."""
        from zeroconf import Zeroconf

        zeroconf, self._zeroconf = self._zeroconf, None
        if isinstance(zeroconf, Zeroconf):
            zeroconf.unregister_all_services()
            zeroconf.close()

    def __enter__(self) -> Self:
        return self.open()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
