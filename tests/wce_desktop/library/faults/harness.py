"""Runs an operation once for each of its steps and kinds of fault, each in a process of its own."""

import json
import logging
import os
import shutil
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.quick_libraries import quick_keys
from tests.wce_desktop.library.faults import promises
from tests.wce_desktop.library.faults.injection import DIED, KINDS, Fault, Kind, injected
from tests.wce_desktop.library.faults.operations import PASSPHRASE, Operation, World, make_starts
from tests.wce_desktop.library.faults.promises import BrokenPromiseError, Kept, State
from training.errors import UserError
from wce_desktop.library import Library
from wce_desktop.library.backup import backups
from wce_desktop.library.storage import key_file


@dataclass
class Tally:
    """What was found for one operation; `problems` has a line for each case that broke a promise."""

    name: str
    steps: int = 0
    cases: int = 0
    offered: int = 0
    lost: int = 0
    unreadable: int = 0
    without_sentence: int = 0
    problems: list[str] = field(default_factory=list)

    def note(self, case: str, kind: str, sentence: str) -> None:
        """Count a broken promise."""
        self.lost += kind == "lost"
        self.unreadable += kind == "unreadable"
        self.without_sentence += kind == "without a sentence"
        self.problems.append(f"{case}: {kind}: {sentence}")


class Harness:
    """Cases of operations, below a folder that is used for nothing else."""

    def __init__(self, folder: Path) -> None:
        self._keys = quick_keys()
        self._keys.__enter__()
        self._folder, self._starts = folder / "cases", make_starts(folder / "starts")
        self._befores: dict[str, tuple[Kept, tuple[State, ...]]] = {}
        promises.lock_all()

    def close(self) -> None:
        """Let passphrases be derived as slowly as usual."""
        self._keys.__exit__(None, None, None)

    def run(self, operation: Operation, kinds: Iterable[Kind] = KINDS, stride: int = 1) -> Tally:
        """Let the steps of an operation fail, each `stride`-th of them, in all these ways."""
        return self._run_cases(
            operation, lambda steps: [(kind, at) for kind in kinds for at in range(0, steps, stride)]
        )

    def run_some(self, operation: Operation, kinds: Sequence[Kind]) -> Tally:
        """Let as many steps fail as there are kinds, spread over the operation."""
        return self._run_cases(
            operation,
            lambda steps: [(kind, (2 * at + 1) * steps // (2 * len(kinds))) for at, kind in enumerate(kinds)],
        )

    def _run_cases(self, operation: Operation, cases: Callable[[int], list[tuple[Kind, int]]]) -> Tally:
        tally = Tally(operation.name)
        kept, old = self._before(operation)
        world = self._world(operation)
        steps, said = self._run(operation, world, Fault(self._watched(world)))
        if said != "done":
            raise RuntimeError(f"{operation.name} fails without a fault: {said}")
        states = (*old, promises.state_of(promises.folder_of(world)))
        tally.steps = len(steps)
        for kind, at in cases(len(steps)):
            fault, case = Fault(self._watched(world), at, kind), f"{kind} at {at} ({steps[at]})"
            self._case(operation, tally, fault, case, states, kept)
        return tally

    def _before(self, operation: Operation) -> tuple[Kept, tuple[State, ...]]:
        if operation.start not in self._befores:
            world = self._world(operation)
            kept = promises.kept_in(world.library)
            is_damaged = operation.start == "damaged"  # what it held is not known; its backups are offered
            states = tuple(self._restored(world)) if is_damaged else (promises.state_of(world.library),)
            self._befores[operation.start] = kept, states
        return self._befores[operation.start]

    def _restored(self, world: World) -> Iterator[State]:
        backups.restore_backup(world.library)
        yield promises.state_of(world.library)

    def _case(
        self, operation: Operation, tally: Tally, fault: Fault, case: str, states: tuple[State, ...], kept: Kept
    ) -> None:
        world = self._world(operation)
        tally.cases += 1
        _, said = self._run(operation, world, fault)
        if said not in ("done", "died") and not said.startswith("sentence"):
            tally.note(case, "without a sentence", said)
        try:
            expected = states[-1:] if said == "done" else states
            tally.offered += bool(promises.check(world, expected, kept, operation))
        except BrokenPromiseError as error:
            tally.note(case, error.kind, f"{error} [{said[:200]}]")
        finally:
            promises.lock_all()

    def _world(self, operation: Operation) -> World:
        shutil.rmtree(self._folder, ignore_errors=True)
        world = World(self._folder / "library", self._folder / "place", self._starts["inputs"])
        shutil.copytree(self._starts[operation.start], world.library)
        world.place.mkdir()
        if operation.start == "none":
            world.library.rmdir()
        return world

    def _watched(self, world: World) -> tuple[Path, ...]:
        return world.library, world.place

    def _run(self, operation: Operation, world: World, fault: Fault) -> tuple[list[str], str]:
        """Run an operation in a child; returns its steps, and "done", "died", "sentence: ..." or the error."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            logging.disable()  # warnings of files that are left for the next time
            try:
                said = _act(operation, world, fault)
            except BaseException:
                said = traceback.format_exc()
            with os.fdopen(writing, "w") as pipe:
                json.dump([fault.steps, said], pipe)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            text = pipe.read()
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == DIED:
            return [], "died"
        steps, said = json.loads(text)
        return steps, said


def _act(operation: Operation, world: World, fault: Fault) -> str:
    with suppress(UserError):
        if key_file.is_locked(world.library):
            key_file.unlock(world.library, PASSPHRASE)
    try:
        with injected(fault):
            library = Library.open(world.library, "reader") if operation.is_open else None
            fault.is_armed = True
            operation.act(world, library)  # type: ignore[arg-type]
    except UserError as error:
        said = f"sentence: {error}"
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        where = [f"{Path(one.filename).name}:{one.lineno}" for one in frames if "wce_desktop/library" in one.filename]
        said = f"{type(error).__name__}: {error} at {' '.join(where)}"
    else:
        said = "done"
    fault.is_armed = False
    if library is not None:
        library.close()
    return said
