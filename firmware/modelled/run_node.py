"""Runs the real `main.py` on modelled chips: micropython run_node.py FOLDERS CONTROL_FD ANSWER_FD.

Its host is at standard input and output. Whoever plays the hands at the table is at the two other descriptors: each
line is a command in JSON, carried out between two turns of the firmware and answered with a line.
"""

# ruff: noqa: E402, PTH123, SIM115 - MicroPython knows no other way

import json
import select
import sys

sys.path[:0] = sys.argv[1].split(":")

import machine
from chip_model import Chip, World
from clocks import RealClock


def world_of(config, clock):
    world = World(clock)
    for index, reader in enumerate(config["readers"]):
        chip = Chip(clock, seed=index + 1)
        world.add(reader["select"], chip, reader.get("miso", config["spi"]["miso"]), reader.get("reset"))
    return world


class Control:
    """Hangs on the watchdog: the firmware feeds it in every turn."""

    def __init__(self, config, world, commands, answers):
        self._chips = {reader["reader"]: world.chips[reader["select"]] for reader in config["readers"]}
        self._commands = open(commands, "rb")
        self._answers = open(answers, "wb")
        self._poll = select.poll()
        self._poll.register(self._commands, select.POLLIN)

    def turn(self):
        for event in self._poll.ipoll(0):
            if event[1] & select.POLLIN:
                self._obey(json.loads(self._commands.readline()))
            else:
                sys.exit(0)  # nobody is there any more

    def _obey(self, command):
        is_restart = command["do"] == "restart"
        if not is_restart:
            self._change(self._chips[command["reader"]], command)
        self._answers.write(b"{}\n")
        if is_restart:
            for chip in self._chips.values():
                chip.plug()
            machine.reset()

    def _change(self, chip, command):
        what = command["do"]
        uid = bytes.fromhex(command["uid"]) if command.get("uid") else None
        if what == "lay":
            chip.lay(uid)
        elif what == "lift":
            chip.lift(uid)
        elif what == "noise":
            chip.missed, chip.garbled, chip.ghost = command["missed"], command["garbled"], command["ghost"]
        elif what == "wedge":
            chip.break_down(command["wedge"], command["cure"])
        elif what == "unplug":
            chip.unplug()
        elif what == "plug":
            chip.plug()


def run():
    with open("config.json") as file:
        config = json.loads(file.read())
    machine.world = world_of(config, RealClock())
    control = Control(config, machine.world, "/dev/fd/" + sys.argv[2], "/dev/fd/" + sys.argv[3])
    machine.world.when_fed = control.turn
    import main

    while True:
        try:
            main.main()
        except machine.Restarted:
            continue
        break


run()
