"""A plot of curves that grow during training."""

from collections.abc import Mapping, Sequence
from html import escape

import pyqtgraph as pg
from PySide6 import QtCore, QtGui, QtWidgets

from wce_desktop.core.annotation.vocabulary import ClassName
from wce_desktop.core.language import number_text, to_translate, tr, written_number
from wce_desktop.widgets import basic, plain_text, theme

REDRAW_MILLISECONDS = 100
LEFT_DENSITY = 0.65
"""Of the upright axis: its numbers do not touch in a low plot."""
_SYMBOLS = {
    "circle": "o", "square": "s", "triangle": "t1", "diamond": "d", "cross": "x", "star": "star", "plus": "+",
    "pentagon": "p", "hexagon": "h", "bar": "t3",
}  # fmt: skip
_GLYPHS = {
    "circle": "●", "square": "■", "triangle": "▲", "diamond": "◆", "cross": "✖", "star": "★", "plus": "✚",
    "pentagon": "⬟", "hexagon": "⬢", "bar": "▬",
}  # fmt: skip
_DATA_COLORS = ("#009e73", "#cc79a7", "#f0e442", "#d55e00", "#0072b2")
_LINES = (
    ("━━", QtCore.Qt.PenStyle.SolidLine), ("╍╍", QtCore.Qt.PenStyle.DashLine), ("┈┈", QtCore.Qt.PenStyle.DotLine),
)  # fmt: skip
_TITLES = {"any": to_translate("Any finding")}
"""Of curves whose names are no words for the screen."""


class _Axis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """Writes its numbers in the chosen language."""

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """The texts beside the ticks."""
        return [written_number(text) for text in super().tickStrings(values, scale, spacing)]


