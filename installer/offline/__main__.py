"""What an installation without a network needs: `python -m installer.offline make FOLDER`, then `check FOLDER`."""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from installer.editions import EDITIONS
from installer.environment import TORCH_FROM, BuildError, chosen_requirements, run, uv
from installer.version import version

HERE = Path(__file__).resolve().parent
NOWHERE = "http://127.0.0.1:9"
"""Nothing answers there."""


def sha256(path: Path) -> str:
    """Of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def requirement(wheel: Path) -> str:
    """The lines of a file of requirements that allow exactly this wheel."""
    name, number = wheel.name.split("-")[:2]
    return f"{name}=={number} \\\n    --hash=sha256:{sha256(wheel)}\n"


def make(folder: Path, edition: str, torch_from: str | None = None) -> None:
    """Write wheels, requirements with hashes, checksums and a script that installs them.

    The wheels are those of this machine's system and Python; for `torch_from` see `make_environment`.

    Raises:
        BuildError: the folder is there and not empty, or something could not be made.
    """
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise BuildError(f"{folder} is there already and is not an empty folder. Choose another one.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".wheels-") as name:
        complete = Path(name) / "wheels"
        _write(complete, edition, torch_from)
        if folder.exists():
            folder.rmdir()  # empty; Windows does not rename over it
        complete.rename(folder)


def _write(folder: Path, edition: str, torch_from: str | None) -> None:
    text, torch = chosen_requirements(edition, torch_from)
    wheels, requirements = folder / "wheels", folder / "requirements.txt"
    wheels.mkdir(parents=True)
    run([*uv(), "build", "--quiet", "--wheel", "--out-dir", wheels])
    outside = Path(tempfile.gettempdir())
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "-d", wheels]
    if torch:
        run([*download, *torch], outside)
    unpinned = "".join(requirement(wheel) for wheel in sorted(wheels.glob("*.whl")))  # this program and that PyTorch
    requirements.write_text(text, encoding="utf-8")
    run([*download, "--require-hashes", "-r", requirements], outside)
    requirements.write_text(text + unpinned, encoding="utf-8")
    words = {"VERSION": version(), "MAJOR": str(sys.version_info[0]), "MINOR": str(sys.version_info[1])}
    for name in ("install.sh", "install.bat"):
        script = (HERE / name).read_text(encoding="utf-8")
        (folder / name).write_text(re.sub(r"@([A-Z]+)@", lambda found: words[found[1]], script), encoding="utf-8")
    (folder / "install.sh").chmod(0o755)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    sums = "".join(f"{sha256(path)}  {path.relative_to(folder).as_posix()}\n" for path in files)
    (folder / "SHA256SUMS").write_text(sums, encoding="utf-8")


def check(folder: Path) -> None:
    """Install a bundle with no index and with every way to the network closed, and start what it installed."""
    closed = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy"), NOWHERE)
    names = ("PIP_FIND_LINKS", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL")
    environment = {name: value for name, value in os.environ.items() if name not in names}
    environment |= {**closed, "PIP_CONFIG_FILE": os.devnull, "PYTHONPATH": "", "PYTHONNOUSERSITE": "1"}
    with tempfile.TemporaryDirectory() as name:
        place = Path(name) / "installed"
        commands: Sequence[list[object]] = (
            ["sh", folder.absolute() / "install.sh", place, sys.executable],
            [place / "bin" / "wce-desktop", "--version"],
            [place / "bin" / "python", "-m", "training", "--help"],
        )
        for command in commands:
            done = subprocess.run(
                list(map(str, command)), env=environment, cwd=name, capture_output=True, text=True, check=False
            )
            if done.returncode:
                raise BuildError(f"“{' '.join(map(str, command))}” failed:\n{done.stdout}{done.stderr}")
            print(done.stdout.strip().partition("\n")[0])


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m installer.offline", description=__doc__)
    parser.add_argument("what", choices=("make", "check"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--edition", choices=sorted(EDITIONS), default="reading")
    parser.add_argument("--torch-from", metavar="PLACE", help=TORCH_FROM)
    options = parser.parse_args()
    try:
        if options.what == "make":
            make(options.folder.absolute(), options.edition, options.torch_from)
            files = [path for path in options.folder.rglob("*") if path.is_file()]
            print(f"{options.folder}: {len(files)} files, {sum(path.stat().st_size for path in files) / 1e6:.0f} MB")
        else:
            check(options.folder)
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
