"""What a board says and obeys. Each function is a test that runs in MicroPython."""

# ruff: noqa: UP031 - MicroPython knows no other way

import node
from rig import UID4, UID7, Rig


def hexed(uid):
    return "".join(["%02X" % byte for byte in uid])


def case_it_says_hello_first_and_then_its_state():
    rig = Rig(2)
    rig.run(20)
    hello, state = rig.link.heard[:2]
    assert hello["type"] == "hello"
    assert hello["seq"] == 0
    assert hello["protocol"] == 1
    assert (hello["node"], hello["firmware"], hello["boot"]) == ("north", node.FIRMWARE, "b0071d00")
    assert hello["readers"] == [{"reader": "r0", "chip": "mfrc522"}, {"reader": "r1", "chip": "mfrc522"}]
    assert state["type"] == "state"
    assert state["readers"][0] == {"reader": "r0", "status": "starting", "tags": None}


def case_a_place_is_not_called_empty_before_the_removal_time():
    rig = Rig(1)
    rig.run(1400)
    assert rig.events() == []
    rig.run(600)
    assert rig.events() == [("ready", "r0", None)]
    assert rig.heard("ready")[0]["tags"] == []


def case_tags_at_the_start_are_part_of_ready():
    rig = Rig(1)
    rig.chips[0].lay(UID7)
    rig.run(1000)
    assert rig.events() == [("ready", "r0", None)]
    assert rig.heard("ready")[0]["tags"][0]["uid"] == hexed(UID7)


def case_changes_count_up_and_the_heartbeat_agrees():
    rig = Rig(4)
    rig.settle()
    for _ in range(3):
        rig.chips[1].lay(UID7)
        rig.run(1000)
        rig.chips[1].lift()
        rig.run(3000)
    revs = [message["rev"] for message in rig.heard("laid", "lifted")]
    assert revs == [5, 6, 7, 8, 9, 10], revs
    rig.run(5000)
    beat = rig.heard("heartbeat")[-1]
    assert beat["rev"] == 10
    assert beat["boot"] == "b0071d00"
    assert beat["free"] > 0
    seqs = [message["seq"] for message in rig.link.heard]
    assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))


def case_it_beats_every_five_seconds():
    rig = Rig(8)
    rig.run(31000)
    ticks = [message["ticks"] for message in rig.heard("heartbeat")]
    assert len(ticks) == 6
    assert all(4980 <= ticks[index + 1] - ticks[index] < 5200 for index in range(5)), ticks
    health = rig.heard("heartbeat")[-1]["readers"][7]
    assert sorted(health) == ["garbled", "hard", "polls", "reader", "soft", "status", "timeouts", "version"]
    assert health["polls"] == health["timeouts"] > 100
    assert health["version"] == 0x92


def case_its_ticks_never_wrap():
    rig = Rig(1)
    rig.run(6000)  # the board's own counter wraps after three seconds here
    ticks = [message["ticks"] for message in rig.link.heard]
    assert ticks == sorted(ticks)
    assert ticks[-1] >= 5000


def case_the_host_may_ask_for_the_state():
    rig = Rig(2)
    rig.chips[1].lay(UID7)
    rig.settle()
    state = rig.tell("state?")[0]
    assert state["type"] == "state"
    assert state["re"] == 0
    assert state["rev"] == 2
    assert state["readers"][0] == {"reader": "r0", "status": "ok", "tags": []}
    tag = state["readers"][1]["tags"][0]
    assert tag["uid"] == hexed(UID7)
    assert 2000 < tag["age"] < 2600, tag


def case_a_host_that_restarts_gets_everything():
    rig = Rig(2)
    rig.chips[1].lay(UID7)
    rig.settle()
    said = rig.tell("hello?")
    assert [message["type"] for message in said[:2]] == ["hello", "state"]
    assert said[1]["readers"][1]["tags"][0]["uid"] == hexed(UID7)


def case_what_happened_while_the_link_was_down_is_in_the_next_state():
    rig = Rig(2)
    rig.chips[0].lay(UID7)
    rig.settle()
    rig.link.is_open = False
    rig.run(200)
    rig.chips[0].lift()
    rig.chips[1].lay(UID4)
    rig.run(7000)
    assert rig.link.heard == []
    assert rig.link.unsent > 0
    rig.link.is_open = True
    rig.run(200)
    assert [message["type"] for message in rig.link.heard[:2]] == ["hello", "state"]
    readers = rig.link.heard[1]["readers"]
    assert readers[0]["tags"] == []
    assert readers[1]["tags"][0]["uid"] == hexed(UID4)
    assert rig.events() == []


def case_a_ping_is_echoed():
    rig = Rig(1)
    rig.settle()
    assert rig.tell("ping", echo=1234567890123)[0]["echo"] == 1234567890123
    pong = rig.tell("ping", echo="abc")[0]
    assert (pong["type"], pong["echo"], pong["re"]) == ("pong", "abc", 1)
    assert rig.tell("ping", echo="x" * 33)[0]["type"] == "refused"
    assert rig.tell("ping")[0]["type"] == "refused"


