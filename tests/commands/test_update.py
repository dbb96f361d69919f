"""`makabana update`: real wheels, real processes, and a service manager that starts and stops them."""

import fcntl
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion import cli
from companion.commands.update.source import pull, source_at
from companion.commands.update.texts import UpdateError, texts
from tests.commands.update_support import (
    MUTE,
    NO_HOUSE,
    NO_SERVICE,
    SOON_DEAD,
    UNWELL,
    Place,
    digest,
    make_place,
    make_release,
    make_wheel,
    use,
)
from tests.devices.support import free_port

ROOT = Path(__file__).parents[2]
RESCUE = ROOT / "hardware" / "pi" / "rescue.sh"
IS_LONG = os.environ.get("MAKABANA_LONG") == "1"
KILLS = 60 if IS_LONG else 4


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    place = make_place(tmp_path, free_port())
    monkeypatch.setenv("PATH", place.path)
    monkeypatch.setattr("companion.commands.update.trial.SERVICE_USER", "nobody-of-that-name")
    yield place
    place.stop()


def command(place: Place, *words: str) -> list[str]:
    places = ["--prefix", str(place.prefix), "--data", str(place.data), "--watch", "0.1"]
    return ["--lang", "en", "update", *places, *words]


def update(place: Place, *words: str) -> int:
    return cli.main(command(place, *words))


def served_version(place: Place) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{place.port}/api/health", timeout=10) as answer:
        found = re.search(r'"version": "([^"]+)"', answer.read().decode())
    return found[1] if found else ""


# --- The usual way ---


