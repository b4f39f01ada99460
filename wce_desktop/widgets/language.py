"""The language of the window's texts.

A text is written in English where it is used and shown by `tr`; `docs/translate.py` collects them into
`resources/translations/wce_desktop_<language>.ts`, which Qt Linguist opens, and compiles the `.qm` that is loaded here.
"""

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from wce_desktop.session.places import resources_folder

CONTEXT = "wce_desktop"
"""Of all texts: the same English text has one translation."""
_loaded: list[QTranslator] = []


def tr(text: str, **values: object) -> str:
    """A text in the chosen language, with values for `{names}` in it: whole sentences, never parts of one."""
    translated = QCoreApplication.translate(CONTEXT, text)
    return translated.format(**values) if values else translated


def use_language(language: str) -> None:
    """Load the translation of the window's texts and of Qt's own, for windows that are made from now on.

    Args:
        language: "en", "de" or "system"; a language without translation shows English.
    """
    for translator in _loaded:
        QCoreApplication.removeTranslator(translator)
    _loaded.clear()
    name = QLocale.system().name().partition("_")[0] if language == "system" else language
    own = resources_folder() / "translations"
    qt = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for base, folder in (("wce_desktop", str(own)), ("qtbase", qt)):
        translator = QTranslator()
        if name != "en" and (own / f"wce_desktop_{name}.qm").is_file() and translator.load(f"{base}_{name}", folder):
            QCoreApplication.installTranslator(translator)
            _loaded.append(translator)
