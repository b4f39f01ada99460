"""Theme and text size as the settings say; both follow the system unless the reader chose otherwise.

Chooses the language of the window's texts (`core/language.py`) and of Qt's own.
"""

from collections.abc import MutableMapping

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication

from wce_desktop.core.annotation.vocabulary import with_class_names
from wce_desktop.core.language import read_translations, tr, use_translations
from wce_desktop.session.places import resources_folder
from wce_desktop.session.settings import Settings
from wce_desktop.widgets.theme import DARK, LIGHT, Palette, apply_theme

_loaded: list[QTranslator] = []


class _KeyNames(QTranslator):
    """Names the Return key as the window's texts do, in shortcuts, too: Qt's German leaves it English."""

    def isEmpty(self) -> bool:
        """Qt asks no empty translator."""
        return False

    def translate(self, context: str, source: str, disambiguation: str | None = None, n: int = -1) -> str | None:
        """The name of the key; None: ask the other translators."""
        return tr("Return") if (context, source) == ("QShortcut", "Return") else None


def use_language(language: str) -> None:
    """Load the translation of the window's texts and of Qt's own, for windows that are made from now on.

    Args:
        language: "en", "de" or "system"; a language without translation shows English.
    """
    for translator in _loaded:
        QCoreApplication.removeTranslator(translator)
    _loaded.clear()
    name = QLocale.system().name().partition("_")[0] if language == "system" else language
    own = resources_folder() / "translations" / f"wce_desktop_{name}.ts"
    is_translated = name != "en" and own.is_file()
    use_translations(with_class_names(read_translations(own)) if is_translated else {})
    QLocale.setDefault(QLocale(name if is_translated else "en"))  # boxes for numbers take its marks
    translator = QTranslator()
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if is_translated and translator.load(f"qtbase_{name}", folder):
        _loaded.extend((translator, _KeyNames()))
        for each in _loaded:
            QCoreApplication.installTranslator(each)


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
