"""The package for Debian and Ubuntu."""

import os
import shutil
from pathlib import Path

from installer.environment import run, tool
from installer.linux.tree import HERE, Package, fill, write_program
from installer.version import version

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
NAMES = {"reading": "wce-desktop", "full": "wce-desktop-full"}
DEPENDS = "libegl1, libgl1, fontconfig-config, fonts-dejavu-core | fonts-liberation | fonts-noto-core"
"""What Qt takes from the system: OpenGL, which belongs to the graphics driver, and fonts."""


def control(package: Package, machine: str) -> str:
    """The package's description of itself."""
    name = NAMES[package.edition.name]
    other = next(one for one in NAMES.values() if one != name)
    return (
        f"Package: {name}\n"
        f"Version: {version()}\n"
        f"Architecture: {ARCHITECTURES.get(machine, machine)}\n"
        "Maintainer: The wce_desktop contributors <wce-desktop@example.org>\n"
        f"Installed-Size: {package.size_mb * 1000}\n"
        f"Depends: libc6 (>= {package.words['GLIBC']}), {DEPENDS}\n"
        f"Conflicts: {other}\n"
        f"Replaces: {other}\n"
        "Section: science\n"
        "Priority: optional\n"
        f"Description: capsule endoscopy studies, {package.edition.title}\n"
        f" {package.edition.summary[0].upper()}{package.edition.summary[1:]}.\n"
        " Research use only, not for diagnosis.\n"
    )


def write_deb(package: Package, folder: Path, *, is_quick: bool) -> Path:
    """Write NAME.deb into a folder; `is_quick`: larger, for a test."""
    builder = tool("dpkg-deb", "install dpkg")
    root = package.prefix.parent / "deb"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(package.prefix, root / "usr", symlinks=True, copy_function=os.link)
    (root / "usr" / "lib" / "wce-desktop" / "uninstall.sh").unlink()  # dpkg removes
    document = root / "usr" / "share" / "doc" / NAMES[package.edition.name]
    document.mkdir(parents=True)
    (document / "copyright").symlink_to("../../../lib/wce-desktop/LICENCES.txt")
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN" / "control").write_text(control(package, package.words["MACHINE"]), encoding="utf-8")
    for script in ("postinst", "postrm"):
        write_program(root / "DEBIAN" / script, fill(HERE / script, package.words))
    target = folder / f"{package.file_name}.deb"
    run([builder, "--root-owner-group", *(("-Zgzip", "-z1") if is_quick else ("-Zxz", "-z6")), "--build", root, target])
    shutil.rmtree(root)
    return target
