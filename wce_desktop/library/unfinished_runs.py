"""Training runs that can be resumed: stopped, cancelled or interrupted ones."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from wce_desktop.core.language import number_text, to_translate, tr
from wce_desktop.library import Library
from wce_desktop.library.run_files import JOB_FILE, encodes_clips, inputs_folder, read_settings
from wce_desktop.library.runs import Run

_CHECKPOINT = re.compile(r"step-(\d{6,})\.safetensors")


_SENTENCES = {
    "cut off": (
        to_translate("{run} was interrupted before its first checkpoint."),
        to_translate("{run} was interrupted at step {step}."),
    ),
    "failed": (
        to_translate("{run} failed before its first checkpoint."),
        to_translate("{run} failed at step {step}."),
    ),
    "cancelled": (
        to_translate("{run} was cancelled before its first checkpoint."),
        to_translate("{run} was cancelled at step {step}."),
    ),
    "done": (
        to_translate("{run} was stopped before its first checkpoint."),
        to_translate("{run} was stopped at step {step}."),
    ),
}
"""State -> the sentences without and with a checkpoint."""


@dataclass(frozen=True)
class Unfinished:
    """A run that can be resumed.

    Attributes:
        run: as the library knows it.
        step: of its newest checkpoint; 0 if there is none yet.
        steps: that it was to do; 0 where that was not settled yet.
        was_cut_off: it was interrupted by a crash or restart.
    """

    run: Run
    step: int
    steps: int
    was_cut_off: bool

    @property
    def sentence(self) -> str:
        """ "Pretrained 1 was interrupted at step 120 of 400."."""
        state = "cut off" if self.was_cut_off or self.run.state not in _SENTENCES else self.run.state
        without_step, at_step = _SENTENCES[state]
        if not self.step:
            return tr(without_step, run=self.run.title)
        step = tr("{step} of {steps}", step=self.step, steps=self.steps) if self.steps else number_text(self.step)
        return tr(at_step, run=self.run.title, step=step)


def unfinished_runs(library: Library, active: Collection[str] = ()) -> tuple[Unfinished, ...]:
    """The runs that can be resumed, newest first; `active` are the ids of those whose job waits or runs now."""
    runs = [_look(run) for run in library.runs.all() if run.run_id not in active]
    return tuple(item for item in reversed(runs) if item is not None)


def _look(run: Run) -> Unfinished | None:
    if run.kind not in ("pretrain", "finetune", "train-reid") or (
        run.state == "done" and run.summary.get("finished", True)
    ):
        return None
    step = newest_step(run.folder / "checkpoints")
    can_begin = (run.folder / "config.json").is_file() or (inputs_folder(run.folder) / JOB_FILE).is_file()
    was_cut_off = run.state == "running"
    if not can_begin or not (step or was_cut_off):
        return None
    settings = read_settings(run)  # a re-identification has steps of both encoders
    steps = [settings.get(name) for name in ("steps", "frame_steps", "tracklet_steps")]
    return Unfinished(run, step, sum(part for part in steps if isinstance(part, int)), was_cut_off)


def newest_step(checkpoints: Path) -> int:
    """The step of the newest complete checkpoint, by its name; weights are written last, so a name is enough."""
    names = (_CHECKPOINT.fullmatch(path.name) for path in checkpoints.glob("step-*.safetensors"))
    return max((int(match[1]) for match in names if match), default=0)


def can_start_from(run: Run) -> bool:
    """Whether a finetuning can start from a pretraining: it left weights, and of a network of single frames."""
    return has_weights(run) and not encodes_clips(run)


def has_weights(run: Run) -> bool:
    """Whether a pretraining left weights."""
    if run.kind != "pretrain":
        return False
    return any((run.folder / "kept").glob("step-*.safetensors")) or bool(newest_step(run.folder / "checkpoints"))


def can_resume_evaluation(run: Run) -> bool:
    """Whether a cross-validation or an experiment that was not finished can go on: its configuration still exists."""
    is_open = run.kind in ("evaluate", "experiment") and run.state != "done"
    return is_open and (inputs_folder(run.folder) / JOB_FILE).is_file()
