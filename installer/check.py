"""Starts an installed program as on a machine without Python, and looks at what it shows (Linux).

`python -m installer.check PREFIX/bin --reference PICTURE`: on a screen of its own (Xvfb), with an empty HOME and
nothing on PATH but what the start script needs, it opens the demo, makes a clip, scores it in the window, and compares
the demo's picture with one that the same version made from the sources. The full edition also trains a network for half
a minute and scores the clip with it. Needs numpy and OpenCV.
"""

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from installer.environment import BuildError, tool
from installer.sbom import check as missing_parts

NEEDED = ("sh", "readlink", "dirname", "basename", "getconf", "cut")
"""All that is on PATH: what the start script uses. No Python."""
REGIONS = {
    "studies": (0.0, 0.04, 0.15, 0.72),
    "frame": (0.19, 0.04, 0.62, 0.69),
    "labels": (0.64, 0.04, 0.77, 0.66),
    "flags": (0.78, 0.04, 1.0, 0.73),
    "timeline": (0.0, 0.74, 1.0, 0.95),
}
"""Left, top, right, bottom of the main regions, as shares of the window."""
LARGEST_DIFFERENCE, LARGEST_SHARE = 40, 0.03
"""A pixel differs if a colour is further away than this (of 255); at most this share of a region's pixels may."""
LIMIT_SECONDS = 900
"""For one program."""


def differing_regions(picture: NDArray[np.uint8], reference: NDArray[np.uint8]) -> dict[str, float]:
    """The regions that do not look alike, and the share of their pixels that differ.

    Args:
        picture: (H, W, 3).
        reference: of the same shape; another shape differs everywhere.
    """
    if picture.shape != reference.shape:
        return dict.fromkeys(REGIONS, 1.0)
    height, width = picture.shape[:2]
    # Slightly blurred: edges of letters may be drawn a little differently.
    pair = [cv2.blur(image, (3, 3)).astype(np.int16) for image in (picture, reference)]
    is_different = np.abs(pair[0] - pair[1]).max(axis=2) > LARGEST_DIFFERENCE
    shares = {
        name: float(
            is_different[int(top * height) : int(bottom * height), int(left * width) : int(right * width)].mean()
        )
        for name, (left, top, right, bottom) in REGIONS.items()
    }
    return {name: share for name, share in shares.items() if share > LARGEST_SHARE}


