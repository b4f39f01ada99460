"""Words and marks can be told from what they stand on, in both themes, and all windows change from one to the other."""

import sys
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QDoubleSpinBox,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QSlider,
    QSpinBox,
    QStyle,
    QTabBar,
    QTextEdit,
    QToolButton,
    QTreeWidget,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

import wce_desktop
from wce_desktop.session.places import resources_folder
from wce_desktop.widgets import basic, frame_tile, theme
from wce_desktop.widgets.theme import DARK, LIGHT, ON_PICTURE, Palette, contrast
from wce_desktop.widgets.timeline import style

PALETTES = pytest.mark.parametrize("palette", [DARK, LIGHT], ids=["dark", "light"])


def test_the_measure_itself() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#979797", "#33424c") == pytest.approx(3.55, abs=0.01)


def text_pairs(palette: Palette) -> list[tuple[str, str]]:
    """Words and what they stand on: a contrast of at least 4.5 (WCAG 2.2, 1.4.3). Greyed-out words are exempt."""
    words = (palette.text, palette.muted, palette.accent, palette.warning)
    grounds = (palette.background, palette.panel, palette.raised, palette.selected, palette.pressed)
    regions = (palette.oesophagus, palette.stomach, palette.small_bowel, palette.colon)
    pairs = [(color, behind) for color in words for behind in grounds]
    return [*pairs, (palette.text, palette.primary), *((palette.text, behind) for behind in regions)]


def mark_pairs(palette: Palette) -> list[tuple[str, str]]:
    """Marks that carry meaning and what they stand on: a contrast of at least 3 (WCAG 2.2, 1.4.11)."""
    marks = (palette.accent, palette.muted, palette.warning)
    pairs = [(color, behind) for color in marks for behind in (palette.background, palette.panel, palette.selected)]
    lane = [(color, palette.background) for color in (palette.cursor, palette.threshold, palette.scale, palette.seen)]
    return [*pairs, *lane, (palette.seen, palette.not_seen), (palette.fast, palette.not_seen)]


@PALETTES
def test_words_have_contrast(palette: Palette) -> None:
    low = [(pair, contrast(*pair)) for pair in text_pairs(palette) if contrast(*pair) < 4.5]
    assert low == []


@PALETTES
def test_marks_have_contrast(palette: Palette) -> None:
    low = [(pair, contrast(*pair)) for pair in mark_pairs(palette) if contrast(*pair) < 3]
    assert low == []


def test_words_on_pictures_have_contrast() -> None:
    for color in (ON_PICTURE.text, ON_PICTURE.muted, ON_PICTURE.accent, ON_PICTURE.warning):
        assert contrast(color, ON_PICTURE.background) >= 4.5
        assert contrast(color, ON_PICTURE.panel) >= 4.5


def test_a_colour_can_be_told_from_all_others() -> None:
    """Else it could not be replaced by that of the other palette wherever it stands."""
    colors = [*astuple(DARK), *astuple(LIGHT), *astuple(ON_PICTURE)]
    assert sorted(color for color in colors if colors.count(color) > 1) == []
    classes = (resources_folder() / "labels" / "default.json").read_text(encoding="utf-8").lower()
    assert not [color for color in colors if color in classes]


def test_rows_take_their_colours_from_the_theme() -> None:
    """A colour of the theme that is written out elsewhere would not follow it."""
    named = (theme.COLORS.selected, theme.COLORS.muted, theme.COLORS.primary, theme.COLORS.panel)
    folder = Path(wce_desktop.__file__).parent
    for path in folder.rglob("*.py"):
        if path.name != "theme.py":
            text = path.read_text(encoding="utf-8")
            assert not [color for color in named if color in text], path


@pytest.fixture
def app(qapp: QApplication) -> Iterator[QApplication]:
    theme.apply_theme(qapp, DARK)
    yield qapp
    theme.apply_theme(qapp, DARK)


def test_all_that_is_shown_changes_with_the_theme(qtbot: QtBot, app: QApplication) -> None:
    note, rows = basic.make_note("a note"), QListWidget()
    qtbot.addWidget(note)
    qtbot.addWidget(rows)
    item = QListWidgetItem("a row", rows)
    item.setForeground(QColor(theme.COLORS.muted))
    lane = style.LANE
    theme.apply_theme(app, LIGHT)
    assert LIGHT.muted in note.styleSheet()
    assert item.foreground().color() == QColor(LIGHT.muted)
    assert (LIGHT.muted, LIGHT.text) == (theme.COLORS.muted, theme.COLORS.text)
    assert lane is style.LANE
    assert lane == QColor(LIGHT.background)
    assert QColor(LIGHT.panel) == app.palette().window().color()
    theme.apply_theme(app, DARK)
    assert DARK.muted in note.styleSheet()
    assert lane == QColor(DARK.background)


