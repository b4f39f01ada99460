"""The logo of reports: made small, and a sentence where its file cannot be used."""

import base64
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage

from wce_desktop.features.report.report_source import read_logo


def picture(path: Path, width: int, height: int) -> str:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("navy"))
    assert image.save(str(path))
    return str(path)


def test_a_logo_is_scaled_down_and_written_anew(tmp_path: Path) -> None:
    logo = read_logo(picture(tmp_path / "logo.jpg", 1800, 400))
    assert logo.problem == ""
    head, _, content = logo.address.partition(",")
    assert head == "data:image/png;base64"
    image = QImage.fromData(base64.b64decode(content))
    assert (image.width(), image.height()) == (900, 200)
    assert read_logo("").address == ""


def test_a_logo_of_200_megabytes_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "logo.png"
    with path.open("wb") as file:
        file.truncate(200 * 10**6)
    logo = read_logo(str(path))
    assert logo.address == ""
    assert "is too large for a logo" in logo.problem
    assert logo.problem.endswith("The report has no logo.")


def test_a_small_file_that_unpacks_to_gigabytes_is_refused(tmp_path: Path) -> None:
    logo = read_logo(picture(tmp_path / "logo.png", 6100, 3))
    assert "6,100 × 3 pixels large" in logo.problem


@pytest.mark.parametrize("content", [b"<svg/>", b"\x89PNG\r\n\x1a\nno picture"])
def test_another_file_is_no_logo(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "logo.png"
    path.write_bytes(content)
    assert "no PNG or JPEG picture" in read_logo(str(path)).problem
    assert read_logo(str(tmp_path / "gone.png")).problem
