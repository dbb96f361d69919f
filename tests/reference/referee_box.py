"""What the referee has before it: board, seats, cards and pieces, and the plain questions about them.

Written, like the referee, from the rules digest alone.
"""

RULES = ["2013", "2013-mao", "2013-teams", "2003", "2003-mao"]
SECTORS_2013 = ["Sable", "Lagon", "Cocotier", "Rocher"]
SECTORS_2003 = ["Sable", "Herbe", "Rocher", "Lagon"]
SPOTS = ["Tatouage", "Fleur", "Poisson"]
PAINT = "Paint"
CLUB = "Club"


def beach_of(site: str) -> str:
    return site.split("-")[0]


def club_place_of(beach: str) -> str:
    return "club:" + beach


class Box:
    """One game's board, people, cards and pieces, and how far the round has come."""

    def __init__(self, header: dict, boards: dict[str, dict]) -> None:
        if header["rules"] not in RULES:
            raise ValueError("unknown rules: " + str(header["rules"]))
        self.header = header
        self.rules: str = header["rules"]
        self.colours: list[str] = list(header["players"])
        self.edition_2003 = self.rules in ("2003", "2003-mao")
        self.mao = self.rules in ("2013-mao", "2003-mao")
        self.teams = self.rules == "2013-teams"

        options = header.get("options") or {}
        self.protect_only_when_threatened: bool = options.get("protect_only_when_threatened", True)

        self.lay_out(boards)
        self.seat_everyone()
        self.reserve: dict[str, int] = {colour: 20 if self.teams else 10 for colour in self.colours}
        self.huts: dict[str, str] = {}
        self.clubs: dict[str, str] = {}
        self.tikis: dict[str, str] = {}
        self.begin()

    def lay_out(self, boards: dict[str, dict]) -> None:
        """The board: sites and beaches in play, neighbours."""
        self.sites: list[str] = []
        self.beaches: list[str] = []
        self.neighbours: dict[str, set[str]] = {}
        for name in self.header["boards"]:
            for entry in boards[name]["sites"]:
                site = entry["id"]
                if self.edition_2003 and len(self.colours) == 3 and beach_of(site) == "Bikini":
                    continue
                self.sites.append(site)
                self.neighbours[site] = set()
                if beach_of(site) not in self.beaches:
                    self.beaches.append(beach_of(site))
            for one, other in boards[name]["adjacent"]:
                if one in self.neighbours and other in self.neighbours:
                    self.neighbours[one].add(other)
                    self.neighbours[other].add(one)
        self.sectors: list[str] = SECTORS_2003 if self.edition_2003 else SECTORS_2013

    def seat_everyone(self) -> None:
        """The seats and their cards."""
        self.seats: list[str] = []
        self.colour_of: dict[str, str] = {}
        if self.teams:
            for half in ("1", "2"):
                for colour in self.colours:
                    self.seats.append(colour + "-" + half)
                    self.colour_of[colour + "-" + half] = colour
        else:
            for colour in self.colours:
                self.seats.append(colour)
                self.colour_of[colour] = colour
        self.paints_left: dict[str, int] = {seat: 2 for seat in self.seats}
        self.clubs_left: dict[str, int] = {seat: 0 if self.edition_2003 else 1 for seat in self.seats}

    def begin(self) -> None:
        """The round before anything has happened in it."""
        self.first_index = 0
        self.final = False
        self.results: dict[str, str] = {}
        self.plans: dict[str, list[str]] = {}
        self.shown: dict[str, str | None] = {}
        self.out_seat: str | None = None
        self.queue: list[str] = []
        self.accuser: str | None = None
        self.accused: str | None = None
        self.amends_step: str | None = None
        self.offered_site: str | None = None
        self.revealed = False
        self.deeds_done: list[str] = []
        self.paints_used = 0

        self.opening_huts: dict[str, str] = {}
        if self.edition_2003:
            self.phase = "plan"
            self.round = 1
        else:
            self.phase = "opening"
            self.round = 0
            self.queue = list(self.seats) + list(reversed(self.seats))

    # What can be asked.

    def position(self) -> dict:
        answer: dict = {
            "game": "makabana",
            "rules": self.rules,
            "boards": list(self.header["boards"]),
            "players": list(self.colours),
            "huts": dict(self.huts),
            "clubs": dict(self.clubs),
            "tikis": dict(self.tikis),
        }
        if self.header.get("camps"):
            answer["camps"] = [list(camp) for camp in self.header["camps"]]
        return answer

    def reserves(self) -> dict[str, int]:
        return dict(self.reserve)

    def hand(self, seat: str) -> list[str]:
        """The cards the seat still has, those lying in its plan included: only spent cards are missing.

        A team play card with two beaches is one entry, such as `Azzura/Aloa`."""
        cards = []
        for letter in self.beach_letters():
            cards.append("/".join(beach for beach in self.beaches if beach[0] == letter))
        cards.extend(self.sectors)
        cards.extend(SPOTS)
        cards.extend([CLUB] * self.clubs_left[seat])
        cards.extend([PAINT] * self.paints_left[seat])
        return cards

    def laid(self, seat: str) -> list[str] | None:
        """The cards of the seat's plan, None if it has none (an empty plan is an empty list)."""
        if seat not in self.plans or seat == self.out_seat:
            return None
        return list(self.plans[seat])

    def waiting_for(self) -> set[str]:
        if self.phase == "plan":
            return {seat for seat in self.seats if seat not in self.plans}
        if self.phase == "denounce":
            return set(self.seats)
        if self.phase == "amends":
            if self.amends_step == "answer":
                return {str(self.accused)}
            return {str(self.accuser)}
        if self.phase in ("opening", "tiki", "realise"):
            return {self.queue[0]}
        return set()

    def last_result(self, seat: str) -> str | None:
        """What the seat's plan came to this round. While the seats plan, still that of the round before."""
        return self.results.get(seat)

    def first_player(self) -> str:
        return self.seats[self.first_index]

    def turn_order(self) -> list[str]:
        return self.seats[self.first_index :] + self.seats[: self.first_index]

    # Cards.

    def beach_letters(self) -> list[str]:
        letters: list[str] = []
        for beach in self.beaches:
            if beach[0] not in letters:
                letters.append(beach[0])
        return letters

    def kind_of(self, card: str) -> str | None:
        if card in self.beaches:
            return "beach"
        if card in self.sectors:
            return "sector"
        if card in SPOTS:
            return "spot"
        if card == PAINT:
            return "paint"
        if card == CLUB:
            return "club"
        return None

    def hand_holds(self, seat: str, cards: list[str]) -> bool:
        beach_letters_used = []
        for card in cards:
            kind = self.kind_of(card)
            if kind is None:
                return False
            if kind == "beach":
                if card[0] in beach_letters_used:
                    return False
                beach_letters_used.append(card[0])
            elif kind == "paint":
                if cards.count(card) > self.paints_left[seat]:
                    return False
            elif kind == "club":
                if cards.count(card) > self.clubs_left[seat]:
                    return False
            elif cards.count(card) > 1:
                return False
        return True

    def in_order(self, cards: list[str]) -> list[str]:
        """Beach, sector, spot: the order in which a site is written."""
        ordered = []
        for kind in ("beach", "sector", "spot"):
            for card in cards:
                if self.kind_of(card) == kind:
                    ordered.append(card)
        return ordered

    def names_one_site(self, cards: list[str]) -> bool:
        """Exactly one beach, one sector and one spot. The site may yet not exist."""
        return sorted(str(self.kind_of(card)) for card in cards) == ["beach", "sector", "spot"]

    def cards_name_site(self, cards: list[str], site: str) -> bool:
        """The three cards of the site are among these."""
        for part in site.split("-"):
            if part not in cards:
                return False
        return True

    def opponent_shows_paint(self, seat: str) -> bool:
        for other in self.seats:
            if self.colour_of[other] != self.colour_of[seat] and PAINT in self.plans[other]:
                return True
        return False

    # Moving huts.

    def put_hut(self, colour: str, site: str) -> None:
        self.huts[site] = colour
        self.reserve[colour] -= 1

    def replace_hut(self, colour: str, site: str) -> None:
        self.reserve[self.huts[site]] += 1
        self.put_hut(colour, site)
