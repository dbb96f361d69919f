"""The commands that people meet first: table, tags, flash and doctor."""

import json
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import cli
from companion.commands import doctor, tags
from companion.devices import flashing
from companion.devices.checkup import Tools, check_all, check_packages
from companion.devices.clock import SystemClock
from companion.devices.enrolment import Enrolment
from companion.devices.links import Links
from companion.devices.serial_link import Port
from companion.devices.table_file import Node, TableFile, parse_table
from companion.devices.tags import Register, read_register, write_register
from companion.devices.twins import TwinBoard, TwinLink
from companion.table.observations import Event, FormatError, Piece
from firmware import framing
from tests.devices.support import CARD, READERS, TIKI, Mosquitto, PtyPeer, free_port, hub_of, until

TABLE = 'table = "salon"\n[[node]]\nname = "north"\nport = "{port}"\n[node.readers]\nr0 = "desk"\nr1 = "club:Azzura"\n'


def makabana(*words: str) -> int:
    return cli.main(["--lang", "en", *words])


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(TABLE.format(port=tmp_path / "ttyACM0"))
    return path


# --- makabana table, makabana tags ---


@pytest.mark.parametrize("kit", ["phones-camera", "trays", "tiki-readers"])
def test_init_writes_a_file_that_check_accepts(kit: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "table.toml")
    assert makabana("table", "init", "--kit", kit, path) == 0
    assert makabana("table", "check", path) == 0
    assert makabana("table", "init", "--kit", kit, path) == 2
    assert "exists already. Add --force" in capsys.readouterr().err


def test_check_names_every_mistake_and_unknown_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.toml"
    path.write_text('table = "t"\nboards = ["maka-bana"]\n[[node]]\nname = "n"\n[node.readers]\nr0 = "club:Nowhere"\n')
    assert makabana("table", "check", str(path)) == 2
    assert (
        capsys.readouterr().err == "makabana: n/r0 lies under club:Nowhere, which the boards of this table have not.\n"
    )
    path.write_text('table = "t"\nboards = ["atlantis"]\n')
    assert makabana("table", "check", str(path)) == 2
    assert "There is no board atlantis" in capsys.readouterr().err
    assert makabana("table", "check", str(tmp_path / "none.toml")) == 2
    assert "makabana table init" in capsys.readouterr().err


