"""What the doctor finds out about the machine: its clock, its disk, its network."""

import re
from pathlib import Path

import pytest

from companion.devices import machine as checks
from companion.devices.findings import Finding
from companion.devices.machine import Machine, check_clock, check_disk, check_network
from companion.devices.texts import catalogue, say

ADDRESSES = {"eth0": "192.168.1.5", "wlan0": "192.168.1.6"}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """One with a cable and a Wi-Fi, both joined, that nobody set up as an access point."""
    for name in ("lo", "eth0", "wlan0/phy80211"):
        (tmp_path / "net" / name).mkdir(parents=True)
    (tmp_path / "mounts").write_text(f"/dev/sda / ext4 rw 0 0\ntmpfs {tmp_path / 'memory'} tmpfs rw 0 0\n")
    return Machine(
        data=tmp_path / "data" / "makabana", interfaces=tmp_path / "net", mounts=tmp_path / "mounts",
        hotspot=tmp_path / "hotspot.conf", synced=tmp_path / "synced", address_of=ADDRESSES.get,
        is_access_point=lambda name: False,
    )  # fmt: skip


def codes(findings: object) -> list[tuple[str, bool, bool]]:
    return [(one.what.code, one.is_fine, one.is_needed) for one in findings]  # type: ignore[attr-defined]


# --- Clock ---


def test_a_clock_before_the_installation_is_wrong(machine: Machine) -> None:
    installed = Path(checks.__file__).stat().st_mtime
    assert check_clock(machine._replace(now=lambda: installed - 100_000)).what.code == "clock_behind"
    assert check_clock(machine._replace(now=lambda: installed + 100_000)).what.code == "ok_clock"
    machine.synced.touch()
    assert check_clock(machine).what.code == "ok_clock_synced"


# --- Disk ---


def test_a_folder_still_to_be_made_is_judged_by_where_it_will_be(machine: Machine) -> None:
    (finding,) = check_disk(machine)
    assert finding.what.code in ("ok_disk", "disk_tight")
    assert not machine.data.exists()
    assert list(machine.data.parent.parent.glob("data*")) == []


def test_a_full_disk_matters_and_a_tight_one_is_told(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    for least, good, expected in ((10**9, 10**9, ("disk_full", False, True)), (0, 10**9, ("disk_tight", False, False))):
        monkeypatch.setattr(checks, "LEAST_FREE_MB", least)
        monkeypatch.setattr(checks, "GOOD_FREE_MB", good)
        assert codes(check_disk(machine)) == [expected]


def test_a_slow_card_is_told(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "SLOW_SYNC_MS", -1.0)
    assert codes(check_disk(machine))[-1] == ("disk_slow", False, False)


def test_games_in_memory_are_told(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    assert codes(check_disk(machine._replace(data=tmp_path / "memory")))[-1] == ("disk_volatile", False, False)


def test_a_place_that_cannot_be_written_matters(machine: Machine) -> None:
    assert codes(check_disk(machine._replace(data=Path("/proc/makabana")))) == [("disk_forbidden", False, True)]


# --- Network ---


def test_cable_and_wifi_are_told_with_their_addresses(machine: Machine) -> None:
    found = list(check_network(machine))
    assert codes(found) == [("ok_wifi", True, False), ("ok_network", True, True)]
    assert [one.what.data["address"] for one in found] == ["192.168.1.6", "192.168.1.5"]


def test_an_access_point_is_needed_only_where_it_was_set_up(machine: Machine) -> None:
    machine.hotspot.touch()
    assert codes(check_network(machine))[0] == ("hotspot_down", False, True)
    open_now = machine._replace(is_access_point=lambda name: True)
    assert codes(check_network(open_now)) == [("ok_hotspot", True, True), ("ok_network", True, True)]


def test_no_network_at_all_is_told_and_no_failure(machine: Machine, tmp_path: Path) -> None:
    alone = machine._replace(address_of=lambda name: None)
    assert codes(check_network(alone)) == [("wifi_idle", False, False), ("no_network", False, False)]
    nothing = machine._replace(interfaces=tmp_path / "none")
    assert codes(check_network(nothing)) == [("no_wifi", False, False), ("no_network", False, False)]


def test_this_machine_knows_its_own_loopback() -> None:
    assert checks.address_of("lo") in ("127.0.0.1", None)
    assert checks.address_of("no-such-thing") is None


# --- Words ---


def test_every_finding_of_the_machine_has_words_in_both_languages(machine: Machine) -> None:
    found: list[Finding] = [check_clock(machine), *check_disk(machine), *check_network(machine)]
    for one in found:
        for language in ("en", "fr"):
            assert "{" not in say(one.what, language)
            assert f"area.{one.area}" in catalogue()


@pytest.mark.parametrize("module", ["devices/machine.py", "devices/checkup.py", "commands/camera_check.py"])
def test_every_code_that_is_written_has_its_sentence(module: str) -> None:
    text = (Path(checks.__file__).parents[1] / module).read_text("utf-8")
    written = set(re.findall(r'Event\("([a-z_]+)"', text)) | set(re.findall(r'"(ok_[a-z_]+)"', text))
    assert written
    assert written - set(catalogue()) == set()
    areas = set(re.findall(r'Finding\(\s*"([a-z]+)"', text))
    assert {f"area.{area}" for area in areas} - set(catalogue()) == set()
