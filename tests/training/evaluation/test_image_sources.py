"""A cross-validation of images from several sources, and of images that are hard to use."""

import json
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.training.evaluation.test_cross_validation import QUICK
from tests.training.pretraining.tiny_studies import picture
from training.commands.shell import main
from training.errors import UserError
from training.evaluation.cross_validation import cross_validate
from training.evaluation.evaluate_config import EvaluateConfig, evaluate_config
from training.runs.reporter import SilentReporter

pytestmark = pytest.mark.usefixtures("unrendered_plots")

KINDS = ("normal", "normal", "polyp", "blood", "polyp|blood")


def write_set(folder: Path) -> list[list[str]]:
    """Rows (file, label, group, source): five images of each of three groups of X and of Y, and worms of Z.

    Images of Y are larger, and the first of each group of Y is black.
    """
    rng, rows = np.random.default_rng(3), []
    (folder / "images").mkdir()
    for source in ("X", "Y", "Z"):
        for group in range(3):
            for number, label in enumerate(KINDS if source != "Z" else ("worms", "worms")):
                name = f"{source}{group}-{number}.png"
                image = picture("blood" if "blood" in label else "normal", rng)
                image = np.repeat(image, 2, axis=1) if source == "Y" else image
                image = np.zeros_like(image) if source == "Y" and not number else image
                assert cv2.imwrite(str(folder / "images" / name), image)
                rows.append([name, label, f"{source}{group}", source])
    return rows


def config_of(folder: Path, rows: list[list[str]], **changes: Any) -> EvaluateConfig:
    columns = ["filename", "label", "group", "source"][: len(rows[0])]
    (folder / "images.csv").write_text("".join(f"{','.join(row)}\n" for row in [columns, *rows]), encoding="utf-8")
    given = {"images": folder / "images", "labels": folder / "images.csv", "out": folder / "report"}
    return evaluate_config(**{**given, **QUICK, "folds": 3, "shown": 0, "batch_size": 12, **changes})


@pytest.fixture
def rows(tmp_path: Path) -> list[list[str]]:
    return write_set(tmp_path)


def test_each_class_is_evaluated_within_its_source(tmp_path: Path, rows: list[list[str]]) -> None:
    report = cross_validate(config_of(tmp_path, rows), SilentReporter())
    within = report["within_source"]
    polyp = within["classes"]["polyp"]["sources"]
    assert {source: (cell["frames"], cell["patients"], cell["normal_frames"]) for source, cell in polyp.items()} == {
        "X": (6, 3, 6),
        "Y": (6, 3, 6),
    }
    assert within["mean"] is not None
    assert within["notes"][:2] == [
        "Worms: from Z only, which has no normal frames: the figure says nothing.",
        "Polyp from X: too few patients for an interval (3 with it, 3 with normal frames).",
    ]
    assert report["data"]["frames"] == {"normal": 12, "polyp": 12, "blood": 12, "worms": 6}
    assert report["operating_points"] == {}, "too few normal frames"
    assert "Within each source" in (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "worms" not in (tmp_path / "report" / "sources.csv").read_text(encoding="utf-8")


def test_the_report_has_the_rates_of_thresholds_of_other_folds(tmp_path: Path, rows: list[list[str]]) -> None:
    copied = [row for row in rows if row[1] in ("normal", "polyp")]
    more = [[f"{copy}-{row[0]}", *row[1:]] for row in copied for copy in range(4)]
    for (name, *_), (original, *_) in zip(more, np.repeat(copied, 4, axis=0).tolist(), strict=True):
        shutil.copy(tmp_path / "images" / original, tmp_path / "images" / name)
    report = cross_validate(config_of(tmp_path, [*rows, *more]), SilentReporter())
    points = report["operating_points"]["rows"]
    classes = ("polyp", "blood", "worms", "any")
    assert {(row["source"], row["rate"], row["class"]) for row in points} <= {
        (source, rate, name) for source in "XY" for rate in (0.05, 0.1) for name in classes
    }
    assert {row["normal_frames"] for row in points} == {30}
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "Thresholds of a stated rate" in page
    rates = {each["rate"] for row in report["fixed_false_positives"] for each in row["rates"]}
    assert rates <= {0.05, 0.1}, "of 30 normal frames none is one of 100"
    assert set(report["calibration"]["classes"]) == {"polyp"}
    assert report["calibration"]["classes"]["polyp"]["positives"] == 36
    assert "Calibrated scores were measured on" in page
    calibration = (tmp_path / "report" / "calibration.csv").read_text(encoding="utf-8").splitlines()
    assert calibration[0] == "class,slope,intercept,error,low,high,error_before,frames,positives,patients"
    table = (tmp_path / "report" / "operating_points.csv").read_text(encoding="utf-8").splitlines()
    assert table[0] == "class,source,rate,measured,low,high,normal_frames,normal_patients"
    assert len(table) == len(points) + 1


def test_without_sources_the_report_is_as_before(tmp_path: Path, rows: list[list[str]]) -> None:
    report = cross_validate(config_of(tmp_path, [row[:3] for row in rows]), SilentReporter())
    assert report["within_source"] == {}
    assert "Within each source" not in (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert not (tmp_path / "report" / "sources.csv").exists()


def test_a_frame_with_two_labels_is_scored_once_for_all_findings(tmp_path: Path, rows: list[list[str]]) -> None:
    rows = [row for row in rows if row[3] != "Z"]
    cross_validate(config_of(tmp_path, rows), SilentReporter())
    report = json.loads((tmp_path / "report" / "report.json").read_text(encoding="utf-8"))
    assert sum(fold["frames"]["polyp"] for fold in report["folds_detail"]) == 12
    assert sum(fold["frames"]["blood"] for fold in report["folds_detail"]) == 12
    assert report["review_budget"]["median_frames"] == 5


def test_kinds_as_one_class_have_each_frame_once(tmp_path: Path, rows: list[list[str]]) -> None:
    report = cross_validate(config_of(tmp_path, rows, merged_class="finding"), SilentReporter())
    assert report["data"]["frames"] == {"normal": 12, "finding": 24}


def test_a_class_of_one_group_is_a_sentence(
    tmp_path: Path, rows: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [[*row[:2], "Z0" if row[1] == "worms" else row[2], row[3]] for row in rows]
    with pytest.raises(UserError, match="worms is labelled in 1 patient: too few for an example in each of 3 folds"):
        cross_validate(config_of(tmp_path, rows), SilentReporter())
    given = ["--images", tmp_path / "images", "--labels", tmp_path / "images.csv", "--out", tmp_path / "other"]
    assert main(["evaluate", *map(str, given), "--folds", "3"]) == 1
    assert "Traceback" not in capsys.readouterr().err


def test_only_black_frames_are_evaluated_without_an_error(tmp_path: Path, rows: list[list[str]]) -> None:
    for path in (tmp_path / "images").iterdir():
        assert cv2.imwrite(str(path), np.zeros((48, 48, 3), np.uint8))
    report = cross_validate(config_of(tmp_path, rows), SilentReporter())
    assert report["within_source"]["mean"] == pytest.approx(0.5), "nothing can be told apart"
