"""Draws what is written on a frame: chips, outlines, captions, the explanation's legend, cards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QLinearGradient, QPainter, QPen

from wce_desktop.core.drawings import Shape
from wce_desktop.core.language import to_translate, tr
from wce_desktop.core.overlay import color_map
from wce_desktop.widgets import glyphs, theme

MARGIN_PX = 10.0
CHIP_HEIGHT_PX = 26.0
BUTTON_PX = 26.0
"""Width of each of the two buttons of a suggestion's chip."""
LEGEND_COLUMN_PX = 160.0  # a legend narrower than that would have a word a line
LEGEND_MOST_PX = 240.0
CORNER_FRAME_PX, CORNER_PX, CORNER_LINES = 400.0, 96.0, 5
BELOW_PX = 80.0
"""A legend of three rows needs so much room below the frame."""
OUTSIDE_PX = (96.0, 76.0, 130.0, 180.0)
"""Widths of a column that are tried outside the field of view."""
MOST_RISE_PX = 72
RIM_PX = 5.0
"""By so much a column may reach over the rim of the field of view, which is dark."""
SCALE_PX = 176.0
LEAST_SCALE_PX = 128.0
SCALE_ENDS = (to_translate("none"), to_translate("strongest"))
LEGEND_LINE_PX = 18.0
HANDLE_PX = 8.0
HANDLES = ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1))
"""Of a box: half widths from its left edge and half heights from its top; corners and middles of edges, clockwise."""
_PLATE = QColor(12, 12, 12, 205)
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom


@dataclass(frozen=True, slots=True)
class Chip:
    """A label as it stands on the frame.

    Attributes:
        title: what it says ("Polyp").
        color: "#rrggbb" of the class.
        shape: one of `core.vocabulary.SHAPES`.
        is_suggested: True for what a model says and nobody confirmed yet; drawn hollow.
        name: the class; a suggestion that has one also has buttons to accept and to reject it.
    """

    title: str
    color: str
    shape: str
    is_suggested: bool = False
    name: str = ""

    @property
    def has_buttons(self) -> bool:
        """Whether it can be answered by the mouse."""
        return self.is_suggested and bool(self.name)


@dataclass(frozen=True, slots=True)
class Outline:
    """A box on the frame, in pixels of the study: edges `x_min`, `y_min` (included) and `x_max`, `y_max` (excluded).

    One that `is_suggested` is what a program says and nobody confirmed yet; drawn dashed.
    """

    x_min: float
    y_min: float
    x_max: float
    y_max: float
    title: str
    color: str
    is_suggested: bool = False


@dataclass(frozen=True, slots=True)
class FrameNotes:
    """All that is written on one frame; `score_text` ("Polyp 0.97") is shown with the explanation."""

    chips: tuple[Chip, ...] = ()
    outlines: tuple[Outline, ...] = ()
    score_text: str = ""
    shapes: tuple[Shape, ...] = ()


def text_font(size_px: int) -> QFont:
    """The window's font at a size in pixels, with digits of equal width so that numbers do not jitter."""
    font = QFont()
    font.setPixelSize(size_px)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def chip_plates(chips: Sequence[Chip], area: QRectF) -> list[QRectF]:
    """Where chips lie: in the upper left corner, one under the other, in columns when there are many."""
    metrics = QFontMetricsF(text_font(13))
    corner = area.topLeft() + QPointF(MARGIN_PX, MARGIN_PX)
    plates = []
    for chip in chips:
        width = metrics.horizontalAdvance(chip.title) + 38 + (2 * BUTTON_PX if chip.has_buttons else 0)
        plates.append(QRectF(corner, QSizeF(width, CHIP_HEIGHT_PX)))
        corner += QPointF(0, CHIP_HEIGHT_PX + 5)
        if corner.y() + CHIP_HEIGHT_PX > area.bottom():
            corner = QPointF(plates[-1].right() + 6, area.top() + MARGIN_PX)
    return plates


def answer_buttons(plate: QRectF) -> tuple[QRectF, QRectF]:
    """Where the buttons that accept and reject lie on the plate of a suggestion."""
    reject = QRectF(plate.right() - BUTTON_PX, plate.top(), BUTTON_PX, plate.height())
    return reject.translated(-BUTTON_PX, 0), reject


