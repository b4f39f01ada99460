"""Tables as programs and spreadsheets of any country write them."""

from pathlib import Path

import pytest

from training.datasets.findings import read_boxes, read_findings
from training.datasets.labels import LabelRow, read_labels
from training.errors import UserError
from training.files.delimited import read_table

LABEL = LabelRow(study_id="A", start=1, stop=2, label="polyp")
COLUMNS = "study_id,start,stop,label\nA,1,2,polyp\n"
BOXES = "study_id;frame_index;x_min;y_min;x_max;y_max;label\n"


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (COLUMNS.encode(), []),
        (COLUMNS.encode("utf-8-sig"), []),
        (COLUMNS.replace(",", ";").encode(), ["with semicolons between columns"]),
        (COLUMNS.replace(",", "\t").encode(), ["with tabs between columns"]),
        (b"sep=;\r\n" + COLUMNS.replace(",", ";").encode(), ["with semicolons between columns"]),
        (COLUMNS.encode("utf-16"), ["as UTF-16 text"]),
        (COLUMNS.encode("utf-16-le"), ["as UTF-16 text"]),
        (COLUMNS.encode("utf-16-be"), ["as UTF-16 text"]),
        (COLUMNS.replace("\n", "\r\n").encode(), []),
        (COLUMNS.replace("\n", "\r").encode(), []),
        ((COLUMNS + ",,,\n , ,,\n").encode(), []),
        (b'"study_id";"start";"stop";"label"\n"A";"1";"2";"polyp"\n', ["with semicolons between columns"]),
        ((COLUMNS + "A,1,2,gr\u00f6\u00dfer\n").encode("cp1252"), ["as Windows-1252 text"]),
    ],
)
def test_what_was_detected_is_said(tmp_path: Path, content: bytes, said: list[str]) -> None:
    notes: list[str] = []
    rows = read_labels(written(tmp_path / "labels.csv", content), notes)
    assert rows[0] == LABEL
    assert [row.label for row in rows[1:]] in ([], ["größer"])
    assert notes == [f"labels.csv was read {', '.join(said)}." for _ in said[:1]]


def test_decimal_commas_are_read_in_columns_of_numbers(tmp_path: Path) -> None:
    notes: list[str] = []
    text = f"{BOXES}A;5;10,5;0,25;1,125;30;polyp, large\n"
    (box,) = read_boxes(written(tmp_path / "b.csv", text.replace("10,5", "0,5")), notes)
    assert (box.x_min, box.y_min, box.x_max, box.y_max, box.label) == (0.5, 0.25, 1.125, 30, "polyp, large")
    assert notes == ["b.csv was read with semicolons between columns, with commas in decimal numbers."]
    (finding,) = read_findings(
        written(tmp_path / "f.csv", "finding_id;study_id;kind;size_mm;comment\nf;A;polyp;6,5;1,5\n")
    )
    assert (finding.size_mm, finding.comment) == (6.5, "1,5")


@pytest.mark.parametrize(
    ("row", "number"),
    [
        ("A;5;1,234;2;9,000;30;polyp", "1,234"),
        ("A;5;10.5;2,5;40;30;polyp", "10.5"),
        ("A;1.000;1;2;3;4;polyp", "1.000"),
        ("A;1,000;1;2;3;4;polyp", "1,000"),
    ],
)
def test_a_number_that_may_be_read_as_two_is_refused(tmp_path: Path, row: str, number: str) -> None:
    with pytest.raises(UserError, match=rf"line 2: the number “{number}” in the column \w+ may mean"):
        read_boxes(written(tmp_path / "b.csv", f"{BOXES}{row}\n"))


def test_a_quoted_cell_may_have_several_lines(tmp_path: Path) -> None:
    table = read_table(written(tmp_path / "t.csv", 'a;b\n1;"x\ny; z"\n\n2;3\n'), ("a", "b"))
    assert table.rows == [(3, ["1", "x\ny; z"]), (5, ["2", "3"])]
