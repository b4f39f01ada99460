"""Checkpoints: no pickles, complete or not there, exact for either optimizer."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import nn

from training.errors import UserError
from training.files import tensors
from training.files.tensors import all_finite
from training.losses.memory_bank import MemoryBank
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
    with pytest.raises(UserError, match=r"weights 0\.weight are not finite at step 2"):
        save_checkpoint(tmp_path, 2, network, optimizer, {})
    assert [found.step for found in list_checkpoints(tmp_path)] == [1]


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("place", [(0, 0), (16, 255)])
def test_a_number_that_is_none_is_found_in_every_block(
    wrong: float, place: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tensors, "BLOCK", 1000)
    numbers = torch.zeros(17, 256, dtype=torch.float16)  # the last block is not a whole one
    assert all_finite(numbers)
    numbers[place] = wrong
    assert not all_finite(numbers)


def test_scalars_whole_numbers_and_nothing_at_all_are_finite() -> None:
    assert all(map(all_finite, (torch.tensor(1.0), torch.arange(3), torch.zeros(0, 4))))
    assert not all_finite(torch.tensor(torch.nan))


def test_a_bank_on_disk_is_looked_at_and_written_without_a_copy_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = nn.Linear(3, 2)
    network.bank = MemoryBank(1 << 16, start="random", folder=tmp_path)  # 16 MiB
    looked_at, real = [], torch.isfinite

    def looking(numbers: torch.Tensor) -> torch.Tensor:
        looked_at.append(numbers.numel())
        return real(numbers)

    monkeypatch.setattr(torch, "isfinite", looking)
    tracemalloc.start()
    try:
        made = save_checkpoint(tmp_path / "run", 1, network, torch.optim.SGD([network.weight], lr=0.1), {})
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert sum(looked_at) == (1 << 23) + 8
    assert max(looked_at) == tensors.BLOCK == 1 << 20
    assert peak < 4 * 2**20
    assert torch.equal(made.state()["bank.vectors"], network.bank.vectors)


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
    assert "Free some disk space" in caught.value.hint
    assert [found.step for found in list_checkpoints(tmp_path)] == [1]
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("which", ["weights", "optimizer"])
def test_a_checkpoint_that_is_not_finite_is_not_gone_on_with(tmp_path: Path, which: str) -> None:
    network, optimizer = trained("adamw", 2)
    made = save_checkpoint(tmp_path, 2, network, optimizer, {})
    path = getattr(made, which)
    with safe_open(path, "pt") as file:
        header = file.metadata()
    state = load_file(path)
    next(tensor for tensor in state.values() if tensor.ndim).view(-1)[0] = torch.inf
    save_file(state, path, header)
    with pytest.raises(UserError, match="numbers that are not finite"):
        restore(made, *trained("adamw", 0))


OPTIMIZERS: dict[str, Callable[[str], str]] = {
    "deep": lambda text: '{"param_groups": ' + "[" * 100_000,
    "a list": lambda text: "[]",
    "no groups": lambda text: '{"param_groups": [], "scalars": {}}',
    "rate as text": lambda text: text.replace('"lr": 0.1', '"lr": "fast"'),
    "rate is NaN": lambda text: text.replace('"lr": 0.1', '"lr": NaN'),
    "betas": lambda text: text.replace('"betas": [0.9, 0.999]', '"betas": [0.9]'),
    "other parameters": lambda text: text.replace('"params": [0, ', '"params": [7, '),
    "scalars": lambda text: text.replace('"scalars": {}', '"scalars": {"x": {"a": 1}}'),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_an_optimizer_state_that_was_changed_is_told(tmp_path: Path, name: str) -> None:
    network, optimizer = trained("adamw", 2)
    made = save_checkpoint(tmp_path, 2, network, optimizer, {})
    with safe_open(made.optimizer, "pt") as file:
        text = file.metadata()["numbers"]
    changed = OPTIMIZERS[name](text)
    assert changed != text
    save_file(load_file(made.optimizer), made.optimizer, {"numbers": changed})
    with pytest.raises(UserError, match="does not hold the state of this run's optimizer"):
        restore(made, *trained("adamw", 0))


def test_an_optimizer_state_of_other_shapes_is_told(tmp_path: Path) -> None:
    network, optimizer = trained("adamw", 2)
    made = save_checkpoint(tmp_path, 2, network, optimizer, {})
    with safe_open(made.optimizer, "pt") as file:
        header = file.metadata()
    state = {name: torch.zeros(7) if tensor.ndim else tensor for name, tensor in load_file(made.optimizer).items()}
    save_file(state, made.optimizer, header)
    with pytest.raises(UserError, match="does not hold the state"):
        restore(made, *trained("adamw", 0))
