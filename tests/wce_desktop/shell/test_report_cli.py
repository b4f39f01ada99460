"""`wce-desktop export --format dicom|fhir` as somebody at a shell meets it."""

from pathlib import Path

import pytest

from tests.wce_desktop.library.exchange.clinical.reports import add_findings, round_study
from wce_desktop.library import Library
from wce_desktop.library.exchange.clinical.structured_report import read_report
from wce_desktop.shell.exchange_cli import main


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A library with a study and its findings."""
    with Library.open(tmp_path / "library", "reader") as library:
        add_findings(library, round_study(library, tmp_path).study_id)
    return tmp_path / "library"


def test_reports_are_written_and_said(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["export", "--library", str(folder), "--format", "dicom", str(out)]) == 0
    assert capsys.readouterr().out == f"1 report with 2 findings and 3 key frames written to {out}.\n"
    assert len(read_report(out / "s-01-report.dcm")[1]) == 2
    assert main(["export", "--library", str(folder), "--format", "fhir", "--comments", str(out)]) == 0
    assert "comments are included" in capsys.readouterr().out


def test_a_foreign_file_stays(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "s-01-report.fhir.json").write_text("mine")
    assert main(["export", "--library", str(folder), "--format", "fhir", str(out)]) == 1
    assert "--overwrite" in capsys.readouterr().err
    assert (out / "s-01-report.fhir.json").read_text() == "mine"
    assert main(["export", "--library", str(folder), "--format", "fhir", "--overwrite", str(out)]) == 0
