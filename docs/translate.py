"""Collects the texts of the window for translators.

    python docs/translate.py             update resources/translations/*.ts and list what is not translated
    python docs/translate.py --missing   list the texts of the window that cannot be translated yet

What is translated: the tables of actions, menus, settings and refused keys, the report's template and text blocks,
every literal that is given to `tr`, `tr_count` and `counted`, to `Text`, `count_text` and errors, constants that are
given to `tr` by their names, the descriptions of the settings of a training, and the literals of `training` that read
as sentences. What only shell commands show is left out.
"""

import ast
import json
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from training.texts import source_of  # noqa: E402
from wce_desktop.core.clock import counted_forms  # noqa: E402
from wce_desktop.core.language import count_forms, form_key, read_translations  # noqa: E402

FOLDER = ROOT / "resources" / "translations"
SHOWN_BY = {
    "make_button", "make_note", "make_heading", "make_list", "make_slider", "PlainLabel", "RichLabel", "QPushButton",
    "QCheckBox", "QRadioButton", "QToolButton", "QLabel", "setText", "setToolTip", "setWindowTitle", "setTitle",
    "setPlaceholderText", "addTab", "addRow", "addItem", "set_tip", "set_words", "show_message", "show_error",
    "UserError", "NothingToDoError", "addButton", "setAccessibleName",
}  # fmt: skip
"""Calls whose literal arguments are texts on the screen."""

LEFT_OUT = (
    "api/", "experiments", "phantom", "datasets/public", "metrics/retrieval",
    "commands/__init__", "commands/neighbours", "commands/organs", "commands/shell",
    "commands/shell_reporter", "commands/studies", "evaluation/neighbour_labels",
    "reidentification/frame_classifier", "retrieval/evaluation", "retrieval/paired_clips",
    "evaluation/guidelines", "evaluation/page", "evaluation/pictures", "evaluation/tripod",
    "evaluation/findings_and_budget", "inference/explain_picture",
)  # fmt: skip
"""Modules whose texts nobody sees in the window: commands that only the shell runs, and pages and pictures of reports,
which are files and stay English."""
NOT_LEFT_OUT = ("datasets/public/labelled_table.py",)
"""Among these: what the window reads itself."""
BUGS = (
    "losses", "transforms", "metrics", "optimisation", "methods/registry", "inference", "embeddings/writer",
    "embeddings/neighbour", "embeddings/knn", "models/network", "models/__init__", "models/clip_encoder",
    "reidentification/", "retrieval/clips", "runs/events",
    "video/packets/table", "video/source", "video/video_source", "projection/placing",
)  # fmt: skip
"""Modules whose ValueErrors are errors of the program, not of a setting or a file."""
CALLS_LEFT_OUT = {
    "AttributeError", "Field", "IndexError", "TypeError", "KeyError", "RuntimeError", "NotImplementedError",
    "AssertionError", "cast", "removeprefix", "startswith", "endswith", "fromhex", "compile", "search", "sub",
    "TypeVar", "warning", "debug", "write_text", "writerow",
}  # fmt: skip
"""Calls whose texts are not shown, or are collected from the settings that are made of them."""
OF_OTHERS = (
    "No such file or directory", "Permission denied", "No space left on device", "Read-only file system",
    "Is a directory", "Not a directory", "File exists", "Input/output error", "Too many open files",
    "File name too long", "Directory not empty", "Disk quota exceeded", "File too large", "Operation not permitted",
    "Device or resource busy", "Cannot allocate memory", "Stale file handle", "Connection timed out",
    "Invalid argument", "Transport endpoint is not connected",
    "exact", "sensitivity", "setting",
)  # fmt: skip
"""What Linux says of a file, and nouns."""
WORDS = re.compile(r"[A-Za-z]+\W?\s.*[a-z]{2,}", re.DOTALL)
OF_PROGRAM = ("ValueError", "KeyError", "FileNotFoundError", "ImportError", "SecurityError", "ArgumentTypeError")
"""In the window's modules these are errors of the program, or give their texts to `tr`."""
NAMED = {"what", "unit", "title", "sentence", "kind"}
"""Arguments, parameters and names that hold a text even where it is one word."""
NAMES_A_FILE = {"read_text", "read_npz", "read_arrays", "read_json_object", "regular_file", "stored_settings"}
"""Functions that are told what a file is called in an error."""
ONE_WORD = re.compile(r"[A-Za-z]+(?: \(\w+\))?")


