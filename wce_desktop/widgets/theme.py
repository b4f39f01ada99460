"""The colours of the window in one place: a dark and a light palette, and how a window changes from one to the other.

`COLORS.muted` is a colour at this moment: read it where it is used. `apply_theme` also puts the colours of a palette in
the place of others in styles and texts that widgets already have; for that no two colours of a palette are equal, and
none equals a colour that stands for data, such as those of classes.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass, replace
from functools import cache, lru_cache, partial
from string import Template

from PySide6 import QtWidgets
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QPalette

from wce_desktop.session.places import resource


@dataclass(frozen=True)
class Palette:
    """Colours as "#rrggbb"; by default those of the dark palette.

    Attributes:
        selected: behind the row that is highlighted in a list.
        primary: behind the words of the main button, and behind marked text.
        disabled: words that are greyed out.
        handle, handle_hover: of a scroll bar.
        grid, empty_lane, not_seen, seen, fast, skipped, cursor, threshold, scale: of the timeline; `fast` of frames
            played too fast to count as seen, `skipped` of those left out as similar.
        oesophagus, stomach, small_bowel, colon: of regions on the timeline, hues of tissue and stone, too quiet to be
            taken for a class.
    """

    background: str = "#161616"
    panel: str = "#1f1f1f"
    raised: str = "#2b2b2b"
    border: str = "#3a3a3a"
    text: str = "#dcdcdc"
    muted: str = "#a3a3a3"
    selected: str = "#2c3a44"
    primary: str = "#235c7d"
    pressed: str = "#393939"
    accent: str = "#57b4e9"
    warning: str = "#e69f01"
    disabled: str = "#6a6a6a"
    handle: str = "#474747"
    handle_hover: str = "#5a5a5a"
    grid: str = "#282828"
    empty_lane: str = "#2c2c2c"
    not_seen: str = "#2a2a2a"
    seen: str = "#8d8d8d"
    fast: str = "#c79a45"
    skipped: str = "#5b8fb9"
    cursor: str = "#fefefe"
    threshold: str = "#c8c8c9"
    scale: str = "#8a8a8a"
    oesophagus: str = "#63404f"
    stomach: str = "#5b4a3d"
    small_bowel: str = "#3f5350"
    colon: str = "#4a4560"


DARK = Palette()
LIGHT = Palette(
    background="#fbfbfb",
    panel="#f1f1f1",
    raised="#e4e4e4",
    border="#b9b9b9",
    text="#1a1a1a",
    muted="#535353",
    selected="#cde2f0",
    primary="#a8d3ed",
    pressed="#d6d6d6",
    accent="#00527f",
    warning="#7a4100",
    disabled="#8b8b8b",
    handle="#b4b4b4",
    handle_hover="#949494",
    grid="#e6e6e6",
    empty_lane="#e3e3e3",
    not_seen="#dedede",
    seen="#7b7b7b",
    fast="#8f6516",
    skipped="#2f6690",
    cursor="#010101",
    threshold="#3c3c3d",
    scale="#5e5e5e",
    oesophagus="#e8cad6",
    stomach="#e2d3c3",
    small_bowel="#c6ded9",
    colon="#d3cde6",
)


@dataclass(frozen=True)
class PictureColors:
    """Colours around and on frames and maps, the same in both palettes: a bright ground would dazzle."""

    background: str = "#151515"
    panel: str = "#1e1e1e"
    border: str = "#3c3c3c"
    text: str = "#dddddd"
    muted: str = "#a4a4a4"
    accent: str = "#58b4e9"
    warning: str = "#e69f02"


ON_PICTURE = PictureColors()

COLORS = replace(DARK)
"""The palette in use; `apply_theme` changes it in place."""

LEAST_MARK_CONTRAST = 3.0
"""Of dots, rings and lines that carry meaning (WCAG 2.2, 1.4.11)."""


def contrast(color: str, behind: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    lighter, darker = sorted((_luminance(color), _luminance(behind)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: str) -> float:
    """Relative luminance of "#rrggbb" (WCAG 2.2)."""
    values = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def legible(color: str) -> QColor:
    """A colour that stands for something, as dark or bright as it must be to be told from the window's background."""
    return QColor(_legible(color, COLORS.background))


@lru_cache(maxsize=512)
def _legible(color: str, behind: str) -> str:
    result, is_dark_ground = QColor(color), _luminance(behind) < 0.18
    while contrast(result.name(), behind) < LEAST_MARK_CONTRAST:
        lightness = result.lightnessF()
        step = min(1.0, lightness + 0.02) if is_dark_ground else max(0.0, lightness - 0.02)
        result = QColor.fromHslF(max(result.hslHueF(), 0.0), result.hslSaturationF(), step)
    return result.name()


