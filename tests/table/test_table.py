"""The table as a whole: kept before told, the same after a restart, and kind when the disk is not."""

import contextlib
import json
import os
import random
import resource
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.catalogue import game_named
from companion.rehearsal.world import HandClock
from companion.table.claims import HOLD_S
from companion.table.entries import Command
from companion.table.house import House
from companion.table.observations import BoardSeen, FormatError, When, from_json, to_json
from companion.table.store import open_store
from tests.table.support import MAKABANA, OPENING, FailingStore, Scene, first_plan, header_of, odds

FIRST, SECOND = OPENING[0][1], OPENING[1][1]


def whole_view(scene: Scene, viewer: str) -> dict[str, object]:
    """What survives a restart: all but counters, news and what the sensors say."""
    forgotten = ("version", "epoch", "news", "board", "todo", "question", "score")
    return {key: value for key, value in scene.view(viewer).items() if key not in forgotten}


# --- Kept before told ---


def test_an_entry_is_kept_before_anybody_is_told():
    scene = Scene()
    kept: list[int] = []
    scene.table.listeners.append(lambda version: kept.append(len(scene.kept)))
    entries = len(scene.kept)
    scene.act(f"violet hut {FIRST}")
    assert min(kept) == entries + 1


@pytest.mark.parametrize("rules", ["2013", "2013-mao", "2003-mao"])
def test_a_restart_after_any_action_gives_the_same_views(rules):
    scene, rng = Scene(rules), random.Random(3)
    for _ in range(40):
        if not scene.table.session.actors:
            break
        seat = rng.choice(scene.table.session.actors)
        action = rng.choice(MAKABANA.legal_actions(scene.state, seat))
        scene.act(action.text)
        scene.wait(1.0)
        before = {viewer: whole_view(scene, viewer) for viewer in ("public", "staff", *scene.table.session.seats)}
        scene.restart()
        assert {viewer: whole_view(scene, viewer) for viewer in before} == before


def test_hands_that_had_not_followed_at_a_restart_are_still_waited_for():
    scene = Scene()
    scene.act(f"violet hut {FIRST}")
    scene.restart()
    scene.watch(10.0)
    assert scene.table.question is None
    assert scene.view("public")["board"][FIRST]["state"] == "pending"


def test_two_tables_over_one_store_keep_apart():

    house = House(open_store("memory:"), HandClock())
    one, other = house.open_table("one"), house.open_table("other")
    for table in (one, other):
        table.do(Command("set-up", "new_game", (json.dumps(header_of()),)))
    assert one.do(Command("go", "start")).accepted
    assert not other.session.is_started


