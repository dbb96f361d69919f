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

from vision.training.network import COLOURS, HEADS, STATES, build

_HIDDEN = 0.6  # a place more covered than this has nothing to teach but that it is covered
_BATCH = 128
_LEAST_CELLS = 2.0  # a piece of which less is seen shows no colour
_EASY, _EASY_AGAIN = 0.93, 0.3  # chance given to the truth of an easy sample; share of those shown again
_BLUR = 0.03  # share of doubt that is kept in every answer to be learned


class Rows:
    """All samples of some files, kept as bytes and turned into batches on demand."""

    def __init__(self, torch: Any, files: list[Path]) -> None:
        self.torch = torch
        keys = np.load(files[0]).files
        self.data = {key: torch.from_numpy(np.concatenate([np.load(f)[key] for f in files])) for key in keys}
        self.count = len(self.data["base"])

    def batch(self, rows: Any, vary: bool) -> tuple[Any, dict[str, Any]]:
        """(N, CHANNELS, 64, 64) what the reader would make of these rows, and all that is known of them."""
        torch = self.torch
        part = {key: value[rows] for key, value in self.data.items()}
        gains = part["gains"]
        if vary:
            gains = gains * torch.exp(torch.randn(len(gains), 1) * 0.06 + torch.randn(len(gains), 3) * 0.03)
        seen = part["seen"].permute(0, 3, 1, 2).float()
        lit = torch.clamp(seen / (255.0 * gains[:, :, None, None]), max=1.6) * 2 - 1
        empty = part["empty"].permute(0, 3, 1, 2).float() * (2 / 255) - 1
        if vary:
            empty = torch.where(torch.rand(len(empty), 1, 1, 1) < 0.04, torch.zeros(1), empty)
        burnt = torch.clamp((seen.min(1, keepdim=True)[0] - 215) / 40, 0, 1)
        flat = torch.stack([part["elevation"] * 2 - 1, 1 - 2 * part["club"].float()], 1)
        rise, place = flat[:, :, None, None].expand(-1, -1, *burnt.shape[2:]).split(1, 1)
        patch = torch.cat([lit, empty, burnt, rise, part["ground"].float()[:, None] / 100, place], 1)
        part["masks"] = part["masks"].float() / 255
        if vary and torch.rand(1).item() < 0.5:
            patch, part["masks"] = patch.flip(3), part["masks"].flip(3)
        return patch.contiguous(memory_format=torch.channels_last), part


def state_of(torch: Any, part: dict[str, Any]) -> Any:
    """(N,) 0 for an empty place, 1 for a hut or token, 2 for a tiki, 3 for both."""
    return (part["base"] >= 0).long() + 2 * (part["tiki"] >= 0).long()


def loss_of(torch: Any, masks: Any, heads: Any, part: dict[str, Any]) -> Any:
    functional = torch.nn.functional
    shown = (part["cover"] < _HIDDEN).float()
    total = functional.binary_cross_entropy_with_logits(heads[:, STATES], part["cover"].clamp(0, 1))
    total = total + 4 * functional.binary_cross_entropy_with_logits(masks, part["masks"])
    state = functional.cross_entropy(heads[:, :STATES], state_of(torch, part), reduction="none", label_smoothing=_BLUR)
    total = total + 2 * (state * shown).mean()
    for index, key in enumerate(("base", "tiki")):
        truth = part[key].long()
        enough = ((truth >= 0) & (part["masks"][:, index].sum((1, 2)) > _LEAST_CELLS)).float() * shown
        logits = heads[:, HEADS + index * COLOURS : HEADS + (index + 1) * COLOURS]
        hue = functional.cross_entropy(logits, truth.clamp(min=0), reduction="none")
        total = total + (hue * enough).sum() / enough.sum().clamp(min=1) * 0.4
    return total


def report(torch: Any, model: Any, rows: Rows) -> str:
    """Share of wrong answers on samples that were held out, where strangers hide little and something is seen."""
    model.eval()
    wrong, seen = np.zeros(3), np.zeros(3)
    with torch.no_grad():
        for start in range(0, rows.count, 512):
            patch, part = rows.batch(slice(start, start + 512), vary=False)
            _, heads = model(patch)
            cells = part["masks"][:, 0:2].sum((2, 3))
            there = torch.stack([part["base"], part["tiki"]], 1).long()
            visible = ((there < 0) | (cells > _LEAST_CELLS)).all(1) & (part["cover"] < 0.15)
            wrong[0] += ((heads[:, :STATES].argmax(1) != state_of(torch, part)) & visible).sum().item()
            seen[0] += visible.sum().item()
            for index in range(2):
                asked = (there[:, index] >= 0) & visible
                guess = heads[:, HEADS + index * COLOURS : HEADS + (index + 1) * COLOURS].argmax(1)
                wrong[1 + index] += ((guess != there[:, index]) & asked).sum().item()
                seen[1 + index] += asked.sum().item()
    shares = wrong / np.maximum(seen, 1)
    return "wrong: state {:.4f} colour of base {:.4f} of tiki {:.4f}".format(*shares)


