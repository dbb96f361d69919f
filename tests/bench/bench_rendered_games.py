"""Whole games through rendered pictures and the real vision process, or with `--firmware` through the real firmware.

    python tests/bench/bench_rendered_games.py --games 30                # whole games; --rounds 1 cuts them short
    python tests/bench/bench_rendered_games.py --firmware --games 5     # plans by cards in trays, tikis by the rail

People play at random and make no mistake, so every question is one without cause, and every difference between what
they meant and what the table wrote down is a wrong commit. Places that the reader got wrong are counted as well.
"""

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager

from companion.devices.clock import SystemClock
from companion.games.catalogue import game_named
from companion.house.bots import Pace
from companion.house.camera import Camera, DirectCamera, virtual_camera
from companion.house.firmware_boards import FirmwareBoards
from companion.house.virtual_readers import VirtualReaders, decks_of
from companion.table.table import Table
from tests.house.games import Tally, TrayHands, await_readers, play, seeded
from tests.house.support import Evening, People, do, json_of, until, virtual_for

PEOPLE = (3, 4, 5)  # each number has an island of its own


@contextmanager
def rendered_table(people: int) -> Iterator[tuple[Table, Camera, People]]:
    """A table whose virtual board is seen through rendered pictures. One vision process for all games on an island."""
    clock = SystemClock()
    with Evening(clock, pace=Pace.at_once()) as evening:
        table = evening.open_table("2013", people)
        virtual = virtual_for(table)
        camera = virtual_camera(virtual, table.observe, clock)
        evening.running.start()
        evening.running.table(table.row.id).add(camera)
        until(lambda: table.belief.sees_board(clock.now()), patience_s=300)
        yield table, camera, People(table, virtual, seeded(0))


def begin_again(table: Table, camera: Camera, people: int, rng: object, hands: People) -> People:
    """The next game on the same table: the board is cleared first, and seen to be."""
    do(table, "new_game", json_of(game_named("makabana").default_header("2013", people)), "anyway")
    hands.virtual.clear()
    until(lambda: not camera.is_looking, patience_s=300)
    do(table, "start")
    return People(table, hands.virtual, rng)


def rendered_games(numbers: range, rounds: int, tables: tuple[int, ...] = PEOPLE) -> Iterator[tuple[int, Tally]]:
    for people in tables:
        mine = [number for number in numbers if number % len(PEOPLE) == PEOPLE.index(people)]
        if mine:
            with rendered_table(people) as (table, camera, hands):
                for number in mine:
                    players = begin_again(table, camera, people, seeded(number), hands)
                    yield people, play(table, players, camera, rounds)


def firmware_games(numbers: range, rounds: int, _: tuple[int, ...] = PEOPLE) -> Iterator[tuple[int, Tally]]:
    clock = SystemClock()
    for number in numbers:
        with Evening(clock, pace=Pace.at_once()) as evening:
            table = evening.open_table("2013", 3)
            virtual = virtual_for(table)
            camera = DirectCamera(virtual, table.observe, clock)
            decks = decks_of(table.session.header)
            readers = VirtualReaders(table, clock, decks, FirmwareBoards)
            evening.running.start()
            for part in (camera, readers):
                evening.running.table(table.row.id).add(part)
            await_readers(readers)
            hands = TrayHands(table, readers)
            hands.put_tikis_home()
            yield 3, play(table, People(table, virtual, seeded(number)), camera, rounds, hands)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument(
        "--first", type=int, default=0, help="the number of the first game, from which follows its course"
    )
    parser.add_argument("--rounds", type=int, default=1000, help="stop each game after so many rounds")
    parser.add_argument("--people", type=int, choices=PEOPLE, help="only the games with so many people")
    parser.add_argument("--firmware", action="store_true")
    args = parser.parse_args()
    began, tallies = time.monotonic(), []
    tables = (args.people,) if args.people else PEOPLE
    numbers = range(args.first, args.first + args.games)
    for people, tally in (firmware_games if args.firmware else rendered_games)(numbers, args.rounds, tables):
        tallies.append(tally)
        print(f"game {len(tallies)}, {people} people: {said([tally], began)}", *tally.asked, sep="\n  ", flush=True)
    print(f"\n{len(tallies)} games: {said(tallies, began)}")


def said(tallies: list[Tally], began: float) -> str:
    waits = sorted(wait for tally in tallies for wait in tally.waits) or [0.0]
    return (
        f"{sum(t.actions for t in tallies)} actions, {sum(t.rounds for t in tallies)} rounds, "
        f"{sum(t.wrong_commits for t in tallies)} wrong commits, {sum(t.questions for t in tallies)} questions without "
        f"cause, {sum(t.misread for t in tallies)} places misread, from settled frame to "
        f"written down {waits[len(waits) // 2]:.2f} s (most {waits[-1]:.2f}), {time.monotonic() - began:.0f} s"
    )


if __name__ == "__main__":
    main()
