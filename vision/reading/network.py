"""The small network that says what stands in a patch. Made by `vision/training`, run by OpenCV."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import NamedTuple

import cv2
import numpy as np

from vision.locate.pose import Floats
from vision.reading.patches import CHANNELS, SIZE_PX, Channels

COLOURS = ("violet", "pink", "yellow", "blue", "green", "orange", "red", "black")  # the order it was trained in
_FILE = "reader.onnx"


STATES = 4
EMPTY, BASE, TIKI, BOTH = range(STATES)
HOLDING = ((BASE, BOTH), (TIKI, BOTH))  # the states in which a base and a tiki stand on a place
CELLS = 16  # masks are this many cells wide
_NEVER = 1e-4  # chance of what is beyond doubt
_OUTPUTS = ["masks", "heads"]


class Evidence(NamedTuple):
    """What the network sees at N places. A `base` is a hut on a site and a token on a club place."""

    states: Floats  # (N, 4) log chances of nothing, a base, a tiki, both
    cover: Floats  # (N,) logit: a stranger covers the place
    colours: Floats  # (N, 2, 8) logits of the base and of the tiki
    masks: Floats  # (N, 2, 16, 16) in 0..1: which cells show the base and the tiki
    anyone: Floats  # (N, 2, 16, 16) in 0..1: which cells show anybody's base and tiki

    @property
    def base(self) -> Floats:
        """(N,) logit: a base stands here."""
        return _log_odds(self.states, HOLDING[0])

    @property
    def tiki(self) -> Floats:
        """(N,) logit: a tiki stands here."""
        return _log_odds(self.states, HOLDING[1])


def evidence_of(channels: Channels) -> Evidence:
    """Runs the network on (N, CHANNELS, 64, 64) patches, of which there must be some."""
    network = _network()
    network.setInput(channels, "patch")
    masks, outputs = network.forward(_OUTPUTS)
    heads = np.array(outputs, np.float64)
    colours = heads[:, STATES + 1 :].reshape(-1, 2, len(COLOURS))
    shown = 1 / (1 + np.exp(-np.array(masks, np.float64)))
    return Evidence(normalised(heads[:, :STATES]), heads[:, STATES], colours, shown[:, 0:2], shown[:, 2:4])


def nothing_at(count: int) -> Evidence:
    """The evidence of places that are empty beyond doubt."""
    states = np.tile(np.log([1 - 3 * _NEVER, _NEVER, _NEVER, _NEVER]), (count, 1))
    cover = np.full(count, np.log(_NEVER))
    own, anyone = np.zeros((2, count, 2, CELLS, CELLS))
    return Evidence(states, cover, np.zeros((count, 2, len(COLOURS))), own, anyone)


def normalised(logs: Floats) -> Floats:
    """Log chances that add up to one along the last axis."""
    top = logs.max(axis=-1, keepdims=True)
    result: Floats = logs - top - np.log(np.exp(logs - top).sum(axis=-1, keepdims=True))
    return result


def _log_odds(states: Floats, holding: tuple[int, ...]) -> Floats:
    chance = np.clip(np.exp(states[:, list(holding)]).sum(axis=1), 1e-12, 1 - 1e-12)
    result: Floats = np.log(chance) - np.log1p(-chance)
    return result


@cache
def _network() -> cv2.dnn.Net:
    content = resources.files(__package__).joinpath(_FILE).read_bytes()
    network = cv2.dnn.readNetFromONNX(np.frombuffer(content, np.uint8), cv2.dnn.ENGINE_NEW)
    network.setInput(np.zeros((1, CHANNELS, SIZE_PX, SIZE_PX), np.float32), "patch")
    network.forward(_OUTPUTS)
    return network
