"""What scoring takes, by what earlier jobs took on this computer."""

from pathlib import Path

import pytest

from training.models.config import ModelConfig
from training.planning.needs import peak_bytes, row_bytes, scoring_needs
from training.planning.speed_book import MEASURED, SCALED, SCORE, SpeedBook

MODEL = ModelConfig(backbone="resnet18", classes=("normal", "polyp"), input_size=128)


def test_scoring_takes_a_start_for_each_study_and_time_for_each_frame(tmp_path: Path) -> None:
    book = SpeedBook(tmp_path / "speeds.json")
    book.note_run("cpu", "resnet18", 128, {"forward_per_second": 400.0, "reading_per_second": 90.0, "seconds": 10}, 14)
    scaled = scoring_needs(3, 1800, MODEL, "cpu", book)
    assert scaled.seconds == pytest.approx(3 * 4 + 1800 / 90)
    assert (scaled.doubt, scaled.memory_bytes) == (SCALED, 0)
    book.note_scoring("cpu", "resnet18", 128, 200.0)
    book.note_memory("cpu", "resnet18", 128, SCORE, 1_500_000_000)
    measured = scoring_needs(3, 1800, MODEL, "cpu", SpeedBook(tmp_path / "speeds.json"))
    assert measured.seconds == pytest.approx(3 * 4 + 1800 / 200)
    assert (measured.doubt, measured.memory_bytes) == (MEASURED, 1_500_000_000)
    assert measured.disk_bytes == 1800 * row_bytes(MODEL)


def test_memory_is_no_speed_and_unusable_values_are_left_out(tmp_path: Path) -> None:
    book = SpeedBook(tmp_path / "speeds.json")
    book.note_memory("cpu", "resnet18", 128, 2, 3_000_000_000)
    book.note_memory("cpu", "resnet18", 128, SCORE, None)
    book.note_scoring("cpu", "resnet18", 128, "fast")
    assert book.memory("cpu", "resnet18", 128, 2) == 3_000_000_000
    assert book.memory("cpu", "resnet18", 128, SCORE) == book.memory("cpu", "resnet18", 64, 2) == 0
    assert book.expect("cpu", "resnet18", 128, 2).doubt > SCALED
    assert peak_bytes() >= 0
