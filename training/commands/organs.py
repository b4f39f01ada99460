"""`python -m training organs`: where small bowel and colon begin, by what is known of other studies."""

from pathlib import Path
from typing import Any

import numpy as np
from pydantic import Field

from training.commands.common import CommandConfig
from training.runs.reporter import Reporter


class OrgansCommand(CommandConfig):
    """Which studies to learn from, and which to look at."""

    manifest: Path = Field(
        description="Manifest (JSON) whose paths are embedding files. Studies with a span of the small bowel and one "
        "of the colon are learned from; the borders of the others are printed."
    )


def run_organs(config: OrgansCommand, reporter: Reporter) -> dict[str, Any]:
    """Learn, then look; the result holds a table with the time of each border and its range of 90 %."""
    from training.datasets.manifest import load_manifest
    from training.embeddings.file import EmbeddingFile
    from training.embeddings.organs import ORGANS, Learned, borders_in, learn_head
    from training.errors import UserError

    learned, others = [], []
    for study in load_manifest(config.manifest).studies:
        spans = [span for span in study.spans if span.region in ORGANS]
        if {span.region for span in spans} >= set(ORGANS[1:]):
            organs = np.full(max(span.stop for span in spans), -1)
            for span in spans:
                organs[span.start : span.stop] = ORGANS.index(span.region)
            learned.append(Learned(study.path, study.fingerprint, organs))
        else:
            others.append(study)
    if not learned:
        raise UserError("No study of the manifest has a span of the small bowel and one of the colon.")
    head = learn_head(learned, reporter.check)
    lines = []
    for study in others:
        with EmbeddingFile.open(study.path, study.fingerprint) as file:
            seconds = file.video_seconds
            for organ, border in zip(ORGANS[1:], borders_in(file, head, reporter.check), strict=True):
                if not 0 < border.row < len(file):
                    lines.append(f"{study.study_id}  {organ}: not in the recording")
                    continue
                low, at, high = seconds[np.minimum([border.low, border.row, border.high], len(file) - 1)] / 60
                frame = file.frame_index[border.row]
                lines.append(f"{study.study_id}  {organ}: minute {at:.1f} ({low:.1f} to {high:.1f}), frame {frame:,}")
    return {"text": "\n".join(lines), "studies learned from": len(learned)}
