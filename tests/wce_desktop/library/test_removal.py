"""Deleting models and runs: rows and files go together, or neither goes."""

from pathlib import Path

import pytest

from tests.wce_desktop.library.test_models import model_folder
from training.errors import UserError
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.session.study_files import StudyFiles


def test_a_model_goes_with_its_folder_and_its_scores(library: Library, study: Study, tmp_path: Path) -> None:
    model = library.models.register(model_folder(tmp_path, "first"))
    kept = library.models.register(model_folder(tmp_path, "second", 1.0), parent_id="first")
    files = {name: library.studies.folder(study.study_id) / f"embeddings-{name}.h5" for name in ("first", "second")}
    for name, path in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"scores")
        library.models.note_scoring(study.study_id, name, path, is_complete=True)
    library.models.delete("first")
    assert library.models.all() == (kept,)
    assert not model.folder.exists()
    assert (files["first"].exists(), files["second"].exists()) == (False, True)
    assert [one.model_id for one in library.models.scorings()] == ["second"]
    line = library.audit.entries()[-1]
    assert (line.action, line.kind, line.item_id) == ("remove", "model", "first")
    assert line.before is not None
    assert line.before["weights_sha256"] == model.weights_sha256
    assert sorted(path.name for path in (library.folder / "models").iterdir()) == ["second"]


def test_the_model_in_use_stays(library: Library, tmp_path: Path) -> None:
    model = library.models.register(model_folder(tmp_path, "first"))
    library.models.set_current("first")
    with pytest.raises(UserError, match="in use"):
        library.models.delete("first")
    assert model.folder.is_dir()
    assert [one.model_id for one in library.models.all()] == ["first"]


def test_a_run_goes_and_the_model_that_came_of_it_stays(library: Library, tmp_path: Path) -> None:
    run = library.runs.add("Fine-tuned 1")
    (run.folder / "metrics.csv").write_text("step\n", encoding="utf-8")
    library.models.register(model_folder(tmp_path, "first"), run_id=run.run_id)
    library.runs.delete(run.run_id)
    assert library.runs.all() == ()
    assert not run.folder.exists()
    assert library.models.all()[0].run_id == run.run_id
    with pytest.raises(KeyError):
        library.runs.delete(run.run_id)


def test_what_a_run_has_embedded_of_studies_goes_with_it(library: Library, study: Study, tmp_path: Path) -> None:
    library.models.register(model_folder(tmp_path, "first"))
    gone, kept = library.runs.add("Re-identification"), library.runs.add("Colo-SCRL")
    files = StudyFiles(library.studies.folder(study.study_id))
    files.folder.mkdir(parents=True, exist_ok=True)
    of_both = [(files.reid_path(run.run_id, "first"), files.clips_path(run.run_id, 20)) for run in (gone, kept)]
    for path in (*of_both[0], *of_both[1]):
        path.write_bytes(b"vectors")
    library.runs.delete(gone.run_id)
    assert [path.exists() for path in of_both[0]] == [False, False]
    assert [path.exists() for path in of_both[1]] == [True, True]
    library.models.delete("first")
    assert [path.exists() for path in of_both[1]] == [False, True], "of frames that this model flagged"


def test_a_run_whose_folder_is_gone_can_be_deleted(library: Library) -> None:
    run = library.runs.add("Fine-tuned 1")
    run.folder.rmdir()
    library.runs.delete(run.run_id)
    assert library.runs.all() == ()


def test_a_folder_that_cannot_be_moved_loses_nothing(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = library.models.register(model_folder(tmp_path, "first"))

    def refuse(*_: object) -> Path:
        raise OSError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(UserError, match=r"cannot be deleted \(Permission denied\)"):
        library.models.delete("first")
    assert library.models.all() == (model,)
    assert model.folder.is_dir()
