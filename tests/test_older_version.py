"""What an older version stored opens as before.

`data/ec36070.zip` was written by the program at commit ec36070: a library with a scored study of 60 frames, its labels,
finding, landmark, box and undo history, a model, a fine-tuning, a finished pretraining (`pgcon`) and one that was
stopped after 2 of 4 steps (`time-triplet`). All weights are 0, so that they pack well; checkpoints that no test needs
were left out. It lay in `/recordings`.
"""

import json
import shutil
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import press, wait
from training.commands.common import find_command, make_config
from training.commands.shell import main
from training.embeddings.file import EmbeddingFile
from training.models.folder import ModelFolder
from training.runs.reporter import SilentReporter
from wce_desktop.core.span import Span
from wce_desktop.library import Library
from wce_desktop.session.work import resume_job
from wce_desktop.shell.application import open_session
from wce_desktop.shell.main_window import MainWindow

STUDY, FINDING_SIZE_MM = "s-2231f3c686f094a2", 4.0


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("older")
    with zipfile.ZipFile(Path(__file__).parent / "data" / "ec36070.zip") as archive:
        archive.extractall(folder)
    return folder / "recordings"


@pytest.fixture
def older(unpacked: Path, tmp_path: Path) -> Path:
    """The files of the older version, with their paths as if they had been written here."""
    folder = Path(shutil.copytree(unpacked, tmp_path / "recordings"))
    for path in (*folder.glob("library/runs/*/*.json"), *folder.glob("library/runs/*/inputs/*.json")):
        path.write_text(path.read_text().replace("/recordings", folder.as_posix()))
    with closing(sqlite3.connect(folder / "library" / "library.sqlite")) as raw, raw:
        raw.execute("UPDATE studies SET path = ?", (str(folder / "study.mp4"),))
    return folder


def test_its_library_holds_what_was_stored_and_can_be_undone_to_the_beginning(older: Path) -> None:
    with Library.open(older / "library", "reader") as library:
        assert sorted((label.name, label.span) for label in library.annotations.labels(STUDY)) == [
            ("blood", Span(40, 42)),
            ("normal", Span(20, 40)),
            ("polyp", Span(10, 14)),
        ]
        (finding,) = library.annotations.findings(STUDY)
        assert (finding.comment, finding.size_mm) == ("Sessile, near the papilla.", FINDING_SIZE_MM)
        assert [mark.frame_index for mark in library.annotations.landmarks(STUDY)] == [30]
        assert [box.finding_id for box in library.annotations.boxes(STUDY)] == [finding.finding_id]
        assert library.annotations.links(STUDY) == ()  # the table came later
        assert library.studies.get(STUDY).last_frame == 12
        assert [(run.run_id, run.state) for run in library.runs.all()] == [
            ("r-time-triplet", "cancelled"),
            ("r-pgcon", "done"),
            ("r-finetune", "done"),
        ]
        redone = library.annotations.redo(STUDY)
        assert redone is not None
        assert redone.title == "Label 1 frame blood"
        while library.annotations.undo(STUDY) is not None:
            pass
        entries = library.annotations
        assert (entries.labels(STUDY), entries.findings(STUDY)) == ((), ())
        assert (entries.landmarks(STUDY), entries.boxes(STUDY)) == ((), ())
        assert library.problems(STUDY) == ()


def test_its_study_opens_in_the_window_with_scores_and_labels(older: Path, qtbot: QtBot) -> None:
    session = open_session(older / "library")
    session.scores.use_model("m1")
    window = MainWindow(session)
    window.show()
    qtbot.waitExposed(window)
    try:
        window.features.studies.open_study(session.library.studies.get(STUDY))
        wait(qtbot, lambda: session.reading is not None and window.is_idle)
        reading = session.reading
        assert reading is not None
        assert (reading.place.frame_index, reading.frame_count, len(reading.entries.labels)) == (12, 60, 3)
        assert reading.flags.embeddings is not None
        press(window, "undo")
        assert reading.entries.boxes == []
    finally:
        window.jobs.shut_down()
        window.close()
        window.deleteLater()


def test_its_models_and_embeddings_are_read_and_scored_alike(older: Path, tmp_path: Path) -> None:
    kept = next((older / "library" / "studies" / STUDY).glob("*.h5"))
    for model in (older / "library" / "models" / "m1", older / "library" / "runs" / "r-finetune" / "model"):
        assert ModelFolder.open(model).config.classes == ("normal", "polyp", "blood")
    out = tmp_path / "again.h5"
    model = older / "library" / "models" / "m1"
    assert main(["score", str(older / "study.mp4"), "--model", str(model), "--out", str(out)]) == 0
    with EmbeddingFile.open(kept) as before, EmbeddingFile.open(out) as after:
        np.testing.assert_array_equal(before.scores, after.scores)
        assert before.header.video_fingerprint == after.header.video_fingerprint


def test_its_pretraining_goes_on_where_it_was_stopped(older: Path) -> None:
    session = open_session(older / "library")
    (run,) = [run for run in session.library.runs.all() if run.run_id == "r-time-triplet"]
    job = resume_job(session, run)
    session.library.close()
    config_class, pretrain, presets = find_command(job.command)
    result = pretrain(make_config(config_class, job.config, presets=presets), SilentReporter())
    asked = json.loads((run.folder / "config.json").read_text())["config"]
    assert (result["finished"], result["method"]) == (True, "time-triplet")
    assert result["steps_done"] == asked["steps"] == len((run.folder / "metrics.csv").read_text().splitlines()) - 1


def test_what_it_pretrained_can_be_fine_tuned(older: Path, tmp_path: Path) -> None:
    asked = ["--studies", "studies.json", "--labels", "labels.csv", "--init", "library/runs/r-pgcon"]
    paths = [str(older / text) if not text.startswith("--") else text for text in asked]
    few = ["steps=1", "batch_size=4", "evaluations=0", "input_size=32", "refit=false"]
    settings = [part for setting in few for part in ("--set", setting)]
    assert main(["finetune", *paths, "--out", str(tmp_path / "run"), *settings]) == 0
    assert ModelFolder.open(tmp_path / "run" / "model").config.classes == ("normal", "polyp", "blood")
