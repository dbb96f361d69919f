"""`makabana tags`: which tag is stuck to which piece; learn them one by one, list them, see what lies where."""

from __future__ import annotations

import argparse
import select
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.commands.table_file import DEFAULT, guarded, load_table
from companion.commands.terminal import columns
from companion.devices.enrolment import Enrolment
from companion.devices.hub import Hub
from companion.devices.links import Links
from companion.devices.ndef import PREFIX
from companion.devices.tags import Register, read_register, write_register
from companion.devices.texts import say
from companion.games.makabana.rules import RULE_SETS
from companion.games.makabana.setup import default_header
from companion.house.enrolling import tagged_pieces
from companion.table.observations import Event, FormatError, Piece

TURN_S = 0.2
SKIP, BACK, QUIT = "s", "b", "q"


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("tags", help="register the tags of tikis and cards", description=__doc__)
    parser.add_argument("--table", default=DEFAULT, metavar="FILE", help="the table file")
    parser.set_defaults(run=guarded(run_list))
    verbs = parser.add_subparsers(metavar="VERB")
    verbs.add_parser("list", help="all registered tags").set_defaults(run=guarded(run_list))
    enrol = verbs.add_parser("enrol", help="learn the tags, piece by piece")
    enrol.add_argument("--rules", choices=list(RULE_SETS), default="2013")
    enrol.add_argument("--players", type=int, default=5)
    enrol.add_argument("--again", action="store_true", help="ask for pieces that have a tag already, too")
    enrol.set_defaults(run=guarded(run_enrol))
    forget = verbs.add_parser("forget", help="free the tag of a piece")
    forget.add_argument("piece", help="such as 'blue tiki' or 'blue card Azzura'")
    forget.set_defaults(run=guarded(run_forget))
    verbs.add_parser("texts", help="what a phone may write on each tag").set_defaults(run=guarded(run_texts))


def run_list(args: argparse.Namespace) -> int:
    path, register = _register(args)
    rows = [[piece.text, uid] for uid, piece in sorted(register.items(), key=lambda item: item[1])]
    if rows:
        print("\n".join(columns(rows)))
    print(say(Event("tags_count", {"path": str(path), "count": len(register)}), args.lang))
    return 0


def run_forget(args: argparse.Namespace) -> int:
    path, register = _register(args)
    piece = Piece.from_text(args.piece)
    if register.uid_of(piece) is None:
        raise FormatError(Event("piece_without_tag", {"piece": piece.text}))
    _write(path, register.without(piece))
    print(say(Event("tags_forgotten", {"piece": piece.text}), args.lang))
    return 0


def run_texts(args: argparse.Namespace) -> int:
    """A phone's NFC writer takes these as a text record; a set can then be told apart without any register."""
    for uid, piece in sorted(_register(args)[1].items(), key=lambda item: item[1]):
        print(f"{uid}  {PREFIX}{piece.text}")
    return 0


def run_enrol(args: argparse.Namespace) -> int:
    table = load_table(Path(args.table))
    path, register = _register(args)
    wanted = list(pieces_of(args.rules, args.players))
    enrolment = Enrolment(wanted if args.again else register.missing(wanted), register)
    print(f"[{SKIP}] skip   [{BACK}] back   [{QUIT}] quit, then Enter")
    with Links(table, register, Path(args.table).parent) as links:
        enrol(enrolment, links.hub, lambda: links.inbox.take(TURN_S) is not None, typed, _Teller(args.lang, path))
    print(say(Event("tags_count", {"path": str(path), "count": len(enrolment.register)}), args.lang))
    return 0


def pieces_of(rules: str, players: int) -> Iterator[Piece]:
    """Every piece of a game with so many people that can carry a tag. Raises `FormatError`."""
    return tagged_pieces(default_header(rules, players))


class _Teller:
    """Says what is new, once, and keeps what was learned."""

    def __init__(self, language: str, path: Path) -> None:
        self._language, self._path = language, path
        self._last: Event | None = None

    def tell(self, event: Event) -> None:
        if event != self._last:
            print(say(event, self._language), flush=True)
        self._last = event

    def keep(self, register: Register) -> None:
        _write(self._path, register)


def enrol(
    enrolment: Enrolment,
    hub: Hub,
    wait: Callable[[], bool],
    read: Callable[[], str],
    teller: _Teller,
) -> None:
    """Until all pieces have a tag or the user quits: `wait` for news of the sensors, `read` what was typed."""
    while not enrolment.is_over:
        wait()
        match read():
            case "q":
                return
            case "s":
                teller.tell(enrolment.skip())
            case "b":
                teller.tell(enrolment.back())
        before = enrolment.register
        teller.tell(_look(enrolment, hub))
        if enrolment.register is not before:
            teller.keep(enrolment.register)
            hub.learn(enrolment.register)
    teller.tell(enrolment.prompt)


def _look(enrolment: Enrolment, hub: Hub) -> Event:
    seen = [hub.tags_on(sensor) for sensor in hub.table.places]
    if all(tags is None for tags in seen):
        return Event("enrol_no_reader")
    return enrolment.see(frozenset(tag.uid for tags in seen for tag in tags or ()))


def typed() -> str:
    """A line that was typed, without waiting for one. The end of input is a wish to stop."""
    if not select.select([sys.stdin], [], [], 0)[0]:
        return ""
    line = sys.stdin.readline()
    return line.strip().lower() if line else QUIT


def _register(args: argparse.Namespace) -> tuple[Path, Register]:
    path = Path(args.table).parent / load_table(Path(args.table)).tags
    try:
        return path, read_register(path)
    except OSError as error:
        raise FormatError(Event("file_unreadable", {"path": str(path), "what": error.strerror})) from None


def _write(path: Path, register: Register) -> None:
    try:
        write_register(path, register)
    except OSError as error:
        raise FormatError(Event("file_unwritable", {"path": str(path), "what": error.strerror})) from None
