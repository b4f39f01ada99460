"""A finished model is evaluated as it is, on patients that it was not trained on; reports are compared in pairs."""

import csv
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.calibration import calibration_curve
from sklearn.metrics import average_precision_score, confusion_matrix, roc_auc_score

from tests.models import write_untrained_model
from tests.onnx_files import write_onnx
from tests.training.evaluation.test_cross_validation import QUICK
from tests.training.evaluation.test_image_sources import config_of, write_set
from tests.training.pretraining.tiny_studies import picture, write_tiny_studies
from training.commands.shell import main
from training.compute.plan import ComputePlan
from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.evaluation.cross_validation import cross_validate
from training.evaluation.evaluate_config import EvaluateConfig, evaluate_config
from training.evaluation.finished_model import FinishedModel
from training.files.tensors import load_tensors
from training.inference.engine import open_engine
from training.models.folder import ModelFolder, write_model_folder
from training.models.imported import Description, import_classifier
from training.models.inference_network import network_of_model
from training.runs.reporter import SilentReporter

pytestmark = pytest.mark.usefixtures("unrendered_plots")
CLASS_NAMES = {"blood": "bleeding"}
CAPITALS = ("normal", "Polyp", "bleeding", "ulcer")


@pytest.fixture
def rows(tmp_path: Path) -> list[list[str]]:
    return write_set(tmp_path)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return write_untrained_model(tmp_path / "model", "tiny-1", ("normal", "polyp", "bleeding", "ulcer"))


def of_model(folder: Path, rows: list[list[str]], model: Path, **changes: Any) -> EvaluateConfig:
    if "by" not in changes:
        config_of(folder, rows)  # writes the labels
    given = {"images": folder / "images", "labels": folder / "images.csv", "out": folder / "report", "model": model}
    return evaluate_config(**{**given, "class_names": CLASS_NAMES, "bootstraps": 50, "shown": 2, **changes})


def trained_on(model: Path, *patients: str) -> Path:
    """The same model, whose card names its training patients."""
    folder = ModelFolder.open(model)
    card = {**folder.card, "split": {"training_patients": list(patients)}}
    tensors = load_tensors(folder.weights_path)
    arrays = {name: tensor.numpy() for name, tensor in tensors.items()}
    return write_model_folder(model.with_name("trained"), folder.config, arrays, card).path


