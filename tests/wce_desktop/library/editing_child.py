"""Edits a library without end and says when each step is confirmed; `test_sigkill` ends it at any moment.

Run as `python -m tests.wce_desktop.library.editing_child FOLDER STUDY_ID SEED`.
"""

import random
import sys
from dataclasses import dataclass
from pathlib import Path

from wce_desktop.core.annotation.labelling import toggle_label
from wce_desktop.core.span import Span
from wce_desktop.library import Library

NAMES = ("normal", "polyp", "blood")


@dataclass(frozen=True)
class Step:
    """What is done next: "press" a key on a span, "undo" or "redo"."""

    verb: str
    span: Span
    name: str


def next_step(chance: random.Random) -> Step:
    """The same steps for the same seed, here and in the test."""
    verb = chance.choices(["press", "undo", "redo"], [6, 2, 1])[0]
    start = chance.randrange(400)
    return Step(verb, Span(start, start + chance.randrange(1, 30)), chance.choice(NAMES))


def main(folder: Path, study_id: str, seed: int) -> None:
    """Print a line after each step that has returned, and so is on disk."""
    chance = random.Random(seed)
    library = Library.open(folder, "reader")
    while True:
        step = next_step(chance)
        if step.verb == "press":
            track = library.annotations.label_track(study_id)
            title, changes = toggle_label(track, step.span, step.name, study_id=study_id, reader="reader")
            library.annotations.edit(study_id, title, changes)
        elif step.verb == "undo":
            library.annotations.undo(study_id)
        else:
            library.annotations.redo(study_id)
        print("confirmed", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
