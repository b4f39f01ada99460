"""Pages from a report: the same in preview and PDF, sections not torn apart, pages drawn once."""

import io
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pypdf import PdfReader
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.report.reports import make_report
from wce_desktop.features.report.building import Builder, Preview
from wce_desktop.features.report.model.content import Picture, Report, Row
from wce_desktop.features.report.model.pictures import Pictures, PictureStore, encode_jpeg
from wce_desktop.features.report.model.sections import sections
from wce_desktop.features.report.printing import PageDocument, Pages, foot_of, with_foot


class Store(PictureStore):
    """Pictures of one colour, without a video."""

    def __init__(self) -> None:
        self.loaded: dict[int, bytes] = {}

    def are_similar(self, frame: int, other: int) -> bool:
        return frame == other

    def known(self, frames: Any, marks: Any = None) -> Pictures:
        return Pictures({frame: self.loaded[frame] for frame in frames if frame in self.loaded})

    def load(self, frames: Any, reporter: Any, marks: Any = None) -> Pictures:
        for frame in frames:
            self.loaded[frame] = encode_jpeg(np.full((64, 64, 3), (200, 30, 30), np.uint8))
        return self.known(frames)


class Heard:
    """A reporter that keeps partial results."""

    stop_requested = False

    def __init__(self) -> None:
        self.previews: list[Preview] = []

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        self.previews.append(payload["preview"])

    def check(self) -> None: ...
    def progress(self, done: int, total: int, unit: str, what: str) -> None: ...
    def log(self, line: str) -> None: ...


def long_report(findings: int) -> Report:
    report = make_report()
    one = report.findings[0]
    return replace(report, findings=tuple(replace(one, number=number + 1) for number in range(findings)))


def reds(image: QImage) -> int:
    """How many pixels are as red as the pictures."""
    kept = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(kept.constBits(), np.uint8).reshape(kept.height(), kept.bytesPerLine())
    pixels = rows[:, : kept.width() * 3].reshape(kept.height(), kept.width(), 3).astype(int)
    return int(((pixels[:, :, 0] > 150) & (pixels[:, :, 1] < 80)).sum())


def pages_of(pdf: bytes) -> list[str]:
    """The words of each page; Qt writes some spaces as tabs, and ligatures."""
    pages = (page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)
    return [unicodedata.normalize("NFKC", " ".join(text.split())) for text in pages]


@pytest.mark.usefixtures("qapp")
def test_the_first_pages_come_before_the_pictures() -> None:
    heard, builder = Heard(), Builder(Store())
    made = builder.preview(long_report(24), {}, None, 400, heard)
    (draft,) = heard.previews
    assert len(draft.pages) == len(made.pages) > 2
    assert reds(draft.pages[0]) == 0
    assert sum(map(reds, made.pages)) > 24 * 1000
    assert draft.pages[0].width() == 400


@pytest.mark.usefixtures("qapp")
def test_a_page_that_did_not_change_is_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    builder, heard = Builder(Store()), Heard()
    report = long_report(12)
    first = builder.preview(report, {}, None, 300, heard)
    drawn: list[int] = []
    picture = Pages.picture

    def counted(self: Pages, page: int, width_px: int) -> QImage:
        drawn.append(page)
        return picture(self, page, width_px)

    monkeypatch.setattr(Pages, "picture", counted)
    builder.preview(report, {}, None, 300, heard)
    assert drawn == []
    builder.preview(replace(report, summary="Another summary"), {}, None, 300, heard)
    assert drawn == [len(first.pages) - 1]
    assert len(heard.previews) == 1, "no draft where all pictures are known"
    assert len(first.pages) > 1


@pytest.mark.usefixtures("qapp")
def test_preview_and_pdf_have_the_same_pages_and_no_finding_is_torn_apart() -> None:
    builder, heard = Builder(Store()), Heard()
    report = long_report(9)
    made, printed = builder.preview(report, {}, None, 300, heard), builder.printed(report, {}, None, heard)
    texts = pages_of(printed.pdf)
    assert len(made.pages) == len(texts)
    for number in range(1, 10):
        (page,) = [text for text in texts if f" {number}. Polyp" in f" {text}"]
        assert page.count("Frame 12, 0:00:12") == page.count(". Polyp")
    assert all(f"{at + 1} / {len(texts)}" in text for at, text in enumerate(texts))
    assert all("draft, not signed" in text for text in texts)


