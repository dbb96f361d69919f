"""Goes on from a network that `vision.training.train` has written: its weights back into PyTorch."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vision.training.rows import Rows

_SAMPLES = 4096  # from which the layers' statistics are taken
_BATCH = 256


def resume(torch: Any, model: Any, path: Path, rows: Rows) -> None:
    """Fills the model with the weights of an ONNX file.

    There every norm is folded into the layer before it. Unfolded again, its statistics are those of `rows`, so the
    model begins with the very answers of the file, and yet learns as one with norms does. The mask of strangers is not
    in the file and begins anew.
    """
    onnx = importlib.import_module("onnx")
    graph = onnx.load(str(path)).graph
    arrays = {each.name: torch.from_numpy(onnx.numpy_helper.to_array(each).copy()) for each in graph.initializer}
    filters = iter([[arrays[name] for name in node.input[1:]] for node in graph.node if node.op_type == "Conv"])
    model.eval()
    with torch.no_grad():
        for name, each in model.named_modules():
            if isinstance(each, torch.nn.Linear):
                each.weight.copy_(arrays[f"{name}.weight"])
                each.bias.copy_(arrays[f"{name}.bias"])
        for conv, norm in _layers(torch, model):
            weight, bias = next(filters)
            conv.weight[: len(weight)] = weight
            if norm is None:
                conv.bias[: len(bias)] = bias
                continue
            norm.weight.fill_(1)
            norm.bias.copy_(bias)
            norm.running_mean.fill_(0)
            norm.running_var.fill_(1 - norm.eps)
        _unfold(torch, model, rows)


def _layers(torch: Any, model: Any) -> Iterator[tuple[Any, Any]]:
    """Every convolution with the norm that follows it, if any, in the order in which they work."""
    layers = [each for each in model.modules() if isinstance(each, (torch.nn.Conv2d, torch.nn.BatchNorm2d))]
    for at, each in enumerate(layers):
        if isinstance(each, torch.nn.Conv2d):
            after = layers[at + 1] if at + 1 < len(layers) else None
            yield each, after if isinstance(after, torch.nn.BatchNorm2d) else None


def _unfold(torch: Any, model: Any, rows: Rows) -> None:
    """Gives every norm the mean and spread of what comes in, without changing what goes out."""
    seen: dict[Any, list[Any]] = {norm: [] for _, norm in _layers(torch, model) if norm is not None}
    hooks = [norm.register_forward_pre_hook(lambda norm, field: seen[norm].append(field[0])) for norm in seen]
    sums = {norm: [0.0, 0.0, 0] for norm in seen}
    for chosen in torch.randperm(rows.count)[:_SAMPLES].split(_BATCH):
        model(rows.batch(chosen, vary=True)[0])
        for norm, fields in seen.items():
            field = fields.pop()
            sums[norm][0] += field.sum((0, 2, 3))
            sums[norm][1] += (field**2).sum((0, 2, 3))
            sums[norm][2] += field.numel() // field.shape[1]
    for hook in hooks:
        hook.remove()
    for norm, (summed, squared, count) in sums.items():
        mean = summed / count
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(squared / count - mean**2)
        norm.weight.copy_(torch.sqrt(norm.running_var + norm.eps))
        norm.bias.add_(mean)
