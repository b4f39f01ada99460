"""What can be checked here of the recipes for other systems, and what all editions have in common."""

import argparse
import plistlib
import re
import shutil
import subprocess
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from installer.__main__ import SYSTEMS, build, build_parser, main
from installer.check import REGIONS, differing_regions
from installer.editions import EDITIONS
from installer.environment import REQUIREMENTS
from installer.linux.tree import HERE as LINUX
from installer.macos.dmg import ENTITLEMENTS, commands
from installer.needed_files import UNUSED
from installer.version import ROOT
from installer.windows.msi import HERE as WINDOWS
from installer.windows.msi import sign_command, wix_command
from training.version import version
from wce_desktop.__main__ import main as start_window

WIX = "{http://wixtoolset.org/schemas/v4/wxs}"


def test_the_version_is_the_same_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    from installer.version import version as built

    assert built() == version()
    assert re.fullmatch(r"\d+\.\d+\.\d+", version())
    with pytest.raises(SystemExit):
        start_window(["--version"])
    assert capsys.readouterr().out == f"wce_desktop {version()}\n"


@pytest.mark.parametrize("edition", [*EDITIONS, "build"])
def test_requirements_have_hashes_and_name_no_registry(edition: str) -> None:
    text = (REQUIREMENTS / f"{edition}.txt").read_text(encoding="utf-8")
    assert "://" not in text
    assert "index" not in text
    blocks = re.split(r"\n(?=\S)", text.strip())
    assert len(blocks) > 10
    assert [block for block in blocks if "==" not in block or "--hash=sha256:" not in block] == []


