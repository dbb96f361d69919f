"""A game between the one at the keyboard and random opponents: who acts next, what is told, what is commanded."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.commands.files import FileError, command_name
from companion.commands.play.end import tell_end
from companion.commands.play.input import Choice, fitting, in_card_words, is_no, is_yes, place_parts, words_of
from companion.commands.play.questions import Questions, Turn, TurnedBack, example, short
from companion.commands.play.save import Keeper
from companion.commands.play.screen import board_name, command_lines, help_lines, phase_text, player_lines, screen_lines
from companion.commands.play.terminal import Terminal
from companion.commands.score import score_lines
from companion.games.catalogue import game_of
from companion.games.makabana.setup import make_setup
from companion.games.makabana.state import DENOUNCE, OPENING, PLAN, TIKI
from companion.games.protocol import Action, Event, Json, Refusal
from companion.games.record import Record, after, last_state, undo
from companion.games.texts import say
from companion.players.casual_player import casual_accusation, casual_action

_UNTOLD = ("plan_laid", "round_begins")  # the screen shows them
_TOLD_APART = ("clues_shown", "final_round", "game_over")  # all else that an action brings is told in one breath
_SAYS_THE_CARDS = {"built", "painted", "club_founded", "failed"}  # then it need not be said what was revealed
_DRAWN_IN = (OPENING, PLAN, TIKI)


class Leave(Exception):  # noqa: N818 - nothing is wrong
    """The player wants to stop."""


class Match:
    """The game and what changes while it is played. The record is the truth, the screen one player's view of it."""

    def __init__(self, record: Record, terminal: Terminal, seed: int, keeper: Keeper) -> None:
        self.game = game_of(dict(record.header))
        self.record = record
        self.state: Any = last_state(record)
        self.mine = _seats_of_player(record.header, self.game.seats(self.state))
        self._terminal, self._seed, self._keeper = terminal, seed, keeper
        terminal.scene = terminal.scene._replace(mine=self.mine)
        colours = {**self._view()["seats"], **{colour: colour for colour in self._view()["players"]}}
        terminal.colour_names({terminal.scene.name(word): colour for word, colour in colours.items()})
        self._questions = Questions(self.game, terminal, self._command, random.Random(f"{seed}/ideas"))
        self._explained: set[str] = set()
        self._drawn: object = None
        self._waited_at = -1

    def _view(self, seat: str | None = None) -> dict[str, Json]:
        """What the player sees: the view of a seat of theirs, with their own other plans beside it."""
        view = self.game.view(self.state, seat or self.mine[0])
        own = {other: self.game.view(self.state, other)["plans"][other] for other in self.mine}
        return {**view, "plans": {**view["plans"], **own}}

    def _turn(self, seat: str) -> Turn:
        view = self._view(seat)
        return Turn(self.state, seat, view, make_setup(view), self.game.legal_actions(self.state, seat))

    def _say(self, key: str, blank: bool = False, **data: object) -> None:
        self._terminal.say(self._terminal.scene.text(key, **data), blank=blank)

    def welcome(self, is_resumed: bool) -> None:
        scene, view = self._terminal.scene, self._view()
        waves = scene.ink.colour("blue", "~ ~ ~")
        self._terminal.lines(["", f"  {waves}  {scene.ink.bold('M A K A   B A N A')}  {waves}", ""])
        others = [seat for seat in view["seats"] if seat not in self.mine]
        you, others_said = scene.names(self.mine), scene.names(others)
        boards = scene.join(map(board_name, view["boards"]))
        self._say("welcome", you=you, others=others_said, boards=boards, rules=view["rules"])
        if is_resumed:
            self._say("welcome_back", path=self._keeper.path, count=self.state.number)
        else:
            self._say("intro")

    # The course of the game

    def play(self) -> None:
        """To the end. Raises `Leave` or `EOFError` when the player goes earlier."""
        was_over = not self.game.actors(self.state)
        while actors := self.game.actors(self.state):
            try:
                self._go_on(actors)
            except TurnedBack:
                continue
        self._tell_the_end(was_over)

    def _go_on(self, actors: Sequence[str]) -> None:
        own = [seat for seat in actors if seat in self.mine]
        if self._view()["phase"] == DENOUNCE:
            self._denunciation(own)
        elif own:
            self._own_turn(own[0])
        else:
            self._wait_for_second_thoughts()
            self._explain()
            legal = self.game.legal_actions(self.state, actors[0])
            self._act(casual_action(self.game.view(self.state, actors[0]), legal, self._rng()))

    def _own_turn(self, seat: str) -> None:
        view = self._view(seat)
        moment = (view["phase"], view["round"], len(view["huts"]))
        if view["phase"] in _DRAWN_IN and self._drawn != moment:
            self._drawn = moment
            self._terminal.lines(screen_lines(view, self._terminal.scene))
        self._explain()
        self._act(self._questions.ask(self._turn(seat)))

    def _explain(self) -> None:
        """One sentence about a phase, the first time it comes."""
        view = self._view()
        if view["phase"] not in self._explained:
            self._explained.add(view["phase"])
            self._terminal.say(phase_text("explain", view, self._terminal.scene, self._example()), blank=True)

    def _example(self) -> str:
        """Something that could be typed now."""
        turns = [self._turn(seat) for seat in self.mine]
        turn = next((turn for turn in turns if turn.legal and turn.legal[0].args), None)
        return example(turn) if turn else short(turns[0].setup.sites[0])

    def _wait_for_second_thoughts(self) -> None:
        """What the player did can be taken back until others act on it."""
        last = self.record.actions[-1] if self.record.actions else None
        if last is None or last.seat not in self.mine or last.verb == "close" or self._waited_at == self.state.number:
            return
        if not isinstance(undo(self.record, last.seat), Refusal):
            self._questions.read(self._terminal.scene.text("ask_wait"))
            self._waited_at = self.state.number

    def _denunciation(self, own: Sequence[str]) -> None:
        """The player may be the quickest; then another may denounce; else the first player ends it."""
        close = Action(str(self._view()["first"]), "close")
        self._terminal.lines(["", *player_lines(self._view(), self._terminal.scene)])
        self._explain()
        for seat in own:
            action = self._questions.ask(self._turn(seat), default=close)
            if action != close:
                self._act(action)
                return
        rng = self._rng()
        others = [seat for seat in self.game.actors(self.state) if seat not in self.mine]
        legal = self.game.legal_actions(self.state, rng.choice(others))
        self._act(casual_accusation(legal, close, rng))

    def _rng(self) -> random.Random:
        """Chance for this moment of the game, so that a game gone on with is the same game."""
        return random.Random(f"{self._seed}/{self.state.number}")

    def _act(self, action: Action) -> None:
        self.state = after(self.game, self.state, action, self.state.number)
        self._set_record(Record(self.record.header, (*self.record.actions, action)))
        if action.seat in self.mine and action.verb == "plan":
            self._say("you_lay", plan=self._questions.plan_label(action))
        self._tell(self.state.events)

    def _set_record(self, record: Record) -> None:
        self.record = record
        if problem := self._keeper.keep(record):
            self._complain(problem)

    def _tell(self, events: Sequence[Event]) -> None:
        codes = {event.code for event in events}
        untold = (*_UNTOLD, "revealed") if codes & _SAYS_THE_CARDS else _UNTOLD
        told = [event for event in events if event.code not in untold]
        apart = [[event] for event in told if event.code in _TOLD_APART]
        for group in [[event for event in told if event.code not in _TOLD_APART], *apart]:
            if group:
                sentences = (say(event, self._terminal.scene.language, self.game.name) for event in group)
                self._terminal.say(" ".join(sentences), bullet="· ")
                self._terminal.pause()

    def _tell_the_end(self, was_over: bool) -> None:
        view = self._view()
        self._terminal.lines(screen_lines(view, self._terminal.scene))
        tell_end(self._terminal, self.game.score(self.state), [view["seats"][seat] for seat in self.mine])
        if was_over:
            self._say("end_finished", blank=True)
        elif self._keeper.path is not None:
            self._say("end_kept", blank=True, path=self._keeper.path, command=command_name())

    # Commands

    def _command(self, command: str, text: str) -> None:
        _COMMANDS[command](self, text)

    def _help(self, _: str) -> None:
        for line in help_lines(self._view(), self._terminal.scene, self._example()):
            self._terminal.say(line)
        self._terminal.lines(["", *command_lines(self._terminal.scene)])

    def _board(self, _: str) -> None:
        self._terminal.lines(screen_lines(self._view(), self._terminal.scene))

    def _score(self, _: str) -> None:
        self._say("score_now", blank=True)
        for line in score_lines(self.game.score(self.state), self._terminal.scene.language, self.game.name):
            if line.startswith("  · "):
                self._terminal.say(line.removeprefix("  · "), bullet="· ")
            else:
                self._terminal.lines([line])

    def _near(self, text: str) -> None:
        """What lies next to a site: the board's letters only say who belongs together."""
        setup = make_setup(self._view())
        words = in_card_words(words_of(text)[1:], setup.card_kinds)
        choices = [Choice(Action("", "near", (site,)), site, place_parts(site)) for site in setup.sites]
        found = fitting(words, choices)
        if not words or len(found) > len(setup.card_kinds) or not found:
            self._say("near_how", example=short(setup.sites[0]))
            return
        for choice in found:
            near = sorted(setup.neighbours[choice.label])
            sites = self._terminal.scene.join(near) if near else ""
            text = self._terminal.scene.text("near_is" if near else "near_alone", site=choice.label, sites=sites)
            self._terminal.say(text, bullet="· ")

    def _undo(self, _: str) -> None:
        last = self.record.actions[-1].seat if self.record.actions else self.mine[0]
        shorter = undo(self.record, last if last in self.mine else self.mine[0])
        if isinstance(shorter, Refusal):
            self._terminal.say(say(shorter, self._terminal.scene.language, self.game.name))
            return
        self.state = last_state(shorter)
        self._set_record(shorter)
        self._say("taken_back")
        raise TurnedBack

    def _save(self, text: str) -> None:
        name = " ".join(text.split()[1:])
        if not self._keeper.is_free(name):
            self._say("save_exists", path=name)
        elif problem := self._keeper.save_as(name, self.record):
            self._complain(problem)
        else:
            self._say_where()

    def _quit(self, _: str) -> None:
        """Leaves, unless the player would rather stay or the game can't be saved as they want."""
        if self._keeper.path is None and self.record.actions:
            answer = self._terminal.read(self._terminal.scene.text("ask_save"))
            problem = self._keeper.save_as("", self.record) if is_yes(answer) else None
            if problem:
                self._complain(problem)
            if problem or not (is_yes(answer) or is_no(answer)):
                return
        raise Leave

    def _complain(self, problem: FileError) -> None:
        why = say(problem.error.problems[0], self._terminal.scene.language)
        self._say("save_failed", path=problem.path, why=why)

    def _say_where(self) -> None:
        scene = self._terminal.scene
        saved, resume = scene.text("saved", path=self._keeper.path), scene.text("resume")
        self._terminal.lines(
            [f"  {saved} {resume}", f"    {self._keeper.resume_command(scene.language)}"]
        )  # unwrapped, to be copied

    def say_goodbye(self) -> None:
        """The last words when the player leaves before the end."""
        self._terminal.lines([""])
        if self._keeper.path is not None:
            self._say_where()
        elif self.record.actions:
            self._say("not_saved")
        self._say("bye")


_COMMANDS: Mapping[str, Callable[[Match, str], None]] = {
    "help": Match._help,
    "board": Match._board,
    "score": Match._score,
    "near": Match._near,
    "undo": Match._undo,
    "save": Match._save,
    "quit": Match._quit,
}


def _seats_of_player(header: Mapping[str, Json], seats: Sequence[str]) -> tuple[str, ...]:
    """The first seat; with two people, both colours of the first camp."""
    camps = header.get("camps")
    return tuple(camps[0]) if camps else (seats[0],)
