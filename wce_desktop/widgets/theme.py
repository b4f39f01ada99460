"""The colours of the window: neutral greys and one accent."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

BACKGROUND = "#161616"
PANEL = "#1f1f1f"
RAISED = "#2b2b2b"
BORDER = "#3a3a3a"
TEXT = "#dcdcdc"
MUTED = "#a3a3a3"
SELECTED = "#2c3a44"
"""Behind the row that is highlighted in a list."""
PRIMARY = "#235c7d"
"""Behind the words of the main button, and behind marked text."""
PRESSED = "#3a3a3a"
ACCENT = "#56b4e9"
WARNING = "#e69f00"

BACKGROUNDS = (BACKGROUND, PANEL, RAISED, SELECTED, PRESSED)
TEXT_PAIRS = (
    *((color, behind) for color in (TEXT, MUTED, ACCENT, WARNING) for behind in BACKGROUNDS),
    (TEXT, PRIMARY),
)
"""Words and what they stand on: a contrast of at least 4.5 (WCAG 2.2, 1.4.3). Greyed-out words are exempt."""
MARK_PAIRS = tuple((color, behind) for color in (ACCENT, MUTED, WARNING) for behind in (BACKGROUND, PANEL, SELECTED))
"""Colours of dots, rings and lines that carry meaning: a contrast of at least 3 (WCAG 2.2, 1.4.11)."""

STYLE = f"""
QWidget {{ color: {TEXT}; background: {PANEL}; }}
QMainWindow, QMainWindow::separator {{ background: {BACKGROUND}; }}
QLabel {{ background: transparent; }}
QToolTip {{ color: {TEXT}; background: {RAISED}; border: 1px solid {BORDER}; padding: 4px; }}
QMenuBar {{ background: {BACKGROUND}; padding: 2px; }}
QMenuBar::item {{ background: transparent; padding: 4px 10px; border-radius: 4px; }}
QMenuBar::item:selected, QMenu::item:selected {{ background: {RAISED}; }}
QMenu {{ background: {PANEL}; border: 1px solid {BORDER}; padding: 4px; }}
QMenu::item {{ padding: 5px 28px 5px 20px; border-radius: 4px; }}
QMenu::item:disabled {{ color: #6a6a6a; }}
QMenu::separator {{ height: 1px; background: {BORDER}; margin: 4px 8px; }}
QPushButton, QToolButton {{
    background: {RAISED}; border: 1px solid {BORDER}; border-radius: 5px; padding: 5px 12px; }}
QToolButton {{ padding: 4px 8px; }}
QPushButton:hover, QToolButton:hover {{ border-color: {MUTED}; }}
QPushButton:pressed, QToolButton:pressed, QToolButton:checked {{ background: {PRESSED}; }}
QPushButton:checked {{ background: {PRIMARY}; border-color: {ACCENT}; }}
QPushButton:disabled, QToolButton:disabled {{ color: #6a6a6a; background: {PANEL}; }}
QPushButton:default, QPushButton[primary="true"] {{ background: {PRIMARY}; border-color: {ACCENT}; }}
QPushButton:default:disabled, QPushButton[primary="true"]:disabled {{ background: {PANEL}; border-color: {BORDER}; }}
*:focus {{ outline: none; }}
QPushButton:focus, QToolButton:focus, QLineEdit:focus, QComboBox:focus, QAbstractItemView:focus, QSpinBox:focus {{
    border: 1px solid {ACCENT}; }}
QCheckBox:focus, QRadioButton:focus {{ color: {ACCENT}; text-decoration: underline; }}
QLineEdit, QComboBox, QSpinBox, QDoubleSpinBox, QPlainTextEdit, QTextEdit {{
    background: {BACKGROUND}; border: 1px solid {BORDER}; border-radius: 5px; padding: 4px 6px;
    selection-background-color: {PRIMARY}; }}
QComboBox:disabled, QLineEdit:disabled, QPlainTextEdit:disabled {{ color: #6a6a6a; background: {PANEL}; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ width: 0; border: none; }}
QAbstractSpinBox QLineEdit {{ border: none; padding: 0 4px; }}
QAbstractItemView {{
    background: {PANEL}; border: 1px solid {PANEL}; selection-background-color: {SELECTED}; selection-color: {TEXT}; }}
QTableView::item {{ padding: 0 6px; }}
QHeaderView::section {{ background: {PANEL}; color: {MUTED}; border: none; padding: 4px 6px; }}
QTabWidget::pane {{ border: none; border-top: 1px solid {BORDER}; }}
QTabBar::tab {{ background: transparent; color: {MUTED}; padding: 7px 12px; border-bottom: 2px solid transparent; }}
QTabBar::tab:selected {{ color: {TEXT}; border-bottom-color: {ACCENT}; }}
QTabBar::tab:hover {{ color: {TEXT}; }}
QScrollBar {{ background: transparent; border: none; }}
QScrollBar:vertical {{ width: 10px; }}
QScrollBar:horizontal {{ height: 10px; }}
QScrollBar::handle {{ background: #474747; border-radius: 4px; margin: 1px; min-height: 24px; min-width: 24px; }}
QScrollBar::handle:hover {{ background: #5a5a5a; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QSplitter::handle {{ background: {BACKGROUND}; }}
QProgressBar {{ background: {BACKGROUND}; border: none; border-radius: 3px; max-height: 6px; }}
QProgressBar::chunk {{ background: {ACCENT}; border-radius: 3px; }}
QCheckBox::indicator, QTableView::indicator {{
    width: 11px; height: 11px; border: 1px solid {MUTED}; border-radius: 3px; background: {BACKGROUND}; }}
QCheckBox::indicator:checked, QTableView::indicator:checked {{ background: {ACCENT}; border-color: {ACCENT}; }}
QCheckBox::indicator:disabled, QTableView::indicator:disabled {{ border-color: {BORDER}; background: {PANEL}; }}
QCheckBox::indicator:checked:disabled {{ background: {MUTED}; border-color: {MUTED}; }}
QRadioButton::indicator {{ width: 10px; height: 10px; border: 1px solid {MUTED}; border-radius: 6px; }}
QRadioButton::indicator:checked {{ background: {ACCENT}; border-color: {ACCENT}; }}
QSlider::groove:horizontal {{ height: 4px; background: {BORDER}; border-radius: 2px; }}
QSlider::sub-page:horizontal {{ background: {ACCENT}; border-radius: 2px; }}
QSlider::handle:horizontal {{ width: 12px; margin: -5px 0; border-radius: 6px; background: {TEXT}; }}
QSlider::handle:horizontal:focus {{ background: {ACCENT}; }}
"""


def apply_theme(app: QApplication) -> None:
    """Apply the theme to the application; the colours of frames are not affected. Does nothing if it is applied."""
    if app.styleSheet() == STYLE:  # setting it again would lay out every widget again
        return
    app.setStyle("Fusion")
    palette = QPalette()
    pairs = {
        QPalette.ColorRole.Window: PANEL,
        QPalette.ColorRole.Base: BACKGROUND,
        QPalette.ColorRole.AlternateBase: RAISED,
        QPalette.ColorRole.Button: RAISED,
        QPalette.ColorRole.WindowText: TEXT,
        QPalette.ColorRole.Text: TEXT,
        QPalette.ColorRole.ButtonText: TEXT,
        QPalette.ColorRole.ToolTipBase: RAISED,
        QPalette.ColorRole.ToolTipText: TEXT,
        QPalette.ColorRole.PlaceholderText: MUTED,
        QPalette.ColorRole.Highlight: ACCENT,
        QPalette.ColorRole.HighlightedText: BACKGROUND,
    }
    for role, color in pairs.items():
        palette.setColor(role, QColor(color))
    app.setPalette(palette)
    app.setStyleSheet(STYLE)


@contextmanager
def styled_at_end() -> Iterator[None]:
    """Put widgets together without the style sheet, which is then applied once to all of them.

    Else each widget that is put into another is styled anew with everything in it, and a window takes twice as long.
    """
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    style = app.styleSheet()
    app.setStyleSheet("")
    try:
        yield
    finally:
        app.setStyleSheet(style)
