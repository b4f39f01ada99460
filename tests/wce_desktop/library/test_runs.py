"""Scorings and runs."""

from pathlib import Path

import pytest

from wce_desktop.core.study import Study
from wce_desktop.library import Library


def test_a_complete_scoring_makes_a_new_study_a_scored_one(library: Library, study: Study) -> None:
    path = library.studies.folder(study.study_id) / "embeddings-m1.h5"
    library.models.note_scoring(study.study_id, "m1", path, is_complete=False)
    assert library.studies.get(study.study_id).state == "new"
    library.models.note_scoring(study.study_id, "m1", path, is_complete=True)
    assert library.studies.get(study.study_id).state == "scored"
    (scoring,) = library.models.scorings(study.study_id)
    assert (scoring.model_id, scoring.path, scoring.is_complete) == ("m1", path, True)


def test_scoring_again_does_not_make_a_read_study_unread(library: Library, study: Study) -> None:
    library.studies.update(study.study_id, state="finished")
    library.models.note_scoring(study.study_id, "m2", Path("elsewhere.h5"), is_complete=True)
    assert library.studies.get(study.study_id).state == "finished"


def test_a_moved_library_finds_its_files(folder: Path, tmp_path: Path) -> None:
    with Library.open(folder, "reader") as library:
        study_id = library.studies.add(Path("a.mp4")).study_id
        path = library.studies.folder(study_id) / "embeddings-m1.h5"
        library.models.note_scoring(study_id, "m1", path, is_complete=True)
    moved = folder.rename(tmp_path / "moved")
    with Library.open(moved, "reader") as library:
        assert library.models.scorings()[0].path == moved / "studies" / study_id / "embeddings-m1.h5"


def test_a_run_is_remembered_with_what_it_reported(library: Library) -> None:
    run = library.runs.add("finetuning on 87 labels", base_model_id="m1")
    assert run.folder.is_dir()
    library.runs.finish(run.run_id, "done", {"auc": 0.97})
    (found,) = library.runs.all()
    assert (found.state, found.summary, found.base_model_id) == ("done", {"auc": 0.97}, "m1")
    with pytest.raises(KeyError):
        library.runs.finish("none", "done", {})
    with pytest.raises(ValueError, match="lost"):
        library.runs.finish(run.run_id, "lost", {})  # type: ignore[arg-type]


def test_a_run_says_its_kind_its_origin_and_why_it_failed(library: Library) -> None:
    base = library.runs.add("Pretrained 1", kind="pretrain")
    run = library.runs.add("Fine-tuned 1", base_run_id=base.run_id)
    assert (base.kind, run.kind, run.base_run_id) == ("pretrain", "finetune", base.run_id)
    library.runs.finish(run.run_id, "failed", {}, "The loss is not a number at step 40.")
    assert library.runs.all()[-1].message == "The loss is not a number at step 40."
    again = library.runs.resume(run.run_id)
    assert (again.state, again.message) == ("running", "")
    with pytest.raises(ValueError, match="guess"):
        library.runs.add("Guessed", kind="guess")  # type: ignore[arg-type]
