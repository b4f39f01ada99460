"""The texts of `training` that the window shows: finished sentences, which `tr_finished` recognises and translates.

A formatted value becomes a numbered placeholder: f"{count} images of {name}" is "{1} images of {2}". Where a value is
one of several fixed texts, each makes a text of its own, so that "1 frame" and "2 frames" are two.
"""

import ast
import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

TRAINING = Path(__file__).resolve().parents[1] / "training"
LEFT_OUT = (
    "api/", "experiments", "phantom", "datasets/public", "datasets/image_folders", "metrics/retrieval",
    "commands/shell", "commands/benchmark", "commands/datasets", "commands/evaluate_neighbours", "commands/explain",
    "commands/index", "commands/neighbours", "commands/phantom", "commands/shell_reporter",
    "evaluation/embed_images", "evaluation/neighbour_labels", "reidentification/baselines",
    "reidentification/frame_classifier", "reidentification/frozen_training", "reidentification/voting",
    "retrieval/baselines", "retrieval/evaluation", "retrieval/paired_clips",
    "evaluation/guidelines", "evaluation/page", "evaluation/pictures", "evaluation/plots", "evaluation/tables",
    "evaluation/finding_detection", "evaluation/review_budget", "inference/explain_picture",
)  # fmt: skip
"""Modules whose texts nobody sees in the window: commands that only the shell runs, and pages and pictures of reports,
which are files and stay English."""
BUGS = (
    "losses", "transforms", "metrics", "optimisation", "methods/registry", "inference", "embeddings/writer",
    "embeddings/neighbour_filter", "embeddings/knn_votes", "models/network", "models/__init__", "models/clip_encoder",
    "models/masked_autoencoder", "reidentification/",
    "retrieval/clip_reading", "retrieval/clips", "retrieval/search", "runs/events", "video/field_of_view_search",
    "video/frame_cache", "video/packets/table", "video/source", "video/video_source", "projection/placing",
)  # fmt: skip
"""Modules whose ValueErrors are errors of the program, not of a setting or a file."""
CALLS_LEFT_OUT = {
    "Field", "AttributeError", "IndexError", "TypeError", "KeyError", "RuntimeError", "NotImplementedError",
    "AssertionError", "cast", "removeprefix", "startswith", "endswith", "fromhex", "compile", "search", "sub",
    "TypeVar", "warning", "debug", "write_text", "writerow",
}  # fmt: skip
"""Calls whose texts are not shown, or are collected from the settings that are made of them."""
OF_OTHERS = (
    "input should be greater than {1}", "input should be greater than or equal to {1}", "input should be less than {1}",
    "input should be less than or equal to {1}", "input should be a valid integer",
    "input should be a valid integer, unable to parse string as an integer",
    "input should be a valid integer, got a number with a fractional part", "input should be a valid number",
    "input should be a valid number, unable to parse string as a number", "input should be a finite number",
    "input should be a valid string", "input should be a valid boolean", "input should be a valid tuple",
    "input should be a valid boolean, unable to interpret input", "input should be a valid dictionary",
    "input should be {1}", "string should have at least {1} character", "string should have at least {1} characters",
    "string should have at most {1} characters", "string should match pattern {1}", "field required",
    "extra inputs are not permitted",
    "No such file or directory", "Permission denied", "No space left on device", "Read-only file system",
    "Is a directory", "Not a directory", "File exists", "Input/output error", "Too many open files",
    "File name too long", "Directory not empty", "Disk quota exceeded", "File too large", "Operation not permitted",
    "Device or resource busy", "Cannot allocate memory", "Stale file handle", "Connection timed out",
    "Invalid argument", "Transport endpoint is not connected",
    "Decrease least_redness, or exclude such frames.", "The index of neighbours cannot be stored in {1}.",
    "exact", "[Errno {1}] {2}", "sensitivity", " and ", " or ",
)  # fmt: skip
"""What pydantic says of a setting, and Linux of a file; words between the parts of a list, and nouns with numbers."""
NAMED = {"what", "unit", "title", "sentence", "kind"}
"""Arguments, parameters and names that hold a text even where it is one word."""
WORDS = re.compile(r"[A-Za-z]+\W?\s.*[a-z]{2,}|\{\d\}\W*\s\W*[a-z]{2,}|[a-z]{2,}\W*\s\W*\{\d\}", re.DOTALL)
NAMES_A_FILE = {"read_text", "read_npz", "read_arrays", "read_json_object", "regular_file", "stored_settings"}
"""Functions that are told what a file is called in an error."""
ONE_WORD = re.compile(r"[A-Za-z]+(?: \(\w+\))?")
MOST_VARIANTS = 16
OF_JOBS = ("jobs/crash.py", "jobs/child_process.py", "threads/job_thread.py")
"""Modules of `wce_desktop` that make outcomes of jobs, which are stored in English."""