def draw_answer(
    painter: QPainter,
    rect: QRectF,
    *,
    is_accept: bool,
    is_hot: bool = False,
    ink: str = theme.ON_PICTURE.text,
    hot: str = theme.ON_PICTURE.border,
) -> None:
    """A tick or a cross in the middle of a button in the colour `ink`, on `hot` while the pointer is on it."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if is_hot:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(hot))
        painter.drawRoundedRect(rect.adjusted(2, 2, -2, -2), 4, 4)
    painter.setPen(QPen(QColor(ink), 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    middle, reach = rect.center(), 4.5
    if is_accept:
        low = middle + QPointF(-1.2, reach - 1)
        painter.drawLine(middle + QPointF(-reach, 0.5), low)
        painter.drawLine(low, middle + QPointF(reach, 1 - reach))
    else:
        for turn in (1, -1):
            painter.drawLine(middle + QPointF(-reach, -turn * reach), middle + QPointF(reach, turn * reach))
    painter.restore()


def draw_chips(painter: QPainter, chips: Sequence[Chip], area: QRectF, hot: tuple[str, bool] | None = None) -> None:
    """Draw the chips on their plates; `hot` is the button under the pointer: the class, and whether it accepts."""
    for chip, plate in zip(chips, chip_plates(chips, area), strict=True):
        color = QColor(chip.color)
        _plate(painter, plate, QPen(color, 1.4, Qt.PenStyle.DashLine if chip.is_suggested else Qt.PenStyle.SolidLine))
        middle = plate.topLeft() + QPointF(15, plate.height() / 2)
        glyphs.draw_glyph(painter, middle, 5.5, chip.shape, color, hollow=chip.is_suggested)
        _text(painter, plate.adjusted(27, 0, 0, 0), chip.title, text_font(13), Qt.AlignmentFlag.AlignLeft)
        for is_accept, button in zip((True, False), answer_buttons(plate) if chip.has_buttons else (), strict=False):
            draw_answer(painter, button, is_accept=is_accept, is_hot=hot == (chip.name, is_accept))


def draw_outlines(painter: QPainter, outlines: tuple[Outline, ...], frame_rect: QRectF, frame: QSizeF) -> None:
    """Boxes around findings, dark under light so that they show on any tissue."""
    scale = frame_rect.width() / frame.width()
    for outline in outlines:
        corner = frame_rect.topLeft() + QPointF(outline.x_min, outline.y_min) * scale
        size = QSizeF(outline.x_max - outline.x_min, outline.y_max - outline.y_min) * scale
        box = QRectF(corner, size)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        style = Qt.PenStyle.DashLine if outline.is_suggested else Qt.PenStyle.SolidLine
        for pen in (QPen(QColor(0, 0, 0, 160), 4), QPen(QColor(outline.color), 2, style)):
            painter.setPen(pen)
            painter.drawRoundedRect(box, 3, 3)
        if outline.title:
            width = QFontMetricsF(text_font(12)).horizontalAdvance(outline.title) + 12
            is_room = box.top() - 22 >= frame_rect.top()
            plate = QRectF(box.left(), box.top() + (-22 if is_room else 3), width, 19)
            _plate(painter, plate, Qt.PenStyle.NoPen)
            _text(painter, plate, outline.title, text_font(12), Qt.AlignmentFlag.AlignHCenter, QColor(outline.color))


def box_handles(box: QRectF) -> list[QRectF]:
    """Where a box on screen can be taken to resize it, in the order of `HANDLES`."""
    handles = [QRectF(0, 0, HANDLE_PX, HANDLE_PX) for _ in HANDLES]
    for handle, (right, down) in zip(handles, HANDLES, strict=True):
        handle.moveCenter(QPointF(box.left() + right * box.width() / 2, box.top() + down * box.height() / 2))
    return handles


def draw_edited_box(painter: QPainter, box: QRectF, color: str, *, has_handles: bool = True) -> None:
    """The box that is drawn, moved or resized, with its handles; dark under light as other boxes."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for pen in (QPen(QColor(0, 0, 0, 200), 5), QPen(QColor(color), 2)):
        painter.setPen(pen)
        painter.drawRect(box)
    painter.setPen(QPen(QColor(0, 0, 0, 200), 1))
    painter.setBrush(QColor("#ffffff"))
    for handle in box_handles(box) if has_handles else ():
        painter.drawRect(handle)


