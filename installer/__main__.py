"""Builds the packages that people install: `python -m installer linux --edition reading`. Needs uv."""

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from installer.bundle import make_bundle, make_icons
from installer.editions import EDITIONS
from installer.environment import TORCH_FROM, BuildError, make_environment
from installer.version import ROOT

SYSTEMS = {"linux": "Linux", "windows": "Windows", "macos": "Darwin"}
FORMATS = {"linux": ("deb", "run", "appimage"), "windows": ("msi",), "macos": ("dmg",)}


def build_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m installer", description=__doc__)
    parser.add_argument("system", choices=sorted(SYSTEMS), help="must be the system of this machine")
    parser.add_argument("--edition", choices=sorted(EDITIONS), default="reading")
    parser.add_argument("--out", type=Path, default=ROOT / "dist" / "installer", help="folder for the packages")
    parser.add_argument("--formats", nargs="*", help="default: all that this system has; none: only the folder")
    parser.add_argument("--quick", action="store_true", help="pack quickly instead of small, for a test")
    parser.add_argument(
        "--appimage-runtime", type=Path, metavar="FILE", help="the AppImage runtime, or an AppImage that starts with it"
    )
    parser.add_argument("--torch-from", metavar="PLACE", help=TORCH_FROM)
    parser.add_argument("--keep", action="store_true", help="use the environment and bundle of the last build")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Build what was asked for; prints each file with its size."""
    options = build_parser().parse_args(arguments)
    try:
        build(options)
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def build(options: argparse.Namespace) -> None:
    """See `build_parser`; raises `BuildError`."""
    if platform.system() != SYSTEMS[options.system]:
        raise BuildError(f"A package for {options.system} can only be built there; this is {platform.system()}.")
    formats = FORMATS[options.system] if options.formats is None else options.formats
    if unknown := set(formats) - set(FORMATS[options.system]):
        raise BuildError(f"{options.system} has no format {', '.join(sorted(unknown))}.")
    if options.appimage_runtime:
        from installer.linux.appimage import read_runtime

        read_runtime(options.appimage_runtime)  # now instead of after some minutes
    os.environ.setdefault("SOURCE_DATE_EPOCH", _committed_at())
    started = time.monotonic()
    edition, work = EDITIONS[options.edition], ROOT / "build" / "installer" / options.edition
    bundle = work / "bundle" / "wce-desktop"
    if not (options.keep and bundle.is_dir()):
        python = make_environment(work / "environment", edition.name, options.torch_from)
        make_icons(python, work / "icons")
        bundle = make_bundle(python, edition, work / "icons", work / "bundle")
    print(f"{bundle}: bundled after {time.monotonic() - started:.0f} s")
    options.out.mkdir(parents=True, exist_ok=True)
    for package in _packages(options, formats, bundle, work):
        print(f"{package}: {package.stat().st_size / 1e6:.0f} MB")
    print(f"done after {time.monotonic() - started:.0f} s")


def _packages(options: argparse.Namespace, formats: Sequence[str], bundle: Path, work: Path) -> list[Path]:
    edition = EDITIONS[options.edition]
    if options.system == "windows":
        from installer.windows.msi import write_msi

        return [write_msi(bundle, work / "icons", edition, options.out)] if formats else []
    if options.system == "macos":
        from installer.macos.dmg import write_dmg

        return [write_dmg(work / "bundle" / "wce_desktop.app", edition, options.out)] if formats else []
    from installer.linux import appimage, archive, deb, tree

    package = tree.lay_out(bundle, work / "icons", edition, work / "tree")
    print(f"installed size {package.size_mb} MB; needs glibc {package.words['GLIBC']}")
    made: list[Path] = []
    if "deb" in formats:
        made.append(deb.write_deb(package, options.out, is_quick=options.quick))
    if "run" in formats:
        made.append(archive.write_archive(package, options.out, is_quick=options.quick))
    if "appimage" in formats and options.appimage_runtime:
        made.append(appimage.write_appimage(package, options.out, options.appimage_runtime, is_quick=options.quick))
    elif "appimage" in formats:
        print(
            f"no AppImage without --appimage-runtime; {made[-1].name if made else 'the archive'} has the same content"
        )
    return made


def _committed_at() -> str:
    """When the built commit was made, in seconds since 1970: packages of the same commit have the same dates."""
    done = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "0"


if __name__ == "__main__":
    sys.exit(main())
