"""Belief: per place, how well each content fits what the sensors say. Plain probability, in nats.

A sensor's word is a likelihood: how probable is what it says if this content lies there? The cost of a content is the
negative logarithm of its likelihood over that of the best fitting one: 0 for the favourite, 4.6 for what is a hundred
times less likely. Costs of independent sensors add up. A place nobody knows anything about has no costs at all.

The constants, and where they come from:

CAMERA_SLIP     1 in 4,000: how often the reader is sure and wrong (2 places of 10,159 in `vision/`'s evaluation).
                However sure the camera says it is, a content never costs more than that.
LOOK_MIX        Frames of a still board show the same picture again, so they are averaged, not added up: a second look
                is no second witness. Of each new frame this share goes into the average, which takes out the noise.
FRESH_S, HALF_S A working camera speaks several times a second. Unheard for two seconds, it loses half its weight every
                five more: after half a minute it says nothing. A lost one (`Health`) says nothing at once.
TAG_THERE       1 in 10,000: a UID carries a checksum, so a tag that is reported is there.
TAG_GONE        1 in 200: tags do drop out for a moment, so silence is a weaker witness than a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import log
from typing import NamedTuple

from companion.games.protocol import EMPTY
from companion.table.observations import DESK, TIKI, BoardSeen, Health, Observation, TagsSeen, is_secret

CAMERA_SLIP = 1 / 4000
LOOK_MIX = 0.4
FRESH_S, HALF_S = 2.0, 5.0
TAG_THERE, TAG_GONE = log(10_000), log(200)
_FAINT = 0.05  # a weight below which a fading sensor is as good as silent
_CEILING = -log(CAMERA_SLIP)

Costs = Mapping[str, float]


class Look(NamedTuple):
    """What a camera thinks of one place: the costs by content, and what any other content costs."""

    costs: Costs
    other: float
    favourite: str


class Testimony(NamedTuple):
    """A person said what lies on a place, while the camera took it for something else."""

    content: str
    seen: str | None  # the camera's favourite at that moment


class Belief:
    """What the sensors say now. It remembers nothing for long: after a restart it fills again within seconds."""

    def __init__(self) -> None:
        self._looks: dict[str, Look] = {}
        self._raw: dict[str, Mapping[str, float]] = {}  # the odds a look was made of, to skip what did not change
        self._looked: dict[str, float] = {}
        self._hidden: frozenset[str] = frozenset()
        self._camera: str | None = None  # None: no camera is working
        self._heard = 0.0
        self._tags: dict[str, TagsSeen] = {}
        self._home: frozenset[str] = frozenset()  # pieces that lie on a reader beside the board, as `tiki:blue`
        self._testimony: dict[str, Testimony] = {}
        self.changed_at = 0.0  # when some place last changed its favourite or its cover
        self.changes = 0

    # --- What sensors and people say ---

    def hear(self, observation: Observation) -> None:
        match observation:
            case BoardSeen():
                self._see(observation)
            case TagsSeen(sensor, place, tags, seen) if not is_secret(place):
                old = self._tags.get(sensor)
                self._tags[sensor] = observation
                self._home = self._pieces_home()
                if old is None or {tag.piece for tag in old.tags} != {tag.piece for tag in tags}:
                    self._has_changed(seen.at)
            case Health(sensor, _, False, since):
                self._lose(sensor, since)

    def testify(self, place: str, content: str, seen: str | None) -> None:
        """A person's word on a place. It holds until the camera changes its mind about that place."""
        self._testimony[place] = Testimony(content, seen)
        self.changes += 1

    def forget_testimony(self, place: str) -> None:
        self._testimony.pop(place, None)

    def _see(self, board: BoardSeen) -> None:
        hidden = frozenset(board.hidden)
        fresh_start = self._camera is None
        self._camera, self._heard = board.camera, board.seen.at
        if hidden != self._hidden or fresh_start:
            self._hidden = hidden
            self._has_changed(board.seen.at)
        for place, odds in board.odds.items():
            if place not in hidden and self._raw.get(place) != odds:  # told again is not seen again
                self._look(place, odds, board.seen.at)
        for place in hidden:  # what is uncovered again is looked at afresh
            self._raw.pop(place, None)
            self._looks.pop(place, None)

    def _look(self, place: str, odds: Mapping[str, float], at: float) -> None:
        fresh, old = _look_at(odds), self._looks.get(place)
        look = fresh if old is None or old.favourite != fresh.favourite else _mixed(old, fresh)
        self._looks[place], self._raw[place], self._looked[place] = look, odds, at
        if old is None or old.favourite != look.favourite:
            self._has_changed(at)
            word = self._testimony.get(place)
            if word is not None and look.favourite not in (word.content, word.seen):
                del self._testimony[place]

    def _lose(self, sensor: str, at: float) -> None:
        if self._tags.pop(sensor, None) is not None:
            self._home = self._pieces_home()
            self._has_changed(at)
        if sensor == self._camera:
            self._camera, self._hidden = None, frozenset()
            self._looks.clear()
            self._raw.clear()
            self._has_changed(at)

    def _has_changed(self, at: float) -> None:
        self.changed_at = max(self.changed_at, at)
        self.changes += 1

    # --- What that amounts to ---

    def sees_board(self, now: float) -> bool:
        """Whether a camera has anything to say at this moment."""
        return self._camera is not None and self._weight(now) > _FAINT

    def is_hidden(self, place: str) -> bool:
        return place in self._hidden

    def has_hidden(self) -> bool:
        return bool(self._hidden)

    def favourite(self, place: str) -> str | None:
        """The camera's own likeliest content, or a person's word on it."""
        if place in self._testimony:
            return self._testimony[place].content
        look = self._looks.get(place)
        return None if look is None or self._camera is None else look.favourite

    def looked_at(self, place: str) -> float:
        """When the camera last changed its mind about a place, be it ever so little."""
        return self._looked.get(place, float("-inf"))

    def seen_by_camera(self, place: str) -> str | None:
        look = self._looks.get(place)
        return None if look is None else look.favourite

    def cost(self, place: str, content: str, now: float) -> float | None:
        """How much worse this content fits than the best one; None when nothing is known of the place."""
        if place in self._testimony:
            return 0.0 if content == self._testimony[place].content else _CEILING
        by_tags = self._tag_cost(place, content) if self._tags else None
        elsewhere = TAG_THERE * len(self._home.intersection(content.split("+"))) if self._home else 0.0
        look = None if place in self._hidden else self._looks.get(place)
        weight = self._weight(now) if look is not None and self._camera is not None else 0.0
        if look is None or weight <= _FAINT:
            return None if by_tags is None else by_tags + elsewhere
        return weight * look.costs.get(content, look.other) + (by_tags or 0.0) + elsewhere

    def contents(self, place: str) -> list[tuple[str, float]]:
        """The likeliest contents of a place by the camera with their chances, best first; empty when it is unknown."""
        if place in self._testimony:
            return [(self._testimony[place].content, 1.0)]
        odds = self._raw.get(place, {})
        total = sum(odds.values())
        return sorted(((c, p / total) for c, p in odds.items()), key=lambda pair: -pair[1]) if total > 0 else []

    def _pieces_home(self) -> frozenset[str]:
        tags = [tag for seen in self._tags.values() if seen.place == DESK for tag in seen.tags]
        return frozenset(f"{tag.piece.kind}:{tag.piece.colour}" for tag in tags if tag.piece is not None)

    def _weight(self, now: float) -> float:
        silent = now - self._heard - FRESH_S
        return 1.0 if silent <= 0 else float(0.5 ** (silent / HALF_S))

    def _tag_cost(self, place: str, content: str) -> float | None:
        """What the readers under a place say against a content; None where there are none."""
        here = [seen for seen in self._tags.values() if seen.place == place]
        if not here:
            return None
        tikis = {piece for piece in content.split("+") if piece.startswith(f"{TIKI}:")}
        lying = {f"{tag.piece.kind}:{tag.piece.colour}" for seen in here for tag in seen.tags if tag.piece}
        return TAG_THERE * len(lying - tikis) + TAG_GONE * len(tikis - lying)


def _look_at(odds: Mapping[str, float]) -> Look:
    """Costs out of a camera's odds, which need not sum to 1."""
    total = sum(odds.values())
    if total <= 0:
        return Look({}, 0.0, EMPTY)
    chances = {content: (1 - CAMERA_SLIP) * value / total + CAMERA_SLIP for content, value in odds.items()}
    favourite = max(chances, key=lambda content: chances[content])
    best = log(chances[favourite])
    costs = {content: best - log(chance) for content, chance in chances.items()}
    return Look(costs, best - log(CAMERA_SLIP), favourite)


def _mixed(old: Look, new: Look) -> Look:
    """The average of two looks that agree on what is likeliest."""
    costs = {
        content: (1 - LOOK_MIX) * old.costs.get(content, old.other) + LOOK_MIX * new.costs.get(content, new.other)
        for content in _union(old.costs, new.costs)
    }
    return Look(costs, (1 - LOOK_MIX) * old.other + LOOK_MIX * new.other, new.favourite)


def _union(one: Iterable[str], other: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*one, *other]))
