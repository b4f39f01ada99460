"""Each method's training on tiny studies: alone, and in several processes; what the tests and the table compare.

    python -m tests.training.optimisation.shared_cases FOLDER

prints the table of docs/guide/several-gpus.md.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from safetensors.torch import load_file

from tests import tiny_backbone
from tests.training.optimisation.shared_runs import run
from tests.training.pretraining.tiny_studies import write_tiny_studies
from tests.training.reidentification import scored
from tests.warm_python import warm_python
from training.methods.registry import FINETUNING, PRETRAINING
from training.pretraining.config import PretrainConfig

ROOT = Path(__file__).resolve().parents[3]
SECONDS = 900
STEPS = 4
PLAIN: dict[str, Any] = {
    "init": "random", "backbone": tiny_backbone.TINY.name, "input_size": 32, "device": "cpu", "precision": "float32",
    "checkpoint_seconds": 1e9, "threads": 1, "steps": STEPS,
}  # fmt: skip
"""No Adam: a weight whose gradient is nothing but rounding (a bias before a triplet loss, of keys of an attention)
does not change the loss, but Adam makes its steps as long as any."""
PRETRAIN: dict[str, Any] = {
    **PLAIN, "preset": "smoke", "workers": 0, "checkpoints_kept": 1, "learning_rate": 1e-4, "optimizer": "sgd",
    "sequence_length": 10, "window": 2, "frame_size": 48, "prior_size": 32, "tile_size": 32, "win_size": 32,
    "negatives": 10, "evaluations": 1,
}  # fmt: skip
SIZES: dict[str, dict[str, Any]] = {
    "time-triplet": {"sequences": 2},
    "simclr": {"sequence_length": 1, "sequences": 7},
    "videomae": {"sequence_length": 4, "sequences": 5, "evaluations": 0},
    "colo-scrl": {"sequence_length": 4, "sequences": 5, "queue_keys": 16},
}
"""Of batches, which four processes cannot divide evenly."""


def cases(folder: Path) -> dict[str, dict[str, Any]]:
    """Name -> command and settings, without the run folder; writes the studies."""
    tiny = folder / "tiny"
    if not tiny.exists():
        write_tiny_studies(tiny, patients=3, frames=20)
        scored.write_phantom(folder / "phantom")
    inputs = {"studies": str(tiny / "manifest.json")}
    result: dict[str, dict[str, Any]] = {}
    for method in PRETRAINING:
        size = SIZES.get(method, {"sequence_length": 1, "sequences": 7})
        known = PretrainConfig.of(method).model_fields
        given = {**PRETRAIN, **inputs, **size, "method": method}
        settings = {name: value for name, value in given.items() if name in known}
        result[method] = {"command": "pretrain", "settings": settings}
    tuned = {**PLAIN, **inputs, "labels": str(tiny / "labels.csv"), "batch_size": 11, "evaluations": 1}
    tuned |= {"optimizer": "sgd", "learning_rate": 1e-4, "classifier_learning_rate": 1e-4}
    for method in FINETUNING:
        result[method] = {"command": "finetune", "settings": {**tuned, "method": method}}
    frozen = {"method": "cross-entropy", "batch_norm": "frozen", "gradient_cache_chunk": 4}
    result["frozen-chunks"] = {"command": "finetune", "settings": {**tuned, **frozen}}
    settings = scored.settings(folder / "phantom", folder)
    settings |= {"frame_steps": 2, "tracklet_steps": 2, "optimizer": "lars", "checkpoint_seconds": 1e9}
    result["intrator"] = {"command": "train-reid", "settings": settings}
    return result


def start(folder: Path, jobs: Mapping[str, Mapping[str, Any]], count: int) -> dict[str, list[dict[str, Any]]]:
    """Run jobs in one group of processes; returns what each process said of each."""
    for name, job in jobs.items():
        (folder / f"{name}.json").write_text(json.dumps(job, default=str), encoding="utf-8")
    processes = []
    for rank in range(count):
        place = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": count, "OMP_NUM_THREADS": 1}
        environment = {**os.environ, **{name: str(value) for name, value in place.items()}}
        command = [*warm_python(), "-m", "tests.training.optimisation.shared_runs", str(folder), *jobs]
        processes.append(
            subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        )
    try:
        said = [process.communicate(timeout=SECONDS)[1].decode() for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.wait()
    assert [process.returncode for process in processes] == [0] * count, said
    return {
        name: [json.loads((folder / f"{name}-{count}-{rank}.said").read_text("utf-8")) for rank in range(count)]
        for name in jobs
    }


def in_folder(job: Mapping[str, Any], out: Path, **more: Any) -> dict[str, Any]:
    """The job with a run folder; what is not a setting goes to the job."""
    settings = {**job["settings"], "out": str(out)}
    settings |= {name: more.pop(name) for name in ("resume",) if name in more}
    return {**job, "settings": settings, **more}


def difference(ours: Path, theirs: Path) -> float:
    """The largest difference of two numbers in the last checkpoints of two runs; not of memory banks, in float16."""
    name = f"step-{STEPS:06d}.safetensors"
    first, second = (load_file(run / "checkpoints" / name) for run in (ours, theirs))
    assert first.keys() == second.keys()
    names = [name for name in first if not name.startswith("bank.")]  # float16
    return max(float((first[name].double() - second[name].double()).abs().max()) for name in names)


def with_threads(job: Mapping[str, Any], threads: int) -> dict[str, Any]:
    """The job with another number of threads, which sum in another order."""
    return {**job, "settings": {**job["settings"], "threads": threads}}


def _table(folder: Path, names: Sequence[str] = (), counts: Sequence[int] = (2, 4)) -> None:
    jobs = {name: job for name, job in cases(folder).items() if not names or name in names}
    for name, job in jobs.items():
        assert "result" in run(**in_folder(job, folder / "alone" / name)), name
        run(**in_folder(with_threads(job, 2), folder / "threads" / name))
    for count in counts:
        start(
            folder, {f"{name}-{count}": in_folder(job, folder / str(count) / name) for name, job in jobs.items()}, count
        )
    stops = {f"{name}-stop": in_folder(job, folder / "resumed" / name, stop_after=2) for name, job in jobs.items()}
    start(folder, stops, 2)
    start(
        folder,
        {f"{name}-resume": in_folder(job, folder / "resumed" / name, resume=True) for name, job in jobs.items()},
        4,
    )
    for name in jobs:
        found = (
            difference(folder / place / name, folder / "alone" / name) for place in ("2", "4", "resumed", "threads")
        )
        print(f"| {name} | " + " | ".join(f"{each:.1e}" for each in found) + " |")


if __name__ == "__main__":
    _table(Path(sys.argv[1]), sys.argv[2:])
