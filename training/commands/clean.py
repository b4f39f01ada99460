"""`python -m training clean`: labels that are probably wrong, copies and outliers, as a list to look through."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, model_validator

from training.commands.common import CommandConfig
from training.errors import UserError
from training.files import csv_text, marks
from training.files.kinds import CLEANING_COLUMNS, CLEANING_LIST
from training.files.scratch import scratch_prefix
from training.runs.reporter import Reporter
from training.settings import Only

if TYPE_CHECKING:
    from training.cleaning.listing import Frames, Suspect

Name = Literal["labels", "duplicates", "outliers"]
KINDS: dict[Name, Any] = {"labels": "label", "duplicates": "duplicate", "outliers": "outlier"}


class CleanCommand(CommandConfig):
    """Which frames to look at, and what to look for; see `training.cleaning`."""

    only = (Only("model,by,memory_mib", "images"),)

    images: Path | None = Field(None, description="Folder of labelled images.")
    model: Path | None = Field(None, description="Images: model folder, or a run folder with a model in it.")
    embeddings: tuple[Path, ...] = Field((), description="Embedding files, one per study, instead of images.")
    manifest: Path | None = Field(
        None,
        description="Manifest (JSON) whose paths are embedding files, instead of embeddings; it names the "
        "patient of each study.",
    )
    labels: Path | None = Field(
        None, description="Labels (CSV); of images with filename, label and group. Needed for images and wrong labels."
    )
    by: marks.ByField = "group"
    out: Annotated[Path, marks.OutputFile(CLEANING_LIST)] = Field(description="List to write (CSV).")
    overwrite: marks.OverwriteField = False
    find: tuple[Name, ...] = Field(
        (), description="What to list; empty: all of labels, duplicates and outliers that can be listed."
    )
    share: float = Field(
        0.15, gt=0, le=10, description="Two frames are duplicates up to this share of the usual distance."
    )
    sample: int = Field(
        20_000, ge=0, le=10_000_000, description="Frames to compare, labelled ones first; 0: all, which takes long."
    )
    memory_mib: int = Field(
        1536, ge=1, description="Prepared images are kept in memory up to this size, otherwise in a file."
    )

    @model_validator(mode="after")
    def _check_inputs(self) -> "CleanCommand":
        if sum((self.images is not None, bool(self.embeddings), self.manifest is not None)) != 1:
            raise ValueError("give images, embedding files or a manifest of them")
        if self.images is not None and (self.model is None or self.labels is None):
            raise ValueError("images need a model and labels")
        if "labels" in self.find and self.labels is None:
            raise ValueError("wrong labels cannot be listed without labels")
        return self


def run_clean(config: CleanCommand, reporter: Reporter) -> dict[str, Any]:
    """Write the list; the result says how many of each kind there are. No torch where embeddings are given."""
    from training.cleaning.listing import find_suspects

    frames, filenames = _of_images(config, reporter) if config.images is not None else _of_studies(config, reporter)
    wanted = config.find or tuple(name for name in KINDS if name != "labels" or config.labels is not None)
    found: list[Suspect] = []
    result: dict[str, Any] = {"out": str(config.out), "frames": len(frames)}
    for name in wanted:
        listed, note = find_suspects(frames, KINDS[name], reporter, share=config.share, seed=config.seed)
        found += listed
        result[name] = len(listed)
        if note:
            reporter.log(note)
    rows = (_cells(frames, filenames, suspect) for suspect in found)
    config.out.parent.mkdir(parents=True, exist_ok=True)
    csv_text.write_csv(config.out, CLEANING_COLUMNS, rows)
    return result


def _cells(frames: "Frames", filenames: tuple[str, ...], suspect: "Suspect") -> list[Any]:
    label = int(frames.label[suspect.row]) if len(frames.label) else -1
    is_label = suspect.kind == "label"
    other = _place(frames, filenames, suspect.other) if suspect.other >= 0 else [None] * 4
    return [
        suspect.kind,
        *_place(frames, filenames, suspect.row),
        frames.classes[label] if label >= 0 else None,
        suspect.suggested or None,
        round(suspect.self_confidence, 6) if is_label else None,
        round(suspect.value, 6) if is_label else None,
        *other,
        None if is_label else round(suspect.value, 6),
    ]


def _place(frames: "Frames", filenames: tuple[str, ...], row: int) -> list[Any]:
    """Study, frame, seconds and file name; of an image there is no frame and no time, of a study no file."""
    study, frame = frames.study_ids[int(frames.study[row])], int(frames.frame_index[row])
    if frames.seconds is None:
        return [study, None, None, filenames[frame]]
    return [study, frame, round(float(frames.seconds[row]), 3), None]


def _of_studies(config: CleanCommand, reporter: Reporter) -> "tuple[Frames, tuple[str, ...]]":
    import numpy as np

    from training.cleaning.listing import Frames, chosen_rows, one_label
    from training.commands.neighbours import labels_of, studies_of
    from training.embeddings.neighbour_rows import open_rows

    rows = open_rows(studies_of(config.embeddings, config.manifest), reporter.check)
    ends = {part.study.study_id: int(part.frame_index[-1]) + 1 for part in rows.parts if len(part)}
    labels = labels_of(config.labels, ends)
    classes = tuple(sorted({name for named in labels.values() for names in named.values() for name in names}))
    label = np.array(
        [at for part in rows.parts for at in one_label(labels.get(part.study.study_id, {}), part.frame_index, classes)],
        np.int64,
    )
    chosen = chosen_rows(label >= 0, config.sample)
    vectors = rows.gather(chosen).astype(np.float32)
    finite = np.isfinite(vectors).all(axis=1)
    chosen, vectors = chosen[finite], vectors[finite]
    if not len(chosen):
        raise UserError("These files hold no frame that can be compared.", "Score the studies again.")
    return Frames(
        study_ids=tuple(part.study.study_id for part in rows.parts),
        patient_ids=tuple(part.study.patient_id or part.study.study_id for part in rows.parts),
        study=np.searchsorted(rows.starts, chosen, side="right") - 1,
        frame_index=np.concatenate([part.frame_index for part in rows.parts])[chosen],
        seconds=np.concatenate([part.video_seconds for part in rows.parts])[chosen],
        embeddings=vectors,
        classes=classes,
        label=label[chosen],
    ), ()


def _of_images(config: CleanCommand, reporter: Reporter) -> "tuple[Frames, tuple[str, ...]]":
    import numpy as np

    from training.cleaning.listing import NO_LABEL, Frames, chosen_rows
    from training.commands.neighbours import read_any_labels
    from training.evaluation.neighbour_labels import embed_store
    from training.models.folder import ModelFolder

    assert config.images is not None
    assert config.labels is not None
    assert config.model is not None
    image_set, names = read_any_labels(config.images, config.labels, config.by)
    model, labelled = ModelFolder.open(config.model), image_set.labelled
    counts = np.bincount(labelled.frame_number)
    once = labelled.by_rarest_class()
    once = once.select(chosen_rows(np.ones(len(once), bool), config.sample))
    with tempfile.TemporaryDirectory(prefix=scratch_prefix("clean"), ignore_cleanup_errors=True) as folder:
        spill, memory = Path(folder) / "frames.tmp", config.memory_mib << 20
        store = image_set.load(once, model.config.input_size, memory, spill, reporter)
        embeddings = embed_store(store, model, config.device, reporter)
    once = store.labelled
    several = np.isin(once.frame_key, np.unique(labelled.frame_key)[counts > 1])
    return Frames(
        study_ids=tuple(study.study_id for study in once.studies),
        patient_ids=tuple(study.patient_id for study in once.studies),
        study=once.study,
        frame_index=once.frame_index,
        seconds=None,
        embeddings=embeddings,
        classes=names,
        label=np.where(several, NO_LABEL, once.label),
    ), image_set.filenames
