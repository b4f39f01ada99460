"""Kvasir-Capsule: labelled images in a folder for each class, `metadata.csv`, two official splits, videos.

Layout (https://github.com/simula/kvasir-capsule and https://osf.io/dv2ag/, Smedsrud et al. 2021): `labelled_images/`
(one folder for each class) or `images/`, `metadata.csv` (semicolons: `filename;video_id;frame_number;finding_category;
finding_class;x1;y1;...;x4;y4`, the corners of a box), `official_splits/split_0.csv` and `split_1.csv`
(`filename,label`), `labelled_videos/` and `unlabelled_videos/`. What lies elsewhere below the folder is found by its
name. The tables were checked against the official files (47,248 rows, 47,229 images, 43 recordings); the folders of
images and videos were not at hand.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from training.datasets.public.files import files_by_name, left_out_notes, read_delimited
from training.datasets.public.layout import DataSet, PublishedBox, PublishedImage, PublishedSet, PublishedVideo
from training.errors import UserError
from training.video.formats import VIDEO_SUFFIXES

METADATA = ("filename", "video_id", "frame_number", "finding_class")
CORNERS = tuple(f"{axis}{corner}" for corner in range(1, 5) for axis in "xy")


def read(folder: Path) -> PublishedSet:
    """Read a download; the labels are those of `metadata.csv`, the splits say which part an image belongs to.

    Raises:
        UserError: no `metadata.csv`, or one that is no such table.
    """
    rows = read_delimited(folder / "metadata.csv", METADATA)
    splits = {number: _split(folder, number) for number in ("0", "1")}
    # The table says .jpg, the authors' page PNG: the name counts, whatever its suffix.
    there = {_stem(name): path for name, path in files_by_name(folder).items()}
    images, missing = _images(folder, there, rows, splits)
    named = {_stem(row["filename"]) for row in rows}
    unnamed = [path for stem, path in there.items() if stem not in named]
    said = {(row["filename"], row["finding_class"]) for row in rows}
    lost = set(missing)
    missing_labels = Counter(label for name, label in said if name in lost)
    notes = [
        "Each recording counts as a patient: the data set does not name patients.",
        *_notes(rows, images, splits),
        *_other_names(rows, splits),
        *left_out_notes(unnamed, "are not named in metadata.csv"),
    ]
    return PublishedSet(tuple(images), tuple(missing), missing_labels, tuple(notes), tuple(_videos(folder)))


def _images(
    folder: Path,
    there: Mapping[str, str],
    rows: list[dict[str, str]],
    splits: Mapping[str, Mapping[str, str]],
) -> tuple[list[PublishedImage], list[str]]:
    """An image for each file name, `there` under its stem; its rows give labels and boxes, each once."""
    by_name: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        by_name[row["filename"]].append(row)
    images, missing = [], []
    for name, said in by_name.items():
        path = there.get(_stem(name))
        if path is None:
            missing.append(name)
            continue
        images.append(
            PublishedImage(
                path=path,
                labels=tuple(dict.fromkeys(row["finding_class"] for row in said)),
                study=said[0]["video_id"],
                frame_number=frame_number(folder / "metadata.csv", said[0]),
                boxes=tuple(dict.fromkeys(box for row in said for box in _box(folder, row))),
                split=" and ".join(number for number, names in splits.items() if name in names),
            )
        )
    return images, missing


def _stem(name: str) -> str:
    return name.rsplit(".", 1)[0]


def frame_number(table: Path, row: Mapping[str, str]) -> int:
    """The frame number of a row; `UserError` where it is none."""
    if not row["frame_number"].isdecimal() or len(row["frame_number"]) > 10:
        raise UserError(f"{table}: the frame number of {row['filename']} is not a number.", "Download the file again.")
    return int(row["frame_number"])


def _box(folder: Path, row: Mapping[str, str]) -> Iterable[PublishedBox]:
    """The box around the four corners of a row; none where the row has none."""
    texts = [row.get(corner, "") for corner in CORNERS]
    if not any(texts):
        return
    try:
        numbers = [float(text) for text in texts]
    except ValueError as error:
        raise UserError(
            f"{folder / 'metadata.csv'}: the corners of {row['filename']} are not numbers.", "Download the file again."
        ) from error
    xs, ys = numbers[0::2], numbers[1::2]
    yield PublishedBox(row["finding_class"], min(xs), min(ys), max(xs), max(ys))


def _split(folder: Path, number: str) -> dict[str, str]:
    """File name -> label of an official split; empty where it was not downloaded."""
    for path in (folder / "official_splits" / f"split_{number}.csv", folder / f"split_{number}.csv"):
        if path.is_file():
            return {row["filename"]: row["label"] for row in read_delimited(path, ("filename", "label"))}
    return {}


def _videos(folder: Path) -> Iterable[PublishedVideo]:
    for part in ("labelled_videos", "unlabelled_videos"):
        for path in sorted((folder / part).glob("*")) if (folder / part).is_dir() else ():
            if path.suffix.lower() in VIDEO_SUFFIXES:
                yield PublishedVideo(path.relative_to(folder).as_posix(), path.stem)


def _notes(
    rows: list[dict[str, str]], images: Iterable[PublishedImage], splits: Mapping[str, Mapping[str, str]]
) -> Iterable[str]:
    seen = Counter(row["filename"] for row in rows)
    if len(seen) < len(rows):
        yield (
            f"metadata.csv has {len(rows):,} rows for {len(seen):,} images: {sum(n > 1 for n in seen.values())} images "
            "are listed several times, with further labels or boxes. Each image is one frame here, with all its labels "
            "and boxes."
        )
    if count := sum(len(image.labels) > 1 for image in images):
        yield f"{count} images have more than one label (such as a pylorus with an erosion); all are kept."
    studies = [{name.rsplit("_", 1)[0] for name in names} for names in splits.values()]
    if shared := sorted(studies[0] & studies[1]):
        yield (
            f"{len(shared)} recordings are in both official splits ({', '.join(shared)}), so the official training and "
            "test parts share patients. images.csv groups by recording; splits.csv has the official parts."
        )


def _other_names(rows: list[dict[str, str]], splits: Mapping[str, Mapping[str, str]]) -> Iterable[str]:
    """How the splits' names differ from the classes: by spelling, by being fewer, and on single images."""
    classes: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        classes[row["filename"]].add(row["finding_class"])
    known = {row["finding_class"] for row in rows}
    means: dict[str, Counter[str]] = defaultdict(Counter)
    for names in splits.values():
        for name, label in names.items():
            means[label].update(classes.get(name, ()))
    if not means or set(means) == known:
        return
    usual = {label: found.most_common(1)[0][0] for label, found in means.items() if found}
    renamed = [f"{label} for {finding}" for label, finding in sorted(usual.items()) if label != finding]
    yield (
        f"The official splits use {len(means)} names where metadata.csv has {len(known)} classes: "
        f"{', '.join(renamed)}; none for {', '.join(sorted(known - set(usual.values())))}. "
        "The labels here are those of metadata.csv."
    )


DATA_SET = DataSet(
    name="kvasir-capsule",
    title="Kvasir-Capsule",
    where="https://osf.io/dv2ag/",
    what="labelled_images, metadata.csv; official_splits and the videos if needed",
    licence="CC BY 4.0",
    citation="Smedsrud et al., Kvasir-Capsule, a video capsule endoscopy dataset, Scientific Data 8, 142 (2021)",
    verified="metadata.csv and both splits (official files); synthetic images",
    read=read,
    images=47_229,
)
