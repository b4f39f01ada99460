"""All benchmarks: `python -m tests.benchmarks` lists them, `--smallest` runs each of them at its smallest size.

    python -m tests.benchmarks --smallest [NAME...]

At their smallest size they show that they still run; their figures say nothing then. Each runs in a fork of this
process, which has imported what is slow to import. Fails if one fails.
"""

import argparse
import ast
import importlib
import os
import sys
import tempfile
import time
from collections.abc import Mapping
from multiprocessing import get_context
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple

SLOW_IMPORTS = ("torch", "torchvision", "cv2", "av", "sklearn", "openvino", "PySide6.QtWidgets", "pyqtgraph")
HERE = Path(__file__).parent


class Size(NamedTuple):
    """The arguments of a benchmark, and its module's constants, written as `module.NAME` where it is another's.

    {folder} stands for an empty folder.
    """

    arguments: str = ""
    constants: Mapping[str, Any] = {}


LONG = {"FRAMES": 2000, "EVENTS": 40, "LABELS": 200, "AFTER_SECONDS": 0.01}
SMALLEST = {
    "augmentation": Size("--frames 4 --size 64", {"ROUNDS": 1}),
    "boxes": Size("640 480", {"FRAMES": 20, "OTHER_BOXES": 20, "BOXES": 2, "MOVES": 5}),
    "cam_playing": Size(constants={"FRAMES": 50, "SECONDS": 0.3, "RATES_FPS": (25,)}),
    "clip_search": Size("search --frames 600 --seconds 0.05", {"ROUNDS": 2}),
    "coco_import": Size("--boxes 200", {"FRAMES": 200}),
    "enhancement": Size(constants={"FRAMES": 1, "ROUNDS": 1, "SIDES_PX": (64, 96)}),
    "event_loop": Size("0.3", {"FRAMES": 60, "FINETUNING": {"steps": 2, "input_size": 64, "evaluations": 0}}),
    "forgetting": Size(
        "{folder} --set steps=1 --set evaluations=0",
        {"FRAMES": 60, "TRAINING": (2, 200), "TESTING": (2, 300), "ROWS": {"default": ()}},
    ),
    "frame_share": Size(constants={"SCREENS": {"1280 x 800": (1280, 800)}}),
    "growth": Size(
        constants={
            "FRAMES": (12, 24),
            "VECTORS": (200, 400),
            "DIMENSIONS": 32,
            "POINTS": (600, 1200),
            "ROUNDS": 1,
            "bench_map.SIZES": ((400, 300),),
        }
    ),
    "index": Size(constants={"FRAMES": 1500}),
    "gpu": Size(
        "--rounds 1 --device cpu",
        {
            "PART_SECONDS": 0.0,
            "NETWORKS": (("resnet18", 64),),
            "FRAMES": 8,
            "STEP_FRAMES": 4,
            "VECTORS": (1000, 32),
            "VIDEO_FRAMES": 30,
        },
    ),
    "inference_child": Size("1"),
    "label": Size(constants={"FRAMES": 5000, "LABELS": 500, "PRESSES": 5}),
    "large_study": Size("--rounds 1 --presses 2", LONG),
    "linear_stage": Size(
        "--rounds 1 --frames 300 --backbone resnet18", {"STUDIES": 2, "LABELS_OF_EACH": 20, "OTHER_FRAMES": 100}
    ),
    "live_scores": Size("speed --labels 2 --frames 500"),
    "map": Size(constants={"POINTS": 6000, "LABELLED": 200, "ROUNDS": 2, "SIZES": ((400, 300),)}),
    "memory_bank": Size("--frames 2000"),
    "neighbour_index": Size("--studies 2 --frames 3000 --size 32 --queries 3"),
    "neighbours": Size("--frames 2000 --size 64 --rounds 2 --often 5"),
    "overview": Size("--frames 600 --findings 8 --rounds 1"),
    "pgcon_step": Size("--backbone resnet18 --frames 4 --frame-size 96 --rounds 1 --threads 1", {"KNOWN_FRAMES": 1000}),
    "pgcon_views": Size("--frames 2 --size 160", {"ROUNDS": 1}),
    "phantom": Size("40"),
    "player": Size(constants={"FRAMES": 60, "LONG_FRAMES": 1000, "PLAYED_SECONDS": 0.2, "READS": 5, "JUMPS": 5}),
    "pretraining_feed": Size("--backbone resnet18 --size 64 --length 8 --steps 1 --rounds 1 --workers 1 --threads 1"),
    "random_read": Size("--rounds 1 --kinds busy.ts", {"FRAMES": 90, "STEPS_BACK": 5}),
    "reidentification": Size("step --procedures 2 --views 2 --side-px 32 --rounds 1"),
    "report": Size("2", {"FRAMES": 100, "LETTERS": 3, "LETTER_SECONDS": 0.01}),
    "score_command": Size("--frames 20 --rounds 1"),
    "score_cam": Size("--frames 1 --rounds 1", {"SIDE": 96, "LAYERS": ("layer4",)}),
    "scoring": Size("--frames 24 --networks resnet18:64", {"ROUNDS": 1, "PEER_BATCHES": (8,), "PEER_STREAMS": (2,)}),
    "shared": Size("--studies 4 --labels 40 --rounds 2"),
    "single_window": Size("--tiles 8 --rounds 1"),
    "suggested_findings": Size("speed --events 20 --frames 600", {"ROUNDS": 2}),
    "timeline": Size("--frames 5000 --labels 200 --rounds 1"),
    "triplet": Size("--batch 16 --large 32 --dimensions 8", {"ROUNDS": 1}),
    "tsne": Size("--frames 300 --size 32"),
    "videomae": Size("--clips 2 --rounds 1 --threads 1"),
    "window": Size(
        constants={
            "FRAMES": 5000,
            "LABELS": 200,
            "PRESSES": 2,
            "STARTS": 1,
        }
    ),
    "worklist": Size("--rounds 1", {"STUDIES": 60}),
}
NEEDS_MORE = {
    "int8": "needs NNCF, which is no dependency of this program",
    "box_tracking": "needs recordings with boxes, which are no part of this program",
    "cluster": "needs a cluster of Ray, whose loss would end the other benchmarks",
    "plan": "compares forecasts with whole jobs, which take minutes at any size",
    "blood": "needs real frames with and without blood, which are no part of this program",
    "folds": "needs real frames of several classes, which are no part of this program",
    "organs": "needs scored studies with landmarks",
    "reid_model": "needs scored studies with boxes",
    "visible_mucosa": "needs graded frames of recordings, which are no part of this program",
}


