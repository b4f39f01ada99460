"""A process that reads sequences, and the handle by which the training process asks it. No torch."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from training.datasets.sequence_reader import SequenceReader, SequenceSlot, SharedMemory, StudyFile, slot_bytes
from training.datasets.sequences import FrameSequence
from training.errors import UserError
from training.texts import with_texts

COMMAND = "read-sequences"
"""How a frozen build starts this process: it has no `python -c`; the executable starts itself."""
SLOTS = 2
"""Batches a process may be asked for at once: it reads one while the other is being used."""


class SequenceWorker:
    """Asks a process of its own; the process ends with `close`, and also when this process ends, however it does."""

    def __init__(
        self,
        studies: Mapping[int, StudyFile],
        sequences: int,
        frames: int,
        size: int,
        folder: Path,
        kept_bytes: int = 0,
    ) -> None:
        """At most `sequences` sequences and `frames` frames of `size` px a batch; for the rest see `SequenceReader`."""
        self._memory = SharedMemory(SLOTS * slot_bytes(sequences, frames, size))
        self.slots = [SequenceSlot(self._memory, number, sequences, frames, size) for number in range(SLOTS)]
        self._answers: dict[int, int | UserError] = {}
        self._process = subprocess.Popen(
            _command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=self._memory.inherited,
            env=_environment(),
        )
        settings = {
            "token": self._memory.token,
            "nbytes": self._memory.nbytes,
            "shape": [sequences, frames, size],
            "studies": [[number, name, str(path), rules] for number, (name, path, rules) in studies.items()],
            "folder": str(folder),
            "kept_bytes": kept_bytes,
        }
        self._send(settings)

    def ask(self, slot: int, sequences: Sequence[FrameSequence]) -> None:
        """Have the sequences read into a slot that is not in use."""
        for place, sequence in enumerate(sequences):
            self.slots[slot].wanted[place] = sequence.study, sequence.start, sequence.stop
        self._send([slot, len(sequences)])

    def wait(self, slot: int) -> int:
        """Wait until a slot that was asked for is read; returns the number of its frames.

        Raises:
            UserError: a study cannot be read, or the process has ended.
        """
        while slot not in self._answers:
            assert self._process.stdout is not None
            line = self._process.stdout.readline()
            if not line:
                raise _ended()
            answer = json.loads(line)
            failed = UserError(answer["message"], answer["hint"]) if "message" in answer else None
            self._answers[answer["slot"]] = failed or answer["frames"]
        answered = self._answers.pop(slot)
        if isinstance(answered, UserError):
            raise answered
        return answered

    def settle(self, slot: int) -> None:
        """Wait for what was asked for and is no longer wanted; an error in it is no longer wanted either."""
        with contextlib.suppress(UserError):
            self.wait(slot)

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
        self._memory.close()

    def _send(self, message: Any) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise _ended() from None


class LocalWorker:
    """The same, in this process and without looking ahead."""

    def __init__(
        self,
        studies: Mapping[int, StudyFile],
        sequences: int,
        frames: int,
        size: int,
        folder: Path,
        kept_bytes: int = 0,
    ) -> None:
        memory = SharedMemory(slot_bytes(sequences, frames, size))
        self.slots = [SequenceSlot(memory, 0, sequences, frames, size)]
        memory.close()
        self._reader = SequenceReader(studies, size, folder, kept_bytes)
        self._asked = 0

    def ask(self, slot: int, sequences: Sequence[FrameSequence]) -> None:
        """See `SequenceWorker`."""
        for place, sequence in enumerate(sequences):
            self.slots[slot].wanted[place] = sequence.study, sequence.start, sequence.stop
        self._asked = len(sequences)

    def wait(self, slot: int) -> int:
        """See `SequenceWorker`."""
        return self._reader.read(self.slots[slot], self._asked)

    def close(self) -> None:
        """Close the files."""
        self._reader.close()


def main() -> None:
    """The reading process: settings, then requests, a line each; it ends when the pipe does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that trains; it ends this one
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    settings = json.loads(requests.readline() or "null")
    if settings is None:
        return
    memory = SharedMemory(settings["nbytes"], settings["token"])
    slots = [SequenceSlot(memory, number, *settings["shape"]) for number in range(SLOTS)]
    studies = {number: (name, Path(path), rules) for number, name, path, rules in settings["studies"]}
    reader = SequenceReader(studies, settings["shape"][2], Path(settings["folder"]), settings["kept_bytes"])
    for line in requests:
        slot, sequences = json.loads(line)
        answer: dict[str, Any]
        try:
            answer = {"slot": slot, "frames": reader.read(slots[slot], sequences)}
        except UserError as error:
            answer = {"slot": slot, "message": error.message, "hint": error.hint}
        answers.write(json.dumps(with_texts(answer)).encode() + b"\n")
        answers.flush()


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
