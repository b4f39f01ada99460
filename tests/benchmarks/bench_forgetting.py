"""What a fine-tuning forgets of classes that have no labels: AUC of each class before and after it, on other patients.

    python -m tests.benchmarks.bench_forgetting WORK_DIR [--model MODEL_DIR] [--seeds 1] [--set KEY=VALUE]

Renders five phantom patients (500 frames each) and fine-tunes the model with their labels of blood and normal only:
with the default settings and without rehearsal (`rehearsal_frames=0`). All models then score six other patients. Prints
for each class the AUC against normal and, in brackets, the frames with a score of at least 0.5. What is in WORK_DIR
already is not made again. Asserts nothing.
"""

import argparse
import csv
import subprocess
import sys
from pathlib import Path

import numpy as np

from training.compute.devices import training_device
from training.evaluation.evaluate_config import evaluate_config
from training.evaluation.evaluation_set import evaluation_set
from training.evaluation.fold_run import score_rows
from training.files.inputs import resources_folder
from training.metrics.detector import auc
from training.models.folder import ModelFolder
from training.models.network import load_network
from training.runs.reporter import SilentReporter

MODEL = "models/starter"
FRAMES, POSITIVE_SHARE = 500, 0.15
TRAINING, TESTING = (5, 200), (6, 300)
LEARNED = ("normal", "blood")
ROWS = {"default": (), "without rehearsal": ("rehearsal_frames=0",)}


def training(*arguments: str) -> None:
    """Run a command of the engine."""
    subprocess.run([sys.executable, "-m", "training", *arguments], check=True, stdout=subprocess.DEVNULL)


def settings(*values: str) -> list[str]:
    """As options of a command."""
    return [part for value in values for part in ("--set", value)]


def phantom(folder: Path, patients: int, first: int) -> None:
    """Render patients, unless they are there."""
    if not (folder / "manifest.json").is_file():
        asked = settings(f"positive_share={POSITIVE_SHARE}", f"first_patient={first}")
        training("phantom", str(folder), f"--studies={patients}", f"--frames={FRAMES}", "--seed=0", *asked)


def fine_tune(work: Path, model: Path, seed: int, name: str, more: list[str]) -> Path:
    """Fine-tune with labels of blood and normal only; returns the new model's folder."""
    data, run = work / "training", work / f"{name.replace(' ', '-')}-{seed}"
    labels = work / "labels.csv"
    with (data / "labels.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with labels.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(row for row in rows if row["label"] in LEARNED)
    if not (run / "model" / "SHA256SUMS").is_file():
        training(
            "finetune", "--studies", str(data / "manifest.json"), "--labels", str(labels), "--init", str(model),
            "--out", str(run), f"--seed={seed}", *settings(*ROWS[name], *more),
        )  # fmt: skip
    return run / "model"


def line(work: Path, model: Path) -> str:
    """AUC and flagged frames of each class on the patients for testing."""
    network = load_network(ModelFolder.open(model), training_device("cpu", SilentReporter()))
    data = work / "testing"
    asked = evaluate_config(studies=data / "manifest.json", labels=data / "labels.csv", out=work / "unused")
    frames = evaluation_set(asked, SilentReporter())
    store = frames.load(frames.labelled, network.config.input_size, work / "frames.tmp", SilentReporter())
    scores = score_rows(network, store, np.arange(len(store.labelled)), SilentReporter())
    labelled, parts = store.labelled, []
    for name in network.config.classes[1:]:
        number = labelled.classes.index(name)
        is_it = labelled.label == number
        rows = is_it | (labelled.label == 0)
        parts.append(f"{auc(is_it[rows], scores[rows, number]):.3f} ({(scores[:, number] >= 0.5).sum()})")
    return " | ".join(parts)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--model", type=Path, default=resources_folder(MODEL) / MODEL)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--set", dest="more", action="append", default=[], metavar="KEY=VALUE")
    options = parser.parse_args()
    measure(options.work.resolve(), options.model.resolve(), options.seeds, options.more)


def measure(work: Path, model: Path, seeds: int, more: list[str]) -> None:
    """Print the table."""
    phantom(work / "training", *TRAINING)
    phantom(work / "testing", *TESTING)
    print("| | " + " | ".join(ModelFolder.open(model).config.classes[1:]) + " |")
    print(f"| before | {line(work, model)} |")
    for seed in range(seeds):
        for name in ROWS:
            print(f"| {name}, seed {seed} | {line(work, fine_tune(work, model, seed, name, more))} |", flush=True)


if __name__ == "__main__":
    main()
