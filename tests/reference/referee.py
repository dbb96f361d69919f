"""A referee for Maka Bana, written from the rules digest and the action vocabulary alone. Slow and obvious on purpose.

Codes of `last_result` (several deeds of one Mao plan are joined with "+", such as "built+painted"):

    built, painted, club   the deed was done
    void                   the cards make no plan, or one that this round does not allow
    no-site                the cards name a site that is not on the boards in play
    tiki                   a tiki stood in the way
    occupied               a hut stood where one was to be built
    no-hut                 paint: no opponent's hut there; club: no own hut there
    club-taken             the beach has a club already
    no-reserve             no hut left to put down
    nothing                Mao: no deed was possible, or none was wanted
    out                    Mao: out for the round after a denunciation
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


class Referee:
    """Plays one game, action by action, and says of each action whether the rules accept it."""

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

    # One action.

    def play(self, line: str) -> bool:
        words = line.split("#")[0].split()
        if len(words) < 2:
            return False
        seat = words[0]
        verb = words[1]
        arguments = words[2:]
        if seat not in self.seats:
            return False
        if verb == "plan":
            return self.play_plan(seat, arguments)
        if verb in ("withdraw", "close", "accept", "decline", "reveal", "done"):
            if len(arguments) != 0:
                return False
            if verb == "withdraw":
                return self.play_withdraw(seat)
            if verb == "close":
                return self.play_close(seat)
            if verb == "accept":
                return self.play_accept(seat)
            if verb == "decline":
                return self.play_decline(seat)
            if verb == "reveal":
                return self.play_reveal(seat)
            return self.play_done(seat)
        if len(arguments) != 1:
            return False
        if verb == "hut":
            return self.play_hut(seat, arguments[0])
        if verb == "denounce":
            return self.play_denounce(seat, arguments[0])
        if verb == "repaint":
            return self.play_repaint(seat, arguments[0])
        if verb == "offer":
            return self.play_offer(seat, arguments[0])
        if verb == "tiki":
            return self.play_tiki(seat, arguments[0])
        if verb in ("build", "paint", "club"):
            return self.play_deed(seat, verb, arguments[0])
        return False

    # Opening.

    def play_hut(self, seat: str, site: str) -> bool:
        if self.phase != "opening" or self.queue[0] != seat:
            return False
        if site not in self.sites or site in self.huts:
            return False
        if seat in self.opening_huts:
            first_site = self.opening_huts[seat]
            if site in self.neighbours[first_site]:
                return False
            if beach_of(site) == beach_of(first_site):
                return False
        else:
            self.opening_huts[seat] = site
        self.put_hut(self.colour_of[seat], site)
        self.queue.pop(0)
        if len(self.queue) == 0:
            self.round = 1
            self.phase = "plan"
        return True

    # Plans.

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

    def play_plan(self, seat: str, arguments: list[str]) -> bool:
        if self.phase != "plan" or seat in self.plans:
            return False
        if len(arguments) == 0:
            self.plans[seat] = []
            self.shown[seat] = None
        else:
            if arguments.count("show") != 1:
                return False
            cards = arguments[: arguments.index("show")]
            after_show = arguments[arguments.index("show") + 1 :]
            if len(cards) == 0 or len(after_show) != 1:
                return False
            if not self.hand_holds(seat, cards):
                return False
            shown = after_show[0]
            if shown not in cards:
                return False
            if self.rules == "2003" and shown == PAINT:
                for card in cards:
                    if card != PAINT:
                        return False
            self.plans[seat] = cards
            self.shown[seat] = shown
        if len(self.plans) == len(self.seats):
            self.all_have_planned()
        return True

    def play_withdraw(self, seat: str) -> bool:
        if self.phase != "plan" or seat not in self.plans:
            return False
        del self.plans[seat]
        del self.shown[seat]
        return True

    def all_have_planned(self) -> None:
        self.results = {}
        if self.mao:
            self.phase = "denounce"
        else:
            self.start_tikis()

    # Denouncing, Mao only.

    def play_close(self, seat: str) -> bool:
        if self.phase != "denounce" or seat != self.first_player():
            return False
        self.start_tikis()
        return True

    def play_denounce(self, seat: str, accused: str) -> bool:
        if self.phase != "denounce":
            return False
        if accused not in self.seats or accused == seat:
            return False
        trickery_of_accuser = abs(len(self.plans[seat]) - 3)
        trickery_of_accused = abs(len(self.plans[accused]) - 3)
        if trickery_of_accused > trickery_of_accuser:
            self.out_seat = accused
            self.results[accused] = "out"
            self.accuser = seat
            self.accused = accused
            self.amends_step = self.first_amends_step()
            if self.amends_step is None:
                self.end_amends()
            else:
                self.phase = "amends"
        else:
            self.out_seat = seat
            self.results[seat] = "out"
            self.start_tikis()
        return True

    # Amends, Mao 2003 only. The accused is out.

    def first_amends_step(self) -> str | None:
        """What the accuser has to do, "repaint" or "offer"; None if nothing happens."""
        assert self.accuser is not None
        assert self.accused is not None
        if self.rules != "2003-mao" or self.final:
            return None
        cards = self.plans[self.accused]
        if PAINT not in cards:
            return None
        accuser_colour = self.colour_of[self.accuser]
        accused_colour = self.colour_of[self.accused]
        threatened_owners = []
        for site, owner in self.huts.items():
            if owner != accused_colour and self.cards_name_site(cards, site):
                threatened_owners.append(owner)
        if len(threatened_owners) == 0:
            return None
        if accuser_colour in threatened_owners:
            if accused_colour not in self.huts.values() or self.reserve[accuser_colour] == 0:
                return None
            return "repaint"
        if accuser_colour not in self.huts.values() or self.reserve[accused_colour] == 0:
            return None
        return "offer"

    def play_repaint(self, seat: str, site: str) -> bool:
        if self.phase != "amends" or self.amends_step != "repaint" or seat != self.accuser:
            return False
        assert self.accused is not None
        if self.huts.get(site) != self.colour_of[self.accused]:
            return False
        self.replace_hut(self.colour_of[seat], site)
        self.paints_left[self.accused] -= 1
        self.end_amends()
        return True

    def play_offer(self, seat: str, site: str) -> bool:
        if self.phase != "amends" or self.amends_step != "offer" or seat != self.accuser:
            return False
        if self.huts.get(site) != self.colour_of[seat]:
            return False
        self.offered_site = site
        self.amends_step = "answer"
        return True

    def play_accept(self, seat: str) -> bool:
        if self.phase != "amends" or self.amends_step != "answer" or seat != self.accused:
            return False
        assert self.offered_site is not None
        self.replace_hut(self.colour_of[seat], self.offered_site)
        self.paints_left[seat] -= 1
        self.end_amends()
        return True

    def play_decline(self, seat: str) -> bool:
        if self.phase != "amends" or self.amends_step != "answer" or seat != self.accused:
            return False
        self.end_amends()
        return True

    def end_amends(self) -> None:
        self.accuser = None
        self.accused = None
        self.amends_step = None
        self.offered_site = None
        self.start_tikis()

    # Tikis.

    def turn_order(self) -> list[str]:
        return self.seats[self.first_index :] + self.seats[: self.first_index]

    def start_tikis(self) -> None:
        self.phase = "tiki"
        self.queue = []
        for seat in self.turn_order()[: len(self.colours)]:
            if seat != self.out_seat:
                self.queue.append(seat)
        self.skip_seats_without_tiki_place()

    def skip_seats_without_tiki_place(self) -> None:
        while len(self.queue) > 0 and not self.has_tiki_place(self.queue[0]):
            self.queue.pop(0)
        if len(self.queue) == 0:
            self.start_realising()

    def has_tiki_place(self, seat: str) -> bool:
        for site in self.sites:
            if self.tiki_may_stand(seat, site):
                return True
        for beach in self.beaches:
            if self.tiki_may_stand(seat, club_place_of(beach)):
                return True
        return False

    def tiki_may_stand(self, seat: str, place: str) -> bool:
        if place in self.tikis.values():
            return False
        if place in self.sites:
            if place not in self.huts:
                return True
            if self.huts[place] != self.colour_of[seat]:
                return False
            if self.rules == "2003" and self.protect_only_when_threatened:
                return self.opponent_shows_paint(seat)
            return True
        if not self.edition_2003:
            for beach in self.beaches:
                if place == club_place_of(beach):
                    return beach not in self.clubs
        return False

    def opponent_shows_paint(self, seat: str) -> bool:
        for other in self.seats:
            if self.colour_of[other] != self.colour_of[seat] and PAINT in self.plans[other]:
                return True
        return False

    def play_tiki(self, seat: str, place: str) -> bool:
        if self.phase != "tiki" or self.queue[0] != seat:
            return False
        if not self.tiki_may_stand(seat, place):
            return False
        self.tikis[self.colour_of[seat]] = place
        self.queue.pop(0)
        self.skip_seats_without_tiki_place()
        return True

    # Realising.

    def start_realising(self) -> None:
        self.phase = "realise"
        self.queue = [seat for seat in self.turn_order() if seat != self.out_seat]
        self.revealed = False
        self.deeds_done = []
        self.paints_used = 0

    def play_reveal(self, seat: str) -> bool:
        if self.phase != "realise" or self.queue[0] != seat or self.revealed:
            return False
        cards = self.plans[seat]
        if not self.mao:
            self.end_turn(self.carry_out_plain_plan(seat, cards))
            return True
        if len(cards) == 3:
            if self.names_one_site(cards):
                self.end_turn(self.carry_out(seat, "build", "-".join(self.in_order(cards))))
            else:
                self.end_turn("void")
            return True
        if self.mao_plan_is_void(cards):
            self.end_turn("void")
            return True
        self.revealed = True
        if not self.any_deed_possible(seat):
            self.end_turn("nothing")
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

    def carry_out_plain_plan(self, seat: str, cards: list[str]) -> str:
        """A plan without Mao: carried out or failed. Answers the result code."""
        coordinates = [card for card in cards if card not in (PAINT, CLUB)]
        extras = [card for card in cards if card in (PAINT, CLUB)]
        if not self.names_one_site(coordinates):
            return "void"
        site = "-".join(self.in_order(coordinates))
        if extras == []:
            return self.carry_out(seat, "build", site)
        if self.final:
            return "void"
        if extras == [PAINT]:
            return self.carry_out(seat, "paint", site)
        if extras == [CLUB]:
            return self.carry_out(seat, "club", site)
        return "void"

    def obstacle(self, seat: str, deed: str, site: str) -> str | None:
        """What on the board or in the reserve is against the deed, None if nothing is. Cards don't matter here."""
        colour = self.colour_of[seat]
        if site not in self.sites:
            return "no-site"
        if deed == "build":
            if site in self.tikis.values():
                return "tiki"
            if site in self.huts:
                return "occupied"
            if self.reserve[colour] == 0:
                return "no-reserve"
        elif deed == "paint":
            if site not in self.huts or self.huts[site] == colour:
                return "no-hut"
            if self.edition_2003:
                if site in self.tikis.values():
                    return "tiki"
            elif self.tikis.get(self.huts[site]) == site:
                return "tiki"
            if self.reserve[colour] == 0:
                return "no-reserve"
        else:
            if self.huts.get(site) != colour:
                return "no-hut"
            if beach_of(site) in self.clubs:
                return "club-taken"
            if club_place_of(beach_of(site)) in self.tikis.values():
                return "tiki"
        return None

    def carry_out(self, seat: str, deed: str, site: str) -> str:
        """Does the deed if nothing on the board is against it, and answers the result code."""
        problem = self.obstacle(seat, deed, site)
        if problem is not None:
            return problem
        if deed == "build":
            self.put_hut(self.colour_of[seat], site)
            return "built"
        if deed == "paint":
            self.replace_hut(self.colour_of[seat], site)
            self.paints_left[seat] -= 1
            return "painted"
        self.clubs[beach_of(site)] = self.colour_of[seat]
        self.clubs_left[seat] -= 1
        return "club"

    def mao_plan_is_void(self, cards: list[str]) -> bool:
        """For plans of any number of cards but three."""
        if len(cards) == 0:
            return True
        if len(cards) < 3:
            kinds = [self.kind_of(card) for card in cards]
            for kind in kinds:
                if kind not in ("beach", "sector", "spot") or kinds.count(kind) > 1:
                    return True
            return False
        return self.rules == "2013-mao" and len(cards) > 5

    def deed_possible(self, seat: str, deed: str, site: str) -> bool:
        """Mao, after the reveal of a plan that is not void: may the seat do this deed now?"""
        cards = self.plans[seat]
        if deed != "build" and self.final:
            return False
        if len(cards) < 3:
            if deed != "build" or len(self.deeds_done) == 1:
                return False
            for card in cards:
                if card not in site.split("-"):
                    return False
        else:
            if len(self.deeds_done) == 2:
                return False
            if not self.cards_name_site(cards, site):
                return False
            if deed == "paint" and cards.count(PAINT) - self.paints_used < 1:
                return False
            if deed == "club" and (CLUB not in cards or "club" in self.deeds_done):
                return False
        return self.obstacle(seat, deed, site) is None

    def any_deed_possible(self, seat: str) -> bool:
        for deed in ("build", "paint", "club"):
            for site in self.sites:
                if self.deed_possible(seat, deed, site):
                    return True
        return False

    def play_deed(self, seat: str, deed: str, site: str) -> bool:
        if self.phase != "realise" or self.queue[0] != seat or not self.revealed:
            return False
        if not self.deed_possible(seat, deed, site):
            return False
        self.deeds_done.append(self.carry_out(seat, deed, site))
        if deed == "paint":
            self.paints_used += 1
        if not self.any_deed_possible(seat):
            self.end_turn("+".join(self.deeds_done))
        return True

    def play_done(self, seat: str) -> bool:
        if self.phase != "realise" or self.queue[0] != seat or not self.revealed:
            return False
        if len(self.deeds_done) == 0:
            self.end_turn("nothing")
        else:
            self.end_turn("+".join(self.deeds_done))
        return True

    def end_turn(self, result: str) -> None:
        self.results[self.queue[0]] = result
        self.queue.pop(0)
        self.revealed = False
        self.deeds_done = []
        self.paints_used = 0
        if len(self.queue) == 0:
            self.end_round()

    # The end of a round.

    def end_is_near(self) -> bool:
        low_reserve = 2 if self.teams else 1
        for colour in self.colours:
            if self.reserve[colour] <= low_reserve:
                return True
        complete_beaches = 0
        for beach in self.beaches:
            complete = True
            for site in self.sites:
                if beach_of(site) == beach and site not in self.huts and site not in self.tikis.values():
                    complete = False
            if complete:
                complete_beaches += 1
        return complete_beaches >= (2 if self.teams else 1)

    def end_round(self) -> None:
        if self.final:
            self.phase = "over"
            return
        if self.end_is_near():
            self.final = True
        self.first_index = (self.first_index + 1) % len(self.seats)
        self.tikis = {}
        self.plans = {}
        self.shown = {}
        self.out_seat = None
        self.round += 1
        self.phase = "plan"

    # Moving huts.

    def put_hut(self, colour: str, site: str) -> None:
        self.huts[site] = colour
        self.reserve[colour] -= 1

    def replace_hut(self, colour: str, site: str) -> None:
        self.reserve[self.huts[site]] += 1
        self.put_hut(colour, site)
