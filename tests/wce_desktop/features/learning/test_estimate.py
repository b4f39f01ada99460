"""What a training will take: reckoned by hand beside it."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from training.finetuning.config import finetune_config
from training.pretraining.config import pretrain_config
from wce_desktop.core.study import Study
from wce_desktop.features.learning.model.estimate import (
    START_SECONDS,
    SpeedBook,
    estimate_finetuning,
    estimate_pretraining,
)
from wce_desktop.session.study_choice import StudyRow


def row(frames: int, labelled: int = 0) -> StudyRow:
    """A study of so many frames."""
    study = Study("s", "p", "n", Path("v.mp4"), frame_count=frames)
    return StudyRow(study, "p", labelled, labelled, frames, is_there=True)


@pytest.fixture
def book(tmp_path: Path) -> SpeedBook:
    """A computer that trains ResNet-18 at 128 px with 100 images a second."""
    made = SpeedBook(tmp_path / "speeds.json")
    made.note("cpu", "resnet18", 128, [1.0, 1.0, 1.0, 90.0, 100.0, 110.0])
    return made


def pretraining(**changes: Any) -> Any:
    """A small network on the CPU, with the paper's batch and optimizer."""
    small = {"backbone": "resnet18", "input_size": 128, "steps": 400, "device": "cpu"}
    return pretrain_config(studies="-", out="-", **{**small, **changes})


def test_a_pretraining_is_steps_times_batch_over_speed(book: SpeedBook, tmp_path: Path) -> None:
    found = estimate_pretraining(pretraining(), [row(1000), row(800)], book, tmp_path)
    assert (found.frames, found.steps, found.images) == (1800, 400, 400 * 72)
    assert found.seconds == pytest.approx(400 * 72 / 100 + START_SECONDS)
    assert found.speed.is_measured
    assert "1,800 frames, 400 steps: each frame is seen 16 times" in found.sentences[0]
    assert "5 minutes (at 100 images/s, as measured here)" in found.sentences[1]


def test_minutes_bound_a_pretraining(book: SpeedBook, tmp_path: Path) -> None:
    found = estimate_pretraining(pretraining(minutes=1.0), [row(1000)], book, tmp_path)
    assert found.steps == int(60 / 0.72)


def test_eleven_kept_checkpoints_of_a_resnet18_are_half_a_gigabyte(book: SpeedBook, tmp_path: Path) -> None:
    found = estimate_pretraining(pretraining(), [row(1000)], book, tmp_path)
    assert 11 * 44.7e6 < found.disk_bytes < 15 * 46e6
    adamw = estimate_pretraining(pretraining(optimizer="adamw"), [row(1000)], book, tmp_path)
    assert adamw.disk_bytes - found.disk_bytes == pytest.approx(3 * 2 * 44.7e6, rel=0.05)
    full = dataclasses.replace(found, free_bytes=1000)
    assert full.is_too_large
    assert full.sentences[2].startswith("Not enough disk space")


def test_a_larger_network_is_scaled_from_what_was_measured(book: SpeedBook) -> None:
    speed = book.expect("cpu", "resnet50", 256)
    assert not speed.is_measured
    assert speed.images_per_second == pytest.approx(100 * 1.82 / 4.09 / 4)


def test_on_an_unknown_device_it_says_that_it_guesses(book: SpeedBook, tmp_path: Path) -> None:
    assert not book.expect("cuda", "resnet50", 256).is_measured
    found = estimate_pretraining(pretraining(input_size=64), [row(100)], SpeedBook(tmp_path / "none.json"), tmp_path)
    assert "roughly, at a guessed" in found.sentences[1]


def test_a_finetuning_takes_what_labels_and_minutes_allow(book: SpeedBook, tmp_path: Path) -> None:
    few = finetune_config(
        studies="-", labels="-", out="-", device="cpu", backbone="resnet18", input_size=128, epochs=10, minutes=0
    )
    found = estimate_finetuning(few, [row(1000, 400)], 160, book, tmp_path)
    assert found.steps == 10 * 120 // 12  # 120 of 160 positives learned from, 12 of them a batch
    many = finetune_config(
        studies="-", labels="-", out="-", device="cpu", backbone="resnet18", input_size=128, minutes=1.5
    )
    assert estimate_finetuning(many, [row(9000, 6000)], 3000, book, tmp_path).steps == int(90 / 0.24)


def test_a_damaged_book_knows_nothing(tmp_path: Path) -> None:
    (tmp_path / "speeds.json").write_text("[1]", encoding="utf-8")
    assert not SpeedBook(tmp_path / "speeds.json").expect("cpu", "resnet18", 128).is_measured


def test_speeds_are_there_again(book: SpeedBook, tmp_path: Path) -> None:
    assert SpeedBook(tmp_path / "speeds.json").expect("cpu", "resnet18", 128).images_per_second == 100.0
    book.note("cpu", "resnet18", 128, [5.0])  # the first steps alone say nothing
    assert book.expect("cpu", "resnet18", 128).images_per_second == 100.0


def test_two_views_of_each_frame_take_twice_the_time(book: SpeedBook, tmp_path: Path) -> None:
    once = estimate_pretraining(pretraining(sequence_length=1, sequences=72), [row(1000)], book, tmp_path)
    twice = estimate_pretraining(pretraining(method="simclr"), [row(1000)], book, tmp_path)
    assert twice.images == 2 * once.images
    assert twice.seconds - START_SECONDS == pytest.approx(2 * (once.seconds - START_SECONDS))


def test_views_of_parts_are_counted_by_their_pixels_and_epochs_by_the_frames(book: SpeedBook, tmp_path: Path) -> None:
    sizes = {"prior_size": 64, "tile_size": 32, "win_size": 64}
    asked = pretrain_config(
        studies="-", out="-", method="wincon", backbone="resnet18", input_size=128, epochs=10, device="cpu", **sizes
    )
    found = estimate_pretraining(asked, [row(640)], book, tmp_path)
    assert (found.steps, found.images, found.times_seen) == (100, 6400, 10.0)
    pixels = 64**2 + 9 * 32**2 + 64**2
    assert found.seconds - START_SECONDS == pytest.approx(6400 * pixels / 128**2 / 100)


def test_decoded_frames_that_are_kept_need_their_room(book: SpeedBook, tmp_path: Path) -> None:
    none, all_of_them = (
        estimate_pretraining(pretraining(keep_decoded_gb=share), [row(1000)], book, tmp_path) for share in (0, 1)
    )
    assert all_of_them.disk_bytes - none.disk_bytes == 1000 * 128 * 128 * 3


def test_what_a_finished_reading_calls_normal_is_learned_from(book: SpeedBook, tmp_path: Path) -> None:
    config = finetune_config(studies="-", labels="-", out="-", device="cpu")
    read = dataclasses.replace(
        row(5000, 100), study=Study("s", "p", "n", Path("v"), state="finished", seen_frames=4000)
    )
    found = estimate_finetuning(config, [read], 100, book, tmp_path)
    assert found.frames == int((100 + config.max_normal_per_study) * 0.75)
