"""Pages from HTML by Qt: as pictures for the preview and as PDF, from one layout. Safe in any thread."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from html import escape, unescape

from PySide6 import QtGui
from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QObject, QRectF, QSizeF, Qt, QUrl

from wce_desktop.features.report.model.cleaning import picture_format
from wce_desktop.features.report.model.sections import END, sections
from wce_desktop.widgets.plain_text import set_page

RESOLUTION_DPI = 300
MARGIN_MM = 16.0
FOOT_MM = 8.0
"""Room for the line at the foot of each page."""
MM_PER_INCH = 25.4
FOOT_POINTS = 8
HEADING_MM = 12.0
"""A lower section is a heading alone: it stays with the next one."""
GAP_MM, BLOCK_GAP_MM = 4.0, 2.0
"""Between two sections, and between those of a page with blocks; see `sections`."""
_NAMES = re.compile(r'"(picture:\d+)"')
INK, FAINT_INK = "#111111", "#555555"
FONTS = ("DejaVu Sans", "Segoe UI", "Helvetica Neue", "Arial")
"""The first one that the system has."""


class PageDocument(QtGui.QTextDocument):
    """A document that shows the pictures it was given and loads nothing else, neither files nor addresses."""

    def __init__(self, pictures: Mapping[str, QtGui.QImage], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pictures = pictures

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """A picture by its name, or one that the page itself holds; an empty one for anything else."""
        address = name.toString() if isinstance(name, QUrl) else name
        return self._pictures.get(address) or _inline(address)


def _inline(address: str) -> QtGui.QImage:
    """The picture in a `data:image/…;base64,` address; an empty one for anything else."""
    head, _, coded = address.partition(",")
    if not head.startswith("data:image/") or not head.endswith(";base64"):
        return QtGui.QImage()
    try:
        return _decoded(base64.b64decode(coded))
    except (binascii.Error, ValueError):
        return QtGui.QImage()


def _decoded(content: bytes) -> QtGui.QImage:
    """A PNG or JPEG picture; an empty one for anything else. Qt is not left to guess: SVG would load files."""
    image, kind = QtGui.QImage(), picture_format(content)
    if kind:
        image.loadFromData(content, kind)
    return image


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a section on a page.

    Attributes:
        top: on the page, in dots below the margin.
        skipped: dots of the section that earlier pages show.
    """

    section: int
    top: float
    skipped: float
    height: float


