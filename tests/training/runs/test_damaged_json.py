"""JSON beside runs that is damaged, nested without end or of another kind: told, or made again."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.crafted_npz import change_npz
from training.commands.child import _run_command
from training.commands.neighbours import EvaluateNeighboursCommand, _models
from training.embeddings.disk_manifest import IndexManifest
from training.errors import UserError
from training.evaluation.fold_run import FoldScores
from training.evaluation.report_folder import ReportFolder
from training.experiments.explanations.frame_evaluation import _lines
from training.phantom.patient import PhantomConfig
from training.phantom.record import finished_truth, truth_path
from training.pretraining.pretrained import Pretrained, is_pretraining
from training.pretraining.view_probe import KeptViews
from training.runs.folder import kept_result
from training.runs.reporter import SilentReporter
from training.runs.resume import stored_settings
from training.video import FieldOfView

DEEP = '{"command":' + "[" * 100_000 + "]" * 100_000 + "}"
WRONG = [DEEP, "[" * 5_000, "", "[1]", "3", '{"command": "pretrain", "config": 3}', '{"config": [1]}', "\udcff"]


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


@pytest.mark.parametrize("text", WRONG, ids=lambda text: text[:30])
def test_config_of_a_run(tmp_path: Path, text: str) -> None:
    path = written(tmp_path / "config.json", text)
    with pytest.raises(UserError, match=r"incomplete: its config\.json is missing or damaged"):
        stored_settings(path, "pretrain", "pretraining")
    with pytest.raises(UserError, match=r"incomplete: its config\.json is missing or damaged"):
        Pretrained.open(tmp_path)
    with pytest.raises(UserError, match=r"config\.json is not (a valid job|JSON)"):
        _run_command(path, SilentReporter())
    assert is_pretraining(tmp_path) == text.startswith('{"command": "pretrain"')


@pytest.mark.parametrize("text", [*WRONG, '{"result": 3}'], ids=lambda text: text[:30])
def test_results_that_are_kept_are_made_again(tmp_path: Path, text: str) -> None:
    written(tmp_path / "cell.json", text)
    assert kept_result(tmp_path) is None
    assert _lines(written(tmp_path / "maps.jsonl", text)) == []
    assert IndexManifest.load(written(tmp_path / "index.json", text)) is None
    config = PhantomConfig()
    written(tmp_path / "a.mp4", "x")
    written(truth_path(tmp_path / "a.mp4"), text)
    assert finished_truth(tmp_path / "a.mp4", config) is None


@pytest.mark.parametrize(
    "text", [DEEP, "[]", "{}", '{"held_out": "P1"}', '{"held_out": [1]}'], ids=lambda text: text[:30]
)
def test_a_fold_that_does_not_say_whom_it_held_out(tmp_path: Path, text: str) -> None:
    written(tmp_path / "fold-00" / "fold.json", text)
    config = EvaluateNeighboursCommand.model_construct(model=None, models=tmp_path)
    with pytest.raises(UserError, match=r"fold\.json"):
        next(_models(config))


def test_an_index_names_files_of_its_own_folder_only(tmp_path: Path) -> None:
    outside = written(tmp_path / "x.faiss", "x")
    made = IndexManifest(
        metric="cosine", lists=1, code_bytes=1, probes=1, recall=1.0, recall_queries=1, recall_rows=1,
        trained_rows=1, learned={f"../{outside.name}": 0},
    )  # fmt: skip
    (tmp_path / "in").mkdir()
    made.save(tmp_path / "in" / "index.json")
    assert IndexManifest.load(tmp_path / "in" / "index.json") is None


VIEWS = {
    "kind beyond": lambda file: file["kind"].__setitem__(0, 2),
    "study below": lambda file: file["study"].__setitem__(0, -1),
    "study without end": lambda file: file["study"].__setitem__(0, 2**40),
    "NaN": lambda file: file["vectors"].__setitem__(0, np.nan),
    "objects": lambda file: file.update(kinds=np.array([{}], object)),
    "short": lambda file: file.update(frame_index=np.zeros(1, np.int64)),
    "step": lambda file: file.update(step=np.array("x")),
}


@pytest.mark.parametrize("name", VIEWS)
def test_kept_views_that_were_changed(tmp_path: Path, name: str) -> None:
    numbers = np.array([0, 1])
    path = KeptViews(4, ("a", "b"), np.ones((2, 3), np.float32), numbers, numbers, numbers).save(tmp_path)
    assert KeptViews.open(path).step == 4
    with np.load(path) as file:
        arrays = {each: file[each] for each in file.files}
    VIEWS[name](arrays)
    with path.open("wb") as out:
        np.savez(out, **arrays)
    with pytest.raises(UserError, match="are damaged"):
        KeptViews.open(path)


FOLDS = {
    "told": lambda told, _: told.clear(),
    "told more": lambda told, _: told.update(x=1),
    "rows": lambda _, arrays: arrays["rows"].fill(-1),
    "scores": lambda _, arrays: arrays["scores"].fill(np.nan),
    "shape": lambda _, arrays: arrays.update(scores=np.ones(3, np.float32)),
}


@pytest.mark.parametrize("name", FOLDS)
def test_a_fold_that_was_changed_is_trained_again(tmp_path: Path, name: str) -> None:
    folder = ReportFolder(tmp_path)
    folder.keep(FoldScores(1, 0, np.array([2, 5, 6]), np.ones((3, 2), np.float32), 9, 20, "ImageNet"))
    assert folder.finished(1, 0) is not None
    change_npz(folder.trainings / "fold-01-seed-0.npz", "told", FOLDS[name])
    assert folder.finished(1, 0) is None


@pytest.mark.parametrize(
    "change",
    [{"kind": "square"}, {"radius": "x"}, {"radius": 1e400}, {"centre": 3}, {"centre": [1]}, {"polygon": [[1]]},
     {"width_px": -3}, {"width_px": 10**9}, {"width_px": "3"}, {"more": 1}],
    ids=str,
)  # fmt: skip
def test_a_field_of_view_that_is_none(change: dict[str, object]) -> None:
    values = FieldOfView("circle", 32, 32, (16.0, 16.0), 15.0).to_json()
    assert FieldOfView.from_json(values).radius == 15
    with pytest.raises(ValueError, match="field of view"):
        FieldOfView.from_json(values | change)
    with pytest.raises(ValueError, match="field of view"):
        FieldOfView.from_json(json.loads("[]"))
