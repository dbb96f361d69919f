"""A referee and a scorer for Kahuna, written from the rules digest and the list of actions. Slow and obvious.

Actions: `chance deal white ALOA`, `chance turn ALOA`, `white bridge ALOA-BARI ALOA` (in the handicap without a card),
`white remove ALOA-BARI ALOA BARI`, `white replace`, `white discard ALOA`, `white draw ALOA`, `white draw stock`,
`white skip`.
"""


def opponent_of(colour: str) -> str:
    return "black" if colour == "white" else "white"


def half_or_more_missing(board: dict, bridges: dict[str, str], island: str, colour: str) -> bool:
    """Whether the colour does NOT have more than half of the island's lines."""
    total = 0
    own = 0
    for one, other in board["lines"]:
        if island in (one, other):
            total += 1
            if bridges.get(one + "-" + other) == colour:
                own += 1
    return own <= total / 2


def stones_for(board: dict, bridges: dict[str, str]) -> dict[str, str]:
    stones = {}
    for island in board["islands"]:
        for colour in ("white", "black"):
            if not half_or_more_missing(board, bridges, island, colour):
                stones[island] = colour
    return stones


def score(position: dict, board: dict) -> dict:
    """Points and winners of a position, as `scores` and `winners`."""
    bridges = position["bridges"]
    stones = position.get("stones")
    if stones is None:
        stones = stones_for(board, bridges)
    won = position["won"]
    points = {colour: [0, 0, 0] for colour in position["players"]}
    if len(won) >= 1 and won[0] is not None:
        points[won[0]][0] = 1
    if len(won) >= 2 and won[1] is not None:
        points[won[1]][1] = 2
    white = list(stones.values()).count("white")
    black = list(stones.values()).count("black")
    if white != black:
        leader = "white" if white > black else "black"
        points[leader][len(won)] = [1, 2, abs(white - black)][len(won)]
    scores = {}
    for colour in position["players"]:
        one, two, three = points[colour]
        scores[colour] = {"round_1": one, "round_2": two, "round_3": three, "total": one + two + three}
    white_bridges = list(bridges.values()).count("white")
    black_bridges = list(bridges.values()).count("black")
    if len(won) > 0 and white_bridges == 0 and black_bridges > 0:
        winners = ["black"]
    elif len(won) > 0 and black_bridges == 0 and white_bridges > 0:
        winners = ["white"]
    else:
        white_rank = (scores["white"]["total"], white, white_bridges)
        black_rank = (scores["black"]["total"], black, black_bridges)
        if white_rank > black_rank:
            winners = ["white"]
        elif black_rank > white_rank:
            winners = ["black"]
        else:
            winners = list(position["players"])
    return {"scores": scores, "winners": winners}