@contextlib.contextmanager
def screen() -> Iterator[str]:
    """A virtual screen; gives its DISPLAY."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        [
            tool("Xvfb", "install xvfb"),
            "-displayfd",
            str(writing),
            "-screen",
            "0",
            "1400x900x24",
            "-nolisten",
            "tcp",
            "-noreset",
        ],
        pass_fds=(writing,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with open(reading, encoding="ascii") as answer:  # noqa: PTH123 (a descriptor)
            yield f":{answer.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


def bare_environment(folder: Path, display: str) -> dict[str, str]:
    """An empty HOME, and a PATH without Python."""
    for name in ("home", "path", "run"):
        (folder / name).mkdir(mode=0o700)
    for name in NEEDED:
        (folder / "path" / name).symlink_to(tool(name, "install coreutils"))
    return {
        "HOME": str(folder / "home"),
        "PATH": str(folder / "path"),
        "XDG_RUNTIME_DIR": str(folder / "run"),
        "DISPLAY": display,
        "LANG": "C.UTF-8",
    }


def start(environment: Mapping[str, str], *command: object) -> float:
    """Run one of the programs to its end; returns the seconds, or raises `BuildError` with what it said."""
    started = time.monotonic()
    done = subprocess.run(
        [str(word) for word in command], env=dict(environment), cwd=environment["HOME"], timeout=LIMIT_SECONDS,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    if done.returncode:
        said = done.stdout.decode(errors="replace")[-3000:]
        raise BuildError(f"{Path(str(command[0])).name} ended with status {done.returncode}:\n{said}")
    return time.monotonic() - started


def check_programs(programs: Path, reference: Path | None, clip: Path | None, out: Path | None) -> None:
    """See the module; prints what was found, raises `BuildError` where something is wrong."""
    home = (programs / "wce-desktop").resolve().parent
    if missing := missing_parts(home / "program"):
        raise BuildError("The SBOM or the licences are not complete:\n" + "\n".join(missing[:20]))
    parts = json.loads((home / "sbom.cdx.json").read_text(encoding="utf-8"))["components"]
    print(f"the SBOM and the licences name all files of {len(parts)} parts")
    with tempfile.TemporaryDirectory(prefix="wce-check-") as name, screen() as display:
        folder = Path(name)
        environment = bare_environment(folder, display)
        window, training = programs / "wce-desktop", programs / "wce-training"
        print(f"start of the program until its help is shown: {start(environment, window, '--help'):.1f} s")
        demo = folder / "demo.png"
        seconds = start(environment, window, "--demo", "--size", "1280x800", "--screenshot", demo)
        print(f"first start with an empty HOME until the demo is shown: {seconds:.1f} s")
        seconds = start(environment, window, "--demo", "--size", "1280x800", "--screenshot", folder / "again.png")
        print(f"second start: {seconds:.1f} s")
        is_full = (home / "program" / "_internal" / "torch").is_dir()
        made = folder / "made"
        start(environment, training, "phantom", made, "--studies", 4 if is_full else 1, "--frames", 60, "--seed", 0)
        clip = clip or next(made.rglob("*.mp4"))
        library, shown = folder / "library", folder / "clip.png"
        seconds = start(environment, window, clip, "--library", library, "--size", "1280x800", "--screenshot", shown)
        if not list(library.glob("studies/*/embeddings-*.h5")):
            raise BuildError("The window opened the clip but did not score it.")
        print(f"a clip was opened and scored by the window: {seconds:.1f} s")
        if is_full:
            seconds, others = check_training(environment, training, made, folder / "run")
            print(f"a network was trained in {seconds:.1f} s, and scored a clip in {others:.1f} s")
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            for picture in (demo, shown):
                shutil.copy(picture, out)
        if reference is not None:
            _compare(demo, reference)


def check_training(environment: Mapping[str, str], training: Path, made: Path, run: Path) -> tuple[float, float]:
    """Fine-tune on synthetic studies, and score one with the new model; returns the seconds of both."""
    seconds = start(
        environment, training, "finetune", "--preset", "quick", "--studies", made / "manifest.json",
        "--labels", made / "labels.csv", "--out", run,
    )  # fmt: skip
    scores = run.parent / "scores.h5"
    scoring = start(environment, training, "score", next(made.rglob("*.mp4")), "--model", run, "--out", scores)
    if not scores.is_file():
        raise BuildError("The trained network did not score the clip.")
    return seconds, scoring


def _compare(shown: Path, reference: Path) -> None:
    picture, wanted = cv2.imread(str(shown)), cv2.imread(str(reference))
    if picture is None or wanted is None:
        raise BuildError(f"{shown.name} or {reference} is no picture.")
    differing = differing_regions(picture.astype(np.uint8), wanted.astype(np.uint8))
    if differing:
        said = ", ".join(f"{name} ({share:.0%} of its pixels)" for name, share in differing.items())
        raise BuildError(f"The demo looks different from the sources' own picture: {said}.")
    print(f"the demo's main regions look as they should: {', '.join(REGIONS)}")


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m installer.check", description=__doc__)
    parser.add_argument("programs", type=Path, help="the folder with wce-desktop and wce-training")
    parser.add_argument("--reference", type=Path, help="the demo's picture at 1280x800, from the sources")
    parser.add_argument("--clip", type=Path, help="a clip to open and score; default: one that the program makes")
    parser.add_argument("--out", type=Path, help="keep the pictures here")
    options = parser.parse_args()
    try:
        check_programs(options.programs.absolute(), options.reference, options.clip, options.out)
    except (BuildError, subprocess.TimeoutExpired) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
