"""Referees a game of Māori from the rulebook, the digest and the rulings beside the rules. Slow, obvious, mutable."""

from tests.reference.maori_scorer import canoes_on, grid_of, turned


class Referee:
    """`play` takes an action as text and says whether the rules allow it; if so, it is done."""

    def __init__(self, header: dict, boards: dict[str, dict], tile_file: dict):
        self.header = header
        self.players = header["players"]
        self.board = boards[header["boards"][0]]
        self.tiles = {tile["id"]: tile for tile in tile_file["tiles"]}
        self.has_boats = header["rules"].startswith(("advanced", "expert"))
        self.is_expert = header["rules"].startswith("expert")
        self.pile = set(self.tiles)
        self.display = {}  # (row, column) -> tile, both from 0
        self.ship = None  # 0 to 15, clockwise from above the top left tile
        self.laid = {player: {} for player in self.players}  # "row,column" -> word
        self.stock = {player: None for player in self.players}
        self.boat = {player: None for player in self.players}
        self.shells = {player: 5 for player in self.players}
        self.waiting = "chance"
        self.phase = "deal"
        self.hole = (0, 0)
        self.round = 0
        self.ends = False
        self.quiet_turns = 0
        self.paid_for_boat = False
        self.laid_now = False

    # Questions

    def waiting_for(self) -> set[str]:
        return {self.waiting} if self.waiting else set()

    def position(self) -> dict:
        position = dict(self.header)
        position["display"] = {f"{r + 1},{c + 1}": tile for (r, c), tile in sorted(self.display.items())}
        if self.ship is not None:
            position["ship"] = self.ship + 1
        position["laid"] = {player: dict(sorted(laid.items())) for player, laid in self.laid.items()}
        position["stocks"] = {player: tile for player, tile in self.stock.items() if tile}
        position["boats"] = {player: cell for player, cell in self.boat.items() if cell}
        position["shells"] = dict(self.shells)
        return position

    def line_of_ship(self) -> list[tuple[int, int]]:
        """The four places before the ship, from the nearest to the furthest."""
        if self.ship < 4:
            return [(row, self.ship) for row in (0, 1, 2, 3)]
        if self.ship < 8:
            return [(self.ship - 4, column) for column in (3, 2, 1, 0)]
        if self.ship < 12:
            return [(row, 11 - self.ship) for row in (3, 2, 1, 0)]
        return [(15 - self.ship, column) for column in (0, 1, 2, 3)]

    def price(self, tile: str, shells: int) -> int | None:
        """What the tile costs from here; None if it can't be had."""
        passed = 0
        for place in self.line_of_ship():
            there = self.display.get(place)
            if there is None:
                continue
            if self.tiles[there]["kind"] == "volcano":
                return None
            if there == tile:
                return passed if passed <= shells else None
            passed += 1
        return None

    def may_lie(self, word: str) -> bool:
        name, at, degrees = word.partition("@")
        tile = self.tiles.get(name)
        if tile is None or tile["kind"] == "volcano":
            return False
        if not at:
            return True
        if tile.get("palms", 0) > 0 or degrees not in ("90", "180", "270"):
            return False
        seen = []
        for turn in range(0, int(degrees) + 90, 90):
            seen.append((turned(tile.get("land", ""), turn), turned(tile.get("wreaths", ""), turn)))
        return seen[-1] not in seen[:-1]  # what looks the same is written the same

    def is_space(self, cell: str) -> bool:
        rows, columns = self.board["rows"], self.board["columns"]
        cells = [f"{r},{c}" for r in range(1, rows + 1) for c in range(1, columns + 1)]
        return cell in cells and cell not in self.board["printed"]

    @staticmethod
    def touch(one: str, other: str) -> bool:
        (r1, c1), (r2, c2) = ([int(n) for n in cell.split(",")] for cell in (one, other))
        return one != other and abs(r1 - r2) <= 1 and abs(c1 - c2) <= 1

    def may_lay_on(self, player: str, cell: str) -> bool:
        if not self.is_space(cell) or cell in self.laid[player]:
            return False
        boat = self.boat[player]
        return boat is None or self.touch(cell, boat)

    # Actions

    def play(self, line: str) -> bool:
        who, verb, *words = line.split()
        if who != self.waiting:
            return False
        action = getattr(self, f"do_{verb}", None)
        wanted = {"refill": 2, "take": 2, "lay": 2, "pass": 0, "stay": 0}.get(verb, 1)
        return action is not None and len(words) == wanted and action(who, *words)

    def do_refill(self, _, place: str, tile: str) -> bool:
        if self.phase not in ("deal", "refill") or place != f"display:{self.hole[0] + 1},{self.hole[1] + 1}":
            return False
        if tile not in self.pile or (self.phase == "deal" and self.tiles[tile]["kind"] == "volcano"):
            return False
        self.pile.remove(tile)
        self.display[self.hole] = tile
        if self.phase == "refill":
            self.after_exploring()
        elif self.hole == (3, 3):
            self.phase, self.waiting = "anchor", self.players[-1]
        else:
            number = self.hole[0] * 4 + self.hole[1] + 1
            self.hole = (number // 4, number % 4)
        return True

    def do_anchor(self, _, place: str) -> bool:
        if self.phase != "anchor" or place not in [str(number) for number in range(1, 17)]:
            return False
        self.ship = int(place) - 1
        self.round = 1
        self.phase, self.waiting = "sail", self.players[0]
        return True

    def do_sail(self, player: str, steps: str) -> bool:
        if self.phase != "sail" or steps not in [str(number) for number in range(1, 17)]:
            return False
        canoes = canoes_on(grid_of(self.laid[player], self.board, self.tiles), self.board)
        to_pay = int(steps) - max(canoes, 1)
        if to_pay > self.shells[player]:
            return False
        self.shells[player] -= max(to_pay, 0)
        for _ in range(int(steps)):
            self.ship = 0 if self.ship == 15 else self.ship + 1
        self.phase = "explore"
        self.paid_for_boat = self.laid_now = False
        return True

    def do_take(self, player: str, word: str, cell: str) -> bool:
        tile = word.split("@")[0]
        if self.phase != "explore" or not self.may_lie(word) or not self.may_lay_on(player, cell):
            return False
        price = self.price(tile, self.shells[player])
        if price is None:
            return False
        self.shells[player] -= price
        self.put_on_board(player, word, cell)
        self.leaves_display(tile)
        return True

    def do_stock(self, player: str, tile: str) -> bool:
        if self.phase != "explore" or self.stock[player] is not None:
            return False
        price = self.price(tile, self.shells[player])
        if price is None:
            return False
        self.shells[player] -= price
        self.stock[player] = tile
        self.quiet_turns = 0
        self.leaves_display(tile)
        return True

    def do_lay(self, player: str, word: str, cell: str) -> bool:
        if self.phase != "explore" or self.stock[player] is None or word.split("@")[0] != self.stock[player]:
            return False
        if not self.may_lie(word) or not self.may_lay_on(player, cell):
            return False
        self.stock[player] = None
        self.put_on_board(player, word, cell)
        self.after_exploring()
        return True

    def do_clear(self, player: str, cell: str) -> bool:
        if self.phase != "explore" or self.paid_for_boat:
            return False
        if cell not in self.laid[player] or cell == self.boat[player]:
            return False
        del self.laid[player][cell]
        self.quiet_turns = 0
        self.after_exploring()
        return True

    def do_pass(self, _) -> bool:
        if self.phase != "explore" or self.paid_for_boat:
            return False
        self.quiet_turns += 1
        self.after_exploring()
        return True

    def do_row(self, player: str, cell: str) -> bool:
        if self.phase != "explore" or self.boat[player] is None or self.shells[player] == 0:
            return False
        boat = self.boat[player]
        if cell not in self.laid[player] or not self.touch(cell, boat):
            return False
        if not self.a_tile_can_follow(player, cell, self.shells[player] - 1):
            return False
        self.shells[player] -= 1
        self.boat[player] = cell
        self.paid_for_boat = True
        return True

    def a_tile_can_follow(self, player: str, boat: str, shells: int) -> bool:
        """Tries everything: a tile laid from here, one put in stock, or another step."""
        room = any(
            self.touch(cell, boat) and self.is_space(cell) and cell not in self.laid[player]
            for cell in [f"{r},{c}" for r in range(1, 10) for c in range(1, 10)]
        )
        to_be_had = any(self.price(tile, shells) is not None for tile in self.display.values())
        if (to_be_had or self.stock[player]) and room:
            return True
        if to_be_had and self.stock[player] is None:
            return True
        if shells == 0:
            return False
        near = [cell for cell in self.laid[player] if self.touch(cell, boat)]
        return any(self.a_tile_can_follow(player, cell, shells - 1) for cell in near)

    def do_boat(self, player: str, cell: str) -> bool:
        if self.phase != "boat" or cell not in self.laid[player] or cell == self.boat[player]:
            return False
        self.boat[player] = cell
        self.end_turn()
        return True

    def do_stay(self, _) -> bool:
        if self.phase != "boat" or self.is_expert:
            return False
        self.end_turn()
        return True

    # What follows

    def put_on_board(self, player: str, word: str, cell: str) -> None:
        self.laid[player][cell] = word
        self.laid_now = True
        self.quiet_turns = 0
        in_box = 30 - sum(self.shells.values())
        self.shells[player] += min(self.tiles[word.split("@")[0]].get("shells", 0), in_box)
        if self.has_boats and self.boat[player] is None:
            self.boat[player] = cell
        spaces = self.board["rows"] * self.board["columns"] - len(self.board["printed"])
        if len(self.laid[player]) == spaces:
            self.ends = True

    def leaves_display(self, tile: str) -> None:
        for place, there in list(self.display.items()):
            if there == tile:
                del self.display[place]
                self.hole = place
        if self.pile:
            self.refill_for, self.waiting, self.phase = self.waiting, "chance", "refill"
        else:
            self.after_exploring()

    def after_exploring(self) -> None:
        if self.waiting == "chance":
            self.waiting = self.refill_for
        player = self.waiting
        somewhere_to_go = self.boat[player] is not None and len(self.laid[player]) >= 2
        if somewhere_to_go and (self.laid_now or not self.is_expert):
            self.phase = "boat"
        else:
            self.end_turn()

    def end_turn(self) -> None:
        place = self.players.index(self.waiting)
        if place + 1 < len(self.players):
            self.phase, self.waiting = "sail", self.players[place + 1]
            return
        if not self.pile and self.quiet_turns >= len(self.players):
            self.ends = True
        if self.ends:
            self.phase, self.waiting = "over", None
        else:
            self.round += 1
            self.phase, self.waiting = "sail", self.players[0]
