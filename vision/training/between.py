"""A network between two: `python -m vision.training.between FIRST.onnx SECOND.onnx SHARE OUT.onnx`.

With onnx installed. The mean of the weights of a network and of one that went on from it is often better with
strangers than either.
"""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path


def between(first: Path, second: Path, share: float, out: Path) -> None:
    """Writes the first network with `share` of the way to the second's weights. Both have the same shape."""
    onnx = importlib.import_module("onnx")
    network, other = onnx.load(str(first)), onnx.load(str(second))
    for mine, theirs in zip(network.graph.initializer, other.graph.initializer, strict=True):
        here, there = onnx.numpy_helper.to_array(mine), onnx.numpy_helper.to_array(theirs)
        mine.CopyFrom(onnx.numpy_helper.from_array(((1 - share) * here + share * there).astype(here.dtype), mine.name))
    onnx.save(network, str(out))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("share", type=float)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    between(args.first, args.second, args.share, args.out)


if __name__ == "__main__":
    main()
