"""Mistakes in config.json, each with its sentence."""

# ruff: noqa: UP031 - MicroPython knows no other way

import json

import settings
from rig import config_of

FOLDER = __file__.rsplit("/", 4)[0]


def case_the_delivered_configuration_is_right():
    config, problems = settings.load(FOLDER + "/firmware/config.json")
    assert problems == []
    assert len(config["readers"]) == 8


def case_a_missing_or_broken_file_is_named():
    assert settings.load("nowhere.json")[1] == [
        "There is no nowhere.json on this board. Write one with: makabana flash"
    ]
    assert settings.load(__file__)[1] == ["%s is not valid JSON. Look for a missing comma or quote." % __file__]


def case_each_mistake_has_its_sentence():
    def changed(**changes):
        return config_of(2, **changes)

    def reader(**changes):
        config = config_of(2)
        config["readers"][1].update(changes)
        return config

    for config, sentence in (
        (changed(node=None), "node must be 1 to 24 of a-z, 0-9, - and _, and is missing."),
        (changed(node="Nord!"), "node must be 1 to 24 of a-z, 0-9, - and _, and is 'Nord!'."),
        (changed(transport="radio"), "transport must be one of serial, mqtt, and is 'radio'."),
        (changed(watchdog_ms=9000), "watchdog_ms must be a whole number from 1000 to 8300, and is 9000."),
        (changed(poll={"gain": True}), "poll.gain must be a whole number from 0 to 7, and is True."),
        (
            changed(poll={"speed": 1}),
            "poll.speed is unknown. Known are gain, period_ms, removal_ms, settle_ms, timeout_ms.",
        ),
        (changed(poll=[]), "poll must be an object, and is []."),
        (changed(readers=[]), "readers must be a list of 1 to 8 readers."),
        (changed(readers=[5]), "readers[0] must be an object, and is 5."),
        (changed(spi=None), "spi is missing. It needs id, sck, mosi and miso."),
        (reader(reader="r0"), "readers[1].reader is 'r0', and so is another one's. Names must differ."),
        (reader(chip="rc522"), "readers[1].chip must be one of mfrc522, pn532-i2c, pn532-uart, and is 'rc522'."),
        (reader(select=2), "readers[1].select is GP2, which readers[0].select has already."),
        (reader(select=30), "readers[1].select must be a pin number from 0 to 28, and is 30."),
        (reader(reset=2), "readers[1].reset is GP2, which readers[0].select has already."),
        (reader(select=18), "spi.sck is GP18, which readers[1].select has already."),
        (
            changed(spi={"id": 0, "sck": 17, "mosi": 19, "miso": 16}),
            "spi.sck is GP17, but SPI 0 has it on GP2, GP6, GP18, GP22 only.",
        ),
        (reader(miso=4), "Some readers have a buffer and some a miso of their own. Choose one way for all."),
        (reader(chip="pn532-i2c", i2c=2, sda=4, scl=5), "readers[1].i2c must be a whole number from 0 to 1, and is 2."),
        (changed(transport="mqtt"), "mqtt is missing. It needs host, table, user, password and ca."),
        (changed(transport="mqtt"), "wifi must have an ssid and a password, as text, for the transport mqtt."),
    ):
        problems = settings.problems_of(config)
        assert sentence in problems, (sentence, problems)


def case_all_mistakes_are_named_at_once():
    config = config_of(2, node="", transport="x", watchdog_ms=1)
    config["readers"][0]["select"] = "two"
    assert len(settings.problems_of(config)) == 4


def case_more_than_two_readers_without_buffers_are_refused():
    config = config_of(3)
    for reader in config["readers"]:
        del reader["buffer"]
    text = "3 readers without a buffer share MISO GP16, and more than 2 disturb each other."
    assert settings.problems_of(config)[0].startswith(text)


def case_a_right_mqtt_configuration_passes_and_a_wrong_one_shows_no_secret():
    config = config_of(2, transport="mqtt", wifi={"ssid": "cafe", "password": "hush"})
    config["mqtt"] = {"host": "pi", "table": "one", "user": "north", "password": "hush", "ca": "ca.pem"}
    assert settings.problems_of(config) == []
    config["mqtt"]["password"] = 123456
    config["mqtt"]["table"] = "Tisch 1"
    problems = settings.problems_of(config)
    assert len(problems) == 2
    assert "123456" not in json.dumps(problems)


def case_no_value_of_any_kind_crashes_the_check():
    odd = (None, True, 5, -1, "x", [], [[]], {}, {"a": 1})
    for name in ("node", "transport", "watchdog_ms", "poll", "readers", "spi", "wifi", "mqtt"):
        for value in odd:
            settings.problems_of(config_of(2, **{name: value}))
    for name in ("reader", "chip", "select", "reset", "buffer", "miso"):
        for value in odd:
            config = config_of(2)
            config["readers"][0][name] = value
            settings.problems_of(config)
    for name in ("id", "sck", "mosi", "miso", "baudrate"):
        for value in odd:
            config = config_of(2)
            config["spi"][name] = value
            settings.problems_of(config)
