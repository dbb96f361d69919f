"""The questions a game puts to its player: asked until the answer is an action, however it is typed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.commands.play.input import (
    COMMAND_WORDS,
    Choice,
    Laid,
    Unclear,
    Unknown,
    cards_like,
    clues_of,
    command_of,
    fitting,
    fold,
    in_card_words,
    is_no,
    is_nothing,
    is_yes,
    meant,
    number_of,
    place_parts,
    read_plan,
    words_of,
)
from companion.commands.play.screen import hand_lines
from companion.commands.play.terminal import Terminal
from companion.games.makabana.board import beach_of
from companion.games.makabana.legal import OBSTACLES
from companion.games.makabana.plans import SHOW, Plan, parse_plan
from companion.games.makabana.rules import NORMAL_CARDS
from companion.games.makabana.setup import CLUB_PREFIX, Setup
from companion.games.makabana.state import State
from companion.games.protocol import Action, Event, Game, Json, Refusal
from companion.games.texts import say
from companion.players.casual_player import casual_action

MOST_IN_MENU, FEW = 12, 4
IDEAS, DRAWN_FOR_IDEAS = 3, 60
_FILLERS = frozenset("tiki hut paillote on sur at project projet card cards carte cartes and et with avec".split())
_QUESTIONS = {
    "hut": "ask_hut", "tiki": "ask_tiki", "denounce": "ask_denounce", "repaint": "ask_repaint", "offer": "ask_offer",
    "accept": "ask_accept", "done": "ask_deed",
}  # fmt: skip
# The words that pick a deed or an answer, in both languages.
_SPELLINGS = {
    "build": ("build", "construire"), "paint": ("paint", "repaint", "peindre", "repeindre"),
    "club": ("club", "found", "creer"), "done": ("done", "nothing", "end", "fini", "rien"),
    "accept": ("accept", "yes", "oui"), "decline": ("decline", "no", "non", "refuser"),
    "close": ("close", "nobody", "personne"),
}  # fmt: skip


class TurnedBack(Exception):  # noqa: N818 - nothing is wrong
    """An action was taken back, or the player thought again: look at the game and ask anew."""


class Turn(NamedTuple):
    """What a question is about: who acts, what they see, what they may do. The state answers "what if", unseen."""

    state: State
    seat: str
    view: Mapping[str, Json]
    setup: Setup
    legal: Sequence[Action]


class Questions:
    """Asks the player. Whatever is a command goes to `command`, which may raise to leave the question."""

    def __init__(
        self, game: Game[Any], terminal: Terminal, command: Callable[[str, str], None], rng: random.Random
    ) -> None:
        self._game, self._terminal, self._command, self._rng = game, terminal, command, rng

    def ask(self, turn: Turn, default: Action | None = None) -> Action:
        """The action the player chooses; `default` is what Enter alone means."""
        self._terminal.complete_with([*vocabulary(turn.setup), *COMMAND_WORDS])
        if turn.legal[0].verb == "plan":  # in Mao there are some fifty thousand of them
            return self._ask_plan(turn)
        verbs = {action.verb for action in turn.legal}
        if verbs == {"reveal"}:
            self.read(self._prompt(turn, "ask_reveal"))
            return turn.legal[0]
        question = next(key for verb, key in _QUESTIONS.items() if verb in verbs)
        return self._pick(turn, self._prompt(turn, question), default)

    def read(self, question: str, is_inner: bool = False) -> str:
        """A line that is no command. Within a question, `undo` goes back to its beginning."""
        while True:
            text = self._terminal.read(question)
            command = command_of(text)
            if command is None:
                return text
            if is_inner and command == "undo":
                self._say("question_again")
                raise TurnedBack
            self._command(command, text)

    def _say(self, key: str, **data: object) -> None:
        self._terminal.say(self._terminal.scene.text(key, **data))

    def _prompt(self, turn: Turn, key: str) -> str:
        scene = self._terminal.scene
        question = scene.text(key)
        if len(scene.mine) == 1:
            return question
        return scene.text("seat_asked", name=scene.name(turn.seat), question=question)

    def _show_list(self, labels: Sequence[str]) -> None:
        """Numbered, one a line while they are few, else in columns so that the board stays in sight."""
        entries = [f"{number:3}  {label}" for number, label in enumerate(labels, 1)]
        width = max(map(len, entries), default=0) + 2
        across = 1 if len(entries) <= FEW else max(1, (self._terminal.scene.width - 2) // width)
        down = -(-len(entries) // across)
        if across == 1:
            for entry in entries:
                self._terminal.say(entry[5:], bullet=entry[:5])
        else:
            rows = [entries[row::down] for row in range(down)]
            self._terminal.lines("  " + "".join(entry.ljust(width) for entry in row).rstrip() for row in rows)

    # Picking one of the legal actions

    def _pick(self, turn: Turn, question: str, default: Action | None) -> Action:
        choices = [self._choice(action) for action in turn.legal if action != default]
        menu = choices if len(choices) <= MOST_IN_MENU else []
        if menu:
            self._terminal.lines([""])
        self._show_list([choice.label for choice in menu])
        while True:
            text = self.read(question)
            number = number_of(text)
            words = [word for word in words_of(text) if word not in _FILLERS]
            if number is not None and 1 <= number <= len(menu):
                return menu[number - 1].action
            if number is not None:
                self._say("no_number", number=number)
            elif not words and default is not None:
                return default
            else:
                found = fitting(in_card_words(words, turn.setup.card_kinds), choices)
                if words and len(found) == 1:
                    return found[0].action
                menu = self._offer(turn, found, words)
                self._show_list([choice.label for choice in menu])

    def _offer(self, turn: Turn, found: list[Choice], words: list[str]) -> list[Choice]:
        """The choices to list for words that name no single one, with a word about why."""
        if not found:
            self._nothing_fits(turn, words)
            return []
        if len(found) <= MOST_IN_MENU:
            self._say("which")
            return found
        if not words:
            self._say("ideas")
            return self._rng.sample(found, IDEAS)
        self._say("too_many", count=len(found), example=short(found[0].action.args[-1]))
        return []

    def _nothing_fits(self, turn: Turn, words: list[str]) -> None:
        """Says why: the rules refuse the place that is named, or there is no such place at all."""
        actions = (Action(turn.seat, turn.legal[0].verb, (place,)) for place in places(turn.setup))
        named = fitting(in_card_words(words, turn.setup.card_kinds), map(self._choice, actions))
        refusal = self._game.apply(turn.state, named[0].action) if len(named) == 1 else None
        strange = next((word for word in words if not cards_like(word, vocabulary(turn.setup))), None)
        if isinstance(refusal, Refusal):
            self._terminal.say(self._sentence(refusal))
        elif strange is not None:
            self._unknown(turn, strange)
        else:
            self._say("none_fits", words=" ".join(words))

    def _unknown(self, turn: Turn, word: str) -> None:
        scene = self._terminal.scene
        guess = meant(word, [*vocabulary(turn.setup), *COMMAND_WORDS])
        hint = scene.text("perhaps", meant=guess) if guess else scene.text("for_example", example=example(turn))
        self._terminal.say(f"{scene.text('unknown_word', word=word)} {hint}")

    def _choice(self, action: Action) -> Choice:
        """The action with a label to show and the words that pick it."""
        scene, verb, place = self._terminal.scene, action.verb, action.args[0] if action.args else ""
        if verb == "denounce":
            shown = scene.name(place)
            return Choice(action, shown, ((fold(shown), place),))
        if verb in _SPELLINGS:
            label = scene.text(f"do_{verb}", site=place, beach=beach_of(place))
            return Choice(action, label, (_SPELLINGS[verb], *place_parts(place)))
        is_club_place = place.startswith(CLUB_PREFIX)
        label = scene.text("do_club_place", beach=place.removeprefix(CLUB_PREFIX)) if is_club_place else place
        return Choice(action, label, place_parts(place))

    def _sentence(self, event: Event | Refusal) -> str:
        return say(event, self._terminal.scene.language)

    # Plans

    def _ask_plan(self, turn: Turn) -> Action:
        scene, prompt = self._terminal.scene, self._prompt(turn, "ask_plan")
        self._terminal.lines(["", *hand_lines(turn.view, turn.seat, scene)])
        menu: list[Action] = []
        answer: str | None = None
        while True:
            text = self.read(prompt) if answer is None else answer
            number, answer = number_of(text), None
            words = [word for word in words_of(text) if word not in _FILLERS]
            if number is not None and 1 <= number <= len(menu):
                return menu[number - 1]
            if number is not None:
                self._say("no_number", number=number)
            elif not words:
                menu = self._plan_ideas(turn)
            elif laid := self._laid(turn, words):
                answer = self._warned(turn, laid)
                if answer is None:
                    return self._with_clue(turn, laid)

    def _plan_ideas(self, turn: Turn) -> list[Action]:
        """A few plans that are not in vain; where tricks are allowed, an honest one and some less so."""
        drawn = [casual_action(turn.view, turn.legal, self._rng) for _ in range(DRAWN_FOR_IDEAS)]
        hopeful = [action for action in drawn if not doom_of(turn, action)] or drawn
        if turn.setup.rules.tricky:
            hopeful = sorted({_trickery(action): action for action in hopeful}.values(), key=_trickery)
        ideas = list({action.args[:-1]: action for action in hopeful}.values())[:IDEAS]
        self._say("ideas")
        self._show_list([self.plan_label(action) for action in ideas])
        return ideas

    def plan_label(self, action: Action) -> str:
        scene = self._terminal.scene
        if not action.args:
            return scene.text("empty_plan")
        cards = " ".join(map(scene.card, action.args[:-2]))
        return scene.text("plan_label", cards=cards, clue=scene.card(action.args[-1]))

    def _laid(self, turn: Turn, words: list[str]) -> Laid | None:
        """The cards that are meant, if the player can lay them; says why not."""
        laid = Laid((), None) if is_nothing(words) else self._cards_meant(turn, words)
        if laid is None:
            return None
        result = self._game.apply(turn.state, _plan_action(turn, laid))
        if isinstance(result, Refusal):
            self._terminal.say(self._sentence(result))
            return None
        return laid

    def _cards_meant(self, turn: Turn, words: list[str]) -> Laid | None:
        """The cards the words stand for, after asking back for unclear ones; None if there is no telling."""
        while True:
            read = read_plan(words, turn.setup.card_kinds, turn.setup.site_set)
            if isinstance(read, Laid):
                return read
            if isinstance(read, Unknown):
                self._unknown(turn, read.word)
                return None
            words[read.place] = fold(self._word_meant(read))

    def _word_meant(self, unclear: Unclear) -> str:
        scene = self._terminal.scene
        candidates = scene.join(map(scene.card, unclear.candidates), "or")
        return self._one_card(scene.text("ask_word", word=unclear.word, candidates=candidates), unclear.candidates)

    def _one_card(self, question: str, cards: Sequence[str]) -> str:
        """One of a few cards, by its number or its beginning; asked again until it is one of them."""
        self._show_list([self._terminal.scene.card(card) for card in cards])
        while True:
            answer = self.read(question, is_inner=True)
            number, words = number_of(answer), words_of(answer)
            found = cards_like(words[-1], cards) if words else ()
            if number is not None and 1 <= number <= len(cards):
                return cards[number - 1]
            if len(found) == 1:
                return found[0]

    def _warned(self, turn: Turn, laid: Laid) -> str | None:
        """None if the plan has a hope or is wanted anyway; else what the player typed instead."""
        doom = doom_of(turn, _plan_action(turn, laid))
        if not doom:
            return None
        scene = self._terminal.scene
        reasons = [self._sentence(event) for event in doom] if laid.cards else [scene.text("no_empty_plan")]
        self._terminal.say(" ".join([*reasons, scene.text("doomed")]))
        answer = self.read(scene.text("ask_anyway"), is_inner=True)
        if is_yes(answer):
            return None
        if not words_of(answer) or is_no(answer):
            raise TurnedBack
        return answer

    def _with_clue(self, turn: Turn, laid: Laid) -> Action:
        clues = clues_of(laid.cards, turn.setup.rules.paint_lies_open)
        if laid.clue is None and len(clues) > 1:
            laid = laid._replace(clue=self._one_card(self._terminal.scene.text("ask_clue"), clues))
        return _plan_action(turn, laid)


def _plan_action(turn: Turn, laid: Laid) -> Action:
    """The plan as an action. Where no clue was said yet, the first card that may lie open stands for it."""
    if not laid.cards:
        return Action(turn.seat, "plan")
    clue = laid.clue or clues_of(laid.cards, turn.setup.rules.paint_lies_open)[0]
    return Action(turn.seat, "plan", (*laid.cards, SHOW, clue))


def _trickery(action: Action) -> int:
    return abs(len(action.args[:-2]) - NORMAL_CARDS)


def doom_of(turn: Turn, action: Action) -> tuple[Event, ...]:
    """Why a plan would come to nothing as the board stands; empty if there is hope."""
    plan = parse_plan(turn.setup, action.args)
    if not isinstance(plan, Plan) or plan.design.faults:
        return plan.design.faults if isinstance(plan, Plan) else ()
    if not turn.setup.rules.tricky and action in turn.legal:
        return ()
    found = list(_obstacles(turn, plan))
    obstacles = tuple(obstacle for obstacle in found if obstacle is not None)
    if len(obstacles) < len(found):
        return ()
    return obstacles if len(obstacles) == 1 else (Event("nothing_possible"),)


def _obstacles(turn: Turn, plan: Plan) -> Iterator[Event | None]:
    """What stands in the way of each deed that the plan could be for."""
    design, seat = plan.design, turn.setup.seat_index[turn.seat]
    verbs = [design.verb] if design.verb else ["build", *["club"] * design.club, *["paint"] * (design.paints > 0)]
    for verb in verbs:
        for site in design.reach:
            yield OBSTACLES[verb](turn.state, seat, site)


def places(setup: Setup) -> tuple[str, ...]:
    return setup.sites + setup.club_places


def vocabulary(setup: Setup) -> tuple[str, ...]:
    """The words that name cards and places."""
    return (*setup.card_kinds, SHOW)


def short(place: str) -> str:
    """A place as one would type it: `alo lag fle`."""
    return " ".join(word if place.startswith(CLUB_PREFIX) else word[:3] for word in words_of(place))


def example(turn: Turn) -> str:
    """Something that could be typed here: a place or plan that is possible now."""
    args = turn.legal[0].args if turn.legal else ()
    cards = args[:-2] if SHOW in args else args
    return short("-".join(cards[:NORMAL_CARDS])) if cards else "?"
