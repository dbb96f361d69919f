"""Many writers, one sync: whoever waits while the disk is busy goes along with the next commit.

A sync takes a disk 1 to 100 ms however little is written, so 100 tables can't each have their own. There is no thread
behind this and no delay: a caller whose turn comes commits everything that has queued up, its own part included, and
the others find theirs done. Everybody returns only after the sync that covers them.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial

from companion.table.entries import StoreError
from companion.table.store_link import BrokenOffError, ConflictError, Execute, Link, fault

MOST_AT_ONCE = 256
# With one of these nobody else fares better; everything else may be one job's own fault.
_EVERYBODYS = (
    "disk_read_only", "store_broken", "store_closed", "store_doubtful", "store_locked", "store_moved",
    "store_unreachable",
)  # fmt: skip


class Job:
    """Something to be kept, all of it or nothing.

    `work` writes it, and raises `StoreError` before it has written anything if it may not. `is_kept` says whether it is
    there.
    """

    def __init__(self, work: Callable[[Execute], None], is_kept: Callable[[Execute], bool]) -> None:
        self.work, self.is_kept = work, is_kept
        self.is_settled = False
        self.error: StoreError | None = None

    def settle(self, error: StoreError | None) -> None:
        self.is_settled, self.error = True, error


class GroupCommit:
    """Given the link that only it uses."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._waiting: deque[Job] = deque()
        self._changed = threading.Condition()
        self._is_busy = False

    def do(self, job: Job) -> None:
        """Returns once the job is kept. Raises `StoreError` if it is not."""
        self._waiting.append(job)
        while not job.is_settled:
            with self._turn_unless(lambda: job.is_settled) as is_mine:
                if is_mine:
                    self._settle_next()
        if job.error is not None:
            # One error may be the answer to many callers, and an exception belongs to one thread.
            raise StoreError(job.error.event) from job.error

    def close(self) -> None:
        with self._turn_unless(lambda: False):
            self._link.close()

    @contextlib.contextmanager
    def _turn_unless(self, is_needless: Callable[[], bool]) -> Iterator[bool]:
        """Waits until the link is free, or needed no more. A plain lock would make those wait whose part is done."""
        with self._changed:
            self._changed.wait_for(lambda: is_needless() or not self._is_busy)
            is_mine = not is_needless()
            self._is_busy = self._is_busy or is_mine
        try:
            yield is_mine
        finally:
            if is_mine:
                with self._changed:
                    self._is_busy = False
                    self._changed.notify_all()

    def _settle_next(self) -> None:
        jobs = [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST_AT_ONCE))]
        try:
            self._settle(jobs)
        finally:
            # Whatever interrupts this thread, such as Ctrl-C, must not leave the others waiting for an answer.
            for job in jobs:
                if not job.is_settled:
                    job.settle(self._doubtful())

    def _settle(self, jobs: list[Job]) -> None:
        try:
            refusals = self._link.write(lambda execute: [_refusal(job, execute) for job in jobs])
        except StoreError as error:
            self._settle_apart(jobs, error)
        else:
            for job, refusal in zip(jobs, refusals, strict=True):
                job.settle(refusal)

    def _settle_apart(self, jobs: list[Job], together: StoreError) -> None:
        """What failed together is tried one by one, so that nothing fails for another's sake."""
        blocked = together if _is_everybodys(together) else None
        for job in jobs:
            job.settle(blocked or self._once_more(job, together))
            if job.error is not None and _is_everybodys(job.error):
                blocked = job.error

    def _once_more(self, job: Job, first: StoreError) -> StoreError | None:
        try:
            return self._link.write(partial(_unless_kept if isinstance(first, BrokenOffError) else _refusal, job))
        except StoreError as again:
            return self._what_became_of(job, first, again)

    def _what_became_of(self, job: Job, first: StoreError, again: StoreError) -> StoreError | None:
        if not isinstance(first, BrokenOffError) and not isinstance(again, BrokenOffError):
            return again
        try:
            return None if self._link.write(job.is_kept) else again
        except StoreError:
            return self._doubtful()

    def _doubtful(self) -> StoreError:
        return fault("store_doubtful", path=self._link.path)


def _refusal(job: Job, execute: Execute) -> StoreError | None:
    try:
        job.work(execute)
    except StoreError as refusal:
        return refusal
    return None


def _unless_kept(job: Job, execute: Execute) -> StoreError | None:
    return None if job.is_kept(execute) else _refusal(job, execute)


def _is_everybodys(error: StoreError) -> bool:
    return error.event.code in _EVERYBODYS and not isinstance(error, BrokenOffError | ConflictError)
