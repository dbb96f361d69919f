"""How a game looks in the terminal: the board, the players and the hand, drawn from one player's view alone."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from string import ascii_lowercase, digits
from typing import NamedTuple

from companion.commands.terminal import Ink
from companion.games.makabana.board import connected_groups
from companion.games.makabana.setup import CLUB, CLUB_PREFIX, PAINT, Setup, make_setup
from companion.games.makabana.state import OPENING, OVER, PLAN
from companion.games.protocol import Event, Json
from companion.games.texts import name, say

WIDTH = 80

# A shape for each colour, so that no mark depends on colour; the initials of blue and black are the same.
SHAPES = {
    "violet": "◆", "pink": "●", "yellow": "▲", "blue": "■", "green": "▼", "orange": "○", "red": "◇", "black": "×",
}  # fmt: skip
FREE, NEAR_MINE, TIKI, FIRST, HIDDEN = "·", "+", "!", ">", "?"
_UNBROKEN = "\u00a0"
_LETTERS = ascii_lowercase + digits
_CELL, _LABEL, _SECTOR = 5, 9, 4


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    source = resources.files(__package__).joinpath("texts.json").read_text(encoding="utf-8")
    texts: dict[str, dict[str, str]] = json.loads(source)
    return texts


class Scene(NamedTuple):
    """What the drawings need: who looks, in which language, with which colours."""

    mine: tuple[str, ...]  # the seats of the one who looks
    language: str
    ink: Ink
    width: int = WIDTH

    def text(self, key: str, **data: object) -> str:
        return _texts()[key][self.language].format(**data)

    def name(self, word: str) -> str:
        return name(word, self.language)

    def names(self, words: Iterable[str], last: str = "and") -> str:
        return self.join(map(self.name, words), last)

    def join(self, items: Iterable[str], last: str = "and") -> str:
        *most, final = items
        return f"{', '.join(most)} {self.text(last)} {final}" if most else final

    def card(self, card: str) -> str:
        """A card as it is called: Paint and Club have a name in each language, the others are as printed."""
        return say(Event(f"word.{card}"), self.language) if card in (PAINT, CLUB) else card

    def mark(self, colour: str) -> str:
        return self.name(colour)[0] + SHAPES[colour]


class Cell(NamedTuple):
    """A few characters of the board: a letter for the neighbourhood, a mark, and how the mark looks."""

    mark: str
    letter: str = ""
    colour: str | None = None
    is_bold: bool = False


def screen_lines(view: Mapping[str, Json], scene: Scene) -> Iterator[str]:
    """Everything on the table: a title, the board, the players."""
    yield ""
    yield title_line(view, scene)
    yield ""
    yield from board_lines(view, scene)
    if view["phase"] != OVER:
        yield ""
        yield from player_lines(view, scene)


def title_line(view: Mapping[str, Json], scene: Scene) -> str:
    if view["phase"] == OPENING:
        title = scene.text("opening")
    elif view["phase"] == OVER:
        title = scene.text("over")
    else:
        title = scene.text("final_round" if view["final"] else "round", round=view["round"])
    return rule_line(title, scene, f" {' + '.join(map(board_name, view['boards']))} ")


def board_name(board: Json) -> str:
    """A board as people call it; a header may carry a whole board instead of a name."""
    name_of = board if isinstance(board, str) else str(board["board"])
    return " ".join(part.capitalize() for part in name_of.split("-"))


def rule_line(title: str, scene: Scene, right: str = "") -> str:
    left = f" {title} "
    middle = "─" * max(2, scene.width - 6 - len(left) - len(right))
    return " " + scene.ink.dim("──") + scene.ink.bold(left) + scene.ink.dim(f"{middle}{right}──")


# The board


def board_lines(view: Mapping[str, Json], scene: Scene) -> Iterator[str]:
    """Beach beside beach, a column for each sector and a row for each spot, then how to read it."""
    setup = make_setup(view)
    cells = _cells(view, setup, scene)
    beaches = {beach: _sectors(sites) for beach, sites in setup.beach_sites.items()}
    for band in _bands(beaches, scene.width):
        yield _row("", [_across(Cell(beach, is_bold=True), len(beaches[beach])) for beach in band], scene)
        heads = [[Cell(sector[:_SECTOR]) for sector in beaches[beach]] for beach in band]
        yield _row("", heads, scene)
        for spot in _spots(setup):
            row = [[cells[f"{beach}-{sector}-{spot}"] for sector in beaches[beach]] for beach in band]
            yield _row(spot, row, scene)
        if setup.club_places:
            clubs = [_across(_club_cell(view, beach, scene), len(beaches[beach])) for beach in band]
            yield _row(scene.text("club_row"), clubs, scene)
        if band != list(beaches)[-len(band) :]:
            yield ""
    yield scene.ink.dim("  " + scene.text("legend", near=NEAR_MINE, tiki=TIKI, first=FIRST))


def _sectors(sites: Iterable[str]) -> list[str]:
    return sorted({site.split("-")[1] for site in sites})


def _spots(setup: Setup) -> list[str]:
    return sorted({site.split("-")[2] for site in setup.sites})


def _bands(beaches: Mapping[str, Sequence[str]], width: int) -> Iterator[list[str]]:
    """The beaches in as few rows of blocks as the width allows."""
    band: list[str] = []
    left = width - _LABEL
    for beach, sectors in beaches.items():
        needed = 1 + _CELL * len(sectors)
        if band and needed > left:
            yield band
            band, left = [], width - _LABEL
        band.append(beach)
        left -= needed
    yield band


def _row(label: str, blocks: Iterable[Iterable[Cell]], scene: Scene) -> str:
    bar = scene.ink.dim("│")
    drawn = ("".join(_draw(cell, scene) for cell in block) for block in blocks)
    return (label.rjust(_LABEL - 1) + bar + bar.join(drawn)).rstrip()


def _draw(cell: Cell, scene: Scene) -> str:
    mark = scene.ink.bold(cell.mark) if cell.is_bold else cell.mark
    mark = scene.ink.colour(cell.colour, mark) if cell.colour else mark
    letter = scene.ink.dim(cell.letter) if cell.letter.strip() else cell.letter
    return letter + mark + " " * (_CELL - len(cell.letter + cell.mark))


def _across(cell: Cell, columns: int) -> list[Cell]:
    """One cell over all columns of a block."""
    parts = [cell.mark[at : at + _CELL] for at in range(0, columns * _CELL, _CELL)]
    return [cell._replace(mark=part, letter=cell.letter if not at else "") for at, part in enumerate(parts)]


def _cells(view: Mapping[str, Json], setup: Setup, scene: Scene) -> dict[str, Cell]:
    """What each site shows: the letter of its neighbourhood, then a hut, a tiki or both."""
    huts, tikis = view["huts"], {place: colour for colour, place in view["tikis"].items()}
    colours = {view["seats"][seat] for seat in scene.mine}
    letters = neighbourhoods(setup)
    cells = {}
    for site in setup.sites:
        piece = _piece(huts.get(site), tikis.get(site), scene)
        is_near = any(huts.get(near) in colours for near in setup.neighbours[site])
        mark, colour = piece or (NEAR_MINE if is_near else FREE, None)
        cells[site] = Cell(mark, letters.get(site, " "), colour, colour in colours or mark == NEAR_MINE)
    return cells


def _piece(owner: str | None, guard: str | None, scene: Scene) -> tuple[str, str] | None:
    """The mark and colour of a hut or club, guarded by a tiki or not, or of a tiki alone."""
    if owner:
        return scene.mark(owner) + TIKI * bool(guard), owner
    return (scene.mark(guard)[0] + TIKI, guard) if guard else None


def _club_cell(view: Mapping[str, Json], beach: str, scene: Scene) -> Cell:
    tikis = {place: colour for colour, place in view["tikis"].items()}
    piece = _piece(view["clubs"].get(beach), tikis.get(CLUB_PREFIX + beach), scene)
    mark, colour = piece or (FREE, None)
    return Cell(mark, " ", colour, colour in {view["seats"][seat] for seat in scene.mine})


@cache
def neighbourhoods(setup: Setup) -> dict[str, str]:
    """A letter for every site that has neighbours; sites joined by neighbours share it."""
    groups = [group for group in connected_groups(setup.sites, setup.neighbours) if len(group) > 1]
    return {site: letter for group, letter in zip(groups, _LETTERS, strict=False) for site in group}


# The players


def player_lines(view: Mapping[str, Json], scene: Scene) -> Iterator[str]:
    """One line per seat: huts left, Paint and Club cards left, and what can be seen of the project."""
    setup = make_setup(view)
    cards = (PAINT, CLUB) if setup.rules.clubs else (PAINT,)
    heads = [scene.text("col_huts"), *map(scene.card, cards)]
    heads += [scene.text("col_plan")] if view["phase"] != OPENING else []
    label_width = max(len(_seat_label(seat, scene)) for seat in view["seats"]) + 7
    gap = "  "
    yield scene.ink.dim(" " * label_width + gap.join(heads))
    for seat, colour in view["seats"].items():
        left = view["cards_left"][seat]
        numbers = [view["reserves"][colour], *(left[card] for card in cards)]
        cells = gap.join(str(number).rjust(len(head)) for number, head in zip(numbers, heads, strict=False))
        first = FIRST if seat == view["first"] else " "
        label = scene.ink.colour(colour, f"{scene.mark(colour)} {_seat_label(seat, scene)}".ljust(label_width - 4))
        indent = label_width + len(cells) + len(gap)
        plan, *rest = textwrap.wrap(plan_text(view, seat, scene), scene.width - indent) or [""]
        yield f"  {first} {label}{cells}{gap}{plan}".rstrip()
        yield from (" " * indent + line for line in rest)


def _seat_label(seat: str, scene: Scene) -> str:
    shown = scene.name(seat)
    return scene.text("you_mark", name=shown) if seat in scene.mine else shown


def plan_text(view: Mapping[str, Json], seat: str, scene: Scene) -> str:
    """A project as far as it can be seen: the shown card in brackets, hidden ones as question marks."""
    plan = view["plans"][seat]
    if view["out"] == seat:
        return scene.text("plan_out")
    if plan is None:
        return scene.text("plan_awaited") if view["phase"] == PLAN else ""
    if plan["cards"] is not None:
        shown = list(map(scene.card, plan["cards"]))
        if plan["clue"] is not None:
            at = plan["cards"].index(plan["clue"])
            shown[at] = f"[{shown[at]}]"
        return " ".join(shown)
    if plan["clue"] is None and plan["count"] is None:
        return scene.text("plan_laid")
    clue = [f"[{scene.card(plan['clue'])}]"] if plan["clue"] else []
    paints = [scene.card(PAINT)] * (plan["open_paints"] or 0)
    hidden = [HIDDEN] * (plan["count"] - len(clue)) if plan["count"] is not None else ["..."]
    return " ".join(clue + hidden + paints)


def hand_lines(view: Mapping[str, Json], seat: str, scene: Scene) -> Iterator[str]:
    """The cards a seat holds, by kind; in team play two beaches share a card."""
    setup, left = make_setup(view), view["cards_left"][seat]
    beaches: dict[str, list[str]] = {}
    for beach in setup.beach_sites:
        beaches.setdefault(beach[0], []).append(beach)
    groups = [["/".join(names) for names in beaches.values()]]
    groups += [[card for card, kind in setup.card_kinds.items() if kind == wanted] for wanted in ("sector", "spot")]
    groups += [[_counted(scene.card(card), left[card]) for card in (CLUB, PAINT) if left[card]]]
    said = " | ".join(_UNBROKEN.join(group) for group in groups if group)
    head = scene.text("hand")
    first, *rest = (
        line.replace(_UNBROKEN, " ").rstrip(" |") for line in textwrap.wrap(said, scene.width - len(head) - 3)
    )
    yield f"  {scene.ink.bold(head)} {first}"
    yield from (" " * (len(head) + 3) + line for line in rest)


def _counted(card: str, count: int) -> str:
    return card if count == 1 else f"{card} ({count})"


# Words about the phases


def phase_text(kind: str, view: Mapping[str, Json], scene: Scene, example: str) -> str:
    """What to `explain` about the phase or to say for `help`, in the words for its rules where they differ."""
    rules = make_setup(view).rules
    edition, mao = "" if rules.clubs else "_2003", "_mao" if rules.tricky else ""
    endings = (edition + mao, mao, edition, "")
    key = next(key for ending in endings if (key := f"{kind}_{view['phase']}{ending}") in _texts())
    beach, sector, _ = f"{example} x x".split()[:3]
    return scene.text(key, example=example, clue=sector or beach)


def help_lines(view: Mapping[str, Json], scene: Scene, example: str) -> Iterator[str]:
    """Help for the phase, the cards, the score."""
    yield phase_text("help", view, scene, example)
    if cards := scene.text("help_cards"):
        yield cards
    clubs = make_setup(view).rules.clubs
    yield scene.text("help_score") + (scene.text("help_score_clubs") if clubs else ".")


def command_lines(scene: Scene) -> Iterator[str]:
    for line in scene.text("help_commands").splitlines():
        command, meaning = line.split("|")
        yield f"    {scene.ink.bold(command.ljust(14))}{meaning}"
