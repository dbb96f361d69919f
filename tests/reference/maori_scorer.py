"""The final score of Māori, written from the rulebook and the digest alone. Slow and obvious on purpose.

There are no bent islands, so an island is a line: it starts with an end piece open to the right (or downwards), goes
on with middle pieces and closes with the opposite end piece. Everything else that shows land is unfinished.
"""

CLOCKWISE = {"N": "E", "E": "S", "S": "W", "W": "N"}


def turned(sides: str, degrees: int) -> set[str]:
    """The sides after so many degrees, quarter by quarter."""
    result = set(sides)
    while degrees > 0:
        result = {CLOCKWISE[side] for side in result}
        degrees -= 90
    return result


def lying(word: str, tiles: dict[str, dict]) -> dict:
    """A tile as it lies on a board: its symbols, and the sides its land and half wreaths show now."""
    name, _, degrees = word.partition("@")
    tile = dict(tiles[name])
    tile["land"] = turned(tile.get("land", ""), int(degrees or 0))
    tile["wreaths"] = turned(tile.get("wreaths", ""), int(degrees or 0))
    return tile


def grid_of(laid: dict[str, str], board: dict, tiles: dict[str, dict]) -> list[list[dict | None]]:
    """The board as rows of tiles; None where nothing lies."""
    grid = [[None] * board["columns"] for _ in range(board["rows"])]
    for cell, word in laid.items():
        row, column = cell.split(",")
        grid[int(row) - 1][int(column) - 1] = lying(word, tiles)
    return grid


def lines_of_land(grid: list[list[dict | None]]) -> list[list[tuple[int, int]]]:
    """All complete islands, each as the list of its places."""
    islands = []
    for row, tiles in enumerate(grid):
        for column, tile in enumerate(tiles):
            if tile is None:
                continue
            if tile["kind"] == "island":
                islands.append([(row, column)])
            for begin, through, finish, down, right in (("E", "EW", "W", 0, 1), ("S", "NS", "N", 1, 0)):
                if tile["land"] != {begin}:
                    continue
                places = [(row, column)]
                while True:
                    next_row, next_column = places[-1][0] + down, places[-1][1] + right
                    if next_row >= len(grid) or next_column >= len(grid[0]) or grid[next_row][next_column] is None:
                        break
                    land = grid[next_row][next_column]["land"]
                    places.append((next_row, next_column))
                    if land == {finish}:
                        islands.append(places)
                        break
                    if land != set(through):
                        break
    return islands


def score(position: dict, board: dict, tiles: dict[str, dict]) -> dict:
    players = position["players"]
    scores, canoes = {}, {}
    free = board["rows"] * board["columns"] - len(board["printed"])
    for player in players:
        grid = grid_of(position["laid"].get(player, {}), board, tiles)
        islands = lines_of_land(grid)
        finished = {place for island in islands for place in island}
        for row, line in enumerate(grid):  # before the count, what does not finish an island is taken off
            for column, tile in enumerate(line):
                if tile is not None and tile["kind"] != "water" and (row, column) not in finished:
                    grid[row][column] = None
        scores[player] = {
            "islands": sum(island_points(grid, island, board) for island in islands),
            "wreaths": 10 * wreaths(grid),
            "shells": 0,
            "canoes": 0,
            "gaps": -(free - sum(tile is not None for line in grid for tile in line)),
        }
        canoes[player] = canoes_on(grid, board)
    for player in players:
        if position["shells"][player] == max(position["shells"][other] for other in players):
            scores[player]["shells"] = position["shells"][player]
        if canoes[player] == max(canoes.values()):
            scores[player]["canoes"] = canoes[player]
    for line in scores.values():
        line["total"] = sum(line.values())
    return {"scores": scores, "winners": winners(players, scores, position["shells"])}


def island_points(grid: list[list[dict | None]], island: list[tuple[int, int]], board: dict) -> int:
    palms = huts = 0
    for row, column in island:
        palms += grid[row][column].get("palms", 0)
        huts += grid[row][column].get("huts", 0)
    points = palms * 2 if huts > 0 else palms
    if all(f"{row + 1},{column + 1}" in board["inside"] for row, column in island):
        points = points * 2
    return points


def wreaths(grid: list[list[dict | None]]) -> int:
    """Half wreaths that face each other across an edge."""
    count = 0
    for row, line in enumerate(grid):
        for column, tile in enumerate(line):
            right = line[column + 1] if column + 1 < len(line) else None
            below = grid[row + 1][column] if row + 1 < len(grid) else None
            if tile and right and "E" in tile["wreaths"] and "W" in right["wreaths"]:
                count += 1
            if tile and below and "S" in tile["wreaths"] and "N" in below["wreaths"]:
                count += 1
    return count


def canoes_on(grid: list[list[dict | None]], board: dict) -> int:
    count = board["canoes"]
    for row, line in enumerate(grid):
        for column, tile in enumerate(line):
            if tile is not None:
                count += tile.get("canoes", 0)
            elif f"{row + 1},{column + 1}" in board["canoe_cells"]:
                count += 1
    return count


def winners(players: list[str], scores: dict, shells: dict[str, int]) -> list[str]:
    """Most points; among these the most wooden shells; whoever is still equal shares the win."""
    best = max(line["total"] for line in scores.values())
    first = [player for player in players if scores[player]["total"] == best]
    most = max(shells[player] for player in first)
    return [player for player in first if shells[player] == most]
