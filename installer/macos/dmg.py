"""The disk image for macOS, signed and notarised where the owner's certificate is given.

WCE_CODESIGN_IDENTITY names the certificate ("Developer ID Application: …"), WCE_NOTARY_PROFILE the stored credentials
(`xcrun notarytool store-credentials`).
"""

import os
import platform
import shutil
from collections.abc import Mapping
from pathlib import Path

from installer.editions import Edition
from installer.environment import run
from installer.version import version

ENTITLEMENTS = Path(__file__).resolve().parent / "entitlements.plist"


def commands(program: Path, image_folder: Path, target: Path, environment: Mapping[str, str]) -> list[list[str]]:
    """What is run, in this order: sign the program, make the image, sign it, have it notarised, attach the ticket."""
    identity, profile = environment.get("WCE_CODESIGN_IDENTITY"), environment.get("WCE_NOTARY_PROFILE")
    sign = ["codesign", "--force", "--timestamp", "--sign", identity or "-"]
    made = [
        [*sign, "--deep", "--options", "runtime", "--entitlements", str(ENTITLEMENTS), str(program)],
        ["codesign", "--verify", "--deep", "--strict", str(program)],
        ["hdiutil", "create", "-volname", "wce_desktop", "-srcfolder", str(image_folder), "-format", "ULFO", "-ov",
         str(target)],
    ]  # fmt: skip
    if not identity:
        made[0].remove("--timestamp")
        return made
    made.append([*sign, str(target)])
    if profile:
        made.append(["xcrun", "notarytool", "submit", str(target), "--keychain-profile", profile, "--wait"])
        made.append(["xcrun", "stapler", "staple", str(target)])
    return made


def write_dmg(program: Path, edition: Edition, folder: Path) -> Path:
    """Write NAME.dmg with the program and a link to Applications into a folder."""
    target = folder / f"wce-desktop-{edition.name}-{version()}-macos-{platform.machine()}.dmg"
    image = program.parent / "image"
    shutil.rmtree(image, ignore_errors=True)
    image.mkdir()
    (image / "Applications").symlink_to("/Applications")
    for command in commands(program, image, target, os.environ):
        if command[0] == "hdiutil":  # after signing: the image holds a copy
            run(["ditto", program, image / program.name])
        run(command)
    for name in ("WCE_CODESIGN_IDENTITY", "WCE_NOTARY_PROFILE"):
        if not os.environ.get(name):
            print(f"{name} is not set: the image is {'not notarised' if 'NOTARY' in name else 'not signed'}")
    return target