def engine_texts() -> Iterator[str]:
    """Every text, in the order of the modules; some more than once."""
    for path in sorted(TRAINING.rglob("*.py")):
        name = path.relative_to(TRAINING).as_posix()
        if not name.startswith(LEFT_OUT):
            yield from _texts(path, CALLS_LEFT_OUT | ({"ValueError"} if name.startswith(BUGS) else set()))
    for name in OF_JOBS:
        yield from _texts(TRAINING.parent / "wce_desktop" / name, CALLS_LEFT_OUT)
    yield from OF_OTHERS


def _texts(path: Path, calls_left_out: Collection[str]) -> Iterator[str]:
    yield from _Module(ast.parse(path.read_text(encoding="utf-8")), calls_left_out).texts()


class _Module:
    def __init__(self, tree: ast.Module, calls_left_out: Collection[str]) -> None:
        self._tree = tree
        self._calls_left_out = calls_left_out
        self._assigned: dict[str, list[ast.expr]] = {}

    def texts(self) -> Iterator[str]:
        """The texts of the module."""
        yield from self._in(self._tree.body)

    def _in(self, nodes: Sequence[ast.AST]) -> Iterator[str]:
        for node in nodes:
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue  # a docstring
            if isinstance(node, ast.FunctionDef):
                self._assigned = {}
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Assign):
                        self._note(inner.targets[0], inner.value)
                defaults = [default for default in (*node.args.defaults, *node.args.kw_defaults) if default is not None]
                yield from self._in([*defaults, *node.decorator_list, *node.body])
                yield from _named_defaults(node)
            elif isinstance(node, ast.AnnAssign):
                yield from self._in([node.value] if node.value else [])
            elif isinstance(node, ast.Call) and _name(node.func) in self._calls_left_out:
                continue
            elif isinstance(node, ast.expr) and _is_text(node):
                yield from filter(_is_shown, self._written(node))
                yield from self._in(self._values(node))
            elif node is not None:
                yield from self._single(node)
                yield from self._in(list(ast.iter_child_nodes(node)))

    def _note(self, target: ast.expr, value: ast.expr) -> None:
        """Note what a name, or each of several, was given in this function."""
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = list(zip(target.elts, value.elts, strict=False))
        for name, given in pairs:
            if isinstance(name, ast.Name):
                self._assigned.setdefault(name.id, []).append(given)

    def _single(self, node: ast.AST) -> Iterator[str]:
        """Texts of one word, where a call or a name says that it is one."""
        if isinstance(node, ast.Call):
            given = [keyword.value for keyword in node.keywords if keyword.arg in NAMED]
            given += node.args[2:4] if _name(node.func) == "progress" else []
            given += node.args[1:] if _name(node.func) in NAMES_A_FILE else []
            yield from (text for one in given for text in _words(one))
        elif isinstance(node, ast.Assign) and _name(node.targets[0]) in NAMED:
            yield from _words(node.value)

    def _written(self, node: ast.expr) -> list[str]:
        """The texts that an expression can be, with numbered placeholders."""
        return [_numbered(parts) for parts in self._variants(node)]

    def _variants(self, node: ast.expr) -> list[list[str | None]]:
        """What an expression can be: fixed texts, and None for a value."""
        match node:
            case ast.Constant(value=str(text)):
                return [[text]]
            case ast.JoinedStr(values=parts):
                return self._product([self._variants(part) for part in parts])
            case ast.FormattedValue(value=value):
                return self._variants(value) if _holds_text(value) else self._of_name(value)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._product([self._variants(left), self._variants(right)])
            case ast.IfExp(body=body, orelse=orelse):
                return [*self._variants(body), *self._variants(orelse)]
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
                return [[part if at % 2 == 0 else None for at, part in enumerate(re.split(r"(\{\w*\})", text))]]
        return self._of_name(node)

    def _of_name(self, node: ast.expr) -> list[list[str | None]]:
        """What a name of the function stands for, where all that it was given are texts."""
        given = self._assigned.get(node.id, []) if isinstance(node, ast.Name) else []
        if not given or not all(_is_text(one) for one in given):
            return [[None]]
        kept, self._assigned = self._assigned, {}  # not what these are made of in turn
        found = [variant for one in given for variant in self._variants(one)]
        self._assigned = kept
        return found

    @staticmethod
    def _product(parts: list[list[list[str | None]]]) -> list[list[str | None]]:
        several = [part for part in parts if len(part) > 1]
        if _size(several) > MOST_VARIANTS:
            parts = [part if len(part) == 1 else [[None]] for part in parts]
        return [list(itertools.chain(*chosen)) for chosen in itertools.product(*parts)]

    def _values(self, node: ast.expr) -> list[ast.AST]:
        """What stands in the placeholders of a text: it may hold texts of its own."""
        match node:
            case ast.JoinedStr(values=parts):
                return [inner for part in parts for inner in self._values(part)]
            case ast.FormattedValue(value=value):
                return self._values(value) if _holds_text(value) else [value]
            case ast.BinOp(left=left, right=right):
                return [*self._values(left), *self._values(right)]
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return [test, *self._values(body), *self._values(orelse)]
            case ast.Call():
                return [*node.args, *node.keywords]
            case ast.Constant():
                return []
        return [node]


