"""What `plan` forecasts for three jobs, beside what these then take.

python -m tests.benchmarks.bench_plan MODEL [--only score] [--studies 24] [--frames 200] [--size 256] [--steps 240]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("--only", choices=("score", "pretrain", "finetune"), help="one of the three jobs")
    parser.add_argument("--data", type=Path, help="studies rendered before, with these options")
    parser.add_argument("--studies", type=int, default=24)
    parser.add_argument("--frames", type=int, default=200)
    parser.add_argument("--size", type=int, default=256, help="side of the frames in px")
    parser.add_argument("--turns", type=int, default=1)
    parser.add_argument("--steps", type=int, default=240)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wce") as place:
        folder = Path(place)
        data = options.data or folder / "phantom"
        if options.data is None:
            run("phantom", out=data, studies=options.studies, frames=options.frames, size_px=options.size)
        studies, labels = data / "manifest.json", data / "labels.csv"
        steps = {"steps": options.steps}
        jobs: dict[str, dict[str, Any]] = {
            "score": {"model": options.model},
            "pretrain:time-triplet": {"preset": "smoke", **steps},
            "finetune": {"input_size": 64, "max_normal_per_study": 40, "labels": labels, "init": "random", **steps},
        }
        for turn in range(options.turns):
            for job, given in jobs.items():
                if not options.only or job.startswith(options.only):
                    compare(job, given, studies, folder / f"{turn}")


def compare(job: str, given: dict[str, Any], studies: Path, folder: Path) -> None:
    """Plan a job, run it, and print both times."""
    known = {name: given[name] for name in ("model", "labels") if name in given}
    more = {name: value for name, value in given.items() if name not in known}
    started = time.perf_counter()
    plan = run("plan", studies=studies, do=(job,), settings=more, seconds=10, device="cpu", **known)
    planned, load = time.perf_counter() - started, os.getloadavg()[0]
    name, _, method = job.partition(":")
    started = time.perf_counter()
    run(name, studies=studies, out=folder / name, device="cpu", **given, **({"method": method} if method else {}))
    took = time.perf_counter() - started
    forecast = 3600 * plan["jobs"][0]["hours"]["1"]
    print(
        f"{job}: forecast {forecast:.1f} s ({planned:.0f} s), took {took:.1f} s: {forecast / took - 1:+.0%}; "
        f"load {load:.1f} and {os.getloadavg()[0]:.1f}; {json.dumps(plan['jobs'][0])}",
        flush=True,
    )


def run(name: str, **given: Any) -> dict[str, Any]:
    """A command with its settings, in a process of its own as from the shell; its result."""
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder) / "job.json"
        job.write_text(json.dumps({"command": name, "config": given}, default=str), encoding="utf-8")
        command = [sys.executable, "-m", "training.commands.child", str(job)]
        control, open_end = os.pipe()  # its end would ask the job to stop
        done = subprocess.run(command, stdin=control, capture_output=True, text=True, check=True)
        os.close(control)
        os.close(open_end)
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])["result"]
    return result


if __name__ == "__main__":
    main()
