"""What `suggest` chooses from: scored studies, or a folder of images; and their pictures."""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from training.commands.neighbours import studies_of
from training.commands.suggest_choice import Part, Suggestion
from training.compute.plan import choose_plan, inference_device
from training.datasets.frame_store import FrameStore, read_frames
from training.datasets.image_set import ImageSet
from training.datasets.labelled_frames import LabelledFrames
from training.datasets.labels import NORMAL, read_labels
from training.datasets.manifest import StudyEntry, load_manifest
from training.datasets.table import TableRow, read_rows
from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.files.scratch import scratch_prefix
from training.runs.reporter import Reporter
from training.texts import Text
from training.video import NUMBERING
from training.video.formats import image_files, natural_key

if TYPE_CHECKING:
    from training.commands.suggest import SuggestCommand

SIDE_PX = 192
"""Of a picture."""


class Studies:
    """Scored studies."""

    def __init__(self, config: "SuggestCommand", reporter: Reporter) -> None:

        self._config, self._reporter = config, reporter
        self._files = studies_of(config.embeddings, config.manifest)
        labels = [] if config.labels is None else read_labels(config.labels)
        self._labels = {name.study_id: [row for row in labels if row.study_id == name.study_id] for name in self._files}
        others = sorted({row.study_id for row in labels} - self._labels.keys())
        if others and not any(self._labels.values()):
            raise UserError(
                "None of the files is of a study of the labels: these are of {studies}.",
                "Call each file as its study, or give a manifest of the files: --manifest.",
                ", ".join(others),
            )
        if others:
            reporter.log(
                Text("No file is of these studies, so their labels are not used: {studies}.", ", ".join(others))
            )

    def parts(self) -> Iterator[Part]:
        """Study by study; raises `UserError` where they were not scored by one model."""

        weights = set[str]()
        for study in self._files:
            with EmbeddingFile.open(study.path, study.recording) as file:
                weights.add(file.header.model_sha256)
                if len(weights) > 1:
                    raise UserError(
                        "{path} was scored by another model than the other studies.",
                        "Score all studies with one model.",
                        study.path,
                    )
                names = np.full(int(file.frame_index[-1]) + 1, "", dtype=object)
                for row in self._labels[study.study_id]:
                    if row.answer == "yes":
                        names[row.start : row.stop] = row.label
                frames = file.frame_index
                labels = names[frames].astype(np.str_)
                yield Part(study.study_id, frames, file.video_seconds, file.embeddings, file.scores, labels)

    def table(self, chosen: Sequence[Suggestion]) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
        """Header and cells, as in a file of labels."""
        rows = [(each.study_id, each.frame, each.frame + 1, "", f"{each.seconds:.1f}") for each in chosen]
        return ("study_id", "start", "stop", "label", "seconds"), rows

    def pictures(self, chosen: Sequence[Suggestion]) -> dict[int, NDArray[np.uint8]]:
        """Place in the list -> (SIDE_PX, SIDE_PX, 3)."""

        assert self._config.studies is not None
        studies = load_manifest(self._config.studies).studies
        place = {study.study_id: at for at, study in enumerate(studies)}
        there = [at for at, each in enumerate(chosen) if each.study_id in place]
        there.sort(key=lambda at: (place[chosen[at].study_id], chosen[at].frame))
        study = np.array([place[chosen[at].study_id] for at in there], np.int64)
        frame = np.array([chosen[at].frame for at in there], np.int64)
        frames = LabelledFrames(studies, (NORMAL,), study, frame, np.zeros(len(there), np.int64))
        return {there[row]: picture for row, picture in read_frames(frames, SIDE_PX, self._reporter)}


class Images:
    """A folder of images, embedded once."""

    def __init__(self, config: "SuggestCommand", reporter: Reporter) -> None:

        assert config.images is not None
        if not config.images.is_dir():
            raise UserError("There is no folder {folder}.", "Give the folder that holds the images.", config.images)
        self._config, self._reporter = config, reporter
        self._files = sorted(image_files(config.images, NUMBERING), key=natural_key)
        if not self._files:
            raise UserError("There are no images in {folder}.", "Give the folder that holds them.", config.images)
        self._labels = _image_labels(config.labels, config.by)
        self._groups = [self._labels.get(name, ("", ""))[1] for name in self._files]
        rows, points = self._embedded()
        names = np.array([self._labels.get(self._files[row], ("", ""))[0] for row in rows.tolist()], np.str_)
        self._part = Part("", rows, np.arange(len(rows), dtype=np.float64), points, None, names)

    def _embedded(self) -> tuple[NDArray[np.int64], NDArray[np.float32]]:

        from training.finetuning.starting_point import frozen_network
        from training.inference.engine import embed_prepared

        device, note = inference_device(self._config.device)
        if note:
            self._reporter.log(note)
        network = frozen_network(self._config.init, None, self._reporter, self._config.backbone)
        with tempfile.TemporaryDirectory(prefix=scratch_prefix("suggest"), ignore_cleanup_errors=True) as folder:
            store = self._loaded(range(len(self._files)), network.input_size, Path(folder))
            points = embed_prepared(network, choose_plan(device), store.pixels, self._reporter)
            return np.array(store.labelled.frame_index), points

    def _loaded(self, rows: Iterable[int], size: int, folder: Path) -> FrameStore:
        """A frame store of some images, those of a group together."""

        assert self._config.images is not None
        names = sorted(set(self._groups))
        table = np.array(sorted((names.index(self._groups[row]), row) for row in rows), np.int64)
        entries = tuple(
            StudyEntry(study_id=name or "images", patient_id=name or "images", path=self._config.images)
            for name in names
        )
        frames = LabelledFrames(entries, (NORMAL,), table[:, 0], table[:, 1], np.zeros(len(table), np.int64))
        images = ImageSet(self._config.images, tuple(self._files), frames, has_groups=any(names))
        return images.load(frames, size, self._config.memory_mib << 20, folder / "frames.tmp", self._reporter)

    def parts(self) -> Iterator[Part]:
        """All images."""
        yield self._part

    def table(self, chosen: Sequence[Suggestion]) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
        """Header and cells, as in a file of labels."""
        rows = [(self._files[each.frame], "", self._groups[each.frame]) for each in chosen]
        return ("filename", "label", self._config.by), rows

    def pictures(self, chosen: Sequence[Suggestion]) -> dict[int, NDArray[np.uint8]]:
        """Place in the list -> (SIDE_PX, SIDE_PX, 3)."""

        place = {each.frame: at for at, each in enumerate(chosen)}
        with tempfile.TemporaryDirectory(prefix=scratch_prefix("suggest"), ignore_cleanup_errors=True) as folder:
            store = self._loaded(place, SIDE_PX, Path(folder))
            return {
                place[int(frame)]: np.array(pixels)
                for frame, pixels in zip(store.labelled.frame_index, store.pixels, strict=True)
            }


class _ImageRow(TableRow):
    filename: str = Field(min_length=1)
    label: str = ""
    group: str = ""


def _image_labels(path: Path | None, by: str) -> dict[str, tuple[str, str]]:
    """Image -> its label and group, either of them empty."""
    column_of = {} if by == "group" else {"group": by}
    rows = [] if path is None else read_rows(path, _ImageRow, ("filename", *column_of.values()), column_of=column_of)
    return {row.filename: (row.label, row.group) for row in rows}
