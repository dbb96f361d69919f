"""Disks that are full, read-only or failing, for real: small disks of our own where root may mount them."""

import contextlib
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.table.entries import Store, StoreError
from companion.table.store import open_store
from tests.table.store_support import ROOT, entry, fill, opened, postgres_server, refused, said, table


def run(*command: object) -> None:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"this machine does not allow: {' '.join(map(str, command))}: {done.stderr.strip()}")


@contextlib.contextmanager
def mounted(*options: object, folder: Path) -> Iterator[Path]:
    folder.mkdir()
    run("mount", *options, folder)
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that every user can reach, unlike pytest's."""
    folder = Path(tempfile.mkdtemp(prefix="makabana-disk-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def small_disk(place: Path) -> Iterator[Path]:
    """A disk of one megabyte."""
    with mounted("-t", "tmpfs", "-o", "size=1m", "tmpfs", folder=place / "disk") as folder:
        yield folder


class Card(NamedTuple):
    """A memory card with more room on paper than in silicon: `wear_out` and all writing fails, `mend` and it works."""

    folder: Path
    device: str
    cells: Path

    def wear_out(self) -> None:
        fill_up(self.cells / "ballast")

    def mend(self) -> None:
        (self.cells / "ballast").unlink()
        run("umount", self.folder)
        run("mount", self.device, self.folder)


@pytest.fixture
def card(place: Path) -> Iterator[Card]:
    with mounted("-t", "tmpfs", "-o", "size=6m", "tmpfs", folder=place / "cells") as cells:
        with (cells / "image").open("wb") as file:
            file.truncate(32 << 20)
        run("mkfs.ext4", "-q", "-J", "size=1", cells / "image")
        with (
            loop_device(cells / "image") as device,
            mounted("-o", "errors=remount-ro", device, folder=place / "card") as folder,
        ):
            yield Card(folder, device, cells)


@contextlib.contextmanager
def loop_device(image: Path) -> Iterator[str]:
    found = subprocess.run(["losetup", "--find", "--show", image], capture_output=True, text=True, check=False)
    if found.returncode:
        pytest.skip(f"this machine does not allow loop devices: {found.stderr.strip()}")
    yield found.stdout.strip()
    subprocess.run(["losetup", "--detach", found.stdout.strip()], check=True)


def fill_up(ballast: Path) -> None:
    with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))


def append_until_it_fails(store: Store, table_id: str, weight: int = 5000) -> tuple[int, StoreError]:
    """How many entries were kept, and why the next was not."""
    for number in range(len(store.entries(table_id)) + 1, 5000):
        try:
            store.append(table_id, [entry(number, f"k{number}", weight="x" * weight)])
        except StoreError as error:
            return number - 1, error
    raise AssertionError("the disk never filled up")


def test_a_full_disk_loses_nothing_and_play_goes_on_once_there_is_room(small_disk: Path) -> None:
    path, ballast = small_disk / "tables.db", small_disk / "ballast"
    ballast.write_bytes(bytes(400_000))
    with opened(path) as store:
        store.create_table(table("t"))
        kept, error = append_until_it_fails(store, "t")
        assert error.event.code == "disk_full"
        assert str(path) in said(error.event)
        assert [one.number for one in store.entries("t")] == list(range(1, kept + 1))
        with refused("disk_full"):
            store.append("t", [entry(kept + 1, f"k{kept + 1}", weight="x" * 5000)])
        ballast.unlink()
        fill(store, "t", kept + 1, kept + 10)
        assert [one.number for one in store.entries("t")] == list(range(1, kept + 11))
    with opened(path) as store:
        assert [one.number for one in store.entries("t")] == list(range(1, kept + 11))


def test_a_batch_that_does_not_fit_leaves_no_part_behind(small_disk: Path) -> None:
    with opened(small_disk / "tables.db") as store:
        store.create_table(table("t"))
        fill(store, "t", 1, 3)
        with refused("disk_full"):
            store.append("t", [entry(number, weight="x" * 100_000) for number in range(4, 40)])
        assert len(store.entries("t")) == 3
        fill(store, "t", 4, 6)
        assert len(store.entries("t")) == 6


