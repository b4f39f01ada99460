"""A fine-tuning on blood and normal frames only, from the window: polyps are not forgotten, and have a row."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.training.finetuning.test_run import config
from tests.training.pretraining.tiny_studies import write_tiny_studies
from tests.wce_desktop.features.learning.trainer import Trainer
from tests.wce_desktop.sessions import make_session
from tests.wce_desktop.windows import window_on
from training.datasets.frame_store import load_frames
from training.datasets.labelled_frames import collect_frames
from training.datasets.labels import read_labels, write_labels
from training.datasets.manifest import load_manifest
from training.finetuning.held_out import evaluate
from training.finetuning.start import finetune
from training.models.folder import ModelFolder
from training.models.network import load_network
from training.runs.reporter import SilentReporter
from wce_desktop.features.learning.model.starts import Start
from wce_desktop.library.exchange import apply_import, plan_import
from wce_desktop.session.session import Session

KINDS = ("normal", "polyp", "blood")
FRAMES = 36
SETTINGS: dict[str, Any] = {
    "steps": 30, "batch_size": 12, "learning_rate": 5e-3, "rehearsal_frames": 36, "evaluations": 0, "threads": 1,
    "precision": "float32", "checkpoint_seconds": 1e9,
}  # fmt: skip
pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that knows polyps and blood, of other patients."""
    folder = tmp_path_factory.mktemp("old")
    studies = write_tiny_studies(folder / "s", patients=4, frames=FRAMES, kinds=KINDS)
    finetune(config(studies, folder / "run", steps=40, evaluations=0), SilentReporter())
    return folder / "run" / "model"


@pytest.fixture
def studies(tmp_path: Path) -> Path:
    """Four patients; `labels.csv` says nothing of polyps, `all.csv` says everything."""
    folder = write_tiny_studies(tmp_path / "tiny", patients=4, frames=FRAMES, kinds=KINDS)
    manifest = folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"patient_id": "P', '"patient_id": "Q'))
    rows = read_labels(folder / "labels.csv")
    write_labels(folder / "all.csv", rows)
    write_labels(folder / "labels.csv", [row for row in rows if row.label != "polyp"])
    return folder


@pytest.fixture
def session(tmp_path: Path, old: Path, studies: Path) -> Iterator[Session]:
    """A library with these studies, in which the model is in use."""
    made = make_session(tmp_path, has_model=False)
    apply_import(made.library, plan_import(made.library, studies, {known.name for known in made.vocabulary}))
    made.scores.use_model(made.library.models.register(old, title="Old").model_id)
    made.studies_changed.emit()
    yield made
    made.library.close()


def polyp_auc(model: Path, studies: Path, patients: list[str]) -> float:
    """AUC of polyps against normal frames of these patients, by all labels."""
    manifest, rows = load_manifest(studies / "manifest.json"), read_labels(studies / "all.csv")
    frames = collect_frames(manifest, rows, {study.study_id: FRAMES for study in manifest.studies}, KINDS)
    chosen = frames.select(np.isin(frames.patients, patients))
    store = load_frames(chosen, 32, 1 << 30, studies / "frames.tmp", SilentReporter(), "reading")
    found = evaluate(load_network(ModelFolder.open(model)), store, None, SilentReporter())
    return float(found.figures["polyp"]["auc"])


def test_polyps_without_labels_are_kept_and_have_a_row(
    qtbot: QtBot, session: Session, old: Path, studies: Path
) -> None:
    with window_on(qtbot, session, None) as window:
        trainer, finetuning = Trainer(qtbot, window), window.features.learning.finetuning
        model = session.current_model
        assert model is not None
        finetuning.start_finetuning_on("default", SETTINGS, None, Start(model.title, str(model.folder), model.model_id))
        trainer.sees(lambda: not finetuning.is_finetuning)
        candidate = finetuning.candidate
        assert candidate is not None, session.library.runs.all()[-1]
        row = candidate.comparison["unlabelled"]["polyp"]
        assert row["old_flagged"] >= 5, "otherwise this test shows nothing"
        assert abs(row["new_flagged"] - row["old_flagged"]) <= 2
        card = ModelFolder.open(candidate.model.folder).card
        held_out = card["split"]["held_out_patients"]
        assert held_out
        before, after = (polyp_auc(folder, studies, held_out) for folder in (old, candidate.model.folder))
        assert abs(after - before) <= 0.02
        texts = finetuning.dialog.comparison.findChildren(type(finetuning.dialog.comparison._verdict))
        assert any("Polyp" in text.text() for text in texts)
