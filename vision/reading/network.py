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


class Evidence(NamedTuple):
    """What the network sees at N places, as logits. `base` is a hut on a site and a token on a club place."""

    base: Floats  # (N,)
    tiki: Floats  # (N,)
    cover: Floats  # (N,)
    colours: Floats  # (N, 2, 8) of the base and of the tiki
    masks: Floats  # (N, 2, 16, 16) in 0..1: which cells show the base and the tiki


def evidence_of(channels: Channels) -> Evidence:
    """Runs the network on (N, CHANNELS, 64, 64) patches."""
    network = _network()
    network.setInput(channels, "patch")
    masks, outputs = network.forward(["masks", "heads"])
    heads = np.array(outputs, np.float64)
    colours = heads[:, 3:].reshape(-1, 2, len(COLOURS))
    return Evidence(heads[:, 0], heads[:, 1], heads[:, 2], colours, 1 / (1 + np.exp(-np.array(masks, np.float64))))


@cache
def _network() -> cv2.dnn.Net:
    content = resources.files(__package__).joinpath(_FILE).read_bytes()
    network = cv2.dnn.readNetFromONNX(np.frombuffer(content, np.uint8), cv2.dnn.ENGINE_NEW)
    network.setInput(np.zeros((1, CHANNELS, SIZE_PX, SIZE_PX), np.float32), "patch")
    network.forward(["masks", "heads"])
    return network
