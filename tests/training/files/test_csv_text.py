"""CSV cells that a spreadsheet would run are written as text, and our own readers get the same text back."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.datasets.findings import FindingRow, read_findings, write_findings
from training.datasets.labels import LabelRow, read_labels, write_labels
from training.files.csv_text import CsvWriter, guarded, read_dicts, read_lists, unguarded, write_csv
from training.runs.folder import CsvLog

TEXTS = st.one_of(
    st.text(),
    st.builds("".join, st.tuples(st.sampled_from(["", "'", "''", " ", "\t", "\r"]), st.sampled_from("=+-@\t\r\n'"))),
    st.text(alphabet="='+-@\t\r\n 1.e", max_size=6),
)
RUN_BY_SPREADSHEETS = "=+-@\t\r\n"
LINK = '=HYPERLINK("http://x","y")'


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", " =1", "- 1"])
def test_a_text_that_would_be_run_is_guarded(text: str) -> None:
    assert guarded(text) == f"'{text}"


@pytest.mark.parametrize("value", [-1, -0.5, 3, None, True, "-1.5", "+3", "-1e-05", "-", "polyp", "'quoted'", ""])
def test_numbers_and_plain_text_stay_as_they_are(value: object) -> None:
    assert guarded(value) == value


@given(TEXTS)
def test_every_text_comes_back(text: str) -> None:
    written = guarded(text)
    assert unguarded(written) == text
    is_number = not written.startswith("'") and written[:1] in "+-" and written[1:2].isascii()
    assert written[:1] not in RUN_BY_SPREADSHEETS or written == "" or is_number


@given(st.lists(st.lists(TEXTS, min_size=2, max_size=2).filter(lambda row: any(row)), min_size=1, max_size=4))
def test_every_table_comes_back(rows: list[list[str]]) -> None:
    file = io.StringIO(newline="")
    CsvWriter(file).writerows(rows)
    assert list(read_lists(io.StringIO(file.getvalue(), newline=""))) == rows


def test_names_of_columns_are_texts_too() -> None:
    file = io.StringIO(newline="")
    CsvWriter(file).writerows([["step", "@auc"], [1, -0.5]])
    assert file.getvalue().splitlines()[0] == "step,'@auc"
    assert list(read_dicts(io.StringIO(file.getvalue()))) == [{"step": "1", "@auc": "-0.5"}]


def test_labels_and_findings_come_back(tmp_path: Path) -> None:
    labels = [LabelRow(study_id="S1", start=0, stop=5, label=LINK, finding_id="@f", source="reader")]
    findings = [FindingRow(finding_id="@f", study_id="-S1", kind="=cmd", size_mm=3.5, morphology="+sessile")]
    write_labels(tmp_path / "labels.csv", labels)
    write_findings(tmp_path / "findings.csv", findings)
    assert read_labels(tmp_path / "labels.csv") == labels
    assert read_findings(tmp_path / "findings.csv") == findings
    for file in ("labels.csv", "findings.csv"):
        with (tmp_path / file).open(newline="", encoding="utf-8") as lines:
            assert not [cell for row in csv.reader(lines) for cell in row if cell[:1] in tuple("=+-@")]


def test_report_tables_and_training_logs_are_guarded(tmp_path: Path) -> None:
    write_csv(tmp_path / "classes.csv", ("class", "auc"), [["=1+1", -0.25]])
    assert (tmp_path / "classes.csv").read_text(encoding="utf-8").splitlines() == ["class,auc", "'=1+1,-0.25"]
    log = CsvLog(tmp_path / "held_out.csv", ("step", "class", "auc"))
    log.append([(1, "=1+1", -0.25)])
    log.close()
    again = CsvLog(tmp_path / "held_out.csv", ("step", "class", "auc"), keep_until_step=1)
    again.close()
    lines = (tmp_path / "held_out.csv").read_text(encoding="utf-8").splitlines()
    assert lines == ["step,class,auc", "1,'=1+1,-0.25"]
