"""`score` as a whole command, by turns with a script of OpenCV and OpenVINO.

    python -m tests.benchmarks.bench_score_command [--frames 1000] [--rounds 5]

The starter model on a study of 320 x 320 px, from the start of the process to its end: seconds on the clock and of the
processor, median and range. Prints and asserts nothing. The script (`plain_openvino`) writes scores to a CSV file and
does nothing else: no field of view, no CAMs, no embeddings.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks import plain_openvino
from tests.benchmarks.bench_scoring import write_video
from training.compute.openvino import openvino
from training.inference.openvino_engine import frame_graph
from training.models.folder import ModelFolder
from training.models.inference_network import network_of_model

Arguments = list[str | Path]
STARTER = Path(__file__).parents[2] / "resources" / "models" / "starter"


def main() -> None:
    """Make the study, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        video = write_video(folder / "study.mp4", options.frames)
        model: Arguments = ["--model", STARTER]
        works: dict[str, Arguments] = {
            "script of OpenCV and OpenVINO": [*peer(folder), video, "160", folder / "scores.csv"],
            "score": ["-m", "training", "score", video, *model, "--out", folder / "ours.h5", "--overwrite"],
        }
        compare(works, options.rounds)


def peer(folder: Path) -> Arguments:
    """The script and its model, which lies ready in OpenVINO's own format."""
    network = network_of_model(ModelFolder.open(STARTER))
    openvino.save_model(frame_graph(network, "frames", -1), folder / "model.xml")
    return [plain_openvino.__file__, folder / "model.xml"]


def compare(works: dict[str, Arguments], rounds: int) -> None:
    """Run each by turns, and print seconds and ratios; the first one is the peer."""
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in works}
    for name in [*works, *list(works) * rounds]:  # the first round warms caches of files
        seconds[name].append(run(works[name]))
    medians = {}
    for name, taken in seconds.items():
        clock, computed = zip(*taken[1:], strict=True)
        medians[name] = statistics.median(clock), statistics.median(computed)
        print(
            f"{name:32} {medians[name][0]:6.2f} s ({min(clock):.2f} to {max(clock):.2f}), computing "
            f"{medians[name][1]:6.2f} s ({min(computed):.2f} to {max(computed):.2f}), "
            f"{medians[name][0] / next(iter(medians.values()))[0]:.2f} and "
            f"{medians[name][1] / next(iter(medians.values()))[1]:.2f} times",
            flush=True,
        )


def run(arguments: Arguments) -> tuple[float, float]:
    """Seconds of a process of Python on the clock, and of the processor."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    clock, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
