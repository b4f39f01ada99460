"""Theme and text size as the settings say; both follow the system unless the reader chose otherwise."""

from collections.abc import MutableMapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from wce_desktop.session.settings import Settings
from wce_desktop.widgets.theme import DARK, LIGHT, Palette, apply_theme

SCALE_VARIABLE = "QT_SCALE_FACTOR"


def palette_of(settings: Settings, scheme: Qt.ColorScheme) -> Palette:
    """The chosen palette; that of the system's `scheme` where none is chosen, dark where the system does not say."""
    if settings["theme"] == "system":
        return LIGHT if scheme == Qt.ColorScheme.Light else DARK
    return LIGHT if settings["theme"] == "light" else DARK


def show_theme(app: QApplication, settings: Settings) -> None:
    """Give all windows the chosen theme now."""
    hints = app.styleHints()
    if settings["theme"] == "system":
        hints.unsetColorScheme()
    palette = palette_of(settings, hints.colorScheme())
    if settings["theme"] != "system":  # title bars, which belong to the system
        hints.setColorScheme(Qt.ColorScheme.Light if palette is LIGHT else Qt.ColorScheme.Dark)
    apply_theme(app, palette)


def follow_system(app: QApplication, settings: Settings) -> None:
    """Change the theme when the system changes its own."""
    app.styleHints().colorSchemeChanged.connect(lambda _: show_theme(app, settings))


def scale_text(settings: Settings, environment: MutableMapping[str, str]) -> None:
    """Enlarge text and controls as chosen; call it before there is a QApplication.

    Qt applies the system's own text size and the scale of the screen; this comes on top. All is enlarged alike, so
    what fits at the usual size fits in a window that is as much larger.
    """
    factor = settings["text_percent"] / 100
    if factor != 1.0:
        before = environment.get(SCALE_VARIABLE, "")
        environment[SCALE_VARIABLE] = f"{factor * _number(before):g}"


def _number(text: str) -> float:
    try:
        return max(float(text), 0.1)
    except ValueError:
        return 1.0
