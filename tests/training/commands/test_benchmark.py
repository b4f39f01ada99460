"""`benchmark` as a person types it."""

from pathlib import Path

import pytest

from tests.training.experiments.benchmark.small_sets import make_smoke_tiny, write_images
from training.commands.shell import main


def test_it_prints_the_table_and_where_the_page_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_smoke_tiny(monkeypatch)
    folder = write_images(tmp_path / "set")
    where = ["--images", str(folder / "images"), "--labels", str(folder / "labels.csv"), "--out", str(tmp_path / "out")]
    quick = ["--budget", "smoke", "--seeds", "1", "--device", "cpu", "--set", "shares=1.0", "--set", "threads=1"]
    assert main(["benchmark", "--methods", "random, time-triplet", *where, *quick]) == 0
    said = capsys.readouterr().out
    for words in ("| random", "time-triplet: needs video", "finished", "uniformity"):
        assert words in said
    assert (tmp_path / "out" / "report.html").is_file()


def test_a_method_that_there_is_not_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--images", str(tmp_path), "--labels", str(tmp_path / "labels.csv"), "--out", str(tmp_path / "out")]
    assert main(["benchmark", "--methods", "moco", *where]) == 1
    captured = capsys.readouterr()
    assert "there is no method 'moco'" in captured.out + captured.err
