"""Commands: who may do what, and the entries that follow. One function each; nothing is written here."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from math import isfinite
from typing import TYPE_CHECKING

from companion.games.catalogue import game_of
from companion.games.protocol import ADJUST, CHANCE, END, TABLE, Action, FormatError, Refusal
from companion.games.record import loads_strictly
from companion.games.texts import harmless
from companion.table.claims import ARRIVAL_WITHIN_S
from companion.table.entries import Command
from companion.table.observations import When
from companion.table.questions import PRIVATE, Draft, Question, act_draft, resolve
from companion.table.session import PERSON
from companion.table.sight import Sight

if TYPE_CHECKING:
    from companion.table.table import Table

MOST_NAME_CHARS = 24
MOST_WORDS = 300
HEX_DIGITS = 64  # of a token's hash

Drafts = list[Draft] | Refusal


def drafts_for(table: Table, command: Command) -> Drafts:
    """The entries that a command asks for, or why not."""
    handler, needs_house = COMMANDS.get(command.do, (None, False))
    if handler is None:
        return Refusal("command_unknown", {"do": command.do[:40], "known": sorted(COMMANDS)})
    if needs_house and command.seat is None and command.do not in _WITHOUT_SEAT:
        return Refusal("seat_missing", {"do": command.do})
    if command.seat is not None and command.seat not in table.session.seats:
        if table.session.game is None:
            return Refusal("not_set_up")
        return Refusal("seat_unknown", {"seat": command.seat[:40], "seats": list(table.session.seats)})
    return handler(table, command)


def _act(table: Table, command: Command) -> Drafts:
    if refusal := _not_playing(table, command):
        return refusal
    try:
        action = Action.from_text(" ".join((str(command.seat), *command.args)))
    except FormatError:
        return Refusal("command_unreadable")
    if action.seat in (TABLE, CHANCE):
        return Refusal("seat_unknown", {"seat": action.seat, "seats": list(table.session.seats)})
    if table.is_race(action):
        return _raced(table, command, When(table.clock.now(), ARRIVAL_WITHIN_S), (action.verb, *action.args))
    if table.session.claims and not _is_winner(table, action):
        return Refusal("race_open", {"seats": [claim.seat for claim in table.session.claims]})
    assert table.session.game is not None
    after = table.session.game.apply(table.session.state, action)
    return after if isinstance(after, Refusal) else [act_draft(action, "phone")]


def _is_winner(table: Table, action: Action) -> bool:
    verdict = table.session.verdict
    return verdict is not None and verdict.first.seat == action.seat and table.is_race(action)


def _not_playing(table: Table, command: Command) -> Refusal | None:
    session = table.session
    if session.game is None or not session.is_started:
        return Refusal("not_started")
    if session.is_paused:
        return Refusal("game_paused")
    if command.seat is None:
        return Refusal("seat_missing", {"do": command.do})
    # A number still to come was shown before a broken store lost its last entries: that game is not this one.
    is_known = command.seen is None or session.changed.get(command.seat, 0) <= command.seen <= session.number
    if not is_known:
        return Refusal("screen_is_old", {"seen": command.seen, "number": session.number})
    return None


def _raced(table: Table, command: Command, pressed: When, words: tuple[str, ...]) -> Drafts:
    session, seat = table.session, str(command.seat)
    if session.verdict is not None and session.verdict.first.seat != seat:
        return Refusal("too_late", {"first": session.verdict.first.seat})
    if session.verdict is not None:  # the winner says now whom it is about
        return (
            [act_draft(Action(seat, words[0], words[1:]), "phone")]
            if words
            else Refusal("pressed_already", {"seat": seat})
        )
    return table.claim_drafts(seat, pressed, words) or Refusal("pressed_already", {"seat": seat})


def _claim(table: Table, command: Command) -> Drafts:
    """`claim MOMENT WITHIN [verb words...]`: the moment is in seconds of the table's clock."""
    if refusal := _not_playing(table, command):
        return refusal
    try:
        pressed = When(float(command.args[0]), float(command.args[1]))
    except (IndexError, ValueError):
        return Refusal("command_unreadable")
    if not all(map(isfinite, pressed)):
        return Refusal("command_unreadable")
    words, seat = command.args[2:], str(command.seat)
    if words:
        is_race = table.is_race(Action(seat, words[0], words[1:]))
    else:
        assert table.session.game is not None
        is_race = any(map(table.is_race, table.session.game.button_actions(table.session.state, seat)))
    return _raced(table, command, pressed, words) if is_race else Refusal("no_race_now")


def _undo(table: Table, command: Command) -> Drafts:
    if refusal := _not_playing(table, command):
        return refusal
    return table.session.why_it_stands(str(command.seat)) or [Draft("undo", command.seat)]


def _answer(table: Table, command: Command) -> Drafts:
    """`answer ID ANSWER`: the asked seat settles a question, or the house for it. A tray's is its owner's alone."""
    if len(command.args) != 2:
        return Refusal("command_unreadable")
    if table.session.is_paused:
        return Refusal("game_paused")
    name, answer = command.args
    own = table.private.get(command.seat or "")
    for question in filter(None, (table.question, own)):
        if question.id == name and (command.seat in (None, question.seat)):
            return _resolved(table, command.seat, question, answer)
    return Refusal("question_gone", {"question": name[:40]})