def draw_caption(
    painter: QPainter, area: QRectF, text: str, corner: Qt.AlignmentFlag, *, is_current: bool = False
) -> None:
    """A text on a dark plate in a corner of `area`, in lines that fit; the current one of several has a border."""
    font = text_font(12)
    room = max(40.0, area.width() - 2 * MARGIN_PX - 14)
    width = min(QFontMetricsF(font).horizontalAdvance(text) + 1, room)
    plate = QRectF(0, 0, width + 14, max(22.0, _height(text, font, QRectF(0, 0, width, 1e4)) + 6))
    _to_corner(plate, area, corner)
    _plate(painter, plate, QPen(QColor(theme.ON_PICTURE.accent), 1.2) if is_current else Qt.PenStyle.NoPen)
    _text(painter, plate.adjusted(7, 0, -7, 0), text, font, Qt.AlignmentFlag.AlignHCenter, wrap=True)


def draw_corner(painter: QPainter, area: QRectF, captions: Sequence[str], chips: Sequence[QRectF]) -> None:
    """Captions in the upper right corner, one under the other; below the chips where there is no room beside them."""
    metrics = QFontMetricsF(text_font(12))
    width = max((metrics.horizontalAdvance(text) for text in captions), default=0.0) + 14 + 2 * MARGIN_PX
    is_beside = all(plate.right() <= area.right() - width for plate in chips)
    top = 0.0 if is_beside else max(plate.bottom() for plate in chips) - area.top()
    for text in captions:
        corner = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
        draw_caption(painter, area.adjusted(0, top, 0, 0), text, corner, is_current=True)
        top += CHIP_HEIGHT_PX


def draw_legend(
    painter: QPainter,
    frame: QRectF,
    cell: QRectF,
    words: Sequence[str],
    is_free: Callable[[QRectF, bool], bool] | None = None,
    corners: Sequence[Qt.AlignmentFlag] = (_LEFT,),
    *,
    has_scale: bool = True,
    covers: Sequence[str] = (),
) -> None:
    """Score, method and model, and what the colours mean; beside the frame where there is room for it.

    Else below it, or in a corner that field of view and text leave free. Only where these are too small for the
    words, the legend lies on the frame, without a scale only the words that it `covers` with.

    Args:
        painter: paints it.
        frame: where the frame lies.
        cell: the room that it has.
        words: score, method, model.
        is_free: whether a plate hides neither text nor, unless it may, tissue; None where it is not known.
        corners: of the frame, where nothing else is written; the first one is preferred.
        has_scale: whether colours are explained.
        covers: words that may hide tissue where no room is free.
    """
    words = [word for word in words if word]
    seen, beside = frame.intersected(cell), max(frame.left(), cell.left()) - cell.left() - 2 * MARGIN_PX
    if beside >= LEGEND_COLUMN_PX:
        area = QRectF(cell.topLeft(), frame.bottomLeft() - QPointF(MARGIN_PX, 0))
        _legend_column(painter, area, words, min(beside, LEGEND_MOST_PX) - 20, has_scale=has_scale)
    elif has_room_below(frame, cell) and has_scale:
        _legend_rows(painter, area_below(frame), words)
    elif has_room_below(frame, cell):
        corner = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
        draw_caption(painter, area_below(frame), " · ".join(words), corner)
    elif _draw_outside(painter, frame, cell, words, is_free, corners, has_scale=has_scale):
        return
    elif not has_scale:
        if not _draw_outside(painter, frame, cell, covers, is_free, corners, has_scale=False):
            _draw_above_text(painter, seen, covers, is_free)
    elif min(seen.width(), seen.height()) >= CORNER_FRAME_PX and len(_wrapped(words, CORNER_PX)) <= CORNER_LINES:
        _legend_column(painter, QRectF(cell.topLeft(), seen.bottomRight()), words, CORNER_PX)
    else:
        _legend_rows(painter, seen, words)


def has_room_below(frame: QRectF, cell: QRectF) -> bool:
    """Whether a legend has room below a frame in its cell."""
    return cell.bottom() - frame.bottom() >= BELOW_PX


def area_below(frame: QRectF) -> QRectF:
    """The room for a legend below a frame."""
    return QRectF(frame.left() - MARGIN_PX, frame.bottom(), frame.width() + 2 * MARGIN_PX, BELOW_PX)


