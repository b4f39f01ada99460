"""The scripts that install, start and remove the program on Linux, with a small program in place of the real one."""

import os
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from installer.editions import EDITIONS
from installer.environment import BuildError
from installer.icons import SIZES_PX
from installer.linux import appimage, archive, deb, tree
from installer.linux.glibc import needed_glibc, releases
from installer.version import version

pytestmark = pytest.mark.skipif(os.uname().sysname != "Linux" if hasattr(os, "uname") else True, reason="for Linux")
PROGRAM = '#!/bin/sh\necho "started as $(basename "$0") $*"\n'


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> tree.Package:
    """A laid out tree whose program only says how it was started."""
    folder = tmp_path_factory.mktemp("package")
    bundle, icons = folder / "bundle", folder / "icons"
    (bundle / "_internal").mkdir(parents=True)
    for name in tree.COMMANDS:
        tree.write_program(bundle / name, PROGRAM)
    for name in ("LICENCES.txt", "sbom.cdx.json"):
        (bundle / "_internal" / name).write_text(name)
    icons.mkdir()
    for side in SIZES_PX:
        (icons / f"{side}x{side}.png").write_bytes(b"png")
    return tree.lay_out(bundle, icons, EDITIONS["reading"], folder / "tree")


@pytest.fixture(scope="module")
def installer(package: tree.Package, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return archive.write_archive(package, tmp_path_factory.mktemp("run"), is_quick=True)


def run(*command: object, **variables: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(word) for word in command], env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )


def said_by_tools(folder: Path, **answers: str) -> str:
    """A PATH on which some commands are replaced by scripts."""
    folder.mkdir()
    for name, script in answers.items():
        tree.write_program(folder / name, f"#!/bin/sh\n{script}\n")
    return f"{folder}:{os.environ['PATH']}"


def test_it_is_installed_started_and_removed_and_data_stay(installer: Path, tmp_path: Path) -> None:
    home, prefix = tmp_path / "home", tmp_path / "a folder"
    data = home / ".local" / "share" / "wce-desktop" / "library.sqlite"
    data.parent.mkdir(parents=True)
    data.write_text("labels")
    other = prefix / "bin" / "other"
    other.parent.mkdir(parents=True)
    other.write_text("of another program")
    for _ in range(2):  # the second time over the first
        installed = run("sh", installer, "--prefix", prefix, HOME=str(home))
        assert installed.returncode == 0, installed.stderr
        assert version() in installed.stdout
    assert run(prefix / "bin" / "wce-training", "score").stdout == "started as wce-training score\n"
    entry = (prefix / "share/applications/wce-desktop.desktop").read_text()
    assert f'Exec="{prefix}/bin/wce-desktop" %F' in entry
    icons = prefix / "share/icons/hicolor"
    assert len(list(icons.rglob("*.png"))) == len(SIZES_PX)
    assert list((prefix / "lib").iterdir()) == [prefix / "lib" / "wce-desktop"]
    removed = run("sh", prefix / "lib" / "wce-desktop" / "uninstall.sh", HOME=str(home))
    assert removed.returncode == 0, removed.stderr
    assert "~/.local/share/wce-desktop" in removed.stdout
    assert [path for path in prefix.rglob("*") if path.is_file()] == [other]
    assert data.read_text() == "labels"


def test_without_space_nothing_is_changed_and_a_sentence_says_so(installer: Path, tmp_path: Path) -> None:
    path = said_by_tools(tmp_path / "tools", df="printf 'Filesystem\\n/dev/x 100 90 10240 90%% /\\n'")
    refused = run("sh", installer, "--prefix", tmp_path / "prefix", PATH=path)
    assert refused.returncode == 1
    assert "there is not enough space" in refused.stderr
    assert "10 MB are free" in refused.stderr
    assert [path for path in (tmp_path / "prefix").rglob("*") if path.is_file()] == []


def test_a_disk_that_fills_meanwhile_leaves_the_installed_version(installer: Path, tmp_path: Path) -> None:
    prefix = tmp_path / "prefix"
    assert run("sh", installer, "--prefix", prefix).returncode == 0
    path = said_by_tools(tmp_path / "tools", tar="cat >/dev/null; echo 'tar: No space left on device' >&2; exit 2")
    refused = run("sh", installer, "--prefix", prefix, PATH=path)
    assert refused.returncode == 1
    assert "No space left on device" in refused.stderr
    assert run(prefix / "bin" / "wce-desktop").stdout == "started as wce-desktop \n"
    assert list((prefix / "lib").iterdir()) == [prefix / "lib" / "wce-desktop"]


def test_a_folder_that_is_not_this_program_is_left_alone(installer: Path, tmp_path: Path) -> None:
    foreign = tmp_path / "lib" / "wce-desktop" / "letter.txt"
    foreign.parent.mkdir(parents=True)
    foreign.write_text("mine", encoding="utf-8")
    refused = run("sh", installer, "--prefix", tmp_path)
    assert refused.returncode == 1
    assert "is there already and is not this program" in refused.stderr
    assert foreign.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("name", tree.COMMANDS)
def test_a_command_that_is_not_this_program_is_left_alone(installer: Path, tmp_path: Path, name: str) -> None:
    foreign = tmp_path / "bin" / name
    foreign.parent.mkdir()
    foreign.write_text("installed by pip", encoding="utf-8")
    refused = run("sh", installer, "--prefix", tmp_path)
    assert refused.returncode == 1
    assert f"bin/{name} is there already and is not this program; remove it" in refused.stderr
    foreign.unlink()
    foreign.symlink_to("nowhere")
    assert run("sh", installer, "--prefix", tmp_path).returncode == 1
    foreign.unlink()
    assert run("sh", installer, "--prefix", tmp_path).returncode == 0
    foreign.unlink()
    foreign.write_text("installed by pip", encoding="utf-8")
    assert run("sh", tmp_path / "lib" / "wce-desktop" / "uninstall.sh").returncode == 0
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [foreign]


