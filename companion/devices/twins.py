"""Simulated twins of every device, driven as the world drives them: `reader.lay(uid)`, `button.press()`.

A twin board speaks the real protocol, message for message. `TwinLink` connects it in the same process; the tests put
the same twin behind a pty and behind a broker. Nothing here moves unless it is told to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.devices.dialogue import Command, Dialogue
from companion.devices.hub import Hub, button_name
from companion.devices.panel import DARK, Bounce, Colour
from companion.devices.tags import parse_uid
from companion.table.observations import Clock, Event, Json

Send = Callable[[str, dict[str, Json]], None]
OK, LOST = "ok", "lost"


class TwinReader:
    """One reader of a twin board. `history` has everything that was done to it."""

    def __init__(self, board: TwinBoard, name: str) -> None:
        self.name, self.status = name, OK
        self.history: list[tuple[str, str]] = []
        self.tags: dict[str, float] = {}
        self._board = board

    def __repr__(self) -> str:
        return f"TwinReader({self.name!r})"

    def lay(self, uid: str) -> None:
        """A tag is laid. On a wedged reader nobody notices."""
        if parse_uid(uid) != uid:
            raise ValueError("a UID has 8, 14 or 20 upper-case hexadecimal digits")
        self.history.append(("lay", uid))
        self.tags[uid] = self._board.clock.now()
        if self.status == OK:
            self._board.change("laid", {"reader": self.name, "uid": uid, "age": 0})

    def lift(self, uid: str = "") -> None:
        """A tag is taken away; without a UID, all of them are."""
        for one in [uid] if uid else list(self.tags):
            self.history.append(("lift", one))
            del self.tags[one]
            if self.status == OK:
                self._board.change("lifted", {"reader": self.name, "uid": one, "age": 0})

    def wedge(self) -> None:
        """The chip stops answering."""
        self.history.append(("wedge", ""))
        self.status = LOST
        self._board.change("lost", {"reader": self.name, "reason": "The chip does not answer."})

    def revive(self) -> None:
        """It works again, and tells what lies there now."""
        self.history.append(("revive", ""))
        self.status = OK
        self._board.change("ready", {"reader": self.name, "tags": self.told()})

    def told(self) -> list[dict[str, Json]] | None:
        """Its tags as a message has them."""
        now = self._board.clock.now()
        tags = [{"uid": uid, "age": round((now - since) * 1000)} for uid, since in sorted(self.tags.items())]
        return tags if self.status == OK else None


class TwinBoard:
    """A reader board without hardware. Whoever carries its words sets `send` and passes on what it is told."""

    def __init__(self, node: str, readers: Sequence[str], clock: Clock) -> None:
        self.node, self.clock = node, clock
        self.readers = {name: TwinReader(self, name) for name in readers}
        self.rev, self.boot = 0, 1
        self.is_mute = False
        self.retains_state = False  # over MQTT the state follows every change
        self.known: set[str] = set()
        self.findings: list[Json] = []  # what its self-test will find
        self.send: Send = lambda kind, fields: None
        self._started = clock.now()

    def restart(self) -> None:
        """The power was gone for a moment. Tags lie where they lay."""
        self.rev, self.boot = 0, self.boot + 1
        self.known.clear()
        self._started = self.clock.now()
        self.greet()

    def greet(self) -> None:
        readers = [{"reader": name, "chip": "mfrc522"} for name in self.readers]
        who = {"node": self.node, "firmware": "twin", "protocol": 1, "boot": self._boot_id, "board": "twin"}
        self._say("hello", {**who, "cause": "power", "readers": readers})
        self.tell_state()

    def tell_state(self) -> None:
        readers = [
            {"reader": reader.name, "status": reader.status, "tags": reader.told()} for reader in self.readers.values()
        ]
        self._say("state", {"rev": self.rev, "boot": self._boot_id, "readers": readers})

    def beat(self) -> None:
        """The heartbeat, which a real board has each 5 s."""
        link = {"frames": 0, "dropped": 0, "unsent": 0}
        times = {"round_ms": 60, "worst_ms": 60, "free": 100000}
        self._say("heartbeat", {"rev": self.rev, "boot": self._boot_id, "readers": [], "link": link, **times})

    def change(self, kind: str, fields: dict[str, Json]) -> None:
        self.rev += 1
        self._say(kind, {"rev": self.rev, **fields})
        if self.retains_state:
            self.tell_state()

    def hear(self, message: Mapping[str, Json]) -> None:
        """A command from the host."""
        match message["type"]:
            case "hello?":
                self.greet()
            case "state?":
                self.tell_state()
            case "ping":
                self._say("pong", {"echo": message["echo"], "re": message.get("seq", 0)})
            case "known":
                self.known = {*(() if message.get("clear") else self.known), *message["uids"]}
                self._say("done", {"re": message.get("seq", 0)})
            case "check":
                self._say("checked", {"findings": self.findings, "re": message.get("seq", 0)})
            case other:
                self._say("refused", {"re": message.get("seq"), "reason": f"A twin has no command {other!r}."})

    def _say(self, kind: str, fields: dict[str, Json]) -> None:
        if not self.is_mute:
            self.send(kind, {**fields, "ticks": round((self.clock.now() - self._started) * 1000)})

    @property
    def _boot_id(self) -> str:
        return f"{self.boot:08x}"


class TwinLink:
    """Connects a twin board to the hub without any wire. `unplug` and `plug` do what they say."""

    def __init__(self, hub: Hub, board: TwinBoard) -> None:
        self.dialogue = Dialogue(hub, f"twin {board.node}")
        self._clock, self._board, self._seq = hub.clock, board, 0
        board.send = self._carry
        self._is_plugged = False
        self.plug()

    def plug(self) -> None:
        self._is_plugged = True
        self._tell(self.dialogue.opened(self._clock.now()))

    def unplug(self) -> None:
        self._is_plugged = False
        self.dialogue.closed(Event("unplugged", {"port": f"twin {self._board.node}"}))

    def tick(self) -> None:
        self._tell(self.dialogue.ticked(self._clock.now()))

    def close(self) -> None:
        if self._is_plugged:
            self.unplug()

    def _carry(self, kind: str, fields: dict[str, Json]) -> None:
        seq, self._seq = self._seq, self._seq + 1
        if self._is_plugged:
            self._tell(self.dialogue.received({"v": 1, "seq": seq, "type": kind, **fields}, self._clock.now()))

    def _tell(self, commands: Sequence[Command]) -> None:
        for command in commands:
            if self._is_plugged and command.kind != "prod":
                self._board.hear({"type": command.kind, "seq": 0, **command.fields})


class TwinButton:
    """A seat's button. `history` has the times at which it was pressed."""

    def __init__(self, hub: Hub, seat: str) -> None:
        self.history: list[float] = []
        self._clock, self._bounce = hub.clock, Bounce(hub, seat, within_s=0.0)
        hub.is_working(button_name(seat))

    def press(self) -> None:
        now = self._clock.now()
        self.history.append(now)
        self._bounce.pressed(now)

    def release(self) -> None:
        self._bounce.released(self._clock.now())


