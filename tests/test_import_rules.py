"""Who may import whom: the contracts of pyproject.toml, and what really gets loaded, each time in a fresh process."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEAVY = ("torch", "torchvision", "openvino", "sklearn", "openTSNE", "pytorch_metric_learning", "faiss")
QT = ("PySide6", "shiboken6", "pyqtgraph", "wce_desktop")
LIGHT = (
    "training.video",
    "training.datasets.manifest",
    "training.datasets.labels",
    "training.datasets.findings",
    "training.embeddings",
    "training.embeddings.file",
    "training.embeddings.writer",
    "training.models.config",
    "training.models.folder",
    "training.runs.events",
    "training.runs.reporter",
    "training.commands.child",
    "training.finetuning.config",
    "training.commands",
    "training.commands.score",
    "training.commands.studies",
    "training.commands.evaluate",
    "training.commands.serve",
    "training.inference.explanation",
    "training.service.answer_files",
    "training.service.requests",
    "training.service.service",
    "training.__main__",
    "training.errors",
)
"""What the window and the shell import before anything heavy is wanted."""


def loaded_by(statement: str, names: tuple[str, ...]) -> list[str]:
    """Which of `names` are loaded after a statement, in a process of its own."""
    code = f"import sys\n{statement}\nprint(*[name for name in {names!r} if name in sys.modules])"
    child = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert child.returncode == 0, child.stderr
    return child.stdout.split()


def modules_of(package: str) -> list[str]:
    """Every module of a package, by its files, without importing any."""
    files = sorted((ROOT / package).rglob("*.py"))
    parts = [file.relative_to(ROOT).with_suffix("").parts for file in files]
    return [".".join(names[:-1] if names[-1] == "__init__" else names) for names in parts]


def test_the_contracts_hold() -> None:
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    child = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False, timeout=150
    )
    assert child.returncode == 0, child.stdout + child.stderr
    assert "0 broken" in child.stdout
    assert "0 kept" not in child.stdout


def test_the_window_is_loaded_without_torch() -> None:
    names = (*HEAVY, "av", "matplotlib", "pandas", "scipy")
    assert loaded_by("import wce_desktop.shell.main_window, wce_desktop.shell.application", names) == []


def test_below_the_window_nothing_knows_qt() -> None:
    parts = ("wce_desktop.session", "wce_desktop.library", "wce_desktop.jobs", "wce_desktop.core")
    modules = [name for name in modules_of("wce_desktop") if name.startswith(parts) or ".model." in name]
    assert len(modules) > 40
    statement = f"import importlib\nfor name in {modules!r}: importlib.import_module(name)"
    assert loaded_by(statement, ("PySide6", "shiboken6", "pyqtgraph", "torch")) == []


def test_light_modules_of_training_stay_light() -> None:
    """One process for all; only where something was loaded are they tried one by one, to name who did it."""
    heavy = (*HEAVY, "av", "cv2", "h5py", *QT)
    statement = f"import importlib\nfor name in {LIGHT!r}: importlib.import_module(name)"
    found = loaded_by(statement, heavy)
    culprits = [name for name in LIGHT if found and loaded_by(f"import {name}", heavy)]
    assert not found, culprits


def test_all_of_training_never_loads_the_application_or_qt() -> None:
    modules = [name for name in modules_of("training") if not name.endswith("__main__")]
    assert len(modules) > 60
    statement = f"import importlib\nfor name in {modules!r}: importlib.import_module(name)"
    assert loaded_by(statement, QT) == []


def test_no_file_of_training_names_them_either() -> None:
    """Also not inside functions, where importing would not show."""
    named = []
    for file in sorted((ROOT / "training").rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if not any(name in text for name in QT):  # parsing takes long
            continue
        for node in ast.walk(ast.parse(text)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            named += [f"{file.name}: {name}" for name in names if name.split(".")[0] in QT]
    assert named == []


def test_openvino_is_imported_in_one_place_which_switches_its_telemetry_off() -> None:
    found = [
        path.relative_to(ROOT).as_posix()
        for folder in ("training", "wce_desktop", "tests")
        for path in (ROOT / folder).rglob("*.py")
        if any(name.split(".")[0] == "openvino" for name in _imported(path))
    ]
    assert found == ["training/compute/openvino.py"]


def _imported(path: Path) -> list[str]:
    """Modules that a file imports, anywhere in it; none where openvino is not named."""
    names: list[str] = []
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)) if "openvino" in text else ():
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.append(node.module)
    return names
