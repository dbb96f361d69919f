"""Why a project failed, and what might have been: told from what lies on the table after a round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.games.makabana.determinise import known_state
from companion.games.makabana.plans import SHOW, Plan, parse_plan
from companion.games.makabana.setup import CLUB_PREFIX
from companion.games.makabana.state import State
from companion.games.protocol import Action, Event, Json
from companion.players.bot import Knowledge
from companion.players.makabana.beliefs import Beliefs, beliefs_about, outside_of
from companion.players.makabana.options import gain_of
from companion.players.makabana.reflexes import deed_change
from companion.players.makabana.worth import Worth
from companion.players.texts import fact

_BY_TIKI = ("tiki_on_site", "tiki_on_club", "hut_protected")


def why_failed(knowledge: Knowledge) -> list[Event]:
    """Everything that went wrong for the seat in the round that is being played or has just been."""
    state = known_state({**knowledge.header, **knowledge.view})
    told = []
    for event in state.story:
        if event.code in ("failed", "void") and event.data["seat"] == knowledge.seat:
            told.append(_failure(state, event, knowledge.seat))
        if event.code.startswith("denounced_") and event.data["out"] == knowledge.seat:
            told.append(fact(f"why_{event.code}", **event.data))
    return told


def _failure(state: State, event: Event, seat: str) -> Event:
    if event.code == "void":
        return fact("why_void", because=event.data["because"])
    cause, data = event.data["because"][0], event.data
    mine = state.setup.colour_of[state.setup.seat_index[seat]]
    if cause["code"] in _BY_TIKI and cause["owner"] == mine:
        return fact("why_own_tiki", site=data["site"])
    if cause["code"] in _BY_TIKI:
        return _betrayed(state, data["site"], seat, cause)
    earlier = _earlier(state.story, event, data["site"])
    if earlier is not None:
        return fact("why_earlier", site=data["site"], because=[earlier.to_json()], first=state.setup.seats[state.first])
    return fact("why_other", because=[cause])


def _earlier(story: Sequence[Event], failed: Event, site: str) -> Event | None:
    """What somebody did on that site in the same round, before."""
    before = story[: story.index(failed)]
    deeds = [event for event in before if event.code in ("built", "painted", "club_founded")]
    beach = site.split("-")[0]
    return next((e for e in reversed(deeds) if site == e.data["site"] or e.data.get("beach") == beach), None)


def _betrayed(state: State, site: str, seat: str, cause: Mapping[str, Json]) -> Event:
    """A tiki stopped it: how many projects the shown card had left open, and which card would have hidden it best."""
    cards = next(e.data["cards"] for e in reversed(state.story) if e.code == "revealed" and e.data["seat"] == seat)
    shown = next(e.data["clues"][seat] for e in reversed(state.story) if e.code == "clues_shown")
    index = state.setup.seat_index[seat]
    beliefs = beliefs_about(_before_the_round(state), sharpness=0.0)
    left = {clue: _left_open(state, beliefs, index, cards, clue) for clue in _clues(state, cards)}
    best = max(left, key=lambda clue: (left[clue], clue))
    here = next((count for clue, count in left.items() if state.setup.seen_face[clue] == shown), 0)
    owner, because = cause["owner"], [dict(cause)]
    if left[best] > here:
        return fact("why_tiki_better_clue", owner=owner, site=site, because=because, clue=shown, open=here, better=best,
                    better_open=left[best])  # fmt: skip
    return fact("why_tiki", owner=owner, site=site, because=because, clue=shown, open=here)


def _clues(state: State, cards: Sequence[str]) -> list[str]:
    hides_paint = state.setup.rules.paint_lies_open
    return [card for card in dict.fromkeys(cards) if not (hides_paint and card == "Paint")]


def _left_open(state: State, beliefs: Beliefs, seat: int, cards: Sequence[str], clue: str) -> int:
    plan = parse_plan(state.setup, (*cards, SHOW, clue))
    if not isinstance(plan, Plan):
        return 0
    seen = outside_of(state.setup, plan, state.setup.rules.count_is_public)
    return len({guess.option.cards for guess in beliefs.guesses(seat, seen).each})


def _before_the_round(state: State) -> State:
    """The board as it was when the plans were laid: this round's deeds undone, latest first."""
    huts, clubs = dict(state.huts), dict(state.clubs)
    paints, club_cards = list(state.paints), list(state.club_cards)
    seats = state.setup.seat_index
    for event in reversed(state.story):
        if event.code == "built":
            huts.pop(event.data["site"], None)
        elif event.code == "painted":
            huts[event.data["site"]] = event.data["owner"]
            paints[seats[event.data["seat"]]] += 1
        elif event.code == "club_founded":
            clubs.pop(event.data["beach"], None)
            club_cards[seats[event.data["seat"]]] += 1
    changes = {"huts": huts, "clubs": clubs, "paints": tuple(paints), "club_cards": tuple(club_cards), "tikis": {}}
    final = state.final if state.phase in ("over", "realise", "tiki") else None
    return state.but({**changes, "final": final})


def missed(before: State, events: Iterable[Event]) -> list[tuple[str, float, Event]]:
    """For each failed plan among the events: whose it was, and the lead it would have brought on this board."""
    worth = Worth(before.setup, before.huts, before.clubs)
    found = []
    for event in events:
        if event.code == "failed":
            seat, verb, site = event.data["seat"], event.data["verb"], event.data["site"]
            colour = before.setup.colour_of[before.setup.seat_index[seat]]
            if _is_possible(before, verb, site, colour):
                change = deed_change(before, Action(seat, verb, (site,)), worth)
                found.append((seat, gain_of(worth, change, colour), event))
    return found


def _is_possible(state: State, verb: str, site: str, colour: str) -> bool:
    """Whether only a tiki stood in the way."""
    owner = state.huts.get(site)
    if verb == "club":
        return owner == colour and CLUB_PREFIX + state.setup.beach_of[site] in state.tikis
    return site in state.tikis and (owner is None if verb == "build" else owner not in (None, colour))
