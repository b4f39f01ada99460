"""Gaps between 33 ms ticks of the window's event loop: idle, while a child scores, and while one finetunes.

    python -m tests.benchmarks.bench_event_loop [SECONDS]

Prints the p50, p99 and longest gap of each, and the ratio of the p99 to the idle one; asserts nothing. The window shows
a panel that is kept up to date by the child's own events. A child that burns every core and chatters is the worst case.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QCoreApplication, QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QApplication

from wce_desktop.features.job_list.job_views import JobsPanel
from wce_desktop.jobs.spec import JobSpec, child_command
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_queue import JobQueue

TICK_MILLISECONDS = 33
FRAMES = 1000
FINETUNING = {"preset": "quick"}
BUSY_CHILD = """
import json, multiprocessing, os, sys, time
def burn(until):
    while time.time() < until:
        sum(i * i for i in range(10_000))
if __name__ == "__main__":
    until = time.time() + float(sys.argv[1])
    workers = [multiprocessing.Process(target=burn, args=(until,), daemon=True) for _ in range(os.cpu_count() or 1)]
    [worker.start() for worker in workers]
    step = 0
    while time.time() < until:
        step += 1
        event = {"event": "progress", "done": step, "total": 0, "unit": "steps", "what": "burning"}
        print(json.dumps(event), flush=True)
        print("chatter", step, file=sys.stderr)
        time.sleep(0.01)
    print(json.dumps({"event": "outcome", "kind": "done"}), flush=True)
"""

RANDOM_MODEL = """
import sys
from pathlib import Path
from training.models.config import ModelConfig
from training.models.network import FrameClassifier, save_network
config = ModelConfig(backbone="resnet50", classes=("normal", "polyp", "blood"), input_size=256, model_id="random")
save_network(FrameClassifier(config), Path(sys.argv[1]), {})
"""


class Ticks:
    """Measures how far apart the ticks of a precise timer really are."""

    def __init__(self, milliseconds: int = TICK_MILLISECONDS, clock: Callable[[], float] = time.perf_counter) -> None:
        """Begin at once; with `time.thread_time` the gaps are what this thread has computed."""
        self.gaps_seconds: list[float] = []
        self._clock = clock
        self._last_seconds = clock()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(milliseconds)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self) -> None:
        now_seconds = self._clock()
        self.gaps_seconds.append(now_seconds - self._last_seconds)
        self._last_seconds = now_seconds

    def end(self) -> np.ndarray:
        """Stop; the gaps in milliseconds, the first left out."""
        self._timer.stop()
        return np.array(self.gaps_seconds[1:]) * 1000


def measure(seconds: float, spec: JobSpec | None, command: Callable[[Path], Sequence[str]]) -> tuple[np.ndarray, str]:
    """Gaps (T,) in milliseconds while a job computes (or none runs), and what the panel says at the end."""
    center, panel = JobQueue(command=command), JobsPanel()
    center.changed.connect(lambda _: panel.set_jobs(center.jobs))
    panel.show()
    job = center.submit(spec) if spec else None
    while job is not None and not _is_at_work(job) and not job.has_ended:
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 50)
    ticks = Ticks()
    until_seconds = time.perf_counter() + seconds
    while time.perf_counter() < until_seconds and not (job and job.has_ended):
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 50)
    gaps = ticks.end()
    said = f"{len(gaps)} ticks" + (f", {panel._state.text()}" if job else "")
    center.shut_down()
    return gaps, said


def _is_at_work(job: Job) -> bool:
    """True once the model computes: frames are scored, or steps are made (before that, frames are prepared)."""
    progress = job.progress
    return progress is not None and progress.done > 0 and (job.spec.command != "finetune" or progress.unit == "steps")


def make_jobs(folder: Path) -> list[JobSpec]:
    """Real jobs on phantom studies: scoring with a ResNet-50 at 256 x 256, and finetuning on the phantom's labels."""
    from training.phantom.dataset import write_studies
    from training.runs.reporter import SilentReporter

    manifest = write_studies(folder, studies=4, frames=FRAMES, positive_share=0.1, reporter=SilentReporter())
    video = sorted((folder / "videos").glob("*.mp4"))[0]
    # In a process of its own: this one is the window's, which never imports torch.
    subprocess.run([sys.executable, "-c", RANDOM_MODEL, str(folder / "model")], check=True)
    score = {"path": str(video), "model": str(folder / "model"), "out": str(folder / "scores.h5"), "device": "cpu"}
    finetune = {
        "studies": str(manifest),
        "labels": str(folder / "labels.csv"),
        "out": str(folder / "run"),
        "device": "cpu",
        **FINETUNING,
    }
    return [JobSpec("scoring", "score", score), JobSpec("finetuning", "finetune", finetune)]


def main() -> None:
    """Print the table."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 15.0
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QApplication.instance() or QApplication(sys.argv)
    rows = [("idle", *measure(seconds, None, child_command))]
    burn = lambda path: [sys.executable, "-c", BUSY_CHILD, str(seconds + 5)]  # noqa: E731
    rows.append(("child that burns every core", *measure(seconds, JobSpec("burning", "burn", {}), burn)))
    with tempfile.TemporaryDirectory() as folder:
        rows += [(job.title, *measure(seconds, job, child_command)) for job in make_jobs(Path(folder))]
    idle_p99 = float(np.percentile(rows[0][1], 99))
    print(f"{'':28} {'p50 ms':>8} {'p99 ms':>8} {'max ms':>8} {'p99 / idle':>11}")
    for name, gaps, said in rows:
        p50, p99 = np.percentile(gaps, [50, 99])
        print(f"{name:28} {p50:8.1f} {p99:8.1f} {gaps.max():8.1f} {p99 / idle_p99:11.2f}   {said}")
    del app


if __name__ == "__main__":
    main()
