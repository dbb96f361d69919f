"""Chips, tags and trouble: each function is a test that runs in MicroPython."""

# ruff: noqa: UP031 - MicroPython knows no other way

from rig import UID4, UID7, UID10, Rig, config_of
from tags import Tag, crc_a


def hexed(uid):
    return "".join(["%02X" % byte for byte in uid])


def case_checksum_is_that_of_the_standard():
    assert crc_a(b"\x00\x00") == b"\xa0\x1e"  # ISO 14443-3 annex B
    assert crc_a(b"\x12\x34") == b"\x26\xcf"
    assert crc_a(b"\x50\x00") == b"\x57\xcd"


def _is_read_whole(uid):
    rig = Rig()
    rig.settle()
    rig.chips[0].lay(uid)
    rig.run(500)
    assert rig.events() == [("laid", "r0", hexed(uid))], rig.events()
    rig.chips[0].lift()
    rig.run(3000)
    assert rig.events() == [("laid", "r0", hexed(uid)), ("lifted", "r0", hexed(uid))], rig.events()


def case_uid_of_4_bytes_is_read_whole():
    _is_read_whole(UID4)


def case_uid_of_7_bytes_is_read_whole():
    _is_read_whole(UID7)


def case_uid_of_10_bytes_is_read_whole():
    _is_read_whole(UID10)


def case_many_random_uids_are_read_whole():
    from clocks import Dice

    dice = Dice(7)
    rig = Rig()
    rig.settle()
    for size in (4, 7, 10) * 8:
        uid = bytes([dice.draw() & 0x7F for _ in range(size)])
        rig.chips[0].lay(uid)
        rig.run(300)
        rig.chips[0].lift()
        rig.run(2500)
        assert rig.events() == [("laid", "r0", hexed(uid)), ("lifted", "r0", hexed(uid))], rig.events()
        rig.forget()


def case_two_tags_in_one_field_are_told_apart():
    for first, second in ((UID4, b"\x1a\x2b\x3c\x4e"), (UID7, UID4), (UID7, b"\x04\xa1\xb2\xc3\xd4\xe5\x81")):
        rig = Rig()
        rig.settle()
        rig.chips[0].lay(first)
        rig.chips[0].lay(second)
        rig.run(600)
        assert sorted(rig.events()) == sorted([("laid", "r0", hexed(first)), ("laid", "r0", hexed(second))])
        rig.forget()
        rig.chips[0].lift(first)
        rig.run(3000)
        assert rig.events() == [("lifted", "r0", hexed(first))], rig.events()
        state = rig.tell("state?")[0]
        assert [tag["uid"] for tag in state["readers"][0]["tags"]] == [hexed(second)]


def case_three_tags_never_crash_it():
    rig = Rig()
    rig.settle()
    for uid in (UID4, UID7, UID10):
        rig.chips[0].lay(uid)
    rig.run(2000)
    laid = [event[2] for event in rig.events()]
    assert len(laid) >= 1
    assert set(laid) <= {hexed(UID4), hexed(UID7), hexed(UID10)}


def case_events_are_dated_at_the_reader():
    rig = Rig(8)
    rig.settle()
    started = rig.clock.us
    rig.chips[3].lay(UID7)
    rig.run(1000)
    laid = rig.heard("laid")[0]
    happened = laid["ticks"] - laid["age"]  # since the start of the board
    rig_start = (1 << 30) * 1000 - 3000000
    assert 0 <= happened - (started - rig_start) // 1000 <= 200, laid
    lifted_at = rig.clock.us
    rig.chips[3].lift()
    rig.run(3000)
    lifted = rig.heard("lifted")[0]
    assert 0 <= lifted["ticks"] - lifted["age"] - (lifted_at - rig_start) // 1000 <= 200, lifted
    assert 1500 <= lifted["age"] <= 2000, lifted


def case_a_stranger_needs_two_reads_and_a_known_tag_one():
    rig = Rig()
    rig.settle()
    assert rig.tell("known", uids=[hexed(UID7)])[0]["type"] == "done"
    for uid, polls in ((UID7, 1), (UID4, 2)):
        rig.chips[0].lay(uid)
        before = rig.readers[0].polls
        while not rig.heard("laid"):
            rig.node.step()
        assert rig.readers[0].polls - before == polls, (uid, rig.readers[0].polls - before)
        rig.chips[0].lift()
        rig.run(2500)
        rig.forget()


