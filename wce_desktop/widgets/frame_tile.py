"""One frame as a tile: with labels, caption, and a border that shows its relation in time."""

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPen

from wce_desktop.core.annotation.vocabulary import ClassName
from wce_desktop.core.language import to_translate, tr
from wce_desktop.widgets.glyphs import draw_glyph
from wce_desktop.widgets.player.annotation_painter import draw_answer
from wce_desktop.widgets.player.pictures import draw_fitting
from wce_desktop.widgets.theme import COLORS

Relation = Literal["", "query", "window", "study", "other"]
MARGIN, BORDER_PX, CAPTION_HEIGHT = 4, 3, 17
_PLATE, _SHADE = QColor(12, 12, 12, 205), QColor(12, 12, 12, 110)


@dataclass(frozen=True)
class RelationStyle:
    """How a relation to the query is drawn: by colour (empty for that of words), line and shape."""

    title: str
    color: str
    line: Qt.PenStyle
    shape: str


RELATIONS: dict[str, RelationStyle] = {
    "query": RelationStyle(to_translate("the query itself"), "", Qt.PenStyle.SolidLine, "plus"),
    "window": RelationStyle(to_translate("close in time"), "#009e73", Qt.PenStyle.SolidLine, "circle"),
    "study": RelationStyle(to_translate("same study"), "#e69f00", Qt.PenStyle.DashLine, "square"),
    "other": RelationStyle(to_translate("other study"), "#cc79a7", Qt.PenStyle.DotLine, "triangle"),
}
"""Pascual et al. 2022, Fig. 3: borders for frames within the window, of the same video, of another one."""


@dataclass(frozen=True)
class FrameTile:
    """What a tile shows."""

    study_id: str
    frame_index: int
    caption: str  # short lines below the picture, see `fitting_caption`
    sentence: str  # the same in full, for the tooltip and a screen reader
    relation: Relation = ""  # to the query, one of `RELATIONS`, or "" for no border
    labels: tuple[ClassName, ...] = ()  # the classes that the frame carries
    answer: str = ""  # to the suggestion that the tile stands for: "accepted", "rejected" or "" for none


def tile_size(picture_px: int, lines: int = 1, pictures: int = 1) -> QSize:
    """The room of a tile whose pictures, side by side, are `picture_px` wide and high, with a caption of some lines."""
    edge = 2 * (MARGIN + BORDER_PX)
    return QSize(picture_px * pictures + edge, picture_px + edge + CAPTION_HEIGHT * lines)


def paint_tile(
    painter: QPainter,
    rect: QRect,
    tile: FrameTile,
    picture: QImage | None,
    *,
    is_chosen: bool = False,
    has_focus: bool = False,
) -> None:
    """Paint a tile into `rect`; without a picture its place stays dark, a null one says why."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    if is_chosen or has_focus:
        painter.setPen(QPen(QColor(COLORS.accent), 1) if has_focus else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(COLORS.selected) if is_chosen else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
    inset = MARGIN + BORDER_PX
    lines = tile.caption.split("\n")
    place = rect.adjusted(inset, inset, -inset, -inset - CAPTION_HEIGHT * len(lines))
    _paint_picture(painter, place, picture)
    _paint_border(painter, place, tile.relation)
    _paint_labels(painter, place, tile.labels)
    _paint_answer(painter, place, tile.answer)
    for number, line in enumerate(reversed(lines)):
        _paint_caption(painter, rect.translated(0, -CAPTION_HEIGHT * number), line, has_name=not tile.relation)
    painter.restore()


def _paint_picture(painter: QPainter, place: QRect, picture: QImage | None) -> None:
    painter.fillRect(place, QColor(COLORS.background))
    if picture is None:
        return
    if picture.isNull():
        painter.setPen(QColor(COLORS.muted))
        painter.drawText(place, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), tr("cannot be read"))
        return
    draw_fitting(painter, place, picture)


def _paint_border(painter: QPainter, place: QRect, relation: str) -> None:
    style = RELATIONS.get(relation)
    painter.setPen(
        QPen(QColor(style.color or COLORS.text), BORDER_PX, style.line) if style else QPen(QColor(COLORS.border), 1)
    )
    painter.setBrush(Qt.BrushStyle.NoBrush)
    half = BORDER_PX / 2
    painter.drawRect(QRectF(place).adjusted(-half, -half, half, half))
    if style:
        badge = QRectF(place.left(), place.top(), 17, 17)
        painter.fillRect(badge, _PLATE)
        draw_glyph(painter, badge.center(), 5.5, style.shape, QColor(style.color or COLORS.text))


def _paint_labels(painter: QPainter, place: QRect, labels: tuple[ClassName, ...]) -> None:
    """The shapes of the frame's classes, in the lower right corner."""
    for number, label in enumerate(labels[:3]):
        badge = QRectF(place.right() - 17 * (number + 1) + 1, place.bottom() - 16, 17, 17)
        painter.fillRect(badge, _PLATE)
        draw_glyph(painter, QPointF(badge.center()), 5.5, label.shape, QColor(label.color or COLORS.text))


def _paint_answer(painter: QPainter, place: QRect, answer: str) -> None:
    """A tick or a cross in the upper right corner of a darkened picture."""
    if answer:
        painter.fillRect(place, _SHADE)
        badge = QRectF(place.right() - 21, place.top(), 22, 22)
        painter.fillRect(badge, _PLATE)
        draw_answer(painter, badge, is_accept=answer == "accepted")


def _paint_caption(painter: QPainter, rect: QRect, caption: str, *, has_name: bool) -> None:
    font = QFont(painter.font())
    font.setPixelSize(11)
    painter.setFont(font)
    painter.setPen(QColor(COLORS.text))
    line = QRect(rect.left() + 2, rect.bottom() - CAPTION_HEIGHT - 1, rect.width() - 4, CAPTION_HEIGHT)
    shown = fitting_caption(caption, QFontMetrics(font), line.width(), has_name=has_name)
    painter.drawText(line, Qt.AlignmentFlag.AlignCenter, shown)


def fitting_caption(caption: str, metrics: QFontMetrics, width: int, *, has_name: bool = True) -> str:
    """A line of a caption, its parts separated by “ · ”, in `width` pixels; the tooltip has all of it.

    Where it has no room the middle goes first, then the name at its start is shortened: the time at its end stays.
    Without a name at its start only the end is shown.
    """
    first, *others = caption.split(" · ")
    elide, at_end = metrics.elidedText, Qt.TextElideMode.ElideRight
    if not others or metrics.horizontalAdvance(caption) < width:
        return elide(caption, Qt.TextElideMode.ElideMiddle, width)
    end = f" · {others[-1]}"
    name = elide(first, at_end, width - metrics.horizontalAdvance(end) - 1)
    return name + end if has_name and len(name) > 2 else elide(others[-1], at_end, width)
