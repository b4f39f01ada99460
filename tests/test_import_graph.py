"""The import graph: no circle between rooms, none of many modules, no large folder. Imports in functions count too."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import grimp
import pytest

LARGEST_CIRCLE = 4
"""Modules; fewer may be one thing in several files."""
MOST_MODULES = 25
"""In one folder."""
UNTANGLED = ("training", "wce_desktop")
"""Packages whose rooms must not know each other in a circle."""

Graph = Mapping[str, frozenset[str]]


@cache
def module_graph(package: str) -> Graph:
    """Module -> modules of the same package that it imports anywhere, under TYPE_CHECKING and in functions too."""
    graph = grimp.build_graph(package, cache_dir=None)
    return {name: frozenset(graph.find_modules_directly_imported_by(name)) for name in sorted(graph.modules)}


def room_of(module: str, depth: int) -> str:
    """The folder of a module, at most `depth` below its package; a module beside the rooms stands for itself."""
    names = module.split(".")
    folder = names if any(other.startswith(f"{module}.") for other in module_graph(names[0])) else names[:-1]
    return ".".join(folder[: depth + 1]) if len(folder) > 1 else module


def room_graph(package: str, depth: int) -> Graph:
    """Room -> rooms that its modules import."""
    rooms: dict[str, set[str]] = {}
    for module, imported in module_graph(package).items():
        room = room_of(module, depth)
        rooms.setdefault(room, set()).update(room_of(other, depth) for other in imported)
    return {room: frozenset(others - {room}) for room, others in rooms.items()}


def circles(graph: Graph) -> list[list[str]]:
    """The strongly connected components of more than one node (Tarjan 1972)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_nodes: list[str] = []
    found = []

    def visit(node: str) -> None:
        number[node] = lowest[node] = len(number)
        open_nodes.append(node)
        for other in sorted(graph[node]):
            if other not in number:
                visit(other)
            if other in open_nodes:
                lowest[node] = min(lowest[node], lowest[other])
        if lowest[node] == number[node]:
            at = open_nodes.index(node)
            found.append(sorted(open_nodes[at:]))
            del open_nodes[at:]

    for node in graph:
        if node not in number:
            visit(node)
    return [component for component in found if len(component) > 1]


def test_circles_are_found() -> None:
    graph = {"a": "bd", "b": "c", "c": "a", "d": "e", "e": "df", "f": "", "g": "ag"}
    assert circles({node: frozenset(others) for node, others in graph.items()}) == [["d", "e"], ["a", "b", "c"]]


@pytest.mark.parametrize(("package", "depth"), [("training", 1), ("training", 2), ("wce_desktop", 1)])
def test_rooms_do_not_import_each_other_in_a_circle(package: str, depth: int) -> None:
    rooms = room_graph(package, depth)
    assert len(rooms) > 5
    assert circles(rooms) == []


@pytest.mark.parametrize("package", UNTANGLED)
def test_no_circle_of_many_modules(package: str) -> None:
    modules = module_graph(package)
    assert len(modules) > 100
    assert [circle for circle in circles(modules) if len(circle) > LARGEST_CIRCLE] == []


@pytest.mark.parametrize("package", UNTANGLED)
def test_folders_stay_small(package: str) -> None:
    root = Path(__file__).resolve().parents[1] / package
    folders = {folder for folder in root.rglob("*") if folder.is_dir()} | {root}
    sizes = {str(folder.relative_to(root)): len(list(folder.glob("*.py"))) for folder in folders}
    assert {name: size for name, size in sizes.items() if size > MOST_MODULES} == {}