def case_ghosts_are_not_reported():
    rig = Rig()
    rig.settle()
    rig.chips[0].ghost = 0.03
    rig.run(120000)
    assert rig.readers[0].polls - rig.readers[0].timeouts > 20
    assert rig.events() == [], rig.events()


def case_a_garbled_answer_proves_presence():
    rig = Rig()
    rig.chips[0].lay(UID7)
    rig.settle()
    rig.chips[0].garbled = 1.0
    rig.run(10000)
    assert rig.events() == []
    assert rig.readers[0].garbled > 50


def case_missed_answers_shorter_than_the_limit_are_forgiven():
    rig = Rig()
    rig.chips[0].lay(UID7)
    rig.settle()
    for _ in range(20):
        rig.chips[0].missed = 1.0
        rig.run(1300)
        rig.chips[0].missed = 0.0
        rig.run(300)
    assert rig.events() == [], rig.events()


def case_a_tag_that_answers_after_the_field_was_cycled_stays():
    rig = Rig()
    rig.chips[0].lay(UID7)
    rig.settle()
    rig.chips[0].missed = 1.0
    while not rig.readers[0].tracker.slots[0].is_doubted:
        rig.node.step()
    rig.chips[0].missed = 0.0
    rig.run(3000)
    assert rig.events() == [], rig.events()


def case_only_one_antenna_is_on_at_a_time():
    rig = Rig(8)
    for chip in rig.chips:
        chip.lay(UID7)
    rig.run(3000)
    assert rig.world.antennas == 1


def case_a_tag_goes_from_one_reader_to_another():
    rig = Rig(2)
    rig.chips[0].lay(UID7)
    rig.settle()
    rig.chips[0].lift()
    rig.chips[1].lay(UID7)
    rig.run(3000)
    assert rig.events() == [("laid", "r1", hexed(UID7)), ("lifted", "r0", hexed(UID7))], rig.events()


def case_a_quick_swap_reports_both():
    rig = Rig()
    rig.chips[0].lay(UID7)
    rig.settle()
    rig.chips[0].lift()
    rig.chips[0].lay(UID4)
    rig.run(3000)
    assert rig.events() == [("laid", "r0", hexed(UID4)), ("lifted", "r0", hexed(UID7))], rig.events()


def _recovers(wedge, cure, soft, hard):
    rig = Rig(2, reset=22 if hard else None)
    rig.chips[0].lay(UID7)
    rig.settle()
    rig.chips[0].break_down(wedge, cure)
    rig.run(8000)
    assert rig.events() == [], (wedge, cure, rig.events())
    reader = rig.readers[0]
    assert (reader.soft, reader.hard) == (soft, hard), (wedge, cure, reader.soft, reader.hard)
    beat = rig.heard("heartbeat")[-1]["readers"][0]
    assert (beat["soft"], beat["hard"], beat["version"]) == (soft, hard, 0x92)
    rig.chips[0].lift()
    rig.run(3000)
    assert rig.events() == [("lifted", "r0", hexed(UID7))]


def case_a_wedged_chip_is_reset_softly():
    for wedge in ("zeros", "ones", "stuck"):
        _recovers(wedge, "soft", 1, 0)


def case_a_chip_that_ignores_that_is_reset_by_its_pin():
    for wedge in ("zeros", "ones", "stuck"):
        _recovers(wedge, "hard", 1, 1)


def case_a_shared_reset_wire_does_not_disturb_the_neighbours():
    rig = Rig(8, reset=22)
    for chip in rig.chips:
        chip.lay(UID7)
    rig.settle()
    rig.chips[5].break_down("ones", "hard")
    rig.run(10000)
    assert rig.events() == [], rig.events()
    assert rig.readers[5].hard == 1


