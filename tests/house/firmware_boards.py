"""Virtual readers that speak by the real firmware in MicroPython, on modelled chips, through real serial ports."""

from pathlib import Path

from companion.devices.hub import Hub
from companion.devices.serial_link import SerialLink
from tests.firmware.node import FirmwareNode, default_config

UNHURRIED = {"poll": {"removal_ms": 900, "period_ms": 150}}  # several boards share one small machine


class FirmwareBoards:
    """One MicroPython per reader board, in folders of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.nodes: dict[str, FirmwareNode] = {}
        self._link: SerialLink | None = None

    def open(self, hub: Hub) -> None:
        for node in hub.table.nodes:
            folder = self._folder / node.name
            folder.mkdir(parents=True, exist_ok=True)
            config = {**default_config(list(node.readers)), "node": node.name, **UNHURRIED}
            self.nodes[node.name] = FirmwareNode(folder, config)
        self._link = SerialLink(hub, [node.port for node in self.nodes.values()], lister=list)
        self._link.start()

    def lay(self, node: str, reader: str, uid: str) -> None:
        self.nodes[node].lay(reader, uid)

    def lift(self, node: str, reader: str, uid: str) -> None:
        self.nodes[node].lift(reader, uid)

    def tick(self) -> None:
        """The firmware has its own pulse."""

    def close(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None
        while self.nodes:
            self.nodes.popitem()[1].close()
