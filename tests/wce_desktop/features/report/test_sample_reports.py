"""The sample reports of the guide say what the program prints now."""

import io
import json

import pytest
from pypdf import PdfReader

from docs import sample_reports

PAGES = {0: 1, 3: 1, 12: 2}


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("count", sample_reports.COUNTS)
def test_a_sample_report_is_current(count: int) -> None:
    printed = sample_reports.make(count)
    kept = json.loads(sample_reports.CHECKSUMS.read_text(encoding="utf-8"))
    assert sample_reports.checksum(printed) == kept[str(count)], "run python docs/sample_reports.py"
    shipped = (sample_reports.FOLDER / f"report-{count}-findings.pdf").read_bytes()
    for pdf in (printed.pdf, shipped):
        assert len(PdfReader(io.BytesIO(pdf)).pages) == PAGES[count]
