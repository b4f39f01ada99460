"""Where libraries that are no Python packages come from, and their licences."""

import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

from installer.environment import BuildError

TABLE = Path(__file__).resolve().parent / "native.toml"
COMMON = Path("/usr/share/doc")


def bare_name(file_name: str) -> str:
    """`x264` for `libx264-d6533a8d.so.165`, `avcodec` for `avcodec-62-ab12.dll`."""
    stem = re.split(r"\.(?:so|dll|dylib|pyd|abi3)\b", file_name)[0]
    stem = re.sub(r"(?:-\d+)*-[0-9a-f]{6,}(?=[.-]|$).*$|(?:-\d+)+$|\.\d[\d.]*$", "", stem)
    return stem.removeprefix("lib").rstrip("-_")


class NativeLibraries:
    """The table of `native.toml`."""

    def __init__(self) -> None:
        rows = tomllib.loads(TABLE.read_text(encoding="utf-8"))["library"]
        self._rows = [(re.compile(row["files"]), row) for row in rows]

    def find(self, file_name: str) -> dict[str, str] | None:
        """The row of a file, None where there is none."""
        return next((row for row in self._rows_of(file_name) if "contains" not in row), None)

    def linked_into(self, file: Path) -> list[dict[str, str]]:
        """The rows of libraries that are part of a file; reads it only if there may be any."""
        rows = [row for row in self._rows_of(file.name) if "contains" in row]
        content = file.read_bytes() if rows else b""
        return [row for row in rows if row["contains"].encode() in content]

    def _rows_of(self, file_name: str) -> list[dict[str, str]]:
        name = bare_name(file_name)
        return [row for pattern, row in self._rows if pattern.fullmatch(name)]


@cache
def system_package(source: str) -> tuple[str, str, str, str]:
    """(package, version, licence, its text) of a library of the Debian that builds; `BuildError` on another system."""
    for path in dict.fromkeys((source, str(Path(source).resolve()), source.removeprefix("/usr"))):
        found = _output("dpkg", "-S", path)
        if found:
            package = found.split(":")[0].split(",")[0]
            version = (
                _output("dpkg-query", "-W", "-f=${Version}", package)
                or _output("dpkg-query", "-W", "-f=${Version}\n", package + ":*").partition("\n")[0]
            )
            file = COMMON / package / "copyright"
            if file.is_file():
                text = file.read_text(encoding="utf-8", errors="replace")
                names = dict.fromkeys(re.findall(r"^License: *(\S[^\n]*)", text, flags=re.MULTILINE))
                return package, version, "; ".join(names) or "see its text", text
    raise BuildError(f"The licence of {source} is not known; build on Debian or Ubuntu, whose packages tell it.")


def _output(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""
