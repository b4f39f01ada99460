"""What a run folder tells, whole or half-written."""

from pathlib import Path

import numpy as np
import pytest

from wce_desktop.library.run_files import (
    LONGEST_CURVE,
    method_of,
    operating_points,
    read_card,
    read_curves,
    read_report,
    read_settings,
)
from wce_desktop.library.runs import Run


def run(folder: Path) -> Run:
    return Run("r", "Fine-tuned 1", None, "failed", {}, "2026-01-01T00:00:00+00:00", folder)


def test_curves_are_read_by_their_titles(tmp_path: Path) -> None:
    (tmp_path / "metrics.csv").write_text("step,loss,triplet,learning_rate\n1,2.5,,0.1\n2,2.0,,0.1\n", "utf-8")
    (tmp_path / "held_out.csv").write_text("step,class,auc,patients\n2,polyp,0.9,3\n2,blood,,3\n", "utf-8")
    (tmp_path / "knn.csv").write_text("step,accuracy,frames,patients\n2,0.75,40,3\n", "utf-8")
    curves = read_curves(tmp_path)
    assert sorted(curves) == ["AUC polyp", "Learning rate", "Loss", "kNN accuracy"]
    assert curves["Loss"].steps.tolist() == [1, 2]
    assert curves["Loss"].values.tolist() == [2.5, 2.0]
    assert curves["kNN accuracy"].values.tolist() == [0.75]


def test_a_contrast_violates_no_triplets(tmp_path: Path) -> None:
    (tmp_path / "metrics.csv").write_text("step,loss,violating_share\n1,2.5,0.9\n", "utf-8")
    for method, title in (
        ("pgcon", "Share confused with a negative"),
        ("time-triplet", "Share of violating triplets"),
    ):
        (tmp_path / "config.json").write_text(f'{{"command": "pretrain", "config": {{"method": "{method}"}}}}', "utf-8")
        assert sorted(read_curves(tmp_path)) == sorted(["Loss", title])
    (tmp_path / "config.json").write_text('{"config": 3}', "utf-8")
    assert sorted(read_curves(tmp_path)) == ["Loss", "Share of violating triplets"]


def test_of_a_contrast_the_share_of_negatives_has_a_name_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "metrics.csv").write_text("step,memory_term,negatives_ahead\n1,4.5,0.1\n", "utf-8")
    assert sorted(read_curves(tmp_path)) == [
        "Loss of the memory bank term",
        "Share of negatives closer than the positive",
    ]


def test_a_long_curve_keeps_its_ends(tmp_path: Path) -> None:
    lines = "\n".join(f"{step},{step / 10}" for step in range(1, 21_001))
    (tmp_path / "metrics.csv").write_text(f"step,loss\n{lines}\n", "utf-8")
    curve = read_curves(tmp_path)["Loss"]
    assert (curve.steps[0], curve.steps[-1]) == (1, 21_000)
    assert len(curve.steps) <= LONGEST_CURVE
    assert np.all(np.diff(curve.steps) > 0)


def test_a_half_written_folder_gives_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "metrics.csv").write_bytes(b"step,loss\n1,2.5\n2,\xff")
    (tmp_path / "card.json").write_text('{"method"', "utf-8")
    (tmp_path / "config.json").write_text('{"command": "pretrain", "config": {"method": "simclr"}}', "utf-8")
    assert (read_card(run(tmp_path)), read_report(run(tmp_path)), read_curves(tmp_path)) == ({}, {}, {})
    assert read_settings(run(tmp_path)) == {"method": "simclr"}
    assert method_of(run(tmp_path)) == "simclr"
    assert method_of(run(tmp_path / "nowhere")) == ""


def test_a_models_card_is_found_in_its_run(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "card.json").write_text('{"method": {"name": "TL_BA"}}', "utf-8")
    assert method_of(run(tmp_path)) == "tl-ba"


@pytest.mark.parametrize(
    "points",
    [
        *(None, [], {}, {"sources": None}, {"sources": [1]}, {"sources": [{"source": "X"}]}),
        {"sources": [{"source": "X", "thresholds": {"polyp": {"0.1": "high"}}}]},
    ],
)
def test_thresholds_that_cannot_be_read_are_none(points: object) -> None:
    assert operating_points({"operating_points": points}) == {}


def test_a_cards_thresholds_are_read_by_source_and_class() -> None:
    thresholds = {"polyp": {"0.005": 0.5, "0.2": 0.1}, "blood": {}, "any": {"0.05": 0.9}}
    sources = [{"source": source, "thresholds": thresholds} for source in ("X", None)]
    read = operating_points({"operating_points": {"sources": sources}})
    assert read == {"X": {"polyp": {0.005: 0.5, 0.2: 0.1}}, "": {"polyp": {0.005: 0.5, 0.2: 0.1}}}
    assert operating_points({}) == {}
