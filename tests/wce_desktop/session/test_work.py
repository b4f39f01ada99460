"""What jobs are asked to do: a study's index, the start of a fine-tuning."""

import json
from pathlib import Path

import pytest

from tests.wce_desktop.library.conftest import make_label
from tests.wce_desktop.sessions import add_study
from training.datasets.findings import read_links
from training.phantom.record import truth_path
from training.video import frame_index
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.link import Link
from wce_desktop.library import Library, Model
from wce_desktop.library.moving import move_library
from wce_desktop.session.session import Session
from wce_desktop.session.settings import Settings
from wce_desktop.session.work import finetuning_start, learns_anew, resume_job, score_job, train_reid_job


def current(session: Session) -> Model:
    assert session.current_model is not None
    return session.current_model


def test_a_job_takes_the_kept_index(session: Session, tmp_path: Path) -> None:
    study = add_study(session, tmp_path)
    config = score_job(session, study, current(session)).config
    assert config["index"] == str(session.files(study).index_path)


def test_a_job_makes_its_own_index_where_the_kept_one_is_an_older_versions(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = add_study(session, tmp_path)
    monkeypatch.setattr(frame_index, "SCHEMA_VERSION", frame_index.SCHEMA_VERSION + 1)
    assert score_job(session, study, current(session)).config["index"] is None
    session.files(study).index_path.unlink()
    assert score_job(session, study, current(session)).config["index"] is None


def test_re_identification_trains_on_the_links_of_the_library(session: Session, tmp_path: Path) -> None:
    study = add_study(session, tmp_path)
    without = train_reid_job(session, tmp_path / "run", {}, [study.study_id])
    assert without.config["links"] is None
    ends = {"study_id": study.study_id, "other_study_id": study.study_id}
    link = Link.new(**ends, frame_index=3, other_frame_index=9, is_same=True)
    session.library.annotations.edit(study.study_id, "link", [Add(link)])
    spec = train_reid_job(session, tmp_path / "run", {}, [study.study_id])
    assert [row.other_frame_index for row in read_links(Path(spec.config["links"]))] == [9]


def test_a_run_that_was_stopped_before_it_wrote_its_settings_is_resumed_in_a_moved_library(
    session: Session, tmp_path: Path
) -> None:
    study = add_study(session, tmp_path)
    run = session.library.runs.add("Re-identification", kind="train-reid")
    details = {"init": str(current(session).folder), "note": "kept", "elsewhere": str(tmp_path / "library-2" / "x")}
    before = train_reid_job(session, run.folder, details, [study.study_id]).config
    old, new = session.library.folder, tmp_path / "moved"
    vocabulary = session.vocabulary
    session.library.close()
    move_library(old, new)
    library = Library.open(new, "reader")
    try:
        moved = Session(library, Settings(new / "settings.json"), vocabulary)
        (run,) = library.runs.all()
        config = dict(resume_job(moved, run).config)
    finally:
        library.close()
    assert config.pop("resume")
    for name in ("studies", "labels", "embeddings", "out", "init"):
        assert config[name] == before[name].replace(str(old), str(new))
        assert name == "out" or Path(config[name]).exists(), name
    assert {name: config[name] for name in ("note", "elsewhere")} == {
        name: details[name] for name in ("note", "elsewhere")
    }


def test_a_fine_tuning_starts_from_the_model_in_use(session: Session, tmp_path: Path) -> None:
    study = add_study(session, tmp_path)
    session.library.annotations.edit(study.study_id, "label", [Add(make_label(study.study_id, 7, 8, "polyp"))])
    assert finetuning_start(session, "default") == {"init": str(current(session).folder)}


def test_labels_of_real_studies_start_from_imagenet_weights_where_the_model_knows_synthetic_images_only(
    session: Session, tmp_path: Path
) -> None:
    study, model = add_study(session, tmp_path), current(session)
    (model.folder / "card.json").write_text(json.dumps({"trained_on": "synthetic"}), encoding="utf-8")
    from_model, anew = {"init": str(model.folder)}, {"init": "imagenet", "replaces": str(model.folder)}
    assert finetuning_start(session, "default") == from_model, "nothing is labelled"
    session.library.annotations.edit(study.study_id, "label", [Add(make_label(study.study_id, 7, 8, "polyp"))])
    assert learns_anew(session)
    assert finetuning_start(session, "default") == anew
    assert finetuning_start(session, "default", [study.study_id]) == anew
    assert finetuning_start(session, "default", []) == from_model, "no real study is chosen"
    assert finetuning_start(session, "linear") == from_model
    truth_path(study.path).write_text("{}", encoding="utf-8")
    assert finetuning_start(session, "default") == from_model, "the study is synthetic"
