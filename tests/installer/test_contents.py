"""SBOM and licences name everything that a bundle holds, and building stops where a licence is not known."""

import json
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest

from installer.contents import Component, Contents, listed
from installer.environment import BuildError
from installer.licence_file import licence_file
from installer.licence_texts import UNKNOWN, licence_of, standard_texts, texts_of
from installer.native import NativeLibraries, bare_name
from installer.sbom import check, write_sbom

NUMPY = distribution("numpy")


def packaged(name: str) -> str:
    """The path of a file of numpy."""
    return str(NUMPY.locate_file(name))


def bundle_of(folder: Path, components: list[Component]) -> Path:
    """A bundle that holds the files of its components, with both lists."""
    inside = folder / "_internal"
    for name in {name for one in components for name in one.files if "!" not in name}:
        (inside / name).parent.mkdir(parents=True, exist_ok=True)
        (inside / name).write_text(name)
    (inside / "LICENCES.txt").write_text(licence_file(components, "reading"), encoding="utf-8")
    write_sbom(components, "reading", inside / "sbom.cdx.json")
    return folder


def test_each_file_is_traced_to_its_package_and_to_the_library_inside() -> None:
    contents = Contents([NUMPY])
    contents.add("numpy/__init__.py", packaged("numpy/__init__.py"), "DATA")
    contents.add("numpy!x", packaged("numpy/version.py"), "PYMODULE")
    native = next(str(file) for file in NUMPY.files or () if "openblas" in str(file))
    contents.add(native, packaged(native), "BINARY")
    contents.add("link.so", "numpy.libs/x.so", "SYMLINK")
    contents.add("folder", "-", "PYMODULE")
    found = contents.components
    assert found["numpy"].files == {"numpy/__init__.py", "numpy!x", native}
    assert found["numpy"].version == NUMPY.version
    assert "Redistribution" in " ".join(found["numpy"].texts)
    assert found["OpenBLAS in numpy"].licence == "BSD-3-Clause"
    assert found["OpenBLAS in numpy"].files == {native}


def test_a_file_of_nobody_and_a_library_without_a_known_licence_stop_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.py").write_text("")
    with pytest.raises(BuildError, match="belongs to no package"):
        Contents([NUMPY]).add("x.py", str(tmp_path / "x.py"), "DATA")
    monkeypatch.setattr("installer.contents.licence_of", lambda found: UNKNOWN)
    with pytest.raises(BuildError, match="numpy does not state its licence"):
        Contents([NUMPY]).add("numpy/__init__.py", packaged("numpy/__init__.py"), "DATA")
    monkeypatch.undo()
    monkeypatch.setattr(NativeLibraries, "find", lambda self, name: None)
    native = next(str(file) for file in NUMPY.files or () if "openblas" in str(file))
    with pytest.raises(BuildError, match=r"not in installer/native\.toml"):
        Contents([NUMPY]).add(native, packaged(native), "BINARY")


def test_the_lists_are_complete_or_the_check_says_what_is_missing(tmp_path: Path) -> None:
    files = {"av.libs/libx264.so"}
    x264 = Component("x264", "", "GPL-2.0-or-later", "native", "https://x", "2025 x", "av", files=files)
    av = Component("av", "18.1", "BSD-3-Clause", "python", texts=["its text"], files=files | {"modules!av"})
    bundle = bundle_of(tmp_path, [av, x264])
    assert check(bundle) == []
    text = (bundle / "_internal" / "LICENCES.txt").read_text()
    assert "x264 (in av): GPL-2.0-or-later" in text
    assert "GNU GENERAL PUBLIC LICENSE" in text
    assert "Copyright 2025 x" in text
    assert "it may be passed on" in text
    (bundle / "_internal" / "new.so").write_text("")
    (bundle / "_internal" / "LICENCES.txt").write_text(text.replace("\nav 18.1\nLicence", "\nav 18.2\nLicence"))
    assert check(bundle) == ["not in the SBOM: new.so", "no licence: av 18.1"]


def test_parts_of_the_sbom_can_be_looked_up(tmp_path: Path) -> None:
    odd = Component("odd", "1", "some words that are no SPDX", "system", texts=["x"], files={"a"})
    bundle_of(tmp_path, [odd, Component("numpy", "2", "MIT", "python", files={"b"})])
    found = json.loads((tmp_path / "_internal" / "sbom.cdx.json").read_text())
    assert (found["bomFormat"], found["specVersion"]) == ("CycloneDX", "1.6")
    assert {part["purl"] for part in found["components"]} == {"pkg:pypi/numpy@2", "pkg:deb/debian/odd@1"}
    assert {"license": {"id": "MIT"}} in [part["licenses"][0] for part in found["components"]]


