"""Chooses the language of the window's texts (`core/language.py`) and of Qt's own."""

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from wce_desktop.core.annotation.vocabulary import with_class_names
from wce_desktop.core.language import read_translations, use_translations
from wce_desktop.session.places import resources_folder

_loaded: list[QTranslator] = []


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
        QCoreApplication.installTranslator(translator)
        _loaded.append(translator)
