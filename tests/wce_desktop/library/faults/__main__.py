"""Make every step of every operation on a library fail, and print what was lost.

    python -m tests.wce_desktop.library.faults [--only encrypt,restore] [--kinds full] [--stride 2] [--processes 2]

Exit status 1 when something was lost, cannot be read, or failed without a sentence. Linux.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from tests.wce_desktop.library.faults.harness import Harness, Tally
from tests.wce_desktop.library.faults.injection import KINDS
from tests.wce_desktop.library.faults.operations import OPERATIONS

COLUMNS = ("operation", "steps", "cases", "offered", "lost", "unreadable", "without a sentence")


def run_named(names: Sequence[str], kinds: Sequence[str], stride: int) -> list[Tally]:
    """Run the operations of these names in this process."""
    with tempfile.TemporaryDirectory() as folder:
        harness = Harness(Path(folder).resolve())
        chosen = [kind for kind in KINDS if kind in kinds]
        return [harness.run(one, chosen, stride) for one in OPERATIONS if one.name in names]


def table(tallies: Sequence[Tally]) -> str:
    """The counts as a table in Markdown."""
    rows = [(t.name, t.steps, t.cases, t.offered, t.lost, t.unreadable, t.without_sentence) for t in tallies]
    sums = [sum(row[column] for row in rows) for column in range(1, len(COLUMNS))]  # type: ignore[misc]
    lines = [COLUMNS, ["---"] * len(COLUMNS), *rows, ("together", *sums)]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print the problems and the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.wce_desktop.library.faults", description=__doc__)
    parser.add_argument("--only", default=",".join(one.name.replace(",", "") for one in OPERATIONS))
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--stride", type=int, default=1, help="only each so many-th step")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args(arguments)
    wanted = options.only.split(",")
    names = [one.name for one in OPERATIONS if one.name.replace(",", "") in wanted]
    tallies = []
    with ProcessPoolExecutor(options.processes) as pool:
        work = partial(run_named, kinds=options.kinds.split(","), stride=options.stride)
        for (tally,) in pool.map(work, [[name] for name in names]):
            print(*(f"{tally.name}: {line}" for line in tally.problems), sep="\n", flush=True)
            tallies.append(tally)
    print(table(tallies))
    return int(any(tally.problems for tally in tallies))


if __name__ == "__main__":
    sys.exit(main())