def scores_of(report: Path) -> list[dict[str, str]]:
    with (report / "scores.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_its_figures_are_those_of_scikit_learn(tmp_path: Path, rows: list[list[str]], model: Path) -> None:
    rows = [row for row in rows if "|" not in row[1]]
    report = cross_validate(of_model(tmp_path, rows, model), SilentReporter())
    table = scores_of(tmp_path / "report")
    names = ["normal", "polyp", "blood"]
    scores = np.array([[float(row[name]) for name in names] for row in table])
    labels = np.array([names.index(row["label"]) for row in table])
    assert report["classes"] == names
    assert report["pooled"]["auc"] == pytest.approx(roc_auc_score(labels > 0, 1 - scores[:, 0]), abs=1e-5)
    assert report["mean"]["average_precision"]["mean"] == pytest.approx(
        average_precision_score(labels > 0, 1 - scores[:, 0]), abs=1e-5
    )
    blood = np.isin(labels, (0, 2))
    expected = roc_auc_score(labels[blood] == 2, scores[blood, 2])
    assert report["per_class"]["blood"]["auc"]["mean"] == pytest.approx(expected, abs=1e-5)
    assert report["confusion"] == confusion_matrix(labels, scores.argmax(axis=1), labels=[0, 1, 2]).tolist()
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "Evaluation of the model tiny-1" in page
    assert "Confusion" in page


def test_names_of_classes_may_differ_in_capitals(tmp_path: Path, rows: list[list[str]]) -> None:
    capitals = write_untrained_model(tmp_path / "model", "tiny-1", CAPITALS)
    report = cross_validate(of_model(tmp_path, rows, capitals), SilentReporter())
    assert report["classes"] == ["normal", "polyp", "blood"]


def test_the_scores_are_those_of_the_model_itself(tmp_path: Path, rows: list[list[str]], model: Path) -> None:
    cross_validate(of_model(tmp_path, rows, model, precision="float32"), SilentReporter())
    scored = tmp_path / "scores.h5"
    arguments = ["score", tmp_path / "images", "--model", model, "--out", scored, "--set", "precision=float32"]
    assert main([str(argument) for argument in arguments]) == 0
    file = EmbeddingFile.open(scored)
    whole = np.asarray(file.scores, np.float64)
    file.close()
    names = sorted(path.name for path in (tmp_path / "images").iterdir())
    for row in scores_of(tmp_path / "report"):
        mine = whole[names.index(row["filename"]), :3]
        if row["source"] == "X":  # images of Y are of another size, which a study does not have
            assert float(row["blood"]) == pytest.approx(mine[2] / mine.sum(), abs=1e-5)


def test_its_training_patients_are_left_out(tmp_path: Path, rows: list[list[str]], model: Path) -> None:
    config = of_model(tmp_path, rows, trained_on(model, "X0", "Y1", "elsewhere"))
    report = cross_validate(config, SilentReporter())
    assert {row["patient_id"] for row in scores_of(tmp_path / "report")} == {"X1", "X2", "Y0", "Y2"}
    assert "The model was trained on 2 patients of the data, who are left out." in report["warnings"]
    assert "The model has no class for worms: these labels are left out." in " ".join(report["warnings"])
    assert report["dataset"]["patients"] == 4
    assert report["model"]["training_patients"] == 3
    every = trained_on(model, *(f"{source}{group}" for source in "XY" for group in range(3)))
    with pytest.raises(UserError, match="trained on every patient"):
        cross_validate(of_model(tmp_path, rows, every, out=tmp_path / "other"), SilentReporter())
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"class_names": {"blood": "haemorrhage"}}, "The model has no class haemorrhage"),
        ({"classes": ("worms",)}, "No label of the data is a class of the model"),
        ({"folds": 3}, "folds is of a cross-validation"),
    ],
)
def test_what_does_not_fit_is_a_sentence(
    tmp_path: Path, rows: list[list[str]], model: Path, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        cross_validate(of_model(tmp_path, rows, model, **changes), SilentReporter())


def test_class_names_without_a_model_are_a_sentence(tmp_path: Path, rows: list[list[str]]) -> None:
    with pytest.raises(ValueError, match="class_names belongs to model"):
        config_of(tmp_path, rows, class_names=CLASS_NAMES).check_used(["class_names"])


def test_two_reports_are_compared_on_the_same_frames(
    tmp_path: Path, rows: list[list[str]], model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = write_untrained_model(tmp_path / "second" / "model", "tiny-2", ("normal", "polyp", "bleeding"))
    for name, each in (("first", model), ("other", other)):
        cross_validate(of_model(tmp_path, rows, each, out=tmp_path / name), SilentReporter())
    folded = {**QUICK, "folds": 3, "shown": 0, "batch_size": 12, "out": tmp_path / "folds"}
    cross_validate(config_of(tmp_path, rows[: len(rows) - 6], **folded), SilentReporter())
    out = tmp_path / "compared"
    reports = [str(tmp_path / name) for name in ("first", "other", "folds")]
    assert main(["compare", *reports, "--out", str(out), "--set", "bootstraps=400"]) == 0
    assert "AUC, any finding" in capsys.readouterr().out
    result = json.loads((out / "comparison.json").read_text(encoding="utf-8"))
    by_name = {(row["figure"], row["report"]): row for row in result["rows"]}
    row = by_name["AUC, polyp, X", "other"]
    first, second = (scores_of(tmp_path / name) for name in ("first", "other"))
    mine = [k for k, cells in enumerate(first) if cells["source"] == "X" and cells["label"] in ("normal", "polyp")]
    labels = [first[k]["label"] == "polyp" for k in mine]
    aucs = [roc_auc_score(labels, [float(table[k]["polyp"]) for k in mine]) for table in (first, second)]
    assert row["value"] == pytest.approx(aucs[1])
    assert row["less_first"]["value"] == pytest.approx(aucs[1] - aucs[0])
    assert row["less_first"]["low"] is None, "three patients are too few for an interval"
    assert by_name["AUC, any finding", "first"]["less_first"] is None
    low, high = independent_interval(first, second)
    mean = by_name["sensitivity at 95 % specificity", "other"]["less_first"]
    assert (mean["low"], mean["high"]) == pytest.approx((low, high), abs=0.12)
    assert "3 reports" in (out / "comparison.html").read_text(encoding="utf-8")
    assert main(["compare", reports[0], str(tmp_path / "images"), "--out", str(out)]) == 1


def test_groups_and_classes_have_the_figures_of_scikit_learn_with_intervals_over_patients(
    tmp_path: Path, model: Path
) -> None:
    rows = many_patients(tmp_path)
    config = of_model(tmp_path, rows, model, bootstraps=400, class_names={}, by="case")
    report = cross_validate(config, SilentReporter())
    table = scores_of(tmp_path / "report")
    patients = np.array([row["patient_id"] for row in table])
    assert set(patients) == {f"case {number}" for number in range(8)}
    scores = np.array([[float(row[name]) for name in ("normal", "polyp")] for row in table])
    ill = np.array([row["label"] == "polyp" for row in table])
    anything = 1 - scores[:, 0]
    for row in report["groups"]:
        mine = patients == row["group"]
        assert row["auc"] == pytest.approx(roc_auc_score(ill[mine], anything[mine]), abs=1e-5)
        flagged = anything >= np.quantile(anything[~ill], 0.95, method="inverted_cdf") + 1e-9
        assert row["sensitivity"] == pytest.approx(flagged[mine & ill].mean())
        assert row["false_positives"] == pytest.approx(flagged[mine & ~ill].mean())
    assert len(report["groups"]) == 8
    rng, draws = np.random.default_rng(5), []
    for _ in range(400):
        drawn = np.concatenate([np.flatnonzero(patients == f"case {k}") for k in rng.integers(8, size=8)])
        draws.append([roc_auc_score(ill[drawn], anything[drawn]), average_precision_score(ill[drawn], anything[drawn])])
    for figure, column in zip(("auc", "average_precision"), np.array(draws).T, strict=True):
        row = report["intervals"]["any"][figure]
        assert (row["low"], row["high"]) == pytest.approx(np.quantile(column, (0.025, 0.975)).tolist(), abs=0.03)
    assert report["intervals"]["any"]["auc"]["value"] == pytest.approx(roc_auc_score(ill, anything), abs=1e-5)
    assert report["intervals"]["polyp"]["auc"]["value"] == pytest.approx(report["per_class"]["polyp"]["auc"]["mean"])
    check_calibration(report["calibration"]["classes"]["polyp"], ill, scores[:, 1])
    (polyp,) = [row for row in report["fixed_false_positives"] if row["class"] == "polyp"]
    assert [row["rate"] for row in polyp["rates"]] == [0.05, 0.1], "of 64 normal frames none is one of 100"
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "Sensitivity at fixed false positives" in page
    assert "case 7" in page
    assert "for you to write" in (tmp_path / "report" / "tripod.html").read_text(encoding="utf-8")
    assert [row["number"] for row in report["tripod"]] == [str(number) for number in range(1, 28)]


def many_patients(folder: Path) -> list[list[str]]:
    """Rows (file, label, group, case): eight normal and four polyp images of each of eight cases."""
    rng, rows = np.random.default_rng(4), []
    (folder / "images").mkdir(exist_ok=True)
    for case in range(8):
        for number in range(12):
            name, label = f"case{case}-{number}.png", "normal" if number < 8 else "polyp"
            assert cv2.imwrite(str(folder / "images" / name), picture("blood" if number % 3 else "normal", rng))
            rows.append([name, label, "one group", f"case {case}"])
    table = "".join(f"{','.join(row)}\n" for row in [["filename", "label", "group", "case"], *rows])
    (folder / "images.csv").write_text(table, encoding="utf-8")
    return rows


def check_calibration(row: dict[str, Any], ill: NDArray[np.bool_], scores: NDArray[np.float64]) -> None:
    """The scores as they are, in ten bins of equal width."""
    bins = np.minimum((scores * 10).astype(int), 9)
    parts = [bins == number for number in np.unique(bins)]
    error = sum(part.mean() * abs(scores[part].mean() - ill[part].mean()) for part in parts)
    assert (row["error"], row["error_before"]) == pytest.approx((error, error), abs=1e-5)
    assert (row["slope"], row["intercept"]) == (1, 0)
    assert row["low"] <= row["high"]
    share, frames = calibration_curve(ill, scores, n_bins=10)[0], [count for *_, count in row["bins"]]
    assert [each[1] for each in row["bins"]] == pytest.approx(share.tolist())
    assert sum(frames) == len(ill)


def independent_interval(first: list[dict[str, str]], second: list[dict[str, str]]) -> tuple[float, float]:
    """Of the difference in sensitivity at 95 % specificity, by copying whole patients."""
    rng, patients = np.random.default_rng(8), sorted({row["patient_id"] for row in first})
    once = {row["filename"]: k for k, row in enumerate(first)}
    differences = []
    for _ in range(400):
        drawn = rng.choice(patients, len(patients))
        rows = [k for patient in drawn for k in once.values() if first[k]["patient_id"] == patient]
        normal = np.array([first[k]["label"] == "normal" for k in rows])
        reached = []
        for table in (first, second):
            track = np.array([1 - float(table[k]["normal"]) for k in rows])
            kept = [t for t in [*np.unique(track), np.inf] if (track[normal] >= t).sum() <= 0.05 * normal.sum()]
            reached.append((track[~normal] >= kept[0]).mean())
        differences.append(reached[1] - reached[0])
    return tuple(np.quantile(differences, (0.025, 0.975)).tolist())


def of_another_program(folder: Path, blood: str = "bleeding") -> Path:
    described = Description(classes=("polyp", "clean", blood), normal="clean", activation="softmax")
    file = write_onnx(folder / "theirs.onnx")
    return import_classifier(file, described, folder / "theirs", "theirs", SilentReporter()).path


def test_a_classifier_of_another_program_is_evaluated_by_its_own_scores(tmp_path: Path, rows: list[list[str]]) -> None:
    model = of_another_program(tmp_path)
    config = of_model(tmp_path, rows, model)
    report = cross_validate(config, SilentReporter())
    events = (tmp_path / "report" / "events.jsonl").read_text()
    assert '"fold"' not in events, "nothing was trained"
    assert '"evaluation"' in events
    assert report["classes"] == ["normal", "polyp", "blood"]
    finished = FinishedModel.open(config)
    assert finished is not None
    data = finished.evaluation_set(config, SilentReporter())
    pixels = data.load(data.labelled, 64, tmp_path / "spill", SilentReporter()).pixels
    network = network_of_model(finished.folder)
    wanted = open_engine(network, ComputePlan("cpu", "float32", 4, 1, 1)).run(pixels).scores
    given = [[float(row[name]) for name in report["classes"]] for row in scores_of(tmp_path / "report")]
    assert np.abs(np.array(given) - wanted).max() < 0.02


def test_studies_are_evaluated_by_a_classifier_of_another_program(tmp_path: Path) -> None:
    model, folder = of_another_program(tmp_path, "blood"), write_tiny_studies(tmp_path / "studies")
    given = {"studies": folder / "manifest.json", "labels": folder / "labels.csv", "out": tmp_path / "report"}
    report = cross_validate(evaluate_config(**given, model=model, bootstraps=50), SilentReporter())
    assert report["classes"] == ["normal", "polyp"]


def test_the_column_of_the_patient_is_asked_for(tmp_path: Path, rows: list[list[str]], model: Path) -> None:
    of_model(tmp_path, rows, model)
    (tmp_path / "images.csv").write_text("".join(f"{a},{b}\n" for a, b, *_ in [("filename", "label"), *rows]))
    given = {"images": tmp_path / "images", "labels": tmp_path / "images.csv", "out": tmp_path / "report"}
    for more in ({"model": model}, {}):
        with pytest.raises(UserError, match=r"--by COLUMN.*--split random"):
            cross_validate(evaluate_config(**given, **more), SilentReporter())