class CurvePlot(QtWidgets.QWidget):
    """Curves over steps, or `across` something else, with a title and a line that names each curve, over steps with its
    newest value.

    Points may come as fast as they like; the plot is drawn at most ten times a second.
    """

    def __init__(
        self, title: str, is_share: bool = False, parent: QtWidgets.QWidget | None = None, across: str = ""
    ) -> None:
        """An empty plot; `is_share` fixes the upright axis to [0, 1]."""
        super().__init__(parent)
        self._across = across
        self._classes: Mapping[str, ClassName] = {}
        self.points: dict[str, tuple[list[float], list[float]]] = {}
        """Of each curve its steps and values."""
        self._curves: dict[str, pg.PlotDataItem] = {}
        self._is_share = is_share
        self._title = plain_text.PlainLabel(title)
        self._values = plain_text.RichLabel()
        self._values.setWordWrap(True)
        self._plot = self._make_plot(title)
        self._name_ticks()
        basic.in_column(self._title, (self._plot, 1), self._values, of=self, margins=0, spacing=2)
        self._redraw = QtCore.QTimer(self, singleShot=True, interval=REDRAW_MILLISECONDS)
        self._redraw.timeout.connect(self.draw)

    def _make_plot(self, title: str) -> pg.PlotWidget:
        plot = pg.PlotWidget(axisItems={side: _Axis(side) for side in ("left", "bottom")})
        plot.setMinimumHeight(90)
        plot.setAccessibleName(title)
        plot.setMenuEnabled(False)
        plot.setMouseEnabled(False, False)
        plot.hideButtons()
        for side in ("left", "bottom"):
            plot.getAxis(side).enableAutoSIPrefix(False)
        plot.getAxis("left").setTickDensity(LEFT_DENSITY)
        plot.showGrid(x=False, y=True, alpha=0.15)
        if self._is_share:
            plot.setYRange(0.0, 1.0, padding=0.08)  # with less, the axis has no room to name its ends
            plot.getAxis("left").setTickSpacing(0.5, 0.1)
        plot.setLabel("bottom", self._across or tr("Training step"))
        _color(plot)
        return plot

    def changeEvent(self, event: QtCore.QEvent) -> None:
        """Draw again in the colours of another theme."""
        is_other = self._plot.backgroundBrush().color() != QtGui.QColor(theme.COLORS.background)
        if event.type() == QtCore.QEvent.Type.StyleChange and is_other:
            _color(self._plot)
            self.show_curves(dict(self.points))
        super().changeEvent(event)

    @property
    def title(self) -> str:
        """What stands above the plot."""
        return self._title.text()

    def set_classes(self, classes: Mapping[str, ClassName]) -> None:
        """Draw curves of these names with the class's title, colour and shape."""
        self._classes = classes

    def add_point(self, name: str, step: float, value: float | None) -> None:
        """Add a point to a curve; unknown values are ignored."""
        if value is None:
            return
        steps, values = self.points.setdefault(name, ([], []))
        steps.append(step)
        values.append(value)
        if not self._redraw.isActive():
            self._redraw.start()

    def show_curves(self, curves: Mapping[str, tuple[list[float], list[float]]]) -> None:
        """Show these curves, steps and values by name, in place of all that were there."""
        self.clear()
        self.points.update(curves)
        self.draw()

    def clear(self) -> None:
        """Remove all curves."""
        self.points.clear()
        for curve in self._curves.values():
            self._plot.removeItem(curve)
        self._curves.clear()
        self.draw()

    def draw(self) -> None:
        """Draw the new points."""
        for name, (steps, values) in self.points.items():
            if name not in self._curves:
                self._curves[name] = self._plot.plot(**self._style(name))
            self._curves[name].setData(steps, values)
        self._set_range()
        self._name_ticks()
        self._values.setText("&nbsp;&nbsp; ".join(self._value_words(name) for name in self.points))

    def _name_ticks(self) -> None:
        """No numbers beside axes without curves."""
        for side in ("left", "bottom"):
            self._plot.getAxis(side).setStyle(showValues=bool(self.points))

    def _set_range(self) -> None:
        """A curve that never changes stands between zero and twice its value; left to itself the axis hides it at 0."""
        distinct = {value for _, values in self.points.values() for value in values}
        if self._is_share:
            return
        if len(distinct) == 1 and (value := distinct.pop()):
            self._plot.setYRange(min(0.0, 2 * value), max(0.0, 2 * value))
        else:
            self._plot.enableAutoRange(axis="y")

    def _color(self, name: str) -> str:
        if name in self._classes:
            return theme.legible(self._classes[name].color).name()
        curve_colors = (theme.COLORS.accent, theme.COLORS.warning, *_DATA_COLORS, theme.COLORS.muted)
        return theme.legible(curve_colors[list(self.points).index(name) % len(curve_colors)]).name()

    def _style(self, name: str) -> dict[str, object]:
        """Colour, dashes and, where curves have few points, the shape that says the same."""
        color = self._color(name)
        if name not in self._classes:
            return {"pen": pg.mkPen(color, width=2, style=self._line(name)[1])}
        symbol = _SYMBOLS[self._classes[name].shape]
        look = {"symbol": symbol, "symbolSize": 7, "symbolBrush": color, "symbolPen": None}
        return {"pen": pg.mkPen(color, width=2), **look}

    def _line(self, name: str) -> tuple[str, QtCore.Qt.PenStyle]:
        """How a curve of no class is drawn, as text and as a pen."""
        return _LINES[list(self.points).index(name) % len(_LINES)]

    def _value_words(self, name: str) -> str:
        known = self._classes.get(name)
        glyph = _GLYPHS[known.shape] if known else self._line(name)[0]
        title = known.shown_title if known else tr(_TITLES.get(name, name.replace("_", " ")))
        value = "" if self._across else f" {number_words(self.points[name][1][-1])}"
        color = f'<span style="color:{self._color(name)}">{glyph}</span>'
        words = escape(f"{title}{value}").replace(" ", "&nbsp;")  # lines break between curves
        return f'{color}&nbsp;<span style="color:{theme.COLORS.text}">{words}</span>'


def _color(plot: pg.PlotWidget) -> None:
    plot.setBackground(theme.COLORS.background)
    for side in ("left", "bottom"):
        plot.getAxis(side).setPen(theme.COLORS.border)
        plot.getAxis(side).setTextPen(theme.COLORS.muted)


def number_words(value: float) -> str:
    """Two decimals, or two digits where two decimals would say nothing: "0.93", "0.00032", "1,204"."""
    if abs(value) >= 100:
        return number_text(value, ",.0f")
    return number_text(value, ".2f") if abs(value) >= 0.1 or value == 0 else number_text(value, ".2g")
