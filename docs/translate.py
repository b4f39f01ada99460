"""Collects the texts of the window for translators.

    python docs/translate.py             update resources/translations/*.ts and list what is not translated
    python docs/translate.py --missing   list the texts of the window that cannot be translated yet

What is translated: the tables of actions, menus, settings and refused keys, the report's template and text blocks,
every literal that is given to `tr`, `tr_count` and `counted`, constants that are given to `tr` by their names, the
descriptions of the settings of a training, and what `training` says while it works (`docs/engine_texts.py`, which also
says what of it is left out).
"""

import ast
import json
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

from engine_texts import engine_texts  # noqa: E402

from wce_desktop.core.clock import counted_forms  # noqa: E402
from wce_desktop.core.language import read_translations  # noqa: E402

FOLDER = ROOT / "resources" / "translations"
SHOWN_BY = {
    "make_button", "make_note", "make_heading", "make_list", "make_slider", "PlainLabel", "RichLabel", "QPushButton",
    "QCheckBox", "QRadioButton", "QToolButton", "QLabel", "setText", "setToolTip", "setWindowTitle", "setTitle",
    "setPlaceholderText", "addTab", "addRow", "addItem", "set_tip", "set_words", "show_message", "show_error",
    "UserError", "NothingToDoError", "addButton", "setAccessibleName",
}  # fmt: skip
"""Calls whose literal arguments are texts on the screen."""


def table_texts() -> Iterator[str]:
    """The texts of the tables: actions, menus, settings, and why a key cannot be used."""
    from wce_desktop.session import keys
    from wce_desktop.session.actions import ACTIONS, MENUS
    from wce_desktop.session.settings import SETTINGS

    yield from MENUS
    for row in ACTIONS:
        if not row.action_id.startswith("label_"):
            yield row.title
        yield row.tip
        if row.group.is_submenu:
            yield row.group.title
    for setting in SETTINGS:
        if setting.is_in_dialog:
            yield from filter(None, (setting.title, setting.help, setting.unit, *setting.titles.values()))
    yield from keys.reasons()
    yield from report_texts()
    yield from ("Normal", "Undo", "Redo")


def setting_texts() -> Iterator[str]:
    """What the Train window says of the settings of every method."""
    from wce_desktop.session.presets import TASKS, methods, task_parameters

    for task in TASKS:
        for method in methods(task):
            yield from (parameter.help for parameter in task_parameters(task, method))


def report_texts() -> Iterator[str]:
    """The texts of the built-in report template, and the text blocks that are shipped."""
    folder = ROOT / "resources" / "report"
    for page in sorted(folder.glob("*.html")):
        yield from re.findall(r'"([^"]+)"\|tr\b', page.read_text(encoding="utf-8"))
    for block in json.loads((folder / "text-blocks.json").read_text(encoding="utf-8"))["blocks"]:
        yield from (block["title"], block["text"])


def calls() -> Iterator[tuple[Path, ast.Call, str]]:
    """Every call in the window's modules, with the name of what is called."""
    for path in sorted((ROOT / "wce_desktop").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                yield path, node, name


def given(node: ast.Call, name: str) -> Iterator[str]:
    """The texts that a call gives to translators."""
    if name in ("tr", "to_translate"):
        yield from map(literal, node.args[:1])
    elif name == "tr_count":
        yield from map(literal, node.args[:2])
    elif name == "counted":
        yield from (form for noun in map(literal, node.args[1:2]) if noun for form in counted_forms(noun))


def literal(node: ast.expr) -> str:
    """The text of a literal; "" for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def texts() -> list[str]:
    """All translatable texts, each once: of the tables, of the window's modules, of `training`."""
    written = [text for _, node, name in calls() for text in given(node, name)]
    constants = [text for path in sorted((ROOT / "wce_desktop").rglob("*.py")) for text in _constants(path)]
    every = (*table_texts(), *written, *constants, *setting_texts(), *engine_texts())
    return list(dict.fromkeys(text for text in every if text))


def _constants(path: Path) -> Iterator[str]:
    """The values of constants that a module gives to `tr` by their names."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    wanted = {
        node.args[0].id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "tr" and isinstance(node.args[0], ast.Name)
    }
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in wanted:
            yield literal(node.value)


def untranslatable() -> Iterator[tuple[str, str]]:
    """Where a text on the screen is not given to `tr`: place and text."""
    for path, node, name in calls():
        if name in SHOWN_BY:
            for argument in node.args:
                parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
                text = " … ".join(filter(None, map(literal, parts)))
                if sum(char.isalpha() for char in text) > 1:
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", text


def write(path: Path, language: str, sources: list[str]) -> int:
    """Write a .ts file with these texts, keeping what is translated; returns how many are not."""
    known = read_translations(path) if path.is_file() else {}
    root = ET.Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = ET.SubElement(root, "context")
    ET.SubElement(context, "name").text = "wce_desktop"
    for source in sources:
        message = ET.SubElement(context, "message")
        ET.SubElement(message, "source").text = source
        translation = ET.SubElement(message, "translation")
        translation.text = known.get(source, "")
        if not translation.text:
            translation.set("type", "unfinished")
    ET.indent(root, " ")
    path.write_text(ET.tostring(root, encoding="unicode", xml_declaration=False) + "\n", encoding="utf-8")
    return sum(not known.get(source) for source in sources)


def main(arguments: list[str]) -> int:
    """Run the command line."""
    if arguments == ["--missing"]:
        found = list(untranslatable())
        for place, text in found:
            print(f"{place}: {text}")
        print(f"{len(found)} texts cannot be translated yet; {len(texts())} can.")
        return 0
    for path in sorted(FOLDER.glob("*.ts")):
        missing = write(path, path.stem.rpartition("_")[2], texts())
        print(f"{path.name}: {missing} texts without translation")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
