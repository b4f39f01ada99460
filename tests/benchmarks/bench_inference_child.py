"""How long a reader waits for the inference child: an explanation, a region, a change of mind.

    python -m tests.benchmarks.bench_inference_child [ROUNDS]

Asks as the window asks (ResNet-18 at 224 px with random weights, a video of noise), and prints the seconds from the
question to the signal in the window's thread: cold start, then medians over ROUNDS frames (default 5). Asserts nothing.
"Handed over" is a kept explanation: what the way through the process costs by itself. A cold start is compared, by
turns, with a script of OpenCV and OpenVINO (`plain_openvino`) that reads the same frame and computes the same CAMs,
without an index, a field of view or a check; both also in seconds of the processor, from the start of the process to
its end.
"""

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEventLoop

from tests.benchmarks import plain_openvino
from tests.videos import write_video
from training.compute.openvino import openvino
from training.inference.openvino_engine import frame_graph
from training.models.folder import ModelFolder
from training.models.inference_network import network_of_model
from training.service.answer_files import Answer
from training.service.requests import EmbedRequest, ExplainRequest
from training.video import FieldOfView
from wce_desktop.threads.inference_client import InferenceClient

RANDOM_MODEL = """
import sys
from pathlib import Path
from training.models.config import ModelConfig
from training.models.network import FrameClassifier, save_network
config = ModelConfig(backbone="resnet18", classes=("normal", "polyp", "blood"), input_size=224, model_id="random")
save_network(FrameClassifier(config), Path(sys.argv[1]), {})
"""


class Asking:
    """Asks one question after the other and notes when its answers came."""

    def __init__(self, client: InferenceClient) -> None:
        self._client = client
        self._loop = QEventLoop()
        self.answers: list[tuple[int, Answer, float]] = []
        self.progress: list[tuple[int, float]] = []
        client.answered.connect(self._take)
        client.progressed.connect(lambda number, _: self.progress.append((number, time.perf_counter())))
        client.failed.connect(lambda _, outcome: sys.exit(str(outcome)))

    def ask(self, request: ExplainRequest | EmbedRequest) -> list[float]:
        """Seconds to each answer."""
        started = time.perf_counter()
        number = self._client.ask(request)
        while not any(got == number and answer.is_final for got, answer, _ in self.answers):
            self._loop.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        return [seconds - started for got, _, seconds in self.answers if got == number]

    def begin(self, request: ExplainRequest) -> int:
        """Ask, and return once it has told three times how far it is."""
        number = self._client.ask(request)
        while sum(got == number for got, _ in self.progress) < 3:
            self._loop.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        return number

    def _take(self, number: int, answer: Answer) -> None:
        self.answers.append((number, answer, time.perf_counter()))


def measure(folder: Path, rounds: int) -> None:
    """Print all rows."""
    subprocess.run([sys.executable, "-c", RANDOM_MODEL, str(folder / "model")], check=True)
    video = write_video(folder / "v.mp4", 4 * rounds + 8, height=320, width=320, noise=20)
    compare_cold(folder, video, rounds)
    client = InferenceClient()
    asking, frames = Asking(client), iter(range(4 * rounds + 8))

    def explain(method: str, **fields: Any) -> ExplainRequest:
        wish = {"model": folder / "model", "path": video, "method": method, "frame_index": next(frames), **fields}
        return ExplainRequest.model_validate(wish)

    show("cold start to the first CAM", asking.ask(explain("cam")))
    show("CAM of a frame", [asking.ask(explain("cam"))[0] for _ in range(rounds)])
    embed = EmbedRequest(model=folder / "model", path=video, frame_index=1, region=(60, 60, 200, 180))
    show("vector of a drawn region", [asking.ask(embed)[0] for _ in range(rounds)])
    kept = explain("cam", keep_in=folder / "kept")
    asking.ask(kept)
    show("kept explanation, handed over", [asking.ask(kept)[0] for _ in range(rounds)])
    both = [asking.ask(explain("score-cam", refine=True)) for _ in range(rounds)]
    show("Score-CAM: quick", [first for first, _ in both])
    show("Score-CAM: exact after it", [last for _, last in both])
    between = []
    for _ in range(rounds):
        asking.begin(explain("score-cam"))
        between.append(asking.ask(embed)[0])
    show("vector while a Score-CAM is computed", between)
    asking.begin(explain("score-cam"))
    show("CAM after a change of mind in the middle", asking.ask(explain("cam")))
    started = time.perf_counter()
    client.close()
    show("closing", [time.perf_counter() - started])


def compare_cold(folder: Path, video: Path, rounds: int) -> None:
    """Print what a first CAM takes, child and script by turns; a round before warms the caches of files."""
    graph = frame_graph(network_of_model(ModelFolder.open(folder / "model")), "frames", -1)
    openvino.save_model(graph, folder / "model.xml")
    script = [sys.executable, plain_openvino.__file__, str(folder / "model.xml"), str(video), "224", "3"]

    def peer() -> None:
        subprocess.run(script, check=True, stdout=subprocess.DEVNULL)

    def child(**fields: Any) -> None:
        client = InferenceClient()
        wish = {"model": folder / "model", "path": video, "method": "cam", "frame_index": 3, **fields}
        Asking(client).ask(ExplainRequest.model_validate(wish))
        client.close()

    works: dict[str, Callable[[], None]] = {
        "a script": peer,
        "a child": child,
        "a child, scored study": lambda: child(field_of_view=FieldOfView.full(320, 320).to_json()),
    }
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in works}
    for _ in range(rounds + 1):
        for name, work in works.items():
            before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            work()
            clock, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
            taken[name].append((clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
    for name, each in taken.items():
        clocks, computed = zip(*each[1:], strict=True)
        show(f"first CAM by {name}", list(clocks))
        show("    of the processor", list(computed))


def main() -> None:
    """Measure as many rounds as are asked for."""
    application = QCoreApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory() as name:
        measure(Path(name), int(sys.argv[1]) if len(sys.argv) > 1 else 5)
    del application


def show(what: str, seconds: list[float]) -> None:
    """One row."""
    median = statistics.median(seconds)
    print(f"{what:45} {median:7.3f} s   ({min(seconds):.3f} to {max(seconds):.3f} s)", flush=True)


if __name__ == "__main__":
    main()
