"""Simulated sensors: a camera that misreads as often as the real reader does, and readers that drop out.

The rates are those of an earlier evaluation of the reader (120 boards, 4,091 places): 33 places wrong, one of them
said with confidence, 55 right but doubted. Today's reader errs half as often (`vision/README.md`), so the table is
tried on more than it has to bear. A misreading stays as long as the place is not touched or covered: the
camera looks at the same picture again and again. Uncovered, it is looked at afresh, which changes its mind sometimes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from companion.games.protocol import EMPTY, Event, content_of, parse_content
from companion.rehearsal.world import Piece, World
from companion.table.observations import (
    CARD,
    DESK,
    TIKI,
    TRAY,
    BoardSeen,
    Health,
    Observation,
    Tag,
    TagsSeen,
    When,
)
from companion.table.observations import Piece as Tagged

WRONG, CONFIDENTLY_WRONG, DOUBTED = 33 / 4091, 1 / 33, 55 / 4091
SECOND_THOUGHTS = 0.3  # how often a fresh look at an untouched place gives another reading
KIND_CONFUSED, COLOUR_CONFUSED = 0.75, 0.15  # of the wrong ones; the rest is overlooked or made up
CAMERA = "camera"

Odds = Mapping[str, float]


class Camera:
    """Looks at the world. `faults` are the places it misreads or doubts at present."""

    def __init__(self, world: World, colours: Sequence[str], rng: random.Random, faulty: bool = True) -> None:
        self._world, self._colours, self._rng, self._faulty = world, colours, rng, faulty
        self._readings: dict[str, Odds] = {}
        self._seen: dict[str, tuple[str, int]] = {}
        self._version = -1
        self._odds: dict[str, Odds] = {}
        self.faults: set[str] = set()
        self.faults_so_far = 0
        self.lost_until = 0.0

    def look(self, now: float) -> Observation:
        """The frame of this moment."""
        if now < self.lost_until:
            return Health(CAMERA, "", False, now, Event("camera_missing", {"source": CAMERA}))
        covered = self._world.covered(now)
        if self._version != self._world.version:
            self._version = self._world.version
            self._odds = {place: self._reading(place) for place in self._world.places if place not in covered}
        return BoardSeen(CAMERA, self._odds, tuple(sorted(covered)), When(now))

    def _reading(self, place: str) -> Odds:
        content, looks = self._world.content(place), self._world.looks[place]
        old = self._seen.get(place)
        if old is not None and old[0] == content and (old[1] == looks or self._rng.random() > SECOND_THOUGHTS):
            self._seen[place] = (content, looks)
            return self._readings[place]
        self._seen[place] = (content, looks)
        self._readings[place] = self._fresh(place, content)
        return self._readings[place]

    def _fresh(self, place: str, content: str) -> Odds:
        rng, roll = self._rng, self._rng.random() if self._faulty else 1.0
        self.faults.discard(place)
        self.faults_so_far += roll < WRONG + DOUBTED
        if roll < WRONG:
            self.faults.add(place)
            other = self._confused(content)
            sure = rng.uniform(0.95, 0.999) if rng.random() < CONFIDENTLY_WRONG else rng.uniform(0.5, 0.9)
            return {other: sure, content: 1 - sure}
        if roll < WRONG + DOUBTED:
            self.faults.add(place)
            sure = rng.uniform(0.5, 0.9)
            return {content: sure, self._confused(content): 1 - sure}
        sure = rng.uniform(0.99, 0.9999)
        return {content: sure, self._confused(content): (1 - sure) * 0.7, EMPTY: (1 - sure) * 0.3} | (
            {EMPTY: sure} if content == EMPTY else {}
        )

    def _confused(self, content: str) -> str:
        """What a content is taken for: mostly the wrong kind of piece, sometimes the colour, seldom nothing."""
        pieces = list(parse_content(content))
        if not pieces:
            return content_of(((self._rng.choice(("hut", TIKI)), self._rng.choice(self._colours)),))
        index = self._rng.randrange(len(pieces))
        kind, colour = pieces[index]
        roll = self._rng.random()
        if roll < KIND_CONFUSED:
            return _of_another_kind(pieces, index)
        if roll < KIND_CONFUSED + COLOUR_CONFUSED:
            pieces[index] = (kind, self._rng.choice([other for other in self._colours if other != colour]))
            return content_of(tuple(pieces))
        return content_of(tuple(pieces[:index] + pieces[index + 1 :]))


def _of_another_kind(pieces: list[Piece], index: int) -> str:
    """A tiki for a hut, a hut for a tiki, a tiki too many or overlooked."""
    kind, colour = pieces[index]
    if len(pieces) > 1:
        return content_of(tuple(piece for piece in pieces if piece[0] != TIKI))
    if kind == "club":
        return EMPTY
    return content_of(((TIKI, colour),)) if kind == "hut" else content_of((("hut", colour),))


class Readers:
    """Homes for tikis beside the board, and card trays. Tags drop out for a moment, words are said twice."""

    FALSE_REMOVAL, DOUBLED = 1 / 500, 1 / 20  # per word said

    def __init__(self, rng: random.Random, faulty: bool = True) -> None:
        self._rng, self._faulty = rng, faulty
        self._cards: dict[str, list[str]] = {}
        self._home: set[str] = set()
        self._dead: set[str] = set()
        self._colour: dict[str, str] = {}
        self._news: list[TagsSeen | Health] = []
        self.faults_so_far = 0

    def tiki_home(self, colour: str, is_home: bool, now: float) -> None:
        (self._home.add if is_home else self._home.discard)(colour)
        self._say_home(colour, now)

    def lay(self, seat: str, colour: str, cards: Sequence[str], now: float) -> None:
        """These cards, the first face up, are now in the tray."""
        self._cards[seat], self._colour[seat] = list(cards), colour
        for number in range(1, 6):
            self._say_tray(seat, number, now)

    def kill(self, sensor: str, place: str, now: float) -> None:
        """A reader is dead for the rest of the night."""
        self._dead.add(sensor)
        self._news.append(Health(sensor, place, False, now, Event("reader_lost", {"reader": place, "node": sensor})))

    def words(self, now: float) -> Iterator[Observation]:
        """What the readers say at this moment."""
        news, self._news = self._news, []
        for said in news:
            if self._faulty and isinstance(said, TagsSeen) and self._rng.random() < self.FALSE_REMOVAL:
                self.faults_so_far += 1
                yield said._replace(tags=())
                self._news.append(said._replace(seen=When(now + 0.3)))
                continue
            yield said
            if self._faulty and self._rng.random() < self.DOUBLED:
                yield said

    def _say_home(self, colour: str, now: float) -> None:
        sensor = f"home#{colour}"
        tags = (Tag(f"04{colour.encode().hex()[:12]:0<12}".upper(), Tagged(TIKI, colour), When(now)),)
        self._say(TagsSeen(sensor, DESK, tags if colour in self._home else (), When(now)))

    def _say_tray(self, seat: str, number: int, now: float) -> None:
        cards = self._cards[seat][number - 1 : number]
        piece = [Tagged(CARD, self._colour[seat], card) for card in cards]
        tags = tuple(Tag(f"04{number:012X}", one, When(now)) for one in piece)
        self._say(TagsSeen(f"tray-{seat}/place-{number}", f"{TRAY}:{seat}:{number}", tags, When(now)))

    def _say(self, word: TagsSeen) -> None:
        if word.sensor not in self._dead:
            self._news.append(word)
