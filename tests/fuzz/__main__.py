"""`python -m tests.fuzz --cases 3000 --seed 0`: fuzz all commands and formats, print a table and what failed."""

import argparse
import queue
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.fuzz.case import Case
from tests.fuzz.formats import damage_input
from tests.fuzz.groups import all_groups, draw_group
from tests.fuzz.harness import FAILURES, Verdict, Worker, count
from tests.fuzz.material import make_material
from tests.fuzz.running import program_in
from tests.fuzz.sandbox import Sandbox

COLUMNS = ("cases", "refused", "valid", "stopped", *FAILURES, "left")


def main() -> int:
    """Run; 1 where a case failed."""
    options = _parser().parse_args()
    groups = [name for name in all_groups() if not options.only or any(name.startswith(one) for one in options.only)]
    with tempfile.TemporaryDirectory(prefix="fuzz-", ignore_cleanup_errors=True) as folder:
        place = Path(options.work or folder)
        material = place / "material"
        if not material.is_dir():
            with program_in(place / "making") as program:
                make_material(material, program)
        if options.replay:
            cases = [Case.from_json(options.replay)]
        else:
            each = max(1, round(options.cases / len(groups)))
            cases = [case for name in groups for case in draw_group(name, each, options.seed)]
        began = time.monotonic()
        verdicts = run_cases(cases, place, material, options.workers)
    print(f"\n{_table(verdicts)}\n\n{len(verdicts):,} cases in {time.monotonic() - began:,.0f} s, seed {options.seed}.")
    for verdict in verdicts:
        if verdict.failures:
            print(f"\n{verdict.failures}\n  --replay '{verdict.case.to_json()}'\n{verdict.output}")
        elif options.replay:
            print(verdict.reply, verdict.output, sep="\n")
    return int(any(verdict.failures for verdict in verdicts))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Hostile options and damaged files.")
    parser.add_argument("--cases", type=int, default=3000, help="how many in all [3000]")
    parser.add_argument("--seed", type=int, default=0, help="same seed, same cases [0]")
    parser.add_argument("--workers", type=int, default=2, help="at the same time [2]")
    parser.add_argument("--only", action="append", metavar="NAME", help="this command or format; repeatable")
    parser.add_argument("--replay", metavar="CASE", help="one case, as a failure names it")
    parser.add_argument("--work", metavar="DIR", help="keep the valid inputs here for the next call")
    return parser


def run_cases(cases: Sequence[Case], place: Path, material: Path, workers: int) -> list[Verdict]:
    """Run them, several at the same time; in the order in which they were given."""
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    for number in range(len(cases)):
        waiting.put(number)
    done: dict[int, Verdict] = {}
    is_over = threading.Event()
    work = Path(tempfile.mkdtemp(prefix="workers-", dir=place))

    def take(number: int) -> None:
        with Worker(Sandbox(work / str(number), material), damage_input) as worker:
            while not is_over.is_set():
                try:
                    taken = waiting.get_nowait()
                except queue.Empty:
                    return
                done[taken] = worker.run(cases[taken])
                _tell(done[taken], len(done), len(cases))

    threads = [threading.Thread(target=take, args=(number,)) for number in range(workers)]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:  # what was run is worth a table
        is_over.set()
        for thread in threads:
            thread.join()
    if len(done) < len(cases) and not is_over.is_set():
        raise RuntimeError("a worker ended before all cases were run")
    return [done[number] for number in sorted(done)]


def _tell(verdict: Verdict, done: int, total: int) -> None:
    if verdict.failures or done % 100 == 0:
        what = "; ".join(f"{kind}: {found}" for kind, found in verdict.failures)
        print(f"{done}/{total} {verdict.case.group} {what}", file=sys.stderr, flush=True)


def _table(verdicts: list[Verdict]) -> str:
    """A Markdown table, a row for each command or format."""
    lines = [f"| command or format | {' | '.join(COLUMNS)} |", f"|---|{'---|' * len(COLUMNS)}"]
    total: Counter[str] = Counter()
    for name, row in count(verdicts).items():
        lines.append(f"| {name} | {' | '.join(str(row[column]) for column in COLUMNS)} |")
        total.update(row)
    return "\n".join([*lines, f"| all | {' | '.join(str(total[column]) for column in COLUMNS)} |"])


if __name__ == "__main__":
    sys.exit(main())
