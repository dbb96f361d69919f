"""What a coach can tell a seat of Maka Bana: what others may mean, what plans are worth and risk, where tikis help."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from companion.games.makabana.plans import Plan
from companion.games.makabana.play import apply
from companion.games.makabana.state import PLAN, TIKI, State
from companion.games.protocol import Action, Event, Refusal
from companion.players.bot import Knowledge
from companion.players.makabana.beliefs import Guess, beliefs_about
from companion.players.makabana.options import Aim, Option
from companion.players.makabana.reflexes import allies, carry_on, tiki_values
from companion.players.makabana.thoughts import MakaBanaThoughts
from companion.players.texts import fact, percent

MOST_GUESSES, MOST_PROJECTS, MOST_TIKIS = 12, 5, 3
_SAID = 3  # of the guesses
_DEEDS = ("built", "painted", "club_founded")
_SETBACKS = {
    "tiki_on_site": "tiki",
    "tiki_on_club": "tiki",
    "hut_protected": "tiki",
    "site_taken": "taken",
    "club_taken": "taken",
    "own_hut": "taken",
    "no_hut_there": "taken",
    "hut_not_yours": "taken",
}


# What the face-up cards leave open


class _Meaning(NamedTuple):
    """A deed that a seat may mean: the odds if all fitting plans were equally likely, and if people want points."""

    aim: Aim
    even: float = 0.0
    likely: float = 0.0


def open_plans(knowledge: Knowledge) -> list[Event]:
    """For each opponent whose clue lies open and whose cards do not: what the seat may mean, with odds."""
    thoughts = MakaBanaThoughts(knowledge, ())
    base = thoughts.base
    if base.phase == PLAN or not base.round:
        return []
    even = beliefs_about(base, knowledge.events, sharpness=0.0)
    friends = allies(base, thoughts.seat)
    told = []
    for seat, name in enumerate(base.setup.seats):
        if base.plans[seat] is None and seat not in friends and seat != base.out:
            seen = thoughts.seen[seat]
            meanings = _meanings(even.guesses(seat, seen).each, thoughts.guesses(seat))
            told.append(_open_fact(name, seen["clue"], seen["count"], meanings))
    return told


def _meanings(even: Sequence[Guess], likely: Sequence[Guess]) -> list[_Meaning]:
    """Each deed once, with the odds that it is the plan or part of it, the likeliest first."""
    found: dict[tuple[str, str], _Meaning] = {}
    for field, guesses in (("even", even), ("likely", likely)):
        for _, option, odds in guesses:
            for aim in option.aims:
                old = found.get((aim.verb, aim.site), _Meaning(aim))
                found[aim.verb, aim.site] = old._replace(**{field: getattr(old, field) + odds})
    return sorted(found.values(), key=lambda meaning: (-meaning.likely, meaning.aim[:2]))


def _open_fact(seat: str, clue: str | None, count: int | None, meanings: Sequence[_Meaning]) -> Event:
    if not meanings:
        return fact("coach_open_nothing", seat=seat, clue=clue or "–")
    guesses = [
        {
            "verb": meaning.aim.verb,
            "site": meaning.aim.site,
            "odds": round(meaning.even, 4),
            "likely": round(meaning.likely, 4),
            "brings": round(meaning.aim.gain, 1),
        }
        for meaning in meanings[:MOST_GUESSES]
    ]
    first = [
        fact(f"guess_{aim.verb}", site=aim.site, percent=percent(likely)).to_json()
        for aim, _, likely in meanings[:_SAID]
    ]
    return fact("coach_open", seat=seat, clue=clue, count=count, open=len(meanings), guesses=guesses, likeliest=first)


# What my projects are worth and risk


def projects(knowledge: Knowledge, legal: Sequence[Action], looks: int, seed: int) -> list[Event]:
    """While planning: the best plans, each with its points and risk. Later: the same for the plan that is laid."""
    thoughts = MakaBanaThoughts(knowledge, legal)
    base, seat = thoughts.base, thoughts.seat
    mine = base.plans[seat]
    if base.phase == PLAN and mine is None:
        told = [_project(thoughts, option, looks, seed) for option in thoughts.beliefs.options(seat)[:MOST_PROJECTS]]
        return sorted(told, key=lambda event: -event.data["expected"])
    if mine is None or base.phase == PLAN or base.revealed[seat] or seat == base.out:
        return []
    option = next((o for o in thoughts.beliefs.options(seat) if set(o.cards) == set(mine.cards)), None)
    if option is None:
        return []
    return [_risk_fact("coach_laid", thoughts, option, mine, _fates(thoughts, None, looks, seed))]


def _project(thoughts: MakaBanaThoughts, option: Option, looks: int, seed: int) -> Event:
    plan = thoughts.best_clues(option)[0]
    fates = _fates(thoughts, thoughts.plan_action(plan), looks, seed)
    return _risk_fact("coach_project", thoughts, option, plan, fates)


def _risk_fact(code: str, thoughts: MakaBanaThoughts, option: Option, plan: Plan, fates: Counter[str]) -> Event:
    colour, total = thoughts.base.setup.colour_of[thoughts.seat], max(1, fates.total())
    points = sum(aim.change.get(colour, 0) for aim in option.aims)
    risks = {fate: percent(count / total) for fate, count in fates.items() if fate != "done"}
    risk = percent(1 - fates["done"] / total)
    return fact(
        code,
        cards=list(plan.cards),
        clue=plan.clue,
        aims=[fact(f"aim_{aim.verb}", site=aim.site).to_json() for aim in option.aims],
        points=points,
        gain=round(sum(aim.gain for aim in option.aims), 1),
        risk=risk,
        risks=dict(sorted(risks.items())),
        expected=round(points * (1 - risk / 100), 1),
    )


def _fates(thoughts: MakaBanaThoughts, action: Action | None, looks: int, seed: int) -> Counter[str]:
    """What became of the seat's plan in imagined worlds: done, or stopped by a tiki, by others, by a denunciation."""
    rng, fates = random.Random(seed), Counter[str]()
    for _ in range(looks):
        world = thoughts.imagine(rng)
        after = world if action is None else apply(world, action)
        if not isinstance(after, Refusal):
            fates[_fate(carry_on(after, thoughts.beliefs, rng), thoughts.base.setup.seats[thoughts.seat])] += 1
    return fates


def _fate(state: State, seat: str) -> str:
    mine = [event for event in state.story if event.data.get("seat") == seat]
    if any(event.code in _DEEDS for event in mine):
        return "done"
    failed = next((event for event in mine if event.code in ("failed", "void")), None)
    if failed is None:
        return "denounced"
    return _SETBACKS.get(failed.data["because"][0]["code"], "other")


# Where a tiki helps


def tikis(knowledge: Knowledge, legal: Sequence[Action]) -> list[Event]:
    """The places where a tiki can be expected to cost opponents most."""
    thoughts = MakaBanaThoughts(knowledge, legal)
    if thoughts.base.phase != TIKI or not legal:
        return []
    values = tiki_values(thoughts.imagine(random.Random(0)), thoughts.seat, thoughts.beliefs)
    best = sorted(values, key=lambda place: (-values[place], place))[:MOST_TIKIS]
    return [fact("coach_tiki", place=place, costs=round(values[place], 1)) for place in best if values[place] > 0]
