"""The links of an export and of an import."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TypeAlias

from training.datasets.findings import LINK_COLUMNS, LinkRow
from wce_desktop.core import counted, to_translate, tr
from wce_desktop.core.annotation import Add, Change, Link

_Ends: TypeAlias = frozenset[tuple[str, int, str]]
"""Study, frame and name of both places, whichever comes first."""


def link_rows(links: Iterable[Link], study_ids: Collection[str]) -> Iterator[LinkRow]:
    """The links between two places of the studies named; the others would lead to where an import finds nothing."""
    for link in links:
        if link.other_study_id in study_ids and link.study_id in study_ids:
            yield LinkRow.model_validate({name: getattr(link, name) for name in LINK_COLUMNS})


def link_changes(
    rows: Iterable[LinkRow], ids: Mapping[str, str], frame_counts: Mapping[str, int], kept: Iterable[Link]
) -> tuple[dict[str, tuple[Change, ...]], list[str]]:
    """The changes by study, and a sentence for each reason why links are left out.

    Args:
        rows: of the file.
        ids: the library's study id by the file's, where they differ.
        frame_counts: frames of each study of the library, and of those that the import adds; 0: not yet counted.
        kept: all links of the library. One that says the opposite stays, and the file's is left out.
    """
    known: dict[_Ends, bool] = {_ends(link): link.is_same for link in kept}
    changes: dict[str, list[Change]] = {}
    left_out: Counter[str] = Counter()
    for row in rows:
        mapped = row.model_copy(
            update={
                "study_id": ids.get(row.study_id, row.study_id),
                "other_study_id": ids.get(row.other_study_id, row.other_study_id),
            }
        )
        reason = _reason(mapped, frame_counts, known)
        if reason:
            left_out[reason] += 1
            continue
        link = Link.new(**mapped.model_dump())
        known[_ends(link)] = link.is_same
        changes.setdefault(link.study_id, []).append(Add(link))
    notes = [
        tr("{rows} left out: {reason}.", rows=counted(count, "link"), reason=tr(reason))
        for reason, count in left_out.items()
    ]
    return {study_id: tuple(made) for study_id, made in changes.items()}, notes


def _reason(row: LinkRow, frame_counts: Mapping[str, int], known: Mapping[_Ends, bool]) -> str:
    """Why a row cannot be used, or is not new; empty: it is new."""
    places = (row.study_id, row.frame_index), (row.other_study_id, row.other_frame_index)
    if any(study_id not in frame_counts for study_id, _ in places):
        return to_translate("a study is unknown")
    if any(0 < frame_counts[study_id] <= frame for study_id, frame in places):
        return to_translate("a frame lies past the end of its study")
    ends = _ends(row)
    if len(ends) < 2:
        return to_translate("both places are the same")
    if ends in known:
        return (
            to_translate("already there")
            if known[ends] == row.is_same
            else to_translate("the library or an earlier line says the opposite")
        )
    return ""


def _ends(link: Link | LinkRow) -> _Ends:
    return frozenset(
        (
            (link.study_id, link.frame_index, link.name),
            (link.other_study_id, link.other_frame_index, link.other_name),
        )
    )
