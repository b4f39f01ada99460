"""Several kinds in an evaluation: what frames.csv, the tables, the page and the pictures say of each."""

import csv
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

from tests.training.experiments.explanations.images import write_boxed_images
from tests.training.experiments.explanations.test_evaluation import config_of, rows_of
from tests.training.pretraining.kept_run import write_kept_run
from training.experiments.explanations.evaluation import evaluate_explanations
from training.experiments.explanations.page import curve, write_page
from training.experiments.explanations.report import text_table
from training.inference.explanation import SIMILARITY
from training.runs.reporter import SilentReporter

POLYPS = ("g1_0.png", "g3_2.png")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Report folder and report of a pretraining, of six frames with blood and two with green polyps."""
    folder = tmp_path_factory.mktemp("kinds")
    data = write_boxed_images(folder / "set", POLYPS)
    run = write_kept_run(folder / "first")
    asked = {"folds": None, "model": run, "explain": ("center", "redness"), "sample": 4, "shown": 4, "input_size": None}
    config = config_of(data, folder / "out", sample_by="kinds", **asked)
    return config.out, evaluate_explanations(config, SilentReporter())


def test_the_labelled_kind_stands_beside_what_was_explained(finished: tuple[Path, dict[str, Any]]) -> None:
    rows = rows_of(finished[0])
    assert {row["class"] for row in rows} == {SIMILARITY}
    assert {row["filename"] for row in rows if row["kind"] == "polyp"} == set(POLYPS)
    sampled = {row["filename"]: row["kind"] for row in rows if row["sampled"] == "1"}
    assert sorted(sampled.values()) == ["blood", "blood", "polyp", "polyp"]


def test_redness_tells_the_red_kind_from_the_other(finished: tuple[Path, dict[str, Any]]) -> None:
    report = finished[1]
    assert report["asked"]["sample_by"] == "kinds"
    assert report["data"]["kinds"] == {"polyp": {"frames": 2, "sampled": 2}, "blood": {"frames": 6, "sampled": 2}}
    kinds = report["by_kind"]["all"]
    assert kinds["blood"]["redness"]["pointing"]["value"] == 1.0
    assert kinds["polyp"]["redness"]["pointing"]["value"] == 0.0
    with (finished[0] / "figures.csv").open(newline="", encoding="utf-8") as file:
        rows = {(row["subset"], row["kind"], row["explain"]): row for row in csv.DictReader(file)}
    assert rows["all", "polyp", "redness"]["frames"] == "2"
    assert rows["all", "", "redness"]["frames"] == "8"
    assert rows["sample", "polyp", "center"]["chance_value"]


def test_the_page_shows_the_rare_kind_first(finished: tuple[Path, dict[str, Any]]) -> None:
    page = (finished[0] / "report.html").read_text(encoding="utf-8")
    assert "whose reddest pixel is in a box" in page
    assert [picture["kind"] for picture in finished[1]["pictures"]] == ["polyp", "polyp", "blood", "blood"]
    pictures = page[page.index("<h2>Frames</h2>") :]
    places = [pictures.index(f'src="pictures/{picture["file"]}"') for picture in finished[1]["pictures"]]
    assert places == sorted(places)
    assert pictures.index("<h3>polyp (2 of the 8") < places[0] < places[1] < pictures.index("<h3>blood (6 of the 8")


def test_a_kind_that_the_sample_missed_is_named(finished: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    report = finished[1] | {"asked": finished[1]["asked"] | {"sample_by": "frames", "explain": ["center"]}}
    missed = {"ulcer": {"frames": 1, "sampled": 0}, "erosion": {"frames": 3, "sampled": 0}}
    report["data"] = report["data"] | {"kinds": missed | report["data"]["kinds"]}
    write_page(tmp_path / "report.html", report)
    page = " ".join((tmp_path / "report.html").read_text(encoding="utf-8").split())
    assert "Not in the sample: ulcer (1 frames), erosion (3 frames). With <code>--sample-by kinds</code>" in page
    assert "to see how red each kind is" in page
    assert "<h3>polyp" not in page


def test_a_likeness_below_zero_stays_on_the_plot() -> None:
    report = {"models": [{"has_classes": False}], "table": {"sample": {"cam": {"curves": {"deletion": [1.0, -0.5]}}}}}
    axes = Figure().add_subplot()
    curve(axes, report, "deletion")
    assert axes.get_ylim()[0] < -0.5
    assert axes.get_ylabel() == "mean similarity (cosine)"


def test_a_pretraining_is_not_said_to_give_classes(finished: tuple[Path, dict[str, Any]]) -> None:
    page = (finished[0] / "report.html").read_text(encoding="utf-8")
    assert "no labels: what determines the frame's embedding" in page
    for words in ("classified correctly", "gives the class", "AUC", "class score", "mean score"):
        assert words not in page


def test_the_shell_lists_the_kinds(finished: tuple[Path, dict[str, Any]]) -> None:
    lines = text_table(finished[1]).splitlines()
    assert "sample, kinds drawn equally:" in lines
    (head,) = (place for place, line in enumerate(lines) if line.startswith("sample, by kind:"))
    assert [line.split()[:4] for line in lines[head + 1 : head + 5]] == [
        ["polyp", "center", "2", "2"],
        ["polyp", "redness", "2", "2"],
        ["blood", "center", "2", "2"],
        ["blood", "redness", "2", "2"],
    ]
