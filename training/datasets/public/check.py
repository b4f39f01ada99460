"""Check of a data set's folder: what is there, what is missing, what its labels mean."""

from typing import Any

from training.datasets.public.boxes import empty_boxes_note, empty_in
from training.datasets.public.contents import Contents
from training.datasets.public.layout import DataSet, PublishedSet

SHOWN = 3
NO_TERM = "(not in the vocabulary)"


def report(data_set: DataSet, found: PublishedSet, inside: Contents, copies: str) -> dict[str, Any]:
    """What a person should know of a folder, as JSON values; `text` holds the table of labels."""
    return {
        "text": "\n".join(_table(found, inside)),
        "data set": data_set.title,
        "images": len(found.images),
        "images in the publication": data_set.images,
        "recordings": len({image.study for image in found.images if image.study}),
        "boxes": sum(not box.is_empty for image in found.images for box in image.boxes),
        "masks": sum(bool(image.mask) for image in found.images),
        "videos": len(found.videos),
        "missing": missing_sentence(found),
        "labels without a term": unknown_sentence(inside),
        "copies": copies,
        "complete": is_complete(data_set, found),
        "notes": [*found.notes, *empty_boxes_note(empty_in(found.images))],
        "read as": "tried on " + data_set.verified if data_set.verified else "not verified on real files",
        "licence": data_set.licence,
        "cite": data_set.citation,
    }


def is_complete(data_set: DataSet, found: PublishedSet) -> bool:
    """Whether every file that the set speaks of is there, and as many images as its publication counts."""
    return not found.missing and (data_set.images is None or len(found.images) >= data_set.images)


def missing_sentence(found: PublishedSet) -> str:
    """How many files are missing and which come first; empty where none is."""
    if not found.missing:
        return ""
    more = f" and {len(found.missing) - SHOWN:,} more" if len(found.missing) > SHOWN else ""
    what = "1 file is" if len(found.missing) == 1 else f"{len(found.missing):,} files are"
    return f"{what} not there: {', '.join(found.missing[:SHOWN])}{more}."


def unknown_sentence(inside: Contents) -> str:
    """Labels that no term stands for, with their images; empty where there is none."""
    return ", ".join(f"{label} ({inside.counts[label]:,} images)" for label in inside.unknown)


def _table(found: PublishedSet, inside: Contents) -> list[str]:
    """A line for each published label: its images, those that are missing, and the term it is read as."""
    rows = [("images", "missing", "as published", "read as")]
    for label in sorted({*inside.counts, *found.missing_labels}, key=lambda label: (-inside.counts[label], label)):
        missing = found.missing_labels.get(label, 0)
        rows.append((_number(inside.counts[label]), _number(missing), label, inside.terms.get(label, NO_TERM)))
    rows += [(_number(count), "", "(not asked for)", term) for term, count in inside.left_out.most_common()]
    if unsaid := sum(not image.labels for image in found.images):
        rows.append((_number(unsaid), "", "(nothing said)", "no label"))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return [f"{a.rjust(widths[0])}  {b.rjust(widths[1])}  {c.ljust(widths[2])}  {d}".rstrip() for a, b, c, d in rows]


def _number(count: int) -> str:
    return f"{count:,}" if count else "-"
