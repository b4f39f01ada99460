"""A whole benchmark on tiny images: pretrained, judged, kept, taken up again, reported."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.training.experiments.benchmark.small_sets import (
    CountingPretrain,
    Listener,
    asked,
    make_smoke_tiny,
    write_images,
)
from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.datasets.manifest import load_manifest
from training.errors import UserError
from training.experiments.benchmark.comparison import COMPARISONS
from training.experiments.benchmark.page import text_table
from training.experiments.benchmark.run import benchmark
from training.runs.reporter import SilentReporter

pytestmark = pytest.mark.usefixtures("unrendered_plots")


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    make_smoke_tiny(monkeypatch)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], CountingPretrain, Listener]:
    """A finished benchmark."""
    folder, made, listener = write_images(tmp_path_factory.mktemp("set")), CountingPretrain(), Listener()
    with pytest.MonkeyPatch.context() as patch:
        make_smoke_tiny(patch)
        report = benchmark(asked(folder), listener, made)
    return folder, report, made, listener


Done = tuple[Path, dict[str, Any], CountingPretrain, Listener]


def test_each_method_has_its_figures_over_the_seeds(done: Done) -> None:
    folder, report, made, _ = done
    assert report["finished"]
    by_name = {method["name"]: method for method in report["methods"]}
    for name in ("random", "simclr"):
        assert by_name[name]["seeds"] == [0, 1]
        for key in (
            "knn/projection/accuracy",
            "knn/backbone/macro_f1",
            "linear/0.1/last/accuracy",
            "linear/1/best/auc",
            "few_shot/1/accuracy",
            "sphere/alignment",
            "sphere/alignment_views",
            "sphere/uniformity",
        ):
            figure = by_name[name]["figures"][key]
            assert len(figure["values"]) == 2
            assert figure["mean"] is not None, key
    assert [fields["seed"] for fields in made.asked] == [0, 1]
    assert by_name["simclr"]["against_random"]["knn/projection/accuracy"]["of"] == 2
    assert json.loads((folder / "report" / "report.json").read_text())["methods"] == report["methods"]


def test_a_method_that_needs_video_sits_out_and_says_so(done: Done) -> None:
    _, report, _, listener = done
    video = report["methods"][2]
    assert (video["name"], video["figures"]) == ("time-triplet", {})
    assert "needs video" in video["absent"]
    assert any("time-triplet is left out" in line for line in listener.lines)
    assert "time-triplet: needs video" in text_table(report)


def test_no_frame_of_a_group_that_judges_is_pretrained_on(done: Done) -> None:
    folder, report, made, _ = done
    judges = set(report["split"]["judged"]["groups"])
    for fields in made.asked:
        assert judges <= set(fields["held_out_patients"])
        studies = load_manifest(fields["studies"]).studies
        assert {study.patient_id for study in studies} == set(report["split"]["training"]["groups"])
        linked = {file.resolve().name for study in studies for file in study.path.iterdir()}
        assert len(linked) == sum(report["split"]["training"]["frames"].values())
        assert not {name for name in linked if f"group {name[1]}" in judges}
    assert (folder / "images").is_dir()


def test_nothing_is_done_twice_and_more_can_be_asked(done: Done) -> None:
    folder, report, _, _ = done
    again, elsewhere = CountingPretrain(), {"out": folder / "other", "cells": folder / "report" / "cells"}
    same = benchmark(asked(folder, **elsewhere), SilentReporter(), again)
    assert not again.asked
    assert same["methods"] == report["methods"]
    more = benchmark(asked(folder, seeds=3, methods=("random", "simclr"), **elsewhere), SilentReporter(), again)
    assert [fields["seed"] for fields in again.asked] == [2]
    assert (
        more["methods"][1]["figures"]["knn/projection/accuracy"]["values"][:2]
        == (report["methods"][1]["figures"]["knn/projection/accuracy"]["values"])
    )
    benchmark(asked(folder, methods=("random",), shots=(), **elsewhere), SilentReporter(), again)
    assert len(again.asked) == 1


def test_the_page_and_the_tables_stand_beside_the_report(done: Done) -> None:
    folder, _, _, _ = done
    report = folder / "report"
    page = (report / "report.html").read_text(encoding="utf-8")
    for words in (
        "Methods compared",
        "simclr",
        "needs video",
        "<svg",
        "Difference to the random network",
        "not for diagnosis",
    ):
        assert words in page
    assert "/" + str(report).strip("/") not in page, "no path of the machine"
    lines = (report / "figures.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "method,figure,mean,deviation,seeds,values"
    assert any(line.startswith("simclr,linear/0.1/best/accuracy,") for line in lines)
    assert len((report / "table.csv").read_text(encoding="utf-8").splitlines()) == 4
    assert not (report / "frames.tmp").exists()


def test_a_stop_reports_what_there_is_and_goes_on_there(tmp_path: Path) -> None:
    folder, listener = write_images(tmp_path / "set"), Listener()
    stopping = CountingPretrain(listener, stop_before=1)
    report = benchmark(asked(folder, seeds=1), listener, stopping)
    assert not report["finished"]
    assert [method["name"] for method in report["methods"] if method["figures"]] == ["random"]
    assert report["methods"][1]["absent"] == "not reached"
    again = benchmark(asked(folder, seeds=1), Listener(), CountingPretrain())
    assert again["finished"]


def test_one_method_that_fails_does_not_end_the_others(tmp_path: Path) -> None:
    folder, listener = write_images(tmp_path / "set"), Listener()

    def diverges(fields: Any, reporter: Any) -> dict[str, Any]:
        raise UserError("The loss diverged.")

    report = benchmark(asked(folder, seeds=1, methods=("random", "simclr")), listener, diverges)
    assert not report["finished"]
    assert "The loss diverged" in report["methods"][1]["absent"]
    assert report["methods"][0]["figures"]
    with pytest.raises(UserError, match="diverged"):
        benchmark(asked(folder, seeds=1, methods=("simclr",)), listener, diverges)


def test_too_few_studies_are_named_before_anything_is_trained(tmp_path: Path) -> None:
    folder = write_tiny_studies(tmp_path / "set", patients=2, frames=12)
    made, listener = CountingPretrain(), Listener()
    config = asked(folder, images=None, studies=folder / "manifest.json", seeds=1, split="60:40")
    report = benchmark(config, listener, made)
    assert report["finished"]
    assert report["methods"][2]["absent"] == "2 sequences from different studies cannot be drawn from 1"
    told = listener.lines.index(f"time-triplet is left out: {report['methods'][2]['absent']}.")
    assert told < min(at for at, line in enumerate(listener.lines) if "seed 0: " in line)
    assert [fields["method"] for fields in made.asked] == ["simclr"]


def test_studies_take_part_with_all_their_frames_and_video(tmp_path: Path) -> None:
    folder = write_tiny_studies(tmp_path / "set", patients=4, frames=12)
    made = CountingPretrain()
    config = asked(
        folder, images=None, studies=folder / "manifest.json", methods=("time-triplet",), seeds=1, split="60:40"
    )
    report = benchmark(config, SilentReporter(), made)
    assert report["finished"]
    assert report["methods"][0]["figures"]["knn/projection/accuracy"]["mean"] is not None
    training = {study.patient_id for study in load_manifest(made.asked[0]["studies"]).studies}
    assert training == set(report["split"]["training"]["groups"])


def test_methods_that_look_at_parts_of_frames_are_judged_on_whole_ones(tmp_path: Path) -> None:
    folder = write_images(tmp_path / "set")
    methods = ("pirl", "pgcon", "wincon")
    report = benchmark(asked(folder, methods=("random", *methods), seeds=1), SilentReporter())
    assert report["finished"]
    figures = [method["figures"]["sphere/uniformity"]["mean"] for method in report["methods"]]
    assert len(set(figures)) == 1 + len(methods)


def test_full_finetuning_is_judged_too(tmp_path: Path) -> None:
    folder = write_images(tmp_path / "set")
    config = asked(folder, methods=("random", "simclr"), seeds=1, finetune=True, split="80:10:10")
    report = benchmark(config, SilentReporter())
    for method in report["methods"]:
        for moment in ("last", "best"):
            assert method["figures"][f"finetuned/1/{moment}/accuracy"]["mean"] is not None
        assert method["figures"]["finetuned/1/steps"]["mean"] == method["figures"]["finetuned/1/judgings"]["mean"] == 2
    assert "neither training nor testing" in text_table(report)
    assert "accuracy at the end of fine-tuning" in (folder / "report" / "report.html").read_text(encoding="utf-8")


def test_nobody_can_take_part(tmp_path: Path) -> None:
    folder = write_images(tmp_path / "set")
    with pytest.raises(UserError, match="No method can be used here: time-triplet needs video"):
        benchmark(asked(folder, methods=("time-triplet", "imagenet")), SilentReporter())


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    folder = write_images(tmp_path / "set")
    (folder / "report").mkdir()
    (folder / "report" / "thesis.txt").write_text("x", encoding="utf-8")
    with pytest.raises(UserError, match="is not empty"):
        benchmark(asked(folder), SilentReporter())
    assert (folder / "report" / "thesis.txt").read_text(encoding="utf-8") == "x"


def test_images_without_groups_are_told(tmp_path: Path) -> None:
    folder = write_images(tmp_path / "set")
    (folder / "labels.csv").write_text("filename,label\ng0_0.png,blood\ng0_1.png,normal\n", encoding="utf-8")
    with pytest.raises(UserError, match="has no group"):
        benchmark(asked(folder), SilentReporter())


def test_the_budget_smoke_uses_one_seed_unless_told_otherwise(tmp_path: Path) -> None:
    folder = write_images(tmp_path / "set")
    quick: dict[str, Any] = {"methods": ("random",), "shares": (), "shots": ()}
    assert benchmark(asked(folder, seeds=None, **quick), SilentReporter())["seeds"] == [0]
    assert benchmark(asked(folder, seeds=2, **quick), SilentReporter())["seeds"] == [0, 1]
    assert COMPARISONS["small"].seeds == COMPARISONS["paper"].seeds == 3
