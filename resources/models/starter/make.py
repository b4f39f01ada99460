"""Makes the starter model and the demo study from nothing but this repository: phantom, fine-tune, score.

    python resources/models/starter/make.py WORK_DIR

Renders twelve synthetic patients and fine-tunes EfficientNet-Lite0 from ImageNet weights on nine of them; the other
three are held out (seed 0). Renders one more patient as the demo study, scores it with the model, and puts the results
into `resources`. About an hour and a half on two cores. What is in the working folder already is not made again.
"""

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import h5py

from training.phantom.record import save_json, truth_path

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
    "The starter model: EfficientNet-Lite0 from ImageNet weights, fine-tuned on synthetic pictures only. Made with the "
    "commands of make.py beside it from nine synthetic patients; the held-out figures are of three others. Its scores "
    "of real studies mean little: it is a starting point for fine-tuning."
)
TRUTH_KEYS = ("version", "config", "study_id", "patient_id")
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
    card = json.loads((target / "card.json").read_text(encoding="utf-8"))
    text = json.dumps({"about": ABOUT, **card}, indent=2, ensure_ascii=False) + "\n"
    (target / "card.json").write_text(text, encoding="utf-8")
    names = sorted(line.split()[1] for line in (target / "SHA256SUMS").read_text(encoding="utf-8").splitlines())
    sums = (f"{hashlib.sha256((target / name).read_bytes()).hexdigest()}  {name}\n" for name in names)
    (target / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")


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


def main(work: Path) -> None:
    """Make both."""
    work.mkdir(parents=True, exist_ok=True)
    make_model(work)
    make_study(work)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