def _draw_outside(
    painter: QPainter,
    frame: QRectF,
    cell: QRectF,
    words: Sequence[str],
    is_free: Callable[[QRectF, bool], bool] | None,
    corners: Sequence[Qt.AlignmentFlag],
    *,
    has_scale: bool,
) -> bool:
    """Draw a column in the first corner where one of some width is free; returns whether there is one."""
    area = QRectF(cell.topLeft(), frame.intersected(cell).bottomRight())
    for corner, room in product(corners, OUTSIDE_PX):
        plate = _legend_plate(area, _wrapped(words, room), room, corner, has_scale=has_scale)
        inner = plate.adjusted(RIM_PX, RIM_PX, -RIM_PX, -RIM_PX)
        if is_free is not None and area.contains(plate) and is_free(inner, False):
            _legend_column(painter, area, words, room, corner, has_scale=has_scale)
            return True
    return False


def _draw_above_text(
    painter: QPainter, seen: QRectF, words: Sequence[str], is_free: Callable[[QRectF, bool], bool] | None
) -> None:
    """Draw a column on the frame at its lower left, so high that no text of the recording is hidden."""
    area, lines = seen, _wrapped(words, seen.width())
    for rise in range(0, MOST_RISE_PX, 6):
        area = seen.adjusted(0, 0, 0, -rise)
        if is_free is None or is_free(_legend_plate(area, lines, seen.width(), _LEFT, has_scale=False), True):
            break
    _legend_column(painter, area, words, seen.width(), has_scale=False)


def _legend_plate(
    area: QRectF, lines: Sequence[str], room: float, corner: Qt.AlignmentFlag, *, has_scale: bool
) -> QRectF:
    metrics = QFontMetricsF(text_font(12))
    widths = [metrics.horizontalAdvance(line) for line in lines] + [min(SCALE_PX, room) if has_scale else 0.0]
    plate = QRectF(0, 0, max(widths, default=0.0) + 20, (26 if has_scale else 6) + LEGEND_LINE_PX * len(lines))
    _to_corner(plate, area, corner)
    return plate


def _legend_column(
    painter: QPainter,
    area: QRectF,
    words: Sequence[str],
    room: float,
    corner: Qt.AlignmentFlag = _LEFT,
    *,
    has_scale: bool = True,
) -> None:
    lines = _wrapped(words, room)
    if not lines:
        return
    plate = _legend_plate(area, lines, room, corner, has_scale=has_scale)
    _plate(painter, plate, Qt.PenStyle.NoPen)
    for at, line in enumerate(lines):
        row = QRectF(plate.left() + 10, plate.top() + 3 + at * LEGEND_LINE_PX, plate.width() - 20, LEGEND_LINE_PX)
        _text(painter, row, line, text_font(12), Qt.AlignmentFlag.AlignLeft)
    if has_scale:
        draw_scale(painter, QRectF(plate.left() + 10, plate.bottom() - 22, plate.width() - 20, 18))


def _wrapped(words: Sequence[str], room: float) -> list[str]:
    metrics = QFontMetricsF(text_font(12))
    return [line for text in words for line in joined(text.split(), " ", metrics, room)]


