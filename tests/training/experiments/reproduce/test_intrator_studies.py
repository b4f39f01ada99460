"""Tables 1 and 2 of Intrator et al. on real studies with boxes of unnamed findings: from files to a printed table."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.commands.evaluate import run_reproduce
from training.datasets.findings import BoxRow, write_boxes
from training.errors import UserError
from training.experiments.reproduce.intrator_rows import INTRATOR_BUDGETS, SMOKE
from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.runs.reporter import SilentReporter

pytestmark = pytest.mark.usefixtures("unrendered_plots")
FRAMES = 24

TINY = replace(
    SMOKE,
    backbone="tiny",
    crop_px=32,
    kept=SMOKE.kept.model_copy(update={"fewest_detections": 3}),
    encoders=SMOKE.encoders.model_copy(update={"frame_steps": 2, "tracklet_steps": 2, "views": 2, "procedures": 4}),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three studies with two findings each, an ulcer and two polyps one after the other."""
    monkeypatch.setitem(INTRATOR_BUDGETS, "smoke", TINY)
    monkeypatch.setattr("training.experiments.reproduce.intrator_values.BOOTSTRAPS", 20)
    monkeypatch.setattr("training.experiments.reproduce.pages.intrator.figures", lambda *_: [])
    made = write_tiny_studies(tmp_path / "set", patients=3, frames=3 * FRAMES)
    write_boxes(made / "boxes.csv", boxes_of(made))
    return made


def boxes_of(folder: Path) -> list[BoxRow]:
    from training.datasets.manifest import load_manifest

    return [
        BoxRow(
            study_id=study.study_id, frame_index=at, x_min=8 + 18 * part, y_min=8, x_max=20 + 18 * part, y_max=20,
            label=("ulcer", "polyp", "polyp")[part],
        )
        for study in load_manifest(folder / "manifest.json").studies
        for part in range(3)
        for at in range(part * FRAMES, part * FRAMES + 12)
    ]  # fmt: skip


def asked(folder: Path, table: str, **changed: Any) -> ReproduceConfig:
    given: dict[str, Any] = {"studies": folder / "manifest.json", "boxes": folder / "boxes.csv", "budget": "smoke"}
    where = {"out": folder / "out", "weights_cache": folder / "none", "device": "cpu", "threads": 1}
    return ReproduceConfig(table=table, **{**given, **where, **changed})


def test_visits_of_real_tracklets_are_compared_by_encoders_of_the_other_patients(folder: Path) -> None:
    first = run_reproduce(asked(folder, "intrator-table1"), SilentReporter())
    assert first["finished"]
    # Of each patient three tracklets, six visits and fifteen pairs, three of which are of one finding.
    assert "Evaluated on 45 pairs, 9 of them of the same finding, of 18 tracklets" in first["text"]
    for words in ("9 tracklets of 9 boxes or more (polyp 6, ulcer 3)", "evaluated in 3 parts", "those of readers"):
        assert words in first["text"]
    assert "phantom" not in first["text"]
    weights = sorted((folder / "out" / "cells").rglob("multi-view.safetensors"))
    assert [path.parent.name for path in weights] == ["part-1", "part-2", "part-3"]
    second = run_reproduce(asked(folder, "intrator-table2"), SilentReporter())
    assert "Tracking and colour histogram" in second["text"]
    assert sorted((folder / "out" / "cells").rglob("multi-view.safetensors")) == weights, "trained once"


def test_tracklets_of_one_class_may_be_left_out_as_different_ones(folder: Path) -> None:
    every = run_reproduce(asked(folder, "intrator-table1"), SilentReporter())
    result = run_reproduce(asked(folder, "intrator-table1", different_classes=True), SilentReporter())
    assert result["csv"] != every["csv"], "both results are kept"
    assert all(Path(path).is_file() for path in (result["json"], result["csv"], every["json"], every["csv"]))
    # Four pairs of the two polyps of each patient are left out.
    assert "Evaluated on 33 pairs, 9 of them of the same finding" in result["text"]
    assert "and only those of different classes are taken for different ones" in result["text"]
    assert len(list((folder / "out" / "cells").glob("intrator-*/cell.json"))) == 2, "nothing is trained again"


def test_too_short_tracklets_are_refused(folder: Path) -> None:
    rows = boxes_of(folder)
    write_boxes(folder / "boxes.csv", [row for row in rows if row.frame_index % FRAMES < 6])
    with pytest.raises(UserError, match="No tracklet has 9 boxes"):
        run_reproduce(asked(folder, "intrator-table1"), SilentReporter())
    write_boxes(folder / "boxes.csv", rows[:2])
    with pytest.raises(UserError, match="No study has a tracklet of 3 boxes or more"):
        run_reproduce(asked(folder, "intrator-table1"), SilentReporter())


@pytest.mark.parametrize(
    ("table", "given", "words"),
    [
        ("intrator-table1", {"boxes": None}, "give phantom, or studies and boxes"),
        (
            "intrator-table1",
            {"boxes": None, "studies": None, "phantom": True, "different_classes": True},
            "different_classes belongs to boxes",
        ),
        ("vats-table2", {"labels": Path("l.csv")}, "boxes belongs to the intrator tables, not to table=vats-table2"),
        ("vats-table2", {"labels": Path("l.csv"), "boxes": None, "pairs": Path("p.csv")}, "belongs to the intrator"),
    ],
)
def test_what_boxes_are_not_for(tmp_path: Path, table: str, given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        asked(tmp_path, table, **given).check_used({"different_classes"} & given.keys() or {"boxes"})
