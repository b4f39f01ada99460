"""A file that installs itself without root and without a package manager: a shell script with the tree behind it."""

import os
import subprocess
from pathlib import Path

from installer.environment import BuildError, tool
from installer.linux.tree import HERE, Package, fill, write_program

COMPRESSION = {True: ("z", "gzip -1"), False: ("J", "xz -6 -T2")}
"""(letter of tar, program), quick or small."""
SPARE_MB = 50


def write_archive(package: Package, folder: Path, *, is_quick: bool) -> Path:
    """Write NAME.run into a folder; `is_quick`: larger, for a test."""
    letter, program = COMPRESSION[is_quick]
    words = {**package.words, "COMPRESSION": letter, "MEGABYTES": str(package.size_mb + SPARE_MB)}
    lines = (HERE / "install.sh").read_text(encoding="utf-8").count("\n") + words["REFRESH"].count("\n") + 1
    script = fill(HERE / "install.sh", {**words, "LINES": str(lines)})
    target = folder / f"{package.file_name}.run"
    write_program(target, script)
    command = [
        tool("tar", "install tar"), "--create", "--sort=name", "--owner=0", "--group=0", "--numeric-owner",
        "--mode=go-w", f"--use-compress-program={program}",
        f"--mtime=@{os.environ.get('SOURCE_DATE_EPOCH', '0')}", "-C", str(package.prefix), ".",
    ]  # fmt: skip
    with target.open("ab") as file:
        done = subprocess.run(command, stdout=file, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        raise BuildError(f"{target.name} could not be packed: {done.stderr.decode(errors='replace').strip()}")
    return target
