"""Makes the starter model and the demo study from nothing but this repository: phantom, fine-tune, score.

    python resources/models/starter/make.py WORK_DIR [REAL_FRAMES]

Renders twelve synthetic patients and fine-tunes EfficientNet-Lite0 from ImageNet weights on nine of them; the other
three are held out (seed 0). Renders one more patient as the demo study, scores it with the model, and puts the results
into `resources`. Eight further patients give its thresholds by rate. REAL_FRAMES, a folder with `images` and
`labels.csv` as Capsule Vision has them, gives its sensitivity for blood on real frames. About an hour and a half on two
cores. What is in the working folder already is not made again.
"""

import csv
import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
from numpy.typing import NDArray

from training.embeddings.familiar import Familiar
from training.embeddings.file import EmbeddingFile
from training.metrics.calibration import calibration
from training.metrics.operating_points import operating_points, sensitivities
from training.metrics.within_source import SourcedFrames
from training.phantom.record import save_json, truth_path
from training.texts import with_texts

RESOURCES = Path(__file__).resolve().parents[2]
MODEL = "starter"
PATIENTS, FRAMES, POSITIVE_SHARE = 12, 2500, 0.12
SETTINGS: dict[str, object] = {
    "steps": 1200,
    "trained_layers": 4,  # lesions of the phantom are not in ImageNet
    "batch_size": 32,
    "evaluations": 4,
    "patience": 0,
    "max_normal_per_study": 800,
    "max_frames": 6000,
    "memory_mib": 3000,
    "threads": 1,
    "stored_as": "float16",
}
ABOUT = (
    "The starter model: EfficientNet-Lite0 from ImageNet weights, fine-tuned on images of nine synthetic patients; the "
    "held-out figures are of three others. Its scores of real studies mean little: it is a starting point for "
    "fine-tuning."
)
TRUTH_KEYS = ("version", "config", "study_id", "patient_id")
RATE_PATIENTS, FIRST_RATE_PATIENT, RATE_FRAMES, RATE_POSITIVE_SHARE = 8, 300, 2000, 0.1
DEMO_FRAMES, DEMO_PATIENT, DEMO_POSITIVE_SHARE = 3000, 900, 0.02


def training(*arguments: str) -> None:
    """Run one command of the engine, as a person would."""
    subprocess.run([sys.executable, "-m", "training", *arguments], check=True, cwd=RESOURCES.parent)


def make_model(work: Path) -> None:
    """Render the patients and fine-tune, unless the run is finished."""
    studies, run = work / "studies", work / "run"
    if not (studies / "manifest.json").is_file():
        training(
            "phantom", str(studies), f"--studies={PATIENTS}", f"--frames={FRAMES}", "--seed=0",
            "--set", f"positive_share={POSITIVE_SHARE}",
        )  # fmt: skip
    if not (run / "model" / "SHA256SUMS").is_file():
        settings = {**SETTINGS, "boxes": studies / "boxes.csv", "model_name": MODEL}
        training(
            "finetune", "--studies", str(studies / "manifest.json"), "--labels", str(studies / "labels.csv"),
            "--init", "imagenet", "--seed=0", "--out", str(run),
            *(part for key, value in settings.items() for part in ("--set", f"{key}={value}")),
        )  # fmt: skip
    publish(run / "model", RESOURCES / "models" / MODEL)


def publish(model: Path, target: Path) -> None:
    """Copy a model folder and say in its card what it is."""
    for file in model.iterdir():
        shutil.copyfile(file, target / file.name)
    add_to_card(target, {"about": ABOUT})


