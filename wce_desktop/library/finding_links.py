"""What a reader's links say of the findings of a study: where the same was seen again."""

from collections.abc import Collection, Iterable, Iterator

from wce_desktop.core.annotation import Finding, Link
from wce_desktop.core.span import Span, SpanSet
from wce_desktop.library.library import Library


def same_as(library: Library, study_id: str, study_ids: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Finding of a study -> what links call the same in the studies named: "P03b/f-12", or "P03b/frame 15" without one.

    A link whose end lies on frames of a finding, and means its kind or the place itself, is a link of this finding.
    Links between parts of one finding say nothing new and are left out, and so are links within the study that do not
    lead from one finding to another.
    """
    ends: dict[tuple[str, str, str], tuple[int, str, int]] = {}
    marked = _Marked(library)
    for link in _from(study_id, library.annotations.links(study_id), library.annotations.links_to(study_id)):
        if not link.is_same or link.other_study_id not in study_ids:
            continue
        there = marked.at(link.other_study_id, link.other_frame_index, link.other_name)
        for finding in marked.at(study_id, link.frame_index, link.name):
            other = next((one for one in there if link.other_name or one.kind == finding.kind), None)
            if link.other_study_id == study_id and (other is None or finding in there):
                continue
            place = f"frame {link.other_frame_index}" if other is None else other.finding_id
            order = link.frame_index, link.other_study_id, link.other_frame_index
            ends.setdefault((finding.finding_id, link.other_study_id, place), order)
    same: dict[str, list[str]] = {}
    for finding_id, other_study_id, place in sorted(ends, key=ends.__getitem__):
        same.setdefault(finding_id, []).append(f"{other_study_id}/{place}")
    return {finding_id: tuple(places) for finding_id, places in same.items()}


class _Marked:
    """The findings on a frame of any study; each study is read once."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._studies: dict[str, list[tuple[Finding, SpanSet]]] = {}

    def at(self, study_id: str, frame_index: int, name: str) -> list[Finding]:
        """The findings of a kind, or with "" of any, that lie on a frame; the shortest first."""
        if study_id not in self._studies:
            spans: dict[str, list[Span]] = {}
            for label in self._library.annotations.labels(study_id):
                if label.finding_id:
                    spans.setdefault(label.finding_id, []).append(label.span)
            read = []
            for finding in self._library.annotations.findings(study_id):
                keys = [Span(frame, frame + 1) for frame in finding.key_frames]
                read.append((finding, SpanSet([finding.span, *keys, *spans.get(finding.finding_id, ())])))
            self._studies[study_id] = sorted(read, key=lambda each: each[1].frame_count)
        return [
            finding
            for finding, frames in self._studies[study_id]
            if name in ("", finding.kind) and frames.contains(frame_index)
        ]


def _from(study_id: str, own: Iterable[Link], to_it: Iterable[Link]) -> Iterator[Link]:
    """All links as links from the study; one within the study from both of its ends."""
    own = list(own)
    for link in own:
        yield link
    for link in (*(link for link in own if link.other_study_id == study_id), *to_it):
        ends = link.other_study_id, link.other_frame_index, link.study_id, link.frame_index
        yield Link(link.link_id, *ends, link.is_same, link.reader, link.other_name, link.name)
