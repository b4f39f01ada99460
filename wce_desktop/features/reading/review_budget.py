"""The review budget: the sensitivity when only the frames with the highest scores are reviewed."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core import counted, number_text, percent, rate_text, to_translate, tr
from wce_desktop.library import Library, Model
from wce_desktop.library.lineage import Family
from wce_desktop.library.run_files import read_report
from wce_desktop.session.reading import Reading

NOT_MEASURED = to_translate("Sensitivity unknown: cross-validate this model to estimate it.")

_SENTENCES = {
    (True, True): to_translate(
        "The top {share} held {findings} of the findings and {frames} of the frames with a finding "
        "(cross-validation, {patients})."
    ),
    (True, False): to_translate("The top {share} held {findings} of the findings (cross-validation, {patients})."),
    (False, True): to_translate(
        "The top {share} held {frames} of the frames with a finding (cross-validation, {patients})."
    ),
    (False, False): to_translate("The top {share} held no labelled findings (cross-validation, {patients})."),
}
"""By whether the sensitivity was measured for findings, and for frames."""


@dataclass(frozen=True)
class BudgetRow:
    """What cross-validation found when the top `share` (in (0, 1]) of each held-out study is reviewed.

    Sensitivities are in [0, 1]; None: none were evaluated.
    """

    share: float
    frame_sensitivity: float | None  # share of the frames with a finding that are among them
    finding_sensitivity: float | None  # share of the findings of which one frame is among them


@dataclass(frozen=True)
class ReviewBudget:
    """The rows of one cross-validation, by increasing share, and from how many patients they come.

    `source` names the data behind the figures; `median_frames` is the median number of labelled frames per
    study, or 0 if unknown.
    """

    rows: tuple[BudgetRow, ...]
    patients: int
    source: str = ""
    median_frames: float = 0.0
    patients_note: str = ""

    def at(self, share: float) -> BudgetRow | None:
        """The row of the largest share that is not above `share`: never more than was measured; None below all."""
        below = [row for row in self.rows if row.share <= share * (1 + 1e-9)]
        return below[-1] if below else None

    def sentence(self, share: float) -> str:
        """The sensitivity of reviewing the top `share` of the frames, and its source."""
        row = self.at(share)
        if row is None:
            return tr("Cross-validation did not measure shares below {share}.", share=percent(self.rows[0].share))
        message = tr(
            _SENTENCES[row.finding_sensitivity is not None, row.frame_sensitivity is not None],
            share=percent(row.share),
            patients=counted(self.patients, "patient"),
            findings=rate_text(row.finding_sensitivity or 0),
            frames=rate_text(row.frame_sensitivity or 0),
        )
        return " ".join(filter(None, (message, self._warning(row.share), self.patients_note)))

    def _warning(self, share: float) -> str:
        """A warning that the figures are unreliable; empty if they are not."""
        if self.patients < FEW_PATIENTS:
            return tr("Too few patients for a reliable estimate.")
        if self.median_frames and self.median_frames * share < 1:
            return tr(
                "Too few labelled frames for a reliable estimate: {frames} a study.",
                frames=number_text(self.median_frames, ",.0f"),
            )
        return ""


FEW_PATIENTS = 5  # as in training.metrics.figures


def read_budget(report: Mapping[str, Any]) -> ReviewBudget | None:
    """The review budget in a cross-validation's report.json; None if it has none or cannot be read."""
    stored = report.get("review_budget")
    if not isinstance(stored, Mapping):
        return None
    try:
        rows = [
            BudgetRow(float(row["share"]), _share(row.get("frame_sensitivity")), _share(row.get("finding_sensitivity")))
            for row in stored["rows"]
        ]
        patients = int(stored["patients"])
    except (KeyError, TypeError, ValueError):
        return None
    rows = sorted((row for row in rows if 0 < row.share <= 1), key=lambda row: row.share)
    frames = stored.get("median_frames")
    median = float(frames) if isinstance(frames, int | float) else 0.0
    warnings = report.get("warnings")
    notes = [note for note in warnings if isinstance(note, str)] if isinstance(warnings, list) else []
    note = next((note for note in notes if "patients not entered" in note), "")
    return ReviewBudget(tuple(rows), patients, str(stored.get("sentence") or ""), median, note) if rows else None


def _share(value: Any) -> float | None:
    return None if value is None or not math.isfinite(float(value)) else float(value)


def budget_of(library: Library, model: Model) -> ReviewBudget | None:
    """What the model's newest finished cross-validation found, or None if there is none."""
    for run in Family.of(library).evaluations(model):
        budget = read_budget(read_report(run)) if run.state == "done" else None
        if budget is not None:
            return budget
    return None


def highest_scores(reading: Reading) -> NDArray[np.float32]:
    """(N,) float32: of each frame the highest score of any class that is flagged; NaN for frames without scores."""
    highest = np.full(reading.frame_count, np.nan, dtype=np.float32)
    for track in reading.flags.flag_tracks.values():
        highest = np.fmax(highest, track)
    return highest


def threshold_of_top(reading: Reading, share: float) -> float | None:
    """The threshold at which the top `share` of the frames are flagged; None where there are no scores.

    Frames whose score equals the last one's are flagged too, since a threshold cannot separate them.
    """
    scores = highest_scores(reading)
    scores = scores[np.isfinite(scores)]
    if not scores.size:
        return None
    count = min(max(math.floor(share * scores.size + 0.5), 1), scores.size)
    return float(np.partition(scores, scores.size - count)[scores.size - count])
