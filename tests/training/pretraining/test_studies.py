"""Which studies a pretraining takes: a method that learns from time takes no stills."""

from pathlib import Path

import pytest

from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.datasets.manifest import Manifest, load_manifest, save_manifest
from training.errors import UserError
from training.pretraining.config import pretrain_config
from training.pretraining.studies import PretrainStudies, pretrain_studies
from training.runs.reporter import SilentReporter


def as_stills(folder: Path, count: int) -> Path:
    """Tiny studies of two patients, of which the first `count` are stills."""
    path = write_tiny_studies(folder, patients=2, frames=12) / "manifest.json"
    studies = load_manifest(path).studies
    changed = [study.model_copy(update={"kind": "stills"}) for study in studies[:count]]
    save_manifest(path, Manifest(studies=(*changed, *studies[count:])))
    return path


def asked(manifest: Path, method: str) -> PretrainStudies:
    own = {"window": 1} if method == "time-triplet" else {}
    config = pretrain_config(
        studies=manifest, out=manifest.parent / "run", method=method, sequence_length=4, sequences=1, **own
    )
    return pretrain_studies(config, SilentReporter())


def test_time_is_not_learned_from_the_order_of_files(tmp_path: Path) -> None:
    found = asked(as_stills(tmp_path / "one", 1), "time-triplet")
    assert found.patients == ["P1"]
    assert found.left_out.startswith("12 of 24 frames are left out: they are still images")
    stills = as_stills(tmp_path / "two", 2)
    with pytest.raises(
        UserError, match=r"time-triplet needs video, but all studies of manifest\.json are still images"
    ):
        asked(stills, "time-triplet")
    assert asked(stills, "simclr").patients == ["P0", "P1"]
