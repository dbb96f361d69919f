"""Trains the network on a folder of files of `vision.training.samples` and writes it as ONNX for OpenCV.

`python -m vision.training.train OUT.onnx FOLDER --held-out OTHER.npz --minutes 75`, with PyTorch installed beside the
project (`pip install torch onnx onnxscript`); the project itself never needs it. The folder may grow meanwhile.
"""

from __future__ import annotations

import argparse
import copy
import importlib
import time
from pathlib import Path
from typing import Any

import numpy as np

from vision.training.network import COLOURS, HEADS, STATES, build
from vision.training.resume import resume
from vision.training.rows import Rows
from vision.training.shelf import Shelf

_HIDDEN = 0.6  # a place more covered than this has nothing to teach but that it is covered
_BATCH = 128
_LEAST_CELLS = 2.0  # a piece of which less is seen shows no colour
_EASY = 0.93  # chance given to the truth of an easy sample
_BLUR = 0.03  # share of doubt that is kept in every answer to be learned
_RISE = 0.05  # share of the time in which the rate of learning grows
_MEAN_STEPS = 2000  # over about so many steps the mean of the weights is taken
_SETTLING = 12_000  # samples from which the mean's own statistics are taken in the end


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


def train(torch: Any, model: Any, shelf: Shelf, held_out: Rows | None, plan: tuple[float, float], tell: Any) -> Any:
    """Goes through the shelf again and again until the plan's time is over; returns the mean of the weights as a model.

    `plan` is the number of minutes and the highest rate of learning. Samples that were easy the last time are shown
    more seldom.
    """
    minutes, rate = plan
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=1e-2)
    mean, started, shown = copy.deepcopy(model), time.monotonic(), 0
    while (progress := (time.monotonic() - started) / 60 / minutes) < 1:
        current = shelf.take()
        rows, easy = Rows(torch, current.files), torch.from_numpy(current.easy)
        model.train()
        summed, steps = 0.0, 0
        for chosen in torch.from_numpy(current.order).split(_BATCH)[:-1]:
            progress = min(1.0, (time.monotonic() - started) / 60 / minutes)
            loss, heads, part = _step(torch, model, optimiser, rows.batch(chosen, vary=True), rate * _share(progress))
            easy[chosen] = _were_easy(torch, heads, part)
            _follow(torch, mean, model)
            summed, steps = summed + loss, steps + 1
        shelf.note(current, easy.numpy())
        shown += steps * _BATCH
        told = f"{progress:.1%}: {shown} samples of {len(shelf)} files, loss {summed / max(1, steps):.4f}"
        tell(f"{told}, {easy.float().mean():.0%} easy {report(torch, mean, held_out) if held_out else ''}")
    _settle(torch, mean, shelf)
    return mean


def _step(
    torch: Any, model: Any, optimiser: Any, batch: tuple[Any, dict[str, Any]], rate: float
) -> tuple[float, Any, dict[str, Any]]:
    """Learns from one batch; returns its loss, what the model had answered, and what is known of the samples."""
    patch, part = batch
    for group in optimiser.param_groups:
        group["lr"] = rate
    with torch.autocast("cpu", dtype=torch.bfloat16):  # a third faster, and no worse
        masks, heads = model(patch)
    loss = loss_of(torch, masks.float(), heads.float(), part)
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    return loss.item(), heads.detach().float(), part


def _follow(torch: Any, mean: Any, model: Any) -> None:
    """Moves the mean of the weights a little towards the model's."""
    with torch.no_grad():
        ours = [each for each in mean.state_dict().values() if each.is_floating_point()]
        theirs = [each for each in model.state_dict().values() if each.is_floating_point()]
        torch._foreach_lerp_(ours, theirs, 1 / _MEAN_STEPS)


def _settle(torch: Any, model: Any, shelf: Shelf) -> None:
    """Takes the statistics of a mean of weights anew: they are not the mean of the statistics."""
    rows = Rows(torch, shelf.take().files)
    for each in model.modules():
        if isinstance(each, torch.nn.BatchNorm2d):
            each.reset_running_stats()
            each.momentum = None
    model.train()
    with torch.no_grad():
        for chosen in torch.randperm(rows.count)[:_SETTLING].split(2 * _BATCH):
            model(rows.batch(chosen, vary=True)[0])
    model.eval()


def _share(progress: float) -> float:
    """Of the rate: up in the first twentieth, then down to nothing."""
    if progress < _RISE:
        return 0.1 + 0.9 * progress / _RISE
    return 0.5 * (1 + float(np.cos(np.pi * (progress - _RISE) / (1 - _RISE))))


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
    parser.add_argument("samples", type=Path, help="folder of files of samples")
    parser.add_argument("--held-out", type=Path, nargs="*", default=[])
    parser.add_argument("--minutes", type=float, default=75.0)
    parser.add_argument("--rate", type=float, default=2e-3, help="of learning, at its highest")
    parser.add_argument("--files", type=int, default=8, help="in memory at a time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="network of an earlier training to go on from, an ONNX file")
    args = parser.parse_args()
    torch = importlib.import_module("torch")
    torch.manual_seed(args.seed)
    model = build(torch).to(memory_format=torch.channels_last)
    held_out = Rows(torch, args.held_out) if args.held_out else None
    shelf = Shelf(args.samples, args.files, np.random.default_rng(args.seed))
    if args.start:
        resume(torch, model, args.start, held_out or Rows(torch, shelf.take().files[:1]))
    plan = (args.minutes, args.rate)
    mean = train(torch, model, shelf, held_out, plan, lambda text: print(text, flush=True))  # noqa: T201
    write(torch, mean, args.out)


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
