"""Reads config.json and names everything that is wrong with it, in sentences for whoever wired the board."""

import json

CHIPS = ("mfrc522", "pn532-i2c", "pn532-uart")
TRANSPORTS = ("serial", "mqtt")
MAX_READERS = 8
MAX_PER_MISO = 2  # MFRC522 without buffers
# Which pins of an RP2040 can be what.
SPI_SCK = ((2, 6, 18, 22), (10, 14, 26))
SPI_MOSI = ((3, 7, 19, 23), (11, 15, 27))
SPI_MISO = ((0, 4, 16, 20), (8, 12, 24, 28))
MAX_PIN = 28

# name: (lowest, highest, default)
POLL = {
    "timeout_ms": (1, 100, 5),
    "settle_ms": (1, 50, 5),
    "removal_ms": (200, 10000, 1500),
    "period_ms": (0, 2000, 100),
    "gain": (0, 7, 5),
}
_NAME_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-_"


def load(path):
    """Gives (config, problems). With problems the config is not to be used, but may hold the node's name."""
    try:
        with open(path) as file:  # noqa: PTH123 - MicroPython has no pathlib
            config = json.loads(file.read())
    except OSError:
        return {}, ["There is no %s on this board. Write one with: makabana flash" % path]
    except ValueError:
        return {}, ["%s is not valid JSON. Look for a missing comma or quote." % path]
    if not isinstance(config, dict):
        return {}, ["%s must hold an object, with node, transport and readers." % path]
    return config, problems_of(config)


def problems_of(config):
    """Every mistake, as a list of sentences."""
    problems = []
    if not is_name(config.get("node")):
        problems.append("node must be 1 to 24 of a-z, 0-9, - and _, and is %s." % _shown(config.get("node")))
    _check_choice(problems, "transport", config.get("transport", "serial"), TRANSPORTS)
    _check_number(problems, "watchdog_ms", config.get("watchdog_ms", 8000), 1000, 8300)
    _check_poll(problems, config.get("poll", {}))
    _check_readers(problems, config)
    if config.get("transport") == "mqtt":
        _check_mqtt(problems, config)
    return problems


def poll_problems(settings):
    """The mistakes in a table of poll settings, which a host may send as well."""
    problems = []
    _check_poll(problems, settings)
    return problems


def is_name(value):
    return isinstance(value, str) and 0 < len(value) <= 24 and all(letter in _NAME_LETTERS for letter in value)


def _shown(value):
    return "missing" if value is None else repr(value)[:40]


def _is_int(value):
    return isinstance(value, int) and not isinstance(value, bool)


def _check_choice(problems, name, value, choices):
    if value not in choices:
        problems.append("%s must be one of %s, and is %s." % (name, ", ".join(choices), _shown(value)))


def _check_number(problems, name, value, low, high):
    if not _is_int(value) or not low <= value <= high:
        problems.append("%s must be a whole number from %d to %d, and is %s." % (name, low, high, _shown(value)))


def _check_poll(problems, poll):
    if not isinstance(poll, dict):
        problems.append("poll must be an object, and is %s." % _shown(poll))
        return
    for name in sorted(poll):
        if name in POLL:
            _check_number(problems, "poll." + name, poll[name], POLL[name][0], POLL[name][1])
        else:
            problems.append("poll.%s is unknown. Known are %s." % (name, ", ".join(sorted(POLL))))


def _check_readers(problems, config):
    readers = config.get("readers")
    if not isinstance(readers, list) or not 0 < len(readers) <= MAX_READERS:
        problems.append("readers must be a list of 1 to %d readers." % MAX_READERS)
        return
    pins = {}
    names = []
    for index, reader in enumerate(readers):
        label = "readers[%d]" % index
        if not isinstance(reader, dict):
            problems.append("%s must be an object, and is %s." % (label, _shown(reader)))
            continue
        name = reader.get("reader")
        if not is_name(name):
            problems.append("%s.reader must be 1 to 24 of a-z, 0-9, - and _, and is %s." % (label, _shown(name)))
        elif name in names:
            problems.append("%s.reader is %r, and so is another one's. Names must differ." % (label, name))
        names.append(name)
        _check_choice(problems, label + ".chip", reader.get("chip", "mfrc522"), CHIPS)
        _check_wires(problems, label, reader, pins)
    if any(_is_spi(reader) for reader in readers):
        _check_spi(problems, config, pins, [reader for reader in readers if _is_spi(reader)])


def _is_spi(reader):
    return isinstance(reader, dict) and reader.get("chip", "mfrc522") == "mfrc522"