def test_requirements_hold_every_dependency() -> None:
    """After a new dependency: `python -m installer.pin`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {"reading": project["dependencies"]}
    needed["full"] = [*needed["reading"], *project["optional-dependencies"]["training"]]
    for edition, lines in needed.items():
        text = (REQUIREMENTS / f"{edition}.txt").read_text(encoding="utf-8")
        pinned = dict(re.findall(r"^([\w.-]+)==(\S+)", text, flags=re.MULTILINE))
        wanted = [Requirement(line) for line in lines]
        assert [one.name for one in wanted if pinned.get(canonicalize_name(one.name), "0") not in one.specifier] == []


def test_the_reading_edition_has_no_pytorch() -> None:
    reading, full = ((REQUIREMENTS / f"{name}.txt").read_text(encoding="utf-8") for name in ("reading", "full"))
    assert not re.search(r"^(torch|nvidia|triton|matplotlib)", reading, flags=re.MULTILINE)
    assert re.search(r"^torch==", full, flags=re.MULTILINE)
    assert "torch" in EDITIONS["reading"].left_out
    assert "torch" not in EDITIONS["full"].left_out


def test_what_is_left_out_is_not_what_the_program_uses() -> None:
    used = ("PySide6/Qt/plugins/platforms/libqxcb.so", "PySide6/Qt/plugins/platforms/libqwayland.so",
            "PySide6/plugins/platforms/qwindows.dll", "openvino/libs/libopenvino_intel_cpu_plugin.so",
            "PySide6/Qt/plugins/platforms/libqoffscreen.so", "PySide6/Qt/plugins/imageformats/libqsvg.so",
            "torch/lib/libtorch_cpu.so", "torch/lib/libshm.so", "torch/bin/torch_shm_manager")  # fmt: skip
    assert [name for name in used if UNUSED.search(name)] == []
    unused = ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", "openvino/libs/libopenvino_intel_gpu_plugin.so",
              "openvino/libs/libopenvino_jax_frontend.so", "PySide6/plugins/tls/qopensslbackend.dll",
              "torch/bin/protoc", "torch/test/test_jit", "torch/lib/torchbind_test.dll")  # fmt: skip
    assert [name for name in unused if not UNUSED.search(name)] == []


def test_another_systems_package_and_an_unknown_format_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    import platform

    foreign = next(name for name, system in SYSTEMS.items() if system != platform.system())
    own = next(name for name, system in SYSTEMS.items() if system == platform.system())
    assert main([foreign]) == 1
    assert "can only be built there" in capsys.readouterr().err
    assert main([own, "--formats", "rpm"]) == 1
    assert "has no format rpm" in capsys.readouterr().err
    assert isinstance(build_parser().parse_args([own]), argparse.Namespace)
    assert callable(build)


def test_the_msi_recipe_is_well_formed_and_complete(tmp_path: Path) -> None:
    package = ET.parse(WINDOWS / "wce_desktop.wxs").getroot().find(f"{WIX}Package")
    assert package is not None
    assert package.get("Scope") == "perMachine"
    text = (WINDOWS / "wce_desktop.wxs").read_text(encoding="utf-8")
    command = wix_command("wix", tmp_path, tmp_path, EDITIONS["reading"], tmp_path / "x.msi")
    defined = {word.partition("=")[0] for word in command if "=" in word}
    assert set(re.findall(r"\$\((\w+)\)", text)) == defined
    ids = {element.get("Id") for element in package.iter()}
    references = {element.get("Id") for element in package.iter() if element.tag.endswith("Ref")}
    assert references <= ids
    assert {element.get("Source") for element in package.iter(f"{WIX}File")} == {r"$(Bundle)\wce-desktop.exe"}


def test_signing_takes_the_owners_certificate(tmp_path: Path) -> None:
    assert sign_command("signtool", [tmp_path], {}) == []
    signed = sign_command("signtool", [tmp_path / "x.msi"], {"WCE_SIGN_THUMBPRINT": "ab12"})
    assert signed[:4] == ["signtool", "sign", "/sha1", "ab12"]
    assert signed[-1].endswith("x.msi")


def test_the_disk_image_is_signed_and_notarised_in_this_order(tmp_path: Path) -> None:
    owner = {"WCE_CODESIGN_IDENTITY": "Developer ID Application: X", "WCE_NOTARY_PROFILE": "x"}
    made = commands(tmp_path / "a.app", tmp_path, tmp_path / "a.dmg", owner)
    assert [command[0] for command in made] == ["codesign", "codesign", "hdiutil", "codesign", "xcrun", "xcrun"]
    assert str(ENTITLEMENTS) in made[0]
    assert made[0][made[0].index("--options") :][:2] == ["--options", "runtime"]
    unsigned = commands(tmp_path / "a.app", tmp_path, tmp_path / "a.dmg", {})
    assert [command[0] for command in unsigned] == ["codesign", "codesign", "hdiutil"]
    assert unsigned[0][unsigned[0].index("--sign") + 1] == "-"
    assert all(plistlib.loads(ENTITLEMENTS.read_bytes()).values())


@pytest.mark.skipif(shutil.which("desktop-file-validate") is None, reason="desktop-file-utils is not installed")
def test_the_desktop_entry_is_valid() -> None:
    checked = subprocess.run(
        ["desktop-file-validate", LINUX / "wce-desktop.desktop"], capture_output=True, text=True, check=False
    )
    assert checked.stdout + checked.stderr == ""


def test_the_file_types_are_well_formed() -> None:
    found = (
        ET.parse(LINUX / "wce-desktop.xml")
        .getroot()
        .iter("{http://www.freedesktop.org/standards/shared-mime-info}glob")
    )
    assert {glob.get("pattern") for glob in found} == {"*.dcm", "*.dicom"}
    entry = (LINUX / "wce-desktop.desktop").read_text(encoding="utf-8")
    assert "application/dicom;" in entry
    assert "\nExec=wce-desktop %F\n" in entry


def test_the_workflow_builds_every_system_and_edition() -> None:
    text = (ROOT / ".github" / "workflows" / "installers.yml").read_text(encoding="utf-8")
    assert [name for name in (*SYSTEMS, *EDITIONS) if name not in text] == []


def test_regions_of_two_pictures_are_compared() -> None:
    picture = np.full((800, 1280, 3), 40, dtype=np.uint8)
    slightly = picture + 10
    assert differing_regions(picture, slightly) == {}
    left, top, right, bottom = REGIONS["frame"]
    other = picture.copy()
    other[int(top * 800) : int(bottom * 800), int(left * 1280) : int(right * 1280)] = 200
    assert list(differing_regions(picture, other)) == ["frame"]
    assert set(differing_regions(picture, other[:700])) == set(REGIONS)
