"""Real processes over gloo: the weights, files and words of one."""

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from tests.training.optimisation.shared_cases import STEPS, cases, difference, in_folder, start
from tests.training.optimisation.shared_runs import run
from tests.training.optimisation.tiny_network import tiny_pretrainer
from training.errors import UserError
from training.methods.registry import FINETUNING, PRETRAINING
from training.optimisation import ranks as processes
from training.optimisation.ranks import ALONE, Ranks, current, is_lost
from training.runs.checkpoint import list_checkpoints

NAMES = (*PRETRAINING, *FINETUNING, "frozen-chunks", "intrator")
WITH_FOUR = ("time-triplet", "colo-scrl", "tl-ba", "intrator")
STOPPED = 2
Said = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Studies, and every training as one process does it."""
    folder = tmp_path_factory.mktemp("ranks")
    for name, job in cases(folder).items():
        assert "result" in run(**in_folder(job, folder / "alone" / name)), name
    return folder


@pytest.fixture(scope="module")
def two(folder: Path) -> Said:
    """What two processes said, which stopped each training, and did what fails."""
    jobs = cases(folder)
    stopped = {name: in_folder(job, folder / "two" / name, stop_after=STOPPED) for name, job in jobs.items()}
    plain = jobs["time-triplet"]
    fails = {
        "other-stops": in_folder(plain, folder / "other-stops", other="stops"),
        "other-refuses": in_folder(plain, folder / "other-refuses", other="refuses"),
        "other-fails": in_folder(plain, folder / "other-fails", other="fails"),
        "nothing": in_folder({**plain, "settings": {**plain["settings"], "studies": "none.json"}}, folder / "nothing"),
        "diverges": in_folder({**plain, "settings": {**plain["settings"], "learning_rate": 2e9}}, folder / "diverges"),
    }
    return start(folder, {**stopped, **fails}, 2)


@pytest.fixture(scope="module")
def four(folder: Path, two: Said) -> Said:
    """What four processes said, which resumed what two had begun."""
    jobs = {name: in_folder(cases(folder)[name], folder / "two" / name, resume=True) for name in WITH_FOUR}
    small = cases(folder)["time-triplet"]
    small = {**small, "settings": {**small["settings"], "sequences": 1, "sequence_length": 3}}
    return start(
        folder, {**{f"{name}-4": job for name, job in jobs.items()}, "few": in_folder(small, folder / "few")}, 4
    )


@pytest.mark.parametrize("name", sorted(set(NAMES) - set(WITH_FOUR)))
def test_two_processes_and_then_one_learn_what_one_learns(name: str, folder: Path, two: Said) -> None:
    first, second = two[name]
    assert second == {}
    assert first["result"]["steps_done"] == STOPPED, "a stop keeps what was done"
    assert "result" in run(**in_folder(cases(folder)[name], folder / "two" / name, resume=True))
    assert difference(folder / "two" / name, folder / "alone" / name) <= 1e-5


@pytest.mark.parametrize("name", WITH_FOUR)
def test_two_processes_and_then_four_learn_what_one_learns(name: str, folder: Path, four: Said) -> None:
    assert four[f"{name}-4"][0]["result"]["steps_done"] == STEPS
    assert difference(folder / "two" / name, folder / "alone" / name) <= 1e-5


def test_a_stop_that_another_process_hears_stops_all_with_a_checkpoint(folder: Path, two: Said) -> None:
    assert two["other-stops"][0]["result"]["steps_done"] == 1
    assert [each.step for each in list_checkpoints(folder / "other-stops" / "checkpoints")] == [1]


def test_what_fails_in_another_process_is_the_sentence_of_the_first(folder: Path, two: Said) -> None:
    first, second = two["other-refuses"]
    assert first["error"] == second["error"] == "There are more processes than GPUs (1)."
    assert not (folder / "other-refuses").exists()
    first, _ = two["other-fails"]
    assert first["error"] == "Another process of this run failed (ValueError: no)."


def test_what_fails_in_the_first_process_ends_the_others(two: Said) -> None:
    first, second = two["nothing"]
    assert "none.json" in first["error"]
    assert second == {}
    first, second = two["diverges"]
    assert "not a finite number" in first["error"]
    assert second == {}


def test_a_batch_that_cannot_be_divided_is_refused(four: Said) -> None:
    assert four["few"][0]["error"] == "A batch of 3 cannot be divided among 4 processes."
    assert [said for said in four["few"][1:] if said] == []


def test_a_process_that_is_killed_ends_the_run_with_a_sentence(folder: Path) -> None:
    job = in_folder(cases(folder)["time-triplet"], folder / "killed", other="dies")
    with pytest.raises(AssertionError):
        start(folder, {"killed": job}, 2)
    assert "Another process of this run has ended." in (folder / "killed-2-0.said").read_text("utf-8")


def test_rows_are_divided_as_evenly_as_they_can() -> None:
    assert Ranks(count=4).sizes(10) == [3, 3, 2, 2]
    assert Ranks().sizes(10) == [10]
    assert current() is ALONE


def test_without_torchrun_a_connection_that_fails_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INIT_METHOD", "env://")
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UserError, match="cannot connect to each other"), processes.joined():
        pass


def test_an_error_of_its_own_is_no_lost_connection() -> None:
    assert not is_lost(RuntimeError("shape mismatch"))
    assert not is_lost(ValueError("gloo"))
    assert is_lost(RuntimeError("[gloo/transport/tcp/pair.cc:534] Connection closed by peer [127.0.0.1]:4711"))


@pytest.mark.parametrize("is_trained", [True, False])
def test_synchronised_layers_of_one_process_are_those_of_torch(
    is_trained: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from training.optimisation.batch_norm import synchronised

    monkeypatch.setattr(torch.distributed, "all_reduce", lambda tensor: None)
    ours, theirs = (tiny_pretrainer(train=is_trained).trunk for _ in range(2))
    for part in (*ours, *theirs):
        if isinstance(part, nn.BatchNorm2d):
            part.momentum = 0.3
    images = torch.randn(5, 3, 16, 16, generator=torch.Generator().manual_seed(1))
    first, second = images.clone().requires_grad_(), images.clone().requires_grad_()
    weights = torch.randn(5, 12, 5, 5, generator=torch.Generator().manual_seed(2))
    with synchronised(ours):
        (ours(first) * weights).sum().backward()
    (theirs(second) * weights).sum().backward()
    torch.testing.assert_close(first.grad, second.grad, rtol=1e-4, atol=1e-5)
    for (name, our), their in zip(ours.named_parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(our.grad, their.grad, rtol=1e-4, atol=1e-4, msg=name)
    for (name, buffer), other in zip(ours.named_buffers(), theirs.buffers(), strict=True):
        torch.testing.assert_close(buffer, other, rtol=1e-5, atol=1e-6, msg=name)
    assert all("forward" not in vars(part) for part in ours)