def table_texts() -> Iterator[str]:
    """The texts of the tables: actions, menus, settings, and why a key cannot be used."""
    from wce_desktop.features.audit.wordings import KINDS, OWN_WORDS
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
    yield json.loads((ROOT / "resources" / "models" / "starter" / "card.json").read_text(encoding="utf-8"))["about"]
    yield from ("Normal", "Undo", "Redo", *KINDS, *OWN_WORDS)


def setting_texts() -> Iterator[str]:
    """What the Train window says of the settings of every method."""
    from wce_desktop.session.parameters import title_of
    from wce_desktop.session.presets import TASKS, methods, task_parameters

    for task in TASKS:
        for method in methods(task):
            for parameter in task_parameters(task, method):
                yield from (parameter.help, title_of(parameter.name))


def report_texts() -> Iterator[str]:
    """The texts of the built-in report template, and the text blocks that are shipped."""
    folder = ROOT / "resources" / "report"
    for page in sorted(folder.glob("*.html")):
        yield from re.findall(r'"([^"]+)"\|tr\b', page.read_text(encoding="utf-8"))
    for block in json.loads((folder / "text-blocks.json").read_text(encoding="utf-8"))["blocks"]:
        yield from (block["title"], block["text"])


@cache
def tree_of(path: Path) -> ast.Module:
    """A module's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"))


def calls() -> Iterator[tuple[Path, ast.Call, str]]:
    """Every call in the window's modules, with the name of what is called."""
    for path in sorted((ROOT / "wce_desktop").rglob("*.py")):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Call) and name_of(node.func) not in OF_PROGRAM:
                is_of_commands = path.name.endswith(("_cli.py", "screen.py")) and name_of(node.func) == "UserError"
                if not is_of_commands:
                    yield path, node, name_of(node.func)


def given(node: ast.Call, name: str) -> Iterator[str]:
    """The texts that a call gives to translators."""
    if name in ("tr", "to_translate"):
        yield from map(literal, node.args[:1])
    elif name == "names_to_translate":
        yield from literal(node.args[0]).split(", ")
    elif name == "Text" or (name.endswith("Error") and name not in CALLS_LEFT_OUT):
        texts_given = 1 if name == "Text" else 2
        sources = [text for argument in node.args[:texts_given] for text in alternatives(argument)]
        yield from map(source_of, sources) if len(node.args) > texts_given else sources
    else:
        yield from pair(node, name)


def pair(node: ast.Call, name: str) -> tuple[str, ...]:
    """The two texts of a call about a number."""
    if name == "tr_count":
        return tuple(map(literal, node.args[:2]))
    if name == "count_text":
        return tuple(source_of(literal(each)) for each in node.args[:2])
    if name in ("counted", "counted_text") and (noun := literal(node.args[1])):
        return counted_forms(noun)
    return ()


def name_of(node: ast.expr) -> str:
    """The name of what is called, assigned or imported."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def literal(node: ast.expr) -> str:
    """The text of a literal; "" for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def alternatives(node: ast.expr) -> list[str]:
    """The literals that an expression can be."""
    if isinstance(node, ast.IfExp):
        return [*alternatives(node.body), *alternatives(node.orelse)]
    if isinstance(node, ast.BoolOp):
        return [text for value in node.values for text in alternatives(value)]
    return [literal(node)] if literal(node) else []


def training_texts() -> Iterator[str]:
    """What `training` says while it works: templates, literals that read as sentences, and names of what it counts."""
    for path in sorted((ROOT / "training").rglob("*.py")):
        name = path.relative_to(ROOT / "training").as_posix()
        if name in NOT_LEFT_OUT or not name.startswith(LEFT_OUT):
            left_out = CALLS_LEFT_OUT | ({"ValueError"} if name.startswith(BUGS) else set())
            yield from _said_in(tree_of(path), left_out)
    for name in ("jobs/child_process.py", "threads/job.py"):
        yield from _said_in(tree_of(ROOT / "wce_desktop" / name), CALLS_LEFT_OUT)
    yield from OF_OTHERS


