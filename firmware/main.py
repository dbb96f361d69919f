"""Starts the board: reads its configuration, builds its parts and runs them. Nothing but wiring is in here.

An error that nobody expected ends the program. The watchdog then starts the board again, and its `hello` says so.
"""

import os
import sys
import time

import bus
import link
import machine
import node
import settings
import wiring

CONFIG = "config.json"


def main():
    config, problems = settings.load(CONFIG)
    me = identity_of(config)
    known = set()
    readers, lines = wiring.build(config, machine, time, known) if not problems else ([], {})
    watchdog = machine.WDT(timeout=config.get("watchdog_ms", 8000)) if not problems else None
    board = node.Node(
        me,
        readers,
        link_of(config if not problems else {}, me),
        time,
        node.Board(
            lamp=machine.Pin(config.get("lamp", "LED"), machine.Pin.OUT, value=0),
            feed=watchdog.feed if watchdog else None,
            check=(lambda: bus.check(readers, lines)) if readers else None,
        ),
        known,
    )
    board.problems = problems
    board.period_ms = config.get("poll", {}).get("period_ms", board.period_ms) if not problems else board.period_ms
    try:
        wish = board.run()
    except KeyboardInterrupt:  # somebody wants the prompt
        wish = node.STOP
    board.link.close()
    if wish == node.RESET:
        machine.reset()
    stop_watchdog()


def identity_of(config):
    name = config.get("node")
    board = hexadecimal(machine.unique_id())
    cause = {machine.PWRON_RESET: "power", machine.WDT_RESET: "watchdog"}.get(machine.reset_cause(), "unknown")
    return node.Identity(
        name if settings.is_name(name) else "unnamed-" + board[-4:], board, hexadecimal(os.urandom(4)), cause
    )


def hexadecimal(chunk):
    return "".join(["%02x" % byte for byte in chunk])


def link_of(config, me):
    if config.get("transport") == "mqtt":
        import wireless

        return wireless.mqtt_link(config, me, time)
    return link.SerialLink(sys.stdin.buffer, sys.stdout.buffer)


def stop_watchdog():
    """Lets go of the watchdog, which MicroPython cannot: it would restart the board under whoever is at the prompt."""
    bases = {"RP2040": 0x40058000, "RP2350": 0x400D8000}
    name = getattr(sys.implementation, "_machine", "")
    for chip, base in bases.items():
        if chip in name:
            machine.mem32[base + 0x3000] = 1 << 30  # clears ENABLE in CTRL


if __name__ == "__main__":
    main()