@pytest.mark.parametrize(
    ("answer", "words"),
    [("echo glibc 2.9", "it has glibc 2.9"), ("exit 1", "no GNU C library")],
)
def test_an_old_or_another_c_library_is_said(
    package: tree.Package, installer: Path, tmp_path: Path, answer: str, words: str
) -> None:
    path = said_by_tools(tmp_path / "tools", getconf=answer)
    for command in (["sh", installer, "--prefix", tmp_path / "p"], [package.prefix / "bin" / "wce-desktop"]):
        refused = run(*command, PATH=path)
        assert refused.returncode == 1
        assert words in refused.stderr
        assert "2.17" in refused.stderr
        assert len(refused.stderr.strip().splitlines()) <= 2
    assert not (tmp_path / "p").exists()


def test_another_processor_is_refused(installer: Path, tmp_path: Path) -> None:
    path = said_by_tools(tmp_path / "tools", uname='[ "$1" = -m ] && echo riscv64 || echo Linux')
    refused = run("sh", installer, "--prefix", tmp_path / "p", PATH=path)
    assert refused.returncode == 1
    assert "this machine is Linux on riscv64" in refused.stderr


def test_it_can_only_be_unpacked(installer: Path, tmp_path: Path) -> None:
    assert run("sh", installer, "--extract", tmp_path).returncode == 0
    assert run(tmp_path / "wce-desktop" / "bin" / "wce-desktop", "x").stdout == "started as wce-desktop x\n"
    again = run("sh", installer, "--extract", tmp_path)
    assert again.returncode == 1
    assert "is there already" in again.stderr


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is not installed")
def test_the_deb_says_what_it_needs_and_what_stays(package: tree.Package, tmp_path: Path) -> None:
    made = deb.write_deb(package, tmp_path, is_quick=True)
    shown = run("dpkg-deb", "--info", made).stdout
    for line in (f"Version: {version()}", "Depends: libc6 (>= 2.17)", "libegl1", "Conflicts: wce-desktop-full"):
        assert line in shown
    files = run("dpkg-deb", "--contents", made).stdout
    assert "root/root" in files
    for name in ("./usr/bin/wce-desktop -> ../lib/", "mime/packages/wce-desktop.xml", "256x256/apps", "copyright"):
        assert name in files
    run("dpkg-deb", "--raw-extract", made, tmp_path / "raw")
    said = run("sh", tmp_path / "raw/DEBIAN/postrm", "remove").stdout
    assert "~/.local/share/wce-desktop" in said
    assert run("sh", tmp_path / "raw/DEBIAN/postrm", "upgrade").stdout == ""


def test_the_oldest_glibc_is_read_from_the_libraries(tmp_path: Path) -> None:
    (tmp_path / "a.so").write_bytes(b"\x7fELF\0GLIBC_2.3.4\0GLIBC_2.29\0GLIBCXX_3.4.30\0")
    (tmp_path / "b.txt").write_bytes(b"\0GLIBC_2.99\0")
    assert needed_glibc(tmp_path) == (2, 29)
    assert "Debian 11" in releases((2, 29))
    assert "Debian 12" in releases((2, 36))
    assert "Debian 12" not in releases((2, 38))


def runtime(size: int) -> bytes:
    """A file that says of itself what a runtime says: 64 bits, AppImage of type 2, and where its sections end."""
    head = bytearray(b"\x7fELF\x02\x01\x01\0AI\x02".ljust(64, b"\0"))
    struct.pack_into("<Q", head, 40, size - 3 * 64)
    struct.pack_into("<HH", head, 58, 64, 3)
    return bytes(head) + b"r" * (size - 64)


def test_the_runtime_is_read_from_its_file_and_from_another_appimage(tmp_path: Path) -> None:
    (tmp_path / "runtime").write_bytes(runtime(500))
    (tmp_path / "other.AppImage").write_bytes(runtime(500) + b"hsqs")
    for name in ("runtime", "other.AppImage"):
        assert appimage.read_runtime(tmp_path / name) == runtime(500)
    (tmp_path / "program").write_bytes(b"\x7fELF\x02\x01".ljust(100, b"\0"))
    for name in ("program", "missing"):
        with pytest.raises(BuildError, match="type2-runtime/releases"):
            appimage.read_runtime(tmp_path / name)


@pytest.mark.skipif(shutil.which("mksquashfs") is None, reason="squashfs-tools is not installed")
def test_an_appimage_is_the_runtime_and_the_tree(package: tree.Package, tmp_path: Path) -> None:
    (tmp_path / "runtime").write_bytes(runtime(500))
    made = appimage.write_appimage(package, tmp_path, tmp_path / "runtime", is_quick=True)
    assert made.read_bytes()[:504] == runtime(500) + b"hsqs"
    unpacked = run("unsquashfs", "-offset", 500, "-dest", tmp_path / "tree", made)
    assert unpacked.returncode == 0, unpacked.stderr
    for name, started in (("./My.AppImage", "wce-desktop"), ("/links/wce-training", "wce-training")):
        assert run(tmp_path / "tree" / "AppRun", "x", ARGV0=name).stdout == f"started as {started} x\n"
    assert "MIT License" in (tmp_path / "tree" / "appimage-runtime.txt").read_text(encoding="utf-8")
    assert os.access(made, os.X_OK)