def _size(parts: Sequence[Sequence[object]]) -> int:
    size = 1
    for part in parts:
        size *= len(part)
    return size


def _numbered(parts: Sequence[str | None]) -> str:
    """The text with {1}, {2} … for its values; values side by side are one."""
    text, count, was_value = "", 0, False
    for part in parts:
        if part is None and not was_value:
            count += 1
            text += f"{{{count}}}"
        was_value = part is None or (was_value and not part)
        text += part or ""
    return text.removesuffix(": ").rstrip()


def _is_text(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _is_text(left) or _is_text(right)
        case ast.IfExp(body=body, orelse=orelse):
            return _is_text(body) and _is_text(orelse)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="format")):
            return True
    return False


def _holds_text(node: ast.expr) -> bool:
    """Whether a value is one of several fixed texts: `'s' if count != 1 else ''`."""
    return isinstance(node, ast.IfExp) and _is_text(node)


def _is_shown(text: str) -> bool:
    """Whether it reads as a text: words, not a name, a format or a part that begins in the middle of a sentence."""
    return bool(WORDS.search(text)) and not re.match(r"[\s,;)#]|from |bug\n", text) and " ," not in text


def _named_defaults(node: ast.FunctionDef) -> Iterator[str]:
    pairs = zip(node.args.args[::-1], node.args.defaults[::-1], strict=False)
    yield from (_constant(default) for argument, default in pairs if argument.arg in NAMED and _constant(default))


def _words(node: ast.expr) -> Iterator[str]:
    yield from filter(ONE_WORD.fullmatch, map(_constant, _alternatives(node)))


def _alternatives(node: ast.expr) -> list[ast.expr]:
    return [*_alternatives(node.body), *_alternatives(node.orelse)] if isinstance(node, ast.IfExp) else [node]


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _constant(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