@pytest.mark.usefixtures("qapp")
def test_a_text_longer_than_a_page_goes_on_on_the_next_one() -> None:
    report = replace(make_report(), summary="\n".join(f"line{number:03d}" for number in range(150)))
    texts = pages_of(Builder(Store()).printed(report, {}, None, Heard()).pdf)
    words = " ".join(texts).split()
    assert [word for word in words if word.startswith("line")] == [f"line{number:03d}" for number in range(150)]
    assert len(texts) >= 3


def test_a_page_loads_nothing_but_its_pictures(qtbot: QtBot, tmp_path: Any) -> None:
    path = tmp_path / "x.png"
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    image.save(str(path))
    document = PageDocument({"picture:3": image})
    assert document.loadResource(2, "picture:3").width() == 8  # type: ignore[attr-defined]
    for other in (str(path), path.as_uri(), "http://localhost/x.png", "picture:4", "data:image/png;base64,!!"):
        assert document.loadResource(2, other).isNull()  # type: ignore[attr-defined]


@pytest.mark.usefixtures("qapp")
def test_key_frames_that_look_the_same_are_left_out_and_counted() -> None:
    report = make_report()
    pictures = tuple(Picture(frame, f"Frame {frame}") for frame in (3, 3, 5, 6, 7, 8, 9))
    finding = replace(report.findings[0], pictures=pictures, more_frames=1)
    (shown,) = replace(report, findings=(finding,)).collapsed(lambda frame, other: frame == other).findings
    assert [one.frame_index for one in shown.pictures] == [3, 5, 6, 7]
    said = {row.name: row.text for row in shown.rows}
    assert said["More key frames"] == "3 not shown"
    assert said["Similar key frames"] == "1 left out: near-identical to a picture that is shown"
    assert report.collapsed(lambda *_: False) == report
    (boxed,) = replace(report, findings=(finding,)).collapsed(lambda *_: True, {6}).findings
    assert [one.frame_index for one in boxed.pictures] == [3, 6], "a picture with a box stays"


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(("findings", "pages"), [(0, 1), (3, 1), (10, 2)])
def test_patient_and_number_stand_on_few_pages(findings: int, pages: int) -> None:
    printed = Builder(Store()).printed(long_report(findings), {}, None, Heard())
    texts = pages_of(printed.pdf)
    assert len(texts) == pages
    for number, text in enumerate(texts, start=1):
        assert "Name or number: H-1 Meier" in text
        assert f"{number} / {pages}" in text
    assert "This is a draft." in texts[-1]
    assert "Recommendation" in texts[-1], "what says who signs is never alone on a page"


@pytest.mark.usefixtures("qapp")
def test_a_report_of_nobody_without_landmarks_says_so() -> None:
    report = replace(make_report(), patient=(Row("Name or number", "not entered"),), transit=(), landmarks=())
    (text,) = pages_of(Builder(Store()).printed(report, {}, None, Heard()).pdf)
    assert text.count("Name or number: not entered") == 1, "at the foot"
    assert "No landmarks were marked." in text


@pytest.mark.usefixtures("qapp")
def test_a_printed_page_says_its_foot_and_older_ones_are_laid_out_as_before() -> None:
    page = "<html><head></head><body><h2>a</h2><p>b</p><div>c</div></body></html>"
    assert foot_of(page) == ""
    assert foot_of(with_foot(page, "Meier\n“1” & <2>")) == "Meier\n“1” & <2>"
    assert len(sections(page)) == 1
    assert len(sections(page.replace("<div>", '<div class="sheet-end">'))) == 2
    old, new = (Pages(each + "<h2>d</h2>", {}, "") for each in (page, page.replace("<div>", '<div class="sheet-end">')))
    assert old.page_count == new.page_count == 1
