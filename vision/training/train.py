"""Trains the network on files of `vision.training.samples` and writes it as ONNX for OpenCV.

`python -m vision.training.train OUT.onnx SAMPLES.npz ... --held-out OTHER.npz --epochs 8`, with PyTorch installed
beside the project (`pip install torch onnx onnxscript`); the project itself never needs it.
"""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path
from typing import Any

import numpy as np

from vision.training.network import COLOURS, HEADS, build

_HIDDEN = 0.6  # a place more covered than this has nothing to teach but that it is covered
_RATE = 3e-3  # of learning, at its highest
_LEAST_CELLS = 2.0  # a piece of which less is seen shows no colour


class Rows:
    """All samples of some files, kept as bytes and turned into batches on demand."""

    def __init__(self, torch: Any, files: list[Path]) -> None:
        loaded = [np.load(file) for file in files]
        self.torch = torch
        self.data = {key: torch.from_numpy(np.concatenate([f[key] for f in loaded])) for key in loaded[0].files}
        self.count = len(self.data["base"])

    def batch(self, rows: Any, vary: bool) -> tuple[Any, dict[str, Any]]:
        torch = self.torch
        part = {key: value[rows] for key, value in self.data.items()}
        gains = part["gains"]
        if vary:
            gains = gains * torch.exp(torch.randn(len(gains), 1) * 0.06 + torch.randn(len(gains), 3) * 0.03)
        seen = part["seen"].permute(0, 3, 1, 2).float()
        lit = torch.clamp(seen / (255.0 * gains[:, :, None, None]), max=1.6) * 2 - 1
        empty = part["empty"].permute(0, 3, 1, 2).float() * (2 / 255) - 1
        if vary:
            empty = torch.where(torch.rand(len(empty), 1, 1, 1) < 0.06, torch.zeros(1), empty)
        burnt = torch.clamp((seen.min(1, keepdim=True)[0] - 215) / 40, 0, 1)
        rise = (part["elevation"] * 2 - 1)[:, None, None, None].expand(-1, 1, *burnt.shape[2:])
        patch = torch.cat([lit, empty, burnt, rise], 1)
        part["masks"] = part["masks"].float() / 255
        if vary and torch.rand(1).item() < 0.5:
            patch, part["masks"] = patch.flip(3), part["masks"].flip(3)
        return patch, part


def loss_of(torch: Any, masks: Any, heads: Any, part: dict[str, Any]) -> Any:
    functional = torch.nn.functional
    shown = (part["cover"] < _HIDDEN).float()
    total = functional.binary_cross_entropy_with_logits(heads[:, 2], part["cover"].clamp(0, 1))
    total = total + 2 * functional.binary_cross_entropy_with_logits(masks, part["masks"])
    for index, key in enumerate(("base", "tiki")):
        truth = part[key].long()
        there = functional.binary_cross_entropy_with_logits(heads[:, index], (truth >= 0).float(), reduction="none")
        total = total + (there * shown).mean() * 2
        enough = ((truth >= 0) & (part["masks"][:, index].sum((1, 2)) > _LEAST_CELLS)).float() * shown
        logits = heads[:, HEADS + index * COLOURS : HEADS + (index + 1) * COLOURS]
        hue = functional.cross_entropy(logits, truth.clamp(min=0), reduction="none")
        total = total + (hue * enough).sum() / enough.sum().clamp(min=1) * 0.5
    return total


def report(torch: Any, model: Any, rows: Rows) -> str:
    """Share of wrong answers on samples that were held out."""
    model.eval()
    wrong, seen = np.zeros(4), np.zeros(4)
    with torch.no_grad():
        for start in range(0, rows.count, 512):
            patch, part = rows.batch(slice(start, start + 512), vary=False)
            _, heads = model(patch)
            shown = part["cover"] < _HIDDEN
            for index, key in enumerate(("base", "tiki")):
                truth = part[key].long()
                wrong[index] += (((heads[:, index] > 0) != (truth >= 0)) & shown).sum().item()
                seen[index] += shown.sum().item()
                there = (truth >= 0) & shown
                guess = heads[:, HEADS + index * COLOURS : HEADS + (index + 1) * COLOURS].argmax(1)
                wrong[2 + index] += ((guess != truth) & there).sum().item()
                seen[2 + index] += there.sum().item()
    shares = wrong / np.maximum(seen, 1)
    return "wrong: base {:.4f} tiki {:.4f} colour of base {:.4f} of tiki {:.4f}".format(*shares)


def train(torch: Any, model: Any, rows: Rows, held_out: Rows | None, epochs: int, tell: Any) -> None:
    size = 128
    steps = epochs * (rows.count // size)
    optimiser = torch.optim.AdamW(model.parameters(), lr=_RATE, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, _RATE, total_steps=max(steps, 1), pct_start=0.15)
    for epoch in range(epochs):
        model.train()
        order = torch.randperm(rows.count)
        summed = 0.0
        for step in range(rows.count // size):
            patch, part = rows.batch(order[step * size : (step + 1) * size], vary=True)
            masks, heads = model(patch)
            loss = loss_of(torch, masks, heads, part)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            plan.step()
            summed += loss.item()
        found = report(torch, model, held_out) if held_out else ""
        tell(f"epoch {epoch + 1}: loss {summed / max(1, rows.count // size):.4f} {found}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("samples", type=Path, nargs="+")
    parser.add_argument("--held-out", type=Path, nargs="*", default=[])
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights of an earlier training to go on from")
    args = parser.parse_args()
    torch = importlib.import_module("torch")
    torch.manual_seed(args.seed)
    model = build(torch)
    if args.start:
        model.load_state_dict(torch.load(args.start))
    held_out = Rows(torch, args.held_out) if args.held_out else None
    train(torch, model, Rows(torch, args.samples), held_out, args.epochs, lambda text: print(text, flush=True))  # noqa: T201
    torch.save(model.state_dict(), args.out.with_suffix(".pt"))
    write(torch, model, args.out)


def write(torch: Any, model: Any, path: Path) -> None:
    """The network as one ONNX file for any number of patches."""
    model.eval()
    names = {"input_names": ["patch"], "output_names": ["masks", "heads"]}
    example = torch.zeros(2, *next(iter(build(torch).fine.children())).weight.shape[1:2], 64, 64)
    torch.onnx.export(
        model, (example,), str(path), **names, dynamic_axes={"patch": {0: "n"}}, dynamo=False, opset_version=13
    )


if __name__ == "__main__":
    main()