def test_a_store_does_not_open_on_a_full_disk_and_does_so_later(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    fill_up(ballast)
    with refused("disk_full"):
        open_store(str(small_disk / "tables.db"))
    ballast.unlink()
    with opened(small_disk / "tables.db") as store:
        store.create_table(table("t"))


def test_a_read_only_disk_is_named_when_opening(small_disk: Path) -> None:
    path = small_disk / "tables.db"
    with opened(path) as store:
        store.create_table(table("t"))
        fill(store, "t", 1, 3)
    run("mount", "-o", "remount,ro", small_disk)
    with refused("disk_read_only", path=str(path)):
        open_store(str(path))
    run("mount", "-o", "remount,rw", small_disk)
    with opened(path) as store:
        assert len(store.entries("t")) == 3


def test_a_card_that_fails_in_mid_play_is_told_and_keeps_all_it_promised(card: Card) -> None:
    path = card.folder / "tables.db"
    with opened(path) as store:
        store.create_table(table("t"))
        fill(store, "t", 1, 5)
        card.wear_out()
        promised, error = append_until_it_fails(store, "t", weight=100_000)
        assert error.event.code in ("disk_failing", "disk_read_only"), error.event
        assert str(path) in said(error.event)
        with pytest.raises(StoreError):
            store.append("t", [entry(promised + 1)])
        assert [one.number for one in store.entries("t")][:promised] == list(range(1, promised + 1))
    card.mend()
    with opened(path) as store:
        numbers = [one.number for one in store.entries("t")]
        assert numbers[:promised] == list(range(1, promised + 1))
        store.append("t", [entry(len(numbers) + 1)])


def test_a_limit_on_file_sizes_is_told_and_play_goes_on_without_it(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with opened(path) as store:
        store.create_table(table("t"))
        fill(store, "t", 1, 3)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.with_name("tables.db-wal").stat().st_size + 20_000, hard))
        try:
            kept, error = append_until_it_fails(store, "t")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert error.event.code in ("disk_full", "disk_failing")
        fill(store, "t", kept + 1, kept + 5)
        assert [one.number for one in store.entries("t")] == list(range(1, kept + 6))


AS_NOBODY = """
import os, sys
from companion.table.entries import StoreError
from companion.table.store import open_store
os.setgid(65534); os.setuid(65534)
try:
    open_store(sys.argv[1])
except StoreError as error:
    print(error.event.code)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize(("folder_mode", "file_mode"), [(0o755, 0o644), (0o777, 0o444), (0o777, 0o000)])
def test_files_of_others_are_refused_with_a_sentence(place: Path, folder_mode: int, file_mode: int) -> None:
    path = place / "tables.db"
    open_store(str(path)).close()
    path.with_name("tables.db-lock").unlink()
    path.chmod(file_mode)
    place.chmod(folder_mode)
    done = subprocess.run([sys.executable, "-c", AS_NOBODY, path], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "store_forbidden"


def test_a_servers_full_disk_is_told_and_play_goes_on_once_there_is_room(small_disk: Path) -> None:
    server = postgres_server()
    address = server.new_database()
    space, ballast = small_disk / "space", small_disk / "ballast"
    space.mkdir()
    if server.user:
        shutil.chown(space, server.user.pw_uid, server.user.pw_gid)
    with opened(address) as store:
        store.create_table(table("t"))
        server.execute(f"CREATE TABLESPACE small LOCATION '{space}'")
        name = address.rpartition("/")[2]
        try:
            server.execute("ALTER TABLE makabana.entries SET TABLESPACE small", name)
            ballast.write_bytes(bytes(400_000))
            kept, error = append_until_it_fails(store, "t", weight=1500)
            assert error.event.code == "disk_full"
            assert len(store.entries("t")) == kept
            ballast.unlink()
            fill(store, "t", kept + 1, kept + 10)
            assert len(store.entries("t")) == kept + 10
        finally:
            server.execute("DROP TABLE makabana.entries", name)
            server.execute("DROP TABLESPACE small")


TRACED = """
import os, sys
from companion.table.entries import Entry, TableRow
from companion.table.store import open_store
store = open_store(sys.argv[1])
store.create_table(TableRow("t", "t", "t", 1.0))
for number in range(1, 6):
    os.write(1, b"asked\\n")
    store.append("t", [Entry(number, "act", None, {})])
    os.write(1, b"promised\\n")
store.close()
"""


def test_every_promise_comes_after_a_sync(tmp_path: Path) -> None:
    strace = shutil.which("strace") or pytest.skip("needs strace to see a sync")
    trace = tmp_path / "trace"
    command = [strace, "-f", "-e", "trace=fsync,fdatasync,write,pwrite64", "-o", trace, sys.executable, "-c", TRACED]
    done = subprocess.run(
        [*command, tmp_path / "tables.db"],
        cwd=ROOT,
        env={"PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=False,
    )
    if "ptrace" in done.stderr:
        pytest.skip(f"strace may not look: {done.stderr.strip()}")
    calls = re.findall(r"(asked|promised|pwrite64|fdatasync|fsync)\b", trace.read_text())
    lives = " ".join(calls).split("asked")[1:]
    assert len(lives) == 5
    for life in lives:
        before = life.partition("promised")[0].split()
        assert "pwrite64" in before
        assert before[-1] in ("fsync", "fdatasync")