def _resolved(table: Table, seat: str | None, question: Question, answer: str) -> Drafts:
    """What follows from an answer, taken as whoever gave it was shown the question."""
    session = table.session
    if question.kind in PRIVATE or session.game is None:
        return resolve(question, answer, session, table.belief)
    sight = Sight(session.game, session.state, seat)
    meant = sight.meant(question, answer)
    if meant is None:
        return Refusal("answer_unknown", {"answer": answer[:80], "answers": list(sight.question(question).answers)})
    return resolve(question, meant, session, table.belief)


def _sit(table: Table, command: Command) -> Drafts:
    """`sit NAME TOKEN-HASH`: a person takes a free seat, or comes back to their own on another phone."""
    if table.session.game is None:
        return Refusal("not_set_up")
    if len(command.args) != 2 or len(command.args[1]) != HEX_DIGITS:
        return Refusal("command_unreadable")
    name = clean_name(command.args[0])
    if not name:
        return Refusal("name_missing", {"most": MOST_NAME_CHARS})
    return [Draft("sit", command.seat, {"name": name, "token": command.args[1]})]


def clean_name(text: str) -> str:
    """A name as it may be shown everywhere: one line, printable, short."""
    return " ".join(harmless(text[:200]).replace("\ufffd", " ").split())[:MOST_NAME_CHARS].strip()


def _leave(table: Table, command: Command) -> Drafts:
    is_seated = table.session.seats[str(command.seat)].kind == PERSON
    return [Draft("leave", command.seat)] if is_seated else Refusal("seat_is_free", {"seat": command.seat})


def _seat_bot(table: Table, command: Command) -> Drafts:
    if table.session.seats[str(command.seat)].kind == PERSON:
        return Refusal("seat_is_taken", {"seat": command.seat})
    return [Draft("seat_bot", command.seat, {"name": clean_name("".join(command.args[:1])) or "bot"})]


def _new_game(table: Table, command: Command) -> Drafts:
    """`new_game HEADER`: the header as JSON. A game that is under way has to be ended by `new_game HEADER anyway`."""
    session = table.session
    if session.actors and session.steps and command.args[1:] != ("anyway",):
        return Refusal("game_under_way")
    try:
        header = loads_strictly("".join(command.args[:1]))
        game_of(header).start(header)
    except FormatError as error:
        return Refusal(*error.problems[0])
    return [Draft("new_game", None, {"header": json.loads(json.dumps(header))})]


def _start(table: Table, command: Command) -> Drafts:
    if table.session.game is None:
        return Refusal("not_set_up")
    return Refusal("started_already") if table.session.is_started else [Draft("start")]


def _adjust(table: Table, command: Command) -> Drafts:
    """`adjust PLACE=CONTENT ...`: the house says what lies on the board, such as what a photo showed."""
    return _agreed(table, Action(TABLE, ADJUST, command.args))


def _end(table: Table, command: Command) -> Drafts:
    """`end`: the game is over as it stands."""
    return _agreed(table, Action(TABLE, END))


def _agreed(table: Table, action: Action) -> Drafts:
    session = table.session
    if session.game is None or not session.is_started:
        return Refusal("not_started")
    after = session.game.apply(session.state, action)
    return after if isinstance(after, Refusal) else [act_draft(action, "answer")]


def _pause(table: Table, command: Command) -> Drafts:
    is_running = table.session.is_started and not table.session.is_paused
    return [Draft("pause", command.seat)] if is_running else Refusal("not_started")


def _resume(table: Table, command: Command) -> Drafts:
    return [Draft("resume", command.seat)] if table.session.is_paused else Refusal("not_paused")


def _wrong(table: Table, command: Command) -> Drafts:
    """`wrong WORDS`: "that was wrong". The words are kept with the log; whoever runs the table keeps the pictures."""
    words = harmless(" ".join(command.args))[:MOST_WORDS]
    return [Draft("wrong", command.seat, {"words": words})]


Handler = Callable[["Table", Command], Drafts]

# Each command, and whether it is the house's to give (for a seat).
COMMANDS: Mapping[str, tuple[Handler, bool]] = {
    "act": (_act, False),
    "undo": (_undo, False),
    "answer": (_answer, False),
    "claim": (_claim, False),
    "wrong": (_wrong, False),
    "sit": (_sit, True),
    "leave": (_leave, True),
    "seat_bot": (_seat_bot, True),
    "pause": (_pause, True),
    "resume": (_resume, True),
    "new_game": (_new_game, True),
    "start": (_start, True),
    "adjust": (_adjust, True),
    "end": (_end, True),
}
_WITHOUT_SEAT = ("pause", "resume", "new_game", "start", "adjust", "end")
SEAT_COMMANDS = ("act", "undo", "answer", "claim", "wrong", "leave")  # what a phone may send for its seat
