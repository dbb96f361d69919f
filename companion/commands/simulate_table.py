"""`makabana simulate-table`: simulated people act out games at a simulated table, and the real table has to cope."""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

from companion.commands.terminal import columns, progress
from companion.games.catalogue import game_named
from companion.games.makabana.rules import RULE_SETS
from companion.games.protocol import Event, FormatError, Json
from companion.rehearsal.evening import Evening, Gear
from companion.rehearsal.tally import GameTally, summary

MOST_GAMES = 100_000
MOST_JOBS = 64
RUNGS = ("camera", "readers", "both")
# Every rule set and number of people that one camera can watch takes its turn.
_KINDS = (("2013", 5), ("2013", 4), ("2013-mao", 5), ("2003", 4), ("2003-mao", 3), ("2013", 3), ("2013", 6))


class Plan(NamedTuple):
    """One game to be played: plain data, so that another process can play it."""

    number: int
    seed: int
    rules: str
    people: int
    gear: Gear
    spied_on: bool


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "simulate-table", help="let simulated people play at a simulated table", description=__doc__
    )
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--first", type=int, default=0, metavar="N", help="begin with this game of the run, from 0")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same evening")
    parser.add_argument("--rules", choices=list(RULE_SETS), help="one rule set; otherwise they take turns")
    parser.add_argument("--players", type=int, default=5, help="how many people play, with --rules")
    parser.add_argument("--without", choices=RUNGS, help="what this table has not got")
    parser.add_argument("--lose", choices=RUNGS, help="what fails for good in the middle of every game")
    parser.add_argument("--without-errors", action="store_true", help="people make no mistakes and sensors no faults")
    parser.add_argument("--spy", action="store_true", help="search everything that is sent for secrets (slower)")
    parser.add_argument("--jobs", type=int, default=1, help="games played at a time, on as many cores")
    parser.add_argument("--json", action="store_true", help="print JSON for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    _check("--games", args.games, MOST_GAMES)
    _check("--first", args.first, MOST_GAMES, least=0)
    _check("--jobs", args.jobs, MOST_JOBS)
    if args.rules:
        game_named("makabana").default_header(args.rules, args.players)  # says at once if there is no such game
    found = summary(_games(args))
    print(json.dumps(found, indent=1) if args.json else "\n".join(columns(_rows(found))))
    return 0


def _check(option: str, value: int, most: int, least: int = 1) -> None:
    if not least <= value <= most:
        raise FormatError(Event("number_wrong", {"option": option, "least": least, "most": most, "value": value}))


def _games(args: argparse.Namespace) -> Iterator[GameTally]:
    plans = [_plan(args, number) for number in range(args.first, args.first + args.games)]
    if args.jobs == 1:
        yield from map(play, progress(plans, "simulate-table"))
        return
    with ProcessPoolExecutor(args.jobs, get_context("spawn")) as pool:
        for _, tally in zip(progress(plans, "simulate-table"), pool.map(play, plans, chunksize=2), strict=True):
            yield tally


def _plan(args: argparse.Namespace, number: int) -> Plan:
    rules, people = (args.rules, args.players) if args.rules else _KINDS[number % len(_KINDS)]
    missing, failing = _rungs(args.without), _rungs(args.lose)
    errs = not args.without_errors
    gear = Gear("camera" not in missing, "readers" not in missing, errs, errs, failing)
    return Plan(number, args.seed, rules, people, gear, args.spy)


def _rungs(choice: str | None) -> tuple[str, ...]:
    return ("camera", "readers") if choice == "both" else (choice,) if choice else ()


def play(plan: Plan) -> GameTally:
    """One game, always the same for the same plan."""
    header = game_named("makabana").default_header(plan.rules, plan.people)
    rng = random.Random(f"{plan.seed}/{plan.number}")
    return Evening(header, rng, plan.gear, spied_on=plan.spied_on).run()


def _rows(found: Mapping[str, Json]) -> list[list[str]]:
    return [[name.replace("_", " "), str(value)] for name, value in found.items()]