class Pages:
    """A report on sheets of A4."""

    def __init__(
        self,
        html: str,
        pictures: Mapping[int, QtGui.QImage],
        title: str,
        check: Callable[[], None] | None = None,
        heights: dict[Hashable, float] | None = None,
    ) -> None:
        """Arrange a report; only sections whose height is not known are laid out before they are painted.

        Args:
            html: with pictures named `picture:<frame>`; see `with_foot`.
            pictures: frame index -> picture.
            title: of the PDF, without names.
            check: raises where nobody waits for it any more.
            heights: of sections that were laid out before; those of this report take their place.
        """
        self._buffer = QBuffer()
        self._buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        self._foot = foot_of(html)
        self._writer = QtGui.QPdfWriter(self._buffer)
        self._writer.setResolution(RESOLUTION_DPI)
        self._writer.setPageSize(QtGui.QPageSize(QtGui.QPageSize.PageSizeId.A4))
        self._writer.setPageMargins(QMarginsF(0, 0, 0, 0), QtGui.QPageLayout.Unit.Millimeter)
        self._writer.setTitle(title)
        self._writer.setCreator("wce_desktop")
        self._paper = QSizeF(self._writer.width(), self._writer.height())
        margin, foot_height = _dots(MARGIN_MM), _dots(FOOT_MM)
        self._inner = QRectF(
            margin, margin, self._paper.width() - 2 * margin, self._paper.height() - 2 * margin - foot_height
        )
        self._html = sections(html)
        self._gap = _dots(GAP_MM if f'class="{END}"' not in html else BLOCK_GAP_MM)
        self._shown = {f"picture:{frame}": picture for frame, picture in pictures.items()}
        self._laid_out: dict[int, PageDocument] = {}
        kept, measured = heights if heights is not None else {}, dict[Hashable, float]()
        self._heights: list[float] = []
        for number, each in enumerate(self._html):
            if check is not None:
                check()
            key = each, self._held(each)
            if key not in measured:
                measured[key] = kept[key] if key in kept else self._section(number).size().height()
            self._heights.append(measured[key])
        kept.clear()
        kept.update(measured)
        self._pages = self._arrange()

    @property
    def page_count(self) -> int:
        """How many sheets there are; at least one."""
        return len(self._pages)

    def key(self, page: int) -> Hashable:
        """The same for two pages that look the same, with the same pictures."""
        pieces = self._pages[page]
        shown = tuple((self._html[piece.section], self._held(self._html[piece.section]), piece) for piece in pieces)
        return self._foot, page, self.page_count, shown

    def white(self, width_px: int) -> QtGui.QImage:
        """A page with nothing on it, `width_px` wide."""
        height = round(self._paper.height() * width_px / self._paper.width())
        image = QtGui.QImage(width_px, height, QtGui.QImage.Format.Format_RGB32)
        image.fill(QtGui.QColor("white"))
        return image

    def picture(self, page: int, width_px: int) -> QtGui.QImage:
        """One page, `width_px` wide, on white."""
        scale = width_px / self._paper.width()
        image = self.white(width_px)
        painter = QtGui.QPainter(image)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QtGui.QPainter.RenderHint.SmoothPixmapTransform)
        painter.scale(scale, scale)
        self._paint(painter, page)
        painter.end()
        return image

    def pdf(self) -> bytes:
        """All pages as one PDF; once."""
        self.print_on(self._writer)
        return bytes(self._buffer.data().data())

    def print_on(self, device: QtGui.QPagedPaintDevice) -> None:
        """All pages on sheets of any size, as large as they fit."""
        painter = QtGui.QPainter(device)
        scale = min(device.width() / self._paper.width(), device.height() / self._paper.height())
        for page in range(self.page_count):
            if page:
                device.newPage()
            painter.save()
            painter.scale(scale, scale)
            self._paint(painter, page)
            painter.restore()
        painter.end()

    def _held(self, html: str) -> Hashable:
        """Which pictures a section shows."""
        names = sorted(name for name in _NAMES.findall(html) if name in self._shown)
        return tuple((name, self._shown[name].cacheKey()) for name in names)

    def _section(self, number: int) -> PageDocument:
        if number in self._laid_out:
            return self._laid_out[number]
        document = self._laid_out[number] = PageDocument(self._shown)
        document.setUndoRedoEnabled(False)
        document.documentLayout().setPaintDevice(self._writer)
        document.setDocumentMargin(0)
        document.setDefaultFont(QtGui.QFont(FONTS, 10))
        set_page(document, self._html[number])
        document.setTextWidth(self._inner.width())
        if document.size().height() > self._inner.height():
            document.setPageSize(self._inner.size())  # it is cut between its lines
            document.pageCount()
        return document

    def _arrange(self) -> list[list[Piece]]:
        """Put the sections below each other; one that does not fit on a page any more begins the next."""
        heights = self._heights
        room = self._inner.height()
        pages: list[list[Piece]] = [[]]
        at = 0.0
        for number, height in enumerate(heights):
            stays = height < _dots(HEADING_MM) or f'<div class="{END}">' in "".join(self._html[number + 1 : number + 2])
            following = heights[number + 1] if number + 1 < len(heights) and stays else 0.0
            at += self._gap if at else 0.0
            if at and at + height + min(following, room - height) > room:
                pages.append([])
                at = 0.0
            skipped = 0.0
            while height - skipped > room:
                pages[-1].append(Piece(number, 0.0, skipped, room))
                pages.append([])
                skipped += room
            pages[-1].append(Piece(number, at, skipped, height - skipped))
            at += height - skipped
        return pages

    def _paint(self, painter: QtGui.QPainter, page: int) -> None:
        for piece in self._pages[page]:
            self._paint_piece(painter, piece)
        font = QtGui.QFont(FONTS)
        font.setPixelSize(round(FOOT_POINTS / 72 * RESOLUTION_DPI))
        painter.save()
        painter.setFont(font)
        painter.setPen(QtGui.QColor(FAINT_INK))
        room = QRectF(self._inner.left(), self._inner.bottom(), self._inner.width(), _dots(FOOT_MM))
        bottom = Qt.AlignmentFlag.AlignBottom
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | bottom, self._foot)
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | bottom, f"{page + 1} / {self.page_count}")
        painter.restore()

    def _paint_piece(self, painter: QtGui.QPainter, piece: Piece) -> None:
        context = QtGui.QAbstractTextDocumentLayout.PaintContext()
        palette = QtGui.QPalette()
        palette.setColor(QtGui.QPalette.ColorRole.Text, QtGui.QColor(INK))
        context.palette = palette
        is_last = piece.skipped + piece.height >= self._heights[piece.section]
        below = self._gap / 2 if is_last else -1  # room for rounding, but not the next page's line
        shown = QRectF(0, piece.skipped, self._inner.width(), piece.height + below)
        context.clip = shown
        painter.save()
        painter.translate(self._inner.left(), self._inner.top() + piece.top - piece.skipped)
        painter.setClipRect(shown)
        self._section(piece.section).documentLayout().draw(painter, context)
        painter.restore()


_FOOT = re.compile(r'<meta name="foot" content="([^"]*)">')


def with_foot(html: str, foot: str) -> str:
    """A page that says what stands below each of its sheets, so that it can be printed again as it was."""
    return html.replace("<head>", f'<head>\n<meta name="foot" content="{escape(foot)}">', 1)


def foot_of(html: str) -> str:
    """What `with_foot` put into a page; empty where it did not."""
    match = _FOOT.search(html)
    return unescape(match[1]) if match else ""


def as_images(jpeg: Mapping[int, bytes], kept: dict[bytes, QtGui.QImage]) -> dict[int, QtGui.QImage]:
    """Frame index -> decoded picture; `known` keeps those that are shown for the next time."""
    for content in kept.keys() - set(jpeg.values()):
        del kept[content]
    for content in jpeg.values():
        if content and content not in kept:
            kept[content] = _squared(_decoded(content))
    return {frame: kept[content] for frame, content in jpeg.items() if content in kept}


def _squared(image: QtGui.QImage) -> QtGui.QImage:
    """A picture on a black square, since templates give pictures the same width and height."""
    if image.width() == image.height():
        return image
    side = max(image.width(), image.height())
    square = QtGui.QImage(side, side, QtGui.QImage.Format.Format_RGB32)
    square.fill(QtGui.QColor("black"))
    painter = QtGui.QPainter(square)
    painter.drawImage((side - image.width()) // 2, (side - image.height()) // 2, image)
    painter.end()
    return square


def _dots(millimetres: float) -> float:
    return millimetres / MM_PER_INCH * RESOLUTION_DPI
