"""Kill the program at random moments, and print what was lost.

    python -m tests.crash [--kills 500] [--seed 0] [--only labelling,backup] [--screen :78]

The kinds of work share the kills as `SHARES` says. Exit status 1 when a confirmed edit was lost, a result differs from
that of an undisturbed run, or anything else went wrong. Needs `fork`: Linux or macOS. `--screen` names an X display
with a window manager, on which a real window is then driven by `xdotool`; otherwise the window needs no screen.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.crash.tally import Tally, table
from tests.warm_python import warm_python

SHARES = {
    "labelling": 0.36,
    "scoring": 0.12,
    "finetuning": 0.10,
    "pretraining": 0.08,
    "export": 0.12,
    "backup": 0.12,
    "migration": 0.10,
}
LANES = (("labelling",), ("scoring", "finetuning", "pretraining"), ("export", "backup", "migration"))
"""What runs in one process; training never shares one with the window."""
ROOT = Path(__file__).resolve().parents[2]


def shared_out(kills: int, kinds: Sequence[str]) -> dict[str, int]:
    """How often each kind is killed, together at least `kills` times."""
    whole = sum(SHARES[kind] for kind in kinds)
    return {kind: max(1, -(-int(1000 * kills * SHARES[kind] / whole) // 1000)) for kind in kinds}


def kill_all(folder: Path, kills: Mapping[str, int], seed: int, screen: str = "") -> list[Tally]:
    """Run the lanes, two at a time, and gather what they found.

    Raises:
        RuntimeError: a lane ended with an error.
    """
    lanes = [[f"{kind}={kills[kind]}" for kind in lane if kind in kills] for lane in LANES]
    with ThreadPoolExecutor(2) as two:
        said = two.map(lambda lane: _run_lane(folder, seed, lane, screen), [lane for lane in lanes if lane])
        lines = [line for each in said for line in each.splitlines()]
    found = {one.pop("kind"): Tally(**one) for one in map(json.loads, lines)}
    return [found[kind] for kind in SHARES if kind in found]


def _run_lane(folder: Path, seed: int, lane: Sequence[str], screen: str) -> str:
    command = [*warm_python(), "-m", "tests.crash.lane", str(folder), str(seed), *lane, "--screen", screen]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "XDG_DATA_HOME": str(folder), "XDG_STATE_HOME": str(folder)}
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{', '.join(lane)} ended with status {done.returncode}")
    return done.stdout


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill, print the table, say by the exit status whether all is well."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default=",".join(SHARES), help="kinds of work, with commas")
    parser.add_argument("--screen", default="", help="an X display such as :78, for labelling in a real window")
    options = parser.parse_args(arguments)
    kinds = [kind for kind in SHARES if kind in options.only.split(",")]
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        tallies = kill_all(Path(folder), shared_out(options.kills, kinds), options.seed, options.screen)
    print(table(tallies))
    minutes = (time.monotonic() - began) / 60
    print(f"\n{sum(one.kills for one in tallies)} kills in {minutes:.1f} minutes, seed {options.seed}")
    return 0 if all(one.is_good for one in tallies) else 1


if __name__ == "__main__":
    sys.exit(main())
