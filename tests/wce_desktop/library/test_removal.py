"""Deleting models and runs: rows and files go together, or neither goes."""

from pathlib import Path

import pytest

from tests.wce_desktop.library.test_registry import model_folder
from training.errors import UserError
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.session.study_files import StudyFiles


def test_a_model_goes_with_its_folder_and_its_scores(library: Library, study: Study, tmp_path: Path) -> None:
    model = library.register_model(model_folder(tmp_path, "first"))
    kept = library.register_model(model_folder(tmp_path, "second", 1.0), parent_id="first")
    files = {name: library.study_folder(study.study_id) / f"embeddings-{name}.h5" for name in ("first", "second")}
    for name, path in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"scores")
        library.note_scoring(study.study_id, name, path, is_complete=True)
    library.delete_model("first")
    assert library.models() == (kept,)
    assert not model.folder.exists()
    assert (files["first"].exists(), files["second"].exists()) == (False, True)
    assert [one.model_id for one in library.scorings()] == ["second"]
    line = library.audit_log()[-1]
    assert (line.action, line.kind, line.item_id) == ("remove", "model", "first")
    assert line.before is not None
    assert line.before["weights_sha256"] == model.weights_sha256
    assert sorted(path.name for path in (library.folder / "models").iterdir()) == ["second"]


def test_the_model_in_use_stays(library: Library, tmp_path: Path) -> None:
    model = library.register_model(model_folder(tmp_path, "first"))
    library.set_current_model("first")
    with pytest.raises(UserError, match="in use"):
        library.delete_model("first")
    assert model.folder.is_dir()
    assert [one.model_id for one in library.models()] == ["first"]


def test_a_run_goes_and_the_model_that_came_of_it_stays(library: Library, tmp_path: Path) -> None:
    run = library.add_run("Fine-tuned 1")
    (run.folder / "metrics.csv").write_text("step\n", encoding="utf-8")
    library.register_model(model_folder(tmp_path, "first"), run_id=run.run_id)
    library.delete_run(run.run_id)
    assert library.runs() == ()
    assert not run.folder.exists()
    assert library.models()[0].run_id == run.run_id
    with pytest.raises(KeyError):
        library.delete_run(run.run_id)


def test_what_a_run_has_embedded_of_studies_goes_with_it(library: Library, study: Study, tmp_path: Path) -> None:
    library.register_model(model_folder(tmp_path, "first"))
    gone, kept = library.add_run("Re-identification"), library.add_run("Colo-SCRL")
    files = StudyFiles(library.study_folder(study.study_id))
    files.folder.mkdir(parents=True, exist_ok=True)
    of_both = [(files.reid_path(run.run_id, "first"), files.clips_path(run.run_id, 20)) for run in (gone, kept)]
    for path in (*of_both[0], *of_both[1]):
        path.write_bytes(b"vectors")
    library.delete_run(gone.run_id)
    assert [path.exists() for path in of_both[0]] == [False, False]
    assert [path.exists() for path in of_both[1]] == [True, True]
    library.delete_model("first")
    assert [path.exists() for path in of_both[1]] == [False, True], "of frames that this model flagged"


def test_a_run_whose_folder_is_gone_can_be_deleted(library: Library) -> None:
    run = library.add_run("Fine-tuned 1")
    run.folder.rmdir()
    library.delete_run(run.run_id)
    assert library.runs() == ()


def test_a_folder_that_cannot_be_moved_loses_nothing(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = library.register_model(model_folder(tmp_path, "first"))

    def refuse(*_: object) -> Path:
        raise OSError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(UserError, match=r"cannot be deleted \(Permission denied\)"):
        library.delete_model("first")
    assert library.models() == (model,)
    assert model.folder.is_dir()
