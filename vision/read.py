"""Reading a board from one picture: locate it, learn its light, look at every place, judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.errors import sentence
from vision.locate.find import Located, locate
from vision.locate.pose import Camera, Floats, Picture
from vision.reading import blank, claims, colours, glance, light, owners, patches, quality, sizes
from vision.reading.judge import Temper, Verdict, judge
from vision.reading.network import Evidence, evidence_of, nothing_at
from vision.reference import Reference

_MOST_LOOKS = 10  # places that are looked at more closely
_SHIFTS_PX = ((2, 0), (-1, 1), (-1, -1))  # across and down, from which it is looked at again


class Settings(NamedTuple):
    """What a reading may use; the `without_` switches are for the ablations of `vision.evaluate`."""

    colours: colours.Settings = colours.Settings()
    sizes: sizes.Settings = sizes.Settings()
    claims: claims.Settings = claims.Settings()
    owners: owners.Settings = owners.Settings()
    temper: Temper = Temper()
    second_look: float = 3.0  # logit below which a place is looked at more closely; 0 never
    without_pose: bool = False
    without_reference: bool = False


class Reading(NamedTuple):
    """Everything one picture says about a board."""

    located: Located
    verdicts: tuple[Verdict, ...]
    quality: Mapping[str, float]
    notes: tuple[tuple[str, Mapping[str, Any]], ...]
    looks: colours.Looks
    lamp: Floats
    hut_mm2: float | None

    def to_json(self, language: str = "en") -> dict[str, Any]:
        """The reading in the form of `makabana read --json`."""
        return {
            "found": True,
            "sites": {v.place: v.to_json() for v in self.verdicts if v.base_name == "hut"},
            "clubs": {v.place: v.to_json() for v in self.verdicts if v.base_name == "club"},
            "doubts": [sentence(code, data, language) for code, data in self.doubts],
            "doubt_codes": [{"code": code, **data} for code, data in self.doubts],
            "quality": dict(self.quality),
        }

    @property
    def doubts(self) -> list[tuple[str, Mapping[str, Any]]]:
        own = [doubt for verdict in self.verdicts if (doubt := verdict.doubt()) is not None]
        return [*self.notes, *own]


def read(
    picture: Picture,
    reference: Reference,
    camera: Camera | None = None,
    palette: Mapping[str, Floats] | None = None,
    settings: Settings | None = None,
) -> Reading:
    """What stands on every place of the board in a BGR picture. Raises a `VisionError` where there is none to read."""
    return read_located(picture, locate(picture, reference, camera), reference, palette, settings or Settings())


def read_located(
    picture: Picture,
    located: Located,
    reference: Reference,
    palette: Mapping[str, Floats] | None,
    settings: Settings,
    hut_mm2: float | None = None,
) -> Reading:
    """The same for a board whose place in the picture is known, and perhaps how large its huts look."""
    spots = reference.places_mm
    small, view = patches.at_reading_size(picture, located.view, spots)
    lit = light.light_of(small, view, reference.picture, reference.px_per_mm, spots)
    gains = light.gains_at(lit, spots)
    cut = patches.cut(small, view, spots, reference.picture, reference.px_per_mm, not settings.without_pose)
    names = [(site, "hut") for site in reference.sites_mm] + [(beach, "club") for beach in reference.clubs_mm]
    is_site = np.array([base_name == "hut" for _, base_name in names], bool)
    is_plain = glance.shows_print(cut, gains) & (not settings.without_reference)
    alone = evidence = _looked_at(cut, gains, is_site, is_plain, settings)
    turns = patches.patch_transforms(view, spots, not settings.without_pose)
    evidence = claims.settled(evidence, turns, spots, cut.elevation, settings.claims)
    measured_huts = sizes.hut_mm2(evidence, cut.elevation, is_site)
    evidence = sizes.weighed(evidence, cut.elevation, is_site, hut_mm2, settings.sizes)
    evidence = owners.answered(evidence, turns, spots, cut.elevation, settings.owners)
    prior = colours.prior_of(palette, reference.colours)
    evidence = colours.expected_colours(both_heard(alone, evidence), prior)
    evidence = blank.doubt_blank_places(evidence, cut, is_plain)
    looks = colours.looks_of(cut, gains, evidence)
    chances = colours.colour_chances(evidence, looks, prior, palette, settings.colours)
    inside = cut.inside.mean(axis=(1, 2))
    hidden = 1 / (1 + np.exp(-evidence.cover))
    verdicts = judge(names, evidence.states, chances, hidden, inside, settings.temper, settings.colours)
    measured = quality.measure(picture, located, lit, cut, _covered(evidence))
    return Reading(
        located, tuple(verdicts), measured, quality.notes(measured), looks, lit.lamp, measured_huts or hut_mm2
    )


def _looked_at(
    cut: patches.Patches,
    gains: Floats,
    is_site: NDArray[np.bool_],
    is_plain: NDArray[np.bool_],
    settings: Settings,
) -> Evidence:
    """What the network sees at all places but the plainly empty ones."""
    nothing, rows = nothing_at(len(is_plain)), np.flatnonzero(~is_plain)
    if not len(rows):
        return nothing
    channels = _channels(cut.some(rows), gains[rows], is_site[rows], settings)
    asked = _looked_twice(evidence_of(channels), channels, settings)
    for every, some in zip(nothing, asked, strict=True):
        every[rows] = some
    return nothing


def _looked_twice(first: Evidence, channels: patches.Channels, settings: Settings) -> Evidence:
    """Where the first look leaves a doubt, more looks from a hair's breadth beside it, and the mean of all.

    They are looks into a mirror: as many straight ones beside them changed nothing.
    """
    ranked = np.sort(first.states, axis=1)
    doubt = ranked[:, -1] - ranked[:, -2]
    unsure = np.argsort(doubt)[: min(_MOST_LOOKS, int((doubt < settings.second_look).sum()))]
    if not len(unsure):
        return first
    again = evidence_of(patches.mirrored(channels[unsure], _SHIFTS_PX))
    count = len(_SHIFTS_PX)

    def mixed(before: Floats, after: Floats) -> Floats:
        result = before.copy()
        mean = after.reshape(count, len(unsure), *after.shape[1:]).mean(axis=0)
        result[unsure] = (before[unsure] + count * mean) / (count + 1)
        return result

    names = ("states", "cover", "colours")
    return first._replace(**{name: mixed(getattr(first, name), getattr(again, name)) for name in names})


def both_heard(alone: Evidence, together: Evidence) -> Evidence:
    """Where a place says one thing alone and another among its neighbours, the mean of both: a doubt."""
    is_torn = alone.states.argmax(axis=1) != together.states.argmax(axis=1)
    mean = np.log((np.exp(alone.states) + np.exp(together.states)) / 2)
    return together._replace(states=np.where(is_torn[:, None], mean, together.states))


def _channels(cut: patches.Patches, gains: Floats, is_site: NDArray[np.bool_], settings: Settings) -> patches.Channels:
    channels = patches.network_input(cut, gains, is_site)
    if settings.without_reference:
        channels[:, 3:6] = 0
    return channels


def _covered(evidence: Evidence) -> float:
    return float((evidence.cover > 0).mean()) if len(evidence.cover) else 0.0


def known_places(reading: Reading) -> dict[str, int]:
    """Where each place's row stands in `looks`: sites by name, club places as `club:Beach`."""
    return {v.place if v.base_name == "hut" else f"club:{v.place}": i for i, v in enumerate(reading.verdicts)}


def look_at(reading: Reading, place: str, part: int) -> Floats | None:
    """(3,) the look of a place's base (0) or tiki (1), if enough of it is seen."""
    row = known_places(reading).get(place)
    if row is None or reading.looks.weight[row, part] < 12:
        return None
    return np.asarray(reading.looks.values[row, part])
