"""Measures the structure of the code: `python -m tests.house [CHECKOUT ...]` prints one table with a column for each.

A checkout is a folder that holds `training` and `wce_desktop`; without one, this one is measured.
"""

from __future__ import annotations

import ast
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

PACKAGES = ("training", "wce_desktop")
SMALL_MODULE = 60
"""Lines."""
FINDING_COLUMNS = ("relevance", "size_mm")
OTHER_NAMES = ("found", "said", "made", "known", "one")
"""Of values, which say nothing of what they hold."""
LEARNERS = (
    "knn",
    "linear",
    "logistic",
    "fitting",
    "refit",
    "classifier_only",
    "live_head",
    "frozen_training",
    "nearest",
)
"""Names of modules that fit or apply kNN, linear or logistic classifiers."""


@dataclass(frozen=True)
class Module:
    """One file of Python code and its tree."""

    path: Path
    """Relative to the checkout."""
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def lines(self) -> int:
        return len(self.text.splitlines())

    @property
    def name(self) -> str:
        return ".".join(self.path.with_suffix("").parts).removesuffix(".__init__")

    def nodes(self, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
        return (node for node in ast.walk(self.tree) if isinstance(node, kinds))

    @cached_property
    def import_lines(self) -> int:
        return sum(_height(node) for node in self.nodes(ast.Import, ast.ImportFrom))

    @cached_property
    def docstring_lines(self) -> int:
        """Those of strings that stand alone, and of comments."""
        strings = sum(_height(node) for node in self.nodes(ast.Expr) if _is_text(node))
        return strings + sum(line.lstrip().startswith("#") for line in self.text.splitlines())

    @cached_property
    def blank_lines(self) -> int:
        return sum(not line.strip() for line in self.text.splitlines())

    @cached_property
    def imported(self) -> set[str]:
        """Names of the modules that this one imports; a name that is imported from a package may be one."""
        modules: set[str] = set()
        for node in self.nodes(ast.Import, ast.ImportFrom):
            if isinstance(node, ast.ImportFrom):
                modules |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
            elif isinstance(node, ast.Import):
                modules |= {alias.name for alias in node.names}
        return modules

    @cached_property
    def function_heights(self) -> list[int]:
        return [_height(node) for node in self.nodes(ast.FunctionDef, ast.AsyncFunctionDef)]

    def mentions(self, word: str) -> bool:
        """Whether a name, a key or an attribute of the module is `word`."""
        names = {getattr(node, "id", getattr(node, "attr", getattr(node, "arg", None))) for node in ast.walk(self.tree)}
        return word in names | {node.value for node in self.nodes(ast.Constant) if isinstance(node, ast.Constant)}


def _height(node: ast.AST) -> int:
    return (getattr(node, "end_lineno", 0) or 0) - getattr(node, "lineno", 0) + 1


def _is_text(node: ast.AST) -> bool:
    value = getattr(node, "value", None)
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


class House:
    """The modules of a checkout."""

    def __init__(self, checkout: Path) -> None:
        self.checkout = checkout
        self.modules = [
            Module(path.relative_to(checkout), path.read_text("utf-8"))
            for package in PACKAGES
            for path in sorted((checkout / package).rglob("*.py"))
        ]
        self.named = [module for module in self.modules if module.path.name != "__init__.py"]

    @property
    def lines(self) -> int:
        return sum(module.lines for module in self.modules)

    @property
    def code_lines(self) -> int:
        """Without docstrings, comments, blank lines and imports."""
        return self.lines - sum(
            module.docstring_lines + module.blank_lines + module.import_lines for module in self.modules
        )

    @property
    def import_share(self) -> str:
        return f"{sum(module.import_lines for module in self.modules) / self.lines:.1%}"

    @property
    def one_importer(self) -> int:
        importers = Counter(name for module in self.modules for name in module.imported)
        return sum(importers[module.name] == 1 for module in self.named)

    @property
    def small_modules(self) -> int:
        return sum(module.lines < SMALL_MODULE for module in self.named)

    @property
    def repeated_names(self) -> str:
        counts = Counter(module.path.stem for module in self.named)
        repeated = {name: count for name, count in counts.items() if count > 2}
        return f"{len(repeated)}, most {max(repeated.values(), default=0)}"

    @property
    def function_p90(self) -> int:
        heights = [height for module in self.modules for height in module.function_heights]
        return round(statistics.quantiles(heights, n=10)[-1])

    @property
    def column_files(self) -> str:
        """Files that name a column of a finding."""
        counts = (sum(module.mentions(column) for module in self.modules) for column in FINDING_COLUMNS)
        return ", ".join(f"{count} (`{column}`)" for count, column in zip(counts, FINDING_COLUMNS, strict=True))

    def definitions(self, name: str) -> int:
        """Functions of this name at the top of a module."""
        return sum(
            isinstance(node, ast.FunctionDef) and node.name == name
            for module in self.modules
            for node in module.tree.body
        )

    @property
    def learner_files(self) -> int:
        return sum(module.path.stem in LEARNERS for module in self.named)

    @property
    def experiment_lines(self) -> int:
        return sum(module.lines for module in self.modules if module.path.parts[:2] == ("training", "experiments"))

    @property
    def other_names(self) -> int:
        """Assignments, loops and parameters whose name says nothing of the value."""
        stored = (node for module in self.modules for node in module.nodes(ast.Name, ast.arg))
        return sum(
            (isinstance(node, ast.arg) and node.arg in OTHER_NAMES)
            or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in OTHER_NAMES)
            for node in stored
        )

    @property
    def any_dicts(self) -> int:
        return sum(module.text.count("dict[str, Any]") for module in self.modules)

    @property
    def public_names(self) -> int:
        """Names that `import training` offers."""
        command = "import training; print(len(getattr(training, '__all__', [])))"
        ended = subprocess.run(
            [sys.executable, "-c", command], cwd=self.checkout, capture_output=True, text=True, check=True
        )
        return int(ended.stdout)


FIGURES: dict[str, Callable[[House], object]] = {
    "lines": lambda house: f"{house.lines:,}",
    "lines without docstrings, comments, blanks, imports": lambda house: f"{house.code_lines:,}",
    "modules": lambda house: len(house.named),
    "folders with modules": lambda house: len({module.path.parent for module in house.modules}),
    "import lines": lambda house: house.import_share,
    "modules with one importer": lambda house: house.one_importer,
    f"modules under {SMALL_MODULE} lines": lambda house: house.small_modules,
    "file names that stand more than twice": lambda house: house.repeated_names,
    "90th percentile of a function's lines": lambda house: house.function_p90,
    "files that name a column of a finding": lambda house: house.column_files,
    "definitions of `guard`, `local_time`": lambda house: (
        f"{house.definitions('guard')}, {house.definitions('local_time')}"
    ),
    "lines of `training.experiments`": lambda house: f"{house.experiment_lines:,}",
    "files of kNN, linear and logistic learners": lambda house: house.learner_files,
    f"values called {', '.join(OTHER_NAMES)}": lambda house: f"{house.other_names:,}",
    "`dict[str, Any]`": lambda house: house.any_dicts,
    "names that `import training` offers": lambda house: house.public_names,
}


def main(checkouts: list[Path]) -> None:
    """Print the figures of each checkout side by side."""
    houses = [House(checkout.resolve()) for checkout in checkouts]
    print("| figure |", " | ".join(house.checkout.name for house in houses), "|")
    print("|---" * (len(houses) + 1) + "|")
    for title, figure in FIGURES.items():
        print(f"| {title} |", " | ".join(str(figure(house)) for house in houses), "|")


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]] or [Path(__file__).parents[1]])