class Referee:
    """Plays one game, action by action, and says of each action whether the rules accept it."""

    def __init__(self, header: dict, board: dict) -> None:
        self.header = header
        self.board = board
        self.players: list[str] = list(header["players"])
        options = header.get("options") or {}
        self.respect_stones: bool = options.get("respect_stones", False)
        self.replace_removed: bool = options.get("replace_removed", False)
        self.handicap: dict[str, int] = {
            "white": options.get("handicap_white", 0),
            "black": options.get("handicap_black", 0),
        }
        self.stock: list[str] = []
        for island in board["islands"]:
            self.stock.append(island)
            self.stock.append(island)
        self.hand: dict[str, list[str]] = {"white": [], "black": []}
        self.open: list[str] = []
        self.played: list[str] = []
        self.bridges: dict[str, str] = {}
        self.stones: dict[str, str] = {}
        self.round = 1
        self.won: list[str | None] = []
        self.turn: str = self.players[0]
        self.opponent_skipped = False
        self.may_replace: str | None = None
        self.last_turns: int | None = None
        self.over = False
        # What chance must do next; the draw of a turn ends that turn.
        self.chance_owes: list[str] = []
        for _ in range(3):
            for player in self.players:
                self.chance_owes.append(player)
        self.chance_owes += ["open", "open", "open"]
        self.turn_ends_after_chance = False

    # What can be asked.

    def waits_for(self) -> str | None:
        if self.over:
            return None
        if self.chance_owes:
            return "chance"
        for colour in ("white", "black"):
            if self.handicap[colour] > 0:
                return colour
        return self.turn

    def position(self) -> dict:
        return {
            "game": "kahuna",
            "rules": self.header["rules"],
            "boards": list(self.header["boards"]),
            "players": list(self.players),
            "won": list(self.won),
            "bridges": dict(self.bridges),
            "stones": dict(self.stones),
        }

    # Play.

    def play(self, text: str) -> bool:
        who, verb, *words = text.split()
        if who != self.waits_for():
            return False
        if who == "chance":
            return self.chance(verb, words)
        if self.handicap[who] > 0:
            return verb == "bridge" and len(words) == 1 and self.free_bridge(who, words[0])
        replaceable = self.may_replace
        if verb == "replace":
            accepted = not words and replaceable is not None and self.replace(who, replaceable)
        elif verb == "bridge":
            accepted = len(words) == 2 and self.lay_bridge(who, words[0], words[1])
        elif verb == "remove":
            accepted = len(words) == 3 and self.remove_bridge(who, words[0], words[1], words[2])
        elif verb == "discard":
            accepted = len(words) == 1 and self.discard(who, words[0])
        elif verb == "draw":
            accepted = len(words) == 1 and self.draw(who, words[0])
        elif verb == "skip":
            accepted = not words and self.skip()
        else:
            accepted = False
        if accepted and verb != "remove":
            self.may_replace = None
        if accepted:
            self.look_for_sudden_end()
        return accepted

    def chance(self, verb: str, words: list[str]) -> bool:
        owed = self.chance_owes[0]
        if owed == "open":
            if verb != "turn" or len(words) != 1 or words[0] not in self.stock:
                return False
            self.open.append(words[0])
        else:
            if verb != "deal" or len(words) != 2 or words[0] != owed or words[1] not in self.stock:
                return False
            self.hand[owed].append(words[1])
        self.stock.remove(words[-1])
        self.chance_owes.pop(0)
        if not self.chance_owes and self.turn_ends_after_chance:
            self.turn_ends_after_chance = False
            self.end_turn()
        return True

    def line_exists(self, line: str) -> bool:
        for one, other in self.board["lines"]:
            if line == one + "-" + other:
                return True
        return False

    def may_lay(self, who: str, line: str) -> bool:
        if not self.line_exists(line) or line in self.bridges:
            return False
        if list(self.bridges.values()).count(who) >= 25:
            return False
        return not (self.respect_stones and self.touches_stone_of(opponent_of(who), line))

    def touches_stone_of(self, colour: str, line: str) -> bool:
        one, other = line.split("-")
        return self.stones.get(one) == colour or self.stones.get(other) == colour

    def free_bridge(self, who: str, line: str) -> bool:
        if not self.may_lay(who, line):
            return False
        self.put_bridge(who, line)
        self.handicap[who] -= 1
        return True

    def lay_bridge(self, who: str, line: str, card: str) -> bool:
        if not self.may_lay(who, line) or card not in line.split("-") or card not in self.hand[who]:
            return False
        self.spend(who, card)
        self.put_bridge(who, line)
        return True

    def replace(self, who: str, line: str) -> bool:
        if not self.may_lay(who, line) or self.touches_stone_of(opponent_of(who), line):
            return False
        self.put_bridge(who, line)
        return True

    def put_bridge(self, who: str, line: str) -> None:
        self.bridges[line] = who
        for island in line.split("-"):
            if half_or_more_missing(self.board, self.bridges, island, who):
                continue
            if self.stones.get(island) == who:
                continue
            self.stones[island] = who
            for one, other in self.board["lines"]:
                near = one + "-" + other
                if island in (one, other) and self.bridges.get(near) == opponent_of(who):
                    del self.bridges[near]
        self.take_stones_without_majority()

    def take_stones_without_majority(self) -> None:
        for island in list(self.stones):
            if half_or_more_missing(self.board, self.bridges, island, self.stones[island]):
                del self.stones[island]

    def remove_bridge(self, who: str, line: str, first: str, second: str) -> bool:
        if not self.line_exists(line) or self.bridges.get(line) != opponent_of(who) or first > second:
            return False
        ends = line.split("-")
        if first not in ends or second not in ends:
            return False
        if first == second and self.hand[who].count(first) < 2:
            return False
        if first not in self.hand[who] or second not in self.hand[who]:
            return False
        self.spend(who, first)
        self.spend(who, second)
        del self.bridges[line]
        self.take_stones_without_majority()
        self.may_replace = line if self.replace_removed else None
        return True

    def discard(self, who: str, card: str) -> bool:
        if card not in self.hand[who]:
            return False
        self.spend(who, card)
        return True

    def spend(self, who: str, card: str) -> None:
        self.hand[who].remove(card)
        self.played.append(card)

    def draw(self, who: str, what: str) -> bool:
        if self.last_turns is not None or len(self.hand[who]) >= 5:
            return False
        if what == "stock":
            if not self.stock:
                return False
            self.chance_owes = [who]
        else:
            if what not in self.open:
                return False
            self.open.remove(what)
            self.hand[who].append(what)
            if self.stock:
                self.chance_owes = ["open"]
        self.opponent_skipped = False
        if self.chance_owes:
            self.turn_ends_after_chance = True
        else:
            self.end_turn()
        return True

    def skip(self) -> bool:
        if self.last_turns is not None:
            self.last_turns -= 1
            self.turn = opponent_of(self.turn)
            self.over = self.last_turns == 0
            return True
        if self.opponent_skipped:
            return False
        self.opponent_skipped = True
        self.turn = opponent_of(self.turn)
        return True

    def end_turn(self) -> None:
        self.turn = opponent_of(self.turn)
        if self.stock or self.open:
            return
        if self.round == 3:
            self.last_turns = 2
            return
        white = list(self.stones.values()).count("white")
        black = list(self.stones.values()).count("black")
        if white > black:
            self.won.append("white")
        elif black > white:
            self.won.append("black")
        else:
            self.won.append(None)
        self.round += 1
        self.stock = self.played
        self.played = []
        self.chance_owes = ["open", "open", "open"]

    def look_for_sudden_end(self) -> None:
        if self.round == 1:
            return
        owners = set(self.bridges.values())
        if len(owners) == 1:
            self.over = True
