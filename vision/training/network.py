"""The network's shape. PyTorch is needed to train it only, so it is passed in and never imported by the package."""

from __future__ import annotations

from typing import Any

from vision.reading.patches import CHANNELS

COLOURS = 8
HEADS = 3  # logits: a hut or token stands here, a tiki stands here, a stranger covers the place


def build(torch: Any) -> Any:
    """A module: (N, CHANNELS, 64, 64) -> masks (N, 2, 16, 16) logits, heads (N, 3 + 8 + 8) logits.

    The masks say which cells show this place's hut (or token) and its tiki. Colours are judged from what the masks
    keep, so that a neighbour's roof does not paint this site.
    """
    nn = torch.nn

    class Reader(nn.Module):  # type: ignore[name-defined, misc]
        def __init__(self) -> None:
            super().__init__()
            self.fine = nn.Sequential(*_conv(nn, CHANNELS, 16, 2), *_conv(nn, 16, 32, 2), *_conv(nn, 32, 32, 1))
            self.wide = nn.Sequential(*_conv(nn, 32, 48, 2), *_conv(nn, 48, 48, 1), *_conv(nn, 48, 48, 1))
            self.up = nn.Sequential(nn.Upsample(scale_factor=2, mode="nearest"))
            self.mix = nn.Sequential(*_conv(nn, 80, 32, 1, 1))
            self.mask = nn.Conv2d(32, 2, 3, padding=1)
            self.down = nn.Sequential(*_conv(nn, 48, 48, 2))
            self.presence = nn.Sequential(nn.Linear(48 * 16, 96), nn.ReLU(), nn.Linear(96, HEADS))
            self.colour = nn.Sequential(nn.Linear(32 + 6, 64), nn.ReLU(), nn.Linear(64, COLOURS))
            self.pool = nn.AvgPool2d(4)

        def forward(self, patch: Any) -> tuple[Any, Any]:
            fine = self.fine(patch)
            wide = self.wide(fine)
            mixed = self.mix(torch.cat([fine, self.up(wide)], 1))
            masks = self.mask(mixed)
            heads = [self.presence(self.down(wide).flatten(1))]
            looks = torch.cat([mixed, self.pool(patch[:, 0:6])], 1).flatten(2)
            for part in range(2):
                weight = torch.sigmoid(masks[:, part].flatten(1)).unsqueeze(1) + 1e-4
                heads.append(self.colour((looks * weight).sum(2) / weight.sum(2)))
            return masks, torch.cat(heads, 1)

    return Reader()


def _conv(nn: Any, into: int, out: int, stride: int, size: int = 3) -> list[Any]:
    return [nn.Conv2d(into, out, size, stride, size // 2, bias=False), nn.BatchNorm2d(out), nn.ReLU()]
