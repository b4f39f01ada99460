"""A run folder of a pretraining as it looks when it is over, without the hours: weights drawn by chance."""

import json
from pathlib import Path
from typing import Any

import torch

from training.pretraining.config import pretrain_config
from training.pretraining.recorder import keep_weights


def write_kept_run(folder: Path, steps: tuple[int, ...] = (0, 20), **settings: Any) -> Path:
    """The tiny backbone, 64 px, projection head of 128, 32, 16; each step's weights differ a little from the last."""
    folder.mkdir(parents=True)
    given = {"preset": "smoke", "backbone": "tiny", "projection": (128, 32, 16), **settings}
    config = pretrain_config(studies="m.json", out=folder, **given)
    content = {"command": "pretrain", "config": config.model_dump(mode="json")}
    (folder / "config.json").write_text(json.dumps(content))
    (folder / "split.json").write_text(json.dumps({"training_patients": ["P1"], "held_out_patients": []}))
    torch.manual_seed(5)
    network = config.method_class.make_network(config)
    for step in steps:
        with torch.no_grad():
            for weight in network.parameters():
                weight.add_(0.05 * float(weight.std(correction=0)) * torch.randn_like(weight))
        keep_weights(folder / "kept", step, network, {})
    return folder
