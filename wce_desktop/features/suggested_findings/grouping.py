"""Groups the events of the open study; runs in a thread of the window, no Qt."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile
from training.reidentification.grouping import Tracklets, group_tracklets, soft_votes
from training.runs.reporter import Reporter
from wce_desktop.core.event_list import EventList
from wce_desktop.core.link import Link
from wce_desktop.core.suggested import SuggestedFindings, linked_events
from wce_desktop.session.reading import Reading


@dataclass(frozen=True, eq=False)
class Grouping:
    """What is grouped: copied from a reading, so that a thread can work on it while the reading changes."""

    events: EventList
    tracks: dict[str, NDArray[np.float32]]
    links: tuple[Link, ...]
    file: EmbeddingFile
    video_seconds: NDArray[np.float64]

    @classmethod
    def of(cls, reading: Reading) -> "Grouping | None":
        """What the open study has now; None where it has no embeddings, or nothing to group."""
        file = reading.embeddings
        if file is None or not reading.events:
            return None
        _ = file.embeddings, file.frame_index  # mapped and read now: the session may close the file meanwhile
        links = tuple(reading.links)
        return cls(reading.events, dict(reading.flag_tracks), links, file, reading.index.video_seconds)

    def find(self, reporter: Reporter) -> SuggestedFindings:
        """The events as suggested findings."""
        events = self.events.ordered("time")
        tracklets = Tracklets(events.starts, events.stops, events.classes, events.peak_scores)
        same, different = linked_events(events, self.links)
        groups = group_tracklets(
            self.file, self.video_seconds, tracklets, same=same, different=different, check=reporter.check
        )
        tracks = [self.tracks[name] for name in events.class_names]
        return SuggestedFindings(self.events, groups, soft_votes(tracks, tracklets, groups))
