"""A report from its content to pages, PDF and HTML; runs in a thread, in small steps, so that the window stays free."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtGui import QImage, QPagedPaintDevice

from training.runs.reporter import Reporter
from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.report.model.content import DISCLAIMER, LARGEST_PX, Report
from wce_desktop.features.report.model.marks import Marks
from wce_desktop.features.report.model.pictures import MISSING, Pictures, PictureStore, with_embedded
from wce_desktop.features.report.model.template import Rendered, render
from wce_desktop.features.report.printing import Pages, as_images, foot_of, with_foot
from wce_desktop.library.evidence.signature import SignedReport

TITLE = to_translate("Capsule endoscopy report")
DRAFT = "partial"
"""Name of the partial result: a preview without the pictures that are still being read."""
DRAFT_PAGES = 2
"""So many are on screen at once."""
SIDES_PX = LARGEST_PX, 150, 130, 120
"""Of a large picture; the largest is taken by which there are as few sheets as by any."""
MOST_FITTED = 6
"""Of more sheets than these one more does not matter, but laying them out again would."""


@dataclass(frozen=True)
class Preview:
    """Pages as pictures, and what must be said beside them (about the template, about pictures), a sentence each."""

    pages: tuple[QImage, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True)
class Printed:
    """A finished report: one HTML page with its pictures inside, and the PDF."""

    html: bytes
    pdf: bytes
    problems: tuple[str, ...]
    is_masked: bool


class Builder:
    """Makes the report of one study; keeps its pictures, and the pages that were drawn last."""

    def __init__(self, store: PictureStore) -> None:
        self._store = store
        self._images: dict[bytes, QImage] = {}
        self._drawn: dict[Hashable, QImage] = {}
        self._heights: dict[int, dict[Hashable, float]] = {}

    def preview(
        self, report: Report, marks: Mapping[int, Marks], own: Path | None, width_px: int, reporter: Reporter
    ) -> Preview:
        """The pages as they would be printed, `width_px` wide; first without the pictures that must still be read."""

        def draw(pictures: Pictures, pages: int | None = None) -> Preview:
            """Draw the first `pages` pages, or all; the others stay white."""
            missing = {frame for frame, jpeg in pictures.jpeg.items() if jpeg == MISSING}
            if pictures.problem and not pictures.jpeg:
                missing = set(report.frames)
            rendered, laid_out = self._laid_out(report, marks, own, pictures, missing, reporter)
            drawn: dict[Hashable, QImage] = {}
            for page in range(laid_out.page_count)[:pages]:
                reporter.check()
                key = (width_px, laid_out.key(page))
                drawn[key] = self._drawn[key] if key in self._drawn else laid_out.picture(page, width_px)
            if pages is None:
                self._drawn = drawn
            white = [laid_out.white(width_px)] * (laid_out.page_count - len(drawn))
            return Preview((*drawn.values(), *white), _problems(rendered.problem, pictures.problem))

        kept = self._store.known(report.frames, marks)
        if len(kept.jpeg) < len(report.frames):
            reporter.partial(DRAFT, {"preview": draw(kept, DRAFT_PAGES)})
        return draw(self._store.load(report.frames, reporter, marks))

    def printed(self, report: Report, marks: Mapping[int, Marks], own: Path | None, reporter: Reporter) -> Printed:
        """The report as HTML and as PDF, with the same pictures in both."""
        rendered, pages, pictures = self._finished(report, marks, own, reporter)
        pdf = pages.pdf()
        reporter.progress(2, 3, "steps", "report")
        html = with_embedded(rendered.html, pictures.jpeg).encode("utf-8")
        return Printed(html, pdf, _problems(rendered.problem, pictures.problem), pictures.is_masked)

    def _finished(
        self, report: Report, marks: Mapping[int, Marks], own: Path | None, reporter: Reporter
    ) -> tuple[Rendered, Pages, Pictures]:
        """The page, its sheets and their pictures, once all of these were read."""
        pictures = self._store.load(report.frames, reporter, marks)
        reporter.progress(1, 3, "steps", "report")
        missing = {frame for frame in report.frames if pictures.jpeg.get(frame, MISSING) == MISSING}
        return *self._laid_out(report, marks, own, pictures, missing, reporter), pictures

    def print_on(
        self,
        device: QPagedPaintDevice,
        report: Report,
        marks: Mapping[int, Marks],
        own: Path | None,
        reporter: Reporter,
    ) -> tuple[str, ...]:
        """Print the report; what must be said beside it."""
        rendered, pages, pictures = self._finished(report, marks, own, reporter)
        pages.print_on(device)
        return _problems(rendered.problem, pictures.problem)

    def version(self, signed: SignedReport, width_px: int, reporter: Reporter) -> Preview:
        """The pages of a signed version from its HTML page, `width_px` wide."""
        pages = version_pages(signed, reporter)
        drawn = []
        for page in range(pages.page_count):
            reporter.check()
            drawn.append(pages.picture(page, width_px))
        return Preview(tuple(drawn), ())

    def _laid_out(
        self,
        report: Report,
        marks: Mapping[int, Marks],
        own: Path | None,
        pictures: Pictures,
        missing: Collection[int],
        reporter: Reporter,
    ) -> tuple[Rendered, Pages]:
        """The page and its sheets, with the largest pictures by which they are so few; a hospital's own has its own."""
        shown, images = self._shown(report, marks, missing), as_images(pictures.jpeg, self._images)

        def with_side(side: int) -> tuple[Rendered, Pages]:
            rendered = render(replace(shown, picture_px=side), own, reporter.check)
            rendered = replace(rendered, html=with_foot(rendered.html, _foot(report)))
            heights = self._heights.setdefault(side, {})
            return rendered, Pages(rendered.html, images, tr(TITLE), reporter.check, heights)

        largest, *smaller = SIDES_PX
        tried = [with_side(largest)]
        if own is None and 1 < tried[0][1].page_count <= MOST_FITTED:
            tried += map(with_side, smaller)
        return min(tried, key=lambda each: each[1].page_count)

    def _shown(self, report: Report, marks: Mapping[int, Marks], missing: Collection[int]) -> Report:
        """The report without pictures that cannot be shown, and without those that look like others."""
        with_boxes = {frame for frame, mark in marks.items() if mark.boxes or mark.shapes}
        return report.collapsed(self._store.are_similar, with_boxes, missing)


def version_pages(signed: SignedReport, reporter: Reporter) -> Pages:
    """The sheets of a signed version as they were; versions of before say nothing of what stands at their feet."""
    html = signed.read(".html").decode("utf-8")
    foot = f"{tr(DISCLAIMER)} · {tr('version {version}', version=signed.version)}"
    return Pages(html if foot_of(html) else with_foot(html, foot), {}, tr(TITLE), reporter.check)


def _problems(*sentences: str) -> tuple[str, ...]:
    return tuple(sentence for sentence in sentences if sentence)


def _foot(report: Report) -> str:
    """What stands at the foot of each page: whose report it is, and whether it is signed."""
    if report.is_anonymous:
        return f"{report.disclaimer} · {tr('version without names')}"
    patient = " · ".join(f"{row.name}: {row.text}" for row in (*report.patient[:2], *report.examination[:1]))
    state = tr("draft, not signed")
    if report.signature:
        state = tr("version {version}", version=report.signature.version)
    if report.amendment:
        replaced = tr(
            "replaces version {version} of {when}", version=report.amendment.version, when=report.amendment.when
        )
        state = f"{state}, {replaced}"
    return f"{patient}\n{report.disclaimer} · {state}"