def test_commands_of_many_threads_are_done_one_after_the_other():
    scene = Scene().opened()
    plans = {seat: first_plan(scene.state, seat) for seat in scene.table.session.seats}

    def tap(seat: str, number: int) -> None:
        scene.table.do(Command(f"{seat}-{number}", "act", ("plan", *plans[seat].args), seat))

    threads = [threading.Thread(target=tap, args=(seat, n)) for seat in plans for n in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(line for line in scene.log if " plan " in line) == sorted(plan.text for plan in plans.values())
    assert [entry.number for entry in scene.kept] == list(range(1, len(scene.kept) + 1))


# --- A store in trouble ---


def test_a_full_disk_refuses_kindly_changes_nothing_and_is_named_to_staff():
    store = FailingStore()
    scene = Scene(store=store)
    told: list[int] = []
    scene.table.listeners.append(told.append)
    store.fails = "disk_full"
    assert scene.refused("act", "hut", FIRST, seat="violet") == "disk_full"
    assert told  # staff learn of it at once
    assert scene.view("staff")["trouble"]["code"] == "disk_full"
    assert scene.view("public")["trouble"] is True
    assert scene.log == []


def test_play_goes_on_when_there_is_room_again_and_the_same_tap_counts():
    store = FailingStore()
    scene = Scene(store=store)
    store.fails = "disk_full"
    assert scene.do("act", "hut", FIRST, seat="violet", key="tap").refusal
    store.fails = None
    assert scene.do("act", "hut", FIRST, seat="violet", key="tap").accepted
    assert scene.view("staff")["trouble"] is None
    assert scene.log == [f"violet hut {FIRST}"]


def test_what_the_camera_saw_while_the_disk_was_full_is_taken_in_when_there_is_room():
    store = FailingStore()
    scene = Scene(store=store)
    scene.watch(1.0)
    store.fails = "disk_full"
    scene.lay(FIRST, "hut:violet")
    scene.watch(5.0)
    assert scene.log == []
    store.fails = None
    scene.watch(3.0)
    assert scene.log == [f"violet hut {FIRST}"]
    assert scene.view("staff")["trouble"] is None


@pytest.mark.parametrize("was_kept", [True, False])
def test_a_doubtful_append_is_neither_lost_nor_doubled(was_kept):
    store = FailingStore()
    scene = Scene(store=store)
    store.fails, store.keeps = "store_doubtful", was_kept
    assert scene.do("act", "hut", FIRST, seat="violet", key="tap").refusal
    assert scene.log == []
    store.fails = None
    assert scene.do("act", "hut", FIRST, seat="violet", key="tap").accepted
    assert scene.log == [f"violet hut {FIRST}"]
    assert sum(entry.kind == "act" for entry in scene.kept) == 1
    scene.act(f"pink hut {SECOND}")
    assert scene.view("staff")["trouble"] is None


@pytest.mark.parametrize("was_kept", [True, False])
def test_a_doubtful_inference_is_neither_lost_nor_doubled(was_kept):
    store = FailingStore()
    scene = Scene(store=store)
    scene.watch(1.0)
    store.fails, store.keeps = "store_doubtful", was_kept
    scene.lay(FIRST, "hut:violet")
    scene.watch(0.6)
    store.fails = None
    scene.watch(5.0)
    scene.lay(SECOND, "hut:pink")
    scene.watch(3.0)
    assert scene.log == [f"violet hut {FIRST}", f"pink hut {SECOND}"]
    assert sum(entry.kind == "act" for entry in scene.kept) == 2
    scene.restart()
    assert len(scene.log) == 2


def test_another_players_tap_after_a_doubtful_one_finds_what_was_kept():
    store = FailingStore()
    scene = Scene(store=store)
    store.fails, store.keeps = "store_doubtful", True
    scene.do("act", "hut", FIRST, seat="violet", key="tap")
    store.fails = None
    scene.act(f"pink hut {SECOND}")
    assert scene.log == [f"violet hut {FIRST}", f"pink hut {SECOND}"]


def test_a_store_that_can_be_neither_written_nor_read_only_refuses():
    store = FailingStore()
    scene = Scene(store=store)
    store.fails, store.is_readable = "store_unreachable", False
    for _ in range(3):
        assert scene.refused("act", "hut", FIRST, seat="violet") == "store_unreachable"
    scene.watch(2.0)
    store.fails = None
    scene.act(f"violet hut {FIRST}")


def test_what_had_been_kept_after_all_is_told():
    store = FailingStore()
    scene = Scene(store=store)
    store.fails, store.keeps = "store_doubtful", True
    scene.do("act", "hut", FIRST, seat="violet", key="tap")
    store.fails = None
    told: list[int] = []
    scene.table.listeners.append(told.append)
    assert scene.do("act", "hut", FIRST, seat="violet", key="tap").accepted
    assert told == [scene.table.version]


def test_a_key_kept_after_all_still_stands_for_its_own_words():
    store = FailingStore()
    scene = Scene(store=store)
    store.fails, store.keeps = "store_doubtful", True
    scene.do("act", "hut", FIRST, seat="violet", key="tap")
    store.fails = None
    for _ in range(2):
        assert scene.do("act", "hut", SECOND, seat="violet", key="tap").refusal.code == "key_reused"
    assert scene.do("act", "hut", FIRST, seat="violet", key="tap").accepted
    assert scene.log == [f"violet hut {FIRST}"]


def test_a_race_that_ends_while_the_disk_is_full_ends_when_there_is_room():
    store = FailingStore()
    scene = Scene("2013-mao", store=store).opened().planned()
    scene.accepted("claim", str(scene.clock.at), "0.01", "denounce", "pink", seat="violet")
    store.fails = "disk_full"
    scene.wait(HOLD_S + 2)
    assert scene.table.session.claims
    store.fails = None
    scene.wait(HOLD_S + 1)
    assert scene.log[-1] == "violet denounce pink"
    assert not scene.table.session.claims
    assert scene.view("staff")["trouble"] is None


def test_trouble_is_written_into_the_house_log_once_and_without_secrets(caplog):
    store = FailingStore()
    scene = Scene(store=store).opened()
    plan = first_plan(scene.state, "violet")
    store.fails = "disk_full"
    with caplog.at_level("DEBUG"):
        for number in range(5):
            assert not scene.do("act", plan.verb, *plan.args, seat="violet", key=f"tap{number}").accepted
    assert len(caplog.records) == 1
    assert not any(card in caplog.text for card in plan.args)


# --- Others in trouble ---


def test_a_listener_that_fails_keeps_nobody_else_from_being_told(caplog):
    scene = Scene()
    told: list[int] = []

    def fail(version: int) -> None:
        raise ValueError("Danae Lagon Fleur")  # whatever it says may be a secret

    scene.table.listeners.extend([fail, told.append])
    scene.act(f"violet hut {FIRST}")
    assert told
    assert "ValueError" in caplog.text
    assert "Danae" not in caplog.text


def test_a_new_game_of_another_kind_shows_nothing_of_the_old_board():
    scene = Scene().opened().seen()
    scene.board.pop(SECOND)
    scene.watch(1.0)
    assert scene.view("public")["board"]
    header = game_named("kahuna").default_header("standard", 2)
    scene.accepted("new_game", json.dumps(header), "anyway")
    for viewer in ("public", "staff", *scene.table.session.seats):
        seen = scene.view(viewer)
        assert (seen["board"], seen["early"], seen["question"]) == ({}, [], None)
    assert scene.view("staff")["differences"] == []


@pytest.mark.parametrize("at", [float("nan"), float("inf"), 10**400])
def test_a_moment_that_is_none_is_no_observation(at):
    plain = to_json(BoardSeen("camera", {FIRST: odds("hut:pink")}, (), When(1.0)))
    assert from_json(plain)
    with pytest.raises(FormatError):
        from_json({**plain, "seen": {"at": at, "within": 0.0}})


@pytest.mark.parametrize("at", [1e12, float("inf"), float("nan")])
def test_a_sensor_whose_clock_is_ahead_does_not_stop_the_table_from_deciding(at):
    scene = Scene()
    scene.watch(1.0)
    scene.table.observe(BoardSeen("camera", {FIRST: odds("hut:pink")}, (), When(at)))
    scene.lay(FIRST, "hut:violet")
    scene.watch(3.0)
    assert scene.log == [f"violet hut {FIRST}"]
    assert all(observed.seen.at <= scene.clock.at for observed in scene.table.evidence)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real disk of one megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a small disk")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill_up(ballast: Path) -> None:
    with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))


