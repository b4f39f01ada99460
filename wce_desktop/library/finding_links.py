"""What a reader's links say of the findings of a study: seen again elsewhere, or another one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.clock import format_frame_stored
from wce_desktop.core.span import Span, SpanSet
from wce_desktop.library.library import Library


@dataclass(frozen=True, slots=True)
class FindingLink:
    """A link as seen from a finding of a study, or from a place of it without a finding.

    Attributes:
        finding: at this end; None: no finding lies on the linked frame.
        frame_index: of this end.
        other_study_id: the study of the other end; may be the same.
        other_frame_index: of the other end.
        other_finding: at the other end, or None.
        other_kind: what is meant at the other end, a class of the vocabulary; "" for the place itself.
        is_same: whether both ends show the same, according to the reader.
    """

    finding: Finding | None
    frame_index: int
    other_study_id: str
    other_frame_index: int
    other_finding: Finding | None
    other_kind: str
    is_same: bool

    def words(self, title: Callable[[str], str], study_id: str) -> str:
        """ "The same finding as Polyp at frame 981 of study P03b."

        Args:
            title: of a class of the vocabulary.
            study_id: the study that the sentence is about.
        """
        verdict = "The same" if self.is_same else "Not the same"
        what, kind = "place", self.other_finding.kind if self.other_finding is not None else self.other_kind
        where = f"frame {format_frame_stored(self.other_frame_index + 1)} of "
        where += "this study" if self.other_study_id == study_id else f"study {self.other_study_id}"
        if kind:
            what, where = "finding", f"{title(kind)} at {where}"
        return f"{verdict} {what} as {where}."


def finding_links(library: Library, study_id: str) -> tuple[FindingLink, ...]:
    """The links of a study's findings, and of its places that are linked with other studies, in order of time.

    A link whose end lies on frames of a finding, and means its kind or the place itself, is a link of this finding.
    Links between parts of one finding say nothing new and are left out, and so are links within the study that do not
    lead from one finding to another.
    """
    found: dict[object, FindingLink] = {}
    marked = _Marked(library)
    for link in _from(study_id, library.annotations.links(study_id), library.annotations.links_to(study_id)):
        for one in _seen_from(link, marked):
            other = one.other_finding.finding_id if one.other_finding is not None else one.other_frame_index
            here = one.finding.finding_id if one.finding is not None else one.frame_index
            found.setdefault((here, one.other_study_id, other, one.is_same), one)
    return tuple(sorted(found.values(), key=lambda one: (one.frame_index, one.other_study_id, one.other_frame_index)))


def links_in_words(library: Library, study_id: str, title: Callable[[str], str]) -> dict[str, tuple[str, ...]]:
    """Finding -> the sentences on its links, for a report; under "" those on places without a finding.

    The sentences name studies by their id, never by their name, and say which frame a place without a finding is.

    Args:
        library: of the study.
        study_id: the study.
        title: of a class of the vocabulary.
    """
    said: dict[str, list[str]] = {}
    for one in finding_links(library, study_id):
        words = one.words(title, study_id)
        if one.finding is None:
            words = f"Frame {format_frame_stored(one.frame_index + 1)}: {words[0].lower()}{words[1:]}"
        said.setdefault(one.finding.finding_id if one.finding is not None else "", []).append(words)
    return {finding_id: tuple(sentences) for finding_id, sentences in said.items()}


class _Marked:
    """The findings on a frame of any study; each study is read once."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._studies: dict[str, list[tuple[Finding, SpanSet]]] = {}

    def at(self, study_id: str, frame_index: int, name: str) -> list[Finding]:
        """The findings of a kind, or with "" of any, that lie on a frame; the shortest first."""
        if study_id not in self._studies:
            self._studies[study_id] = self._read(study_id)
        return [
            finding
            for finding, frames in self._studies[study_id]
            if name in ("", finding.kind) and frames.contains(frame_index)
        ]

    def _read(self, study_id: str) -> list[tuple[Finding, SpanSet]]:
        spans: dict[str, list[Span]] = {}
        for label in self._library.annotations.labels(study_id):
            if label.finding_id:
                spans.setdefault(label.finding_id, []).append(label.span)
        read = []
        for finding in self._library.annotations.findings(study_id):
            keys = [Span(frame, frame + 1) for frame in finding.key_frames]
            read.append((finding, SpanSet([finding.span, *keys, *spans.get(finding.finding_id, ())])))
        return sorted(read, key=lambda each: each[1].frame_count)


def _from(study_id: str, own: Iterable[Link], to_it: Iterable[Link]) -> Iterator[Link]:
    """All links as links from the study; one within the study from both of its ends."""
    for link in own:
        yield link
        if link.other_study_id == study_id:
            yield _turned(link)
    for link in to_it:
        yield _turned(link)


def _turned(link: Link) -> Link:
    ends = link.other_study_id, link.other_frame_index, link.study_id, link.frame_index
    return Link(link.link_id, *ends, link.is_same, link.reader, link.other_name, link.name)


def _seen_from(link: Link, marked: _Marked) -> Iterator[FindingLink]:
    here: list[Finding | None] = [*marked.at(link.study_id, link.frame_index, link.name)]
    there = marked.at(link.other_study_id, link.other_frame_index, link.other_name)
    is_within = link.study_id == link.other_study_id
    for finding in here or [None]:
        fitting = [one for one in there if finding is None or link.other_name or one.kind == finding.kind]
        other = fitting[0] if fitting else None
        if is_within and (finding is None or other is None or finding in there):
            continue
        yield FindingLink(
            finding, link.frame_index, link.other_study_id, link.other_frame_index, other, link.other_name, link.is_same
        )
