"""The page of one training: progress, curves and log, with buttons to stop and resume."""

from collections.abc import Collection, Mapping
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QGridLayout, QPlainTextEdit, QWidget

from wce_desktop.core.annotation.vocabulary import ClassName
from wce_desktop.core.language import names_to_translate, to_translate, tr
from wce_desktop.features.learning.model.starts import trains_clips
from wce_desktop.library import run_files, runs
from wce_desktop.session.keys import with_keys
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_texts import ended_words, for_reader, is_alarm, state_words
from wce_desktop.widgets import basic, plain_text
from wce_desktop.widgets.theme import COLORS

if TYPE_CHECKING:
    from wce_desktop.widgets.curve_plot import CurvePlot


SHARE = True
LOSSES = ("loss", "triplet", "cross_entropy", "memory_term", "view_term", "single_frame_loss", "multi_view_loss")
PLOTS: tuple[tuple[str, str, tuple[str, ...], bool], ...] = (
    ("loss", to_translate("Training loss"), LOSSES, not SHARE),
    (
        "violating",
        to_translate("Share of triplets that violate the margin"),
        ("violating_share", "negatives_ahead"),
        SHARE,
    ),
    ("validation", to_translate("Validation loss"), ("validation_loss",), not SHARE),
    ("accuracy", to_translate("Evaluation: kNN accuracy or AUC, 1 is perfect"), ("accuracy",), SHARE),
    ("norm", to_translate("Embedding norm: near zero the embedding has collapsed"), ("embedding_norm",), not SHARE),
    ("distance", to_translate("Mean squared distance, in margins"), ("distance_to_margin",), not SHARE),
    ("rate", to_translate("Learning rate"), ("learning_rate",), not SHARE),
    ("speed", to_translate("Images per second"), ("images_per_second",), not SHARE),
)
"""Key, title, fields of a "curve" partial, whether the y axis is [0, 1]."""
FIELDS = tuple(field for _, _, fields, _ in PLOTS for field in fields)
CURVE_NAMES = names_to_translate(
    "loss, triplet, cross-entropy, memory term, view term, single frame loss, multi view loss, violating share, "
    "negatives ahead, validation loss, accuracy, embedding norm, distance to margin, learning rate, images per second"
)
"""Fields as the plots name their curves."""
CONTRAST_PLOTS = {"violating": to_translate("Negatives closer than the positive: 0.5 is chance")}
"""Key -> title for contrastive methods, which have no triplets."""
FINETUNE_PLOTS = {"accuracy": to_translate("AUC on held-out frames: 1 is perfect, 0.5 is chance")}
COLUMNS = 3