def _check_wires(problems, label, reader, pins):
    chip = reader.get("chip", "mfrc522")
    if chip == "mfrc522":
        _claim(problems, pins, label + ".select", reader.get("select"))
        if "buffer" in reader and reader["buffer"] != "select":
            _claim(problems, pins, label + ".buffer", reader["buffer"])
    elif chip == "pn532-i2c":
        _check_number(problems, label + ".i2c", reader.get("i2c"), 0, 1)
        _claim(problems, pins, label + ".sda", reader.get("sda"))
        _claim(problems, pins, label + ".scl", reader.get("scl"))
    elif chip == "pn532-uart":
        _check_number(problems, label + ".uart", reader.get("uart"), 0, 1)
        _claim(problems, pins, label + ".tx", reader.get("tx"))
        _claim(problems, pins, label + ".rx", reader.get("rx"))
    if "reset" in reader:  # several readers may share a reset wire, but nothing else may be on it
        _claim(problems, pins, label + ".reset", reader["reset"], "reset")


def _claim(problems, pins, label, pin, role=""):
    """A pin has one use. Uses with the same role may share it."""
    if not _is_int(pin) or not 0 <= pin <= MAX_PIN:
        problems.append("%s must be a pin number from 0 to %d, and is %s." % (label, MAX_PIN, _shown(pin)))
        return
    holder = pins.get(pin)
    if holder is None:
        pins[pin] = (label, role)
    elif not role or holder[1] != role:
        problems.append("%s is GP%d, which %s has already." % (label, pin, holder[0]))


def _check_spi(problems, config, pins, readers):
    spi = config.get("spi")
    if not isinstance(spi, dict):
        problems.append("spi is missing. It needs id, sck, mosi and miso.")
        return
    number = spi.get("id", 0)
    _check_number(problems, "spi.id", number, 0, 1)
    _check_number(problems, "spi.baudrate", spi.get("baudrate", 2000000), 100000, 10000000)
    if number not in (0, 1):
        return
    for name, choices in (("sck", SPI_SCK), ("mosi", SPI_MOSI)):
        _claim(problems, pins, "spi." + name, spi.get(name))
        _check_spi_pin(problems, "spi." + name, spi.get(name), number, choices)
    if any("miso" in reader for reader in readers) and any("buffer" in reader for reader in readers):
        problems.append("Some readers have a buffer and some a miso of their own. Choose one way for all.")
    crowds = {}
    for index, reader in enumerate(readers):
        pin = reader.get("miso", spi.get("miso"))
        label = "%s.miso" % reader.get("reader") if "miso" in reader else "spi.miso"
        if index == 0 or "miso" in reader:
            _claim(problems, pins, label, pin, "miso")
            _check_spi_pin(problems, label, pin, number, SPI_MISO)
        if "buffer" not in reader:
            crowds[pin] = crowds.get(pin, 0) + 1
    for pin in sorted(pin for pin in crowds if _is_int(pin)):
        if crowds[pin] > MAX_PER_MISO:
            text = (
                "%d readers without a buffer share MISO GP%d, and more than %d disturb each other. "
                "Give each a tri-state buffer, or spread them over several MISO pins."
            )
            problems.append(text % (crowds[pin], pin, MAX_PER_MISO))


def _check_spi_pin(problems, label, pin, number, choices):
    if _is_int(pin) and 0 <= pin <= MAX_PIN and pin not in choices[number]:
        allowed = ", ".join(["GP%d" % choice for choice in choices[number]])
        problems.append("%s is GP%d, but SPI %d has it on %s only." % (label, pin, number, allowed))


def _check_mqtt(problems, config):
    wifi, mqtt = config.get("wifi"), config.get("mqtt")
    if not isinstance(wifi, dict) or not _is_text(wifi.get("ssid")) or not isinstance(wifi.get("password", ""), str):
        problems.append("wifi must have an ssid and a password, as text, for the transport mqtt.")
    if not isinstance(mqtt, dict):
        problems.append("mqtt is missing. It needs host, table, user, password and ca.")
        return
    for name in ("host", "user", "password"):
        if not _is_text(mqtt.get(name)):
            problems.append("mqtt.%s must be text that is not empty." % name)  # never shown: it may be a secret
    if not is_name(mqtt.get("table")):
        problems.append("mqtt.table must be 1 to 24 of a-z, 0-9, - and _, and is %s." % _shown(mqtt.get("table")))
    _check_number(problems, "mqtt.port", mqtt.get("port", 8883), 1, 65535)
    if mqtt.get("tls", True) is not False and not _is_text(mqtt.get("ca")):
        problems.append("mqtt.ca must name the file with the broker's certificate authority (PEM or DER).")


def _is_text(value):
    return isinstance(value, str) and value != ""
