"""Sets as the presets of Vats et al. 2022 export them: no normal class, and images whose patients nobody knows."""

import csv
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from tests.training.datasets.frames import labelled
from tests.training.experiments.benchmark.small_sets import asked, make_smoke_tiny
from tests.training.pretraining.tiny_studies import picture
from training.datasets.frame_store import FrameStore
from training.datasets.manifest import load_manifest
from training.errors import UserError
from training.experiments.benchmark import full_finetuning
from training.experiments.benchmark.comparison import SMOKE
from training.experiments.benchmark.config import BenchmarkConfig
from training.experiments.benchmark.data import benchmark_data, stills_manifest
from training.experiments.benchmark.page import text_table
from training.experiments.benchmark.run import benchmark
from training.finetuning.batches import make_sampler
from training.runs.reporter import SilentReporter
from training.video.image_header import image_size

EACH = 6


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    make_smoke_tiny(monkeypatch)


def write_kinds(folder: Path, kinds: tuple[str, ...] = ("inflammation", "polyp", "vascular lesion")) -> Path:
    """images/ and labels.csv of an export: no image is normal, no row has a group, and one size differs."""
    (folder / "images").mkdir(parents=True)
    rng = np.random.default_rng(5)
    rows = [("filename", "label", "group")]
    for kind in kinds:
        for number in range(EACH):
            shown = picture("blood" if kind == kinds[0] else "normal", rng)
            shown = shown[::2, ::2] if number == 0 else shown
            name = f"{kind[:2]}{number}.png"
            cv2.imwrite(str(folder / "images" / name), cv2.cvtColor(shown, cv2.COLOR_RGB2BGR))
            rows.append((name, kind, ""))
    with (folder / "labels.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return folder


def asked_of_kinds(folder: Path, **changed: Any) -> BenchmarkConfig:
    """As the papers' tables ask for them."""
    given = {"methods": ("random",), "seeds": 1, "normal_label": "", "split_by": "frames", **changed}
    return asked(folder, **given)


def test_a_set_of_kinds_without_groups_is_judged_and_the_split_told(tmp_path: Path) -> None:
    folder = write_kinds(tmp_path / "set")
    report = benchmark(asked_of_kinds(folder, split="80:10:10", finetune=True), SilentReporter())
    assert report["finished"]
    assert report["data"]["labelled"] == {"inflammation": EACH, "polyp": EACH, "vascular lesion": EACH}
    figures = report["methods"][0]["figures"]
    for key in (
        "knn/projection/accuracy",
        "linear/1/best/auc",
        "finetuned/1/last/auc",
        "few_shot/1/macro_f1",
        "sphere/uniformity",
    ):
        assert figures[key]["mean"] is not None, key
    for key in ("knn/projection/group_accuracy", "linear/1/last/group_accuracy", "sphere/alignment_other_groups"):
        assert figures[key]["mean"] is None, f"{key}: nobody knows the groups"
    page = (folder / "report" / "report.html").read_text(encoding="utf-8")
    for figure_text in (text_table(report), page, " ".join(report["warnings"])):
        assert "Frames of one patient may be on both sides" in figure_text
    for figure_text in (text_table(report), page):
        assert "no normal class" in figure_text
        assert "split by group" not in figure_text
    assert {side: sum(report["split"][side]["frames"].values()) for side in ("training", "choosing", "judged")} == {
        "training": 12, "choosing": 3, "judged": 3,
    }  # fmt: skip


def test_a_finetuning_of_kinds_takes_each_alike_and_scores_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = labelled([(name, start, start + 3, start // 3) for name in "AB" for start in (0, 3, 6)], ("a", "b", "c"))
    pixels = np.zeros((len(kinds), 32, 32, 3), np.uint8)
    store = FrameStore(kinds, pixels, np.ones(len(kinds), bool), np.full((len(kinds), 3), np.nan, np.float32))
    batches = []

    def untrained(settings: Any, network: Any, training: FrameStore, reporter: Any, on_point: Any) -> Any:
        batches.append(kinds.label[make_sampler(settings, training.labelled).batch(0)])
        assert network.config.classes == ("normal", "a", "b", "c")
        on_point(SimpleNamespace(step=settings.steps))
        return SimpleNamespace(is_finished=True)

    monkeypatch.setattr(full_finetuning, "fit", untrained)
    comparison = replace(SMOKE, backbone="tiny", input_size=32, batch=6, finetune_steps=1)
    rows, config = np.arange(len(kinds)), asked_of_kinds(tmp_path)
    found = full_finetuning.full_finetuning(config, comparison, "random", store, rows, rows, 0, SilentReporter())
    assert np.bincount(batches[0]).tolist() == [2, 2, 2]
    assert found["last"]["accuracy"] == pytest.approx(1 / 3), "equal pictures are given one kind"


def test_only_images_that_teach_are_pretrained_on_a_study_for_each_size(tmp_path: Path) -> None:
    folder = write_kinds(tmp_path / "set")
    data = benchmark_data(asked_of_kinds(folder), SilentReporter())
    studies = load_manifest(stills_manifest(data, tmp_path / "inputs")).studies
    shown = {file.resolve().name for study in studies for file in study.path.iterdir()}
    test = data.frames.labelled.frame_index[data.split.test].tolist()
    assert len(shown) == len(data.split.training)
    assert not shown & {data.frames.filenames[place] for place in test}
    sizes = [{image_size(file) for file in study.path.iterdir()} for study in studies]
    assert all(len(found) == 1 for found in sizes)
    assert data.kept_out == ()


def test_a_split_by_frames_is_asked_for_and_never_for_sets_with_groups(tmp_path: Path) -> None:
    folder = write_kinds(tmp_path / "set")
    with pytest.raises(UserError, match="has no group") as caught:
        benchmark_data(asked_of_kinds(folder, split_by="groups"), SilentReporter())
    assert "--set split_by=frames" in caught.value.hint
    text = (folder / "labels.csv").read_text(encoding="utf-8")
    (folder / "labels.csv").write_text(text.replace("po0.png,polyp,", "po0.png,polyp,someone"), encoding="utf-8")
    with pytest.raises(UserError, match="names groups"):
        benchmark_data(asked_of_kinds(folder), SilentReporter())


def test_another_kind_of_split_is_another_key(tmp_path: Path) -> None:
    folder = write_kinds(tmp_path / "set")
    by_frames = benchmark_data(asked_of_kinds(folder), SilentReporter()).digest
    assert by_frames != benchmark_data(asked_of_kinds(folder, split="80:10:10"), SilentReporter()).digest
