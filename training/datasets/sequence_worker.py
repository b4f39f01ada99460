"""A process that reads sequences, and the handle by which the training process asks it. No torch."""

import contextlib
import json
import math
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from training.datasets.sequence_reader import SequenceFrames, SequenceReader, StudyFile
from training.datasets.sequences import FrameSequence
from training.errors import UserError
from training.texts import with_texts

COMMAND = "read-sequences"
"""How a frozen build starts this process: it has no `python -c`; the executable starts itself."""
AT_ONCE = 2
"""Batches a process may be asked for at once: it reads one while the other is being used."""


class SequenceWorker:
    """Asks a process of its own; the process ends with `close`, and also when this process ends, however it does."""

    def __init__(self, studies: Mapping[int, StudyFile], size: int, folder: Path, kept_bytes: int = 0) -> None:
        """Start it; see `SequenceReader`."""
        self._size, self._asked = size, 0
        self._answers: dict[int, SequenceFrames | UserError] = {}
        self._process = subprocess.Popen(_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_environment())
        listed = [[number, name, str(path), rules] for number, (name, path, rules) in studies.items()]
        self._send({"size": size, "studies": listed, "folder": str(folder), "kept_bytes": kept_bytes})

    def ask(self, sequences: Sequence[FrameSequence]) -> int:
        """Have sequences read; returns the number of the request."""
        self._asked += 1
        self._send([self._asked, [sequence.request for sequence in sequences]])
        return self._asked

    def wait(self, request: int) -> SequenceFrames:
        """Wait for what was asked for.

        Raises:
            UserError: a study cannot be read, or the process has ended.
        """
        assert self._process.stdout is not None
        while request not in self._answers:
            number, answer = read_answer(self._process.stdout, self._size)
            self._answers[number] = answer
        answered = self._answers.pop(request)
        if isinstance(answered, UserError):
            raise answered
        return answered

    def settle(self, request: int) -> None:
        """Wait for what was asked for and is no longer wanted; an error in it is no longer wanted either."""
        with contextlib.suppress(UserError):
            self.wait(request)

    def end(self) -> None:
        """End the process, whatever it is doing: it holds nothing to keep. Waiting callers get an error."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """End the process and close the pipes, once nobody waits for it."""
        self.end()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):  # what was being asked for when the process was ended
                    pipe.close()

    def _send(self, message: Any) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise _ended() from None


def read_answer(stream: IO[bytes], size: int) -> tuple[int, SequenceFrames | UserError]:
    """Read the number of a request and its answer.

    Args:
        stream: what a reading process writes.
        size: side of the frames in px.

    Raises:
        UserError: the stream ends before the answer does.
    """

    def array(dtype: type[np.generic], *shape: int) -> NDArray[Any]:
        length = math.prod(shape) * np.dtype(dtype).itemsize
        content = stream.read(length)
        if len(content) < length:
            raise _ended()
        return np.frombuffer(bytearray(content), dtype).reshape(shape)

    line = stream.readline()
    if not line.endswith(b"\n"):  # the process may end in the middle of an answer
        raise _ended()
    answer = json.loads(line)
    if "message" in answer:
        return answer["request"], UserError(answer["message"], answer["hint"])
    count = answer["frames"]
    return answer["request"], SequenceFrames(array(np.int64, count, 5), array(np.uint8, count, size, size, 3))


def main() -> None:
    """The reading process: settings, then requests, a line each; it ends when the pipe does.

    Answers are a line each, and the bytes of the frames behind it. They are written by a thread, so that the next batch
    is read while the one before waits for the training.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that trains; it ends this one
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a line that a library prints would otherwise stand between the answers
    settings = json.loads(requests.readline() or "null")
    if settings is None:
        return
    studies = {number: (name, Path(path), rules) for number, name, path, rules in settings["studies"]}
    reader = SequenceReader(studies, settings["size"], Path(settings["folder"]), settings["kept_bytes"])
    waiting: queue.SimpleQueue[list[Any] | None] = queue.SimpleQueue()

    def write() -> None:
        with contextlib.suppress(BrokenPipeError):  # the training has ended
            while (parts := waiting.get()) is not None:
                answers.write(json.dumps(with_texts(parts[0])).encode() + b"\n")
                for array in parts[1:]:
                    answers.write(array.tobytes())
                answers.flush()

    writer = threading.Thread(target=write)
    writer.start()
    for line in requests:
        if not line.endswith(b"\n"):  # the training ended in the middle of a request
            break
        request, sequences = json.loads(line)
        try:
            frames = reader.read(sequences)
            waiting.put([{"request": request, "frames": len(frames.found)}, *frames])
        except UserError as error:
            waiting.put([{"request": request, "message": error.message, "hint": error.hint}])
    waiting.put(None)
    writer.join()


def _command() -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable, COMMAND]
    return [sys.executable, "-P", "-c", "from training.datasets.sequence_worker import main; main()"]


def _environment() -> dict[str, str]:
    """It finds the same `training` as this process, and its libraries leave the cores to the training."""
    root, known = str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")
    path = os.pathsep.join([root, known]) if known else root
    return {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENCV_FOR_THREADS_NUM": "1"}


def _ended() -> UserError:
    return UserError(
        "A process that reads frames ended unexpectedly.",
        "Memory may have run out: choose fewer workers, or workers=0 to read in the training process.",
    )
