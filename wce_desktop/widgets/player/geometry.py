"""Where frames lie in the view: cells for successive frames, zoom and pan that stay from frame to frame."""

from PySide6.QtCore import QPointF, QRectF, QSizeF

GAP_PX = 2.0
MAX_ZOOM = 24.0
ZOOM_STEP = 1.25


def cells(area: QRectF, frame: QSizeF, count: int) -> list[QRectF]:
    """Split `area` into `count` equal cells, in the rows and columns that let frames of this shape be largest.

    Several cells have the shape of the frame and stand edge to edge in the middle of the area.
    """
    splits = [(columns, -(-count // columns)) for columns in range(1, count + 1) if count % columns == 0]
    sizes = [
        QSizeF((area.width() - GAP_PX * (columns - 1)) / columns, (area.height() - GAP_PX * (rows - 1)) / rows)
        for columns, rows in splits
    ]
    best = max(range(len(splits)), key=lambda at: fit_scale(sizes[at], frame))
    (columns, rows), size = splits[best], sizes[best]
    if count > 1:
        size = frame * fit_scale(size, frame)
        across = size.width() * columns + GAP_PX * (columns - 1)
        down = size.height() * rows + GAP_PX * (rows - 1)
        area = area.adjusted((area.width() - across) / 2, (area.height() - down) / 2, 0, 0)
    return [
        QRectF(
            area.left() + (at % columns) * (size.width() + GAP_PX),
            area.top() + (at // columns) * (size.height() + GAP_PX),
            size.width(),
            size.height(),
        )
        for at in range(count)
    ]


def fit_scale(room: QSizeF, frame: QSizeF) -> float:
    """View pixels per frame pixel at which the whole frame just fits."""
    return min(room.width() / frame.width(), room.height() / frame.height())


class Zoom:
    """A factor over the fit, and the point of the frame (in [0, 1] x [0, 1]) that the cell's centre looks at."""

    def __init__(self) -> None:
        self.factor = 1.0
        self.center = QPointF(0.5, 0.5)

    def fit(self) -> None:
        """The whole frame again."""
        self.factor = 1.0
        self.center = QPointF(0.5, 0.5)

    def rect(self, cell: QRectF, frame: QSizeF) -> QRectF:
        """Where the frame lies, seen through `cell`: centred when smaller than the cell, else covering it."""
        scale = fit_scale(cell.size(), frame) * self.factor
        width, height = frame.width() * scale, frame.height() * scale
        x = _edge(cell.left(), cell.width(), width, self.center.x())
        y = _edge(cell.top(), cell.height(), height, self.center.y())
        return QRectF(x, y, width, height)

    def zoom_by(self, ratio: float, anchor: QPointF, cell: QRectF, frame: QSizeF) -> None:
        """Magnify by `ratio`, held to 1..24 times the fit, so that what lies under `anchor` stays there."""
        before = self.rect(cell, frame)
        at = QPointF((anchor.x() - before.left()) / before.width(), (anchor.y() - before.top()) / before.height())
        self.factor = max(1.0, min(self.factor * ratio, MAX_ZOOM))
        if abs(self.factor - 1) < 1e-6:
            self.fit()
            return
        after = self.rect(cell, frame)
        middle = cell.center()
        self.center = QPointF(
            at.x() + (middle.x() - anchor.x()) / after.width(), at.y() + (middle.y() - anchor.y()) / after.height()
        )
        self._hold(cell, frame)

    def pan_by(self, moved: QPointF, cell: QRectF, frame: QSizeF) -> None:
        """Drag the frame by `moved` view pixels, no further than its edges."""
        rect = self.rect(cell, frame)
        self.center -= QPointF(moved.x() / rect.width(), moved.y() / rect.height())
        self._hold(cell, frame)

    def _hold(self, cell: QRectF, frame: QSizeF) -> None:
        """Update the centre after the view was limited to the edges."""
        rect, middle = self.rect(cell, frame), cell.center()
        self.center = QPointF((middle.x() - rect.left()) / rect.width(), (middle.y() - rect.top()) / rect.height())


def _edge(start: float, room: float, length: float, center: float) -> float:
    """Left or top edge of something `length` long in `room`, looked at around `center`."""
    if length <= room:
        return start + (room - length) / 2
    return max(start + room - length, min(start + room / 2 - center * length, start))
