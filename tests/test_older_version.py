"""What older versions stored opens as before.

Each archive was written by the program at the commit in its name, in `/recordings`; all weights but one bias are 0, so
that they pack well, and checkpoints that no test needs were left out.

* `data/ec36070.zip`: a library with a scored study of 60 frames, its labels, finding, landmark, box and undo history, a
  model, a fine-tuning, a finished pretraining (`pgcon`) and one that was stopped after 2 of 4 steps (`time-triplet`).
* `data/a744d17e.zip`: a library with a scored study of 60 frames, its labels, findings with all fields, landmarks, box,
  link, patient record, score, report texts, signed report and undo history, a second reading of it, another study with
  a rejected flag, a removed one, a model, and a fine-tuning with the model that it made.
"""

import atexit
import json
import os
import shutil
import sqlite3
import tempfile
import zipfile
from contextlib import closing
from dataclasses import dataclass
from functools import cache
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
from wce_desktop.core.annotation.record import Record
from wce_desktop.core.span import Span
from wce_desktop.library import Library
from wce_desktop.library.lineage import Family
from wce_desktop.session.work import resume_job
from wce_desktop.shell.application import open_session
from wce_desktop.shell.main_window import MainWindow


@dataclass(frozen=True)
class Stored:
    """An archive, and what it holds."""

    name: str
    study: str
    comment: str
    size_mm: float
    landmarks: tuple[int, ...]
    links: int
    runs: tuple[tuple[str, str], ...]

    @property
    def archive(self) -> Path:
        return Path(__file__).parent / "data" / f"{self.name}.zip"


FIRST = Stored(
    "ec36070",
    "s-2231f3c686f094a2",
    "Sessile, near the papilla.",
    4.0,
    (30,),
    0,  # the table came later
    (("r-time-triplet", "cancelled"), ("r-pgcon", "done"), ("r-finetune", "done")),
)
SECOND = Stored("a744d17e", "s-976f3db3f1a719c6", "Two folds apart.", 7.0, (1, 5, 45), 1, (("r-finetune", "done"),))


@pytest.fixture(params=[FIRST, SECOND], ids=lambda stored: stored.name)
def stored(request: pytest.FixtureRequest) -> Stored:
    """Each of the archives."""
    made: Stored = request.param
    return made


