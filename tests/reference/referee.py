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

from tests.reference.referee_box import CLUB, PAINT, Box, beach_of, club_place_of


class Referee(Box):
    """Plays one game, action by action, and says of each action whether the rules accept it."""

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
