"""Lessons: the list, one lesson on the virtual board, and the same at a table whose camera sees the real one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.games.protocol import Event
from companion.table.table import Table
from companion.teaching.coaching import advice_for, odds_of
from companion.teaching.lesson import SHOW, Lesson
from companion.teaching.library import Course, courses
from companion.teaching.real import placement
from companion.teaching.stage import COUNT, PLACE, SECRET, WORDS, Offer, Stage, Trial, attempt, model_words, offers
from companion.teaching.texts import say
from web.choices import Verbs, labels, spots_of, tree_of
from web.commands import json_body
from web.config import Rate
from web.language import _, language
from web.limits import Limiter
from web.pages.maps import lesson_map
from web.safety import slow_down
from web.shows import show_of
from web.tables import own_seat, table_of
from web.words import Words, has_template, render

blueprint = Blueprint("learn", __name__)
at_table = Blueprint("learn_at_table", __name__)
MOST_WORDS, MOST_TRIES = 24, 99
_COACH = Limiter(Rate(6, 20))  # by seat: its advice takes a good part of a second to work out


@blueprint.get("/learn")
def lessons() -> str:
    return render_template("learn/lessons.html", lessons=[course.lesson for course in courses().values()])


@blueprint.get("/learn/<name>")
def lesson(name: str) -> str:
    return _page(_course(name))


@blueprint.post("/learn/<name>/<int:number>/try")
def trial(name: str, number: int) -> tuple[Response, int]:
    """What becomes of a learner's answer. Nothing is kept: the page remembers how often it was wrong."""
    course = _course(name)
    stage = _stage(course, number)
    words, tries = _answer(json_body())
    return jsonify(_trial_json(course, stage, attempt(stage, words, tries))), 200


@blueprint.get("/learn/<name>/<int:number>/model")
def model(name: str, number: int) -> Response:
    """The right answer, for whoever gives up, and the board after it."""
    course = _course(name)
    stage = _stage(course, number)
    words = model_words(stage)
    return jsonify({**_trial_json(course, stage, attempt(stage, words)), "answer": _spoken(words, course)})


@at_table.get("/t/<code>/learn/<name>")
def lesson_at_table(code: str, name: str) -> str | AnyResponse:
    """The lesson with the board that lies on a table: its camera checks what the learner puts there."""
    table, course = table_of(code), _course(name)
    if course.lesson not in _lessons_at(table):
        return redirect(url_for("learn.lesson", name=name))
    return _page(course, code=table.row.code)


@at_table.app_context_processor
def _for_templates() -> dict[str, object]:
    return {"lessons_at": lambda code: _lessons_at(table_of(code))}


def _lessons_at(table: Table) -> list[Lesson]:
    """The lessons that can be taken with the board on a table: none while a game lies on it."""
    session = table.session
    boards = (session.header or {}).get("boards")
    if session.is_started and session.actors:
        return []
    return [course.lesson for course in courses().values() if course.lesson.header.get("boards") == boards]


@at_table.get("/t/<code>/learn/<name>/<int:number>/board")
def board(code: str, name: str, number: int) -> Response:
    """What still differs on the real board before the step, and whether the answer lies there."""
    table, course = table_of(code), _course(name)
    stage, words = _stage(course, number), Words(language(), course.game)
    with table.lock:
        found = placement(stage, table.belief, table.clock.now())
    differ = [
        {"place": one.place, "text": f"{words.place(one.place)}: {words.content(one.expected)}"} for one in found.differ
    ]
    return jsonify({"sees": found.sees, "ready": found.is_ready, "differ": differ, "words": list(found.words)})


@at_table.get("/t/<code>/coach")
def coach(code: str) -> str:
    """What the coach tells this phone's own seat: a panel, made from what that seat may know and nothing else."""
    table = table_of(code)
    seat = own_seat(table)
    slow_down(_COACH, f"{table.row.id}.{seat}")
    with table.lock:
        session = table.session
    words = Words(language(), str((session.header or {}).get("game", "")))
    found = advice_for(session, seat)
    return render_template("learn/coach.html", advice=found, words=words, odds=odds_of, say=_sayer(words))


def _sayer(words: Words) -> Callable[[Event], str]:
    return lambda event: say(event, words.language, words.game)


def _page(course: Course, code: str = "") -> str:
    stage, words = course.stages[0], Words(language(), course.game)
    return render_template(
        "learn/lesson.html",
        lesson=course.lesson,
        code=code,
        words=words,
        map=lesson_map(stage.game, stage.state, stage.step.seat),
        steps=[_step_json(course, stage) for stage in course.stages],
        following=_following(course),
    )


def _course(name: str) -> Course:
    found = courses().get(name)
    if found is None:
        abort(404)
    return found


def _stage(course: Course, number: int) -> Stage:
    if not 1 <= number <= len(course.stages):
        abort(404)
    return course.stages[number - 1]


