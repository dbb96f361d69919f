"""The conversation with a board, message by message, with a clock that the test moves."""

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.board_time import BoardTime
from companion.devices.clock import Backoff, ManualClock
from companion.devices.dialogue import Dialogue, encoded
from companion.devices.esphome import EspDialogue
from companion.devices.hub import Hub
from companion.devices.inbox import Inbox
from companion.devices.table_file import EspReader, TableFile
from companion.devices.tags import Register
from companion.devices.texts import catalogue, say
from companion.devices.twins import TwinBoard, TwinLink
from companion.table.observations import Event, Noted, Piece, TagsSeen, When
from firmware import framing
from tests.devices.support import CARD, READERS, STRANGE, TIKI, Story, hub_of, uids_on


class Rig:
    """A twin board on a link that can lose messages."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.hub = hub_of(clock=self.clock)
        self.board = TwinBoard("north", list(READERS), self.clock)
        self.link = TwinLink(self.hub, self.board)
        self.story = Story(self.hub)
        self.reader = self.board.readers["r0"]

    def wait(self, seconds: float, beats: bool = True) -> None:
        """Time passes in quarters of a second, with a heartbeat each 5 s."""
        for quarter in range(round(seconds * 4)):
            self.clock.advance(0.25)
            if beats and quarter % 20 == 19:
                self.board.beat()
            self.link.tick()

    def lose(self, action: object) -> None:
        """Something happens at the board, and its message gets lost."""
        send = self.board.send

        def lost(kind: str, fields: dict[str, object]) -> None:
            self.link._seq += 1

        self.board.send = lost
        action()  # type: ignore[operator]
        self.board.send = send


@pytest.fixture
def rig() -> Rig:
    return Rig()


def test_a_silent_board_is_unavailable_and_never_its_last_value(rig: Rig) -> None:
    rig.reader.lay(TIKI)
    rig.board.is_mute = True
    rig.wait(11.5, beats=False)
    assert uids_on(rig.hub, "r0") == {TIKI}
    rig.wait(1, beats=False)
    assert uids_on(rig.hub, "r0") is None
    assert say(rig.hub.reason_of("north/r0")).startswith("Nothing was heard for 12 s on twin north.")
    rig.board.is_mute = False
    rig.wait(13)
    assert uids_on(rig.hub, "r0") == {TIKI}


def test_a_lost_event_is_noticed_by_the_next_frame_and_the_state_is_asked_for(rig: Rig) -> None:
    rig.lose(lambda: rig.reader.lay(TIKI))
    assert uids_on(rig.hub, "r0") == set()
    rig.clock.advance(2)
    rig.board.readers["r1"].lay(CARD)
    assert (uids_on(rig.hub, "r0"), uids_on(rig.hub, "r1")) == ({TIKI}, {CARD})


def test_a_lost_event_is_noticed_by_the_heartbeat_if_nothing_else_happens(rig: Rig) -> None:
    rig.lose(lambda: rig.reader.lay(TIKI))
    rig.wait(6)
    assert uids_on(rig.hub, "r0") == {TIKI}


def test_a_lost_lift_and_lay_of_another_tag_leave_only_that(rig: Rig) -> None:
    rig.reader.lay(TIKI)
    rig.lose(rig.reader.lift)
    rig.clock.advance(2)
    rig.reader.lay(STRANGE)
    assert uids_on(rig.hub, "r0") == {STRANGE}
    assert rig.story.of("r0") == [None, set(), {TIKI}, {STRANGE}]


def test_a_board_that_beats_but_never_tells_its_state_becomes_unavailable(rig: Rig) -> None:
    rig.reader.lay(TIKI)
    rig.board.tell_state = lambda: None  # type: ignore[method-assign]
    rig.lose(rig.reader.lift)
    rig.wait(20)
    assert uids_on(rig.hub, "r0") is None
    assert rig.hub.reason_of("north/r0").code == "board_out_of_step"


def test_a_restart_that_went_unheard_invents_nothing(rig: Rig) -> None:
    rig.reader.lay(TIKI)
    rig.lose(rig.board.restart)
    rig.reader.lift()
    rig.wait(6)
    assert rig.story.of("r0") == [None, set(), {TIKI}, set()]


def test_events_are_dated_at_the_reader(rig: Rig) -> None:
    rig.wait(11)
    rig.clock.advance(1)
    rig.board.change("laid", {"reader": "r0", "uid": TIKI, "age": 700})
    since = rig.hub.tags_on("north/r0")[0].since
    assert since.at == pytest.approx(rig.clock.now() - 0.7, abs=0.01)
    assert since.within < 0.3


def test_a_reader_that_the_board_has_not_is_named(rig: Rig) -> None:
    del rig.board.readers["r1"]
    rig.board.greet()
    assert say(rig.hub.reason_of("north/r1")).startswith("Board north has no reader r1.")


def test_a_board_that_the_table_file_does_not_name_is_not_heard(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    stranger = TwinBoard("south", ["r0"], rig.clock)
    link = TwinLink(rig.hub, stranger)
    for _ in range(5):
        stranger.readers["r0"].lay(TIKI)
        stranger.greet()
    assert link.dialogue.refusal.code == "node_unknown"
    assert [record.getMessage().partition(",")[0] for record in caplog.records] == [
        "The board on twin south calls itself south"
    ]


def test_of_two_boards_with_one_name_the_second_is_not_heard(rig: Rig) -> None:
    second = TwinBoard("north", list(READERS), rig.clock)
    dialogue = Dialogue(rig.hub, "other port")
    second.send = lambda kind, fields: dialogue.received({"type": kind, "seq": 0, **fields}, 0.0)
    dialogue.opened(0.0)
    second.greet()
    assert dialogue.refusal.code == "node_twice"
    rig.link.unplug()
    second.greet()
    assert dialogue.refusal is None
    assert uids_on(rig.hub, "r0") == set()


def test_a_misconfigured_board_says_what_is_wrong(rig: Rig) -> None:
    rig.board.send("misconfigured", {"problems": ["spi.sck is missing."], "ticks": 1})
    assert "spi.sck is missing." in say(rig.hub.reason_of("north/r0"))


def test_another_version_of_the_protocol_is_refused_with_a_sentence(rig: Rig) -> None:
    decoder = framing.Decoder()
    frame = bytes(framing.Encoder().encode("hello", {}))
    body = frame.replace(b'{"v":1', b'{"v":2').rpartition(b',"crc"')[0]
    import zlib

    decoder.feed(body + b',"crc":"%08x"}\n' % zlib.crc32(body))
    rig.link.dialogue.refused(decoder.refusal)
    assert "protocol version 1 and the other end sent 2" in say(rig.hub.reason_of("north/r0"))


def test_one_tag_on_two_readers_is_noted(rig: Rig) -> None:
    rig.reader.lay(TIKI)
    rig.board.readers["r1"].lay(TIKI)
    notes = [one.what for one in rig.hub.inbox.drain() if isinstance(one, Noted)]
    assert notes == [Event("tag_on_two_readers", {"sensors": ["north/r0", "north/r1"]})]


def test_a_new_register_is_looked_up_for_what_lies_there(rig: Rig) -> None:
    rig.reader.lay(STRANGE)
    rig.hub.inbox.drain()
    rig.hub.learn(Register({STRANGE: Piece("tiki", "pink")}))
    (told,) = [one for one in rig.hub.inbox.drain() if isinstance(one, TagsSeen)]
    assert told.tags[0].piece == Piece("tiki", "pink")


def test_a_large_register_goes_to_the_board_in_frames_it_can_hold() -> None:
    clock = ManualClock()
    register = Register({f"{number:020X}": Piece("card", "blue", f"C{number}") for number in range(200)})
    hub = Hub(hub_of().table, register, Inbox(), clock)
    board = TwinBoard("north", list(READERS), clock)
    link = TwinLink(hub, board)
    assert board.known == set(register)
    link.dialogue._send_known()
    frames = list(encoded(link.dialogue._take(), framing.Encoder()))
    assert max(map(len, frames)) <= 1024


KINDS = "hello state laid lifted ready lost heartbeat pong checked misconfigured gone refused done other".split()
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from([TIKI, "r0", "ok", "lost", "north", "00000001", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["uid", "age", "reader", "status", "tags"]), inner, max_size=4)
    ),
    max_leaves=8,
)
FIELDS = st.dictionaries(
    st.sampled_from("rev reader uid age tags readers ticks boot node echo round_ms problems findings".split()), VALUES
)


@given(st.lists(st.tuples(st.sampled_from(KINDS), FIELDS), max_size=8))
def test_no_message_crashes_a_dialogue_and_it_recovers(messages: list[tuple[str, dict[str, object]]]) -> None:
    rig = Rig()
    rig.reader.lay(TIKI)
    for kind, fields in messages:
        rig.board.send(kind, fields)
        rig.clock.advance(0.1)
    rig.link.unplug()
    rig.link.plug()
    rig.wait(6)
    assert uids_on(rig.hub, "r0") == {TIKI}


@given(st.integers(0, 10**9), st.floats(0, 0.5), st.floats(0, 0.5), st.integers(0, 5000))
def test_a_date_is_within_its_stated_uncertainty(ticks: int, there: float, back: float, age: int) -> None:
    """The board's zero is at 100; the ping takes `there`, the pong `back`."""
    time, start = BoardTime(), 100.0
    sent = start + ticks / 1000 - there
    time.ping(1, sent)
    time.pong(1, ticks, sent + there + back)
    when = time.date(ticks + 1000, age, sent + there + 1 + back)
    assert abs(when.at - (start + (ticks + 1000 - age) / 1000)) <= when.within + 1e-6


