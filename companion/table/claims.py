"""Races: several seats press, and the first one counts (Mao's denunciation).

Buttons know their moment exactly; a phone's is corrected by its measured clock and known to within half a round trip.
Two moments closer than their uncertainties can't be told apart: that is said aloud, and the seat order decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.table.observations import When

# Presses travel for a moment. After the first one is heard, earlier ones may still be on their way for this long.
HOLD_S = 0.7
# A phone that says nothing of its clock is known no better than this.
ARRIVAL_WITHIN_S = 0.3
MOST_WITHIN_S = 0.3


class Claim(NamedTuple):
    """A press: who, when, and what for if that was said with it (a button says nothing)."""

    seat: str
    pressed: When
    words: tuple[str, ...] = ()


class Verdict(NamedTuple):
    """Who was first. `near_tie` are those who can't be told apart from the first, the first included."""

    first: Claim
    near_tie: tuple[str, ...]


def judge(claims: Sequence[Claim], seat_order: Sequence[str]) -> Verdict:
    """The first of at least one claim; each seat's earliest counts."""
    earliest = min(claims, key=lambda claim: claim.pressed.at)
    tied = [
        claim for claim in claims
        if claim.pressed.at - earliest.pressed.at <= claim.pressed.within + earliest.pressed.within
    ]  # fmt: skip
    seats = tuple(seat for seat in seat_order if seat in {claim.seat for claim in tied})
    first = min((claim for claim in tied if claim.seat == seats[0]), key=lambda claim: claim.pressed.at)
    return Verdict(first, seats if len(seats) > 1 else ())


def bounded(pressed: When, opened: float, now: float) -> When:
    """A moment as it can have been, whatever a phone says: not before the race was open, not in the future, and not
    longer ago than presses travel. So a phone that lies about its clock gains no more than a slow network costs.
    """
    at = min(max(pressed.at, opened, now - HOLD_S), now)
    return When(at, min(max(pressed.within, 0.0), MOST_WITHIN_S))
