"""How fast a table answers, and what twenty tables cost.

    python tests/bench/bench_table.py [--tables 20] [--seconds 30]

1. From the first settled frame to the event leaving for the phones (a listener is told), at 5 frames a second: on a
   simulated clock for the logic, in processor time for its cost. Asked for: within two frame intervals, 0.4 s.
2. Twenty tables in one process, each with a game among bots, a camera at 5 frames a second through a pipe (another
   process stands in for vision, with readings that waver from frame to frame), and six screens that are sent a fresh
   view after every change. Asked for: under one core for everything but vision.
"""

import argparse
import json
import multiprocessing
import random
import statistics
import threading
import time
from collections import defaultdict
from math import hypot
from multiprocessing.connection import Connection

from companion.devices.clock import ManualClock, SystemClock
from companion.games.protocol import content_of
from companion.house.bots import Pace
from companion.house.camera import Camera
from companion.house.eye import Eye, Sight, Watch
from companion.house.rendering import Layout
from companion.house.running import TICK_S
from companion.house.virtual import _sheet
from companion.table.observations import BoardSeen, When
from companion.table.table import Table
from companion.table.views import PUBLIC, view
from tests.house.support import Evening, virtual_for

FRAME_S = 0.2
SURE = 0.9999  # as the reader says of most places; a piece on it is then 4,000 times likelier than none


def odds_of(contents: dict[str, str], sureness: float) -> dict[str, dict[str, float]]:
    return {place: {content: sureness, "empty" if content != "empty" else "hut:blue": 1 - sureness}
            for place, content in contents.items()}  # fmt: skip


# --- 1. Latency ---


def latencies(games: int, sureness: float) -> tuple[list[float], list[float]]:
    """Seconds of the table's clock from the first settled frame to the listener, and processor seconds of each."""
    waits, costs = [], []
    for number in range(games):
        rng = random.Random(number)
        with Evening(ManualClock()) as evening:
            table = evening.open_table("2013", 5)
            virtual = virtual_for(table)
            told: list[tuple[float, int]] = []
            table.listeners.append(
                lambda _, told=told, table=table, clock=evening.clock: told.append(
                    (clock.now(), len(table.session.steps))
                )
            )
            table.observe(BoardSeen("camera", odds_of(virtual.contents(), sureness), (), When(evening.clock.now())))
            for _ in range(10):
                wait, cost = one_placement(evening, table, virtual, told, rng, sureness)
                waits.append(wait)
                costs.append(cost)
    return waits, costs


def one_placement(evening, table, virtual, told, rng, sureness) -> tuple[float, float]:
    """A hand over the board for a second, then a hut that lies still."""
    session, clock = table.session, evening.clock
    action = rng.choice(list(session.game.legal_actions(session.state, session.actors[0])))
    places = tuple(virtual.contents())
    pump(evening, 1.0, lambda: table.observe(BoardSeen("camera", {}, places, When(clock.now()))), rng)
    virtual.put("hut", session.game.colour_of(session.state, action.seat), action.args[0])
    odds = odds_of(virtual.contents(), sureness)
    known, began, spent = len(session.steps), clock.now(), time.process_time()
    pump(evening, 5.0, lambda: table.observe(BoardSeen("camera", odds, (), When(clock.now()))), rng,
         lambda: len(table.session.steps) > known)  # fmt: skip
    at = next((at for at, steps in told if steps > known), float("inf"))
    return at - began, time.process_time() - spent


def pump(evening, seconds, frame, rng, is_done=lambda: False) -> None:
    """Frames at their rate and ticks at theirs, which fall as they may."""
    clock = evening.clock
    end, next_frame, next_tick = clock.now() + seconds, clock.now(), clock.now() + rng.random() * TICK_S
    while clock.now() < end and not is_done():
        if next_frame <= next_tick:
            clock.advance(next_frame - clock.now())
            frame()
            next_frame += FRAME_S
        else:
            clock.advance(next_tick - clock.now())
            evening.running.tick()
            next_tick += TICK_S


# --- 2. Twenty tables ---


