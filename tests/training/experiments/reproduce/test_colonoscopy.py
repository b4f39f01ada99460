"""The tables of Intrator et al. and Xiang et al. on files of a public set of colonoscopies, from the shell."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.training.experiments.reproduce import test_intrator, test_xiang
from tests.training.experiments.reproduce.colonoscopy import write_pairs, write_real_colon
from training.commands.shell import main
from training.experiments.reproduce.intrator_rows import INTRATOR_BUDGETS
from training.experiments.reproduce.xiang_rows import XIANG_BUDGETS

pytestmark = pytest.mark.usefixtures("unrendered_plots")
Reproduce = Callable[..., str]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The export of a set of six recordings of three patients, with pairs and links beside it."""
    folder = tmp_path_factory.mktemp("colonoscopy")
    source, out = write_real_colon(folder / "in"), folder / "out"
    assert main(["datasets", "export", "real-colon", str(source), "--out", str(out), "--set", "partial=true"]) == 0
    write_pairs(out)
    return out


@pytest.fixture
def reproduce(
    exported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Reproduce:
    """A table with the tiny budget; returns what is printed."""
    monkeypatch.setitem(INTRATOR_BUDGETS, "smoke", replace(test_intrator.TINY, evaluated=test_intrator.TINY.kept))
    monkeypatch.setitem(XIANG_BUDGETS, "smoke", test_xiang.TINY)
    monkeypatch.setattr("training.experiments.reproduce.intrator_values.BOOTSTRAPS", 20)

    def run(table: str, *further: str, code: int = 0) -> str:
        where = ["--studies", str(exported / "manifest.json"), "--labels", str(exported / "labels.csv")]
        pairs = ["--pairs", str(exported / "pairs.csv"), "--out", str(tmp_path / "out"), "--budget", "smoke"]
        own = ["--device", "cpu", "--set", "threads=1", "--set", f"weights_cache={tmp_path / 'none'}"]
        assert main(["reproduce", table, *where, *pairs, *own, *further]) == code
        printed = capsys.readouterr()
        return printed.err if code else printed.out

    return run


def test_tracklets_of_named_lesions_are_compared(exported: Path, reproduce: Reproduce, tmp_path: Path) -> None:
    boxes = ["--boxes", str(exported / "boxes.csv")]
    first = reproduce("intrator-table1", *boxes)
    # Of each recording four tracklets, six pairs, two of them of one lesion.
    assert "Evaluated on 36 pairs, 12 of them of the same finding, of 24 tracklets of 6 procedures" in first
    assert "evaluated in 3 parts" in first, "both recordings of a patient are on one side"
    assert "phantom" not in first
    second = reproduce("intrator-table2", *boxes)
    assert "Fragmented Polyps Ratio" in second
    classes = ["--set", 'classes=["AD"]']
    third = reproduce("intrator-table3", *boxes, *classes)
    assert "Adenoma stands for AD" in third
    (csv,) = (tmp_path / "out").glob("intrator-table3-*.csv")
    rows = [line.split(",")[:4] for line in csv.read_text(encoding="utf-8").splitlines()]
    assert ["Annotation", "Adenoma", "464", "6"] in rows
    assert ["Tracking", "Adenoma FR", "5.47", "2.000"] in rows
    fourth = reproduce("intrator-table4", *boxes, *classes)
    assert "Sensitivity @ Specificity=0.9" in fourth
    assert len(list((tmp_path / "out" / "cells").rglob("classifier.safetensors"))) == 3
    assert len(list((tmp_path / "out" / "cells").rglob("multi-view.safetensors"))) == 3, "trained once"


def test_classes_that_no_finding_has_are_refused(exported: Path, reproduce: Reproduce) -> None:
    boxes = ["--boxes", str(exported / "boxes.csv")]
    assert "Adenoma stands for AD, adenoma" in reproduce("intrator-table3", *boxes)
    assert "not of two kinds" in reproduce("intrator-table3", *boxes, "--set", 'classes=["TSA"]', code=1)


def test_clips_of_one_screening_are_searched_in_the_other(exported: Path, reproduce: Reproduce, tmp_path: Path) -> None:
    third = reproduce("xiang-table3")
    for words in ("12 queries of 3 patients", "first study of a pair", "3 pairs", "evaluated in 3 parts", "2 + 2"):
        assert words in third
    assert "phantom" not in third
    runs = [path.name for path in (tmp_path / "out" / "cells").glob("xiang-run-*")]
    assert len(runs) == 9, "MAE, CRL and CRL after MAE, each for three parts"
    held = {
        tuple(study["patient_id"] for study in json.loads(path.read_text(encoding="utf-8"))["studies"])
        for path in (tmp_path / "out" / "inputs").glob("others-*.json")
    }
    assert held == {
        ("001-003",) * 2 + ("001-005",) * 2,
        ("001-001",) * 2 + ("001-005",) * 2,
        ("001-001",) * 2 + ("001-003",) * 2,
    }
    second = reproduce("xiang-table2", "--set", "train_on=same", "--set", "clip_step=2")
    assert "as the paper's do" in second
    assert "clips have 8 frames (the encoder sees 4 of them), one every 8" in second


def test_a_pair_with_an_unknown_study_is_refused(exported: Path, reproduce: Reproduce, tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("study_id,other_study_id\n001-001,P9\n", encoding="utf-8")
    assert "P9, which is not in the manifest" in reproduce(
        "xiang-table3", "--pairs", str(tmp_path / "pairs.csv"), code=1
    )