def test_pyinstallers_lists_are_read(tmp_path: Path) -> None:
    (tmp_path / "COLLECT-00.toc").write_text(repr(([("a.so", "/x/a.so", "BINARY")], True)))
    (tmp_path / "PYZ-00.toc").write_text(repr(("/x.pyz", [("numpy", "/n/__init__.py", "PYMODULE")])))
    assert list(listed(tmp_path)) == [("a.so", "/x/a.so", "BINARY"), ("modules!numpy", "/n/__init__.py", "PYMODULE")]


@pytest.mark.parametrize(
    ("file_name", "name", "library"),
    [
        ("libx264-d6533a8d.so.165", "x264", "x264"),
        ("libavcodec-5e6b81c2.so.62.28.102", "avcodec", "FFmpeg"),
        ("avcodec-62-1a2b3c4d5e6f.dll", "avcodec", "FFmpeg"),
        ("libSvtAv1Enc-9393c086.so.4.1.0", "SvtAv1Enc", "SVT-AV1"),
        ("libopencore-amrnb-d72c52e2.so.0.0.5", "opencore-amrnb", "OpenCORE AMR"),
        ("libQt6Core.so.6", "Qt6Core", "Qt"),
        ("libx265.216.dylib", "x265", "x265"),
    ],
)
def test_libraries_are_known_by_their_names(file_name: str, name: str, library: str) -> None:
    assert bare_name(file_name) == name
    found = NativeLibraries().find(file_name)
    assert found is not None
    assert found["name"] == library


def test_licences_are_read_from_packages_and_standard_texts_found() -> None:
    assert licence_of(distribution("safetensors")) == "Apache-2.0"
    assert licence_of(distribution("scipy")) == "BSD-3-Clause"
    assert licence_of(distribution("sqlcipher3")) == "Zlib"
    assert texts_of(distribution("pydicom"))
    assert standard_texts("LGPL-3.0-or-later OR GPL-2.0-or-later") == ["GPL-2.0", "LGPL-3.0", "GPL-3.0"]
    assert standard_texts("BSD-3-Clause-Clear") == ["BSD-3-Clause-Clear"]
    assert standard_texts("see its text", ["in /usr/share/common-licenses/LGPL-2.1."]) == ["LGPL-2.1"]
    assert standard_texts("GPL-2+; MIT") == ["GPL-2.0", "MIT"]


def test_a_library_inside_another_one_is_named_with_its_terms(tmp_path: Path) -> None:
    with_mkl, without = tmp_path / "libtorch_cpu.so", tmp_path / "torch_cpu.dll"
    with_mkl.write_bytes(b"\0Intel(R) oneAPI Math Kernel Library Version 1\0")
    without.write_bytes(b"\0OpenBLAS\0")
    (mkl,) = NativeLibraries().linked_into(with_mkl)
    assert NativeLibraries().linked_into(without) == []
    found = NativeLibraries().find(with_mkl.name)
    assert found is not None
    assert found["name"] == "PyTorch libraries"
    parts = [
        Component(mkl["name"], "", mkl["licence"], "native", mkl["home"], mkl["copyright"], "torch", files={"a"}),
        Component("x264", "", "GPL-2.0-or-later", "native", within="av", files={"b"}),
    ]
    bundle = bundle_of(tmp_path / "bundle", parts)
    text = (bundle / "_internal" / "LICENCES.txt").read_text(encoding="utf-8")
    assert check(bundle) == []
    assert "Intel Simplified Software License (Version October 2022)" in text
    assert "it may be passed on\nunder the GPL" not in text
    assert "should\nbuild it with a PyAV without x264 and x265" in text


def test_several_texts_of_one_package_have_the_names_of_their_files(tmp_path: Path) -> None:
    metadata = tmp_path / "torch-1.dist-info"
    files = {
        "licenses/LICENSE": "one",
        "licenses/third_party/a/LICENSE": "two",
        "licenses/third_party/b/LICENSE": "two",
    }
    for name, text in files.items():
        (metadata / name).parent.mkdir(parents=True, exist_ok=True)
        (metadata / name).write_text(text, encoding="utf-8")
    (metadata / "METADATA").write_text("Metadata-Version: 2.4\nName: torch\nVersion: 1\n", encoding="utf-8")
    record = "".join(f"torch-1.dist-info/{name},,\n" for name in [*files, "METADATA"])
    (metadata / "RECORD").write_text(record, encoding="utf-8")
    assert texts_of(Distribution.at(metadata)) == [
        "[LICENSE]\none",
        "[third_party/a/LICENSE]\n[third_party/b/LICENSE]\ntwo",
    ]