class TwinLamp:
    """Shows a colour, and remembers all it showed."""

    def __init__(self) -> None:
        self.colour: Colour = DARK
        self.history: list[Colour] = []

    def show(self, colour: Colour) -> None:
        self.colour = colour
        self.history.append(colour)


class TwinPanel:
    """All seats' buttons and lamps without a Pi: `panel.buttons["blue"].press()`, `panel.lamps["blue"].history`."""

    def __init__(self, hub: Hub) -> None:
        seats = hub.table.seats.items()
        self.buttons = {seat: TwinButton(hub, seat) for seat, pins in seats if pins.button is not None}
        self.lamps = {seat: TwinLamp() for seat, pins in seats if pins.lamp}
        self.buzzer, self.status_lamp = TwinLamp(), TwinLamp()
        self._hub = hub

    def light(self, seat: str, colour: Colour) -> None:
        if seat in self.lamps:
            self.lamps[seat].show(colour)

    def buzz(self, is_on: bool) -> None:
        self.buzzer.show((1.0, 1.0, 1.0) if is_on else DARK)

    def show_status(self, is_on: bool) -> None:
        self.status_lamp.show((1.0, 1.0, 1.0) if is_on else DARK)

    def close(self) -> None:
        """May be called twice."""
        for seat in self.buttons:
            self._hub.is_lost(button_name(seat), Event("link_stopped"))
        for lamp in (*self.lamps.values(), self.buzzer, self.status_lamp):
            if lamp.colour != DARK:
                lamp.show(DARK)
