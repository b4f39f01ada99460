"""What pretrainings learn from: nothing of those who judge, from images, from studies, from a video beside images."""

import csv
from pathlib import Path

import numpy as np
import pytest

from tests.training.experiments.benchmark.small_sets import GROUPS, asked, make_smoke_tiny, write_images
from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.datasets.frame_store import FrameStore
from training.datasets.manifest import Manifest, load_manifest, save_manifest
from training.errors import UserError
from training.experiments.benchmark.comparison import SMOKE
from training.experiments.benchmark.data import benchmark_data, stills_manifest, video_manifest
from training.experiments.benchmark.evaluator import make_evaluator
from training.runs.reporter import SilentReporter


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    make_smoke_tiny(monkeypatch)


def write_video_frames(folder: Path) -> Path:
    """A CSV that says of each image that it is a frame of one run after the other; the video is only a name."""
    names = sorted(path.name for path in (folder / "images").iterdir())
    with (folder / "video_frames.csv").open("w", newline="", encoding="utf-8") as file:
        rows = [[str(number), name[:2], name] for number, name in enumerate(names)]
        csv.writer(file).writerows([["frame_index", "run", "filename"], *rows])
    (folder / "video.mp4").write_bytes(b"")
    return folder / "video_frames.csv"


def test_a_video_beside_images_gives_the_runs_of_those_who_teach(tmp_path: Path) -> None:
    folder = write_images(tmp_path / "set")
    data = benchmark_data(asked(folder, video_frames=write_video_frames(folder)), SilentReporter())
    assert data.has_video
    manifest = load_manifest(video_manifest(data, tmp_path / "inputs"))
    assert {study.patient_id for study in manifest.studies} == set(data.training_groups)
    assert not {study.patient_id for study in manifest.studies} & set(data.kept_out)
    assert sum(span.stop - span.start for study in manifest.studies for span in study.spans) == 6 * len(
        manifest.studies
    )


def test_a_video_that_is_not_there(tmp_path: Path) -> None:
    folder = write_images(tmp_path / "set")
    listed = write_video_frames(folder)
    (folder / "video.mp4").unlink()
    data = benchmark_data(asked(folder, video_frames=listed), SilentReporter())
    with pytest.raises(UserError, match="There is no video"):
        video_manifest(data, tmp_path / "inputs")


def test_unlabelled_patients_of_a_manifest_teach_too(tmp_path: Path) -> None:
    folder = write_tiny_studies(tmp_path / "set", patients=5, frames=6)
    lines = (folder / "labels.csv").read_text(encoding="utf-8").splitlines()
    (folder / "labels.csv").write_text("\n".join(line for line in lines if "P4-" not in line) + "\n", encoding="utf-8")
    config = asked(folder, images=None, studies=folder / "manifest.json")
    data = benchmark_data(config, SilentReporter())
    studies = load_manifest(stills_manifest(data, tmp_path / "inputs")).studies
    assert {study.patient_id for study in studies} == {*data.training_groups, "P4"}


def test_studies_that_are_stills_are_no_video(tmp_path: Path) -> None:
    folder = write_tiny_studies(tmp_path / "set", patients=5, frames=6)
    config = asked(folder, images=None, studies=folder / "manifest.json")
    assert benchmark_data(config, SilentReporter()).has_video
    studies = load_manifest(folder / "manifest.json").studies
    stills = tuple(study.model_copy(update={"kind": "stills"}) for study in studies)
    save_manifest(folder / "manifest.json", Manifest(studies=stills))
    assert not benchmark_data(config, SilentReporter()).has_video


def test_kinds_of_studies_are_compared_without_normal_frames(tmp_path: Path) -> None:
    folder = write_tiny_studies(tmp_path / "set", patients=5, frames=6, kinds=("normal", "polyp", "blood"))
    config = asked(folder, images=None, studies=folder / "manifest.json", normal_label="")
    with_normal = benchmark_data(config.model_copy(update={"normal_label": "normal"}), SilentReporter())
    alone = benchmark_data(config, SilentReporter())
    assert alone.frames.labelled.classes == with_normal.frames.labelled.classes[1:]
    assert len(alone.frames.labelled) < len(with_normal.frames.labelled)
    assert alone.sentence.endswith("no normal class")
    assert alone.digest != with_normal.digest


def test_where_links_are_not_allowed_images_are_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: Path) -> None:
        raise OSError("a required privilege is not held by the client")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    folder = write_images(tmp_path / "set")
    data = benchmark_data(asked(folder), SilentReporter())
    studies = load_manifest(stills_manifest(data, tmp_path / "inputs")).studies
    files = [file for study in studies for file in study.path.iterdir()]
    assert len(files) == len(data.split.training)
    assert not any(file.is_symlink() for file in files)
    assert all(file.stat().st_size for file in files)


def test_another_split_or_another_label_is_another_key(tmp_path: Path) -> None:
    folder = write_images(tmp_path / "set")
    keys = {benchmark_data(asked(folder, split_seed=seed), SilentReporter()).digest for seed in (0, 1, 0)}
    assert len(keys) == 2
    text = (folder / "labels.csv").read_text(encoding="utf-8")
    (folder / "labels.csv").write_text(text.replace("g0_0.png,blood", "g0_0.png,normal"), encoding="utf-8")
    assert benchmark_data(asked(folder), SilentReporter()).digest not in keys


def test_frames_that_cannot_be_read_are_on_no_side(tmp_path: Path) -> None:
    folder = write_images(tmp_path / "set")
    data = benchmark_data(asked(folder), SilentReporter())
    every = data.frames.labelled
    kept = np.arange(len(every)) % 4 > 0
    pixels = np.zeros((int(kept.sum()), 32, 32, 3), np.uint8)
    boxes = np.full((len(pixels), 3), np.nan, np.float32)
    store = FrameStore(every.select(kept), pixels, np.zeros(len(pixels), bool), boxes)
    import torch

    evaluate = make_evaluator(data, SMOKE, store, torch.device("cpu"), SilentReporter())
    sides = np.concatenate([evaluate.split.training, evaluate.split.test])
    assert sorted(sides.tolist()) == list(range(len(store)))
    judges = set(store.labelled.patients[evaluate.split.test].tolist())
    assert judges == set(data.kept_out)
    assert len(judges) < GROUPS
