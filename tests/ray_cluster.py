"""A Ray cluster of the tests' own on this computer, and jobs that its workers run."""

import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from training.runs.events import Outcome
from training.runs.reporter import Reporter
from training.tasks import ray_cluster

FAKE_JOB = f"{__name__}:fake_job"


@contextmanager
def local_cluster(workers: int, folder: Path) -> Iterator[None]:
    """A cluster with so many workers, whatever cores there are; its files lie in `folder`, which has a short name."""
    import ray

    os.environ["RAY_AUTH_MODE"] = "disabled"  # else a token is written into the home folder
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 - as Ray spells it
    ray.init(
        address="local",
        num_cpus=workers,
        include_dashboard=False,
        object_store_memory=80 << 20,
        _temp_dir=str(folder),
        log_to_driver=False,
        logging_level="ERROR",
    )
    try:
        yield
    finally:
        ray.shutdown()


class Started:
    """The workers that executors started: their processes, and what these had computed when they were ended."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._references: list[Any] = []
        self.cpu_seconds = 0.0
        start, close = ray_cluster._Pool._start, ray_cluster._Pool.close

        def noted_start(pool: Any, node: str, cores: int, has_gpu: bool) -> Any:
            worker = start(pool, node, cores, has_gpu)
            self._references.append(worker.begun)
            return worker

        def noted_close(pool: Any) -> None:
            self.cpu_seconds = sum(map(_cpu_seconds, self.processes))
            close(pool)

        monkeypatch.setattr(ray_cluster._Pool, "_start", noted_start)
        monkeypatch.setattr(ray_cluster._Pool, "close", noted_close)

    @property
    def processes(self) -> list[int]:
        """The ids of those that answered."""
        import ray

        ready, _ = ray.wait(self._references, num_returns=len(self._references), timeout=0)
        return [ray.get(reference) for reference in ready]

    @property
    def count(self) -> int:
        """How many were started."""
        return len(self._references)

    def kill_first(self) -> None:
        """As the system does where memory is short."""
        os.kill(self.processes[0], signal.SIGKILL)


def _cpu_seconds(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def fake_job(job: Mapping[str, Any], reporter: Reporter) -> Outcome:
    """Does what `job` asks for: waits for a file, sleeps, dies, fails."""
    config = job["config"]
    reporter.log(f"{config.get('name', '')} began")
    while config.get("until") and not Path(config["until"]).exists():
        time.sleep(0.2)
    until = time.monotonic() + config.get("seconds", 0)
    while (left := until - time.monotonic()) > 0 and not reporter.stop_requested:
        time.sleep(min(0.5, left))
    if config.get("dies") and (config["dies"] == "always" or not Path(config["dies"]).exists()):
        if config["dies"] != "always":
            Path(config["dies"]).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if config.get("fails"):
        return Outcome("failed", config["fails"])
    return Outcome("done", result={"complete": not reporter.stop_requested, "pid": os.getpid()})


TINY_JOB = f"{__name__}:tiny_job"


def tiny_job(job: Mapping[str, Any], reporter: Reporter) -> Outcome:
    """A real job whose networks may be the tests' tiny one."""
    from tests import tiny_backbone
    from training.commands.work import job_outcome

    assert tiny_backbone.TINY
    return job_outcome(job, reporter)