def test_backoff_doubles_up_to_its_limit_and_starts_over() -> None:
    backoff = Backoff(0.5, 3)
    assert [backoff.failed() for _ in range(5)] == [0.5, 1, 2, 3, 3]
    backoff.worked()
    assert backoff.failed() == 0.5


def test_secrets_are_in_no_log_line_exception_or_repr(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    tray = rig.board.readers["r2"]
    tray.lay(CARD)
    rig.board.send("laid", {"rev": "x", "reader": "r2", "uid": CARD, "age": CARD})
    tray.wedge()
    tray.revive()
    rig.board.readers["r1"].lay(CARD)
    rig.link.unplug()
    seen = [repr(rig.hub.inbox.drain()), repr(rig.hub.tags_on("north/r2")), repr(tray), repr(rig.hub.register)]
    with pytest.raises(ValueError, match="hexadecimal") as caught:
        tray.lay(CARD.lower())
    seen += [str(caught.value), *(record.getMessage() for record in caplog.records)]
    assert not any(CARD in text or CARD.lower() in text or "Azzura card" in text for text in seen)


# --- ESPHome ---


@pytest.fixture
def esp() -> tuple[Hub, EspDialogue]:
    reader = EspReader("esp", "club:Azzura", "esp/tag", "esp/status")
    hub = hub_of(TableFile("salon", "tags.json", esphome=(reader,)), ManualClock())
    return hub, EspDialogue(hub, reader)


def test_an_esphome_reader_tells_its_tag_with_dashes(esp: tuple[Hub, EspDialogue]) -> None:
    hub, dialogue = esp
    dialogue.received("esp/tag", b"04-A1-B2-C3-D4-E5-80", False, 1000.0)
    assert [tag.piece for tag in hub.tags_on("esp")] == [Piece("tiki", "blue")]
    dialogue.received("esp/tag", b"none", False, 1001.0)
    assert hub.tags_on("esp") == ()


def test_a_retained_tag_is_not_believed(esp: tuple[Hub, EspDialogue]) -> None:
    hub, dialogue = esp
    dialogue.received("esp/tag", b"04-A1-B2-C3-D4-E5-80", True, 1000.0)
    assert hub.tags_on("esp") is None


@pytest.mark.parametrize("ending", ["offline", "silence"])
def test_an_esphome_reader_that_goes_is_unavailable(esp: tuple[Hub, EspDialogue], ending: str) -> None:
    hub, dialogue = esp
    dialogue.received("esp/tag", b"", False, 1000.0)
    assert hub.tags_on("esp") == ()
    if ending == "offline":
        dialogue.received("esp/status", b"offline", False, 1001.0)
    dialogue.ticked(1012.5)
    assert hub.tags_on("esp") is None


@given(st.binary(max_size=200))
def test_no_payload_crashes_an_esphome_reader(payload: bytes) -> None:
    reader = EspReader("esp", "club:Azzura", "esp/tag", "esp/status")
    dialogue = EspDialogue(hub_of(TableFile("salon", "tags.json", esphome=(reader,)), ManualClock()), reader)
    for topic in ("esp/tag", "esp/status"):
        dialogue.received(topic, payload, False, 1000.0)


def test_every_text_has_both_languages_and_the_same_gaps() -> None:
    import string

    for code, texts in catalogue().items():
        gaps = [
            {field for _, field, _, _ in string.Formatter().parse(texts[language]) if field}
            for language in ("en", "fr")
        ]
        assert gaps[0] == gaps[1], code
        assert set(texts) == {"en", "fr"}, code


def test_every_code_in_the_room_has_a_text() -> None:
    import re

    from tests.devices.support import ROOT

    sources = [*(ROOT / "companion" / "devices").glob("*.py"), ROOT / "companion" / "table" / "observations.py"]
    sources += [ROOT / "companion" / "commands" / f"{name}.py" for name in ("flash", "doctor", "tags", "table_file")]
    codes = {
        code for path in sources for code in re.findall(r'(?:Event|complain)\(\s*"(\w+)"', path.read_text("utf-8"))
    }
    assert "unplugged" in codes
    assert codes - set(catalogue()) == set()


def test_when_is_plain_data() -> None:
    assert When.from_json(When(1.5, 0.25).to_json()) == When(1.5, 0.25)


def test_a_refused_command_is_logged_once(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(3):
        rig.board.hear({"type": "dance", "seq": 4})
    assert [record.getMessage() for record in caplog.records] == [
        "Board north refused a command: A twin has no command 'dance'."
    ]
