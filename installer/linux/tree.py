"""Lays a bundle out below a prefix, the same for every Linux package: `bin`, `lib/wce-desktop`, `share`."""

import platform
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from installer.editions import Edition
from installer.icons import SIZES_PX, SVG
from installer.linux.glibc import needed_glibc, releases
from installer.version import version

HERE = Path(__file__).resolve().parent
COMMANDS = ("wce-desktop", "wce-training")


@dataclass(frozen=True)
class Package:
    """A laid out tree and what its packages say about it."""

    edition: Edition
    prefix: Path
    """The folder that stands for `/usr` or `/usr/local`."""
    glibc: tuple[int, int]
    size_mb: int

    @property
    def file_name(self) -> str:
        """Of its packages, without the ending."""
        return f"wce-desktop-{self.edition.name}-{version()}-linux-{platform.machine()}"

    @property
    def words(self) -> Mapping[str, str]:
        """What the templates' names between `@` stand for."""
        return {
            "VERSION": version(),
            "TITLE": self.edition.title,
            "MACHINE": platform.machine(),
            "GLIBC": "{}.{}".format(*self.glibc),
            "RELEASES": releases(self.glibc),
            "REFRESH": (HERE / "refresh.sh").read_text(encoding="utf-8").strip(),
            "DATA": (HERE / "data.txt").read_text(encoding="utf-8").strip(),
        }


def fill(template: Path, words: Mapping[str, str]) -> str:
    """A template with `@NAME@` replaced; raises ValueError where a name has no value."""
    text = template.read_text(encoding="utf-8")
    for name, value in words.items():
        text = text.replace(f"@{name}@", value)
    if any(part.isupper() and part.isalpha() for part in text.split("@")[1::2]):
        raise ValueError(f"{template.name} names something that has no value")
    return text


def write_program(path: Path, text: str) -> None:
    """Write a script that can be started."""
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def lay_out(bundle: Path, icons: Path, edition: Edition, prefix: Path) -> Package:
    """Move a bundle below a new prefix, with everything that a desktop wants to know."""
    shutil.rmtree(prefix, ignore_errors=True)
    home = prefix / "lib" / "wce-desktop"
    home.mkdir(parents=True)
    shutil.copytree(bundle, home / "program", symlinks=True, copy_function=_link_or_copy)
    for name in ("LICENCES.txt", "sbom.cdx.json"):
        (home / name).symlink_to(f"program/_internal/{name}")
    package = Package(edition, prefix, needed_glibc(home), _megabytes(home))
    (prefix / "bin").mkdir()
    for name in COMMANDS:
        write_program(home / name, fill(HERE / "start.sh", package.words))
        (prefix / "bin" / name).symlink_to(f"../lib/wce-desktop/{name}")
    write_program(home / "uninstall.sh", fill(HERE / "uninstall.sh", package.words))
    _tell_the_desktop(icons, prefix / "share")
    return package


def _tell_the_desktop(icons: Path, share: Path) -> None:
    """Entry, icons in all sizes, and file types."""
    for source, folder in (("wce-desktop.desktop", "applications"), ("wce-desktop.xml", "mime/packages")):
        (share / folder).mkdir(parents=True)
        shutil.copy(HERE / source, share / folder / source)
    for side_px in SIZES_PX:
        place = share / "icons" / "hicolor" / f"{side_px}x{side_px}" / "apps"
        place.mkdir(parents=True)
        shutil.copy(icons / f"{side_px}x{side_px}.png", place / "wce-desktop.png")
    scalable = share / "icons" / "hicolor" / "scalable" / "apps"
    scalable.mkdir(parents=True)
    shutil.copy(SVG, scalable / "wce-desktop.svg")


def _link_or_copy(source: str, target: str) -> str:
    """A second name for the file where the disk can do that: the bundle is large."""
    try:
        Path(target).hardlink_to(source)
    except OSError:
        shutil.copy2(source, target)
    return target


def _megabytes(folder: Path) -> int:
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files) // 1_000_000 + 1
