"""What a training will take: reckoned by hand beside it."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from training.finetuning.config import PRESETS, finetune_config
from training.planning.speed_book import GUESSED, MEASURED, SCALED, SpeedBook, network_name
from training.pretraining.config import pretrain_config
from training.runs.reporter import SilentReporter
from wce_desktop.core.study import Study
from wce_desktop.features.learning.model.estimate import LabelledCount, estimate_finetuning, estimate_pretraining
from wce_desktop.features.learning.model.library_estimates import estimate_current
from wce_desktop.session.session import Session
from wce_desktop.session.study_choice import StudyRow, study_rows


def row(frames: int, labelled: int = 0) -> StudyRow:
    """A study of so many frames."""
    study = Study("s", "p", "n", Path("v.mp4"), frame_count=frames)
    return StudyRow(study, "p", labelled, labelled, frames, is_there=True)


def other(frames: int, labelled: int) -> StudyRow:
    """A study of another patient."""
    made = row(frames, labelled)
    return dataclasses.replace(made, study=dataclasses.replace(made.study, patient_id="q"))


@pytest.fixture
def book(tmp_path: Path) -> SpeedBook:
    """A computer that trains ResNet-18 at 128 px with 100 images a second."""
    made = SpeedBook(tmp_path / "speeds.json")
    made.note("cpu", "resnet18", 128, [1.0, 1.0, 1.0, 90.0, 100.0, 110.0])
    run = {"forward_per_second": 300.0, "reading_per_second": 50.0, "seconds": 40.0}
    made.note_run("cpu", "resnet18", 128, run, 52)
    return made


def pretraining(**changes: Any) -> Any:
    """A small network on the CPU, with the paper's batch and optimizer."""
    small = {"backbone": "resnet18", "input_size": 128, "steps": 400, "device": "cpu"}
    return pretrain_config(studies="-", out="-", **{**small, **changes})


def test_a_pretraining_is_steps_times_batch_over_speed(book: SpeedBook, tmp_path: Path) -> None:
    found = estimate_pretraining(pretraining(), [row(1000), row(800)], book, tmp_path)
    assert (found.frames, found.steps, found.images) == (1800, 400, 400 * 72)
    assert found.seconds == pytest.approx(400 * 72 / 100 + 12)
    assert found.doubt <= MEASURED
    assert "1,800 frames, 400 steps: each frame is seen 16 times" in found.sentences[0]
    assert found.sentences[1] == "About 5 minutes, by the speed of earlier runs on this computer."


