"""The command renders what its config says and counts it."""

import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from training.commands.studies import PhantomCommand, run_phantom
from training.datasets.manifest import load_manifest
from training.runs.reporter import SilentReporter


def test_it_renders_and_counts(tmp_path: Path) -> None:
    config = PhantomCommand(out=tmp_path, studies=2, frames=30, size_px=48, positive_share=0.3)
    result = run_phantom(config, SilentReporter())
    assert Path(result["manifest"]) == tmp_path / "manifest.json"
    assert (result["studies"], result["studies_wanted"], result["frames"]) == (2, 2, 60)
    assert 0 < result["positive_frames"] < 60
    assert len(load_manifest(tmp_path / "manifest.json").studies) == 2


def test_defaults_are_the_documented_ones(tmp_path: Path) -> None:
    config = PhantomCommand(out=tmp_path)
    assert (config.studies, config.frames, config.seed, config.size_px) == (4, 3000, 0, 256)


@pytest.mark.parametrize("wrong", [{"studies": 0}, {"frames": 1}, {"size_px": 255}, {"colour": "red"}])
def test_wrong_fields_are_refused(tmp_path: Path, wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        PhantomCommand.model_validate({"out": tmp_path, **wrong})


def test_importing_the_command_is_light() -> None:
    code = (
        "import sys, training.commands.studies; sys.exit(any(name in sys.modules for name in ('torch', 'cv2', 'av')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
