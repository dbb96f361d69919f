"""How the pages show Kahuna."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.games.kahuna.board import Board, ends_of
from web.drawing import kahuna as drawing
from web.show import Data, Foresight, Meaning, Setting, Show, Speaker, Way, gains_of
from web.show import mark as _l

_ROUNDS = ("round_won", "round_tied", "round_was_won", "round_was_tied")


def meaning(reason: Data, pieces: Mapping[str, str]) -> Meaning | None:
    """A round is explained by the stones that lie now; those of rounds gone by have been taken off since."""
    if reason["code"] not in _ROUNDS:
        return Meaning("", {})  # why somebody wins who has no more points
    stones = [place for place, content in pieces.items() if "stone:" in content] if "stones" in reason else []
    return Meaning(f"round_{reason['round']}", gains_of(reason), stones)


_WON = _l("You win %(islands)s.")
_FALLEN = _l("%(who)s loses the bridges %(lines)s.")
_LOST = _l("%(who)s loses the stone on %(islands)s.")
_AT_ONCE = _l("That wins the game at once.")
_MISSING = _l("No majority yet: %(missing)s.")
_MORE = _l("%(island)s needs %(count)s more")
_NOTHING_ELSE = _l("Nothing else changes.")
_MAJORITY = _l("%(island)s: %(count)s of its %(lines)s lines are the majority. %(counts)s.")


def foresee(sight: Foresight, words: Speaker) -> Sequence[str]:
    """Who wins and loses what by a bridge laid or removed; else what is missing yet."""
    found = list(_consequences(sight, words))
    if found:
        return found
    missing = [] if sight.words[0] == "remove" else list(_missing(sight, words))
    said = words.gettext(_MISSING) % {"missing": ", ".join(missing)} if missing else words.gettext(_NOTHING_ELSE)
    return [said]


def _consequences(sight: Foresight, words: Speaker) -> Iterator[str]:
    before, after, seat = sight.before, sight.after, sight.seat
    other = next(colour for colour in before["seats"] if colour != seat)
    won = [island for island, owner in after["stones"].items() if owner == seat != before["stones"].get(island)]
    fallen = [line for line in before["bridges"] if line not in (*after["bridges"], *sight.words)]
    lost = [island for island, owner in before["stones"].items() if owner == other != after["stones"].get(island)]
    if won:
        yield words.gettext(_WON) % {"islands": ", ".join(won)}
    if fallen:
        yield words.gettext(_FALLEN) % {"who": words.who(other), "lines": ", ".join(map(_named, fallen))}
    if lost:
        yield words.gettext(_LOST) % {"who": words.who(other), "islands": ", ".join(lost)}
    if after["phase"] == "over" != before["phase"]:
        yield words.gettext(_AT_ONCE)


def _missing(sight: Foresight, words: Speaker) -> Iterator[str]:
    """What each end of the new bridge still needs."""
    board = drawing.board_of(sight.after)
    line = next(line for line in sight.after["bridges"] if line not in sight.before["bridges"])
    for island in ends_of(line):
        count, needed, _lines = _counted(board, sight.after, island)
        if sight.after["stones"].get(island) is None:
            yield words.gettext(_MORE) % {"island": island, "count": needed - count[sight.seat]}


def _named(line: str) -> str:
    return "–".join(ends_of(line))


def _counted(board: Board, game: Data, island: str) -> tuple[dict[str, int], int, int]:
    """The bridges of each colour at an island, how many are the majority, and how many lines it has."""
    lines = [line for line in board.lines if island in ends_of(line)]
    owners = [game["bridges"].get(line) for line in lines]
    return {colour: owners.count(colour) for colour in game["seats"]}, len(lines) // 2 + 1, len(lines)


def about(game: Data, seat: str, words: Speaker) -> Mapping[str, str]:
    """How near everybody is to the majority of each island."""
    board, found = drawing.board_of(game), {}
    for island in board.islands:
        counted, needed, lines = _counted(board, game, island)
        counts = ", ".join(f"{words.who(colour)} {count}" for colour, count in counted.items())
        told = {"island": island, "count": needed, "lines": lines, "counts": counts}
        found[island] = words.gettext(_MAJORITY) % told
    return found


_NO, _YES = _l("no"), _l("yes")
_AHEAD = {"white": _l("White begins with %(count)s"), "black": _l("Black begins with %(count)s")}
SETTINGS = (
    Setting(_l("No bridge beside the other's stone"), (Way(_NO), Way(_YES, {"respect_stones": True}))),
    Setting(_l("A free bridge in the place of a removed one"), (Way(_NO), Way(_YES, {"replace_removed": True}))),
    Setting(
        _l("Free bridges for the weaker player"),
        (Way(_NO), *(Way(text, {f"handicap_{colour}": count}, count) for colour, text in _AHEAD.items()
                     for count in (1, 2, 3))),
    ),
)  # fmt: skip

SHOW = Show(
    name="Kahuna",
    draw=drawing.draw,
    sizes=drawing.sizes,
    symbols=drawing.SYMBOLS,
    style="kahuna.css",
    cards={"bridge": (2,), "remove": (2, 3), "discard": (1,), "draw": (1,)},
    own_verbs=("draw", "discard", "skip"),
    order=("replace", "bridge", "remove"),
    tells={
        "draw": _l("play cards if you like, then draw one"),
        "skip": _l("play cards if you like, then end your turn"),
        "discard": _l("your hand is full: play a card, or throw one away"),
        "bridge": _l("lay a free bridge on any line"),
    },
    foreseen=("bridge", "remove", "replace"),
    foresee=foresee,
    about=about,
    title=_l("Map of the twelve islands"),
    back=_l("All islands"),
    badge="stone",
    rules={"standard": _l("Bridges and stones on twelve islands")},
    settings=SETTINGS,
    meaning=meaning,
    panels={"rules": ("phase", "round", "options")},
)
