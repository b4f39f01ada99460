"""The program with its Python and its libraries in one folder, by PyInstaller."""

import shutil
import sys
from pathlib import Path

from installer.editions import Edition
from installer.environment import run, tool

INSTALLER = Path(__file__).resolve().parent


def make_icons(python: Path, folder: Path) -> None:
    """Draw the icons, with the PySide6 of the edition's environment."""
    shutil.rmtree(folder, ignore_errors=True)
    run([python, "-m", "installer.icons", folder], QT_QPA_PLATFORM="offscreen")


def make_bundle(python: Path, edition: Edition, icons: Path, work: Path) -> Path:
    """Make the folder and write what is in it (`LICENCES.txt`, `sbom.cdx.json`); returns the folder.

    Args:
        python: of the edition's environment (`make_environment`).
        edition: what is left out.
        icons: see `make_icons`.
        work: PyInstaller's folder, which also gets the bundle; what is in it is removed.
    """
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    run(  # with -P and elsewhere: what is bundled is the installed wheel, not the checkout
        [python, "-P", "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", "--distpath", work,
         "--workpath", work / "work", INSTALLER / "wce_desktop.spec"],
        work,
        WCE_EDITION=edition.name, WCE_ICONS=str(icons),
    )  # fmt: skip
    bundle = work / "wce-desktop"
    if sys.platform == "linux":
        strip_symbols(bundle)
    if sys.platform != "win32":
        for folder in (bundle, work / "wce_desktop.app" / "Contents" / "MacOS"):
            if folder.is_dir():
                (folder / "wce-training").symlink_to("wce-desktop")
    run([python, "-m", "installer.contents", bundle, work / "work" / "wce_desktop", edition.name])
    return bundle


def strip_symbols(bundle: Path) -> None:
    """Take the names that only debuggers read out of extension modules; some packages are ten times as large with them.

    Libraries in a folder `*.libs` stay: they were changed after linking, and `strip` would damage them.
    """
    files = (path for path in bundle.rglob("*.so*") if path.is_file() and not path.is_symlink())
    stripped = [path for path in files if not any(part.endswith(".libs") for part in path.parts)]
    run([tool("strip", "install binutils"), "--strip-unneeded", *stripped])
