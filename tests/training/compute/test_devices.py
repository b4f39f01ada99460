"""Torch's devices and precisions."""

import pytest
import torch

from training.compute import devices as module
from training.compute.devices import best_precision, choose_device

CPU = torch.device("cpu")


@pytest.mark.parametrize("name", ["cuda", "mps"])
def test_a_device_that_is_not_there_is_said_and_the_cpu_taken(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    device, said = choose_device(name)  # type: ignore[arg-type]
    assert device == CPU
    assert said == f"No {name} device was found on this computer; using the CPU."


def test_auto_takes_the_best_and_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert choose_device("auto") == (torch.device("cuda"), "")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    assert choose_device("auto") == (CPU, "")


def test_bfloat16_only_where_the_cpu_computes_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "cpu_has_bfloat16", lambda: True)
    assert best_precision(CPU) == torch.bfloat16
    monkeypatch.setattr(module, "cpu_has_bfloat16", lambda: False)
    assert best_precision(CPU) == torch.float32


def test_a_torch_without_the_probes_means_float32(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"):
        monkeypatch.delattr(torch.cpu, name, raising=False)
    assert not module.cpu_has_bfloat16()
