"""From evidence to a verdict per place: the likeliest state, how sure that is, and what else it might be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from vision.locate.pose import Floats
from vision.reading import colours
from vision.reading.network import COLOURS

SURE = 0.9  # below this a reading is a doubt
_COVERED, _NOTICED = 0.5, 0.3  # chances that a stranger covers a place: it is said to, it lowers confidence
_LEAST_INSIDE = 0.7
_OTHERS = 6  # states kept in `odds`
_PLAIN = 0.95  # a tiki that is as likely surely stands there


class State(NamedTuple):
    """What may stand on a place: colours or None. `base` is a hut on a site, a token on a club place."""

    base: str | None
    tiki: str | None

    def piece(self, base_name: str) -> str:
        names = [base_name] * (self.base is not None) + ["tiki"] * (self.tiki is not None)
        return "+".join(names) or "empty"

    def text(self, base_name: str) -> str:
        parts = [f"{self.base} {base_name}"] * (self.base is not None) + [f"{self.tiki} tiki"] * (self.tiki is not None)
        return " + ".join(parts) or "empty"


class Verdict(NamedTuple):
    """One place. `odds` are the chances of the likeliest states; `reason` is a doubt's code, None where it is sure."""

    place: str
    base_name: str  # "hut" or "club"
    state: State
    confidence: float
    odds: Mapping[State, float]
    reason: str | None

    def to_json(self) -> dict[str, Any]:
        return {
            "piece": self.state.piece(self.base_name),
            self.base_name: self.state.base,
            "tiki": self.state.tiki,
            "confidence": round(self.confidence, 4),
        }

    def doubt(self) -> tuple[str, dict[str, str]] | None:
        """The doubt's code and the data of its sentence."""
        if self.reason is None:
            return None
        first, second, *_ = [state.text(self.base_name) for state in self.odds] + ["something else"]
        return self.reason, {"site": self.place, "first": first, "second": second}


class Temper(NamedTuple):
    """How far the network's logits are believed, fitted on pictures of another maker (see vision/README.md)."""

    presence: float = 1.6
    colour: float = 1.0
    least_error: float = 0.0005  # nothing is surer than this
    second_tiki: float = 0.25  # of a doubtful tiki's chance, where one of its colour surely stands elsewhere
    humble: float = 0.8  # power of the chance to be wrong where that is small: strangers fool a network that is sure


def judge(
    places: list[tuple[str, str]],
    states: Floats,
    chances: Floats,
    hidden: Floats,
    inside: Floats,
    temper: Temper,
    owner: colours.Settings,
) -> list[Verdict]:
    """A verdict for each (name, base name).

    `states` (N, 4) and `chances` (N, 2, 8) are log chances of states and colours, `hidden` (N,) the chance that a
    stranger covers the place, `inside` (N,) the share of it in the picture.
    """
    four = np.exp(_tempered(states, temper.presence))
    tempered = _tempered(chances, temper.colour)
    pairs = colours.pair_chances(tempered, owner)
    every = [_odds(four[i], np.exp(tempered[i]), np.exp(pairs[i])) for i in range(len(places))]
    verdicts = []
    for index, ((name, base_name), raw) in enumerate(
        zip(places, _seconds_doubted(every, temper.second_tiki), strict=True)
    ):
        odds = _humbled(raw, temper.humble)
        covered = float(hidden[index]) if hidden[index] > _NOTICED else 0.0
        seen = (1 - covered) * (1.0 if inside[index] > _LEAST_INSIDE else 0.3)
        kept = {state: chance * seen * (1 - temper.least_error) for state, chance in odds.items()}
        state, confidence = next(iter(kept.items()))
        verdicts.append(Verdict(name, base_name, state, confidence, kept, _reason(kept, covered, float(inside[index]))))
    return verdicts


def _odds(four: Floats, alone: Floats, both: Floats) -> dict[State, float]:
    """Chances of the states worth naming, the likeliest first."""
    chances = {State(None, None): float(four[0])}
    for i in np.argsort(-alone[0])[:3]:
        chances[State(COLOURS[i], None)] = float(four[1] * alone[0, i])
    for j in np.argsort(-alone[1])[:3]:
        chances[State(None, COLOURS[j])] = float(four[2] * alone[1, j])
    for pair in np.argsort(-both, axis=None)[:4]:
        i, j = divmod(int(pair), len(COLOURS))
        chances[State(COLOURS[i], COLOURS[j])] = float(four[3] * both[i, j])
    ranked = sorted(chances.items(), key=lambda entry: -entry[1])
    return dict(ranked[:_OTHERS])


def _seconds_doubted(every: list[dict[State, float]], share: float) -> list[dict[State, float]]:
    """The odds of all places, with second tikis of a colour believed less, where a place is in doubt.

    A box holds one tiki of each colour. But what is plainly seen is believed: vision tells what lies there, and people
    mix boxes.
    """
    plain: dict[str, set[int]] = {}
    for place, odds in enumerate(every):
        for colour in {state.tiki for state in odds if state.tiki is not None}:
            if sum(chance for state, chance in odds.items() if state.tiki == colour) > _PLAIN:
                plain.setdefault(colour, set()).add(place)
    return [
        odds if max(odds.values()) >= SURE else _without_seconds(odds, place, plain, share)
        for place, odds in enumerate(every)
    ]


def _without_seconds(
    odds: Mapping[State, float], place: int, plain: Mapping[str, set[int]], share: float
) -> dict[State, float]:
    def weight(state: State) -> float:
        return share if state.tiki is not None and plain.get(state.tiki, set()) - {place} else 1.0

    return _ranked({state: chance * weight(state) for state, chance in odds.items()})


def _ranked(odds: Mapping[State, float]) -> dict[State, float]:
    """The likeliest first, adding up to one."""
    total = sum(odds.values())
    return {state: odds[state] / total for state in sorted(odds, key=lambda state: -odds[state])}


def _humbled(odds: dict[State, float], power: float) -> dict[State, float]:
    """The odds with the last per cents of sureness made dearer; a doubt stays what it is."""
    first, chance = next(iter(odds.items()))
    wrong, doubt = 1 - chance, 1 - SURE
    if not 0 < wrong < doubt:
        return odds
    humble = doubt * (wrong / doubt) ** power
    return {state: 1 - humble if state == first else other * humble / wrong for state, other in odds.items()}


def _reason(odds: Mapping[State, float], hidden: float, inside: float) -> str | None:
    (first, confidence), (second, _), *_ = odds.items()
    if inside <= _LEAST_INSIDE:
        return "site_outside"
    if hidden > _COVERED:
        return "site_covered"
    if confidence >= SURE:
        return None
    same = (first.base is None) == (second.base is None) and (first.tiki is None) == (second.tiki is None)
    return "colour_unsure" if same else "piece_unsure"


def _tempered(logs: Floats, sharpness: float) -> Floats:
    scaled = logs * sharpness
    top = scaled.max(axis=-1, keepdims=True)
    result: Floats = scaled - top - np.log(np.exp(scaled - top).sum(axis=-1, keepdims=True))
    return result
