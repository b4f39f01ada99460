"""A widget painted in layers that are kept as pictures until what they show changes."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

TRANSPARENT = QColor(0, 0, 0, 0)
PaintLayer = Callable[[QPainter, QRect], None]


@dataclass(eq=False)
class Layer:
    """One layer: where it is, how it is painted, its picture, and whether that has to be repainted.

    A picture of the right size is painted over rather than thrown away: fresh memory costs more than the painting.
    """

    area: Callable[[], QRect]
    paint: PaintLayer
    ground: QColor
    picture: QPixmap | None = None
    is_stale: bool = True


class LayeredWidget(QWidget):
    """Paints its layers in the order they were added, each from its picture, then what moves with every frame.

    After `invalidate` the next paint event paints a layer's picture again, and only this one. A picture has the
    screen's own pixels, also where one of the application's holds several of them.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layers: dict[str, Layer] = {}
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def add_layer(
        self, name: str, area: Callable[[], QRect], paint: PaintLayer, *, ground: QColor = TRANSPARENT
    ) -> None:
        """Add a layer on top; `paint` is called with the widget's coordinates and finds it filled with `ground`.

        A layer with an opaque ground is laid down many times as fast as one that lets others shine through.
        """
        self._layers[name] = Layer(area, paint, ground)

    def invalidate(self, *names: str) -> None:
        """These layers (all of them when none is named) show something else now."""
        for name in names or tuple(self._layers):
            layer = self._layers[name]
            layer.is_stale = True
            self.update(layer.area())

    def paint_moving(self, painter: QPainter) -> None:
        """Paint what no layer keeps, on top of them all."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Lay the pictures over each other."""
        with QPainter(self) as painter:
            painter.setFont(self.font())
            for layer in self._layers.values():
                area = layer.area()
                if area.intersects(event.rect()) and not area.isEmpty():
                    painter.drawPixmap(area.topLeft(), self._picture(layer, area))
            self.paint_moving(painter)

    def changeEvent(self, event: QEvent) -> None:
        """Every picture has the colours of another theme."""
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self.invalidate()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Every picture has the wrong size now."""
        self.invalidate()
        super().resizeEvent(event)

    def _picture(self, layer: Layer, area: QRect) -> QPixmap:
        ratio = self.devicePixelRatioF()
        size = QSize(round(area.width() * ratio), round(area.height() * ratio))
        picture = layer.picture
        if picture is None or picture.size() != size or picture.devicePixelRatioF() != ratio:
            picture = layer.picture = QPixmap(size)
            picture.setDevicePixelRatio(ratio)
            layer.is_stale = True
        if layer.is_stale:
            layer.is_stale = False
            picture.fill(layer.ground)
            with QPainter(picture) as painter:
                painter.setFont(self.font())
                painter.translate(-area.topLeft())
                layer.paint(painter, area)
        return picture
