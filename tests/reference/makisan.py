"""A referee and a scorer for Maki-San, written from the rules digest and the list of actions. Slow and obvious.

Actions: `chance open red-green`, `north face red`, `south draw`, `chance draw south red-green`,
`south lay left MINE THEIRS`, `south flip 3`, `south move 3 left`, `south wasabi 3 right`.
"""

COLOURS = ["red", "green", "yellow", "blue", "black"]


def all_makis() -> list[str]:
    makis = []
    for first in range(5):
        for second in range(first + 1, 5):
            makis.append(COLOURS[first] + "-" + COLOURS[second])
    return makis


def wins_round(colours: list[str]) -> bool:
    """Whether four neighbours in this list are alike."""
    for start in range(len(colours) - 3):
        if colours[start] == colours[start + 1] == colours[start + 2] == colours[start + 3]:
            return True
    return False


def score(position: dict) -> dict:
    south = [facing.split("-")[0] for facing in position["line"]]
    north = [facing.split("-")[1] for facing in position["line"]]
    scores = {}
    for seat in position["players"]:
        before = position["wins"][seat]
        now = 1 if wins_round(south if seat == "south" else north) else 0
        scores[seat] = {"rounds": before, "line": now, "total": before + now}
    best = max(scores[seat]["total"] for seat in scores)
    return {"scores": scores, "winners": [seat for seat in position["players"] if scores[seat]["total"] == best]}


class Maki:
    """One maki on the table."""

    def __init__(self, name: str, south: str, north: str) -> None:
        self.name = name
        self.south = south
        self.north = north

    def turn(self) -> None:
        self.south, self.north = self.north, self.south