@cache
def _style(palette: Palette) -> str:
    """The style sheet of the application in the colours of a palette."""
    kind = "light" if palette == LIGHT else "dark"
    signs = {name: resource("icons", f"{name}-{kind}.svg").as_posix() for name in ("tick", "arrow")}
    return Template(resource("theme.qss").read_text(encoding="utf-8")).substitute(asdict(palette), **signs)


_shared: dict[str, QColor] = {}


def shared_color(name: str) -> QColor:
    """The colour of that name in the palette in use, as an object that changes with the theme; for painting only."""
    return _shared.setdefault(name, QColor(asdict(COLORS)[name]))


def apply_theme(app: QtWidgets.QApplication, palette: Palette | None = None) -> None:
    """Give the application, with all its windows, the colours of a palette; None keeps the one in use.

    The colours of frames are not affected. Does nothing if the palette is applied.
    """
    wanted = palette or COLORS
    if wanted != COLORS:
        pairs = dict(zip(astuple(COLORS), astuple(wanted), strict=True))
        swap = partial(re.compile("|".join(pairs), re.IGNORECASE).sub, lambda match: pairs[match[0].lower()])
        vars(COLORS).update(asdict(wanted))
        for name, color in _shared.items():
            color.setRgb(QColor(asdict(wanted)[name]).rgb())
        for widget in app.allWidgets():
            _swap_in(widget, swap)
    if app.styleSheet() == _style(wanted):  # setting it again would lay out every widget again
        return
    app.setStyle("Fusion")
    app.setPalette(_qt_palette(wanted))
    app.setStyleSheet(_style(wanted))


def _qt_palette(p: Palette) -> QPalette:
    palette = QPalette()
    pairs = {
        QPalette.ColorRole.Window: p.panel,
        QPalette.ColorRole.Base: p.background,
        QPalette.ColorRole.AlternateBase: p.raised,
        QPalette.ColorRole.Button: p.raised,
        QPalette.ColorRole.WindowText: p.text,
        QPalette.ColorRole.Text: p.text,
        QPalette.ColorRole.ButtonText: p.text,
        QPalette.ColorRole.ToolTipBase: p.raised,
        QPalette.ColorRole.ToolTipText: p.text,
        QPalette.ColorRole.PlaceholderText: p.muted,
        QPalette.ColorRole.Highlight: p.accent,
        QPalette.ColorRole.HighlightedText: p.background,
        QPalette.ColorRole.Link: p.accent,
    }
    for role, color in pairs.items():
        palette.setColor(role, QColor(color))
    return palette


# From one palette to the other


def _swap_in(widget: QtWidgets.QWidget, swap: Callable[[str], str]) -> None:
    """Change the colours in a widget's own style, in the HTML that it shows, and in its rows."""
    sheet = widget.styleSheet()
    if "#" in sheet and (changed := swap(sheet)) != sheet:
        widget.setStyleSheet(changed)
    if isinstance(widget, QtWidgets.QLabel) and widget.textFormat() == Qt.TextFormat.RichText and "#" in widget.text():
        widget.setText(swap(widget.text()))
    for brush, put in _brushes(widget):
        if brush.style() != Qt.BrushStyle.NoBrush and (new := swap(brush.color().name())) != brush.color().name():
            put(QBrush(QColor(new)))


def _brushes(widget: QtWidgets.QWidget) -> Iterator[tuple[QBrush, Callable[[QBrush], None]]]:
    """The colour of each row's words, and what sets it."""
    if isinstance(widget, QtWidgets.QListWidget):
        for row in range(widget.count()):
            yield widget.item(row).foreground(), widget.item(row).setForeground
    elif isinstance(widget, QtWidgets.QTableWidget):
        for row in range(widget.rowCount()):
            for column in range(widget.columnCount()):
                if (cell := widget.item(row, column)) is not None:
                    yield cell.foreground(), cell.setForeground
    elif isinstance(widget, QtWidgets.QTreeWidget):
        walk = QtWidgets.QTreeWidgetItemIterator(widget)
        while (item := walk.value()) is not None:
            for column in range(widget.columnCount()):
                yield item.foreground(column), partial(item.setForeground, column)
            walk += 1


@contextmanager
def styled_at_end() -> Iterator[None]:
    """Put widgets together without the style sheet, which is then applied once to all of them.

    Else each widget that is put into another is styled anew with everything in it, and a window takes twice as long.
    """
    app = QtWidgets.QApplication.instance()
    assert isinstance(app, QtWidgets.QApplication)
    style = app.styleSheet()
    app.setStyleSheet("")
    try:
        yield
    finally:
        app.setStyleSheet(style)
