"""What the figures of a class cannot show, because of the sources (data sets, capsule makes) of its frames."""

from collections.abc import Mapping

import numpy as np

from training.datasets.labelled_frames import LabelledFrames
from training.texts import Text


def source_notes(frames: LabelledFrames) -> list[str]:
    """A sentence for each class that can be compared with normal frames of its own sources only in part, or not at all.

    Also for a class that only one of several sources has. None where no frame has a source.
    """
    sources = np.unique(frames.sources[frames.sources != ""]).tolist()
    if not sources or not frames.has_normal:
        return []
    normal = _counts(frames, 0)
    classes = list(enumerate(frames.classes))[1:]
    notes = (_note(_title(name), _counts(frames, number), normal, len(sources) > 1) for number, name in classes)
    return [note for note in notes if note]


def _counts(frames: LabelledFrames, label: int) -> dict[str, int]:
    """Source -> frames of a class, without those of unknown source."""
    names, counts = np.unique(frames.sources[frames.label == label], return_counts=True)
    return {name: count for name, count in zip(names.tolist(), counts.tolist(), strict=True) if name}


def _title(name: str) -> str:
    return Text(name[:1].upper() + name[1:].replace("_", " "))


def _note(title: str, counts: Mapping[str, int], normal: Mapping[str, int], has_others: bool) -> str:
    """Of one class; empty where there is nothing to say. `has_others`: whether there are several sources."""
    without, listed = [source for source in counts if source not in normal], ", ".join(counts)
    if len(counts) == 1 and without:
        return Text("{name}: from {source} only, which has no normal frames: the figure says nothing.", title, listed)
    if counts and len(without) == len(counts):
        return Text("{name}: from {sources}, which have no normal frames: the figure says nothing.", title, listed)
    if without:
        return Text(
            "{name}: {count:,} frames from {sources} are not compared, because there are no normal frames from there.",
            title,
            sum(counts[source] for source in without),
            ", ".join(without),
        )
    if len(counts) == 1 and has_others:
        return Text(
            "{name}: from {source} only. Against normal frames of other sources the figure also measures how {source} "
            "looks.",
            title,
            listed,
        )
    return ""