class Referee:
    """Plays one game, action by action, and says of each action whether the rules accept it."""

    def __init__(self, header: dict) -> None:
        self.header = header
        self.with_wasabi = header["rules"] == "wasabi"
        self.players: list[str] = list(header["players"])
        self.wins = {"south": 0, "north": 0}
        self.over = False
        self.round = 0
        self.first = self.other(self.players[0])
        self.new_round()

    def new_round(self) -> None:
        self.round += 1
        self.first = self.other(self.first)
        self.turn = self.first
        self.bag = all_makis()
        self.line: list[Maki] = []
        self.hand: str | None = None
        self.phase = "opening"
        self.wasabi_owner: str | None = None
        self.wasabi_on: Maki | None = None
        self.last_turned: list[Maki] = []
        self.last_moved: Maki | None = None
        # Which makis each has seen from both sides.
        self.seen: dict[str, set[str]] = {"south": set(), "north": set()}

    def other(self, seat: str) -> str:
        return "north" if seat == "south" else "south"

    def waits_for(self) -> str | None:
        if self.over:
            return None
        if self.phase in ("opening", "draw") and self.hand is None:
            return "chance"
        if self.phase == "opening":
            return self.other(self.first)
        return self.turn

    def position(self) -> dict:
        wasabi = {}
        if self.wasabi_on is not None:
            wasabi = {str(self.line.index(self.wasabi_on) + 1): self.wasabi_owner}
        return {
            "game": "makisan",
            "rules": self.header["rules"],
            "players": list(self.players),
            "wins": dict(self.wins),
            "line": [maki.south + "-" + maki.north for maki in self.line],
            "wasabi": wasabi,
        }

    def seen_by(self, seat: str) -> list[tuple[str | None, str | None]]:
        """The line as a seat may know it while the game is on: the colours to the south and to the north."""
        answer: list[tuple[str | None, str | None]] = []
        for maki in self.line:
            if maki.name in self.seen[seat]:
                answer.append((maki.south, maki.north))
            elif seat == "south":
                answer.append((maki.south, None))
            else:
                answer.append((None, maki.north))
        return answer

    def play(self, text: str) -> bool:
        who, verb, *words = text.split()
        if who != self.waits_for():
            return False
        if who == "chance":
            return self.chance(verb, words)
        if self.phase == "opening":
            return verb == "face" and len(words) == 1 and self.face(who, words[0])
        if self.phase == "draw":
            return verb == "lay" and len(words) == 3 and self.lay(who, words[0], words[1], words[2])
        if verb == "draw" and not words and self.bag:
            self.phase = "draw"
            self.last_turned = []
            self.last_moved = None
            return True
        if verb == "flip" and len(words) == 1:
            return self.flip(words[0])
        if verb == "move" and len(words) == 2:
            return self.move(words[0], words[1])
        if verb == "wasabi" and len(words) == 2:
            return self.wasabi(who, words[0], words[1])
        return False

    def chance(self, verb: str, words: list[str]) -> bool:
        if self.phase == "opening":
            if verb != "open" or len(words) != 1 or words[0] not in self.bag:
                return False
            self.seen["south"].add(words[0])
            self.seen["north"].add(words[0])
        else:
            if verb != "draw" or len(words) != 2 or words[0] != self.turn or words[1] not in self.bag:
                return False
            self.seen[self.turn].add(words[1])
        self.bag.remove(words[-1])
        self.hand = words[-1]
        return True

    def maki(self, who: str, mine: str, theirs: str) -> Maki | None:
        """The maki in hand with these colours to its owner and to the other; None if it has others."""
        assert self.hand is not None
        if self.hand not in (mine + "-" + theirs, theirs + "-" + mine):
            return None
        if who == "south":
            return Maki(self.hand, mine, theirs)
        return Maki(self.hand, theirs, mine)

    def face(self, who: str, colour: str) -> bool:
        assert self.hand is not None
        colours = self.hand.split("-")
        if colour not in colours:
            return False
        colours.remove(colour)
        maki = self.maki(who, colour, colours[0])
        assert maki is not None
        self.line = [maki]
        self.hand = None
        self.phase = "turn"
        return True

    def lay(self, who: str, end: str, mine: str, theirs: str) -> bool:
        maki = self.maki(who, mine, theirs)
        if maki is None or end not in ("left", "right"):
            return False
        if end == "left":
            self.line.insert(0, maki)
        else:
            self.line.append(maki)
        self.hand = None
        self.phase = "turn"
        self.done([], None)
        return True

    def at(self, place: str) -> Maki | None:
        for number in range(len(self.line)):
            if place == str(number + 1):
                return self.line[number]
        return None

    def flip(self, place: str) -> bool:
        maki = self.at(place)
        if maki is None or maki is self.wasabi_on or maki in self.last_turned:
            return False
        self.turn_over([maki])
        self.done([maki], None)
        return True

    def turn_over(self, makis: list[Maki]) -> None:
        for maki in makis:
            maki.turn()
            self.seen["south"].add(maki.name)
            self.seen["north"].add(maki.name)

    def move(self, place: str, end: str) -> bool:
        maki = self.at(place)
        if maki is None or maki is self.wasabi_on or maki is self.last_moved or end not in ("left", "right"):
            return False
        if end == "left" and maki is self.line[0]:
            return False
        if end == "right" and maki is self.line[-1]:
            return False
        self.line.remove(maki)
        if end == "left":
            self.line.insert(0, maki)
        else:
            self.line.append(maki)
        self.done([], maki)
        return True

    def wasabi(self, who: str, place: str, end: str) -> bool:
        maki = self.at(place)
        if maki is None or not self.with_wasabi or end not in ("left", "right"):
            return False
        if self.wasabi_owner == who or maki is self.wasabi_on:
            return False
        self.wasabi_owner = who
        self.wasabi_on = maki
        number = self.line.index(maki)
        flipped = self.line[:number] if end == "left" else self.line[number + 1 :]
        self.turn_over(flipped)
        self.done(flipped, None)
        return True

    def done(self, turned: list[Maki], moved: Maki | None) -> None:
        """The action is over: remember what must not be undone, look for winners."""
        self.last_turned = list(turned)
        self.last_moved = moved
        self.turn = self.other(self.turn)
        south = wins_round([maki.south for maki in self.line])
        north = wins_round([maki.north for maki in self.line])
        if not south and not north:
            return
        south_wins = self.wins["south"] + (1 if south else 0)
        north_wins = self.wins["north"] + (1 if north else 0)
        if south_wins == 2 or north_wins == 2:
            self.over = True
            return
        self.wins = {"south": south_wins, "north": north_wins}
        self.new_round()