class LiveCurves(QWidget):
    """The plots of a training."""

    def __init__(self, kind: str, classes: Mapping[str, ClassName], keys: Collection[str] = ()) -> None:
        """`kind`: of the run; `classes`: their colours; `keys`: of the plots to show, all if there are none."""
        super().__init__()
        self.plots: dict[str, CurvePlot] = {}
        """Key -> plot, created with the first point; plots without points are hidden."""
        self.method = ""
        """The training's method; "" until it is known."""
        self._kind, self._classes = kind, classes
        self._shown = [plot for plot in PLOTS if not keys or plot[0] in keys]
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)

    @property
    def is_empty(self) -> bool:
        """Whether there is no point yet."""
        return all(plot.isHidden() for plot in self.plots.values())

    def clear(self) -> None:
        """Remove all points."""
        for plot in self.plots.values():
            plot.clear()
            plot.hide()

    def add(self, name: str, step: float, value: float | None) -> None:
        """Add a point to the curve `name` (a field of `PLOTS`, or "AUC " and a class); None is ignored."""
        of_auc = "accuracy" if name.startswith("AUC ") else ""
        key = next((key for key, _, fields, _ in self._shown if name in fields), of_auc)
        # Older versions wrote these two for every pretraining, and measured another share with contrastive methods.
        is_old = self._kind == "pretrain" and name in ("triplet", "cross_entropy")
        is_old |= run_files.is_contrast(self.method) and name == "violating_share"
        if value is None or not key or is_old:
            return
        curve = name.removeprefix("AUC ").replace("cross_entropy", "cross-entropy")
        self._need_plots()[key].add_point(curve, step, value)
        if self.plots[key].isHidden():
            self.plots[key].show()
            self._place()

    def add_partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Add the points of a partial result: "curve", "knn", "validation" or "held_out"; others are ignored."""
        step = payload.get("step", 0)
        if name == "curve":
            for field in FIELDS:
                self.add(field, step, payload.get(field))
        elif name == "knn":
            self.add("accuracy", step, payload.get("accuracy"))
        elif name == "validation":
            self.add("validation_loss", step, payload.get("loss"))
        elif name == "held_out":
            for class_name, auc in payload.get("auc", {}).items():
                self.add(f"AUC {class_name}", step, auc)

    def _need_plots(self) -> "dict[str, CurvePlot]":
        """The plots, created with the first point: importing pyqtgraph would delay the window."""
        if not self.plots:
            from wce_desktop.widgets.curve_plot import CurvePlot

            titles = FINETUNE_PLOTS if self._kind == "finetune" else {}
            if run_files.is_contrast(self.method) or self._kind == "train-reid":
                titles = CONTRAST_PLOTS
            for key, usual, _, is_share in self._shown:
                plot = self.plots[key] = CurvePlot(tr(titles.get(key, usual)), is_share, self)
                plot.set_classes(self._classes)
                plot.hide()
        return self.plots

    def _place(self) -> None:
        """Arrange the plots that have points in the grid."""
        for number, plot in enumerate(plot for plot in self.plots.values() if not plot.isHidden()):
            self._grid.addWidget(plot, number // COLUMNS, number % COLUMNS)


WIDTH_PX, HEIGHT_PX = 300, 440
WORDS = (
    "For each clip: frames, what the network sees, its reconstruction. Brightness and contrast of the masked parts are "
    "those of the frames. Step {step}."
)


class ReconstructionBox(QWidget):
    """Hidden until there is a picture."""

    def __init__(self, folder: Path, parent: QWidget | None = None) -> None:
        """`folder`: of the run."""
        super().__init__(parent)
        self._folder = folder
        self.picture = plain_text.PlainLabel()
        self.picture.setAccessibleName(tr("Reconstructed clips"))
        self.words = basic.make_text(COLORS.muted)
        self.setFixedWidth(WIDTH_PX)
        basic.in_column(self.picture, self.words, 1, of=self, margins=0)
        self.hide()

    def show_newest(self) -> None:
        """Show the last picture of the run folder; one that cannot be read is left out."""
        path = run_files.newest_reconstruction(self._folder)
        if path is None or (image := QImage(str(path))).isNull():
            return
        keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        self.picture.setPixmap(QPixmap.fromImage(image).scaled(WIDTH_PX, HEIGHT_PX, keep, smooth))
        self.words.setText(tr(WORDS, step=int(path.stem.removeprefix("step-"))))
        self.show()


class LivePage(QWidget):
    """Shows one run; call `set_job` whenever its job changes."""

    resume_requested = Signal(str)  # run_id
    use_requested = Signal(str)  # run_id: fine-tune from this pretraining

    def __init__(self, run: runs.Run, classes: Mapping[str, ClassName]) -> None:
        super().__init__()
        self.run_id, self.title, self.kind = run.run_id, run.title, run.kind
        self.job: Job | None = None
        self.curves = LiveCurves(run.kind, classes)
        self.reconstruction = ReconstructionBox(run.folder)
        self._line_count = 0
        self._can_resume = False
        self._bar = basic.JobBar()
        self.state = basic.make_text()
        self.alarm = basic.make_text(COLORS.warning)
        self.alarm.hide()
        self.stop = basic.StopButton()
        tip = tr("Continue this training from its last checkpoint")
        self.resume = basic.make_button(tr("Resume"), tip, lambda: self.resume_requested.emit(self.run_id))
        tip = tr("Fine-tune a classifier starting from this pretrained model")
        self.use = basic.make_button(tr("Fine-tune from it…"), tip, lambda: self.use_requested.emit(self.run_id))
        self._log = QPlainTextEdit(readOnly=True)
        self._log.setAccessibleName(tr("Log of the training"))
        self._log.setMaximumHeight(110)
        self._log.setMaximumBlockCount(500)
        self._log.hide()  # until there is a line
        self._waiting = basic.make_text(COLORS.muted, tr("Curves appear after the first step."))
        head = basic.in_row(plain_text.PlainLabel(run.title), (self.state, 1), self.stop, self.resume, self.use)
        shown = basic.in_row((self.curves, 1), self.reconstruction)
        basic.in_column(
            head, self._bar, self.alarm, self._waiting, (shown, 1), self._log, of=self, margins=(0, 4, 0, 0)
        )
        self._refresh()

    def set_job(self, job: Job | None, can_resume: bool = False) -> None:
        """Show a job's state; None: the run has no job in this session."""
        if job is not self.job:
            self._line_count = 0
        self.job, self._can_resume = job, can_resume
        if job is not None:
            self.curves.method = str(job.spec.config.get("method") or self.curves.method)
        self._show_lines()
        self._refresh()

    def preload(self, folder: Path, until_step: float = inf) -> None:
        """Draw the curves stored in a run folder, up to the checkpoint that the run resumes from."""
        self.curves.clear()
        self.curves.method = run_files.method_in(folder) or self.curves.method
        titles = {title: name for name, title in (*run_files.TITLES.items(), *run_files.CONTRAST_TITLES.items())}
        for title, curve in run_files.read_curves(folder).items():
            name = titles.get(title, title)
            for step, value in zip(curve.steps.tolist(), curve.values.tolist(), strict=True):
                if step <= until_step:
                    self.curves.add(name, step, value)
        self._waiting.setVisible(self.curves.is_empty)
        self.reconstruction.show_newest()

    def add_partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Add what a partial result holds to the curves, or show the picture of a "reconstruction"."""
        if name == "reconstruction":
            self.reconstruction.show_newest()
        self.curves.add_partial(name, payload)
        self._waiting.setVisible(self.curves.is_empty)

    def _show_lines(self) -> None:
        """Append new log lines, and show warnings above the curves."""
        job = self.job
        if job is None or job.line_count == self._line_count:
            return
        fresh = list(job.log)[-(job.line_count - self._line_count) :]
        self._line_count = job.line_count
        for line in fresh:
            shown = for_reader(line)
            self._log.appendPlainText(shown)
            self._log.show()
            if is_alarm(line):
                basic.show_text(self.alarm, shown)

    def _refresh(self) -> None:
        job = self.job
        is_open = job is not None and not job.has_ended
        self._bar.show_job(job)
        words = tr("Not running.")
        if job is not None:
            ended = job.has_ended
            words = with_keys(ended_words(job, self.kind, self._can_resume)) if ended else state_words(job)
        self.state.setText(words)
        basic.set_color(self.state, COLORS.warning if job is not None and job.state == "failed" else COLORS.muted)
        self.stop.setVisible(is_open)  # a waiting job is removed
        self.stop.show_job(job)
        self.resume.setVisible(not is_open and self._can_resume)
        is_of_clips = trains_clips(self.kind, self.curves.method)
        is_usable = self.kind == "pretrain" and job is not None and job.state == "done" and not is_of_clips
        self.use.setVisible(is_usable)
