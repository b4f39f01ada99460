"""What every kind of work that is killed has in common."""

import random
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from tests.crash.tally import Tally
from tests.crash.victim import Death, Moment, Work, run

T = TypeVar("T")


class Kind(ABC):
    """One kind of work: prepares material, is killed again and again, and says what was left.

    Args:
        folder: an empty folder of its own.
        chance: where all random numbers come from.
    """

    name: str

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.folder, self.chance = folder, chance
        self.tally = Tally(self.name)
        self._log = folder / "output.txt"

    @abstractmethod
    def kill_once(self) -> None:
        """Start the work, kill it at a random moment, look at what is left."""

    def finish(self) -> None:
        """After the last kill: let what is half done come to its end, and compare."""
        return

    def kill(self, kills: int) -> Tally:
        """Kill so many times; a try in which the work ended before it could be killed does not count."""
        for _ in range(20 * kills):
            if self.tally.kills >= kills:
                break
            before = self.tally.kills
            self._guarded(self.kill_once)
            if self.tally.kills % 10 == 0 and self.tally.kills > before:
                print(f"{self.name}: {self.tally.kills} of {kills} kills", file=sys.stderr, flush=True)
        self._guarded(self.finish)
        return self.tally

    def _guarded(self, step: Callable[[], None]) -> None:
        try:
            step()
        except Exception as error:  # what does not open after a kill is what is looked for
            self.problem(f"{type(error).__name__}: {error}")

    def problem(self, sentence: str) -> None:
        """Note what went wrong; the process's last lines of output help to find out why."""
        self.tally.problems.append(f"kill {self.tally.kills}: {sentence}")

    def run(self, work: Work, moment: Moment | None = None) -> Death:
        """Run work in a process of its own; a kill is counted, an end with an error is a problem."""
        self._log.unlink(missing_ok=True)
        death = run(work, self._log, moment)
        if death.was_killed:
            self.tally.kills += 1
        elif death.status != 0:
            lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()[-3:]
            self.problem(f"it ended with status {death.status}: {' / '.join(lines)}")
        return death
