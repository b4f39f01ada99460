"""Which device, precision and shares of the cores are chosen for forward passes."""

import pytest

from training.compute import plan as module
from training.compute.plan import choose_plan, fastest_batch, fastest_precision, inference_device


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_may_have_cuda", lambda: False)
    monkeypatch.setattr(module, "_may_have_mps", lambda: False)


@pytest.mark.usefixtures("no_gpu")
@pytest.mark.parametrize("name", ["cuda", "mps"])
def test_a_device_that_is_not_there_is_said_and_the_cpu_taken(name: str) -> None:
    found = inference_device(name)  # type: ignore[arg-type]
    assert found == ("cpu", f"No {name} device was found on this computer; using the CPU.")


@pytest.mark.usefixtures("no_gpu")
def test_auto_takes_the_cpu_and_says_nothing() -> None:
    assert inference_device("auto") == ("cpu", "")


def test_torch_is_asked_where_there_may_be_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(module, "_may_have_cuda", lambda: True)
    monkeypatch.setattr(module, "_may_have_mps", lambda: False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert inference_device("auto") == ("cuda", "")
    assert inference_device("cpu") == ("cpu", "")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert inference_device("cuda")[1] == "No cuda device was found on this computer; using the CPU."


@pytest.mark.parametrize(
    ("capabilities", "wanted"),
    [({"FP32", "INT8"}, "float32"), ({"FP32", "BF16"}, "bfloat16"), ({"FP32", "FP16"}, "float16")],
)
def test_the_fastest_precision_that_the_cpu_computes_in(
    capabilities: set[str], wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "cpu_capabilities", lambda: frozenset(capabilities))
    assert fastest_precision("cpu") == wanted
    monkeypatch.setattr(module, "has_openvino", lambda: False)
    assert fastest_precision("cpu") == "float32"


@pytest.mark.parametrize(("cores", "lanes", "threads"), [(1, 1, 1), (2, 2, 1), (8, 8, 1), (32, 8, 4)])
def test_lanes_share_out_the_cores(cores: int, lanes: int, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "usable_cores", lambda: cores)
    plan = choose_plan("cpu")
    assert (plan.lanes, plan.threads_per_lane) == (lanes, threads)


def test_what_is_given_wins() -> None:
    plan = choose_plan("cpu", batch=3, precision="float16", lanes=5)
    assert (plan.batch, plan.precision, plan.lanes) == (3, "float16", 5)
    assert str(plan) == "cpu, float16, batches of 3, 5 lanes"


def test_large_frames_go_in_smaller_batches_through_light_trunks() -> None:
    sides = [("efficientnet_lite0", 160), ("efficientnet_lite0", 224), ("resnet18", 224), ("resnet50", 256)]
    assert [fastest_batch("cpu", *each) for each in sides] == [8, 4, 4, 8]
    assert fastest_batch("cuda", "resnet18", 224) == choose_plan("cuda", precision="float32").batch
