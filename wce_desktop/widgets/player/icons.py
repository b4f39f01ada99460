"""The transport's icons, drawn as paths so that they are sharp on any screen."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPixmap, QPolygonF

from wce_desktop.widgets import theme
from wce_desktop.widgets.glyphs import drawn_once

SIDE_PX = 18
_SCALES = (1, 2, 3)


def transport_icon(name: str) -> QIcon:
    """The icon called `name` (a key of the table below) for normal and greyed-out buttons, at 100, 200 and 300 %."""
    icon = QIcon()
    for scale in _SCALES:
        for mode, color in ((QIcon.Mode.Normal, theme.COLORS.text), (QIcon.Mode.Disabled, theme.COLORS.disabled)):
            icon.addPixmap(_pixmap(name, color, scale), mode)
    return icon


def icon_size() -> QSize:
    """Size of all icons in view pixels."""
    return QSize(SIDE_PX, SIDE_PX)


def _pixmap(name: str, color: str, scale: int) -> QPixmap:
    return drawn_once(f"player {name} {color} {scale}", lambda: _draw(_PATHS[name](), color, scale))


def _draw(path: QPainterPath, color: str, scale: int) -> QPixmap:
    pixmap = QPixmap(SIDE_PX * scale, SIDE_PX * scale)
    pixmap.setDevicePixelRatio(scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillPath(path, QColor(color))
    painter.end()
    return pixmap


def _triangle(left: float, right: float, *, reach: float = 5.5) -> QPainterPath:
    """A triangle from its flat side at `left` to its tip at `right`."""
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(left, 9 - reach), QPointF(right, 9), QPointF(left, 9 + reach)]))
    path.closeSubpath()
    return path


def _bar(left: float, width: float = 2.2, *, reach: float = 5.5) -> QPainterPath:
    path = QPainterPath()
    path.addRoundedRect(QRectF(left, 9 - reach, width, 2 * reach), 0.8, 0.8)
    return path


def _together(*paths: QPainterPath) -> QPainterPath:
    whole = QPainterPath()
    for path in paths:
        whole.addPath(path)
    whole.setFillRule(Qt.FillRule.WindingFill)
    return whole


def _tiles(columns: int, rows: int) -> QPainterPath:
    """A frame cut into tiles, for the number of views."""
    path = QPainterPath()
    width, height = (15 - 1.6 * (columns - 1)) / columns, (12 - 1.6 * (rows - 1)) / rows
    for column in range(columns):
        for row in range(rows):
            tile = QRectF(1.5 + column * (width + 1.6), 3 + row * (height + 1.6), width, height)
            path.addRoundedRect(tile, 1.2, 1.2)
    return path


def _glow() -> QPainterPath:
    """A warm spot inside a ring: the overlay."""
    ring = QPainterPath()
    ring.addEllipse(QPointF(9, 9), 7.5, 7.5)
    ring.addEllipse(QPointF(9, 9), 6.1, 6.1)
    spot = QPainterPath()
    spot.addEllipse(QPointF(10.6, 8.2), 3.0, 3.0)
    ring.addPath(spot)
    return ring


def _half() -> QPainterPath:
    """A disc, half of it filled: another view of the frame."""
    ring = QPainterPath()
    ring.addEllipse(QPointF(9, 9), 7.0, 7.0)
    ring.addEllipse(QPointF(9, 9), 5.6, 5.6)
    half = QPainterPath(QPointF(9, 9))
    half.arcTo(QRectF(3.4, 3.4, 11.2, 11.2), -90, 180)
    half.closeSubpath()
    ring.addPath(half)
    return ring


def _stack() -> QPainterPath:
    """Frames behind each other, of which one is seen: similar frames as one."""
    path = QPainterPath()
    path.addRoundedRect(QRectF(1.5, 6.5, 10.5, 9), 1.2, 1.2)
    for step in (0.0, 3.0):
        path.addRect(QRectF(4.5 + step, 4.2 - step / 1.2, 9.0, 1.3))
        path.addRect(QRectF(12.2 + step, 4.2 - step / 1.2, 1.3, 8.0))
    return path


def _waves() -> QPainterPath:
    """Bars near each other and then far apart: speed by what changes."""
    return _together(*(_bar(left, 1.7) for left in (1.5, 4.2, 6.9, 11.2, 15.2)))


def _flag_and_play() -> QPainterPath:
    """A flag on its pole beside a small triangle: playing what is flagged."""
    flag = QPainterPath()
    flag.addPolygon(QPolygonF([QPointF(3.4, 3), QPointF(10.5, 5.6), QPointF(3.4, 8.2)]))
    flag.closeSubpath()
    pole = QPainterPath()
    pole.addRect(QRectF(2.0, 3, 1.4, 12))
    play = QPainterPath()
    play.addPolygon(QPolygonF([QPointF(9, 8.6), QPointF(16, 12.1), QPointF(9, 15.6)]))
    play.closeSubpath()
    return _together(flag, pole, play)


_PATHS = {
    "first": lambda: _together(_bar(2.5), _triangle(15, 6)),
    "back": lambda: _together(_triangle(9, 1.5, reach=4.8), _triangle(16.5, 9, reach=4.8)),
    "play": lambda: _triangle(4.5, 15, reach=6.6),
    "pause": lambda: _together(_bar(4.2, 3.4, reach=6.2), _bar(10.4, 3.4, reach=6.2)),
    "forward": lambda: _together(_triangle(1.5, 9, reach=4.8), _triangle(9, 16.5, reach=4.8)),
    "last": lambda: _together(_triangle(3, 12), _bar(13.3)),
    "one_view": lambda: _tiles(1, 1),
    "two_views": lambda: _tiles(2, 1),
    "four_views": lambda: _tiles(2, 2),
    "overlay": _glow,
    "enhancement": _half,
    "similar": _stack,
    "adaptive": _waves,
    "flagged": _flag_and_play,
}