def case_settings_change_at_once_or_not_at_all():
    rig = Rig(1)
    rig.settle()
    assert rig.tell("set", timeout_ms=8, removal_ms=500, gain=7)[0]["type"] == "done"
    rig.run(200)
    assert rig.readers[0].chip.timeout_ms == 8
    assert rig.chips[0]._registers[0x26] == 0x70
    refused = rig.tell("set", timeout_ms=0, gain=8)[0]
    assert refused["type"] == "refused"
    assert "poll.gain must be a whole number from 0 to 7, and is 8." in refused["reason"]
    assert "poll.timeout_ms must be a whole number from 1 to 100, and is 0." in refused["reason"]
    assert rig.readers[0].chip.timeout_ms == 8
    assert rig.tell("set", colour=3)[0]["type"] == "refused"


def case_unknown_fields_are_ignored_and_unknown_commands_refused():
    rig = Rig(1)
    rig.settle()
    assert rig.tell("ping", echo=1, colour="red")[0]["type"] == "pong"
    refused = rig.tell("dance")[0]
    assert refused["reason"] == "There is no command 'dance' here."
    assert refused["re"] == 1


def case_another_version_is_refused_with_a_sentence():
    import binascii

    rig = Rig(1)
    rig.settle()
    body = b'{"v":2,"seq":0,"type":"ping","echo":1'
    rig.link.inbox = body + b',"crc":"%08x"}\n' % binascii.crc32(body)
    rig.run(50)
    reason = rig.heard("refused")[0]["reason"]
    assert reason == "This end speaks protocol version 1 and the other end sent 2. Update the older of the two."
    assert len(rig.heard("refused")) == 1


def case_known_tags_are_checked():
    rig = Rig(1)
    rig.settle()
    assert rig.tell("known", uids=["04A1"])[0]["type"] == "refused"
    assert rig.tell("known", uids=["zz" * 7])[0]["type"] == "refused"
    assert rig.tell("known", uids=5)[0]["type"] == "refused"
    assert rig.tell("known", uids=["04A1B2C3D4E580"] * 41)[0]["type"] == "refused"
    assert rig.tell("known", uids=["04A1B2C3D4E580"])[0]["type"] == "done"
    assert rig.known == {b"\x04\xa1\xb2\xc3\xd4\xe5\x80"}
    rig.tell("known", uids=[], clear=True)
    assert rig.known == set()


def case_the_lamp_blinks_to_be_found():
    rig = Rig(1)
    rig.settle()
    assert rig.tell("identify", seconds=2)[0]["type"] == "done"
    seen = set()
    for _ in range(100):
        rig.run(10)
        seen.add(rig.world.levels.get(25))
    assert seen == {0, 1}
    rig.run(1500)
    assert rig.world.levels[25] == 0
    assert rig.tell("identify", seconds=0)[0]["type"] == "refused"


def case_reset_and_stop_are_answered_and_end_the_loop():
    for kind, wish in (("reset", node.RESET), ("stop", node.STOP)):
        rig = Rig(1)
        rig.settle()
        assert rig.tell(kind)[0]["type"] == "done"
        assert rig.node.run() == wish


def case_uids_are_told_only_where_they_belong():
    rig = Rig(2, reset=22)
    rig.chips[0].lay(UID7)
    rig.settle()
    rig.tell("known", uids=[hexed(UID7)])
    rig.tell("check")
    rig.tell("ping", echo=1)
    rig.chips[0].unplug()
    rig.run(12000)
    for message in rig.link.heard:
        if message["type"] not in ("state", "laid", "lifted", "ready"):
            assert hexed(UID7) not in str(message), message
    assert rig.heard("lost")
    assert rig.heard("heartbeat")
    assert rig.heard("checked")


def case_the_watchdog_is_fed_in_every_turn():
    rig = Rig(8)
    rig.run(5000)
    longest = before = 0
    for _ in range(500):
        start = rig.clock.us
        before = rig.world.feeds
        rig.node.step()
        assert rig.world.feeds == before + 1
        longest = max(longest, rig.clock.us - start)
    assert longest < 300000, longest


def case_a_board_with_mistakes_says_so_instead_of_a_state():
    rig = Rig(1)
    rig.node.problems = ["node must be 1 to 24 of a-z, 0-9, - and _, and is missing."]
    rig.node.readers = []
    rig.run(6000)
    kinds = [message["type"] for message in rig.link.heard]
    assert kinds == ["hello", "misconfigured", "heartbeat", "misconfigured"], kinds
    assert rig.heard("misconfigured")[0]["problems"] == rig.node.problems
    assert rig.tell("ping", echo=1)[0]["type"] == "pong"


def case_an_hour_at_rest_with_noise_has_no_false_removal():
    _rest(1, 3600)


def case_long_eight_readers_rest_for_an_hour_with_noise():
    _rest(8, 3600)


def _rest(count, seconds):
    rig = Rig(count)
    for index, chip in enumerate(rig.chips):
        chip.lay(bytes([4, index, 0xB2, 0xC3, 0xD4, 0xE5, 0x80]))
        chip.missed = chip.garbled = 0.03
        chip.ghost = 0.002
    rig.settle()
    for _ in range(seconds // 60):
        rig.run(60000)
        assert rig.events() == [], rig.events()
        rig.forget()
    garbled = sum([reader.garbled for reader in rig.readers])
    timeouts = sum([reader.timeouts for reader in rig.readers])
    polls = sum([reader.polls for reader in rig.readers])
    print("%d polls, %d garbled, %d timed out" % (polls, garbled, timeouts))
    assert garbled > polls // 20
    assert timeouts > polls // 100