def test_on_a_real_full_disk_nothing_accepted_is_lost_and_play_goes_on(small_disk):
    path, ballast = small_disk / "tables.db", small_disk / "ballast"
    scene = Scene(store=open_store(str(path)))
    fill_up(ballast)
    words = 0
    while scene.table.trouble is None and words < 3000:
        scene.do("wrong", "x" * 300, seat="violet")
        words += 1
    assert scene.view("staff")["trouble"]["code"] == "disk_full"
    kept = len(scene.kept)
    assert kept == scene.table.session.number
    ballast.unlink()
    scene.act(f"violet hut {FIRST}")
    assert scene.view("staff")["trouble"] is None
    scene.restart()
    assert scene.table.session.number == kept + 1
    scene.store.close()


def test_under_a_real_limit_on_file_sizes_nothing_accepted_is_lost(tmp_path):
    path = tmp_path / "tables.db"
    scene = Scene(store=open_store(str(path)))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.with_name("tables.db-wal").stat().st_size + 20_000, hard))
    try:
        accepted = sum(scene.do("wrong", "x" * 300, seat="violet").accepted for _ in range(200))
        assert accepted < 200
        assert scene.view("staff")["trouble"]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    scene.act(f"violet hut {FIRST}")
    scene.restart()
    assert sum(entry.kind == "wrong" for entry in scene.kept) == accepted
    assert scene.log == [f"violet hut {FIRST}"]
    scene.store.close()