def names() -> list[str]:
    """Of all benchmarks, in order."""
    return sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))


def run_at(size: Size, name: str, log: Path) -> None:
    """Run a benchmark at a size, in this process; what it prints goes into the log."""
    out = os.open(log, os.O_WRONLY | os.O_CREAT)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        module = importlib.import_module(f"tests.benchmarks.bench_{name}")
        for constant, value in size.constants.items():
            other, _, constant = constant.rpartition(".")
            owner = importlib.import_module(f"tests.benchmarks.{other}") if other else module
            getattr(owner, constant)  # an AttributeError where it has no such constant
            setattr(owner, constant, value)
        sys.argv = [f"bench_{name}", *size.arguments.format(folder=folder).split()]
        module.main()


def run_all(chosen: list[str], logs: Path) -> list[str]:
    """Run them at their smallest size, as many at a time as there are cores; returns those that failed."""
    for slow in SLOW_IMPORTS:
        importlib.import_module(slow)
    context, waiting, failed = get_context("fork"), list(chosen), []
    running: dict[str, tuple[BaseProcess, float]] = {}
    while waiting or running:
        while waiting and len(running) < (os.cpu_count() or 1):
            name = waiting.pop(0)
            process: BaseProcess = context.Process(target=run_at, args=(SMALLEST[name], name, logs / name))
            process.start()
            running[name] = process, time.perf_counter()
        wait([process.sentinel for process, _ in running.values()])
        for name, (ended, began) in list(running.items()):
            if ended.is_alive():
                continue
            del running[name]
            print(f"{name:20} {time.perf_counter() - began:5.1f} s", flush=True)
            if ended.exitcode:
                failed.append(name)
                print((logs / name).read_text(errors="replace"), f"{name} failed", sep="\n", flush=True)
    return failed


def main() -> None:
    """List them, or run them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--smallest", action="store_true", help="run all, or those that are named")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    if unsized := set(names()) - set(SMALLEST) - set(NEEDS_MORE):
        sys.exit(f"no smallest size is given for {', '.join(sorted(unsized))}")
    if not options.smallest:
        for name in names():
            docstring = ast.get_docstring(ast.parse((HERE / f"bench_{name}.py").read_text(encoding="utf-8"))) or ""
            print(f"bench_{name:20} {docstring.splitlines()[0]}")
        return
    with tempfile.TemporaryDirectory() as logs:
        if failed := run_all(options.names or sorted(SMALLEST), Path(logs)):
            sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