def add_to_card(target: Path, entries: dict[str, object]) -> None:
    """Write these entries of the card, the others stay, and the sums."""
    card = json.loads((target / "card.json").read_text(encoding="utf-8"))
    text = json.dumps({"about": "", **card, **with_texts(entries)}, indent=2, ensure_ascii=False) + "\n"
    (target / "card.json").write_text(text, encoding="utf-8")
    names = sorted(line.split()[1] for line in (target / "SHA256SUMS").read_text(encoding="utf-8").splitlines())
    sums = (f"{hashlib.sha256((target / name).read_bytes()).hexdigest()}  {name}\n" for name in names)
    (target / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")


def state_rates(work: Path, real: Path | None) -> None:
    """Measure thresholds, sensitivities and calibration on patients that neither trained the model nor chose it."""
    folder, target = work / "rates", RESOURCES / "models" / MODEL
    if not (folder / "manifest.json").is_file():
        training(
            "phantom", str(folder), f"--studies={RATE_PATIENTS}", f"--frames={RATE_FRAMES}", "--seed=0",
            "--set", f"first_patient={FIRST_RATE_PATIENT}", "--set", f"positive_share={RATE_POSITIVE_SHARE}",
        )  # fmt: skip
    frames, scores = held_out_scores(folder, target)
    entries: dict[str, object] = {
        "operating_points": operating_points(frames, scores),
        "calibration": calibration(frames, [scores]),
    }
    if real is not None:
        entries["real_frames"] = on_real_frames(real, scored(real / "images", work / "real.h5", target))
    add_to_card(target, entries)
    files = [EmbeddingFile.open(path) for path in sorted(folder.glob("*.h5"))]
    sides = [np.concatenate([np.asarray(file.embeddings) for file in part]) for part in (files[:-2], files[-2:])]
    familiar = Familiar.fit(sides[0], sides[1])  # as like the training as its own patients, and not needed for it
    assert familiar is not None
    familiar.write(target)


def scored(path: Path, out: Path, model: Path) -> EmbeddingFile:
    """The scores of a study; an existing file is used."""
    if not out.is_file():
        training("score", str(path), "--model", str(model), "--out", str(out))
    return EmbeddingFile.open(out)


def held_out_scores(folder: Path, model: Path) -> tuple[SourcedFrames, NDArray[np.float32]]:
    """The frames of phantom studies that carry one label, or are normal, with their scores."""
    numbers, scores, patients = list[NDArray[np.int64]](), list[NDArray[np.float32]](), list[str]()
    rows = list(csv.DictReader((folder / "labels.csv").open(encoding="utf-8")))
    for video in sorted((folder / "videos").glob("*.mp4")):
        file = scored(video, folder / f"{video.stem}.h5", model)
        classes, table = file.header.classes, file.scores
        assert table is not None
        of_class = np.zeros(table.shape, bool)
        for row in rows:
            if row["study_id"] == video.stem and row["label"] in classes:
                of_class[int(row["start"]) : int(row["stop"]), classes.index(row["label"])] = True
        chosen = of_class.sum(axis=1) == 1
        numbers.append(of_class[chosen].argmax(axis=1))
        scores.append(table[chosen])
        patients += [video.stem] * int(chosen.sum())
    sources = np.full(len(patients), "", np.str_)
    return SourcedFrames(classes, np.concatenate(numbers), sources, np.array(patients)), np.concatenate(scores)


def on_real_frames(folder: Path, file: EmbeddingFile) -> dict[str, object]:
    """Source -> sensitivity for blood, thresholds set on normal frames of the same source, other groups."""
    rows = {row["filename"]: row for row in csv.DictReader((folder / "labels.csv").open(encoding="utf-8"))}
    names = sorted(path.name for path in (folder / "images").iterdir())
    table = file.scores
    assert table is not None
    assert len(names) == len(table)
    every = [rows[name]["label"].split("|") for name in names]
    labels = np.array([1 if "Bleeding" in labels else 0 if labels == ["Normal"] else -1 for labels in every])
    sources, groups = (np.array([rows[name][key] for name in names]) for key in ("source", "group"))
    frames = SourcedFrames(("normal", "blood"), labels, sources, groups)
    column = file.header.classes.index("blood")
    blood = np.stack([1 - table[:, column], table[:, column]], axis=1)
    found = {source: sensitivities(frames, blood, source) for source in np.unique(sources).tolist()}
    return {source: rows for source, rows in found.items() if rows}


def make_study(work: Path) -> None:
    """Render a patient that the model never saw, with few positive frames as in a real study, and score it."""
    folder, target = work / "demo", RESOURCES / "demo"
    training(
        "phantom", str(folder), "--studies=1", f"--frames={DEMO_FRAMES}", "--seed=0",
        "--set", f"first_patient={DEMO_PATIENT}", "--set", f"positive_share={DEMO_POSITIVE_SHARE}",
    )  # fmt: skip
    target.mkdir(exist_ok=True)
    video = next((folder / "videos").glob("*.mp4"))
    shutil.copyfile(video, target / "demo-study.mp4")
    truth = json.loads(truth_path(video).read_text(encoding="utf-8"))
    save_json(target / "demo-study.truth.json", {key: truth[key] for key in TRUTH_KEYS})  # marks it as synthetic
    scores = work / "demo-study.h5"
    scores.unlink(missing_ok=True)
    model = RESOURCES / "models" / MODEL
    training("score", str(target / "demo-study.mp4"), "--model", str(model), "--out", str(scores))
    copy_without_place(scores, target / "demo-study.h5")


def copy_without_place(scores: Path, target: Path) -> None:
    """Copy an embedding file; where the video lay on the machine that scored it is nobody's business."""
    with h5py.File(scores) as source, h5py.File(target, "w") as copy:
        for name, dataset in source.items():
            copy.create_dataset(name, data=dataset[...])
        for name, value in source.attrs.items():
            copy.attrs[name] = "demo-study.mp4" if name == "video_path" else value


def main(work: Path, real: Path | None = None) -> None:
    """Make both."""
    work.mkdir(parents=True, exist_ok=True)
    make_model(work)
    state_rates(work, real)
    make_study(work)


if __name__ == "__main__":
    main(*(Path(argument).resolve() for argument in sys.argv[1:]))
