"""The documentation: its generated parts name everything there is, and what must be listed is listed."""

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from training.commands import COMMANDS
from training.datasets.public.catalogue import DATA_SETS
from training.experiments.reproduce.intrator_rows import INTRATOR_TABLES
from training.experiments.reproduce.triplet_tables import TABLES
from training.experiments.reproduce.vats import VATS_TABLES
from training.experiments.reproduce.xiang_rows import XIANG_TABLES
from wce_desktop.session.actions import ACTIONS
from wce_desktop.session.settings import SETTINGS

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    """The module that mkdocs calls; it lies beside the pages and is no part of a package."""
    spec = importlib.util.spec_from_file_location("docs_generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_place_in_a_page_is_filled(generate: ModuleType) -> None:
    found: dict[str, str] = {}
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        found |= dict.fromkeys(generate.PLACE.findall(text), page.name)
        assert "<!-- generated:" not in generate.PLACE.sub("", text), page
    assert set(found) == set(generate.GENERATORS)


def test_every_command_has_a_section_with_its_settings(generate: ModuleType) -> None:
    text = generate.training_commands()
    for name in set(COMMANDS) - generate.HIDDEN:
        assert f"\n### {name}\n" in f"\n{text}"
        assert f"Usage: python -m training {name} " in text
    assert "| `margin` | `0.2` |" in text
    assert str(Path.home()) not in text, "a default must not be a path of this machine"


def test_every_command_of_the_window_has_a_section(generate: ModuleType) -> None:
    text = generate.window_commands()
    assert [line for line in text.splitlines() if line.startswith("### ")] == [
        "### wce-desktop",
        "### wce-desktop import",
        "### wce-desktop import-embeddings",
        "### wce-desktop export",
        "### wce-desktop restore",
        "### wce-desktop check",
        "### wce-desktop check-report",
        "### wce-desktop library create",
        "### wce-desktop library copy",
        "### wce-desktop library allow",
        "### wce-desktop library upgrade",
    ]
    assert text.count("usage: wce-desktop") == 11
    assert str(Path.home()) not in text


def test_every_key_and_setting_is_listed(generate: ModuleType) -> None:
    keys, settings = generate.keys(), generate.window_settings()
    assert [row.action_id for row in ACTIONS if f"| {row.title} |" not in keys] == []
    assert [one.key for one in SETTINGS if f"| {one.title} |" not in settings] == []


def test_every_data_set_is_described(generate: ModuleType) -> None:
    page = (ROOT / "docs" / "reference" / "data-sets.md").read_text(encoding="utf-8")
    assert [name for name in DATA_SETS if f"`{name}`" not in page] == []
    assert generate.data_sets().count("`") == 2 * len(DATA_SETS)


def test_the_page_on_the_papers_names_places_and_tables_that_there_are() -> None:
    text = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    lines = [line.strip("|\n").split("|") for line in text.splitlines() if line.startswith("|")]
    assert {len(cells) for cells in lines} == {3}, "paper and section, ours, where"
    places = {place for _, _, where in lines for place in re.findall(r"`([a-z_]+/[a-z_./]*)`", where)}
    assert len(places) > 30
    assert [place for place in sorted(places) if not (ROOT / "training" / place).exists()] == []
    tables: set[str] = set()
    for paper, others in re.findall(r"`reproduce ([a-z]+)(-\w+`(?:, `-\w+`)*)", text):
        tables |= {f"{paper}{name}" for name in re.findall(r"-\w+", others)}
    assert tables == {*TABLES, *VATS_TABLES, *INTRATOR_TABLES, *XIANG_TABLES}


def test_the_script_for_a_gpu_computes_every_table() -> None:
    text = (ROOT / "docs" / "measurements" / "gpu.sh").read_text(encoding="utf-8")
    tables = re.search(r'^tables="([^"]+)"', text, re.MULTILINE)
    assert tables is not None
    assert sorted(tables[1].split()) == sorted((*TABLES, *VATS_TABLES, *INTRATOR_TABLES, *XIANG_TABLES))


def test_the_licence_of_every_dependency_is_listed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (ROOT / "docs" / "reference" / "licences.md").read_text(encoding="utf-8")
    names = [re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in project["dependencies"]]
    assert [name for name in names if f"\n| {name} " not in page and f"\n| {name}, " not in page] == []


def test_the_readme_is_short_and_its_links_lead_somewhere() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    linked = [target.partition("#")[0] for target in re.findall(r"\]\(([^)]+)\)", text) if "://" not in target]
    assert [target for target in linked if not (ROOT / target).exists()] == []
