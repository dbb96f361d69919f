"""Disputes: a bundle holds the moment, tells nobody's secret, runs again, and is safe to open whoever sent it."""

import io
import json
import random
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cli import main
from companion.devices.clock import ManualClock
from companion.games.protocol import Action, FormatError
from companion.games.record import last_state
from companion.house import bundles
from companion.house.bundles import pack, unpack
from companion.house.camera import DirectCamera
from companion.house.disputes import Disputes, bundle_of
from companion.house.frames import Frames, Picture
from companion.house.rerun import rerun
from companion.house.virtual_readers import VirtualReaders, decks_of
from companion.table.table import Table
from tests.house.support import Evening, People, act, do, virtual_for


def pass_time(evening: Evening, seconds: float) -> None:
    for _ in range(round(seconds / 0.05)):
        evening.clock.advance(0.05)
        evening.running.tick()


def play_a_while(evening: Evening, actions: int, seed: int = 3) -> tuple[Table, People]:
    """Some actions by hand and phone, seen by a direct camera."""
    table = evening.open_table()
    virtual = virtual_for(table)
    evening.running.table(table.row.id).add(DirectCamera(virtual, table.observe, evening.clock))
    people = People(table, virtual, random.Random(seed))
    for _ in range(actions):
        people.act()
        pass_time(evening, 1.0)
        assert people.is_understood
        people.follow()
        pass_time(evening, 0.5)
    return table, people


def bundles_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.zip"))


def test_a_complaint_is_kept_once_with_the_moment_around_it(tmp_path: Path) -> None:
    with Evening(ManualClock(), disputes=tmp_path / "disputes") as evening:
        table, people = play_a_while(evening, 12)
        do(table, "wrong", "that", "was", "my", "hut", seat="pink")
        pass_time(evening, 1.0)
        (path,) = bundles_in(tmp_path / "disputes")
        bundle = unpack(path.read_bytes())
        assert bundle.about["seat"] == "pink"
        assert bundle.about["words"] == "that was my hut"
        public = [action for action in people.intended if action.verb != "plan" or action.seat == "pink"]
        assert [one for one in bundle.record.actions if one.verb != "plan" or one.seat == "pink"] == public
        last_state(bundle.record)
        assert bundle.observations
        assert path.stat().st_mode & 0o077 == 0


def test_the_same_decisions_follow_when_it_runs_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Evening(ManualClock(), disputes=tmp_path) as evening:
        table, _ = play_a_while(evening, 13)
        do(table, "wrong", seat="pink")
        pass_time(evening, 0.1)
    (path,) = bundles_in(tmp_path)
    found = rerun(unpack(path.read_bytes()))
    assert found.is_same
    assert {action.verb for action in found.wanted} >= {"hut", "tiki", "plan"}
    assert main(["replay", str(path), "--lang", "en"]) == 0
    assert "same" in capsys.readouterr().out


def test_a_question_that_stood_comes_up_again(tmp_path: Path) -> None:
    with Evening(ManualClock(), disputes=tmp_path) as evening:
        table, people = play_a_while(evening, 4)
        people.virtual.put("tiki", "pink", "Evao-Lagon-Fleur")  # nobody puts tikis in the opening
        pass_time(evening, 8)
        assert table.question is not None
        do(table, "wrong", seat="yellow")
        pass_time(evening, 0.1)
    found = rerun(unpack(bundles_in(tmp_path)[0].read_bytes()))
    assert found.asked_then["kind"] == "differences"
    assert found.is_same