def _following(course: Course) -> Course | None:
    names = list(courses())
    at = names.index(course.lesson.id) + 1
    return courses()[names[at]] if at < len(names) else None


def _step_json(course: Course, stage: Stage) -> dict[str, Any]:
    """All that the page shows of a step; what is right stays here."""
    step, spoken = stage.step, language()
    words = Words(spoken, course.game)
    question = step.question
    can = [] if question or not step.right else offers(stage)
    verbs = _verbs(stage, can, words)
    places, seats = stage.game.places(stage.state), stage.game.seats(stage.state)
    return {
        "title": step.title.said(spoken),
        "say": step.say.said(spoken),
        "seat": step.seat,
        "colour": stage.game.colour_of(stage.state, step.seat),
        "pieces": stage.shown,
        "lit": list(step.lit),
        "verbs": verbs,
        "labels": labels(verbs, set(places), seats, step.seat, words),
        "names": {choice: words.who(choice) for offer in can if offer.kind == "seat" for choice in offer.choices},
        "choices": list(question.choices) if question else [],
        "clues": _clues(stage, words),
        "secret": _secret(course, stage, verbs) if {SECRET, WORDS} & {how["kind"] for how in verbs.values()} else "",
        "shows": [] if question or not step.right else sorted({pattern.split()[0] for pattern in step.right}),
    }  # fmt: skip


def _clues(stage: Stage, words: Words) -> list[dict[str, str]]:
    """The cards that lie face up around the table, where a game has such."""
    plans = stage.game.view(stage.state, stage.step.seat).get("plans", {})
    return [
        {"who": words.who(seat), "colour": stage.game.colour_of(stage.state, seat), "card": words.card(plan["clue"])}
        for seat, plan in plans.items()
        if plan and plan.get("clue") and seat != stage.step.seat
    ]


def _verbs(stage: Stage, can: list[Offer], words: Words) -> Verbs:
    """What the page offers, in the form of a player's phone. Where words are chosen, places are among them."""
    is_worded = any(offer.kind == WORDS for offer in can)
    found: Verbs = {}
    for offer in can:
        kind = WORDS if is_worded and offer.kind == PLACE else offer.kind
        choices, name = list(offer.choices), words.verb(offer.verb)
        found[offer.verb] = {"kind": kind, "choices": choices, "name": name, "piece": offer.piece}
        if kind == WORDS:
            show, tree = show_of(words.game), tree_of([list(way) for way in offer.ways])
            at = spots_of(show, stage.game.view(stage.state, stage.step.seat), stage.step.seat, offer.verb, tree)
            found[offer.verb] |= {"tree": tree, "cards": show.cards.get(offer.verb, ()), "at": at}
    return found


def _secret(course: Course, stage: Stage, verbs: Verbs) -> str:
    """The same panel that a player's phone has for its seat's eyes."""
    template = f"play/{course.game}/secret.html"
    if not has_template(template):
        return ""
    seat, seen = stage.step.seat, stage.game.view(stage.state, stage.step.seat)
    values = {
        "view": {"game": seen, "seals": {}},
        "words": Words(language(), course.game),
        "verbs": verbs,
        "places": stage.game.places(stage.state),
        "own": show_of(course.game).own(seen, seat),
    }
    return render(template, language(), seat=seat, **values)


def _trial_json(course: Course, stage: Stage, found: Trial) -> dict[str, Any]:
    spoken, hint = language(), found.hint
    because = [say(reason, spoken, course.game) for reason in found.because]
    said = stage.step.so.said(spoken) if found.is_right else hint.text.said(spoken) if hint else ""
    return {
        "right": found.is_right,
        "text": said,
        "because": because,
        "pieces": dict(found.pieces),
        "lit": list(hint.lit) if hint else [],
    }


def _spoken(answer: tuple[str, ...], course: Course) -> str:
    """A right answer as people say it: a number, cards with the one that is shown, or a deed."""
    words, (verb, *args) = Words(language(), course.game), answer
    if verb == COUNT:
        return args[0]
    if SHOW in args:
        cards = " + ".join(words.card(card) for card in args[: args.index(SHOW)])
        return f"{cards} ({_('face up: %(card)s', card=words.card(args[-1]))})"
    return words.action(" ".join(("-", *answer)))


def _answer(data: Any) -> tuple[tuple[str, ...], int]:
    """The learner's words and how often they were wrong so far; anything odd is an empty answer."""
    found = data if isinstance(data, dict) else {}
    words, tries = found.get("words"), found.get("tries")
    if not isinstance(words, list) or len(words) > MOST_WORDS:
        return (), 0
    if not all(isinstance(word, str) and 0 < len(word) <= 64 for word in words):
        return (), 0
    return tuple(words), max(0, min(tries, MOST_TRIES)) if isinstance(tries, int) else 0