class FedEye(Eye):
    """An eye whose process is shared with other tables."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe

    pid = None

    def close(self) -> None:
        self.pipe.close()


def feed(pipes: list[Connection], board: str) -> None:
    """Stands in for vision: reads layouts as they are, with odds that waver."""
    rng, layouts, moving = random.Random(5), [Layout(0, ()) for _ in pipes], [0 for _ in pipes]
    due = [time.monotonic() + FRAME_S * index / len(pipes) for index in range(len(pipes))]
    try:
        while True:
            for index, pipe in enumerate(pipes):
                while pipe.poll(0):
                    layouts[index], moving[index] = pipe.recv(), 2
                if time.monotonic() >= due[index]:
                    due[index] += FRAME_S
                    pipe.send(sight(layouts[index], moving[index] > 0, board, rng))
                    moving[index] -= 1
            time.sleep(0.002)
    except (EOFError, OSError):
        return


def sight(layout: Layout, is_moving: bool, board: str, rng: random.Random) -> Sight:
    places, lying = _sheet(board).places, defaultdict(list)
    for kind, colour, x, y, _ in sorted(layout.pieces, key=lambda piece: piece.kind == "tiki"):
        lying[min(places, key=lambda name: hypot(places[name][0] - x, places[name][1] - y))].append((kind, colour))
    contents = {place: content_of(tuple(lying[place])) for place in places}
    odds = odds_of(contents, SURE - 0.001 * rng.random())
    return Sight(time.monotonic(), "moving" if is_moving else "ok", odds, (), (), layout=layout.number)


def screens(tables: list[Table], dirty: set[str], stop: threading.Event, sent: list[int]) -> None:
    """Six screens a table: a fresh view each after every change, as bytes."""
    by_id = {table.row.id: table for table in tables}
    while not stop.is_set():
        while dirty:
            table = by_id[dirty.pop()]
            for viewer in (PUBLIC, *table.session.seats):
                sent.append(len(json.dumps(view(table, viewer))))
        stop.wait(0.02)


def share_of_a_core(count: int, seconds: float) -> None:
    board = "maka-bana"
    context = multiprocessing.get_context("spawn")
    pairs = [context.Pipe() for _ in range(count)]
    feeder = context.Process(target=feed, args=([theirs for _, theirs in pairs], board), daemon=True)
    feeder.start()
    with Evening(SystemClock(), pace=Pace(0.5, 1.5, 1.0, 0.05)) as evening:
        tables, dirty, sent, stop = [], set(), [], threading.Event()
        for ours, _ in pairs:
            table = evening.open_table("2013", 5, bots=defaultdict(lambda: "random"))
            running = evening.running.table(table.row.id)
            running.virtual, running.helps_bots = virtual_for(table), True
            table.listeners.append(lambda version, name=table.row.id: dirty.add(name))
            running.add(Camera([Watch("fed", board)], table.observe, evening.clock, virtual=running.virtual,
                               make_eye=lambda watch, pipe=ours: FedEye(pipe)))  # fmt: skip
            tables.append(table)
        screen = threading.Thread(target=screens, args=(tables, dirty, stop, sent))
        screen.start()
        evening.running.start()
        time.sleep(5.0)  # until all are under way
        frames, wall, spent = sum(len(t.evidence) for t in tables), time.monotonic(), time.process_time()
        steps = sum(len(table.session.steps) for table in tables)
        time.sleep(seconds)
        spent, wall = time.process_time() - spent, time.monotonic() - wall
        acted = sum(len(table.session.steps) for table in tables) - steps
        frames = sum(len(t.evidence) for t in tables) - frames  # no table keeps more than it gets in this time
        stop.set()
        screen.join()
        asked = sum(table.question is not None for table in tables)
    feeder.terminate()
    feeder.join()
    print(f"{count} tables for {wall:.0f} s: {spent / wall:.2f} of a core; {acted} actions, {len(sent)} views of "
          f"{statistics.mean(sent) / 1000:.1f} kB on average, {asked} questions open at the end, "
          f"{frames / wall / count:.1f} frames a second at each table")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=30.0)
    args = parser.parse_args()
    for sureness in (SURE, 0.997):
        waits, costs = latencies(10, sureness)
        print(f"reader {sureness} sure: {len(waits)} placements, from first settled frame to phones median "
              f"{statistics.median(waits):.2f} s, longest {max(waits):.2f} s (two frames: {2 * FRAME_S:.1f} s); "
              f"processor {statistics.median(costs) * 1000:.0f} ms, most {max(costs) * 1000:.0f} ms")  # fmt: skip
    share_of_a_core(args.tables, args.seconds)


if __name__ == "__main__":
    main()