def test_a_network_of_another_library_is_not_imported(
    book: SpeedBook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.models.backbones.importlib.import_module", pytest.fail)
    for name in ("timm:vit_tiny_patch16_224", "resnet50"):
        found = estimate_pretraining(pretraining(backbone=name), [row(1000)], book, tmp_path)
        assert found.disk_bytes > 100 * 2**20


def test_minutes_bound_a_pretraining(book: SpeedBook, tmp_path: Path) -> None:
    whole = estimate_pretraining(pretraining(), [row(1000)], book, tmp_path)
    found = estimate_pretraining(pretraining(minutes=1.0), [row(1000)], book, tmp_path)
    assert found.steps == whole.steps == 400
    assert whole.seconds - found.seconds == pytest.approx(400 * 0.72 - 60)


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
    assert speed.doubt == SCALED
    assert speed.value == pytest.approx(100 * 1.82 / 4.09 / 4)


def test_on_an_unknown_device_it_says_that_it_guesses(book: SpeedBook, tmp_path: Path) -> None:
    assert book.expect("cuda", "resnet50", 256).doubt != MEASURED
    found = estimate_pretraining(pretraining(input_size=64), [row(100)], SpeedBook(tmp_path / "none.json"), tmp_path)
    assert found.doubt == GUESSED
    assert " to " in found.sentences[1]


def finetuning(**changes: Any) -> Any:
    """One stage with a small network on the CPU."""
    small = {"preset": "whole", "backbone": "resnet18", "input_size": 128, "device": "cpu"}
    return finetune_config(studies="-", labels="-", out="-", **{**small, **changes})


def test_a_finetuning_takes_as_many_steps_as_labels_and_settings_say(book: SpeedBook, tmp_path: Path) -> None:
    few, labels = finetuning(epochs=10, minutes=0, batch_size=24), {"polyp": 160, "normal": 240}
    found = estimate_finetuning(few, [row(1000, 400)], labels, book, tmp_path)
    assert found.steps == 10 * 120 // 12  # 120 of 160 positives learned from, 12 of them a batch
    many = {"polyp": 3000, "normal": 3000}
    bounded = estimate_finetuning(finetuning(most_steps=200, batch_size=24), [row(9000, 6000)], many, book, tmp_path)
    assert bounded.steps == 200
    quick = finetuning(most_steps=200, batch_size=24, minutes=0.5)
    limited = estimate_finetuning(quick, [row(9000, 6000)], many, book, tmp_path)
    assert bounded.seconds - limited.seconds == pytest.approx(200 * 0.24 - 30)


def test_a_finetuning_is_the_sum_of_its_parts(book: SpeedBook, tmp_path: Path) -> None:
    settings = {"steps": 50, "batch_size": 24, "evaluations": 4}
    found = estimate_finetuning(finetuning(**settings), [row(1000, 400)], {"polyp": 160}, book, tmp_path)
    start, reading, training = 12, 400 / 50, 50 * 24 / 100
    passes = 4 * 100 + 100 + 300  # of 100 held-out frames four times and at the end; of the others for the refit
    assert found.seconds == pytest.approx(start + reading + training + passes / 300)
    assert found.doubt <= MEASURED
    linear = estimate_finetuning(
        finetuning(**settings, linear_start=True), [row(1000, 200), other(1000, 200)], {"polyp": 160}, book, tmp_path
    )
    assert linear.seconds - found.seconds == pytest.approx(400 / 300), "a linear classifier first"
    compared = estimate_finetuning(
        finetuning(**settings, init="model"), [row(1000, 400)], {"polyp": 160}, book, tmp_path
    )
    assert compared.seconds - found.seconds == pytest.approx(100 / 50 + 100 / 300), "the old model is evaluated, too"


def test_before_anything_was_measured_it_is_a_range(tmp_path: Path) -> None:
    unknown = SpeedBook(tmp_path / "none.json")
    found = estimate_finetuning(finetuning(), [row(1000, 400), other(1000, 400)], {"polyp": 400}, unknown, tmp_path)
    assert found.doubt == GUESSED
    around = dataclasses.replace(found, seconds=300.0)
    assert around.duration == "2.5 to 20 minutes; more exact after the first such run on this computer."


def test_the_model_in_use_is_estimated_with_all_labels(session: Session, book: SpeedBook) -> None:
    session.speeds = book
    found = estimate_current(session, "default", SilentReporter())
    assert found.frames == int(0.75 * sum(row.labelled_frames for row in study_rows(session)))
    assert (found.doubt, found.steps > 0) == (SCALED, True), "another network than the one that was measured"


def test_with_one_patient_the_second_stage_does_not_take_place(book: SpeedBook, tmp_path: Path) -> None:
    config, labels = finetuning(linear_start=True, trained_layers=2), {"polyp": 160}
    alone = estimate_finetuning(config, [row(1000, 200), row(1000, 200)], labels, book, tmp_path)
    assert alone.steps == 0
    assert alone.seconds == pytest.approx(12 + 400 / 50 + 400 / 300)
    assert "only a linear classifier is trained" in alone.sentences[0]
    assert estimate_finetuning(config, [row(1000, 200), other(1000, 200)], labels, book, tmp_path).steps > 0


def test_partly_frozen_layers_have_a_speed_of_their_own(book: SpeedBook) -> None:
    scaled = book.expect("cpu", "resnet18", 128, layers=2)
    assert scaled.doubt == SCALED
    assert scaled.value > 100
    book.note("cpu", "resnet18", 128, [1.0, 1.0, 1.0, 150.0], layers=2)
    assert book.expect("cpu", "resnet18", 128, layers=2).value == 150.0
    assert book.expect("cpu", "resnet18", 128).value == 100.0


def test_a_run_that_says_nothing_of_its_speed_changes_nothing(book: SpeedBook) -> None:
    before = (book.reading, book.start, book.forward("cpu", "resnet18", 128))
    book.note_run("cpu", "resnet18", 128, {"seconds": "?", "reading_per_second": None}, 5.0)
    assert (book.reading, book.start, book.forward("cpu", "resnet18", 128)) == before


def test_a_damaged_book_knows_nothing(tmp_path: Path) -> None:
    (tmp_path / "speeds.json").write_text("[1]", encoding="utf-8")
    assert SpeedBook(tmp_path / "speeds.json").expect("cpu", "resnet18", 128).doubt != MEASURED


def test_speeds_are_there_again(book: SpeedBook, tmp_path: Path) -> None:
    assert SpeedBook(tmp_path / "speeds.json").expect("cpu", "resnet18", 128).value == 100.0
    book.note("cpu", "resnet18", 128, [5.0])  # the first steps alone say nothing
    assert book.expect("cpu", "resnet18", 128).value == 100.0


def test_two_views_of_each_frame_take_twice_the_time(book: SpeedBook, tmp_path: Path) -> None:
    once = estimate_pretraining(pretraining(sequence_length=1, sequences=72), [row(1000)], book, tmp_path)
    twice = estimate_pretraining(pretraining(method="simclr"), [row(1000)], book, tmp_path)
    assert twice.images == 2 * once.images
    assert twice.seconds - 12 == pytest.approx(2 * (once.seconds - 12))


def test_views_of_parts_are_counted_by_their_pixels_and_epochs_by_the_frames(book: SpeedBook, tmp_path: Path) -> None:
    sizes = {"prior_size": 64, "tile_size": 32, "win_size": 64}
    asked = pretrain_config(
        studies="-", out="-", method="wincon", backbone="resnet18", input_size=128, epochs=10, device="cpu", **sizes
    )
    found = estimate_pretraining(asked, [row(640)], book, tmp_path)
    assert (found.steps, found.images, found.times_seen) == (100, 6400, 10.0)
    pixels = 64**2 + 9 * 32**2 + 64**2
    assert found.seconds - 12 == pytest.approx(6400 * pixels / 128**2 / 100)


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
    found = estimate_finetuning(config, [read], {"polyp": 100}, book, tmp_path)
    assert found.frames == int((100 + config.max_normal_per_study) * 0.75)


@pytest.mark.parametrize("method", ["videomae", "colo-scrl"])
def test_a_pretraining_of_clips_is_reckoned_by_its_own_encoder(book: SpeedBook, tmp_path: Path, method: str) -> None:
    config = pretrain_config(studies="-", out="-", method=method, preset="small", device="cpu")
    views = config.method_class.views
    guessed = estimate_pretraining(config, [row(1000)], book, tmp_path)
    assert (guessed.steps, guessed.images) == (400, 400 * 16 * 8 * views)
    assert guessed.doubt > MEASURED
    blocks = 12 * 4 * 128**2 * 4  # bytes of the encoder, about
    assert 10 * blocks < guessed.disk_bytes < 40 * blocks * views
    name = network_name(config.model_dump())
    book.note("cpu", name, config.input_size, [1.0, 1.0, 1.0, 500.0, 500.0])
    measured = estimate_pretraining(config, [row(1000)], book, tmp_path)
    assert measured.doubt <= MEASURED
    assert measured.seconds == pytest.approx(400 * 16 * 8 * views / 500 + 12)
    other_sizes = config.model_copy(update={"blocks": 5})
    assert estimate_pretraining(other_sizes, [row(1000)], book, tmp_path).doubt > MEASURED


@pytest.mark.parametrize("method", ["tl-ba", "tl-bh", "cross-entropy"])
@pytest.mark.parametrize("preset", sorted(PRESETS))
@pytest.mark.parametrize("layers", range(5))
def test_every_fine_tuning_has_an_estimate(tmp_path: Path, method: str, preset: str, layers: int) -> None:
    config = finetune_config(
        **{**PRESETS[preset], "trained_layers": layers}, method=method, studies="-", labels="-", out="-", device="cpu"
    )
    empty = SpeedBook(tmp_path / "none.json")
    estimate = estimate_finetuning(config, [row(1000, 400)], {"polyp": 160, "normal": 240}, empty, tmp_path)
    assert estimate.seconds > 0
    assert estimate.duration


DAMAGED_BOOKS = {
    "empty": b"",
    "binary": b"\xff\xfe\x00",
    "null": b"null",
    "list": b"[1]",
    "nan": b'{"reading": NaN, "cpu resnet18 128": NaN}',
    "infinite": b'{"reading": 1e999, "cpu resnet18 128 forward": Infinity}',
    "negative": b'{"reading": -1, "start_seconds": -5}',
    "nearly nothing": b'{"reading": 5e-324, "cpu resnet18 128": 5e-324, "cpu resnet18 128 forward": 5e-324}',
    "years": b'{"start_seconds": 9e8}',
    "words": b'{"reading": "fast", "cpu resnet18 128": [1], "start_seconds": {}, "cpu resnet18 128 forward": true}',
    "newer": b'{"cpu resnet18 128 last9": 4, "cpu resnet18 128 last-1": 4, "tpu x y z": 3, "version": 7}',
    "digits": b'{"cpu resnet18 000001' + b"0" * 5000 + b'": 3}',
    "many digits": b'{"cpu resnet18 000001' + b"0" * 400 + b'": 3}',
    "deep": b"[" * 5000,
}


@pytest.mark.parametrize("name", DAMAGED_BOOKS)
@pytest.mark.parametrize("preset", ["linear", "default", "live"])
def test_whatever_the_book_holds_there_is_an_estimate(tmp_path: Path, name: str, preset: str) -> None:
    (tmp_path / "speeds.json").write_bytes(DAMAGED_BOOKS[name])
    book = SpeedBook(tmp_path / "speeds.json")
    config = finetuning(preset=preset)
    found = estimate_finetuning(config, [row(1000, 400), other(1000, 400)], {"polyp": 400}, book, tmp_path)
    assert 5 < found.seconds < 86_400
    assert "nan" not in found.time
    book.note("cpu", "resnet18", 128, [1.0, 1.0, 1.0, 60.0])
    assert SpeedBook(tmp_path / "speeds.json").expect("cpu", "resnet18", 128).value == 60.0


def test_one_damaged_speed_does_not_spoil_the_others(tmp_path: Path) -> None:
    (tmp_path / "speeds.json").write_text('{"reading": NaN, "cpu resnet18 128": 50, "start_seconds": "?"}')
    book = SpeedBook(tmp_path / "speeds.json")
    assert book.expect("cpu", "resnet18", 128).value == 50
    assert book.reading.doubt != MEASURED


@pytest.mark.parametrize("layers", [-1, 5, 9, None, "x", 2.0, True, [2]])
def test_trained_layers_of_another_version_count_as_all(book: SpeedBook, layers: object) -> None:
    assert book.expect("cpu", "resnet18", 128, layers) == book.expect("cpu", "resnet18", 128)
    book.note("cpu", "resnet18", 128, [1.0, 1.0, 1.0, 70.0], layers)
    assert book.expect("cpu", "resnet18", 128).value == 70.0


@pytest.mark.parametrize("rates", [["?"] * 5, [None] * 5, [float("nan")] * 5, [float("inf")] * 5, [1e-9] * 5])
def test_rates_that_are_no_speeds_are_not_kept(book: SpeedBook, tmp_path: Path, rates: list[object]) -> None:
    book.note("cpu", "resnet18", 128, rates)
    book.note_run("cpu", "resnet18", 128, {"forward_per_second": rates[0], "reading_per_second": rates[1]}, 5.0)
    assert book.expect("cpu", "resnet18", 128).value == 100.0
    assert book.reading.value == 50.0
    assert SpeedBook(tmp_path / "speeds.json").forward("cpu", "resnet18", 128).value == 300.0


@pytest.mark.parametrize("where", ["folder", "nowhere"])
def test_a_book_that_cannot_be_written_is_kept_in_memory(tmp_path: Path, where: str) -> None:
    path = tmp_path if where == "folder" else tmp_path / "none" / "speeds.json"
    book = SpeedBook(path)
    book.note("cpu", "resnet18", 128, [1.0, 1.0, 1.0, 60.0])
    assert book.expect("cpu", "resnet18", 128).value == 60.0


def test_a_classifier_is_estimated_by_the_frames_that_are_not_scored(book: SpeedBook, tmp_path: Path) -> None:
    config, rows = finetuning(preset="linear"), [row(1000, 200), other(1000, 200)]
    labels = {"polyp": 160, "normal": 240}
    some = estimate_finetuning(config, rows, labels, book, tmp_path, LabelledCount(400, 300))
    assert some.seconds == pytest.approx(12 + 300 / 50 + 300 / 300)
    assert some.time.startswith("The model has not scored 300 of 400 frames yet; they are computed first. About 20 sec")
    none = estimate_finetuning(config, rows, labels, book, tmp_path, LabelledCount(400, 0))
    assert none.time == "A few seconds: the model has scored these studies (400 frames)."