@cache
def extracted(stored: Stored) -> Path:
    """The files of an older version, unpacked once."""
    folder = Path(tempfile.mkdtemp(prefix="older-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with zipfile.ZipFile(stored.archive) as archive:
        archive.extractall(folder)
    return folder / "recordings"


def _weights_linked(source: str, target: str) -> None:
    """Copy a file; weights, which nothing changes in place, are large."""
    os.link(source, target) if source.endswith(".safetensors") else shutil.copy2(source, target)


def unpack(stored: Stored, folder: Path) -> Path:
    """A copy of the files of an older version, with their paths as if they had been written here."""
    folder = Path(shutil.copytree(extracted(stored), folder / "recordings", copy_function=_weights_linked))
    for path in (*folder.glob("library/runs/*/*.json"), *folder.glob("library/runs/*/inputs/*.json")):
        path.write_text(path.read_text().replace("/recordings", folder.as_posix()))
    with closing(sqlite3.connect(folder / "library" / "library.sqlite")) as raw, raw:
        raw.execute("UPDATE studies SET path = replace(path, '/recordings', ?)", (str(folder),))
    return folder


@pytest.fixture
def older(stored: Stored, tmp_path: Path) -> Path:
    return unpack(stored, tmp_path)


@pytest.fixture
def first(tmp_path: Path) -> Path:
    """The archive with pretrainings."""
    return unpack(FIRST, tmp_path)


def test_its_library_holds_what_was_stored_and_can_be_undone_to_the_beginning(older: Path, stored: Stored) -> None:
    study = stored.study
    with Library.open(older / "library", "reader") as library:
        assert sorted((label.name, label.span) for label in library.annotations.labels(study)) == [
            ("blood", Span(40, 42)),
            ("normal", Span(20, 40)),
            ("polyp", Span(10, 14)),
        ]
        finding = library.annotations.findings(study)[0]
        assert (finding.comment, finding.size_mm) == (stored.comment, stored.size_mm)
        assert tuple(mark.frame_index for mark in library.annotations.landmarks(study)) == stored.landmarks
        assert [box.finding_id for box in library.annotations.boxes(study)] == [finding.finding_id]
        assert len(library.annotations.links(study)) == stored.links
        assert library.studies.get(study).last_frame == 12
        assert tuple((run.run_id, run.state) for run in library.runs.all()) == stored.runs
        redone = library.annotations.redo(study)
        assert redone is not None
        assert redone.title == "Label 1 frame blood"
        while library.annotations.undo(study) is not None:
            pass
        entries = library.annotations
        assert (entries.labels(study), entries.findings(study), entries.links(study)) == ((), (), ())
        assert (entries.landmarks(study), entries.boxes(study), entries.report_parts(study)) == ((), (), ())
        assert library.problems(study) == ()


def test_what_came_between_the_two_is_there(tmp_path: Path) -> None:
    folder = unpack(SECOND, tmp_path)
    with Library.open(folder / "library", "reader") as library:
        study = library.studies.get(SECOND.study)
        record = library.studies.record(SECOND.study)
        examination = ("2026-03-01", "SB3", "Anaemia", "2 l PEG", "Dr Jones")
        assert record == Record(SECOND.study, study.patient_id, "H 4711", 1950, "female", *examination)
        polyp, blood = library.annotations.findings(SECOND.study)
        assert (polyp.morphology, polyp.relevance, polyp.number) == ("0-Is sessile", "P1", "few")
        assert (polyp.segment, polyp.key_frames, polyp.was_seen_before) == ("jejunum", (12, 13), None)
        assert (blood.model_id, blood.was_seen_before) == ("m1", False)
        parts = {part.kind: dict(part.content) for part in library.annotations.report_parts(SECOND.study)}
        assert parts["cc-clear"] == {"right": "3", "transverse": "2", "left": "2"}
        texts = {"summary": "A polyp and blood.", "recommendation": "Enteroscopy", "adequacy": ""}
        assert parts["texts"] == texts
        (report,) = library.reports.signed(SECOND.study)
        report.check()
        assert library.reports.check(report).problems == ()
        assert b"Enteroscopy" in report.read(".html")
        (second,) = library.studies.second_readings(SECOND.study)
        assert [label.reader for label in library.annotations.labels(second.study_id)] == ["Dr Brown"]
        other = library.studies.get(library.annotations.links(SECOND.study)[0].other_study_id)
        assert [label.name for label in library.annotations.answers(other.study_id) if label.is_from_rejecting]
        assert [removal.study_id for removal in library.removals.all()] == ["s-77d9171058714499"]
        assert library.audit.check().breaks == []
        family = Family.of(library)
        (trained,) = [model for model in library.models.all() if model.run_id == "r-finetune"]
        assert [step.link for step in family.lineage(trained)] == ["m1", trained.model_id]


def test_its_study_opens_in_the_window_with_scores_and_labels(older: Path, stored: Stored, qtbot: QtBot) -> None:
    session = open_session(older / "library")
    session.scores.use_model("m1")
    window = MainWindow(session)
    window.show()
    qtbot.waitExposed(window)
    try:
        window.features.studies.open_study(session.library.studies.get(stored.study))
        wait(qtbot, lambda: session.reading is not None and window.is_idle)
        reading = session.reading
        assert reading is not None
        assert (reading.place.frame_index, reading.frame_count, len(reading.entries.labels)) == (12, 60, 3)
        assert reading.flags.embeddings is not None
        last = session.library.annotations.undo_title(stored.study)
        press(window, "undo")
        assert session.library.annotations.redo_title(stored.study) == last
        assert (reading.entries.boxes == []) == (stored is FIRST)
    finally:
        window.jobs.shut_down()
        window.close()
        window.deleteLater()


def test_its_models_and_embeddings_are_read_and_scored_alike(older: Path, stored: Stored, tmp_path: Path) -> None:
    kept = next((older / "library" / "studies" / stored.study).glob("*.h5"))
    for model in (older / "library" / "models" / "m1", older / "library" / "runs" / "r-finetune" / "model"):
        assert ModelFolder.open(model).config.classes == ("normal", "polyp", "blood")
    out = tmp_path / "again.h5"
    model = older / "library" / "models" / "m1"
    assert main(["score", str(older / "study.mp4"), "--model", str(model), "--out", str(out)]) == 0
    with EmbeddingFile.open(kept) as before, EmbeddingFile.open(out) as after:
        np.testing.assert_array_equal(before.scores, after.scores)
        assert before.header.video_fingerprint == after.header.video_fingerprint


def test_its_pretraining_goes_on_where_it_was_stopped(first: Path) -> None:
    session = open_session(first / "library")
    (run,) = [run for run in session.library.runs.all() if run.run_id == "r-time-triplet"]
    job = resume_job(session, run)
    session.library.close()
    config_class, pretrain, presets = find_command(job.command)
    result = pretrain(make_config(config_class, job.config, presets=presets), SilentReporter())
    asked = json.loads((run.folder / "config.json").read_text())["config"]
    assert (result["finished"], result["method"]) == (True, "time-triplet")
    assert result["steps_done"] == asked["steps"] == len((run.folder / "metrics.csv").read_text().splitlines()) - 1


def test_what_it_pretrained_can_be_fine_tuned(first: Path, tmp_path: Path) -> None:
    asked = ["--studies", "studies.json", "--labels", "labels.csv", "--init", "library/runs/r-pgcon"]
    paths = [str(first / text) if not text.startswith("--") else text for text in asked]
    few = ["steps=1", "batch_size=4", "evaluations=0", "input_size=32", "refit=false"]
    settings = [part for setting in few for part in ("--set", setting)]
    assert main(["finetune", *paths, "--out", str(tmp_path / "run"), *settings]) == 0
    assert ModelFolder.open(tmp_path / "run" / "model").config.classes == ("normal", "polyp", "blood")
