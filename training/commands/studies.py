"""Commands about studies: `phantom` renders them, `index` tells what a file holds, `datasets` reads published sets."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from training.commands.common import CommandConfig
from training.errors import writing
from training.files.kinds import FRAME_INDEX
from training.files.marks import OutputFile, OutputFolder, OverwriteField
from training.runs.reporter import Reporter
from training.settings import Only, Settings
from training.texts import Text


class PhantomCommand(Settings):
    """What to render; see `training.phantom.dataset.write_studies`."""

    only = (Only("turns", "places", (True,)),)

    out: Annotated[Path, OutputFolder("folder of the studies")] = Field(
        description="Folder for manifest, tables, videos and truth; finished studies in it are kept."
    )
    studies: int = Field(default=4, ge=1, description="Number of studies to render.")
    frames: int = Field(default=3000, ge=2, description="Frames of each study.")
    seed: int = Field(default=0, ge=0, lt=2**31, description="Seed of all random numbers.")
    size_px: int = Field(default=256, ge=48, le=1024, multiple_of=2, description="Side of the frames in px.")
    passes: int = Field(
        default=1, ge=1, le=2, description="2: two studies of each patient, with the same lesions and other motion."
    )
    positive_share: float = Field(default=0.01, ge=0, le=0.5, description="Wanted share of frames that show a lesion.")
    rest_share: float = Field(default=0.0, ge=0, le=0.9, description="Share of frames in which the capsule lies still.")
    frames_per_second: int = Field(
        default=2,
        ge=1,
        le=60,
        description="Of the videos; more show the same motion in smaller steps, so that a lesion is in view for more "
        "frames.",
    )
    speed: float = Field(default=1.0, ge=0.1, le=2, description="Speed of the capsule; 1 is the usual one.")
    alike: bool = Field(
        default=False,
        description="All lesions are polyps of the same colour; surface, outline, size and form distinguish those of a "
        "patient.",
    )
    places: bool = Field(
        default=False,
        description="Places of the wall differ in vessels, folds and texture and hardly in colour; the passes of a "
        "patient differ in speed, rotation, distance and light.",
    )
    turns: int = Field(
        default=1,
        ge=1,
        le=9,
        description="How often the capsule turns back in each region; with more, lesions return more often.",
    )
    first_patient: int = Field(
        default=0,
        ge=0,
        le=1_000_000,
        description="Number of the first patient, so that further patients can be rendered into another folder.",
    )
    overwrite: OverwriteField = False
    device: Literal["auto", "cpu", "cuda", "mps"] = Field(
        default="cpu", description="Accepted as in every command; rendering uses the CPU."
    )


def run_phantom(config: PhantomCommand, reporter: Reporter) -> dict[str, Any]:
    """Render the studies; the result names the manifest and counts studies, frames and positive frames."""
    from training.datasets.labels import NORMAL, read_labels
    from training.datasets.manifest import load_manifest
    from training.phantom.dataset import write_studies

    settings: dict[str, Any] = config.model_dump(exclude={"out", "device"})
    manifest = write_studies(config.out, reporter=reporter, **settings)
    done = len(load_manifest(manifest).studies)
    rows = read_labels(manifest.with_name("labels.csv"))
    positive = {(row.study_id, frame) for row in rows if row.label != NORMAL for frame in range(row.start, row.stop)}
    return {
        "manifest": str(manifest),
        "studies": done,
        "studies_wanted": config.studies,
        "frames": done * config.frames,
        "positive_frames": len(positive),
    }


class IndexCommand(CommandConfig):
    """Which study to index."""

    path: Path = Field(description="Video file or folder of images.")
    out: Annotated[Path | None, OutputFile(FRAME_INDEX)] = Field(
        None, description="File to save the index to (.npz); empty: it is only printed."
    )
    overwrite: OverwriteField = False
    check: int = Field(8, ge=0, le=1000, description="Seeks to check by decoding the frames around them; 0: none.")


def run_index(config: IndexCommand, reporter: Reporter) -> dict[str, Any]:
    """Index; the result says what was found, in the order in which a person wants to read it."""
    import numpy as np

    from training.video import build_index, verify_index

    index = build_index(config.path, reporter)
    if config.check:
        index = verify_index(config.path, index, samples=config.check, reporter=reporter)
    if config.out is not None:
        with writing(config.out):
            config.out.parent.mkdir(parents=True, exist_ok=True)
            index.save(config.out)
    gaps, keys = np.diff(index.video_seconds), np.flatnonzero(index.is_key)
    return {
        "path": str(config.path),
        "kind": index.kind,
        "frames": len(index),
        "duration_seconds": index.duration_seconds,
        "time_base": str(index.time_base),
        "median_fps": float(1 / np.median(gaps)) if len(gaps) and np.median(gaps) > 0 else None,
        "lowest_fps": float(1 / gaps.max()) if len(gaps) and gaps.max() > 0 else None,
        "highest_fps": float(1 / gaps.min()) if len(gaps) and gaps.min() > 0 else None,
        "key_frames": len(keys),
        "longest_gop": int(np.diff([*keys.tolist(), len(index)]).max()) if len(keys) else len(index),
        "missing": [int(frame) for frame in index.missing],
        "notes": list(index.notes),
        "fingerprint": index.fingerprint,
    }


class DatasetsCommand(CommandConfig):
    """What to do with which data set; see `training.datasets.public`."""

    only = (
        Only("name,folder,classes,kinds,without,also,number_blocks,group_by", "action", ("check", "export")),
        Only("out,files,videos,partial", "action", ("export",)),
    )

    action: Literal["list", "check", "export"] = Field(description="list, check or export.")
    name: str = Field("", description="Name of the data set, as printed by `datasets list`.")
    folder: Path | None = Field(None, description="Folder that holds the unpacked data set.")
    out: Annotated[Path | None, OutputFolder("folder to export into")] = Field(
        None, description="Folder to export into."
    )
    overwrite: OverwriteField = False
    classes: tuple[str, ...] = Field((), description="Classes to keep, in this program's terms; empty: all.")
    kinds: tuple[Literal["finding", "landmark", "view", "normal"], ...] = Field(
        (), description="Kinds of classes to keep, instead of classes."
    )
    without: tuple[str, ...] = Field((), description="Labels of the data set whose images are left out.")
    also: dict[str, str] = Field({}, description="Additional labels of the data set, and the terms they stand for.")
    number_blocks: int | None = Field(
        None,
        ge=1,
        description="For images that name no recording: so many successive numbers of their file names stand for a "
        "patient. Empty: their patients are unknown.",
    )
    group_by: str = Field(
        "",
        description="Regular expression that finds the patient in the path of an image (its first group), for images "
        "that name no recording.",
    )
    files: Literal["link", "copy"] = Field("link", description="Link the images (hard links), or copy them.")
    videos: bool = Field(False, description="Export videos as studies, with the labels of images found in them.")
    partial: bool = Field(False, description="Export even if the download is incomplete.")
    resume: bool = Field(False, description="Keep the images written by an earlier call.")

    @model_validator(mode="after")
    def _check_inputs(self) -> "DatasetsCommand":
        if self.action == "list":
            return self
        if not self.name:
            raise ValueError("name the data set; `datasets list` shows them")
        if self.folder is None:
            raise ValueError("name the folder that holds the unpacked data set")
        if self.action == "export" and self.out is None:
            raise ValueError("name the folder to export to: --out DIR2")
        if self.classes and self.kinds:
            raise ValueError("give either classes or kinds, not both")
        return self


def run_datasets(config: DatasetsCommand, reporter: Reporter) -> dict[str, Any]:
    """Do it; the result is what a person should read. No torch anywhere."""
    from training.datasets.public.catalogue import DATA_SETS, find_data_set
    from training.datasets.public.check import copies_sentence, damaged_images, report
    from training.datasets.public.contents import contents, vocabulary
    from training.datasets.public.export import Export, export
    from training.datasets.public.number_blocks import with_blocks, with_groups

    if config.action == "list" or config.folder is None:
        return {
            one.name: {
                "title": one.title,
                "from": one.where,
                "download": one.what,
                "licence": one.licence,
                "verified": one.verified or "not verified",
            }
            for one in DATA_SETS.values()
        }
    data_set = find_data_set(config.name)
    known = vocabulary("kid" if config.name in ("kid1", "kid2") else config.name, config.also)
    reporter.progress(0, 1, "folders", Text("reading {name}", config.folder.name))
    result = data_set.read(config.folder)
    reporter.progress(1, 1, "folders", Text("reading {name}", config.folder.name))
    result = with_groups(result, config.group_by)
    if config.number_blocks is not None:
        result = with_blocks(result, config.number_blocks, config.name)
    inside = contents(result, known, config.classes, config.kinds, config.without)
    if config.action == "check":
        copies = copies_sentence(config.folder, result.images, reporter)
        return report(data_set, result, inside, copies, damaged_images(config.folder, result.images, reporter))
    request = Export(
        data_set,
        config.folder,
        config.out or Path(),
        config.files,
        config.partial,
        config.videos,
        config.resume,
        config.overwrite,
    )
    return export(request, result, inside, reporter)