def test_tags_are_listed_and_forgotten(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_register(table.parent / "tags.json", Register({TIKI: Piece("tiki", "blue")}))
    assert makabana("tags", "--table", str(table)) == 0
    assert f"blue tiki  {TIKI}" in capsys.readouterr().out
    assert makabana("tags", "--table", str(table), "texts") == 0
    assert capsys.readouterr().out == f"{TIKI}  makabana:blue tiki\n"
    assert makabana("tags", "--table", str(table), "forget", "blue tiki") == 0
    assert makabana("tags", "--table", str(table), "forget", "blue tiki") == 2
    assert "Blue's tiki has no tag" in capsys.readouterr().err
    assert len(read_register(table.parent / "tags.json")) == 0


def test_the_pieces_to_enrol_are_tikis_and_cards_with_both_paints() -> None:
    pieces = list(tags.pieces_of("2013", 5))
    assert len(pieces) == len(set(pieces)) == 5 * (1 + 14)
    assert {"blue tiki", "blue card Azzura", "blue card Paint", "blue card Paint 2"} <= {piece.text for piece in pieces}


def test_in_team_play_each_seat_has_cards_and_a_card_of_two_beaches_has_one_tag() -> None:
    pieces = [piece.text for piece in tags.pieces_of("2013-teams", 8)]
    assert len(pieces) == len(set(pieces)) == 4 + 8 * 14
    assert [piece for piece in pieces if piece.startswith("blue-1 card A")] == ["blue-1 card Aloa"]


def test_enrolling_with_a_twin_reader_keeps_each_tag_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hub, path = hub_of(), tmp_path / "tags.json"
    board = TwinBoard("north", list(READERS), SystemClock())
    TwinLink(hub, board)
    reader = board.readers["r0"]
    enrolment = Enrolment([Piece("tiki", "pink"), Piece("tiki", "blue"), Piece("card", "blue", "Azzura")], Register())
    world = iter([lambda: None, lambda: reader.lay(TIKI), reader.lift, lambda: reader.lay(CARD)])
    typed = iter(["s", "", "", ""])
    tags.enrol(enrolment, hub, lambda: next(world)() is None, lambda: next(typed), tags._Teller("en", path))
    assert read_register(path) == {TIKI: Piece("tiki", "blue"), CARD: Piece("card", "blue", "Azzura")}
    out = capsys.readouterr().out
    assert "2/3 · Lay Blue's tiki on any reader." in out
    assert "All done: 2 tags are registered." in out


# --- makabana doctor ---


class Fleet:
    """A twin board on a pty, with the tools that find it."""

    def __init__(self, folder: Path) -> None:
        self.board = TwinBoard("north", list(READERS)[:2], SystemClock())
        self.peer = PtyPeer(self.board, folder)
        self.tools = Tools(ports=lambda: [Port(self.peer.port, 0x2E8A, 5)], door=lambda *_: None, pins="mock")


@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[Fleet]:
    pytest.importorskip("serial", reason="needs pyserial (extra devices)")
    fleet = Fleet(tmp_path)
    yield fleet
    fleet.peer.close()


def codes(findings: object) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for finding in findings:  # type: ignore[attr-defined]
        found.setdefault(finding.area, []).append(finding.what.code)
    return found


def test_a_healthy_table_has_nothing_to_fix(
    table: Path, fleet: Fleet, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_register(table.parent / "tags.json", Register({TIKI: Piece("tiki", "blue")}))
    args = cli._parser().parse_args(["--lang", "en", "doctor", str(table), "--pins", "mock"])
    assert doctor.run(args, fleet.tools) == 0
    out = capsys.readouterr().out
    assert "✗" not in out
    assert f"north on {fleet.peer.port}: firmware twin, 2 readers at work" in out


def test_a_lost_reader_and_missing_tags_are_named_with_their_fix(table: Path, fleet: Fleet) -> None:
    fleet.board.readers["r1"].wedge()
    fleet.board.findings = [
        {"reader": "r1", "ok": False, "text": "No answer."},
        {"reader": None, "ok": True, "text": "-"},
    ]
    found = codes(check_all(table, fleet.tools))
    assert found["wiring"] == ["wiring_amiss"]
    assert found["boards"] == ["ok_board"]
    assert found["readers"] == ["reader_lost"]
    assert found["tags"] == ["no_tags"]


def test_a_board_without_our_firmware_is_named(table: Path, fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.devices.checkup.ANSWER_S", 0.2)
    monkeypatch.setattr("companion.devices.checkup.SETTLE_S", 0.1)
    fleet.board.is_mute = True
    assert codes(check_all(table, fleet.tools))["boards"] == ["board_dumb", "board_missing"]


def test_a_board_under_another_name_is_named(table: Path, fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.devices.checkup.SETTLE_S", 0.1)
    fleet.board.node = "south"
    assert codes(check_all(table, fleet.tools))["boards"] == ["node_unknown", "board_missing"]


def test_a_port_that_may_not_be_opened_is_named(table: Path, fleet: Fleet) -> None:
    def forbidden(device: str) -> object:
        raise PermissionError(13, "Permission denied", device)

    found = codes(check_all(table, fleet.tools._replace(opener=forbidden)))
    assert found["boards"] == ["port_forbidden", "board_missing"]


def test_nothing_plugged_in_and_no_table_file(tmp_path: Path) -> None:
    found = codes(check_all(tmp_path / "table.toml", Tools(ports=list)))
    assert found["table"] == ["table_missing"]
    assert found["ports"] == ["no_ports"]


def test_a_missing_package_is_needed_only_if_the_table_uses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "serial", None)
    with_node = TableFile("t", "tags.json", nodes=(Node("n", "serial", {"r0": "desk"}),))
    for table, is_needed in ((with_node, True), (TableFile("t", "tags.json"), False)):
        (finding,) = [one for one in check_packages(table) if one.what.data["package"] == "pyserial"]
        assert (finding.is_fine, finding.is_needed, finding.what.code) == (False, is_needed, "package_missing")


def test_the_broker_is_tried_with_its_certificate(tmp_path: Path, mosquitto: Mosquitto) -> None:
    text = f'table = "salon"\n[mqtt]\nhost = "127.0.0.1"\nport = {mosquitto.port}\nca = "ca.crt"\n'
    path = tmp_path / "table.toml"
    path.write_text(text)
    tools = Tools(ports=list, pins="mock")
    assert codes(check_all(path, tools))["broker"] == ["file_unreadable"]
    (tmp_path / "ca.crt").write_bytes((mosquitto.folder / "ca.crt").read_bytes())
    assert codes(check_all(path, tools))["broker"] == ["ok_broker"]
    path.write_text(text.replace(str(mosquitto.port), str(free_port())))
    assert codes(check_all(path, tools))["broker"] == ["broker_unreachable"]


def test_json_is_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = cli._parser().parse_args(["--lang", "fr", "doctor", str(tmp_path / "none.toml"), "--json"])
    assert doctor.run(args, Tools(ports=list)) == 1
    findings = json.loads(capsys.readouterr().out)
    assert [one["code"] for one in findings if one["area"] == "table"] == ["table_missing"]
    assert all(one["text"] for one in findings)


def test_links_open_what_the_table_file_names_and_never_fail(table: Path, fleet: Fleet) -> None:
    content = table.read_text() + "[seats.blue]\nbutton = 5\n[panel]\nbuzzer = 12\n"
    with Links(parse_table(content.encode()), Register(), table.parent, pins="mock") as links:
        until(lambda: links.hub.tags_on("north/r0") == ())
        assert links.panel is not None
        assert links.hub.reason_of("button:blue") is None
    links.close()
    assert links.hub.tags_on("north/r0") is None


# --- makabana flash ---

FAKE = """#!/bin/sh
echo "$@" >> {log}
case "$*" in *{bad}*) echo "Traceback" >&2; echo "mpremote: failed to access $2 (it may be in use)" >&2; exit 1;; esac
"""


def fake_mpremote(folder: Path, monkeypatch: pytest.MonkeyPatch, bad: str = "nothing") -> Path:
    log, program = folder / "log", folder / "mpremote"
    program.write_text(FAKE.format(log=log, bad=bad))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(flashing, "find_mpremote", lambda: str(program))
    monkeypatch.setattr("companion.commands.flash.find_mpremote", lambda: str(program))
    return log


def test_flash_copies_the_firmware_and_a_config_for_this_node(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = fake_mpremote(table.parent, monkeypatch)
    assert makabana("flash", "/dev/none", "--table", str(table)) == 0
    copy, config, reset = log.read_text().splitlines()
    assert copy.startswith("connect /dev/none fs cp ")
    names = {Path(word).name for word in copy.split()[4:-1]}
    assert {"main.py", "framing.py", "node.py"} <= names
    assert not {"__init__.py", "manifest.py"} & names
    assert config.endswith("config.json :config.json")
    assert reset == "connect /dev/none reset"
    assert "/dev/none now is board north" in capsys.readouterr().out


def test_a_dry_run_touches_nothing_and_shows_the_config(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = fake_mpremote(table.parent, monkeypatch)
    assert makabana("flash", "/dev/none", "--table", str(table), "--dry-run") == 0
    assert not log.exists()
    config = json.loads(capsys.readouterr().out.partition("\n{")[2].join(["{", ""]))
    assert [reader["reader"] for reader in config["readers"]] == ["r0", "r1"]
    assert config["node"] == "north"


def test_mpremotes_last_words_are_passed_on(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fake_mpremote(table.parent, monkeypatch, bad="main.py")
    assert makabana("flash", "/dev/none", "--table", str(table)) == 2
    assert "mpremote: failed to access /dev/none (it may be in use). Unplug the board" in capsys.readouterr().err


def test_which_board_and_which_port_must_be_clear(tmp_path: Path) -> None:
    boards = [Port("/dev/a", 0x2E8A, 5), Port("/dev/b", 0x2E8A, 5)]
    assert flashing.choose_port(boards[:1]) == "/dev/a"
    for ports, code in (([], "flash_no_board"), (boards, "flash_several")):
        with pytest.raises(FormatError, match=code):
            flashing.choose_port(ports)
    nodes = (Node("a", "serial", {}), Node("b", "serial", {}))
    with pytest.raises(FormatError, match="flash_node_needed"):
        flashing.choose_node(TableFile("t", "tags.json", nodes=nodes), None)
    assert flashing.choose_node(TableFile("t", "tags.json", nodes=nodes), "b").name == "b"


def test_a_config_that_cannot_be_is_refused(tmp_path: Path) -> None:
    template = flashing.read_config(flashing.firmware_folder() / "config.json")
    nine = Node("n", "serial", {f"r{index}": "desk" for index in range(9)})
    with pytest.raises(FormatError, match="flash_too_many"):
        flashing.config_for(nine, template)
    with pytest.raises(FormatError, match="flash_mqtt_config"):
        flashing.config_for(Node("n", "mqtt", {"r0": "desk"}), template)
    (tmp_path / "config.json").write_text("[]")
    with pytest.raises(FormatError, match="flash_config_broken"):
        flashing.read_config(tmp_path / "config.json")


def test_a_missing_program_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    with pytest.raises(FormatError, match="mpremote_missing"):
        flashing.find_mpremote()


class PromptLine:
    """A board that answers `stop` as the firmware does, or not at all."""

    def __init__(self, answers: bool) -> None:
        self._answers, self._out = answers, b""
        self.decoder = framing.Decoder()

    def write(self, data: bytes) -> int:
        heard = [message["type"] for message in self.decoder.feed(data)]
        if self._answers and "stop" in heard:
            self._out = bytes(framing.Encoder().encode("done", {"re": 0, "ticks": 1}))
        return len(data)

    def read(self, size: int) -> bytes:
        out, self._out = self._out, b""
        return out

    def close(self) -> None: ...


@pytest.mark.parametrize("answers", [True, False])
def test_a_running_firmware_is_stopped_before_flashing(answers: bool) -> None:
    ticks = iter(range(100))
    assert flashing.stop_firmware("/dev/x", lambda _: PromptLine(answers), lambda: next(ticks)) is answers


def test_event_data_of_a_finding_is_plain(table: Path) -> None:
    json.dumps([finding.what.to_json() for finding in check_all(table, Tools(ports=list, pins="mock"))])
    assert Event("x").to_json() == {"code": "x"}