def joined(words: Sequence[str], joint: str, metrics: QFontMetricsF, room: float) -> list[str]:
    """As few lines of at most `room` pixels as hold the words; a word that is wider is cut."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]}{joint}{word}" if lines else word
        if lines and metrics.horizontalAdvance(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(metrics.elidedText(word, Qt.TextElideMode.ElideRight, room))
    return lines


def _legend_rows(painter: QPainter, area: QRectF, words: Sequence[str]) -> None:
    """On the frame, which it covers: in few lines, with what the colours mean beside or below them."""
    font = text_font(12)
    metrics = QFontMetricsF(font)
    room = max(96.0, area.width() - 2 * MARGIN_PX - 20)
    lines = joined(words, " · ", metrics, room)
    width = max((metrics.horizontalAdvance(line) for line in lines), default=0.0)
    is_beside = len(lines) == 1 and width + 14 + SCALE_PX <= room
    scale = SCALE_PX if room >= SCALE_PX else room
    rows = len(lines) + (0 if is_beside else 1)
    plate_width = width + 14 + scale if is_beside else max(width, scale)
    plate = QRectF(0, 0, plate_width + 20, 24 + LEGEND_LINE_PX * (rows - 1))
    _to_corner(plate, area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
    _plate(painter, plate, Qt.PenStyle.NoPen)
    for at, line in enumerate(lines):
        row = QRectF(plate.left() + 10, plate.top() + 2 + at * LEGEND_LINE_PX, width + 2, 20)
        _text(painter, row, line, font, Qt.AlignmentFlag.AlignLeft)
    left = plate.right() - 10 - scale if is_beside else plate.left() + 10
    draw_scale(painter, QRectF(left, plate.bottom() - 21, scale, 18))


def draw_scale(painter: QPainter, foot: QRectF) -> None:
    """What the colours mean, from none (transparent) to strongest; without words where these have no room."""
    small = text_font(11)
    before, after = (QFontMetricsF(small).horizontalAdvance(word) + 6 for word in map(tr, SCALE_ENDS))
    if foot.width() < LEAST_SCALE_PX:
        before = after = 0.0
    else:
        muted = QColor(theme.ON_PICTURE.muted)
        _text(painter, foot, tr(SCALE_ENDS[0]), small, Qt.AlignmentFlag.AlignLeft, muted)
        _text(painter, foot, tr(SCALE_ENDS[1]), small, Qt.AlignmentFlag.AlignRight, muted)
    bar = QRectF(foot.left() + before, foot.center().y() - 4, foot.width() - before - after, 8)
    gradient = QLinearGradient(bar.topLeft(), bar.topRight())
    for step in range(9):
        red, green, blue = (int(value) for value in color_map()[round(step * 255 / 8)])
        gradient.setColorAt(step / 8, QColor(red, green, blue, round(255 * step / 8)))
    painter.setPen(QPen(QColor(theme.ON_PICTURE.muted), 1))
    painter.setBrush(gradient)
    painter.drawRect(bar)


def draw_card(painter: QPainter, area: QRectF, title: str, hint: str = "") -> None:
    """A quiet card in the middle, for what has no picture; both texts wrap, and the card is as high as they need."""
    room = QRectF(0, 0, max(40.0, min(460.0, area.width() - 2 * MARGIN_PX) - 36), 1e4)
    upper = _height(title, text_font(14), room)
    lower = _height(hint, text_font(12), room) + 8 if hint else 0.0
    card = QRectF(0, 0, room.width() + 36, upper + lower + 36)
    card.moveCenter(area.center())
    painter.setPen(QPen(QColor(theme.ON_PICTURE.border), 1))
    painter.setBrush(QColor(theme.ON_PICTURE.panel))
    painter.drawRoundedRect(card, 8, 8)
    inner = card.adjusted(18, 18, -18, -18)
    center = Qt.AlignmentFlag.AlignHCenter
    _text(painter, QRectF(inner.topLeft(), QSizeF(inner.width(), upper)), title, text_font(14), center, wrap=True)
    below = QRectF(inner.left(), inner.bottom() - lower + 8, inner.width(), max(0.0, lower - 8))
    _text(painter, below, hint, text_font(12), center, QColor(theme.ON_PICTURE.muted), wrap=True)


def _to_corner(plate: QRectF, area: QRectF, corner: Qt.AlignmentFlag) -> None:
    inner = area.adjusted(MARGIN_PX, MARGIN_PX, -MARGIN_PX, -MARGIN_PX)
    plate.moveTopLeft(inner.topLeft())
    if corner & Qt.AlignmentFlag.AlignRight:
        plate.moveRight(inner.right())
    if corner & Qt.AlignmentFlag.AlignBottom:
        plate.moveBottom(inner.bottom())


def _plate(painter: QPainter, plate: QRectF, pen: QPen | Qt.PenStyle) -> None:
    painter.setPen(pen)
    painter.setBrush(_PLATE)
    painter.drawRoundedRect(plate, 5, 5)


def _text(
    painter: QPainter,
    room: QRectF,
    text: str,
    font: QFont,
    align: Qt.AlignmentFlag,
    color: QColor | None = None,
    *,
    wrap: bool = False,
) -> None:
    painter.setFont(font)
    painter.setPen(color or QColor(theme.ON_PICTURE.text))
    flags = int(align | Qt.AlignmentFlag.AlignVCenter) | (_wrapping(text, font, room.width()) if wrap else 0)
    painter.drawText(room, flags, text)


def _height(text: str, font: QFont, room: QRectF) -> float:
    return QFontMetricsF(font).boundingRect(room, _wrapping(text, font, room.width()), text).height()


def _wrapping(text: str, font: QFont, width: float) -> int:
    """Between words; anywhere only where a word (a long file name) has no room of its own."""
    widest = max((QFontMetricsF(font).horizontalAdvance(word) for word in text.split()), default=0.0)
    return int(Qt.TextFlag.TextWordWrap if widest <= width else Qt.TextFlag.TextWrapAnywhere)
