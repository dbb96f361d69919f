"""What the tests of Māori share: every game there is, and ways into the middle of one."""

from __future__ import annotations

import json
import random
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st

from companion.games.maori.game import Maori
from companion.games.maori.setup import default_header
from companion.games.maori.state import State
from companion.games.protocol import Action, Refusal

GAME = Maori()
DATA = Path(__file__).parents[2] / "companion" / "games" / "maori"
BOARD_FILES = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted((DATA / "boards").glob("*.json"))}
TILE_FILE = json.loads((DATA / "tiles.json").read_text("utf-8"))
TILES = {tile["id"]: tile for tile in TILE_FILE["tiles"]}
WORDS = GAME.start(default_header("base", 2)).setup.words

CONFIGURATIONS = [(rules, people) for rules, numbers in GAME.rule_sets.items() for people in numbers]
configurations = st.sampled_from(CONFIGURATIONS)
seeds = st.integers(0, 2**32)
# A game has hundreds of actions, so a property needs fewer games than it would of shorter ones.
some_games = settings(max_examples=max(10, settings.default.max_examples // 6))

# People take tiles and lay them; they rarely take one off again, or do nothing.
_EAGER = 0.85


def new_game(rules: str, people: int, **changes: object) -> State:
    return GAME.start({**default_header(rules, people), **changes})


def play(state: State, *lines: str) -> State:
    """The state after the actions, all of which must be accepted."""
    for line in lines:
        result = GAME.apply(state, Action.from_text(line))
        assert not isinstance(result, Refusal), f"{line}: {result}"
        state = result
    return state


def refusal(state: State, line: str) -> str | None:
    """The code of the refusal that an action meets, or None."""
    result = GAME.apply(state, Action.from_text(line))
    return result.code if isinstance(result, Refusal) else None


def lively_action(state: State, rng: random.Random) -> Action:
    """A legal action as a player without plans but with an interest in the game would choose it."""
    (seat,) = GAME.actors(state)
    actions = GAME.legal_actions(state, seat)
    better = [action for action in actions if action.verb in ("take", "lay")]
    better = better or [action for action in actions if action.verb in ("row", "boat") and _has_room(state, action)]
    return rng.choice(better if better and rng.random() < _EAGER else actions)


def _has_room(state: State, action: Action) -> bool:
    """Whether a tile could be laid next to where the boat goes."""
    return any(cell not in state.laid[state.turn] for cell in state.setup.around[action.args[0]])


def random_steps(rules: str, people: int, seed: int | str) -> list[tuple[State, Action, State]]:
    """A whole game by chance as its steps: before, action, after."""
    rng = random.Random(seed)
    state, steps = new_game(rules, people), []
    while GAME.actors(state):
        action = lively_action(state, rng)
        after = play(state, action.text)
        steps.append((state, action, after))
        state = after
    return steps


def random_slip(state: State, rng: random.Random) -> Action:
    """An action as careless hands might make it: any verb, any tile, any cell; often of the right seat."""
    seat = rng.choice((*GAME.actors(state) * 3, *GAME.seats(state), "chance"))
    verb = rng.choice("refill anchor sail take take take stock stock lay lay clear pass row row boat stay".split())
    shown = [tile for tile in state.display if tile] or ["W01"]
    tile = rng.choice((*shown, *filter(None, state.stocks), rng.choice(list(TILES))))
    word = tile + rng.choice(("", "", "", "@90", "@180", "@270"))
    cell = f"{rng.randint(0, 5)},{rng.randint(0, 6)}"
    args = {
        "refill": (f"display:{rng.randint(1, 4)},{rng.randint(1, 4)}", rng.choice(list(TILES))),
        "anchor": (str(rng.randint(0, 18)),),
        "sail": (str(rng.randint(0, 18)),),
        "take": (word, cell),
        "stock": (tile,),
        "lay": (word, cell),
        "pass": (),
        "stay": (),
    }
    return Action(seat, verb, args.get(verb, (cell,)))


def random_position(rules: str, people: int, rng: random.Random) -> dict:
    """A position that need not come from a game: tiles anywhere, with a liking for islands that fit together."""
    position = default_header(rules, people)
    board = BOARD_FILES[position["boards"][0]]
    bag = [tile for tile in TILES if TILES[tile]["kind"] != "volcano"]
    rng.shuffle(bag)
    position["laid"] = {player: _random_board(board, bag, rng) for player in position["players"]}
    position["shells"] = {player: rng.randint(0, 6) for player in position["players"]}
    return position


def _random_board(board: dict, bag: list[str], rng: random.Random) -> dict[str, str]:
    laid: dict[str, str] = {}
    for row in range(1, board["rows"] + 1):
        for column in range(1, board["columns"] + 1):
            cell = f"{row},{column}"
            if cell in board["printed"] or rng.random() < 0.1 or not bag:
                continue
            left, above = laid.get(f"{row},{column - 1}"), laid.get(f"{row - 1},{column}")
            goes_on = (
                "E" in TILES.get(left or "", {}).get("land", ""),
                "S" in TILES.get(above or "", {}).get("land", ""),
            )
            for _ in range(rng.choice((1, 40))):
                tile = bag.pop(rng.randrange(len(bag)))
                land = TILES[tile].get("land", "")
                if ("W" in land, "N" in land) == goes_on:
                    break
                bag.append(tile)
            else:
                tile = bag.pop()
            laid[cell] = rng.choice(WORDS[tile]) if rng.random() < 0.3 else tile
    return laid
