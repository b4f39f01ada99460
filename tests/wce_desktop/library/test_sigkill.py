"""Killed between, or within, any two edits, the library has every edit that was confirmed, and none by half."""

import random
import subprocess
from pathlib import Path

import pytest

from tests.postgres import Libraries
from tests.warm_python import warm_python
from tests.wce_desktop.library.editing_child import Step, next_step
from wce_desktop.core.annotation.label import LabelTrack
from wce_desktop.core.annotation.labelling import apply_to_track, toggle_label
from wce_desktop.library import Library
from wce_desktop.library.storage.integrity import damage

ROOT = Path(__file__).resolve().parents[3]

State = tuple[frozenset[tuple[int, int, str]], str | None, str | None]
"""The labels of a study, and what undo and redo would do."""


class InMind:
    """What the child's steps should lead to, without a disk: every state is kept whole."""

    def __init__(self) -> None:
        self.tracks = [LabelTrack()]
        self.titles: list[str] = []
        self.at = 0

    def take(self, step: Step) -> None:
        if step.verb == "press":
            track = LabelTrack(self.tracks[self.at])
            title, changes = toggle_label(track, step.span, step.name, study_id="s", reader="r")
            apply_to_track(track, changes)
            self.tracks = [*self.tracks[: self.at + 1], track]
            self.titles = [*self.titles[: self.at], title]
        shift = {"press": 1, "undo": -1, "redo": 1}[step.verb]
        self.at = min(max(self.at + shift, 0), len(self.titles))

    def state(self) -> State:
        undo = self.titles[self.at - 1] if self.at else None
        redo = self.titles[self.at] if self.at < len(self.titles) else None
        labels = frozenset((one.span.start, one.span.stop, one.name) for one in self.tracks[self.at])
        return labels, undo, redo


def on_disk(folder: Path, study_id: str) -> State:
    with Library.open(folder, "reader") as library:  # a dead child's lock does not stick
        labels = frozenset((one.span.start, one.span.stop, one.name) for one in library.annotations.labels(study_id))
        return labels, library.annotations.undo_title(study_id), library.annotations.redo_title(study_id)


def steps_until_killed(folder: Path, study_id: str, seed: int, confirmed: int, spin: int) -> int:
    """Run a child, SIGKILL it after so many confirmed steps and a moment that hits any point of the next ones.

    Returns:
        how many steps it had confirmed when it died.
    """
    command = [*warm_python(), "-m", "tests.wce_desktop.library.editing_child", str(folder), study_id, str(seed)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        lines = [child.stdout.readline() for _ in range(confirmed)]
        for _ in range(spin):
            pass
        child.kill()
        lines += child.stdout.readlines()
    return lines.count("confirmed\n")


@pytest.mark.parametrize("seed", range(4))
def test_no_confirmed_edit_is_lost(folder: Path, seed: int) -> None:
    chance = random.Random(seed)
    with Library.open(folder, "reader") as library:
        study_id = library.studies.add(Path("a.mp4"), frame_count=1000).study_id
    mind = InMind()
    for life in (10 * seed + 1, 10 * seed + 2):  # the second child goes on from what the first one's death left
        confirmed = steps_until_killed(folder, study_id, life, chance.randrange(1, 40), chance.randrange(400_000))
        assert confirmed > 0
        assert Libraries.current or damage(folder / "library.sqlite") is None
        found = on_disk(folder, study_id)
        steps = random.Random(life)
        for _ in range(confirmed):
            mind.take(next_step(steps))
        if found != mind.state():  # the step that it died in may have been on disk, and not yet confirmed
            mind.take(next_step(steps))
        assert found == mind.state()
