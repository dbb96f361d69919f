"""What photographs of a game's boards need besides its rules: who played, by which rules, and what no camera sees."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from companion.games.catalogue import game_named
from companion.games.kahuna.rules import ROUND_POINTS
from companion.games.makabana.board import BOARD_NAMES
from companion.games.makabana.rules import COLOURS, DEFAULT_COLOURS, RULE_SETS
from companion.games.makisan.rules import ROUNDS_TO_WIN
from companion.games.maori.rules import DEFAULT_COLOURS as MAORI_COLOURS
from companion.games.maori.rules import RULE_SETS as MAORI_RULES
from companion.games.maori.rules import SHELLS
from companion.games.protocol import Json
from vision.surfaces import game_of

NOBODY = "nobody"


class Fact(NamedTuple):
    """Something that scores and that no camera sees: people tell it as one of these words. `about` is whom or what."""

    key: str
    about: str
    values: tuple[str, ...]


class Table(NamedTuple):
    """What is known of the table that was photographed. `told` are facts by key."""

    boards: tuple[str, ...]
    players: tuple[str, ...]
    choice: str
    told: Mapping[str, str] = {}


class PhotoGame(Protocol):
    """A game whose boards can be scored from photographs."""

    @property
    def name(self) -> str: ...

    def family(self, board: str) -> str:
        """Boards of one family may lie on one table."""

    def choices(self, boards: Sequence[str]) -> Sequence[str]:
        """The ways to have played on these boards, the likeliest first."""

    def colours(self, boards: Sequence[str]) -> Sequence[str]:
        """Who may have played."""

    def players(self, boards: Sequence[str], seen: Collection[str]) -> tuple[str, ...]:
        """Who played, as far as boards and the colours of pieces tell."""

    def scored(self, table: Table) -> Sequence[str]:
        """The players whose points the boards tell: not somebody whose own board nobody has photographed."""

    def header(self, table: Table) -> dict[str, Json]:
        """What the game needs to know to score a position."""

    def facts(self, players: Sequence[str]) -> Sequence[Fact]:
        """What people may add."""


class _Choice(NamedTuple):
    """A way to have played on islands, as people choose it."""

    rules: str
    has_camps: bool = False  # two people with two colours each


class Islands:
    """Maka Bana."""

    name = "makabana"
    _choices: Mapping[str, _Choice] = {
        "2013": _Choice("2013"),
        "2013-teams": _Choice("2013-teams"),
        "2003": _Choice("2003"),
        "2003-two": _Choice("2003", has_camps=True),
    }

    def family(self, board: str) -> str:
        return "2003" if board.endswith("2003") else "2013"

    def choices(self, boards: Sequence[str]) -> Sequence[str]:
        """Several islands with Maka Bana among them are only used in team play."""
        edition = self.family(boards[0])
        found = [name for name, choice in self._choices.items() if RULE_SETS[choice.rules].edition == edition]
        return found[::-1] if "maka-bana" in boards and len(boards) > 1 else found

    def colours(self, boards: Sequence[str]) -> Sequence[str]:
        return COLOURS if self.family(boards[0]) == "2013" else DEFAULT_COLOURS["2003"]

    def players(self, boards: Sequence[str], seen: Collection[str]) -> tuple[str, ...]:
        return tuple(colour for colour in COLOURS if colour in seen)

    def scored(self, table: Table) -> Sequence[str]:
        return table.players

    def header(self, table: Table) -> dict[str, Json]:
        choice, players = self._choices[table.choice], list(table.players)
        header: dict[str, Json] = {"game": self.name, "rules": choice.rules, "boards": list(table.boards)}
        header["players"] = players
        if choice.has_camps and len(players) == 4:
            header["camps"] = [players[::2], players[1::2]]
        return header

    def facts(self, players: Sequence[str]) -> Sequence[Fact]:
        return ()


class _ForTwo:
    """A game for two on one board, whose players are always the same."""

    def __init__(self, name: str) -> None:
        self.name, self._game = name, game_named(name)

    def family(self, board: str) -> str:
        return self.name

    def choices(self, boards: Sequence[str]) -> Sequence[str]:
        return tuple(self._game.rule_sets)

    def colours(self, boards: Sequence[str]) -> Sequence[str]:
        players: list[str] = self._game.default_header(self.choices(boards)[0], 2)["players"]
        return players

    def players(self, boards: Sequence[str], seen: Collection[str]) -> tuple[str, ...]:
        return tuple(self.colours(boards))

    def scored(self, table: Table) -> Sequence[str]:
        return table.players

    def header(self, table: Table) -> dict[str, Json]:
        return {**self._game.default_header(table.choice, 2), **self.extra(table)}

    def extra(self, table: Table) -> dict[str, Json]:
        """What was told, as a position says it."""
        return {}

    def facts(self, players: Sequence[str]) -> Sequence[Fact]:
        return ()


class Kahuna(_ForTwo):
    """The board shows one round; who won the rounds before is told."""

    def __init__(self) -> None:
        super().__init__("kahuna")

    def facts(self, players: Sequence[str]) -> Sequence[Fact]:
        rounds = range(1, len(ROUND_POINTS) + 1)
        return [Fact(f"won-{number}", str(number), (*players, NOBODY)) for number in rounds]

    def extra(self, table: Table) -> dict[str, Json]:
        """The rounds told, up to the first that is not."""
        won: list[str | None] = []
        for fact in self.facts(table.players):
            if fact.key not in table.told:
                break
            winner = table.told[fact.key]
            won.append(None if winner == NOBODY else winner)
        return {"won": won} if won else {}


class MakiSan(_ForTwo):
    """The line shows who wins this round; rounds won before are told."""

    def __init__(self) -> None:
        super().__init__("makisan")

    def facts(self, players: Sequence[str]) -> Sequence[Fact]:
        return [Fact(f"wins-{side}", side, tuple(map(str, range(ROUNDS_TO_WIN)))) for side in players]

    def extra(self, table: Table) -> dict[str, Json]:
        return {"wins": {side: int(table.told.get(f"wins-{side}", "0")) for side in table.players}}


class Maori:
    """One board for each player, named `maori-SIDE-COLOUR`. Shells are told."""

    name = "maori"

    def family(self, board: str) -> str:
        return board.split("-")[1]

    def choices(self, boards: Sequence[str]) -> Sequence[str]:
        sides = {self.family(board) for board in boards}
        return [rules.name for rules in MAORI_RULES.values() if rules.board in sides] or list(MAORI_RULES)

    def colours(self, boards: Sequence[str]) -> Sequence[str]:
        return MAORI_COLOURS

    def players(self, boards: Sequence[str], seen: Collection[str]) -> tuple[str, ...]:
        """Those whose boards were photographed. Nobody plays alone: somebody unseen stands for the others."""
        owners = self._owners(boards)
        others = [colour for colour in MAORI_COLOURS if colour not in owners]
        return (*owners, *others[: max(0, 2 - len(owners))])

    def _owners(self, boards: Sequence[str]) -> list[str]:
        return [colour for colour in MAORI_COLOURS if any(board.endswith(f"-{colour}") for board in boards)]

    def scored(self, table: Table) -> Sequence[str]:
        return self._owners(table.boards)

    def header(self, table: Table) -> dict[str, Json]:
        shells = {player: int(table.told[key]) for player in table.players if (key := f"shells-{player}") in table.told}
        header: dict[str, Json] = {
            "game": self.name,
            "rules": table.choice,
            "boards": [MAORI_RULES[table.choice].board],
        }
        return header | {"players": list(table.players)} | ({"shells": shells} if shells else {})

    def facts(self, players: Sequence[str]) -> Sequence[Fact]:
        return [Fact(f"shells-{player}", player, tuple(map(str, range(SHELLS + 1)))) for player in players]


_GAMES: Mapping[str, PhotoGame] = {game.name: game for game in (Islands(), Kahuna(), MakiSan(), Maori())}


def photo_game_of(board: str) -> PhotoGame:
    """The game that a board or sheet belongs to. Raises `KeyError` for one that is none of ours."""
    return _GAMES[_GAMES["makabana"].name if board in BOARD_NAMES else str(game_of(board))]
