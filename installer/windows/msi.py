"""The MSI for Windows, by WiX 5, signed where a certificate is given.

The certificate is the owner's: WCE_SIGN_THUMBPRINT names it in the certificate store; WCE_TIMESTAMP_SERVER is optional.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from installer.editions import Edition
from installer.environment import run, tool
from installer.version import version

HERE = Path(__file__).resolve().parent
TIMESTAMP = "http://timestamp.digicert.com"
PROGRAMS = ("wce-desktop.exe", "wce-training.exe")


def wix_command(wix: str, bundle: Path, icons: Path, edition: Edition, target: Path) -> list[str]:
    """How WiX is called."""
    values = {"Version": version(), "Title": edition.title, "Bundle": bundle, "Icons": icons}
    defined = [word for name, value in values.items() for word in ("-d", f"{name}={value}")]
    return [wix, "build", str(HERE / "wce_desktop.wxs"), "-arch", "x64", *defined, "-out", str(target)]


def sign_command(signtool: str, files: Sequence[Path], environment: Mapping[str, str]) -> list[str]:
    """How files are signed; empty without a certificate."""
    thumbprint = environment.get("WCE_SIGN_THUMBPRINT")
    if not thumbprint:
        return []
    server = environment.get("WCE_TIMESTAMP_SERVER", TIMESTAMP)
    return [signtool, "sign", "/sha1", thumbprint, "/fd", "sha256", "/tr", server, "/td", "sha256", *map(str, files)]


def write_msi(bundle: Path, icons: Path, edition: Edition, folder: Path) -> Path:
    """Sign the programs, write NAME.msi into a folder, and sign it."""
    target = folder / f"wce-desktop-{edition.name}-{version()}-windows-x86_64.msi"
    _sign([bundle / name for name in PROGRAMS])
    run(wix_command(tool("wix", "dotnet tool install --global wix --version 5.*"), bundle, icons, edition, target))
    _sign([target])
    return target


def _sign(files: Sequence[Path]) -> None:
    if not os.environ.get("WCE_SIGN_THUMBPRINT"):
        print(f"not signed, because WCE_SIGN_THUMBPRINT is not set: {', '.join(file.name for file in files)}")
        return
    run(sign_command(tool("signtool", "the Windows SDK has it"), files, os.environ))
