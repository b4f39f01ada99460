"""An AppImage: one file that starts by itself: a small program (the runtime), and behind it a SquashFS of the tree.

The runtime is no package of any registry: https://github.com/AppImage/type2-runtime/releases has it (`runtime-x86_64`).
Without one only the folder is made that the file would hold.
"""

import shutil
from pathlib import Path

from installer.environment import run, tool
from installer.linux.tree import HERE, Package

RUN = """#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/usr/bin/wce-desktop" "$@"
"""


def make_folder(package: Package) -> Path:
    """Lay out the AppDir."""
    folder = package.prefix.parent / "AppDir"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(package.prefix, folder / "usr", symlinks=True)
    (folder / "usr" / "lib" / "wce-desktop" / "uninstall.sh").unlink()
    (folder / "AppRun").write_text(RUN, encoding="utf-8")
    (folder / "AppRun").chmod(0o755)
    shutil.copy(HERE / "wce-desktop.desktop", folder)
    shutil.copy(folder / "usr/share/icons/hicolor/256x256/apps/wce-desktop.png", folder)
    (folder / ".DirIcon").symlink_to("wce-desktop.png")
    return folder


def write_appimage(package: Package, folder: Path, runtime: Path, *, is_quick: bool) -> Path:
    """Write NAME.AppImage into a folder; `is_quick`: larger, for a test."""
    packer = tool("mksquashfs", "install squashfs-tools")
    tree = make_folder(package)
    squashed = package.prefix.parent / "squashed"
    squashed.unlink(missing_ok=True)
    options = (
        ("-comp", "gzip", "-Xcompression-level", "1") if is_quick else ("-comp", "zstd", "-Xcompression-level", "19")
    )
    run([packer, tree, squashed, "-root-owned", "-noappend", "-no-progress", "-quiet", *options])
    target = folder / f"{package.file_name}.AppImage"
    with target.open("wb") as file:
        for part in (runtime, squashed):
            with part.open("rb") as source:
                shutil.copyfileobj(source, file)
    target.chmod(0o755)
    squashed.unlink()
    shutil.rmtree(tree)
    return target
