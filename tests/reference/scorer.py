"""The final score of Maka Bana, written from the rules digest alone. Slow and obvious on purpose."""


def beach_of(site: str) -> str:
    return site.split("-")[0]


def beach_points(position: dict, boards: list[dict]) -> dict[str, int]:
    """4 for most huts; the club breaks a tie among the tied; else two share 2 + 2; three or more get nothing."""
    points = {player: 0 for player in position["players"]}
    beaches = []
    for board in boards:
        for site in board["sites"]:
            if beach_of(site["id"]) not in beaches:
                beaches.append(beach_of(site["id"]))
    for beach in beaches:
        counts = {player: 0 for player in position["players"]}
        for site, owner in position["huts"].items():
            if beach_of(site) == beach:
                counts[owner] += 1
        most = max(counts.values())
        if most == 0:
            continue
        leaders = [player for player in position["players"] if counts[player] == most]
        club_owner = position.get("clubs", {}).get(beach)
        if len(leaders) == 1:
            points[leaders[0]] += 4
        elif club_owner in leaders:
            points[club_owner] += 4
        elif len(leaders) == 2:
            points[leaders[0]] += 2
            points[leaders[1]] += 2
    return points


def group_sizes(sites: list[str], boards: list[dict]) -> list[int]:
    """Sizes of the groups that these sites (all of one colour) form side by side."""
    pairs = []
    for board in boards:
        for one, other in board["adjacent"]:
            pairs.append((one, other))
            pairs.append((other, one))
    sizes = []
    left = list(sites)
    while left:
        group = [left.pop()]
        grown = True
        while grown:
            grown = False
            for one, other in pairs:
                if one in group and other in left:
                    left.remove(other)
                    group.append(other)
                    grown = True
        sizes.append(len(group))
    return sizes


def hut_points(position: dict, boards: list[dict]) -> dict[str, int]:
    """Every group pays 1 for its first hut, 2 for its second and 3 for each further one."""
    points = {player: 0 for player in position["players"]}
    for player in position["players"]:
        own_sites = [site for site, owner in position["huts"].items() if owner == player]
        for size in group_sizes(own_sites, boards):
            for number in range(1, size + 1):
                if number == 1:
                    points[player] += 1
                elif number == 2:
                    points[player] += 2
                else:
                    points[player] += 3
    return points


def club_points(position: dict) -> dict[str, int]:
    """A club pays its owner 1 for each own hut on its beach."""
    points = {player: 0 for player in position["players"]}
    for beach, club_owner in position.get("clubs", {}).items():
        for site, hut_owner in position["huts"].items():
            if beach_of(site) == beach and hut_owner == club_owner:
                points[club_owner] += 1
    return points


def winners_of(position: dict, totals: dict[str, int]) -> list[str]:
    """The players with the highest total; with camps, all colours of the camps with the highest sum."""
    camps = position.get("camps")
    if not camps:
        best = max(totals.values())
        return [player for player in position["players"] if totals[player] == best]
    sums = []
    for camp in camps:
        sums.append(sum(totals[colour] for colour in camp))
    winning_colours = []
    for camp, camp_sum in zip(camps, sums, strict=True):
        if camp_sum == max(sums):
            winning_colours.extend(camp)
    return [player for player in position["players"] if player in winning_colours]


def score(position: dict, boards: list[dict]) -> dict:
    beaches = beach_points(position, boards)
    huts = hut_points(position, boards)
    clubs = club_points(position)
    scores = {}
    totals = {}
    for player in position["players"]:
        totals[player] = beaches[player] + huts[player] + clubs[player]
        scores[player] = {
            "beaches": beaches[player],
            "huts": huts[player],
            "clubs": clubs[player],
            "total": totals[player],
        }
    return {"scores": scores, "winners": winners_of(position, totals)}
