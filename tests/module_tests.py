"""Where a module's tests are: `python -m tests.module_tests` lists the modules of which nobody can tell.

The tests of `cam.py` are in a file `test_cam.py`, or the last line of the module's docstring names the file that has
them: "Tests: `test_maps`." beside the others of its package, else with its path. `--write` adds this line, with the
file that imports the module or what uses it, and lies nearest.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import takewhile
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("training", "wce_desktop")
LINE = re.compile(r"Tests: `(?P<name>[\w/.]+)`\.")
WIDTH = 120


def code() -> list[PurePosixPath]:
    """All files of the program."""
    paths = (path for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py")))
    return [PurePosixPath(path.relative_to(ROOT).as_posix()) for path in paths]


def modules() -> list[PurePosixPath]:
    """Those that hold code of their own: neither packages nor entries."""
    return [path for path in code() if "__" not in str(path)]


@cache
def test_files() -> list[PurePosixPath]:
    """All files of tests."""
    return [PurePosixPath(path.relative_to(ROOT).as_posix()) for path in sorted((ROOT / "tests").rglob("test_*.py"))]


@cache
def _tree(path: PurePosixPath) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def named_tests(module: PurePosixPath) -> PurePosixPath | None:
    """The file that the module's name or docstring leads to, or None."""
    same = [path for path in test_files() if path.stem == f"test_{module.stem}"]
    if same:
        return same[0]
    found = LINE.search(ast.get_docstring(_tree(module)) or "")
    if found is None:
        return None
    name = found["name"]
    path = PurePosixPath(name if "/" in name else f"tests/{module.parent}/{name}.py")
    return path if path in test_files() else None


def without_tests() -> list[PurePosixPath]:
    """The modules of which neither name nor docstring tells where their tests are."""
    return [module for module in modules() if named_tests(module) is None]


@cache
def _imported(path: PurePosixPath) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
        elif isinstance(node, ast.Import):
            names |= {each.name for each in node.names}
    return names


@cache
def _importers() -> Mapping[str, set[PurePosixPath]]:
    """Dotted name of a module -> the files of tests and code that import it."""
    importers: dict[str, set[PurePosixPath]] = defaultdict(set)
    for path in (*test_files(), *code()):
        for name in _imported(path):
            importers[name].add(path)
    return importers


def _dotted(module: PurePosixPath) -> str:
    return ".".join(module.with_suffix("").parts).removesuffix(".__init__")


def _nearest(module: PurePosixPath) -> PurePosixPath | None:
    """The file of tests that imports the module, or what imports it, in as few steps as possible; of several the one
    whose folder has most in common, and that imports most of the module."""
    seen, level = {module}, {module}
    while level:
        level = {path for each in level for path in _importers().get(_dotted(each), ())} - seen
        seen |= level
        tests = [path for path in level if path.parts[0] == "tests"]
        if tests:
            return max(tests, key=lambda path: (_shared(path, module), _share(path, module), path.as_posix()))
    return None


def _shared(test: PurePosixPath, module: PurePosixPath) -> int:
    """How many folders both lie in."""
    pairs = zip(test.parts[1:-1], module.parts[:-1], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _share(test: PurePosixPath, module: PurePosixPath) -> float:
    """How much of what a file imports comes from the module."""
    names = _imported(test)
    return sum(name.startswith(_dotted(module)) for name in names) / len(names)


def _sentence(module: PurePosixPath, test: PurePosixPath) -> str:
    is_beside = test.parent == PurePosixPath("tests") / module.parent
    return f"Tests: `{test.stem if is_beside else test}`."


def _with_line(text: str, sentence: str) -> str:
    """The module's text, with a sentence at the end of its docstring."""
    docstring = ast.parse(text).body[0]
    lines = text.split("\n")
    assert isinstance(docstring, ast.Expr)
    assert docstring.end_lineno is not None
    last = docstring.end_lineno - 1
    if last == 0:
        told = lines[0].removesuffix('"""')
        whole = f'{told} {sentence}"""'
        lines[0] = whole if len(whole) <= WIDTH else f'{told}\n\n{sentence}\n"""'
    elif (
        lines[last].strip() == '"""' and len(lines[last - 1]) + len(sentence) < WIDTH and lines[last - 1][:1].isalpha()
    ):
        lines[last - 1] += f" {sentence}"
    else:
        lines[last] = lines[last].removesuffix('"""') + f'\n{sentence}\n"""'
    return "\n".join(lines)


def _written(missing: list[PurePosixPath]) -> Iterator[str]:
    for module in missing:
        test = _nearest(module)
        if test is None:
            yield f"{module}: no test imports it"
            continue
        path = ROOT / module
        path.write_text(_with_line(path.read_text(encoding="utf-8"), _sentence(module, test)), encoding="utf-8")


def main(arguments: list[str]) -> int:
    """List, or write; 1 where some are left."""
    missing = without_tests()
    left = list(_written(missing)) if arguments == ["--write"] else [str(module) for module in missing]
    print(*left, f"{len(left)} of {len(modules())} modules do not say where their tests are.", sep="\n")
    return int(bool(left))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
