"""The network's shape. PyTorch is needed to train it only, so it is passed in and never imported by the package."""

from __future__ import annotations

from typing import Any

from vision.reading.patches import CHANNELS

COLOURS = 8
STATES = 4  # nothing, a hut or token, a tiki, both
HEADS = STATES + 1  # and whether a stranger covers the place
KINDS = 5  # of masks: this place's base and tiki, anybody's base and tiki, strangers
FEATURES = 64


def build(torch: Any, narrow: int = 16, middle: int = 32, wide: int = 64, blocks: int = 2) -> Any:
    """A module: (N, CHANNELS, 64, 64) -> masks (N, KINDS, 16, 16) logits, heads (N, 5 + 8 + 8) logits.

    The first two masks say which cells show this place's hut (or token) and its tiki. Colours are judged from what
    they keep, so that a neighbour's roof does not paint this site. The next two say where anybody's stand: what a
    picture shows is learned faster than whose it is. The last, of strangers, is only there to learn from and cut off
    in the end.
    """
    nn = torch.nn

    class Reader(nn.Module):  # type: ignore[name-defined, misc]
        def __init__(self) -> None:
            super().__init__()
            self.kinds = KINDS
            self.fine = nn.Sequential(
                *_conv(nn, CHANNELS, narrow, 2), *_conv(nn, narrow, middle, 2), *_conv(nn, middle, middle, 1)
            )
            self.wide = nn.Sequential(*_conv(nn, middle, wide, 2), *(_residual(nn, wide) for _ in range(blocks)))
            self.up = nn.Sequential(nn.Upsample(scale_factor=2, mode="nearest"))
            self.mix = nn.Sequential(*_conv(nn, middle + wide, 32, 1, 1))
            self.mask = nn.Conv2d(32, KINDS, 3, padding=1)
            self.down = nn.Sequential(*_conv(nn, wide, wide, 2))
            self.look = nn.Sequential(nn.Linear(wide * 16, FEATURES), nn.ReLU())
            self.state = nn.Linear(FEATURES, HEADS)
            self.colour = nn.Sequential(nn.Linear(32 + 6, 64), nn.ReLU(), nn.Linear(64, COLOURS))
            self.pool = nn.AvgPool2d(4)

        def forward(self, patch: Any) -> tuple[Any, Any]:
            fine = self.fine(patch)
            wide = self.wide(fine)
            mixed = self.mix(torch.cat([fine, self.up(wide)], 1))
            masks = self.mask(mixed)
            features = self.look(self.down(wide).flatten(1))
            heads = [self.state(features)]
            looks = torch.cat([mixed, self.pool(patch[:, 0:6])], 1).flatten(2)
            for part in range(2):
                weight = torch.sigmoid(masks[:, part].flatten(1)).unsqueeze(1) + 1e-4
                heads.append(self.colour((looks * weight).sum(2) / weight.sum(2)))
            return masks, torch.cat(heads, 1)

    return Reader()


def _residual(nn: Any, width: int) -> Any:
    """Two layers whose result is added to what came in."""

    class Residual(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            first = _conv(nn, width, width, 1)
            self.body = nn.Sequential(*first, nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))
            self.last = nn.ReLU()

        def forward(self, field: Any) -> Any:
            return self.last(field + self.body(field))

    return Residual()


def _conv(nn: Any, into: int, out: int, stride: int, size: int = 3) -> list[Any]:
    return [nn.Conv2d(into, out, size, stride, size // 2, bias=False), nn.BatchNorm2d(out), nn.ReLU()]
