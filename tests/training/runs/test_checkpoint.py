"""Checkpoints: no pickles, complete or not there, exact for either optimizer."""

from pathlib import Path

import pytest
import torch
from torch import nn

from training.errors import UserError
from training.runs import checkpoint
from training.runs.checkpoint import list_checkpoints, restore, save_checkpoint


def trained(kind: str, steps: int) -> tuple[nn.Module, torch.optim.Optimizer]:
    torch.manual_seed(0)
    network = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
    optimizer = (
        torch.optim.AdamW(network.parameters(), lr=0.1)
        if kind == "adamw"
        else torch.optim.SGD(network.parameters(), lr=0.1, momentum=0.9)
    )
    go_on(network, optimizer, 0, steps)
    return network, optimizer


def go_on(network: nn.Module, optimizer: torch.optim.Optimizer, first: int, last: int) -> None:
    for step in range(first, last):
        loss = network(torch.randn(8, 3, generator=torch.Generator().manual_seed(step))).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@pytest.mark.parametrize("kind", ["adamw", "sgd"])
def test_going_on_from_a_checkpoint_equals_never_having_stopped(tmp_path: Path, kind: str) -> None:
    network, optimizer = trained(kind, 4)
    made = save_checkpoint(tmp_path, 4, network, optimizer, {"model_config": "{}"})
    go_on(network, optimizer, 4, 9)
    fresh, fresh_optimizer = trained(kind, 0)
    restore(made, fresh, fresh_optimizer)
    go_on(fresh, fresh_optimizer, 4, 9)
    for name, tensor in network.state_dict().items():
        assert torch.equal(tensor, fresh.state_dict()[name]), name
    assert made.header() == {"step": "4", "model_config": "{}"}


def test_only_the_newest_two_stay_and_half_ones_do_not_count(tmp_path: Path) -> None:
    network, optimizer = trained("sgd", 1)
    for step in (1, 2, 3):
        save_checkpoint(tmp_path, step, network, optimizer, {})
    assert [found.step for found in list_checkpoints(tmp_path)] == [3, 2]
    list_checkpoints(tmp_path)[0].optimizer.unlink()
    assert [found.step for found in list_checkpoints(tmp_path)] == [2]
    assert list_checkpoints(tmp_path / "nowhere") == []


def test_weights_that_are_no_numbers_are_not_kept(tmp_path: Path) -> None:
    network, optimizer = trained("sgd", 1)
    save_checkpoint(tmp_path, 1, network, optimizer, {})
    with torch.no_grad():
        next(network.parameters())[0, 0] = torch.nan
    with pytest.raises(UserError, match=r"weights 0\.weight stopped being finite numbers by step 2"):
        save_checkpoint(tmp_path, 2, network, optimizer, {})
    assert [found.step for found in list_checkpoints(tmp_path)] == [1]


def test_another_architecture_is_told(tmp_path: Path) -> None:
    network, optimizer = trained("sgd", 1)
    made = save_checkpoint(tmp_path, 1, network, optimizer, {})
    other = nn.Sequential(nn.Linear(3, 5))
    with pytest.raises(UserError, match="another architecture"):
        restore(made, other, torch.optim.SGD(other.parameters(), lr=0.1))


def test_a_full_disk_is_told_and_leaves_the_checkpoint_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network, optimizer = trained("sgd", 1)
    save_checkpoint(tmp_path, 1, network, optimizer, {})

    def full(tensors: object, path: Path, header: object) -> None:
        Path(path).write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoint, "save_file", full)
    with pytest.raises(UserError, match="No space left on device") as caught:
        save_checkpoint(tmp_path, 2, network, optimizer, {})
    assert "Free some space" in caught.value.hint
    assert [found.step for found in list_checkpoints(tmp_path)] == [1]
    assert not list(tmp_path.glob(".*"))
