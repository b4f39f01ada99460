"""A data set of synthetic studies: videos, truth, and the tables that training and the application read."""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from training.datasets.findings import BoxRow, FindingRow, write_boxes, write_findings
from training.datasets.labels import NORMAL, LabelRow, label_rows, write_labels
from training.datasets.manifest import Manifest, StudyEntry, StudySpan, save_manifest
from training.errors import UserError
from training.files.outputs import check_output_folder
from training.files.written import WrittenFiles
from training.phantom.patient import FRAMES_PER_SECOND, PhantomConfig
from training.phantom.record import finished_truth, truth_path, write_study
from training.runs.reporter import Reporter

Truth = Mapping[str, Any]
MAX_STUDIES = 10_000
MAX_FRAMES = 1_000_000
"""Of one study; the longest recordings have about half as many."""
LEAST_BYTES = 3000
"""Of a frame of 256 x 256 px in the video; measured are 6,000 to 8,000."""
TABLES = ("manifest.json", "labels.csv", "findings.csv", "boxes.csv")


def write_studies(
    out_dir: Path,
    *,
    studies: int,
    frames: int,
    seed: int = 0,
    size_px: int = 256,
    passes: int = 1,
    positive_share: float = 0.01,
    first_patient: int = 0,
    rest_share: float = 0.0,
    frames_per_second: int = FRAMES_PER_SECOND,
    speed: float = 1.0,
    alike: bool = False,
    places: bool = False,
    turns: int = 1,
    overwrite: bool = False,
    reporter: Reporter,
) -> Path:
    """Render studies into `out_dir`, with manifest.json, labels.csv, findings.csv and boxes.csv; returns the manifest.

    With `passes=2` two studies after each other come from one patient ("P01a", "P01b"); an odd number leaves the last
    patient with one. Studies that were finished before with the same values are kept. When the reporter asks to stop,
    the study at work is finished and the tables are written for what is there; when it cancels, `Cancelled` is raised.
    Files that somebody else wrote, or edited since, are only replaced with `overwrite`.

    Raises:
        ForeignFileError: a file of somebody else stands where one is to be written; nothing was rendered.
        UserError: a value is out of its range, or the folder cannot be written.
    """
    if not 1 <= studies <= MAX_STUDIES or frames > MAX_FRAMES:
        raise UserError(
            f"{studies:,} studies of {frames:,} frames cannot be rendered.",
            f"Ask for 1 to {MAX_STUDIES:,} studies of up to {MAX_FRAMES:,} frames.",
        )
    looks = rest_share, frames_per_second, speed, alike, places, turns
    first = PhantomConfig(frames, seed, size_px, 0, passes, 0, positive_share, *looks)
    configs = [
        replace(first, patient=first_patient + number // passes, pass_index=number % passes)
        for number in range(studies)
    ]
    _check_places(check_output_folder(out_dir, "folder of the studies"), configs, overwrite=overwrite)
    _check_room(out_dir, configs)
    try:
        return _write_all(out_dir, configs, reporter)
    except OSError as error:
        raise UserError(
            f"The phantom studies cannot be written to {out_dir}: {error.strerror or error}.", "Choose another folder."
        ) from error


def _check_room(out_dir: Path, configs: Sequence[PhantomConfig]) -> None:
    """Raise `UserError` where even the smallest videos of the studies that are missing would not fit on the disk."""
    missing = [config for config in configs if not _video(out_dir, config).exists()]
    needed = sum(config.frames * int(LEAST_BYTES * (config.size_px / 256) ** 2) for config in missing)
    place = next((place for place in (out_dir, *out_dir.absolute().parents) if place.exists()), Path())
    free = shutil.disk_usage(place).free
    if needed > free:
        raise UserError(
            f"{len(missing):,} studies of {configs[0].frames:,} frames need some {needed / 1e9:,.1f} GB; {place} has "
            f"{free / 1e9:,.1f} GB left.",
            "Ask for fewer studies or frames, or choose another disk.",
        )


def _video(out_dir: Path, config: PhantomConfig) -> Path:
    return out_dir / "videos" / f"{config.study_id}.mp4"


def _check_places(out_dir: Path, configs: Sequence[PhantomConfig], *, overwrite: bool) -> None:
    """The tables, and the studies that are not finished; the truth belongs to its video."""
    WrittenFiles(out_dir, "phantom").check(TABLES, overwrite=overwrite)
    videos = check_output_folder(out_dir / "videos", "folder of the videos")
    written = WrittenFiles(videos, "phantom")
    for config in configs:
        video = videos / f"{config.study_id}.mp4"
        if finished_truth(video, config) is None:
            written.check([video.name], overwrite=overwrite)
            if not written.is_ours(video.name):
                written.check([truth_path(video).name], overwrite=overwrite)


def _write_all(out_dir: Path, configs: Sequence[PhantomConfig], reporter: Reporter) -> Path:
    truths: list[Truth] = []
    for number, config in enumerate(configs):
        if number and reporter.stop_requested:
            reporter.log(f"stopped after {number} of {len(configs)} studies")
            break
        reporter.check()
        truths.append(_study(out_dir, config, reporter))
        reporter.log(f"{config.study_id}: {_summary(truths[-1])}")
    return _write_tables(out_dir, truths)


def _study(out_dir: Path, config: PhantomConfig, reporter: Reporter) -> Truth:
    """Render one study unless it is there already."""
    video = _video(out_dir, config)
    kept = finished_truth(video, config)
    if kept is not None:
        _check_truth(out_dir, kept, truth_path(video))
        return kept
    write_study(config, video.parent, config.study_id, reporter)
    loaded: Truth = json.loads(truth_path(video).read_text(encoding="utf-8"))
    return loaded


def _check_truth(out_dir: Path, truth: Truth, path: Path) -> None:
    """Raise `UserError` where the tables cannot be made from a truth that was read from its file."""
    try:
        _summary(truth)
        for rows in (_label_rows, _finding_rows, _box_rows):
            list(rows(truth))
        _entry(out_dir, truth)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise UserError(f"{path} is damaged.", "Delete it and its video; the study is rendered again.") from error


def _summary(truth: Truth) -> str:
    labelled = [frame["labels"] for frame in truth["frames"]]
    positive = sum(1 for labels in labelled if labels and labels != [NORMAL])
    return f"{len(labelled)} frames, {positive} show one of {len(truth['lesions'])} lesions"


def _write_tables(out_dir: Path, truths: Sequence[Truth]) -> Path:
    written = WrittenFiles(out_dir, "phantom")
    with written.writing("labels.csv") as path:
        write_labels(path, [row for truth in truths for row in _label_rows(truth)])
    with written.writing("findings.csv") as path:
        write_findings(path, [row for truth in truths for row in _finding_rows(truth)])
    with written.writing("boxes.csv") as path:
        write_boxes(path, [row for truth in truths for row in _box_rows(truth)])
    with written.writing("manifest.json") as path:
        save_manifest(path, Manifest(studies=tuple(_entry(out_dir, truth) for truth in truths)), keeps_paths=True)
    return out_dir / "manifest.json"


def _entry(out_dir: Path, truth: Truth) -> StudyEntry:
    """The study with the spans of its regions."""
    count = len(truth["frames"])
    starts = [*truth["landmarks"].values(), count]
    spans = tuple(
        StudySpan(start=start, stop=stop, region=region)
        for region, start, stop in zip(truth["landmarks"], starts[:-1], starts[1:], strict=True)
    )
    path = out_dir / "videos" / f"{truth['study_id']}.mp4"
    return StudyEntry(study_id=truth["study_id"], patient_id=truth["patient_id"], path=path, spans=spans)


def finding_id(truth: Truth, lesion_id: str) -> str:
    """Findings belong to one study: with two passes a lesion is one finding in each, "P01a-L2" and "P01b-L2"."""
    return f"{truth['study_id']}-{lesion_id.rpartition('-')[2]}"


def _said(truth: Truth, frame: Mapping[str, Any]) -> set[tuple[str, str]]:
    """(label, finding) pairs of one frame."""
    if frame["labels"] == [NORMAL]:
        return {(NORMAL, "")}
    return {(seen["kind"], finding_id(truth, seen["lesion_id"])) for seen in frame["sightings"] if seen["is_clear"]}


def _label_rows(truth: Truth) -> list[LabelRow]:
    """Maximal spans of frames that say the same, in order of their start."""
    return label_rows(truth["study_id"], {index: _said(truth, frame) for index, frame in enumerate(truth["frames"])})


def _finding_rows(truth: Truth) -> Iterator[FindingRow]:
    """The lesions that a reader can see somewhere in the study."""
    seen = {
        sighting["lesion_id"] for frame in truth["frames"] for sighting in frame["sightings"] if sighting["is_clear"]
    }
    for lesion in truth["lesions"]:
        if lesion["lesion_id"] in seen:
            yield FindingRow(
                finding_id=finding_id(truth, lesion["lesion_id"]),
                study_id=truth["study_id"],
                kind=lesion["kind"],
                size_mm=lesion["size_mm"],
                morphology=lesion["morphology"],
            )


def _box_rows(truth: Truth) -> Iterator[BoxRow]:
    for frame in truth["frames"]:
        for seen in frame["sightings"]:
            if seen["is_clear"]:
                left, top, right, bottom = seen["box"]
                yield BoxRow(
                    study_id=truth["study_id"],
                    frame_index=frame["frame_index"],
                    x_min=left,
                    y_min=top,
                    x_max=right,
                    y_max=bottom,
                    label=seen["kind"],
                    finding_id=finding_id(truth, seen["lesion_id"]),
                )
