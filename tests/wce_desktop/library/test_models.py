"""The registry of models: copies, lineage, and the way back."""

from pathlib import Path

import numpy as np
import pytest

from tests.wce_desktop.library.conftest import make_label
from training.errors import UserError
from training.metrics.calibration import calibrated_by
from training.models.config import ModelConfig
from training.models.folder import CONFIG, WEIGHTS, ModelFolder, write_model_folder
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.label_counts import LabelTotals


def model_folder(parent: Path, model_id: str, value: float = 0.0) -> Path:
    config = ModelConfig(model_id=model_id, classes=("normal", "polyp"))
    weights = {"classifier.weight": np.full((2, config.embedding_size), value, dtype=np.float16)}
    return write_model_folder(parent / model_id, config, weights, {"method": "test"}).path


def test_a_model_is_copied_and_an_earlier_one_can_be_taken_back(folder: Path, tmp_path: Path) -> None:
    with Library.open(folder, "reader") as library:
        library.models.register(model_folder(tmp_path, "first"), title="Demo")
        made = library.models.register(model_folder(tmp_path, "second", 1.0), parent_id="first", run_id="r1")
        assert library.models.current is None
        library.models.set_current("first")
        library.models.set_current("second")
        assert (made.parent_id, made.run_id, made.classes) == ("first", "r1", ("normal", "polyp"))
        assert (made.folder / WEIGHTS).is_file()
        assert made.folder.parent == folder / "models"
    with Library.open(folder, "reader") as library:
        assert library.models.current is not None
        assert library.models.current.model_id == "second"
        assert library.models.set_current("first").is_current
        assert [(model.model_id, model.is_current) for model in library.models.all()] == [
            ("first", True),
            ("second", False),
        ]
        choices = [line.after for line in library.audit.entries() if line.kind == "current model"]
        assert choices == [{"model_id": "first"}, {"model_id": "second"}, {"model_id": "first"}]


def test_registering_the_same_model_twice_changes_nothing(library: Library, tmp_path: Path) -> None:
    source = model_folder(tmp_path, "first")
    assert library.models.register(source) == library.models.register(source)
    assert [path.name for path in (library.folder / "models").iterdir()] == ["first"]


def test_classes_spelled_otherwise_are_called_as_in_the_library(library: Library, tmp_path: Path) -> None:
    config = ModelConfig(model_id="own", classes=("normal", "Polyp", "foreign-body", "Ulcus", "blood", "Blood"))
    weights = {"classifier.weight": np.zeros((6, config.embedding_size), dtype=np.float16)}
    card = {"calibration": {"classes": {"Polyp": {"slope": 2.0, "intercept": 0.5}}}}
    source = write_model_folder(tmp_path / "own", config, weights, card)
    model = library.models.register(source.path, classes=("normal", "polyp", "foreign body", "blood"))
    copied = ModelFolder.open(model.folder)
    assert model.classes == copied.config.classes
    assert model.classes == ("normal", "polyp", "foreign body", "Ulcus", "blood", "Blood")
    assert calibrated_by(copied.card, "polyp") is not None
    assert "Polyp → polyp, foreign-body → foreign body." in model.renamed_text
    assert ModelFolder.open(source.path).config == config, "the source stays as it was"
    assert library.models.register(source.path) == model


def test_another_model_of_the_same_name_is_refused(library: Library, tmp_path: Path) -> None:
    first = library.models.register(model_folder(tmp_path / "a", "same"))
    with pytest.raises(UserError, match="already has another model named same"):
        library.models.register(model_folder(tmp_path / "b", "same", 1.0))
    assert library.models.all() == (first,)
    assert [path.name for path in (library.folder / "models").iterdir()] == ["same"]


def test_a_damaged_model_is_not_taken_in(library: Library, tmp_path: Path) -> None:
    source = model_folder(tmp_path, "first")
    (source / CONFIG).write_text("{}", encoding="utf-8")
    with pytest.raises(UserError, match="wrong hash"):
        library.models.register(source)
    assert library.models.all() == ()
    assert list((library.folder / "models").iterdir()) == []


def test_an_unknown_model_cannot_be_used(library: Library) -> None:
    with pytest.raises(KeyError):
        library.models.set_current("none")
    assert library.models.current is None


def test_new_labels_are_those_the_model_has_not_learnt_from(library: Library, study: Study, tmp_path: Path) -> None:
    library.annotations.edit(study.study_id, "old", [Add(make_label(study.study_id, 0, 10))])
    until = library.audit.entries()[-1].when_utc
    library.models.register(model_folder(tmp_path, "first"), labels_until_utc=until)
    library.annotations.edit(
        study.study_id, "new", [Add(make_label(study.study_id, 20, 23)), Add(make_label(study.study_id, 30, 31))]
    )
    (everything,) = library.annotations.label_counts_by_study()
    assert (everything.study_id, everything.new, everything.new_frames) == (study.study_id, 3, 14)
    assert library.models.label_totals().new_frames == {"polyp": 14}
    library.models.set_current("first")
    assert library.models.label_totals() == LabelTotals(frozenset({"polyp"}), {"polyp": 4}, 1)