def test_other_decisions_are_told_and_the_exit_code_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Evening(ManualClock()) as evening:
        table, _ = play_a_while(evening, 6)
        do(table, "wrong", seat="pink")
        bundle = bundle_of(table, evening.store.entries(table.row.id), table.session.number, None)
    blind = bundle._replace(observations=())
    assert not rerun(blind).is_same
    path = tmp_path / "blind.zip"
    path.write_bytes(pack(blind))
    assert main(["replay", str(path), "--lang", "fr"]) == 1
    assert "autre" in capsys.readouterr().out
    assert main(["replay", str(path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["same"] is False


def test_a_bundle_is_the_same_whatever_others_have_planned() -> None:
    """Two evenings that look alike to the complaining seat give the same bytes, so these tell no secret."""
    found = []
    for plan in ("yellow plan Danae Lagon Fleur show Lagon", "yellow plan Evao Lagon Poisson show Lagon"):
        with Evening(ManualClock()) as evening:
            table, _ = play_a_while(evening, 6, seed=8)
            readers = VirtualReaders(table, evening.clock, decks_of(table.session.header))
            evening.running.table(table.row.id).add(readers)
            pass_time(evening, 0.2)
            readers.lay_card("yellow", 1, "Lagon")
            readers.lay_card("yellow", 2, plan.split()[2])
            readers.lay_card("yellow", 3, plan.split()[4])
            readers.press("yellow")
            pass_time(evening, 0.2)
            assert table.session.steps[-1].action == Action.from_text(plan)
            for seat in ("violet", "pink"):
                act(table, Action.from_text(f"{seat} plan Danae Rocher Fleur show Rocher"))
            do(table, "wrong", seat="pink")
            bundle = bundle_of(table, evening.store.entries(table.row.id), table.session.number, None)
            view = {key: value for key, value in bundle.view.items() if key not in ("epoch", "seals", "table", "news")}
            found.append(pack(bundle._replace(view=view)))
            last_state(bundle.record)
    assert found[0] == found[1]


def test_what_has_been_revealed_is_kept_as_it_was() -> None:
    with Evening(ManualClock()) as evening:
        table, people = play_a_while(evening, 18)
        assert "reveal" in [action.verb for action in people.intended]
        do(table, "wrong", seat="pink")
        bundle = bundle_of(table, evening.store.entries(table.row.id), table.session.number, None)
        opened = {action.seat for action in people.intended if action.verb == "reveal"}
        first_round = [a for a in people.intended[:9] if a.verb == "plan" and a.seat in opened]
        assert first_round
        assert set(first_round) <= set(bundle.record.actions)


def test_frames_of_the_last_seconds_are_in_it() -> None:
    with Evening(ManualClock()) as evening:
        table, _ = play_a_while(evening, 2)
        frames, now = Frames(), evening.clock.now()
        for age in (29.0, 10.0, 1.0):
            frames.add(Picture(now - age, "nadaa", b"jpeg%d" % age))
        do(table, "wrong", seat="pink")
        bundle = bundle_of(table, evening.store.entries(table.row.id), table.session.number, frames)
        assert unpack(pack(bundle)).frames == (b"jpeg10", b"jpeg1")


def test_a_folder_that_cannot_be_written_is_logged_and_play_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    with Evening(ManualClock(), disputes=tmp_path / "file") as evening:
        table, _ = play_a_while(evening, 2)
        do(table, "wrong", seat="pink")
        pass_time(evening, 1.0)
        assert sum("can't be kept" in record.getMessage() for record in caplog.records) == 1
        act(table, table.session.game.legal_actions(table.session.state, table.session.actors[0])[0])


def test_only_so_many_bundles_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.house.disputes.MOST_BUNDLES", 2)
    with Evening(ManualClock()) as evening:
        table, _ = play_a_while(evening, 1)
        keeper = Disputes(tmp_path, evening.store)
        for _ in range(4):
            do(table, "wrong", seat="pink")
            assert keeper.look(table, None) is not None
        assert len(bundles_in(tmp_path)) == 2


# --- Bundles from strangers ---


@pytest.fixture(scope="module")
def sound() -> bytes:
    with Evening(ManualClock()) as evening:
        table, _ = play_a_while(evening, 3)
        do(table, "wrong", seat="pink")
        return pack(bundle_of(table, evening.store.entries(table.row.id), table.session.number, None))


def with_file(content: bytes, name: str, data: bytes) -> bytes:
    """The bundle with one file replaced or added."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.namelist():
            if entry != name:
                new.writestr(entry, old.read(entry))
        new.writestr(name, data)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("../../etc/passwd", b"x", "bundle_strange_file"),
        ("frames/evil.sh", b"x", "bundle_strange_file"),
        ("frames/0001.jpg", bytes(bundles.MOST_FRAME_BYTES + 1), "bundle_too_large"),
        ("observations.jsonl", bytes(bundles.MOST_TEXT_BYTES + 1), "bundle_too_large"),
        ("observations.jsonl", b"{}\n" * (bundles.MOST_OBSERVATIONS + 1), "bundle_too_large"),
        ("observations.jsonl", b"[1", "json_broken"),
        ("observations.jsonl", b"\xff", "bundle_unreadable"),
        ("bundle.json", b"{}", "bundle_version"),
        ("bundle.json", b'{"bundle": 1}', "bundle_unreadable"),
        ("bundle.json", b"[" * 9000, "json_too_deep"),
        ("record.jsonl", b"", "record_empty"),
    ],
)
def test_a_strange_bundle_is_refused_with_its_reason(sound: bytes, name: str, data: bytes, code: str) -> None:
    with pytest.raises(FormatError, match=code):
        unpack(with_file(sound, name, data))


def test_times_that_no_clock_shows_are_refused(sound: bytes) -> None:
    bundle = unpack(sound)
    late = bundle.observations[0]._replace(seen=bundle.observations[0].seen._replace(at=1e300))
    with pytest.raises(FormatError, match="bundle_unreadable"):
        rerun(bundle._replace(observations=(late,)))


def test_a_missing_file_is_named(sound: bytes) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("bundle.json", "{}")
    with pytest.raises(FormatError, match="bundle_incomplete"):
        unpack(buffer.getvalue())


def test_too_many_files_are_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number in range(bundles.MOST_FILES + 1):
            archive.writestr(f"frames/{number:04}.jpg", b"x")
    with pytest.raises(FormatError, match="bundle_too_large"):
        unpack(buffer.getvalue())


@given(st.binary(max_size=300))
def test_no_bytes_raise_anything_but_the_declared_error(content: bytes) -> None:
    with pytest.raises(FormatError):
        unpack(b"PK\x03\x04" + content)


@given(st.data())
def test_a_spoilt_bundle_raises_nothing_but_the_declared_error(sound: bytes, data: st.DataObject) -> None:
    spoilt = bytearray(sound)
    for _ in range(data.draw(st.integers(1, 4))):
        spoilt[data.draw(st.integers(0, len(spoilt) - 1))] = data.draw(st.integers(0, 255))
    try:
        unpack(bytes(spoilt))
    except FormatError:
        return


def test_a_file_that_is_no_bundle_is_told_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.zip").write_bytes(b"PK\x03\x04nothing")
    assert main(["replay", str(tmp_path / "x.zip"), "--lang", "en"]) == 2
    assert "x.zip" in capsys.readouterr().err
