"""Which studies are suggested, which to evaluate on, and what is written down for a training."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.wce_desktop.sessions import make_session
from training.datasets.manifest import load_manifest
from training.errors import UserError
from training.pretraining.config import pretrain_config
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.core.span import Span
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library.run_files import inputs_folder
from wce_desktop.library.unfinished_runs import unfinished_runs
from wce_desktop.session.presets import built_in
from wce_desktop.session.session import Session
from wce_desktop.session.study_choice import (
    StudyRow,
    TooFewStudiesError,
    check_choice,
    check_sequences,
    describe_choice,
    evaluation_studies,
    study_rows,
    suggested,
)
from wce_desktop.session.work import pretrain_job, resume_job

FRAMES = 100


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """Four studies of three patients: s0 labelled, s1 of the same patient, s2 with landmarks, s3 without its video."""
    made = make_session(tmp_path, has_model=False)
    for number, patient in enumerate(("A", "A", "B", "C")):
        path = tmp_path / f"v{number}.mp4"
        if number < 3:
            path.touch()
        made.library.studies.add(path, study_id=f"s{number}", patient_id=patient, frame_count=FRAMES)
    labels = [Label("l0", "s0", Span(0, 10), "polyp"), Label("l1", "s0", Span(20, 50), "normal")]
    made.library.annotations.edit("s0", "Label", [Add(label) for label in labels])
    marks = [Landmark("m0", "s2", Region.STOMACH, 5), Landmark("m1", "s2", Region.SMALL_BOWEL, 30)]
    made.library.annotations.edit("s2", "Mark", [Add(mark) for mark in marks])
    yield made
    made.library.close()


@pytest.fixture
def rows(session: Session) -> tuple[StudyRow, ...]:
    """The rows of the four."""
    return study_rows(session)


def test_a_row_says_what_a_study_holds(rows: tuple[StudyRow, ...]) -> None:
    assert [row.labelled_frames for row in rows] == [40, 0, 0, 0]
    assert [row.used_frames for row in rows] == [100, 100, 70, 100]
    assert [row.is_there for row in rows] == [True, True, True, False]
    assert describe_choice(rows, {"s0", "s1"}) == "2 studies of 1 patient, 200 frames, 40 labelled"


def test_nobody_to_evaluate_on_is_trained_on(rows: tuple[StudyRow, ...]) -> None:
    assert suggested(rows, "pretrain") == {"s2"}  # s1 is of the labelled patient, s3's video is gone
    assert suggested(rows, "finetune") == {"s0"}
    assert [row.study.study_id for row in evaluation_studies(rows, {"s2"})] == ["s0"]
    assert evaluation_studies(rows, {"s1", "s2"}) == ()


def test_what_cannot_be_learned_from_is_told(session: Session, rows: tuple[StudyRow, ...]) -> None:
    with pytest.raises(UserError, match="No study is ticked"):
        check_choice(session, "pretrain", [])
    with pytest.raises(UserError, match="have only normal labels"):
        check_choice(session, "finetune", [rows[1]])
    check_choice(session, "finetune", [rows[0]])
    session.library.annotations.edit("s1", "Label", [Add(Label("l2", "s1", Span(0, 10), "polyp"))])
    with pytest.raises(UserError, match="no frames labelled normal"):
        check_choice(session, "finetune", [study_rows(session)[1]])


def test_a_pretraining_is_given_spans_and_evaluation_studies_that_it_never_trains_on(session: Session) -> None:
    run = session.library.runs.add("Pretrained 1", kind="pretrain")
    spec = pretrain_job(session, run.folder, {"preset": "smoke", "init": "random"}, {"s1", "s2"}, {"s0"})
    config = pretrain_config(**spec.config)
    assert config.held_out_patients == ("A",)
    assert config.studies is not None
    entries = {entry.study_id: entry for entry in load_manifest(config.studies).studies}
    assert set(entries) == {"s1", "s2"}
    spans = [(span.start, span.stop, span.region) for span in entries["s2"].spans]
    assert spans == [(0, 5, ""), (5, 30, "stomach"), (30, 100, "small bowel")]
    assert config.label_studies is not None
    assert [entry.study_id for entry in load_manifest(config.label_studies).studies] == ["s0"]
    assert config.labels is not None
    assert config.labels.is_file()


def test_a_run_that_never_began_goes_on_with_what_was_written_for_it(session: Session) -> None:
    run = session.library.runs.add("Pretrained 1", kind="pretrain")
    assert unfinished_runs(session.library) == ()  # nothing was written yet
    spec = pretrain_job(session, run.folder, {"preset": "smoke", "init": "random"}, {"s2"}, ())
    (found,) = unfinished_runs(session.library)
    assert found.sentence == "Pretrained 1 was interrupted before its first checkpoint."
    assert unfinished_runs(session.library, {run.run_id}) == ()
    again = resume_job(session, run)
    assert again.config == {**spec.config, "resume": True}


def test_only_what_has_a_checkpoint_can_go_on_once_it_ended(session: Session) -> None:
    run = session.library.runs.add("Fine-tuned 1")
    run.folder.mkdir(parents=True, exist_ok=True)
    JobSpec("t", "finetune", {"studies": "m", "labels": "l", "steps": 20}).write_config(run.folder / "config.json")
    session.library.runs.finish(run.run_id, "failed", {}, "No.")
    assert unfinished_runs(session.library) == ()
    checkpoints = run.folder / "checkpoints"
    checkpoints.mkdir()
    (checkpoints / "step-000007.safetensors").touch()
    (checkpoints / "step-000007.optimizer.safetensors").touch()
    assert unfinished_runs(session.library)[0].sentence == "Fine-tuned 1 failed at step 7 of 20."
    session.library.runs.finish(run.run_id, "done", {"finished": True})
    assert unfinished_runs(session.library) == ()
    session.library.runs.finish(run.run_id, "done", {"finished": False})
    assert unfinished_runs(session.library)[0].sentence == "Fine-tuned 1 was stopped at step 7 of 20."
    config = resume_job(session, session.library.runs.all()[0]).config
    assert config["resume"] is True
    assert config["out"] == str(run.folder)


def test_a_run_whose_settings_are_damaged_says_so(session: Session) -> None:
    run = session.library.runs.add("Pretrained 1", kind="pretrain")
    (run.folder / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(UserError, match="missing or damaged"):
        resume_job(session, run)
    assert not inputs_folder(run.folder).exists()


def test_the_small_preset_comes_first() -> None:
    assert built_in("pretrain")[0].name == "small"


def test_stills_are_no_sequences_for_a_method_that_learns_from_time(session: Session) -> None:
    session.library.studies.update("s0", runs=())
    rows = [row for row in study_rows(session) if row.study.study_id in ("s0", "s2")]
    for method in ("time-triplet", "simclr"):
        one = pretrain_config(studies="m", out="o", method=method, sequences=1, sequence_source="studies")
        check_sequences(one, rows)
    two = pretrain_config(studies="m", out="o", method="time-triplet", sequences=2, sequence_source="studies")
    with pytest.raises(TooFewStudiesError, match="1 study is ticked"):
        check_sequences(two, rows)
    with pytest.raises(UserError, match="are still images"):
        check_sequences(two, [row for row in rows if row.study.study_id == "s0"])
