"""What every evaluation of a reader does alike: scenes examined one by one or several at a time, with progress told."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Protocol, TypeVar

_BAR = 24


class Examined(Protocol):
    """What came of one scene."""

    @property
    def is_exact(self) -> bool: ...


Job = TypeVar("Job")
Result = TypeVar("Result", bound=Examined)


def evaluate(outcome: Callable[[Job], Result], todo: Sequence[Job], processes: int) -> Iterator[Result]:
    """Outcomes as they come."""
    if processes == 1:
        yield from map(outcome, todo)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        yield from pool.map(outcome, todo)


def examined(outcome: Callable[[Job], Result], todo: Sequence[Job], processes: int, what: str) -> list[Result]:
    """All outcomes, with a bar on the error output that says how far it is and how many `what` are exact."""
    done: list[Result] = []
    for each in evaluate(outcome, todo, processes):
        done.append(each)
        bar, exact = "█" * (_BAR * len(done) // len(todo)), sum(one.is_exact for one in done)
        sys.stderr.write(f"\r  {bar:░<{_BAR}} {len(done)}/{len(todo)} {what}, {exact} exact ")
        sys.stderr.flush()
    sys.stderr.write("\n")
    return done
