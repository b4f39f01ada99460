import csv
from pathlib import Path

import pytest

from training.errors import UserError
from training.runs import folder
from training.runs.folder import CsvLog


def test_rows_after_a_step_are_dropped_and_columns_keep_their_names(tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    log = CsvLog(path, ["step", "loss"])
    log.append([[1, 0.5], [2, 0.4], [3, 0.3]])
    log.close()

    log = CsvLog(path, ["step", "rate", "loss"], keep_until_step=2)
    log.append([[3, 0.1, 0.2]])
    log.close()

    assert path.read_text().splitlines() == ["step,rate,loss", "1,,0.5", "2,,0.4", "3,0.1,0.2"]


def test_a_table_that_is_too_large_or_no_csv_is_refused_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "metrics.csv"
    monkeypatch.setattr(folder, "MAX_LOG_BYTES", 20)
    path.write_text(large := "step,loss\n" + "1,0.5\n" * 5)
    with pytest.raises(UserError, match="too large"):
        CsvLog(path, ["step", "loss"])
    assert path.read_text() == large

    monkeypatch.setattr(folder, "MAX_LOG_BYTES", 10**6)
    path.write_text("step\n" + "1" * (csv.field_size_limit() + 1))
    with pytest.raises(UserError, match="not a table of a run"):
        CsvLog(path, ["step", "loss"])
