"""A finished model evaluated on labelled data from a script, as `python -m training evaluate --model` does."""

import shutil
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.api.arguments import CallingReporter, OnEvent, PathLike, as_path
from training.api.model import Model
from training.datasets.image_set import SEPARATOR
from training.datasets.score_table import read_scores
from training.errors import writing
from training.evaluation.evaluate_config import evaluate_config
from training.files import outputs


def evaluate(
    model: Model | PathLike,
    *,
    labels: PathLike,
    images: PathLike | None = None,
    studies: PathLike | None = None,
    out: PathLike | None = None,
    by: str = "group",
    on_event: OnEvent | None = None,
    **settings: Any,
) -> "Evaluation":
    """Score labelled frames and compare the scores with the labels; nothing is trained.

    Patients that the model was trained on are left out. Cross-validation, which trains a model for each fold, is
    `python -m training evaluate` without `--model`.

    Args:
        model: a loaded model, or its folder.
        labels: CSV; of images with the columns `filename`, `label` and `group`, of studies with `study_id`, `start`,
            `stop` and `label`.
        images: folder of the images.
        studies: manifest of the studies (JSON), instead of images.
        out: report folder to write; None: a temporary one, deleted with the evaluation.
        by: column of the images' labels that names the patient, who is drawn whole for intervals; "image": patients are
            unknown, and the file has no groups.
        on_event: receives progress.
        settings: any setting that `python -m training evaluate --help` lists, such as `normal_label="Normal"`,
            `class_names={"Bleeding": "blood"}`, `bootstraps=200`.

    Raises:
        TypeError: an argument is not a path or a model.
        UserError: the files do not fit together, no label is a class of the model, or it was trained on every patient.
    """
    data = {"images": images, "studies": studies, "labels": labels}
    given: dict[str, Any] = {name: as_path(path, name) for name, path in data.items() if path is not None}
    given["model"] = model.path if isinstance(model, Model) else as_path(model, "model")
    temporary = Path(tempfile.mkdtemp(prefix="evaluation-")) if out is None else None
    given["out"] = as_path(out, "out") if temporary is None else temporary / "report"
    given |= {"split": "random"} if by == "image" else {"by": by}
    try:
        from training.evaluation.cross_validation import cross_validate

        config = evaluate_config(**given, **settings)
        config.refuse_unused({*settings, *(["by"] if by not in ("group", "image") else [])})
        report = cross_validate(config, CallingReporter(on_event))
        evaluation = Evaluation.read(given["out"], report)
    except BaseException:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)
        raise
    if temporary is not None:
        weakref.finalize(evaluation, shutil.rmtree, temporary, ignore_errors=True)
    return evaluation


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What `evaluate` gives.

    Attributes:
        folder: the report folder, with `report.html`, `report.json` and tables.
        details: what `report.json` says.
        frames: `(M,)` of each frame its file, or of studies `(study_id, frame)`.
        labels: `(M,)` their labels; several of one frame are joined by `|`.
        groups: `(M,)` their patients or groups.
        scores: `(M, C)` in [0, 1], of `classes`.
    """

    folder: Path
    details: Mapping[str, Any] = field(repr=False)
    frames: tuple[str | tuple[str, int], ...] = field(repr=False)
    labels: tuple[str, ...] = field(repr=False)
    groups: tuple[str, ...] = field(repr=False)
    scores: NDArray[np.float32] = field(repr=False)

    @classmethod
    def read(cls, folder: Path, details: Mapping[str, Any]) -> "Evaluation":
        """Of a finished report folder."""
        table = read_scores(folder / "scores.csv")
        places = zip(table.filenames, table.study_ids, table.frame_index.tolist(), strict=True)
        frames = tuple(name or (study_id, frame) for name, study_id, frame in places)
        return cls(folder, details, frames, tuple(map(SEPARATOR.join, table.labels)), table.patients, table.scores)

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of the labels that the model knows, normal first."""
        return tuple(self.details["classes"])

    @property
    def figures(self) -> Mapping[str, Mapping[str, Mapping[str, float | None]]]:
        """Class, or "any" of them -> figure, such as `auc` -> `value`, `low`, `high` of its 95 % interval."""
        figures: Mapping[str, Mapping[str, Mapping[str, float | None]]] = self.details["intervals"]
        return figures

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on what to know before a figure is believed."""
        return tuple(self.details["warnings"])

    def report(self, folder: PathLike) -> Path:
        """Copy the report into a folder, which is made where missing.

        Returns:
            The page.

        Raises:
            UserError: the folder cannot be written.
        """
        out = outputs.check_output_folder(as_path(folder, "folder"), "report folder")
        with writing(out):
            shutil.copytree(self.folder, out, dirs_exist_ok=True)
        return out / "report.html"
