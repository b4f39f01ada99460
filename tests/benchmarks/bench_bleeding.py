"""Cross-validation on real frames (WCEBleedGen): three ways to a detector, with all labels and with a tenth of them.

Run it with `python -m tests.benchmarks.bench_bleeding FOLDER --out DIR`. It prints and asserts nothing; what is
finished in DIR is kept. FOLDER holds images/, labels.csv (filename,label,group), video.mp4 and video_frames.csv
(frame_index,label,run,filename). Groups of near-duplicates stand in for patients.

The video puts short runs of successive frames one after the other (62 runs, median 10 frames), so the paper's sequences
of 72 frames do not exist in it: sequences of at most 18 frames, four to a batch, a window of 3, and each run counts as
a study of its own. Each fold pretrains on the runs of the groups that it learns from, and on nothing else.
"""

import argparse
import shutil
from pathlib import Path
from typing import Any

from training.commands.shell_reporter import ShellReporter
from training.evaluation.cross_validation import cross_validate
from training.evaluation.evaluate_config import EvaluateConfig, evaluate_config
from training.evaluation.report_folder import ReportFolder

SHARES = (1.0, 0.1)
PRETRAINING = {
    "init": "random",
    "sequence_length": 18,
    "sequences": 4,
    "window": 3,
    "steps": 200,
    "step_every": 41,  # at the same shares of the run as in the paper
}
"""Beside the preset "small": ResNet-18 at 128 x 128 px, AdamW, because it starts from random weights."""
ARMS: dict[str, dict[str, Any]] = {
    "random + cross-entropy": {"method": "cross-entropy"},
    "random + tl-ba": {"method": "tl-ba"},
    "time-triplet + tl-ba": {"method": "tl-ba", "pretrain": "time-triplet", "pretrain_settings": PRETRAINING},
}


def main() -> None:
    """Run every arm with every share of the labels, print one row each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--arm", choices=ARMS, action="append", help="only these [all]")
    parser.add_argument("--threads", type=int)
    options = parser.parse_args()
    rows = []
    for share in SHARES:
        for arm in options.arm or ARMS:
            report = judged(options.folder, options.out, arm, share, options.threads)
            rows.append(row(arm, share, report))
            print("\n".join(rows), flush=True)


def judged(folder: Path, out: Path, arm: str, share: float, threads: int | None) -> dict[str, Any]:
    """The report of one arm."""
    name = arm.replace(" + ", "-")
    place = out / f"{name}-{share:g}"
    settings = dict(ARMS[arm])
    if "pretrain" in settings:
        settings["pretrain_studies"] = folder / "video_frames.csv"
    config = evaluate_config(
        images=folder / "images",
        labels=folder / "labels.csv",
        normal_label="non-bleeding",
        out=place,
        label_share=share,
        backbone="resnet18",
        input_size=128,
        batch_size=24,
        steps=200,
        threads=threads,
        resume=place.is_dir(),
        **settings,
    )
    config = _with_pretrainings(config, out / f"{name}-{SHARES[0]:g}")
    with ShellReporter() as reporter:
        return cross_validate(config, reporter)


def _with_pretrainings(config: EvaluateConfig, first: Path) -> EvaluateConfig:
    """A pretraining knows no labels, so it is the same for every share of them: taken over where it was made."""
    made, place = ReportFolder(first), ReportFolder(config.out)
    if not made.pretrained.is_dir() or place.path.exists():
        return config
    place.begin(config)
    shutil.copytree(made.pretrained, place.pretrained)
    return config.model_copy(update={"resume": True})


def row(arm: str, share: float, report: dict[str, Any]) -> str:
    """One line of the table."""
    pooled, mean = report["pooled"], report["mean"]
    figures = [f"{pooled['auc']:.3f} ({pooled['low']:.3f} to {pooled['high']:.3f})"]
    figures += [f"{mean[key]['mean']:.3f} +- {mean[key]['deviation']:.3f}" for key in ("auc", "sensitivity_at_95")]
    return f"| {arm} | {100 * share:.0f} % | " + " | ".join(figures) + " |"


if __name__ == "__main__":
    main()
