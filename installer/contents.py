"""What a bundle holds: every file is traced to its origin, for the SBOM and for the one file of licences.

Runs in the edition's environment, after PyInstaller: `python -m installer.contents BUNDLE WORK EDITION`.
"""

import ast
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

from installer.environment import BuildError
from installer.licence_texts import UNKNOWN, licence_of, texts_of
from installer.native import NativeLibraries, system_package
from installer.needed_files import SYSTEM
from installer.version import ROOT


@dataclass
class Component:
    """Something that is shipped, with a licence of its own."""

    name: str
    version: str
    licence: str
    """An SPDX expression where there is one, otherwise the publisher's words."""
    kind: str
    """python, native (inside a wheel), system (of the machine that built it), or program."""
    home: str = ""
    copyright: str = ""
    within: str = ""
    """The package that brought it along."""
    texts: list[str] = field(default_factory=list)
    files: set[str] = field(default_factory=set)
    """Names in the bundle, and in front of a "!" the archive of modules."""


def listed(work: Path) -> Iterator[tuple[str, str, str]]:
    """(name in the bundle, source file, kind) of all that PyInstaller put there, from its own lists."""
    for entry in _read(work / "COLLECT-00.toc"):
        yield entry[0], entry[1], entry[2]
    for name, source, kind, *_ in _read(work / "PYZ-00.toc"):
        yield f"modules!{name}", source, kind


def _read(toc: Path) -> Iterator[tuple[str, ...]]:
    """The entries of one list, however deeply it nests them."""

    def walk(value: Any) -> Iterator[tuple[str, ...]]:
        if isinstance(value, list):
            for part in value:
                yield from walk(part)
        elif isinstance(value, tuple):
            if len(value) >= 3 and all(isinstance(part, str) for part in value[:3]):
                yield value
            else:
                for part in value:
                    yield from walk(part)

    return walk(ast.literal_eval(toc.read_text(encoding="utf-8")))


class Contents:
    """Finds the component of each file."""

    def __init__(self, installed: Iterable[Distribution] = ()) -> None:
        """`installed`: the packages to look in; all that are installed where none is named."""
        self.components: dict[str, Component] = {}
        self._native = NativeLibraries()
        self._owners: dict[str, Distribution] = {}
        for distribution in installed or distributions():
            folder = os.path.realpath(str(distribution.locate_file("")))
            for file in distribution.files or ():
                self._owners[os.path.normpath(os.path.join(folder, str(file)))] = distribution  # noqa: PTH118 (many files)

    def add(self, name: str, source: str, kind: str) -> None:
        """Trace one file; `BuildError` where nobody knows its licence."""
        if kind == "SYMLINK":
            return  # a second name of a file that is listed itself
        owner = self._owners.get(os.path.realpath(source))
        if owner is not None:
            self._of_distribution(owner).files.add(name)
            if kind == "BINARY":
                self._add_libraries(name, Path(source), owner.name)
        elif source.startswith(SYSTEM) and not source.startswith(sys.base_prefix + "/"):
            self._of_system(source).files.add(name)
        elif source.startswith((sys.base_prefix, sys.prefix)):
            self._python().files.add(name)
        elif source in {"", "-"}:
            return  # a folder of modules without a file of its own
        elif kind == "EXECUTABLE" or name == "base_library.zip" or Path(source).is_relative_to(ROOT / "installer"):
            self._of_program(name).files.add(name)
        else:
            raise BuildError(f"Nobody knows where {source} is from: it belongs to no package.")

    def _add_libraries(self, name: str, source: Path, owner: str) -> None:
        """Trace a binary file of a package to the library that it is, and to those that are linked into it."""
        native = self._native.find(source.name)
        if native is None and any(folder.endswith(".libs") for folder in source.parts[:-1]):
            raise BuildError(f"{name} (of {owner}) is not in installer/native.toml: its licence is not known.")
        for library in (*([native] if native else ()), *self._native.linked_into(source)):
            self._of_native(library, owner).files.add(name)

    def _of_distribution(self, found: Distribution) -> Component:
        if found.name not in self.components:
            if (licence := licence_of(found)) == UNKNOWN:
                raise BuildError(f"{found.name} does not state its licence; look at its files, and add it to BY_TEXT.")
            self.components[found.name] = Component(
                found.name, found.version, licence, "python", f"https://pypi.org/project/{found.name}",
                texts=texts_of(found),
            )  # fmt: skip
        return self.components[found.name]

    def _of_native(self, native: dict[str, str], within: str) -> Component:
        key = f"{native['name']} in {within}"
        if key not in self.components:
            self.components[key] = Component(
                native["name"], "", native["licence"], "native", native["home"], native["copyright"], within
            )
        return self.components[key]

    def _of_system(self, source: str) -> Component:
        package, version, licence, text = system_package(source)
        if package not in self.components:
            self.components[package] = Component(package, version, licence, "system", texts=[text])
        return self.components[package]

    def _python(self) -> Component:
        version = ".".join(map(str, sys.version_info[:3]))
        if "Python" not in self.components:
            text = next((path for path in _python_licences() if path.is_file()), None)
            texts = [text.read_text(encoding="utf-8")] if text else [_copyright()]
            self.components["Python"] = Component(
                "Python", version, "PSF-2.0", "program", "https://www.python.org", texts=texts
            )
        return self.components["Python"]

    def _of_program(self, name: str) -> Component:
        """What PyInstaller makes itself: its start program, and the archive of Python's own modules."""
        if name == "base_library.zip":
            return self._python()
        return self.components.setdefault(
            "PyInstaller bootloader",
            Component(
                "PyInstaller bootloader", "", "GPL-2.0-or-later WITH Bootloader-exception", "program",
                "https://pyinstaller.org", "2010-2026 PyInstaller Development Team",
            ),
        )  # fmt: skip


def _python_licences() -> list[Path]:
    base = Path(sys.base_prefix)
    return [base / "LICENSE.txt", base / f"lib/python3.{sys.version_info[1]}/LICENSE.txt"]


def _copyright() -> str:
    return f"{sys.copyright}\nThe licence: https://docs.python.org/3/license.html"


def main(bundle: Path, work: Path, edition: str) -> None:
    """Write both files into the bundle, and check them against what is really there."""
    from installer.licence_file import licence_file
    from installer.sbom import check, follows_schema, write_sbom

    contents = Contents()
    for name, source, kind in listed(work):
        contents.add(name, source, kind)
    components = sorted(contents.components.values(), key=lambda one: (one.name.lower(), one.within))
    inside = bundle / "_internal"
    (inside / "LICENCES.txt").write_text(licence_file(components, edition), encoding="utf-8")
    write_sbom(components, edition, inside / "sbom.cdx.json")
    if not follows_schema(inside / "sbom.cdx.json"):
        raise BuildError("The SBOM does not follow the schema of CycloneDX.")
    if missing := check(bundle):
        raise BuildError("The lists of what is shipped are not complete:\n" + "\n".join(missing))


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
    except BuildError as error:
        sys.exit(str(error))
