"""The inference child with a bench that needs no torch: `python serving_child.py CONFIG.json` speaks the protocol.

What it answers depends on the class that is asked for; whatever else is asked is answered at once.
"""

import os
import signal
import sys
import threading
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = str(Path(__file__).resolve().parents[3])


def serving_command(config_path: Path) -> Sequence[str]:
    """The command line that serves without torch."""
    return [sys.executable, "-P", __file__, str(config_path)]


class ReadyBench:
    """Answers at once, fails, dies or works for ever, as the request's class says."""

    device = "cpu"

    def __init__(self, *_: object) -> None:
        """Nothing is loaded."""
        print("the bench is ready", flush=True)

    def answers(self, request: Any, reporter: Any) -> Iterator[object]:
        """The answers to a request."""
        import numpy as np

        from training.errors import UserError
        from training.inference.explanation import Explanation, Method
        from training.service.answer_files import EmbeddingAnswer, ExplanationAnswer
        from training.video import FieldOfView

        if request.kind == "embed":
            yield EmbeddingAnswer(np.full(4, request.frame_index, np.float32), str(os.getpid()), "s", "backbone", False)
            return
        behaviours: dict[str, Callable[[], object]] = {
            "die": _die,
            "abort": os.abort,
            "hang": threading.Event().wait,
            "bug": _raise_bug,
        }
        if request.class_name in behaviours:
            behaviours[request.class_name]()
        if request.class_name == "refuse":
            raise UserError("There is no such frame.", "Choose another.")
        if request.class_name == "memory":
            raise MemoryError
        if request.class_name == "work":
            _work(reporter)
        map_ = np.full((2, 2), 0.5, np.float32)
        view = FieldOfView.full(8, 8)
        for is_final in (False, True) if request.refine else (True,):
            method: Method = request.method if is_final else "quick"
            made = Explanation(method, request.class_name, str(os.getpid()), request.layer, map_, view, {})
            yield ExplanationAnswer(request.frame_index, made, "s", is_final)

    def forget(self) -> None:
        """Say so."""
        print("forgotten", flush=True)

    def close(self) -> None:
        """Nothing is open."""


def _die() -> None:
    print("last words", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)


def _raise_bug() -> None:
    raise ZeroDivisionError("secret detail")


def _work(reporter: Any) -> None:
    """Until nobody wants it any more."""
    done = 0
    while True:
        done += 1
        reporter.check()
        reporter.progress(done, 1_000_000, "channels", "Score-CAM")
        threading.Event().wait(0.005)


def main() -> int:
    """Serve through the real entry of a job's process and the real command."""
    sys.path.insert(0, ROOT)
    bench = types.ModuleType("training.service.workbench")
    bench.Workbench = ReadyBench  # type: ignore[attr-defined]
    sys.modules[bench.__name__] = bench
    from training.commands.child import run_job

    return run_job(Path(sys.argv[1]))


if __name__ == "__main__":
    sys.exit(main())
