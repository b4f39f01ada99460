"""Where a training computes and how precisely; the choices themselves are those of scoring."""

from typing import Literal

import torch

from training.inference.plan import DeviceName, best_precision
from training.inference.plan import choose_device as find_device
from training.runs.reporter import Reporter


def choose_device(name: DeviceName, reporter: Reporter) -> torch.device:
    """The device asked for; one that is not there is said and replaced by the CPU."""
    device, sentence = find_device(name)
    if sentence:
        reporter.log(sentence)
    return device


def choose_autocast(precision: Literal["auto", "float32", "bfloat16"], device: torch.device) -> torch.dtype | None:
    """The type for autocast, None for plain float32; `auto` takes bfloat16 where the hardware multiplies it.

    Never float16: its gradients would need scaling.
    """
    wanted = best_precision(device) if precision == "auto" else getattr(torch, precision)
    return torch.bfloat16 if wanted == torch.bfloat16 else None
