"""Which classes have enough usable frames to learn; a class that has not is left out, and the run goes on without it.

Light and without torch, so that the window says the same sentences before a run starts.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from training.datasets.labelled_frames import LabelledFrames, collect_frames
from training.datasets.labels import LEAST_FRAMES, LabelRow
from training.datasets.manifest import Manifest
from training.datasets.source_notes import source_notes
from training.errors import UserError
from training.texts import Text, count_text


class UsableFrames(NamedTuple):
    """The labelled frames of the classes that can be learned."""

    frames: LabelledFrames
    sentences: tuple[str, ...]
    """Of each class left out, and of each that is learned but cannot be evaluated on other patients or in its source.
    """


def usable_frames(
    manifest: Manifest,
    labels: Sequence[LabelRow],
    frame_counts: Mapping[str, int],
    classes: Sequence[str],
    least: int = LEAST_FRAMES,
) -> UsableFrames:
    """Collect the frames of the classes, leaving out the smallest class until each has `least` usable frames.

    See `collect_frames` for the arguments.

    Raises:
        UserError: no class but normal can be learned, or no normal frame can be used.
    """
    left, sentences = list(classes), []
    while True:
        frames = collect_frames(manifest, labels, frame_counts, left)
        counts = frames.counts()
        if not counts[left[0]]:
            raise UserError(
                Text("No usable frame is labelled {left}.", left[0]),
                frames.left_out.sentence() or "Label some normal frames.",
            )
        small = [name for name in left[1:] if counts[name] < least]
        if not small:
            break
        total = dict.fromkeys(small, 0)
        for row in labels:
            if row.label in total and row.answer == "yes" and not row.is_normal:
                total[row.label] += row.stop - row.start
        least_one = min(small, key=lambda name: (counts[name], total[name]))
        sentences.append(_left_out(least_one, counts[least_one], total[least_one]))
        left.remove(least_one)
        if len(left) == 1:
            raise UserError(
                "No class besides normal has enough usable frames to learn.",
                " ".join([*sentences, "Label more frames of one class."]),
            )
    return UsableFrames(frames, (*sentences, *_of_one_patient(frames), *source_notes(frames)))


def _left_out(name: str, usable: int, labelled: int) -> str:
    """ "Erosion: 1 frame, not enough to learn; left out." """
    if usable == labelled:
        return count_text(
            "{title}: {count} frame, not enough to learn; left out.",
            "{title}: {count} frames, not enough to learn; left out.",
            usable,
            _title(name),
        )
    of = count_text(
        "{usable} of {count} labelled frame can be used",
        "{usable} of {count} labelled frames can be used",
        labelled,
        usable,
    )
    return Text("{title}: {of}, not enough to learn; left out.", Text(_title(name)), of)


def _of_one_patient(frames: LabelledFrames) -> list[str]:
    """A sentence for each class that only one of several patients has."""
    patients = frames.patients
    if len(np.unique(patients)) < 2:
        return []
    of_class = {name: np.unique(patients[frames.label == label]) for label, name in enumerate(frames.classes) if label}
    return [
        Text(
            "{title}: frames of one patient only; used for training, not evaluated on other patients.",
            Text(_title(name)),
        )
        for name, found in of_class.items()
        if len(found) == 1
    ]


def _title(name: str) -> str:
    return name[:1].upper() + name[1:].replace("_", " ")