def _said_in(node: ast.AST, left_out: Collection[str]) -> Iterator[str]:
    if isinstance(node, ast.Call):
        name = name_of(node.func)
        if name in left_out:
            return
        if texts := [text for text in given(node, name) if text]:
            yield from texts
            for part in node.args:
                if not alternatives(part):
                    yield from _said_in(part, left_out)
            return
        named = [keyword.value for keyword in node.keywords if keyword.arg in NAMED]
        named += node.args[2:4] if name == "progress" else node.args[1:] if name in NAMES_A_FILE else []
        yield from (text for one in named for text in alternatives(one) if ONE_WORD.fullmatch(text))
    elif isinstance(node, ast.Assign) and name_of(node.targets[0]) in NAMED:
        yield from filter(ONE_WORD.fullmatch, alternatives(node.value))
    elif isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return  # a name, or a docstring
    elif isinstance(node, ast.Constant):
        text = literal(node)
        if WORDS.search(text) and not re.match(r"[\s,;)#]|from |bug\n", text) and " ," not in text:
            yield re.sub(r"\{(\w+):[^{}]+\}", r"{\1}", text).removesuffix(": ").rstrip()
    for child in _children(node):
        yield from _said_in(child, left_out)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node but annotations."""
    for name, part in ast.iter_fields(node):
        if name not in ("annotation", "returns") and not (isinstance(node, ast.Subscript) and name == "slice"):
            yield from (each for each in (part if isinstance(part, list) else [part]) if isinstance(each, ast.AST))


def texts() -> list[str]:
    """All translatable texts, each once: of the tables, of the window's modules, of `training`."""
    written = [text for _, node, name in calls() for text in given(node, name)]
    constants = [text for path in sorted((ROOT / "wce_desktop").rglob("*.py")) for text in _constants(path)]
    every = (*table_texts(), *written, *constants, *setting_texts(), *training_texts())
    return list(dict.fromkeys(text for text in every if text))


def plurals() -> dict[str, str]:
    """The text of several -> the text of one, of every text about a number."""
    found: dict[str, str] = {}
    for root in ("training", "wce_desktop"):
        for path in sorted((ROOT / root).rglob("*.py")):
            for node in ast.walk(tree_of(path)):
                if isinstance(node, ast.Call) and all(forms := pair(node, name_of(node.func))):
                    found |= {forms[1]: forms[0]} if forms else {}
    return found


def _constants(path: Path) -> Iterator[str]:
    """The values of constants that a module gives to `tr` by their names."""
    tree = tree_of(path)
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


def write(path: Path, language: str, sources: list[str], ones: dict[str, str]) -> int:
    """Write a .ts file with these texts, keeping what is translated; returns how many are not."""
    known = read_translations(path) if path.is_file() else {}
    root = ET.Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = ET.SubElement(root, "context")
    ET.SubElement(context, "name").text = "wce_desktop"
    missing = 0
    for source in sources:
        message = ET.SubElement(context, "message")
        ET.SubElement(message, "source").text = source
        if source in ones:
            message.set("numerus", "yes")
            ET.SubElement(message, "comment").text = ones[source]
        translation = ET.SubElement(message, "translation")
        if source in ones:
            forms = _forms(known, source, ones[source], count_forms(language))
            for form in forms:
                ET.SubElement(translation, "numerusform").text = form
            is_known = all(forms)
        else:
            translation.text = known.get(source, "")
            is_known = bool(translation.text)
        if not is_known:
            translation.set("type", "unfinished")
            missing += 1
    ET.indent(root, " ")
    path.write_text(ET.tostring(root, encoding="unicode", xml_declaration=False) + "\n", encoding="utf-8")
    return missing


def _forms(known: Mapping[str, str], many: str, one: str, count: int) -> list[str]:
    """The translations of a text about a number."""
    if count < 3:
        return [known.get(one, ""), known.get(many, "")][-count:]
    return [known.get(form_key(many, form), "") for form in range(count)]


def sources() -> tuple[list[str], dict[str, str]]:
    """The texts of a .ts file, and for those about a number the text of one, which has no message of its own."""
    ones, every = plurals(), texts()
    alone = {
        text
        for _, node, name in calls()
        if name in ("tr", "to_translate", "names_to_translate")
        for text in given(node, name)
    }
    apart = set(ones.values()) - alone - set(ones)
    return [text for text in every if text not in apart], {many: one for many, one in ones.items() if many in every}


def main(arguments: list[str]) -> int:
    """Run the command line."""
    if arguments == ["--missing"]:
        found = list(untranslatable())
        for place, text in found:
            print(f"{place}: {text}")
        print(f"{len(found)} texts cannot be translated yet; {len(texts())} can.")
        return 0
    for path in sorted(FOLDER.glob("*.ts")):
        missing = write(path, path.stem.rpartition("_")[2], *sources())
        print(f"{path.name}: {missing} texts without translation")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
