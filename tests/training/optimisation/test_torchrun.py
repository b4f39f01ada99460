"""A pretraining that torchrun starts in two processes: one run folder, one stream of events."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.training.pretraining.tiny_studies import write_tiny_studies
from tests.warm_python import warm_python

ROOT = Path(__file__).resolve().parents[3]
SECONDS = 170


CHILD = """
import signal
from training.commands import several
try:
    several._stop_with_launcher()
    print("ready", flush=True)
    signal.pause()
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
LAUNCHER = "import subprocess, sys; subprocess.run(sys.argv[1:])"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent is gone")
def test_a_process_stops_when_the_launcher_is_killed() -> None:
    command = [sys.executable, "-c", LAUNCHER, sys.executable, "-c", CHILD]  # a warm Python has another parent
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as launcher:
        assert launcher.stdout is not None
        assert launcher.stdout.readline() == "ready\n"
        launcher.kill()
        assert launcher.stdout.read() == "stopped\n"


def test_torchrun_gives_one_run_folder_one_report_and_one_stream(tmp_path: Path) -> None:
    manifest = write_tiny_studies(tmp_path / "studies", patients=2, frames=12) / "manifest.json"
    out = tmp_path / "run"
    settings = {"sequence_length": 6, "window": 2, "input_size": 32, "steps": 3}
    given = [part for name, value in settings.items() for part in ("--set", f"{name}={value}")]
    command = ["pretrain", "--preset", "smoke", "--init", "random", "--studies", str(manifest), "--out", str(out)]
    torchrun = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "--no-python"]
    done = subprocess.run(
        [*warm_python(), *torchrun, *warm_python(), "-m", "training", *command, "--device", "cpu", *given],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("steps done") == 1
    assert done.stderr.count("Pretraining on 24 frames of 2 patients.") == 1
    assert "Warning" not in done.stderr
    with (out / "metrics.csv").open(newline="") as file:
        assert [row["step"] for row in csv.DictReader(file)] == ["1", "2", "3"]
    events = [json.loads(line) for line in (out / "events.jsonl").read_text("utf-8").splitlines()]
    assert sum("curve" in json.dumps(event) for event in events) == 3
    assert len(list((out / "checkpoints").glob("step-*.safetensors"))) == 2  # weights and optimizer, once
    card = json.loads((out / "card.json").read_text("utf-8"))
    assert card["finished"]
    assert card["computed"]["processes"] == 2
