"""What the pages know of a game beyond what its rules tell: how it is drawn, and how a few things are called."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from markupsafe import Markup

from companion.games.protocol import Json
from web.drawing.look import Look
from web.drawing.pieces import MAKABANA

Data = Mapping[str, Json]
# Parts of a seat's view that change with every action and that no panel shows.
_NEVER_SHOWN = ("number", "events", "story")


def mark(sentence: str) -> str:
    """Marks a sentence to be translated where it is shown: imported as `_l`."""
    return sentence


_l = mark


class Meaning(NamedTuple):
    """What a reason of the score stands for: the column it explains, what it pays to whom, and the places to light.

    One without a column is told at the end all the same.
    """

    column: str
    gains: Mapping[str, int]
    places: Sequence[str] = ()


def gains_of(reason: Data) -> Mapping[str, int]:
    """What a reason pays: points by player, or those of its one player."""
    points = reason.get("points", 0)
    return points if isinstance(points, dict) else {reason["player"]: points} if "player" in reason else {}


class Speaker(Protocol):
    """Who says things in somebody's language: `web.words.Words`."""

    @property
    def gettext(self) -> Callable[[str], str]: ...

    def who(self, seat: str) -> str: ...

    def card(self, card: str) -> str: ...


class Foresight(NamedTuple):
    """An action that its seat thinks about: that seat's own view before it and after it, and its points."""

    seat: str
    words: Sequence[str]  # of the action, its verb first
    before: Data
    after: Data
    points: tuple[int, int]  # before and after


class Way(NamedTuple):
    """One way to settle something before a game: what it is called, and the options of the header that say so."""

    label: str
    options: Mapping[str, Json] = {}
    number: int = 0  # for `%(count)s` in the label


class Setting(NamedTuple):
    """Something that a table may choose before it plays; the first way is the ordinary one."""

    label: str
    ways: Sequence[Way]


class Show(NamedTuple):
    """How the pages show a game. Everything has a default: a game without any of it is played by words alone."""

    name: str = ""
    # The whole play area without pieces, and the size of each of its boards in the drawing's own units.
    draw: Callable[[Data, Look], Markup] = lambda header, look: Markup("")
    sizes: Callable[[Data], Mapping[str, tuple[float, float]]] = lambda header: {}
    symbols: str = MAKABANA  # the file in `drawing/` with the game's symbols
    style: str = ""  # a style sheet of its own in `static/`, beside `island.css`
    title: str = _l("Map of the board")
    back: str = _l("Whole board")
    badge: str = ""  # the kind of piece that stands for a person
    rules: Mapping[str, str] = {}  # what each rule set is called
    settings: Sequence[Setting] = ()  # what else a table may choose
    # What a reason of the score explains, given what lies on the board; None for one that is not told.
    meaning: Callable[[Data, Mapping[str, str]], Meaning | None] = lambda reason, pieces: None
    # By panel: the parts of the game's view it is made from, so that it is drawn anew only if they change, and only the
    # seat's own part of what is told by seat. A panel that is not named here is made from the whole view.
    panels: Mapping[str, tuple[str, ...]] = {}
    # By verb: which of its words are cards, counted from 1, though some place may be called the same.
    cards: Mapping[str, tuple[int, ...]] = {}
    # The place of the map that a word of an action stands for, where that is called otherwise; given the seat's view.
    place_of: Callable[[Data, str, str, str], str | None] = lambda game, seat, verb, word: None
    # Verbs in the order of their buttons, the ordinary deed first. These stand below the map, which comes first.
    order: tuple[str, ...] = ()
    tells: Mapping[str, str] = {}  # what to do in one line, by verb: the first that is legal is told
    # What an action of these verbs would bring about, in short sentences that are said before it is done.
    foreseen: tuple[str, ...] = ()
    foresee: Callable[[Foresight, Speaker], Sequence[str]] = lambda sight, words: ()
    # By place: more to tell of it than its name, for whoever taps it; from the seat's own view.
    about: Callable[[Data, str, Speaker], Mapping[str, str]] = lambda game, seat, words: {}
    own: Callable[[Data, str], Data] = lambda game, seat: {}  # what else the seat's own panel is made from
    own_verbs: tuple[str, ...] = ()  # what the game's own panel offers, so that no other button needs to
    is_turned: bool = False  # whether pieces lie this way or that, so that one may want to turn them
    is_camera_public: bool = True  # whether a picture of the board shows nothing but what everybody may see

    def tell(self, verbs: Collection[str]) -> str:
        """What whoever may do this is told to do, to be translated; nothing where the verbs say enough."""
        return next((text for verb, text in self.tells.items() if verb in verbs), "")

    def sorted(self, verbs: Iterable[str]) -> list[str]:
        """The verbs in the order in which they are offered."""
        return sorted(verbs, key=lambda verb: self.order.index(verb) if verb in self.order else len(self.order))

    def made_from(self, panel: str, game: Data | None, seat: str = "") -> Json:
        """What a panel of the game is made from."""
        if game is None:
            return None
        keys = self.panels.get(panel) or [key for key in game if key not in _NEVER_SHOWN]
        found = {key: game.get(key) for key in keys}
        return {
            key: value[seat] if isinstance(value, dict) and seat in value else value for key, value in found.items()
        }
