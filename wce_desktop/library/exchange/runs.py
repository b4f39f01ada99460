"""In which stretches the images of an imported study follow each other in time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from training.datasets.manifest import StudyEntry
from wce_desktop.core.clock import counted
from wce_desktop.core.language import tr
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study

Runs = tuple[Span, ...]


def runs_of(entry: StudyEntry, frames: int) -> Runs | None:
    """The runs of a manifest's study with so many frames; None: all of it is one, none at all: stills.

    Only images have any: the spans of a video are regions. Every border of a span is a cut, but where one region
    touches another, as an export writes landmarks; what lies in no span makes runs of its own. A gap in time exactly
    where a region begins is not seen.
    """
    if entry.kind == "stills":
        return ()
    if not entry.path.is_dir():
        return None
    spans = sorted(entry.spans, key=lambda span: span.start)
    borders = {border for span in spans for border in (span.start, span.stop)}
    borders -= {
        after.start for span, after in pairwise(spans) if span.stop == after.start and span.region != after.region
    }
    cuts = sorted(cut for cut in borders if 0 < cut < frames)
    return tuple(Span(start, stop) for start, stop in pairwise((0, *cuts, frames))) if cuts else None


def newly_known(studies: Iterable[Study], entries: Iterable[StudyEntry], ids: Mapping[str, str]) -> dict[str, Runs]:
    """Runs of studies that the library has and knows no runs of, by its ids; `ids` are the library's by the file's."""
    known = {study.study_id: study for study in studies if study.runs is None}
    found: dict[str, Runs] = {}
    for entry in entries:
        study = known.get(ids.get(entry.study_id, ""))
        runs = None if study is None else runs_of(entry, study.frame_count)
        if study is not None and runs is not None:
            found[study.study_id] = runs
    return found


def runs_in_words(runs: Runs) -> str:
    """The text shown before they are stored."""
    if not runs:
        return tr("its images are separate stills, not consecutive frames")
    return tr("its images are consecutive only within {sequences}", sequences=counted(len(runs), "sequence"))
