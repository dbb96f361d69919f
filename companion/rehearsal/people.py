"""Simulated people: they play random legal games with real hands, make mistakes, and answer what they are asked.

They know the game and see the board. They put pieces down late, on the wrong site, in the wrong colour, forget them,
leave tikis behind, knock pieces over, act at the same time, change their minds; asked, they look and tell the truth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.games.protocol import EMPTY, Action, Refusal, movements, parse_content
from companion.rehearsal.tally import HumanError
from companion.rehearsal.world import Piece
from companion.table.decide import LATE, MOVED, TAKE_BACK, WHICH
from companion.table.observations import Pressed, When
from companion.table.questions import CHECK, CHOOSE, CONTENT, TRAY_OR_PHONE, Question, topic_of
from companion.table.session import Step
from companion.table.situation import changes_by

if TYPE_CHECKING:
    from companion.rehearsal.evening import Evening

ERROR_RATE = 0.02  # of pieces put down
KNOCK_RATE = 0.25  # games in which an elbow hits the board
CHANGE_OF_MIND = 0.02
BOTH_AT_ONCE = 0.15
Deeds = Mapping[str, tuple[tuple[Any, ...], tuple[Any, ...]]]  # by place: what is taken off it, and what is put there
BUTTON, TRAY = 0.3, 0.5  # shares of people who use them
NOTICES_SILENCE_S = 8.0  # after which somebody whose piece the table has not seen taps it on the phone


class People:
    """Everybody round the table."""

    def __init__(self, evening: Evening) -> None:
        self._evening, self._rng, self._world = evening, evening.rng, evening.world
        self.errors: list[HumanError] = []
        self.changes_of_mind: list[HumanError] = []
        self.truth: dict[int, Action] = {}  # by entry: what the person really did
        self.asked: set[str] = set()
        self.without_cause = self.wrong_commits = self.checks = 0
        self._intent: dict[str, Action] = {}
        self._busy: dict[str, int] = {}  # who is at something, and at which of their undertakings
        self._undertakings = 0
        self._racing: set[str] = set()
        self._early: set[str] = set()  # whose piece lies there before their turn
        self._hands: dict[str, str] = {}  # places somebody is about to see to
        self._seen_steps = 0
        self._last_state: Any = None
        self._answering: set[str] = set()
        self._counted: set[str] = set()
        if evening.gear.human_errors and self._rng.random() < KNOCK_RATE:
            evening.later(self._rng.uniform(60, 600), self._knock)

    # --- Every moment ---

    def look(self) -> None:
        """Looks at phones and board, and gets going where something is to be done."""
        session = self._evening.table.session
        if len(session.steps) != self._seen_steps:
            self._follow(session.steps)
        for seat in session.actors:
            if seat not in self._busy:
                self._undertakings += 1
                self._busy[seat] = self._undertakings
                self._begin(seat)
        self._notice_questions()
        for error in self._lying:
            error.is_over = not error.places & self._world.differences(self._evening.expected()).keys()

    @property
    def _lying(self) -> list[HumanError]:
        """Mistakes that nobody has put right yet."""
        return [error for error in (*self.errors, *self.changes_of_mind) if not error.is_over]

    def _follow(self, steps: tuple[Step, ...]) -> None:
        """The game went on: hands follow, and everyone whose turn has passed is free again."""
        for step in steps[self._seen_steps :]:
            meant = self._intent.pop(step.action.seat, None)
            self.truth[step.entry] = meant or step.action
            if meant is not None and step.by != "answer" and not self._is_as_meant(step, meant):
                self.wrong_commits += 1
            self._busy.pop(step.action.seat, None)
            self._early.discard(step.action.seat)
            self._carry_out(step)
        self._seen_steps = len(steps)
        still = set(self._evening.table.session.actors) - self._racing
        self._busy = {seat: number for seat, number in self._busy.items() if seat in still | self._early}
        self._racing.clear()
        self._evening.spy_looks()

    def _is_as_meant(self, step: Step, meant: Action) -> bool:
        """Whether that was done, if maybe in other words: then the game is the same but for what is told of it."""
        if step.action == meant:
            return True
        session, game = self._evening.table.session, self._evening.game
        index = session.steps.index(step)
        before = session.steps[index - 1].state if index else session.start
        after: Any = game.apply(before, meant)
        told: Any = {"events": (), "story": ()}
        return not isinstance(after, Refusal) and after._replace(**told) == step.state._replace(**told)

    # --- What a seat does when it may act ---

    def _begin(self, seat: str) -> None:
        game, state = self._evening.game, self._evening.table.session.state
        by_hand = [action for action in game.hand_actions(state) if action.seat == seat]
        legal = game.legal_actions(state, seat)
        racing = game.button_actions(state, seat) if len(game.actors(state)) > 1 else []
        if racing:
            self._race(seat, list(racing), [action for action in legal if action not in racing])
            return
        action = legal[int(self._rng.random() * len(legal))]
        if action in by_hand and self._evening.camera_works:
            self._for(seat, 0.8, 4.0, lambda: self._by_hand(action))
            return
        secret = game.witness(action, None) != action
        self._intent[seat] = action
        if secret and self._uses_tray(seat, action):
            self._for(seat, 0.5, 2.0, lambda: self._lay_cards(action))
        elif action in game.button_actions(state, seat) and self._rng.random() < BUTTON:
            self._for(seat, 0.5, 3.0, lambda: self._press(seat))
        else:
            self._for(seat, 0.5, 8.0 if secret else 3.0, lambda: self._tap(action))

    def _for(self, seat: str, least: float, most: float, task: Callable[[], None]) -> None:
        """Something a seat does in a moment, if it is still at the same undertaking then."""
        number = self._busy.get(seat)
        self._later(least, most, lambda: task() if self._busy.get(seat) == number else None)

    def _later(self, least: float, most: float, task: Callable[[], None]) -> None:
        self._evening.later(self._rng.uniform(least, most), task)

    def _tap(self, action: Action) -> None:
        """On the phone."""
        self._intent[action.seat] = action
        answer = self._evening.do("act", action.verb, *action.args, seat=action.seat)
        if not answer.accepted:
            self._busy.pop(action.seat, None)

    def _press(self, seat: str) -> None:
        self._evening.table.observe(Pressed(seat, When(self._evening.clock.at)))
        self._for(seat, 1.0, 1.5, lambda: self._give_up(seat))

    def _give_up(self, seat: str) -> None:
        self._busy.pop(seat, None)

    def _race(self, seat: str, racing: list[Action], others: list[Action]) -> None:
        """Now and then somebody presses; whoever may end the waiting does so after a while."""
        self._racing.add(seat)
        if self._rng.random() < 0.1:
            accusation = self._rng.choice(racing)
            self._for(seat, 0.5, 2.5, lambda: self._claim(accusation))
        elif others:
            self._for(seat, 3.0, 5.0, lambda: self._tap(others[0]))

    def _claim(self, action: Action) -> None:
        self._intent[action.seat] = action
        if self._rng.random() < BUTTON:
            self._evening.table.observe(Pressed(action.seat, When(self._evening.clock.at)))
            return
        moment = (f"{self._evening.clock.at - 0.05:.3f}", "0.04")
        answer = self._evening.do("claim", *moment, action.verb, *action.args, seat=action.seat)
        if not answer.accepted:
            self._intent.pop(action.seat, None)

    # --- Cards ---

    def _uses_tray(self, seat: str, action: Action) -> bool:
        seats = list(self._evening.table.session.seats)
        return self._evening.gear.readers and seats.index(seat) % 2 == 0 and 3 <= len(action.args) <= 7

    def _lay_cards(self, action: Action) -> None:
        """One by one, the face-up card first; then wait for the table to take note."""
        *cards, _, clue = action.args
        cards.remove(clue)
        colour = self._evening.game.colour_of(self._evening.table.session.state, action.seat)
        laid = [clue, *cards]
        self._evening.readers.lay(action.seat, colour, [], self._now)  # the last round's go back into the hand
        for number in range(1, len(laid) + 1):
            self._for(action.seat, 0.8 * number, 0.8 * number, partial(self._lay, action.seat, colour, laid[:number]))
        patience = 0.8 * len(laid) + NOTICES_SILENCE_S
        self._for(action.seat, patience, patience, lambda: self._tap_if_unseen(action))

    def _lay(self, seat: str, colour: str, cards: list[str]) -> None:
        self._evening.readers.lay(seat, colour, cards, self._now)

    @property
    def _now(self) -> float:
        return self._evening.clock.at

    def _tap_if_unseen(self, action: Action) -> None:
        table = self._evening.table
        if self._intent.get(action.seat) != action or action.seat not in table.session.actors:
            return
        if table.question is not None:  # somebody is being asked: first things first
            self._for(action.seat, 2.0, 4.0, lambda: self._tap_if_unseen(action))
            return
        self._tap(action)

    # --- Pieces ---

    def _by_hand(self, action: Action) -> None:
        """Puts a piece down; the table sees it, or is told after a while."""
        evening, state = self._evening, self._evening.table.session.state
        wrong = self._wrong_spot(action, state) if self._errs() else None
        self._intent[action.seat] = action
        changes = changes_by(evening.game, state, action)
        if wrong is not None:
            piece, place = wrong
            self.errors.append(HumanError("illegal_spot", frozenset({place}), self._now))
            self._put_pieces({place: ((), (piece,))})
        else:
            self._put_down(changes)
            self._maybe_change_mind(action)
            self._maybe_both_at_once(state, action)
        self._for(action.seat, NOTICES_SILENCE_S, NOTICES_SILENCE_S, lambda: self._tap_if_unseen(action))

    def _put_down(self, changes: Mapping[str, str]) -> None:
        """Does a deed. Whatever somebody was still to see to on its places is over with it."""
        self._put_pieces({place: self._exchange(place, content) for place, content in changes.items()})
        for place in changes:
            self._hands.pop(place, None)

    def _maybe_both_at_once(self, state: Any, action: Action) -> None:
        """The next one does not wait until the table has taken note."""
        after = self._evening.game.apply(state, action)
        if isinstance(after, Refusal):  # the people have agreed on another board in between
            return
        turns = [a for a in self._evening.game.hand_actions(after) if a.seat != action.seat]
        if turns and self._rng.random() < BOTH_AT_ONCE:
            hasty = self._rng.choice(turns)
            self._undertakings += 1
            self._busy[hasty.seat] = self._undertakings
            self._early.add(hasty.seat)
            changes = changes_by(self._evening.game, after, hasty)
            self._later(0.0, 1.0, lambda: self._put_down_early(hasty, changes))

    def _put_down_early(self, action: Action, changes: dict[str, str]) -> None:
        self._intent[action.seat] = action
        self._put_down(changes)
        self._for(action.seat, 2 * NOTICES_SILENCE_S, 3 * NOTICES_SILENCE_S, lambda: self._tap_if_unseen(action))

    def _exchange(self, place: str, content: str) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """What to take off a place and what to put there, so that it holds just this."""
        wanted, there = list(parse_content(content)), list(self._world.pieces[place])
        return (
            tuple(piece for piece in there if piece not in wanted),
            tuple(piece for piece in wanted if piece not in there),
        )

    def _put_pieces(self, deeds: Deeds) -> None:
        for place, (taken, put) in {**self._taken_up(deeds), **deeds}.items():
            self._world.cover(place, self._now + self._rng.uniform(0.6, 1.6))
            for piece in taken:
                self._world.take(piece, place)
            for piece in put:
                self._world.put(piece, place)
            for kind, colour in (*taken, *put) if self._evening.gear.readers else ():
                if kind == "tiki":
                    is_home = not self._world.places_of((kind, colour))
                    self._evening.readers.tiki_home(colour, is_home, self._now)

    def _taken_up(self, deeds: Deeds) -> Deeds:
        """Where the pieces of which there is but one lie until now: whoever puts them down has taken them up there."""
        put = [piece for _, pieces in deeds.values() for piece in pieces if piece in self._evening.one_of_a_kind]
        lie = {piece: [place for place in self._world.places_of(piece) if place not in deeds] for piece in put}
        return {place: ((piece,), ()) for piece, places in lie.items() for place in places}

    def _errs(self) -> bool:
        return self._evening.gear.human_errors and self._rng.random() < ERROR_RATE

    def _wrong_spot(self, action: Action, state: Any) -> tuple[Any, str] | None:
        """Somewhere the rules do not allow this piece."""
        game = self._evening.game
        (place, content), *_ = changes_by(game, state, action).items()
        piece = next((p for p in parse_content(content) if p not in self._world.pieces[place]), None)
        if piece is None:
            return None
        # A hut meant for painting that comes to lie where one may be built is no illegal spot, whatever was meant.
        legal = {place for other in game.hand_actions(state) for place in changes_by(game, state, other)}
        refused = [place for place in self._world.places if place not in legal and self._has_room(piece, place)]
        return (piece, self._rng.choice(refused)) if refused else None

    def _has_room(self, piece: Any, place: str) -> bool:
        return all(kind != piece[0] for kind, _ in self._world.pieces[place])

    def _maybe_change_mind(self, action: Action) -> None:
        """Takes the piece up again and puts it elsewhere, a moment too late."""
        if not self._evening.gear.human_errors or self._rng.random() > CHANGE_OF_MIND:
            return
        state = self._evening.table.session.state
        others = [a for a in self._evening.game.hand_actions(state) if a != action and a.verb == action.verb]
        if others:
            other = self._rng.choice(others)
            self._later(3.0, 5.0, lambda: self._move(action, other, state))

    def _move(self, old: Action, new: Action, state: Any) -> None:
        game, session = self._evening.game, self._evening.table.session
        is_last = bool(session.steps) and session.steps[-1].action == old and session.state_before is state
        if not is_last or session.why_it_stands(old.seat) is not None or new.seat in self._busy:
            return
        changes = {**{place: None for place in changes_by(game, state, old)}, **changes_by(game, state, new)}
        if any(self._world.content(place) != content for place, content in changes_by(game, state, old).items()):
            return
        before = self._evening.contents(state)
        wanted = {p: before.get(p, EMPTY) if content is None else content for p, content in changes.items()}
        self._put_pieces({place: self._exchange(place, content) for place, content in wanted.items()})
        self.changes_of_mind.append(HumanError("changed_mind", frozenset(changes), self._now))
        self._intent[new.seat] = new

    # --- Following the game ---

    def _carry_out(self, step: Step) -> None:
        """Whatever the action changed on the board, hands do now or in a moment."""
        game, steps = self._evening.game, self._evening.table.session.steps
        index = steps.index(step)
        before = steps[index - 1].state if index else self._evening.table.session.start
        moves = movements(game.expected(before), game.expected(step.state))
        for place in sorted({move.place for move in moves}):
            if place not in self._hands:
                self._hands[place] = step.action.seat
                self._later(0.6, 8.0, partial(self._see_to, place))

    def _see_to(self, place: str) -> None:
        """Makes a place as the game has it by now, or makes a mistake of it."""
        if self._hands.pop(place, None) is None:
            return
        taken, put = self._exchange(place, self._evening.expected().get(place, EMPTY))
        if not taken and not put:
            return
        if self._errs() and self._err(place, taken, put):
            return
        self._put_pieces({place: (taken, put)})

    def _err(self, place: str, taken: tuple[Any, ...], put: tuple[Any, ...]) -> bool:
        """A mistake of hands instead of the right thing. False where this one can't be made."""
        if not put:
            self.errors.append(HumanError("left_behind", frozenset({place}), self._now))
            return True
        kind = self._rng.choice(("forgotten", "wrong_site", "wrong_colour"))
        (piece, colour), *_ = put
        if kind == "wrong_site":
            free = [p for p in self._world.neighbours[place] if not self._world.pieces[p] and not p.startswith("club")]
            if not free or piece != "hut":
                return False
            other = self._rng.choice(free)
            self._put_pieces({place: (taken, ()), other: ((), put)})
            self.errors.append(HumanError(kind, frozenset({place, other}), self._now))
            return True
        if kind == "wrong_colour":
            others = [c for c in self._evening.colours if c != colour and self._is_at_hand((piece, c))]
            if not others:
                return False
            self._put_pieces({place: (taken, ((piece, self._rng.choice(others)),))})
        self.errors.append(HumanError(kind, frozenset({place}), self._now))
        return True

    def _is_at_hand(self, piece: Piece) -> bool:
        """Whether there is one beside the board to be taken."""
        return piece not in self._evening.one_of_a_kind or not self._world.places_of(piece)

    def _knock(self) -> None:
        """An elbow: a piece is moved to the next place, or falls off the board."""
        expected = self._evening.expected()  # a piece that nobody has taken note of yet can't be missed
        full = [p for p, pieces in self._world.pieces.items() if pieces and self._world.content(p) == expected.get(p)]
        if not full or not self._evening.table.session.actors:
            return
        place = self._rng.choice(full)
        piece = self._rng.choice(self._world.pieces[place])
        free = [p for p in self._world.neighbours[place] if not self._world.pieces[p]]
        to = self._rng.choice(free) if free and self._rng.random() < 0.7 else None
        self._put_pieces({place: ((piece,), ()), **({to: ((), (piece,))} if to else {})})
        self.errors.append(HumanError("knocked", frozenset({place, *([to] if to else [])}), self._now))

    # --- Questions ---

    def _notice_questions(self) -> None:
        table = self._evening.table
        for question in [table.question, *table.private.values()]:
            if question is not None and question.id not in self._answering:
                self._answering.add(question.id)
                if question.id not in self._counted:
                    self._counted.add(question.id)
                    self._count(question)
                self._later(1.5, 4.0, partial(self._answer, question))

    def _count(self, question: Question) -> None:
        if question.kind == CHECK:
            self.checks += 1
            self._notice(question.id, set(self._world.differences(self._evening.expected())))
            return
        if question.kind == CHOOSE:
            return
        self.asked.add(topic_of(question.id))
        places = {cause.place for cause in question.causes}
        wrong = set(self._world.differences(self._evening.expected())) & places
        self._notice(question.id, places)
        is_fault = places & self._evening.camera.faults or question.kind == TRAY_OR_PHONE
        if not wrong and not is_fault:
            self.without_cause += 1

    def _notice(self, question: str, places: set[str]) -> None:
        for error in self._lying:
            if error.places & places:
                error.questions.add(topic_of(question))

    def _answer(self, question: Question) -> None:
        """Looks at the board and tells the truth; what lies wrong is put right."""
        self._answering.discard(question.id)
        open_now = filter(None, (self._evening.table.question, *self._evening.table.private.values()))
        as_put_now = next((now for now in open_now if now.id == question.id), None)
        answer = None if as_put_now is None else self._truthful(as_put_now)
        if answer is not None:
            self._evening.do("answer", question.id, answer, seat=question.seat)

    def _truthful(self, question: Question) -> str | None:
        wrong = self._world.differences(self._evening.expected())
        here = {cause.place for cause in question.causes} & set(wrong)
        if question.kind in (WHICH, CHOOSE):
            meant = self._intent.get(str(question.seat))
            return meant.text if meant is not None and meant.text in question.answers else question.answers[-1]
        if question.kind in (TAKE_BACK, MOVED):
            return self._about_taking_back(question, here)
        if question.kind == CONTENT:
            content = self._world.content(question.data["place"])
            return content if content in question.answers else question.answers[0]
        if question.kind == TRAY_OR_PHONE:
            return "phone"
        if question.kind == CHECK:
            for place in wrong:
                self._set_right(place)
            return "yes"
        if not here:
            return "camera"
        agrees = self._rng.random() < 0.1 or self._is_short_of_a_piece(here)
        if question.kind != LATE and agrees and self._adopt(question):
            return None
        self._put_right(here)
        return "game"

    def _about_taking_back(self, question: Question, here: set[str]) -> str:
        meant = self._intent.get(str(question.seat))
        if meant is not None and meant.text == question.data.get("instead"):
            return "yes"
        self._put_right(here)
        return "no"

    def _is_short_of_a_piece(self, places: set[str]) -> bool:
        """Whether the game wants a piece here and elsewhere of which there is but one: nobody can put that right."""
        expected = self._evening.expected()
        wanted = Counter(piece for content in expected.values() for piece in parse_content(content))
        here = (piece for place in places for piece in parse_content(expected.get(place, EMPTY)))
        return any(piece in self._evening.one_of_a_kind and wanted[piece] > 1 for piece in here)

    def _adopt(self, question: Question) -> bool:
        """They agree to leave it as it lies, if the rules can live with that."""
        if {cause.seen for cause in question.causes} != {self._world.content(cause.place) for cause in question.causes}:
            return False
        answer = self._evening.do("answer", question.id, "board", seat=question.seat)
        return answer.accepted

    def _put_right(self, places: Any) -> None:
        for place in sorted(places):
            self._hands[place] = "somebody"
            self._later(1.0, 3.0, partial(self._set_right, place))

    def _set_right(self, place: str) -> None:
        self._hands.pop(place, None)
        taken, put = self._exchange(place, self._evening.expected().get(place, EMPTY))
        if taken or put:
            self._put_pieces({place: (taken, put)})
