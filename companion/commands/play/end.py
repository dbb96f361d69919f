"""The end of a game, told step by step: beaches, huts, clubs, then who won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from companion.commands.play.screen import Scene, rule_line
from companion.commands.play.terminal import Terminal
from companion.commands.terminal import bar
from companion.games.protocol import Event, Score
from companion.games.texts import say

_SUN = (r"          \   |   /", r'        .   .-""-.   .', r"       ─── /      \ ───", r"    ~~~~~~~~~~~~~~~~~~~~~~~")
# The steps of the story: its heading, the codes of its reasons, and the points it brings.
_STEPS = (
    ("end_beaches", ("beach_won", "beach_won_by_club", "beach_shared", "beach_blocked", "beach_empty"), "beaches"),
    ("end_huts", ("group", "lone_huts"), "huts"),
    ("end_clubs", ("club",), "clubs"),
    ("end_camps", ("camp",), None),
)


def tell_end(terminal: Terminal, score: Score, mine: Sequence[str]) -> None:
    """`mine` are the colours of the player."""
    scene = terminal.scene
    totals: Counter[str] = Counter({player: 0 for player in score.points})
    players = list(score.points)
    reasons = [*score.reasons, *_lone_huts(score.reasons)]
    for heading, codes, category in _STEPS:
        step = [reason for reason in reasons if reason.code in codes and not _is_lone(reason)]
        step.sort(key=lambda reason: players.index(reason.data["player"]) if "player" in reason.data else 0)
        if not step:
            continue
        terminal.lines(["", rule_line(scene.text(heading), scene)])
        for reason in step:
            terminal.say(say(reason, scene.language), bullet="· ")
            terminal.pause()
        if category:
            for player, points in score.points.items():
                totals[player] += points[category]
            said = ", ".join(f"{scene.name(player)} {points}" for player, points in totals.most_common())
            terminal.say(f"{scene.text('end_so_far')}: {said}", bullet="  = ")
            terminal.pause(2)
    terminal.lines(["", rule_line(scene.text("end_total"), scene), "", *_bars(score, scene), "", *_sun(scene), ""])
    star = "★ " if set(mine) & set(score.winners) else ""
    terminal.say(verdict(score, mine, scene), bullet=star)


def _is_lone(reason: Event) -> bool:
    return reason.code == "group" and len(reason.data["sites"]) == 1


def _lone_huts(reasons: Sequence[Event]) -> Iterator[Event]:
    """The huts that stand alone, counted for each player."""
    lone = Counter(reason.data["player"] for reason in reasons if _is_lone(reason))
    for player, count in lone.items():
        yield Event("lone_huts", {"player": player, "count": count, "points": count})


def _bars(score: Score, scene: Scene) -> Iterator[str]:
    totals = {player: points["total"] for player, points in score.points.items()}
    width = max(len(scene.name(player)) for player in totals)
    most = max(1, *totals.values())
    for player in sorted(totals, key=lambda player: -totals[player]):
        label = f"{scene.mark(player)} {scene.name(player).ljust(width)}"
        drawn = scene.ink.colour(player, f"{label} {bar(totals[player] / most)}")
        yield f"  {drawn} {totals[player]:3}" + (scene.ink.bold(" ★") if player in score.winners else "")


def _sun(scene: Scene) -> Iterator[str]:
    *rays, waves = _SUN
    yield from (scene.ink.colour("yellow", line) for line in rays)
    yield scene.ink.colour("blue", waves)


def verdict(score: Score, mine: Sequence[str], scene: Scene) -> str:
    """Who won, said to the player."""
    winners = [player for player in score.winners if player not in mine]
    own = sum(score.points[player]["total"] for player in mine)
    if not winners:
        return scene.text("you_win", points=own)
    if set(mine) & set(score.winners):
        return scene.text("you_share", others=scene.names(winners), points=own)
    best = score.points[winners[0]]["total"]
    if len(mine) > 1:  # the other camp: its colours count together
        best = sum(score.points[player]["total"] for player in winners)
    key = "you_lose" if len(winners) == 1 else "you_lose_to_many"
    return scene.text(key, winners=scene.names(winners), points=best, mine=own)
