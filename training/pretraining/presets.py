"""What presets and methods fill in of a pretraining's settings where nothing is given: tables."""

from typing import Any

RATE_FALLS = 4300 / 21_000
"""Share of a pretraining after which its learning rate is divided, each time (Pascual et al. 2022)."""
PRESETS: dict[str, dict[str, Any]] = {
    # Pascual et al. 2022, sections 3.1 and 4: the defaults below are the paper's values.
    "paper": {},
    # Ours: some minutes on two cores, from random weights. There the paper's SGD on one sequence stayed at the margin
    # for 300 steps; with AdamW on four sequences the loss falls. Neither taught neighbours anything in so few steps
    # (three seeds of tests/benchmarks/bench_pretraining_knn). The rate falls at the same shares of the run as in the
    # paper.
    "small": {
        "backbone": "resnet18",
        "input_size": 128,
        "sequence_length": 18,
        "sequences": 4,
        "window": 3,
        "optimizer": "adamw",
        "learning_rate": 1e-3,
        "steps": 400,
        "step_every": 82,
        # Of views of parts, which other methods do not have: some two pictures of 128 px for each frame.
        "frame_size": 224,
        "prior_size": 96,
        "tile_size": 48,
        "win_size": 96,
    },
    # Ours: to see that everything works; nothing is learned.
    "smoke": {
        "backbone": "resnet18",
        "input_size": 64,
        "sequence_length": 24,
        "steps": 20,
        "step_every": 4,
        "learning_rate": 0.01,  # at the paper's 0.1 some random weights diverge within ten steps
        "workers": 0,
        "frame_size": 96,
        "prior_size": 48,
        "tile_size": 32,
        "win_size": 48,
    },
}
"""Preset -> the settings that differ from the defaults below; what is given explicitly wins over the preset."""

SINGLE_FRAMES: dict[str, Any] = {"sequence_length": 1, "sequences": 64, "sequence_source": "anywhere"}
METHODS: dict[str, dict[str, Any]] = {
    "time-triplet": {},
    # Ours: Pascual et al. compare with SimCLR and state no batch. As many frames as time-triplet's 72, drawn singly.
    "simclr": {"sequence_length": 1, "sequences": 72, "sequence_source": "anywhere"},
    # Vats et al. 2022: batches of 64 frames, vectors of one dense layer.
    "pgcon": {**SINGLE_FRAMES, "projection": (128,)},
    "wincon": {**SINGLE_FRAMES, "projection": (128,)},
    "pirl": {**SINGLE_FRAMES, "projection": (128,)},
}
"""Method -> the settings in which it differs from the defaults and presets; what is given explicitly wins."""

VATS: dict[str, Any] = {
    "epochs": 600,
    "optimizer": "sgd",
    "learning_rate": 0.012,
    "schedule": "cosine",
    "final_rate_share": 1e-3,  # 1.2e-5
    "temperature": 0.07,
    "frame_size": 320,  # ours: the prior view is then 90 px of the frame, shown at 120
    "momentum": 0.9,  # ours, as is the weight decay (1e-4, the default): both are PIRL's
}
"""The course of Vats et al. 2022; one that a preset names wins, as presets are about what a run may cost."""
COURSES: dict[str, dict[str, Any]] = {"pgcon": VATS, "wincon": VATS, "pirl": VATS}
WITH_BANK = frozenset(COURSES)
"""Methods that remember every frame; they know frames by number and run in one process."""
