"""Where small bowel and colon begin: errors of the proposals in minutes, beside two trivial rules.

    python -m tests.benchmarks.bench_organs EMBEDDINGS LANDMARKS [--out HEAD]

EMBEDDINGS is a folder of embedding files of one model, named by the study. LANDMARKS is a CSV file with the columns
study, patient, small_bowel, colon (first frames, from 0), or a folder of truth files of the phantom. Heads are learned
on three quarters of the patients and tried on the others. Intervals (95 %) resample studies. `--out` writes a head of
all studies. The trivial rules: the median share of the recording in the other patients, and the row with the largest
change of mean colour between the minute before and the minute after.
"""

import argparse
import csv
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile
from training.embeddings.organs import Border, find_borders, fit_head, organ_logits

FOLDS, STEP, DRAWS = 4, 5, 1000
Numbers = NDArray[np.float64]


def main() -> None:
    """Read, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("embeddings", type=Path)
    parser.add_argument("landmarks", type=Path)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    borders = read_landmarks(options.landmarks)
    files = {study: EmbeddingFile.open(options.embeddings / f"{study}.h5") for study in sorted(borders)}
    truth = {study: np.array(borders[study][1:]) for study in files}
    vectors = {study: np.nan_to_num(np.asarray(file.embeddings, np.float32)) for study, file in files.items()}
    organs = {study: np.searchsorted(truth[study], np.arange(len(file)), "right") for study, file in files.items()}
    patients = sorted({patient for patient, *_ in borders.values()})
    errors: dict[str, list[Numbers]] = {"proposal": [], "fixed share": [], "colour change": []}
    inside = []
    for fold in range(FOLDS):
        held_out = set(patients[fold::FOLDS])
        learned = [study for study in files if borders[study][0] not in held_out]
        head = fit_head(*(np.concatenate([each[study][::STEP] for study in learned]) for each in (vectors, organs)))
        share = np.median([truth[study] / len(files[study]) for study in learned], axis=0)
        for study in (study for study in files if borders[study][0] in held_out):
            file, found = files[study], find_borders(organ_logits(head, vectors[study]))
            rows = {
                "proposal": np.array([border.row for border in found]),
                "fixed share": share * len(file),
                "colour change": color_changes(file),
            }
            for name, row in rows.items():
                errors[name].append(minutes_apart(file, row, truth[study]))
            inside.append([holds(border, at) for border, at in zip(found, truth[study], strict=True)])
    print(f"{len(files)} studies of {len(patients)} patients; median error in minutes: small bowel, colon")
    for name, values in errors.items():
        print(f"{name}:", *("{:.2f} [{:.2f}, {:.2f}]".format(*row) for row in with_interval(np.array(values))))
    print("range holds the border:", np.mean(inside, axis=0).round(2))
    if options.out:
        head = fit_head(*(np.concatenate([each[study][::STEP] for study in files]) for each in (vectors, organs)))
        np.savez(options.out, weight=head.weight.astype("<f2"), bias=head.bias.astype("<f8"))


def read_landmarks(path: Path) -> dict[str, tuple[str, int, int]]:
    """Study -> patient, first frame of the small bowel, first frame of the colon."""
    if path.is_file():
        with path.open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        return {row["study"]: (row["patient"], int(row["small_bowel"]), int(row["colon"])) for row in rows}
    truths = [json.loads(each.read_text(encoding="utf-8")) for each in path.glob("*.truth.json")]
    marks = {truth["study_id"]: (truth["patient_id"], truth["landmarks"]) for truth in truths}
    return {study: (patient, at["small bowel"], at["colon"]) for study, (patient, at) in marks.items()}


def color_changes(file: EmbeddingFile) -> Numbers:
    """The rows (2,) of the largest change of colour, in the first and in the second half."""
    color = np.asarray(file.mean_color, float)
    color /= np.maximum(color.sum(axis=1, keepdims=True), 1)
    count, minute = len(file), max(1, int(np.searchsorted(file.video_seconds, 60)))
    sums, rows = np.vstack([np.zeros(3), np.cumsum(color, axis=0)]), np.arange(minute, count - minute)
    change = np.linalg.norm(sums[rows + minute] - 2 * sums[rows] + sums[rows - minute], axis=1)
    parts = rows < count / 2, rows >= count / 2
    return np.array([rows[part][change[part].argmax()] for part in parts], float)


def minutes_apart(file: EmbeddingFile, rows: NDArray[np.floating], truth: NDArray[np.int64]) -> Numbers:
    """(2,) between rows and true rows of a file."""
    at, true_at = (file.video_seconds[np.clip(each, 0, len(file) - 1).astype(int)] for each in (rows, truth))
    return np.asarray(np.abs(at - true_at) / 60)


def holds(border: Border, row: int) -> bool:
    """Whether the range of a border holds the true row."""
    return border.low <= row <= border.high


def with_interval(errors: Numbers) -> Numbers:
    """(2, 3): median of errors (N, 2) with the ends of its interval."""
    random = np.random.default_rng(0)
    draws = [np.median(errors[random.integers(0, len(errors), len(errors))], axis=0) for _ in range(DRAWS)]
    return np.stack([np.median(errors, axis=0), *np.quantile(draws, [0.025, 0.975], axis=0)], axis=1)


if __name__ == "__main__":
    main()
