"""Groups the events of the open study; runs in a thread of the window, no Qt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.reidentification.grouping import LIMIT, Tracklets, compared, group_tracklets, soft_votes
from training.runs.reporter import Reporter
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.event import EventList
from wce_desktop.core.language import tr
from wce_desktop.core.study import Study
from wce_desktop.core.suggested import STORED, EarlierFinding, SuggestedFindings, linked_events
from wce_desktop.features.suggested_findings.by_model import ByModel, Vectors
from wce_desktop.session.session import Session


@dataclass(frozen=True)
class Grouped:
    """The events as suggested findings, and the studies whose frames the chosen model has to embed first."""

    suggested: SuggestedFindings
    missing: tuple[Study, ...] = ()


@dataclass(frozen=True, eq=False)
class Grouping:
    """What is grouped: copied from a reading, so that a thread can work on it while the reading changes."""

    events: EventList
    tracks: dict[str, NDArray[np.float32]]
    links: tuple[Link, ...]
    file: EmbeddingFile
    video_seconds: NDArray[np.float64]
    by_model: ByModel | None = None

    @classmethod
    def of(cls, session: Session) -> "Grouping | None":
        """What the open study has now; None where it has no embeddings, or nothing to group."""
        reading = session.reading
        if reading is None or reading.flags.embeddings is None or not reading.flags.events:
            return None
        file = reading.flags.embeddings
        _ = file.embeddings, file.frame_index  # mapped and read now: the session may close the file meanwhile
        by_model = ByModel.of(session, reading)
        seconds = reading.index.video_seconds
        return cls(
            reading.flags.events, dict(reading.flags.flag_tracks), tuple(reading.entries.links), file, seconds, by_model
        )

    def find(self, reporter: Reporter) -> Grouped:
        """The events as suggested findings."""
        events = self.events.ordered("time")
        tracklets = Tracklets(events.starts, events.stops, events.classes, events.peak_scores)
        same, different = linked_events(events, self.links)
        vectors, missing, means = self._vectors(events, compared(tracklets, [*same, *different]), reporter)
        groups = group_tracklets(
            self.file,
            self.video_seconds,
            tracklets,
            same=same,
            different=different,
            limit=LIMIT if vectors is None else vectors.limit,
            vectors=None if vectors is None else vectors.of_events,
            check=reporter.check,
        )
        votes = soft_votes([self.tracks[name] for name in events.class_names], tracklets, groups)
        earlier = {} if vectors is None else _earlier(events, groups, vectors, self.links)
        return Grouped(SuggestedFindings(self.events, groups, votes, means, earlier), tuple(missing))

    def _vectors(
        self, events: EventList, rows: NDArray[np.int64], reporter: Reporter
    ) -> tuple[Vectors | None, list[Study], str]:
        """The vectors by the chosen model, the studies it has to embed first, and how events are grouped, in words."""
        if self.by_model is None:
            return None, [], tr(STORED)
        title = self.by_model.run.title
        try:
            vectors, missing = self.by_model.find(events, rows, reporter.check)
        except UserError as error:
            message = tr("{means}, since “{model}” cannot be used: {reason}", means=tr(STORED), model=title,
                      reason=error.message)  # fmt: skip
            return None, [], message
        if vectors is not None:
            return vectors, missing, vectors.means
        if self.by_model.is_live:
            return None, missing, tr("{means}, since live scores flag frames", means=tr(STORED))
        return None, missing, tr("{means}, until “{model}” has embedded the flags", means=tr(STORED), model=title)


def _earlier(
    events: EventList, groups: NDArray[np.int64], vectors: Vectors, links: Sequence[Link]
) -> dict[int, EarlierFinding]:
    """Group -> the finding of an earlier study that looks most like one of its parts, within the limit.

    Only findings of the parts' class; not those that the reader has said to be others.
    """
    result: dict[int, EarlierFinding] = {}
    names = events.class_names
    for number, name in enumerate(names):
        of_class = [(earlier, vector) for earlier, vector in vectors.findings if earlier.finding.kind == name]
        rows = np.flatnonzero(events.classes == number)
        if not of_class or not len(rows):
            continue
        alike = vectors.of_events[rows] @ np.stack([vector for _, vector in of_class]).T
        for row, place in zip(*np.nonzero(1.0 - alike <= vectors.limit), strict=True):
            group, earlier = int(groups[rows[row]]), of_class[int(place)][0]
            answer = _said(events, np.flatnonzero(groups == group), earlier, links)
            similarity = float(alike[row, place])
            if answer is not False and (group not in result or similarity > result[group].similarity):
                result[group] = replace(earlier, similarity=similarity, is_linked=bool(answer))
    return result


def _said(events: EventList, rows: NDArray[np.intp], earlier: EarlierFinding, links: Sequence[Link]) -> bool | None:
    """Whether the reader has linked parts (rows) with a finding as the same or as another one; None: neither."""
    parts = [events[int(row)] for row in rows]
    for link in links:
        leads_there = link.other_study_id == earlier.study_id and (
            link.other_frame_index == earlier.frame_index or link.other_frame_index in earlier.finding.span
        )
        if leads_there and any(link.frame_index in part.span and link.name in ("", part.name) for part in parts):
            return link.is_same
    return None
