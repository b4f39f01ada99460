"""A memory that lies on disk, along a whole pretraining: bounded by minutes, in bfloat16, stopped and resumed."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.training.finetuning.test_run import Listener
from tests.training.pretraining.test_bank_run import config
from tests.training.pretraining.test_run import curve, kept, same
from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.losses import memory_bank
from training.methods.pgcon_heads import PriorPretrainer
from training.pretraining import batches as build
from training.pretraining.batches import add_bank, checkpoints_to_come
from training.pretraining.config import pretrain_config
from training.pretraining.run import pretrain
from training.runs.checkpoint import list_checkpoints, save_checkpoint
from training.runs.reporter import SilentReporter


def test_minutes_bfloat16_a_bank_on_disk_and_a_stop_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.pretraining.batches.FEWEST_STEPS", 2)
    monkeypatch.setattr("training.pretraining.run.TIMED_STEPS", 1)
    mapped, real = [], memory_bank._mapped

    def mapping(shape: tuple[int, int], folder: Path) -> torch.Tensor:
        mapped.append((shape, folder))
        return real(shape, folder)

    monkeypatch.setattr(memory_bank, "_mapped", mapping)
    studies = write_tiny_studies(tmp_path / "studies", patients=2, frames=4)
    plain: dict[str, Any] = {"precision": "bfloat16", "checkpoints_kept": 1, "sequences": 4}
    pretrain(config(studies, tmp_path / "whole", steps=2, **plain), SilentReporter())
    assert mapped == []
    run, hard = tmp_path / "parts", {**plain, "steps": 100, "minutes": 1e-6, "bank_memory_gb": 0}
    stopped = pretrain(config(studies, run, **hard), Listener(stop_after=1))
    assert (stopped["steps_done"], stopped["steps"]) == (1, 2)
    assert mapped == [((8, 128), run)] * 2  # its own, and that of the trial which tells how long a step takes
    listener = Listener()
    resumed = pretrain(config(studies, run, resume=True, **hard), listener)
    assert (resumed["steps_done"], resumed["finished"]) == (2, True)
    assert len(mapped) == 3
    assert "is stored in the run folder" in listener.said
    assert "Each checkpoint contains a copy; there are up to 3" in listener.said
    assert json.loads((run / "card.json").read_text())["computed"]["precision"] == "bfloat16"
    assert curve(run) == curve(tmp_path / "whole")
    assert same(kept(run), kept(tmp_path / "whole"))
    # What is taken up again lies in the checkpoint, not in the file.
    banks = [list_checkpoints(each / "checkpoints")[0].state()["bank.vectors"] for each in (run, tmp_path / "whole")]
    assert torch.equal(*banks)
    assert banks[0].abs().sum() > 0
    assert not list(run.glob("*.tmp"))


def test_room_is_looked_for_for_the_checkpoints_that_are_still_to_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(build, "MemoryBank", type("Bank", (_Bank,), {"asked": asked}))
    network, settings = PriorPretrainer("tiny"), pretrain_config(studies="-", out="-", method="pgcon")
    on_disk = settings.model_copy(update={"bank_memory_gb": 0.0})
    small = torch.nn.Linear(1, 1)
    for step in range(4):
        assert checkpoints_to_come(tmp_path) == max(1, 3 - step)  # those that stay and the one being written
        for each in (settings, on_disk):
            add_bank(network, each, 10, tmp_path, SilentReporter())
        save_checkpoint(tmp_path / "checkpoints", step + 1, small, torch.optim.SGD(small.parameters(), lr=0.1), {})
    assert asked == [0, 3, 0, 2, 0, 1, 0, 1]


class _Bank(memory_bank.MemoryBank):
    """Says how many copies it was made with, and lies in memory."""

    asked: list[int]

    def __init__(self, frames: int, width: int, *, folder: Path | None, copies: int, **others: Any) -> None:
        super().__init__(frames, width, **others)
        self.asked.append(copies)
