"""A benchmark that pretrains on other studies than it evaluates on, and images of one source."""

import csv
import shutil
from pathlib import Path

import pytest

from tests.training.experiments.benchmark.small_sets import CountingPretrain, asked, make_smoke_tiny, write_images
from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.datasets.manifest import Manifest, load_manifest, save_manifest
from training.errors import UserError
from training.experiments.benchmark.comparison import SMALL, SMOKE
from training.experiments.benchmark.data import benchmark_data, stills_manifest, video_manifest
from training.experiments.benchmark.page import text_table
from training.experiments.benchmark.run import benchmark
from training.runs.reporter import SilentReporter

pytestmark = pytest.mark.usefixtures("unrendered_plots")


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    make_smoke_tiny(monkeypatch)


def add_sources(labels: Path, source_of: dict[str, str], extra: str = "") -> None:
    """A column with the source of each group; `extra`: another line."""
    rows = list(csv.reader(labels.read_text(encoding="utf-8").splitlines()))
    sourced = [[*row, source_of.get(row[2], "A") if at else "source"] for at, row in enumerate(rows)]
    text = "\n".join(",".join(row) for row in sourced)
    labels.write_text(f"{text}\n{extra}", encoding="utf-8")


def test_pretrainings_learn_from_the_other_studies_alone(tmp_path: Path) -> None:
    folder, other = write_images(tmp_path / "set"), write_tiny_studies(tmp_path / "other", patients=3, frames=8)
    given = {"pretrain_studies": other / "manifest.json", "pretrain_per_study": 4, "seeds": 1}
    pretrain = CountingPretrain()
    report = benchmark(asked(folder, methods=("random", "simclr", "time-triplet"), **given), SilentReporter(), pretrain)
    assert report["finished"]
    stills, video = (load_manifest(fields["studies"]).studies for fields in pretrain.asked)
    assert {study.patient_id for study in stills} == {"P0", "P1", "P2"}
    assert all(len(study.spans) == 4 and {s.stop - s.start for s in study.spans} == {1} for study in stills)
    assert all(not study.spans for study in video), "methods that need video see successive frames"
    assert [method["name"] for method in report["methods"] if method["figures"]] == ["random", "simclr", "time-triplet"]
    assert "frames of studies of manifest.json (up to 4 frames of each)" in text_table(report)
    assert str(other) not in text_table(report)


def test_other_studies_are_pretrained_on_once_for_all_evaluations(tmp_path: Path) -> None:
    folder, other = write_images(tmp_path / "set"), write_tiny_studies(tmp_path / "other", patients=3, frames=8)
    given = {"methods": ("simclr",), "pretrain_studies": other / "manifest.json", "seeds": 1}
    first = benchmark_data(asked(folder, **given), SilentReporter())
    second = benchmark_data(asked(folder, split_seed=1, **given), SilentReporter())
    assert first.digest != second.digest
    assert first.pretraining_digest == second.pretraining_digest


def test_patients_of_the_test_part_are_not_pretrained_on(tmp_path: Path) -> None:
    folder, other = write_images(tmp_path / "set"), write_tiny_studies(tmp_path / "other", patients=3, frames=8)
    data = benchmark_data(asked(folder, pretrain_studies=other / "manifest.json"), SilentReporter())
    studies = load_manifest(other / "manifest.json").studies
    shared = studies[0].model_copy(update={"patient_id": data.kept_out[0]})
    save_manifest(other / "manifest.json", Manifest(studies=(shared, *studies[1:])))
    kept = load_manifest(stills_manifest(data, tmp_path / "inputs")).studies
    assert [study.patient_id for study in kept] == ["P1", "P2"]
    assert load_manifest(video_manifest(data, tmp_path / "inputs")).studies == kept
    save_manifest(other / "manifest.json", Manifest(studies=(shared,)))
    with pytest.raises(UserError, match="All studies to pretrain on are of patients of the test part"):
        stills_manifest(data, tmp_path / "inputs")


