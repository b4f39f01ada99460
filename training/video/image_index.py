"""The frame index of a folder of images."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np

from training.errors import UserError
from training.runs.reporter import Reporter, reported
from training.texts import Text
from training.version import IMAGE_NUMBERING, NUMBERING
from training.video import folders, formats, frame_index, image_reader
from training.video.image_header import ImageHeader, image_header

_NAMED = 5


def build_image_index(folder: Path, reporter: Reporter, numbering: int = NUMBERING) -> frame_index.FrameIndex:
    """Index the images directly inside `folder` in order, from their headers alone; see `folders.list_folder`.

    A file of several pictures (TIFF, GIF, an animation) is several frames. Where images have 16 bits, a sample of them
    is decoded to learn how many are used.

    Args:
        numbering: by rules before `IMAGE_NUMBERING` a file is one frame, only TIFF is turned, and the upper 8 of 16
            bits are shown.

    Raises:
        UserError: the folder cannot be read, holds no image, or none that is whole and of a kind that can be read.
    """
    listing = folders.list_study(folder, numbering)
    names = listing.names
    what = Text("indexing {name}", folder.name)
    headers = [image_header(folder / name) for name in reported(names, reporter, "frames", what)]
    is_newest = numbering >= IMAGE_NUMBERING
    readable = [header.is_readable and (is_newest or header.in_first) for header in headers]
    if not any(readable):
        raise _none_readable(folder, headers)
    # A file without pictures is a frame that is missing.
    pages = [
        header.pages if is_newest and is_readable else header.pages[:1] or (0,)
        for header, is_readable in zip(headers, readable, strict=True)
    ]
    file_of_frame = np.repeat(np.arange(len(names)), [len(one) for one in pages])
    page_of_frame = np.array([page for one in pages for page in one], np.int64)
    turned = np.array([1 if header.kind == "TIFF" or not is_newest else header.orientation for header in headers])
    deep = [(folder / name, h) for name, h, one in zip(names, headers, readable, strict=True) if one and h.bits > 8]
    value_bits = image_reader.value_bits_of(deep) if is_newest else 16
    numbers = np.arange(len(file_of_frame), dtype=np.int64)
    return frame_index.FrameIndex(
        video_seconds=numbers / frame_index.IMAGES_PER_SECOND,
        pts=numbers,
        is_key=np.ones(len(numbers), bool),
        time_base=Fraction(1, frame_index.IMAGES_PER_SECOND),
        missing=numbers[~np.array(readable)[file_of_frame]],
        notes=(*_notes(names, headers, readable, numbering, value_bits if deep else 16), *listing.notes),
        kind="images",
        files=tuple(names[file] for file in file_of_frame.tolist()),
        pages=page_of_frame if is_newest and page_of_frame.any() else None,
        orientations=turned[file_of_frame].astype(np.int64) if (turned != 1).any() else None,
        value_bits=value_bits,
        fingerprint=formats.fingerprint(folder, numbering),
        numbering=numbering,
    )


def _none_readable(folder: Path, headers: list[ImageHeader]) -> UserError:
    kinds = sorted({header.kind for header in headers if not header.is_supported and header.kind})
    if not kinds:
        return UserError(
            "None of the {count:,} images in {name} can be read.",
            "Copy or export them again.",
            len(headers),
            folder.name,
        )
    return UserError(
        "The images in {name} are of a kind that cannot be read: {kinds}.",
        "Export them as JPEG or PNG files.",
        folder.name,
        ", ".join(kinds),
    )


def _notes(
    names: Sequence[str], headers: list[ImageHeader], readable: list[bool], numbering: int, value_bits: int
) -> tuple[str, ...]:
    notes: list[str] = [
        Text(
            "Images have no time stamps; times are counted at {images_per_second} frames per second.",
            frame_index.IMAGES_PER_SECOND,
        )
    ]
    shown = [header for header, one in zip(headers, readable, strict=True) if one]
    sizes = [header.size(numbering) for header in shown]
    counts = Counter(sizes)
    if len(counts) > 1:
        first = sizes[0]
        others = counts.total() - counts[first]
        notes.append(
            Text(
                "The images have {count} sizes; {others:,} of them are scaled to the size of the first ({first} x "
                "{first2} px), with black borders where the shape differs.",
                len(counts),
                others,
                first[1],
                first[0],
            )
        )
    if numbering >= IMAGE_NUMBERING:
        notes += _reading_notes(names, headers, shown, value_bits)
    kinds: dict[str, list[str]] = {}
    for name, header, one in zip(names, headers, readable, strict=True):
        if not one:
            kinds.setdefault("" if header.is_supported else header.kind, []).append(name)
    for kind, missing in sorted(kinds.items()):
        notes.append(
            Text("Images of a kind that cannot be read ({kind}; {count:,}): {named}.", kind, *_counted(missing))
            if kind
            else Text("{count:,} images cannot be read: {named}.", *_counted(missing))
        )
    return tuple(notes)


def _reading_notes(
    names: Sequence[str], headers: list[ImageHeader], shown: list[ImageHeader], value_bits: int
) -> Iterator[str]:
    """What was done to the pictures so that they are seen as they are meant."""
    if turned := sum(header.orientation != 1 for header in shown):
        yield Text("Images that are stored turned or mirrored, and are shown upright: {turned:,}.", turned)
    several = [name for name, header in zip(names, headers, strict=True) if len(header.pages) > 1]
    if several:
        yield Text("Files of several pictures, each of which is a frame ({count:,}): {named}.", *_counted(several))
    cut = [name for name, header in zip(names, headers, strict=True) if header.is_readable and not header.is_whole]
    if cut:
        sentence = "Files that are cut short, of which the pictures before the cut are shown ({count:,}): {named}."
        yield Text(sentence, *_counted(cut))
    if value_bits < 16:
        yield Text("The images have 16 bits, of which {value_bits} are used; all are brightened alike.", value_bits)


def _counted(names: Sequence[str]) -> tuple[int, str]:
    return len(names), ", ".join([*names[:_NAMED], *(["…"] if len(names) > _NAMED else [])])
