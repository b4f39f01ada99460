"""One process that kills: it loads what the work needs once, and forks it for each kill.

    python -m tests.crash.lane FOLDER SEED KIND=KILLS ... [--screen :78]

Prints one JSON line for each kind. Windows and training never share a process.
"""

import argparse
import importlib
import json
import os
import random
from pathlib import Path

WINDOW = (
    "PySide6.QtWidgets",
    "PySide6.QtTest",
    "wce_desktop.shell.application",
    "tests.wce_desktop.sessions",
)
TORCH = ("torch", "training.inference.score", "training.finetuning.run", "training.pretraining.run")
STORES = ("wce_desktop.shell.cli.exchange_cli",)
KINDS = {
    "labelling": ("tests.crash.labelling", "Labelling", WINDOW),
    "scoring": ("tests.crash.jobs", "Scoring", TORCH),
    "finetuning": ("tests.crash.jobs", "Finetuning", TORCH),
    "pretraining": ("tests.crash.jobs", "Pretraining", TORCH),
    "export": ("tests.crash.stores", "Export", STORES),
    "backup": ("tests.crash.stores", "Backup", STORES),
    "migration": ("tests.crash.stores", "Migration", STORES),
}
"""Kind -> its module and class, and what is loaded before it is forked."""


def main() -> None:
    """Kill, kind by kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("seed", type=int)
    parser.add_argument("wanted", nargs="+", metavar="KIND=KILLS")
    parser.add_argument("--screen", default="")
    options = parser.parse_args()
    for wanted in options.wanted:
        kind, _, kills = wanted.partition("=")
        module, name, loaded = KINDS[kind]
        for each in loaded:
            importlib.import_module(each)
        folder = options.folder / kind
        folder.mkdir(parents=True)
        given = {"screen": options.screen} if kind == "labelling" else {}
        made = getattr(importlib.import_module(module), name)(folder, random.Random(f"{options.seed} {kind}"), **given)
        print(json.dumps({"kind": kind, **made.kill(int(kills)).as_json()}), flush=True)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads of a library do not come along into a fork
    main()