def test_images_of_one_source_are_evaluated(tmp_path: Path) -> None:
    folder = write_images(tmp_path / "set")
    add_sources(folder / "labels.csv", {"group 4": "B"}, "other.png,worms,group 9,C\n")
    data = benchmark_data(asked(folder, sources=("A",)), SilentReporter())
    assert data.frames.labelled.classes == ("normal", "blood")
    assert set(data.frames.labelled.sources.tolist()) == {"A"}
    assert set(data.frames.labelled.patients.tolist()) == {f"group {number}" for number in range(4)}
    with pytest.raises(UserError, match="no image has the source D"):
        benchmark_data(asked(folder, sources=("D",)), SilentReporter())


def test_steps_and_batches_are_the_same_for_all_methods() -> None:
    changed = SMALL.changed(250, 24, {"simclr": {"temperature": 0.2}})
    assert (changed.steps, changed.batch) == (250, 24)
    assert {changed.of_method[name]["sequences"] for name in ("pirl", "pgcon", "simclr", "*")} == {24}
    assert changed.of_method["time-triplet"] == SMALL.of_method["time-triplet"]
    assert changed.of_method["simclr"]["temperature"] == 0.2
    assert SMOKE.changed(None, None, {}) == SMOKE


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"sources": ("A",), "images": None, "studies": Path("m.json")}, "sources belongs to images"),
        ({"pretrain_per_study": 5}, "pretrain_per_study belongs to pretrain_studies"),
        ({"pretrain_studies": Path("m.json"), "video_frames": Path("v.csv")}, "not both"),
        ({"steps": 300, "hours": 1.0}, "steps has no effect with hours"),
        ({"steps": 300, "budget": "paper"}, "belongs to budget=smoke or small"),
        ({"pretrain_settings": {"moco": {}}}, "settings are given by pretraining"),
        ({"pretrain_settings": {"simclr": {"steps": 5}}}, "steps is the same for all methods"),
    ],
)
def test_settings_that_do_not_go_together(tmp_path: Path, given: dict[str, object], words: str) -> None:
    with pytest.raises((UserError, ValueError), match=words):
        asked(tmp_path, **given).check_used(given)


def test_folders_of_images_are_pretrained_on_without_the_images_of_the_test_part(tmp_path: Path) -> None:
    folder, other = write_images(tmp_path / "set"), tmp_path / "other"
    plain = benchmark_data(asked(folder), SilentReporter())
    tested = plain.image(int(plain.split.test[0]))
    (other / "below").mkdir(parents=True)
    shutil.copyfile(tested, other / "renamed.png")
    trained = [plain.image(row) for row in plain.split.training.tolist()[:2]]
    for number, path in enumerate(trained):
        shutil.copyfile(path, other / "below" / f"{number}.png")
    data = benchmark_data(asked(folder, pretrain_images=(other,)), SilentReporter())
    assert data.sentence.endswith("; pretrained on 2 images of other")
    assert not data.has_video
    (study,) = load_manifest(stills_manifest(data, tmp_path / "inputs")).studies
    assert study.study_id == "images of other, 64 x 64 px"
    assert {path.read_bytes() for path in study.path.iterdir()} == {path.read_bytes() for path in trained}
    studies = write_tiny_studies(tmp_path / "studies", patients=2, frames=8) / "manifest.json"
    both = benchmark_data(asked(folder, pretrain_images=(other,), pretrain_studies=studies), SilentReporter())
    assert both.has_video
    assert len(load_manifest(video_manifest(both, tmp_path / "inputs")).studies) == 3
    assert len({each.pretraining_digest for each in (plain, data, both)}) == 3
    shutil.rmtree(other / "below")
    with pytest.raises(UserError, match="There are no images to pretrain on"):
        _ = benchmark_data(asked(folder, pretrain_images=(other,)), SilentReporter()).sentence