def case_a_dead_reader_is_lost_and_comes_back_when_plugged():
    rig = Rig(2)
    rig.chips[0].lay(UID7)
    rig.settle()
    rig.chips[0].unplug()
    rig.run(3000)
    assert rig.events() == [("lost", "r0", None)], rig.events()
    assert "'r0' does not answer (version register 0xFF)" in rig.heard("lost")[0]["reason"]
    state = rig.tell("state?")[0]["readers"]
    assert state[0] == {"reader": "r0", "status": "lost", "tags": None}, state
    assert state[1] == {"reader": "r1", "status": "ok", "tags": []}, state
    rig.forget()
    rig.chips[0].plug()
    rig.run(8000)
    assert rig.events() == [("ready", "r0", None)], rig.events()
    assert rig.heard("ready")[0]["tags"][0]["uid"] == hexed(UID7)


def case_a_quick_replug_goes_unnoticed_by_the_table():
    rig = Rig()
    rig.chips[0].lay(UID7)
    rig.settle()
    rig.chips[0].unplug()
    rig.chips[0].plug()  # all its registers are back at their defaults
    rig.run(5000)
    assert rig.events() == []
    assert rig.readers[0].soft == 1


def case_a_chip_that_is_not_there_at_the_start_is_lost():
    rig = Rig(2)
    rig.chips[1].unplug()
    rig.run(3000)
    assert rig.events() == [("lost", "r1", None), ("ready", "r0", None)], rig.events()


def case_a_dead_reader_does_not_slow_the_others():
    rig = Rig(8)
    rig.settle()
    rig.chips[0].unplug()
    rig.run(20000)
    before = rig.readers[1].polls
    rig.run(10000)
    assert rig.readers[1].polls - before >= 50


def case_every_way_of_wiring_works():
    ways = (
        {},
        {"buffers": True},
        {"misos": (0, 0, 4, 4, 16, 16, 20, 20)},
    )
    for way in ways:
        config = config_of(8)
        for index, reader in enumerate(config["readers"]):
            if "buffers" in way:
                reader["buffer"] = (10, 11, 12, 13, 14, 15, 20, 21)[index]
            if "misos" in way:
                del reader["buffer"]
                reader["select"] = (1, 2, 3, 5, 6, 7, 8, 9)[index]
                reader["miso"] = way["misos"][index]
        rig = Rig(config=config, is_buffered="misos" not in way)
        for index, chip in enumerate(rig.chips):
            chip.lay(bytes([4, 1, 2, 3, 4, 5, index]))
        rig.run(3000)
        tags = [message["tags"][0]["uid"] for message in rig.heard("ready")]
        assert tags == ["0401020304050%d" % index for index in range(8)], (way, tags)
        findings = rig.tell("check")[0]["findings"]
        assert all(finding["ok"] for finding in findings), findings


def case_a_miso_conflict_is_found_by_the_self_test():
    rig = Rig(6, is_buffered=False)  # the configuration says that there are buffers, and there are none
    rig.run(100)
    findings = rig.tell("check")[0]["findings"]
    bad = [finding["text"] for finding in findings if finding["reader"] is None and not finding["ok"]]
    assert len(bad) == 1, findings
    assert "share MISO GP16 and disturb each other" in bad[0]


def case_two_readers_without_buffers_are_fine():
    config = config_of(2)
    for reader in config["readers"]:
        del reader["buffer"]
    rig = Rig(config=config, is_buffered=False)
    rig.run(100)
    assert all(finding["ok"] for finding in rig.tell("check")[0]["findings"])


def case_the_self_test_names_a_missing_reader():
    rig = Rig(2)
    rig.settle()
    rig.chips[1].unplug()
    findings = rig.tell("check")[0]["findings"]
    assert findings[0]["ok"]
    assert findings[0]["text"] == "mfrc522, version 0x92"
    assert not findings[1]["ok"]
    assert "'r1' does not answer (0xFF)" in findings[1]["text"]


def case_tags_lose_their_state_with_the_field():
    tag = Tag(UID4)
    assert tag.hear(b"\x52", 7) is not None
    assert tag.state == "READY"
    tag.power_off()
    assert tag.state == "IDLE"
    assert tag.hear(b"\x93\x20", 0) is None