def train(torch: Any, model: Any, rows: Rows, held_out: Rows | None, plan: tuple[int, float], tell: Any) -> None:
    """Goes through the samples as often as the plan says, but more seldom through those that were easy the last time.

    `plan` is the number of rounds and the highest rate of learning.
    """
    epochs, rate = plan
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=1e-2)
    is_easy = torch.zeros(rows.count, dtype=torch.bool)
    for epoch in range(epochs):
        model.train()
        order = torch.randperm(rows.count)
        order = order[~is_easy[order] | (torch.rand(rows.count) < _EASY_AGAIN)]
        steps = len(order) // _BATCH
        summed = 0.0
        for step in range(steps):
            for group in optimiser.param_groups:
                group["lr"] = rate * _share_of_rate((epoch + step / steps) / epochs)
            chosen = order[step * _BATCH : (step + 1) * _BATCH]
            patch, part = rows.batch(chosen, vary=True)
            with torch.autocast("cpu", dtype=torch.bfloat16):  # a third faster, and no worse
                masks, heads = model(patch)
            loss = loss_of(torch, masks.float(), heads.float(), part)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            is_easy[chosen] = _were_easy(torch, heads.detach().float(), part)
            summed += loss.item()
        found = report(torch, model, held_out) if held_out else ""
        tell(f"epoch {epoch + 1}: {steps * _BATCH} samples, loss {summed / max(1, steps):.4f} {found}")


def _share_of_rate(progress: float) -> float:
    """Up in the first tenth, then down to nothing."""
    if progress < 0.1:
        return 0.1 + 9 * progress
    return 0.5 * (1 + float(np.cos(np.pi * (progress - 0.1) / 0.9)))


def _were_easy(torch: Any, heads: Any, part: dict[str, Any]) -> Any:
    """(N,) whether state and colours were right beyond doubt."""
    state = heads[:, :STATES].softmax(1).gather(1, state_of(torch, part)[:, None])[:, 0]
    easy = state > _EASY
    for index, key in enumerate(("base", "tiki")):
        truth = part[key].long()
        hue = heads[:, HEADS + index * COLOURS : HEADS + (index + 1) * COLOURS].softmax(1)
        easy &= (truth < 0) | (hue.gather(1, truth.clamp(min=0)[:, None])[:, 0] > _EASY)
    return easy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("samples", type=Path, nargs="+")
    parser.add_argument("--held-out", type=Path, nargs="*", default=[])
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--rate", type=float, default=3e-3, help="of learning, at its highest")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights of an earlier training to go on from")
    args = parser.parse_args()
    torch = importlib.import_module("torch")
    torch.manual_seed(args.seed)
    model = build(torch).to(memory_format=torch.channels_last)
    if args.start:
        model.load_state_dict(torch.load(args.start))
    held_out = Rows(torch, args.held_out) if args.held_out else None
    plan = (args.epochs, args.rate)
    train(torch, model, Rows(torch, args.samples), held_out, plan, lambda text: print(text, flush=True))  # noqa: T201
    torch.save(model.state_dict(), args.out.with_suffix(".pt"))
    write(torch, model, args.out)


def write(torch: Any, model: Any, path: Path) -> None:
    """The network as one ONNX file for any number of patches, without the mask that was only there to learn from."""
    model.eval()
    with torch.no_grad():
        mask = torch.nn.Conv2d(32, 4, 3, padding=1)
        mask.weight.copy_(model.mask.weight[:4])
        mask.bias.copy_(model.mask.bias[:4])
    model.mask = mask
    names = {"input_names": ["patch"], "output_names": ["masks", "heads"]}
    example = torch.zeros(2, *next(iter(model.fine.children())).weight.shape[1:2], 64, 64)
    torch.onnx.export(
        model, (example,), str(path), **names, dynamic_axes={"patch": {0: "n"}}, dynamo=False, opset_version=13
    )


if __name__ == "__main__":
    main()