def test_a_change_of_theme_rewrites_no_module(app: QApplication) -> None:
    """Constants that modules hold are theirs: colours are read where they are painted."""
    modules = [module for name, module in sys.modules.items() if name.startswith("wce_desktop.")]
    before = {(module.__name__, name): id(value) for module in modules for name, value in vars(module).items()}
    theme.apply_theme(app, LIGHT)
    after = {(module.__name__, name): id(value) for module in modules for name, value in vars(module).items()}
    assert before == after


def test_the_tile_of_the_query_follows_the_theme(app: QApplication) -> None:
    """Its border is as bright as words are."""
    for palette in (DARK, LIGHT):
        theme.apply_theme(app, palette)
        image = QImage(60, 60, QImage.Format.Format_RGB32)
        tile = frame_tile.FrameTile("study", 1, "", "", "query")
        with QPainter(image) as painter:
            frame_tile.paint_tile(painter, image.rect(), tile, None)
        assert QColor(palette.text).rgb() in {image.pixel(x, 30) for x in range(12)}


@PALETTES
def test_classes_of_any_colour_can_be_seen(palette: Palette, app: QApplication) -> None:
    theme.apply_theme(app, palette)
    for color in ("#f0e442", "#56b4e9", "#000000", "#ffffff", "#0072b2", "#e69f00", "#808080"):
        assert contrast(theme.legible(color).name(), palette.background) >= 3
    if palette is DARK:
        assert theme.legible("#f0e442") == QColor("#f0e442"), "what can be seen stays as it is"


def controls() -> list[QWidget]:
    """One of each kind that takes the focus."""
    tabs, primary, checked = QTabBar(), QPushButton("primary"), QPushButton("checked")
    for title in ("one", "two"):
        tabs.addTab(title)
    primary.setProperty("primary", True)
    checked.setCheckable(True)
    checked.setChecked(True)
    texts = [QLineEdit(readOnly=True), QPlainTextEdit(readOnly=True), QTextEdit(readOnly=True)]  # no cursor is shown
    buttons = [
        QPushButton("button"),
        primary,
        checked,
        QToolButton(),
        QCheckBox("box"),
        QRadioButton("radio"),
    ]
    return [*buttons, *texts, tabs, QComboBox(), QSpinBox(), QDoubleSpinBox(), QListWidget(), QTreeWidget(), QSlider()]


@PALETTES
def test_the_focus_can_be_seen(qtbot: QtBot, palette: Palette, app: QApplication) -> None:
    theme.apply_theme(app, palette)
    window, made = QWidget(), controls()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    for control in made:
        if isinstance(control, QSlider):
            control.setOrientation(Qt.Orientation.Horizontal)
        column.addWidget(control)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    unseen = []
    for control, other in zip(made, made[1:] + made[:1], strict=True):
        other.setFocus(Qt.FocusReason.TabFocusReason)
        before = control.grab().toImage()
        control.setFocus(Qt.FocusReason.TabFocusReason)
        if control.grab().toImage() == before:
            unseen.append(type(control).__name__)
    assert unseen == []


@PALETTES
@pytest.mark.parametrize("is_enabled", [True, False], ids=["enabled", "disabled"])
def test_a_checked_box_has_a_tick(qtbot: QtBot, palette: Palette, is_enabled: bool, app: QApplication) -> None:
    """Colour alone would not tell it from an empty box."""
    theme.apply_theme(app, palette)
    box = QCheckBox()
    qtbot.addWidget(box)
    box.setChecked(True)
    box.setEnabled(is_enabled)
    box.show()
    image = box.grab().toImage()
    colors = {image.pixelColor(x, y).name() for x in range(2, 11) for y in range(image.height())}
    fill = palette.accent if is_enabled else palette.muted
    assert fill in colors
    assert any(contrast(color, fill) > 4 for color in colors), colors


def test_buttons_of_dialogs_have_words_and_no_icons(qtbot: QtBot) -> None:
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
    qtbot.addWidget(box)
    box.setStyleSheet(theme._style(DARK))
    hint = QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons
    assert not box.style().styleHint(hint, None, box)
