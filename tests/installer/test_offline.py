"""The folder of wheels: a folder that holds something is left alone."""

from pathlib import Path

import pytest

from installer.environment import BuildError
from installer.offline.__main__ import make, requirement


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    kept = tmp_path / "letter.txt"
    kept.write_text("mine", encoding="utf-8")
    with pytest.raises(BuildError, match="not an empty folder"):
        make(tmp_path, "reading")
    assert kept.read_text(encoding="utf-8") == "mine"


def test_a_wheel_of_another_place_is_allowed_by_its_hash(tmp_path: Path) -> None:
    wheel = tmp_path / "torch-2.13.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl"
    wheel.write_bytes(b"")
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert requirement(wheel) == f"torch==2.13.0+cpu \\\n    --hash=sha256:{empty}\n"
