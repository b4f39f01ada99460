"""An AppImage: one file that starts by itself: a small program (the runtime), and behind it a SquashFS of the tree.

The runtime is no package of any registry: https://github.com/AppImage/type2-runtime/releases has it (`runtime-x86_64`),
and any other AppImage begins with one.
"""

import shutil
import struct
from pathlib import Path

from installer.environment import BuildError, run, tool
from installer.linux.tree import HERE, Package

ADDRESS = "https://github.com/AppImage/type2-runtime/releases"
LICENCE = HERE / "appimage-runtime.txt"
"""The licence of the runtime, which is no part of the bundle and its lists."""
RUN = """#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
name=$(basename "${ARGV0:-wce-desktop}")
[ "$name" = wce-training ] || name=wce-desktop
exec "$here/usr/bin/$name" "$@"
"""
"""`ARGV0` is what the AppImage was called as: a link called wce-training starts the command line."""


def read_runtime(file: Path) -> bytes:
    """The runtime at the beginning of a file, which may be an AppImage; `BuildError` where there is none."""
    if not file.is_file():
        raise BuildError(f"There is no {file}; an AppImage runtime is at {ADDRESS}.")
    with file.open("rb") as source:
        head = source.read(64)
        if len(head) < 64 or head[:6] != b"\x7fELF\x02\x01" or head[8:11] != b"AI\x02":
            raise BuildError(f"{file} is no AppImage runtime for 64 bits; one is at {ADDRESS}.")
        # A program ends with its table of sections; behind it AppImages have their SquashFS.
        (table,) = struct.unpack_from("<Q", head, 40)
        entry, count = struct.unpack_from("<HH", head, 58)
        source.seek(0)
        return source.read(table + entry * count)


def make_folder(package: Package) -> Path:
    """Lay out the AppDir."""
    folder = package.prefix.parent / "AppDir"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(package.prefix, folder / "usr", symlinks=True)
    (folder / "usr" / "lib" / "wce-desktop" / "uninstall.sh").unlink()
    (folder / "AppRun").write_text(RUN, encoding="utf-8")
    (folder / "AppRun").chmod(0o755)
    for file in (HERE / "wce-desktop.desktop", LICENCE):
        shutil.copy(file, folder)
    shutil.copy(folder / "usr/share/icons/hicolor/256x256/apps/wce-desktop.png", folder)
    (folder / ".DirIcon").symlink_to("wce-desktop.png")
    return folder


def write_appimage(package: Package, folder: Path, runtime: Path, *, is_quick: bool) -> Path:
    """Write NAME.AppImage into a folder; `is_quick`: larger, for a test."""
    packer = tool("mksquashfs", "install squashfs-tools")
    start = read_runtime(runtime)
    tree = make_folder(package)
    squashed = package.prefix.parent / "squashed"
    squashed.unlink(missing_ok=True)
    options = (
        ("-comp", "gzip", "-Xcompression-level", "1") if is_quick else ("-comp", "zstd", "-Xcompression-level", "19")
    )
    run([packer, tree, squashed, "-root-owned", "-noappend", "-no-progress", "-quiet", *options])
    target = folder / f"{package.file_name}.AppImage"
    with target.open("wb") as file:
        file.write(start)
        with squashed.open("rb") as source:
            shutil.copyfileobj(source, file)
    target.chmod(0o755)
    squashed.unlink()
    shutil.rmtree(tree)
    return target
