"""Two real processes over gloo: the gradients, statistics and words of one."""

import json
import os
import socket
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from tests.training.optimisation.tiny_network import TinyPretrainer, tiny_pretrainer
from tests.training.optimisation.two_ranks import FRAMES, MARGIN, RATE, STEPS, batch
from tests.warm_python import warm_python
from training.errors import UserError
from training.losses.terms import gathered, gathered_views
from training.methods.simclr import SimClr
from training.methods.time_triplet import TimeTriplet
from training.optimisation.gradients import RunningStatistics
from training.optimisation.ranks import ALONE, joined
from training.runs.reporter import Cancelled, SilentReporter

SECONDS = 150


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What two processes left that ran all scenarios together."""
    folder = tmp_path_factory.mktemp("ranks")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    processes = []
    for rank in (0, 1):
        place = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": 2, "LOCAL_WORLD_SIZE": 2, "OMP_NUM_THREADS": 1}
        meeting = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
        environment = {**os.environ, **{name: str(value) for name, value in {**place, **meeting}.items()}}
        command = [*warm_python(), "-m", "tests.training.optimisation.two_ranks", str(folder)]
        root = Path(__file__).resolve().parents[3]
        processes.append(
            subprocess.Popen(command, env=environment, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        )
    try:
        said = [process.communicate(timeout=SECONDS)[1].decode() for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.wait()
    assert [process.returncode for process in processes] == [0, 0], said
    return folder


def said(folder: Path, scenario: str) -> list[dict[str, Any]]:
    return [json.loads((folder / f"{scenario}-{rank}" / "said.json").read_text("utf-8")) for rank in (0, 1)]


def weights(folder: Path, scenario: str) -> dict[str, Tensor]:
    """Weights and buffers, which must be the same on both ranks, to the last bit."""
    first, second = (dict(load_file(folder / f"{scenario}-{rank}" / "weights.safetensors")) for rank in (0, 1))
    assert all(torch.equal(second[name], value) for name, value in first.items())
    return first


def assert_learned_like(found: dict[str, Tensor], wanted: TinyPretrainer) -> None:
    start = tiny_pretrainer(train=True).state_dict()
    assert any(not torch.allclose(found[name], value, atol=1e-3) for name, value in start.items())
    for name, value in wanted.state_dict().items():
        torch.testing.assert_close(found[name], value, rtol=1e-4, atol=1e-6, msg=name)


def accumulate(network: TinyPretrainer) -> list[float]:
    """The slow reference: one process goes through both sequences; statistics of each from the same start."""
    method = TimeTriplet(network, margin=MARGIN, window=2)
    statistics = RunningStatistics(network)
    losses = []
    for step in range(STEPS):
        network.zero_grad()
        before, seen, loss = statistics.read(), [], 0.0
        for rank in range(len(FRAMES)):
            statistics.write(before)
            part = method.losses(*batch(step, rank, 1)).total / len(FRAMES)
            part.backward()  # type: ignore[no-untyped-call]
            seen.append(statistics.read())
            loss += part.item()
        statistics.write((seen[0] + seen[1]) / 2)
        descend(network)
        losses.append(loss)
    return losses


def descend(network: TinyPretrainer) -> None:
    with torch.no_grad():
        for part in network.parameters():
            if part.grad is not None:
                part.sub_(part.grad, alpha=RATE)


def test_two_ranks_learn_what_one_process_learns_that_accumulates_both_sequences(folder: Path) -> None:
    network = tiny_pretrainer(train=True)
    losses = accumulate(network)
    assert_learned_like(weights(folder, "per-rank"), network)
    points = said(folder, "per-rank")[0]["points"]
    assert [point["loss"] for point in points] == pytest.approx(losses, rel=1e-4)


def test_only_the_first_rank_tells_and_saves(folder: Path) -> None:
    first, second = said(folder, "per-rank")
    assert first["done"] == second["done"] == STEPS
    assert [point["step"] for point in first["points"]] == [1, 2, 3]
    assert first["checkpoints"] == ["step-000003.optimizer.safetensors", "step-000003.safetensors"]
    assert second["points"] == []
    assert second["checkpoints"] == []


@pytest.mark.parametrize("scenario", ["gather-time-triplet", "gather-simclr", "gather-cached"])
def test_gathered_negatives_equal_the_larger_batch(folder: Path, scenario: str) -> None:
    network = tiny_pretrainer(train=False)
    method: Any = SimClr(network) if scenario == "gather-simclr" else TimeTriplet(network, margin=MARGIN, window=2)
    for step in range(STEPS):
        parts = [batch(step, rank, method.views) for rank in (0, 1)]
        views = [torch.cat(view) for view in zip(*(part[0].chunk(method.views) for part in parts), strict=True)]
        network.zero_grad()
        method.losses(torch.cat(views), torch.cat([part[1] for part in parts])).total.backward()
        descend(network)
    assert_learned_like(weights(folder, scenario), network)


def test_without_gathering_ranks_do_not_see_each_others_negatives(folder: Path) -> None:
    gathered_weights = weights(folder, "gather-time-triplet")
    alone = weights(folder, "small-card")  # the same steps, each rank's loss by itself
    assert any(not torch.allclose(gathered_weights[name], value, atol=1e-4) for name, value in alone.items())


def test_memory_that_runs_out_on_one_rank_makes_chunks_smaller_on_all(folder: Path) -> None:
    first, second = said(folder, "small-card")
    assert (first["chunk"], second["chunk"]) == (6, 4)
    assert "at a time" in first["lines"][0]
    network = tiny_pretrainer(train=False)
    accumulate(network)
    assert_learned_like(weights(folder, "small-card"), network)


def test_a_stop_that_one_rank_hears_stops_all_after_the_same_step(folder: Path) -> None:
    first, second = said(folder, "stopped")
    assert first["done"] == second["done"] == 2
    assert first["checkpoints"][-1] == "step-000002.safetensors"


def test_a_cancel_that_one_rank_hears_ends_all(folder: Path) -> None:
    first, second = said(folder, "cancelled")
    assert first["cancelled"]
    assert second["cancelled"]
    assert first["checkpoints"] == []


def test_a_loss_that_is_not_a_number_on_one_rank_reaches_no_weights(folder: Path) -> None:
    for one in said(folder, "diverged"):
        assert "not a finite number at step 2" in one["error"]
    assert all(bool(torch.isfinite(value).all()) for name, value in weights_of_parameters(folder, "diverged"))


def weights_of_parameters(folder: Path, scenario: str) -> list[tuple[str, Tensor]]:
    state = load_file(folder / f"{scenario}-0" / "weights.safetensors")
    return [(name, value) for name, value in state.items() if "running" not in name]


def test_what_one_rank_cannot_read_is_told_by_all(folder: Path) -> None:
    assert [one["error"] for one in said(folder, "unreadable")] == ["No frame of study P1 can be read."] * 2


def test_ranks_agree_on_texts_and_means_and_draw_their_own_numbers(folder: Path) -> None:
    assert [one["text"] for one in said(folder, "text")] == ["schön", "schön"]
    first, second = said(folder, "own")
    assert first["mean"] == second["mean"] == [0.5, 1.0]
    assert first["seed"] == 3
    assert second["seed"] != 3


def test_alone_everything_is_a_plain_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    rows = torch.rand(4, 2)
    with joined() as ranks:
        assert ranks == ALONE
        assert ranks.together(lambda: 5) == 5
        assert ranks.first_then_others(lambda: 6) == 6
        assert ranks.from_first(lambda: "x") == "x"
        assert ranks.mean([1.0, 2.0]) == (1.0, 2.0)
        assert ranks.go_on(SilentReporter())
        assert ranks.seed(7) == 7
        assert gathered(rows) is rows
        assert torch.equal(gathered_views(rows, 2), rows)
        network = tiny_pretrainer(train=True)
        assert ranks.distributed(network) is network


@pytest.mark.parametrize("fails", [False, True])
def test_ranks_that_are_done_wait_for_each_other_before_they_leave(
    fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setenv("WORLD_SIZE", "2")
    for name in ("init_process_group", "barrier", "destroy_process_group"):
        monkeypatch.setattr(torch.distributed, name, lambda *_, name=name, **__: done.append(name))
    for name, value in (("get_rank", 0), ("get_world_size", 2)):
        monkeypatch.setattr(torch.distributed, name, lambda value=value: value)
    with suppress(ValueError), joined("cpu"):
        if fails:  # the others may be gone, or wait elsewhere
            raise ValueError
    assert done == ["init_process_group", *([] if fails else ["barrier"]), "destroy_process_group"]


def test_alone_a_cancel_and_an_error_stay_what_they_are() -> None:
    class Cancelling(SilentReporter):
        def check(self) -> None:
            raise Cancelled

    def fail() -> None:
        raise UserError("A sentence.", "A hint.")

    with pytest.raises(Cancelled):
        ALONE.go_on(Cancelling())
    with pytest.raises(UserError, match="A sentence"):
        ALONE.together(fail)
