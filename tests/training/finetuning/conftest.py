"""A model that others start from."""

from pathlib import Path

import pytest

from tests.training.finetuning.test_run import config
from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.finetuning.start import finetune
from training.runs.reporter import SilentReporter


@pytest.fixture(scope="session")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that knows polyps and blood."""
    folder = tmp_path_factory.mktemp("old")
    studies = write_tiny_studies(folder / "s", patients=4, frames=36, kinds=("normal", "polyp", "blood"))
    finetune(config(studies, folder / "run", steps=40, evaluations=0), SilentReporter())
    return folder / "run" / "model"
