"""Retrieval from studies to figures, on a phantom with paired passes of different size and rate, and on bad input."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.videos import write_video
from training.datasets.labels import LabelRow, write_labels
from training.datasets.manifest import Manifest, StudyEntry, save_manifest
from training.errors import UserError
from training.metrics.retrieval import chance_figures
from training.retrieval import evaluation
from training.retrieval.clips import ClipPixels, read_clips
from training.retrieval.evaluation import COMPUTED, PairVectors, evaluate, open_pairs, pair_vectors
from training.retrieval.paired_clips import ClipSettings
from training.runs.reporter import SilentReporter
from training.video import FrameSource

SETTINGS = ClipSettings(length=4, stride=2, fewest_shown=2)


def embed(clips: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Each clip's middle frame, small."""
    small = [cv2.resize(clip[2], (8, 8), interpolation=cv2.INTER_AREA).ravel() for clip in clips]
    vectors = np.asarray(np.stack(small), np.float64)
    return np.asarray(vectors - vectors.mean(axis=1, keepdims=True), np.float64)


def studies(folder: Path, labels: list[LabelRow], *, names: tuple[str, ...] = ("P01a", "P01b")) -> tuple[Path, Path]:
    """A manifest of numbered videos, the second of another size and rate, and labels."""
    entries = []
    for name in names:
        path, is_second = folder / f"{name}.mp4", name.endswith("b")
        side, step_ms = (96, 100) if is_second else (64, 40)
        write_video(path, frames=24, height=side, width=side, times_ms=[step_ms * k for k in range(24)])
        entries.append(StudyEntry(study_id=name, patient_id=name[:3], path=path))
    save_manifest(folder / "manifest.json", Manifest(studies=tuple(entries)))
    write_labels(folder / "labels.csv", labels)
    return folder / "manifest.json", folder / "labels.csv"


def seen(study: str, lesion: str, start: int, stop: int) -> LabelRow:
    return LabelRow(study_id=study, start=start, stop=stop, label="polyp", finding_id=f"{study}-{lesion}")


BOTH = [seen("P01a", "L1", 4, 8), seen("P01b", "L1", 4, 8), seen("P01a", "L2", 14, 18), seen("P01b", "L2", 14, 18)]


def test_paired_studies_of_different_size_and_rate(tmp_path: Path) -> None:
    pairs = open_pairs(*studies(tmp_path, BOTH), SETTINGS)
    vectors = [pair_vectors(pair, embed, length=4, size=32, reporter=SilentReporter()) for pair in pairs]
    assert vectors[0].queries.shape == (2, 192)
    found = evaluate(pairs, vectors)
    assert found.figures.values()["R@1"].tolist() == [1.0, 1.0], "frames of the same number look the same"
    assert found.patients.tolist() == ["P01", "P01"]
    assert chance_figures(found.figures).values()["R@1"][0] == pytest.approx(3 / 11)


def test_one_patient_only_and_no_pair(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="No patient has two studies"):
        open_pairs(*studies(tmp_path, BOTH, names=("P01a",)), SETTINGS)


@pytest.mark.parametrize("labels", [[], BOTH[:1], [BOTH[0], seen("P01b", "L9", 4, 8)]])
def test_no_lesion_in_both_studies(tmp_path: Path, labels: list[LabelRow]) -> None:
    with pytest.raises(UserError, match="No lesion is labelled in 2 frames of a clip in both studies"):
        open_pairs(*studies(tmp_path, labels), SETTINGS)


def test_a_clip_longer_than_the_studies(tmp_path: Path) -> None:
    pairs = open_pairs(*studies(tmp_path, BOTH), SETTINGS.model_copy(update={"length": 40}))
    vectors = [pair_vectors(pair, embed, length=40, size=32, reporter=SilentReporter()) for pair in pairs]
    found = evaluate(pairs, vectors)
    assert found.figures.values()["R@1"].tolist() == [1.0, 1.0]
    assert chance_figures(found.figures).values()["R@1"].tolist() == [1.0, 1.0], "the gallery is one clip"


def test_a_patient_without_queries_is_passed_over(tmp_path: Path) -> None:
    names = ("P01a", "P01b", "P02a", "P02b")
    pairs = open_pairs(*studies(tmp_path, BOTH, names=names), SETTINGS)
    vectors = [pair_vectors(pair, embed, length=4, size=32, reporter=SilentReporter()) for pair in pairs]
    assert set(evaluate(pairs, vectors).patients.tolist()) == {"P01"}


def test_a_study_that_does_not_decode_is_chance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = open_pairs(*studies(tmp_path, BOTH), SETTINGS)

    def read_some(source: FrameSource, *bounds: Any, **sizes: Any) -> Iterator[ClipPixels | None]:
        is_lost = source.path.stem == "P01b"
        return (None if is_lost else clip for clip in read_clips(source, *bounds, **sizes))

    monkeypatch.setattr(evaluation, "read_clips", read_some)
    vectors = [pair_vectors(pair, embed, length=4, size=32, reporter=SilentReporter()) for pair in pairs]
    assert vectors[0].gallery.shape == (11, 192)
    found = evaluate(pairs, vectors)
    assert found.figures.hits.tolist() == chance_figures(found.figures).hits.tolist()


@pytest.mark.parametrize("name", list(COMPUTED))
def test_equal_vectors_are_chance(tmp_path: Path, name: str) -> None:
    pairs = open_pairs(*studies(tmp_path, BOTH), SETTINGS)
    vectors = [PairVectors(np.ones((2, 3)), np.ones((11, 3)))]
    found = evaluate(pairs, vectors, name)
    assert found.figures.average_precision.tolist() == chance_figures(found.figures).average_precision.tolist()
