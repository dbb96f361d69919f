"""`makabana update`: installs a new version beside the old one, tries it out, and goes back if it does not come up."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

from companion.commands.update.building import Builder
from companion.commands.update.releases import Before, Site, clear, only_one, put_to_use, restore, settle
from companion.commands.update.service import Service
from companion.commands.update.source import Source, pull, remember, remembered, source_at, waiting
from companion.commands.update.texts import UpdateError, say
from companion.commands.update.trial import try_out
from companion.games.protocol import Event

REFUSED, BAD_INPUT = 1, 2
PREFIX, DATA, WATCH_S = "/opt/makabana", "/var/lib/makabana", 20.0


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("update", help="install a new version, with a way back", description=__doc__)
    parser.add_argument("--from", dest="source", metavar="PATH", type=Path,
                        help="a checkout of the project or a wheel file; else the checkout of the last time, after "
                             "a git pull")  # fmt: skip
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="only say whether there is something new")
    what.add_argument("--rollback", action="store_true", help="go back to the version before")
    parser.add_argument("--wheels", metavar="DIR", type=Path, help="take packages from this folder, without a network")
    parser.add_argument("--prefix", metavar="DIR", type=Path, default=PREFIX, help=f"where versions are; {PREFIX}")
    parser.add_argument("--data", metavar="DIR", type=Path, default=DATA, help=f"where games are; {DATA}")
    parser.add_argument("--watch", metavar="SECONDS", type=float, default=WATCH_S,
                        help=f"how long the new version must stay up; {WATCH_S:.0f}")  # fmt: skip
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """0: done, or nothing to do; 1: the new version was refused or taken back; 2: it could not be tried."""
    task = Task(Site(args.prefix.absolute(), args.data.absolute()), Service(), args.watch, args.lang)
    try:
        if args.check:
            return task.check(args.source)
        with only_one(task.site) as lock:
            if args.rollback:
                return task.go_back()
            return task.update(args.source, Builder(task.site, lock, args.wheels and args.wheels.absolute()))
    except UpdateError as error:
        print(f"makabana: {say(error.event, args.lang)}", file=sys.stderr)
        return REFUSED if error.event.code.startswith("trial_") else BAD_INPUT


class Task(NamedTuple):
    """One update at one place."""

    site: Site
    service: Service
    watch_s: float
    language: str

    def check(self, path: Path | None) -> int:
        """Says what there is, and changes nothing but what git fetches."""
        current = self.site.current or "-"
        checkout = path or remembered(self.site.prefix)
        count = 0 if path else waiting(checkout)
        if count:
            self._tell("changes_waiting", count=count, path=checkout, current=current)
            return 0
        name = source_at(checkout).name
        self._tell("up_to_date" if name == current else "newer_there", name=name, current=current)
        return 0

    def update(self, path: Path | None, builder: Builder) -> int:
        """Installs, tries, switches, watches. Raises `UpdateError` while nothing has changed."""
        source = self._find(path)
        if source.name == self.site.current:
            self._tell("up_to_date", name=source.name)
            return self._keep(source)
        if not self.site.is_complete(source.name):
            self._install(source, builder)
        self._tell("trying")
        try_out(self.site, source)
        code = self._switch(source.name)
        return self._keep(source) if code == 0 else code

    def go_back(self) -> int:
        before = self.site.previous
        if before is None or before == self.site.current:
            raise UpdateError("no_release_before")
        return self._switch(before)

    def _find(self, path: Path | None) -> Source:
        if path is None:
            pull(remembered(self.site.prefix))
        return source_at(path or remembered(self.site.prefix))

    def _install(self, source: Source, builder: Builder) -> None:
        clear(self.site)
        code = "installing" if self.site.current else "installing_first"
        self._tell(code, name=source.name, current=self.site.current)
        for note in builder.build(source):
            self._tell(note.code, **note.data)

    def _keep(self, source: Source) -> int:
        """What follows once a release has come up: remember where it came from, tidy up."""
        remember(self.site.prefix, source)
        clear(self.site)
        return 0

    def _switch(self, name: str) -> int:
        """Puts a release to use; 1 if it did not come up and the one before is in use again."""
        before = Before(self.site.current, self.site.previous)
        is_wanted = self.service.is_wanted
        put_to_use(self.site, name)
        if not is_wanted:
            settle(self.site)
            self._tell("not_running", name=name)
            return 0
        problem = self._restart()
        if not problem:
            settle(self.site)
            self._tell("switched", name=name)
            return 0
        return self._take_back(name, before, problem)

    def _take_back(self, name: str, before: Before, problem: str) -> int:
        if before.current is None:
            self._tell("came_not_up", name=name, what=problem)
            return REFUSED
        restore(self.site, before)
        still = self._restart()
        self._tell("went_back", name=name, before=before.current, what=problem)
        if still:
            self._tell("back_unwell", before=before.current, what=still)
        return REFUSED

    def _restart(self) -> str:
        self._tell("restarting", seconds=round(self.watch_s))
        return self.service.restart() or self.service.watch(self.watch_s)

    def _tell(self, code: str, **data: object) -> None:
        print(say(Event(code, dict(data)), self.language), flush=True)