def test_a_wheel_becomes_a_release_with_a_venv_of_its_own(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    wheel = make_wheel(place, "1.0")
    assert update(place, "--from", str(wheel), "--wheels", str(wheel.parent)) == 0
    program = place.prefix / "current" / "venv" / "bin" / "makabana"
    assert subprocess.check_output([program, "--version"], text=True) == "makabana 1.0\n"
    assert "The house was not running; it will start with 1.0-" in capsys.readouterr().out
    assert update(place, "--from", str(wheel)) == 0
    assert "is in use and the newest there is" in capsys.readouterr().out


def test_a_running_house_is_restarted_with_the_new_release(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    use(place, make_release(place, "1.0"))
    place.start()
    assert served_version(place) == "1.0"
    assert update(place, "--from", str(make_release(place, "2.0"))) == 0
    assert served_version(place) == "2.0"
    assert (place.prefix / "previous").readlink().name.startswith("1.0-")
    assert not (place.prefix / "pending").exists()
    assert "2.0-" in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize("kind", [NO_SERVICE, SOON_DEAD])
def test_a_release_that_does_not_stay_up_is_taken_back(
    kind: str, place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    use(place, make_release(place, "1.0"))
    place.start()
    words = ("--from", str(make_release(place, "2.0", kind)), "--watch", "3")
    assert update(place, *words) == 1
    assert served_version(place) == "1.0"
    assert place.current().startswith("1.0-")
    assert not (place.prefix / "pending").exists()
    assert "did not come up" in capsys.readouterr().out
    assert update(place, "--rollback") == 2, "the release that failed is nothing to go back to"


@pytest.mark.parametrize(("kind", "why"), [(MUTE, "says it is ?"), (UNWELL, "The moon is full."), (NO_HOUSE, "leaks")])
def test_an_unfit_release_is_never_put_to_use(
    kind: str, why: str, place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    use(place, make_release(place, "1.0"))
    assert update(place, "--from", str(make_release(place, "2.0", kind))) == 1
    assert place.current().startswith("1.0-")
    assert why in capsys.readouterr().err
    assert list(place.data.iterdir()) == []


def test_the_trial_sees_a_copy_of_games_that_are_being_played(place: Place) -> None:
    store = place.data / "tables.db"
    with closing(sqlite3.connect(store)) as playing:
        playing.execute("pragma journal_mode = wal")
        playing.execute("create table games (name)")
        playing.execute("insert into games values ('tonight')")
        playing.commit()
        before = digest(store)
        assert update(place, "--from", str(make_release(place, "1.0"))) == 0
        assert digest(store) == before
        assert playing.execute("select name from sqlite_master").fetchall() == [("games",)]


def test_games_that_cannot_be_copied_stop_the_update(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    (place.data / "tables.db").write_bytes(b"no database at all" * 100)
    assert update(place, "--from", str(make_release(place, "1.0"))) == 1
    assert "can't be copied for a trial" in capsys.readouterr().err


def test_rolling_back_goes_to_the_release_before_and_forth_again(place: Place) -> None:
    use(place, make_release(place, "1.0"))
    place.start()
    assert update(place, "--from", str(make_release(place, "2.0"))) == 0
    for version in ("1.0", "2.0"):
        assert update(place, "--rollback") == 0
        assert served_version(place) == version


def test_two_releases_are_kept(place: Place) -> None:
    for version in ("1.0", "2.0", "3.0"):
        assert update(place, "--from", str(make_release(place, version))) == 0
    kept = sorted(path.name.split("-")[0] for path in (place.prefix / "releases").iterdir())
    assert kept == ["2.0", "3.0"]


# --- What may go wrong before anything has changed ---


@pytest.mark.parametrize(
    ("name", "code"),
    [("nothing", "source_missing"), ("other.whl", "source_not_ours"), ("folder", "source_not_ours")],
)
def test_a_source_that_is_not_ours_is_refused(name: str, code: str, tmp_path: Path) -> None:
    (tmp_path / "folder" / "companion").mkdir(parents=True)
    (tmp_path / "folder" / "companion" / "__init__.py").write_bytes(b"\xff\xfe")
    (tmp_path / "other.whl").write_bytes(b"PK")
    with pytest.raises(UpdateError, match=code):
        source_at(tmp_path / name)


def test_without_a_source_one_is_asked_for(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    assert update(place) == 2
    assert "makabana update --from PATH" in capsys.readouterr().err


def test_without_rights_it_says_how_to_get_them(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    (place.folder / "file").touch()
    assert update(place._replace(folder=place.folder / "file"), "--rollback") == 2
    assert "sudo makabana update" in capsys.readouterr().err


def test_a_package_that_cannot_be_had_leaves_nothing_behind(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    wheel = make_wheel(place, "1.0")
    wheel.write_bytes(b"no wheel inside")
    assert update(place, "--from", str(wheel), "--wheels", str(wheel.parent)) == 2
    assert "Nothing has changed." in capsys.readouterr().err
    assert list((place.prefix / "releases").iterdir()) == []


def test_two_updates_do_not_run_at_once(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    with (place.prefix / "update.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert update(place, "--from", str(make_release(place, "1.0"))) == 2
    assert "Another update is at work" in capsys.readouterr().err


# --- A checkout and its remote ---


def checkout(folder: Path, version: str) -> Path:
    (folder / "companion").mkdir(parents=True, exist_ok=True)
    (folder / "companion" / "__init__.py").write_text(f'__version__ = "{version}"\n')
    (folder / "pyproject.toml").write_text("[project]\n")
    return folder


def git(folder: Path, *words: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *identity, "-C", str(folder), *words], check=True, capture_output=True)


def test_a_checkout_is_named_by_what_would_be_installed_of_it(tmp_path: Path) -> None:
    folder = checkout(tmp_path, "1.0")
    name = source_at(folder).name
    (folder / "notes.txt").write_text("nothing that is installed")
    (folder / "companion" / "__pycache__").mkdir()
    (folder / "companion" / "__pycache__" / "x.pyc").write_bytes(b"x")
    assert source_at(folder).name == name
    (folder / "companion" / "rules.py").write_text("")
    assert source_at(folder).name != name


def test_changes_at_the_remote_are_counted_and_pulled(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    theirs = checkout(place.folder / "theirs", "1.0")
    git(theirs, "init")
    git(theirs, "add", ".")
    git(theirs, "commit", "-m", "one")
    git(place.folder, "clone", "--quiet", str(theirs), str(place.folder / "ours"))
    ours = place.folder / "ours"
    (place.prefix / "source").write_text(f"{ours}\n")
    assert update(place, "--check") == 0
    assert "1.0-" in capsys.readouterr().out
    checkout(theirs, "1.1")
    git(theirs, "commit", "-am", "two")
    assert update(place, "--check") == 0
    assert capsys.readouterr().out.startswith(f"1 changes wait for {ours}")
    pull(ours)
    assert source_at(ours).version == "1.1"


def test_a_checkout_that_git_cannot_bring_up_to_date_is_told(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    theirs = checkout(place.folder / "theirs", "1.0")
    git(theirs, "init")
    git(theirs, "add", ".")
    git(theirs, "commit", "-m", "one")
    git(place.folder, "clone", "--quiet", str(theirs), str(place.folder / "ours"))
    (place.prefix / "source").write_text(f"{place.folder / 'ours'}\n")
    shutil.rmtree(theirs)
    assert update(place) == 2
    assert "git could not bring" in capsys.readouterr().err


# --- Power cuts ---


def test_a_power_cut_at_any_moment_leaves_a_release_that_runs(place: Place) -> None:
    """The update and all it has started are killed at random moments; what is current always runs."""
    rng = random.Random(7)
    wheels = [make_wheel(place, version) for version in ("1.0", "2.0")]
    run = [sys.executable, "-m", "companion.cli", *command(place, "--wheels", str(wheels[0].parent))]
    subprocess.run([*run, "--from", str(wheels[0])], cwd=ROOT, check=True, capture_output=True)
    place.start()
    whole_s = 8.0
    for number in range(KILLS):
        target = wheels[(number + 1) % 2]
        process = subprocess.Popen([*run, "--from", str(target)], cwd=ROOT, start_new_session=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        try:
            process.wait(rng.uniform(0.3, whole_s))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        program = place.prefix / "current" / "venv" / "bin" / "makabana"
        assert subprocess.check_output([program, "--version"], text=True) in ("makabana 1.0\n", "makabana 2.0\n")
        if number % 2:
            place.start()
    done = subprocess.run([*run, "--from", str(make_wheel(place, "3.0"))], cwd=ROOT, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert served_version(place) == "3.0"
    assert len(list((place.prefix / "releases").iterdir())) == 2
    assert not (place.prefix / "pending").exists()
    assert not list(place.data.glob("trial-*"))


def rescue(place: Place) -> str:
    environment = {
        **os.environ,
        "MAKABANA_PREFIX": str(place.prefix),
        "MAKABANA_NO_WAIT": "1",
        "MAKABANA_NO_START": "1",
    }
    return subprocess.check_output(["sh", str(RESCUE)], env=environment, text=True, stderr=subprocess.STDOUT)


def test_an_update_that_nobody_saw_come_up_is_rescued_without_python(place: Place) -> None:
    old, new = make_release(place, "1.0"), make_release(place, "2.0")
    use(place, new)
    (place.prefix / "pending").write_text(f"{source_at(old).name}\n")
    assert "did not come up" in rescue(place)
    assert place.current() == source_at(old).name
    assert "no update to take back" in rescue(place)
    assert place.current() == source_at(old).name


@pytest.mark.parametrize("pending", ["../../etc", "gone-1", ".hidden", "a b; rm -rf x"])
def test_a_pending_that_names_no_release_changes_nothing(pending: str, place: Place) -> None:
    use(place, make_release(place, "1.0"))
    (place.prefix / "pending").write_text(pending)
    rescue(place)
    assert place.current().startswith("1.0-")
    assert not (place.prefix / "pending").exists()


# --- Texts ---


@pytest.mark.parametrize("code", sorted(texts()))
def test_every_sentence_says_the_same_in_both_languages(code: str) -> None:
    fields = {language: sorted(set(re.findall(r"{(\w+)}", text))) for language, text in texts()[code].items()}
    assert fields["en"] == fields["fr"]
