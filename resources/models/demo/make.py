"""Makes the demo model and the demo study from nothing but this repository: phantom, finetune, score.

    python resources/models/demo/make.py WORK_DIR

Renders twelve synthetic patients, trains on nine and judges on three (patient-wise, seed 0), renders one more patient
as the demo study, scores it with the model, and puts the results into `resources`. Half an hour on two cores.
"""

import shutil
import subprocess
import sys
from pathlib import Path

RESOURCES = Path(__file__).resolve().parents[2]
TRAINING_PATIENTS, TRAINING_FRAMES, TRAINING_POSITIVE_SHARE = 12, 2500, 0.12
DEMO_FRAMES, DEMO_PATIENT = 3000, 900


def training(*arguments: str) -> None:
    """Run one command of the engine, as a person would."""
    subprocess.run([sys.executable, "-m", "training", *arguments], check=True, cwd=RESOURCES.parent)


def make_model(work: Path) -> None:
    """Train on phantom studies whose share of positive frames is raised, so that every kind is learnt from."""
    studies = work / "studies"
    training(
        "phantom", str(studies), f"--studies={TRAINING_PATIENTS}", f"--frames={TRAINING_FRAMES}", "--seed=0",
        "--set", f"positive_share={TRAINING_POSITIVE_SHARE}",
    )  # fmt: skip
    training(
        "finetune", "--studies", str(studies / "manifest.json"), "--labels", str(studies / "labels.csv"),
        "--init", "random", "--preset", "demo", "--seed=0", "--out", str(work / "run"), "--set", "model_name=demo",
    )  # fmt: skip
    for file in (work / "run" / "model").iterdir():
        shutil.copyfile(file, RESOURCES / "models" / "demo" / file.name)


def make_study(work: Path) -> None:
    """Render a patient that the model never saw, with as few positive frames as a real study, and score it."""
    folder = work / "demo"
    training(
        "phantom", str(folder), "--studies=1", f"--frames={DEMO_FRAMES}", "--seed=0",
        "--set", f"first_patient={DEMO_PATIENT}", "--set", "positive_share=0.02",
    )  # fmt: skip
    video = next((folder / "videos").glob("*.mp4"))
    target = RESOURCES / "demo"
    target.mkdir(exist_ok=True)
    shutil.copyfile(video, target / "demo-study.mp4")
    scores = work / "demo-study.h5"
    scores.unlink(missing_ok=True)
    model = RESOURCES / "models" / "demo"
    training("score", str(target / "demo-study.mp4"), "--model", str(model), "--out", str(scores))
    shutil.copyfile(scores, target / "demo-study.h5")


def main(work: Path) -> None:
    """Make both; what is in the working folder already is not made again."""
    work.mkdir(parents=True, exist_ok=True)
    make_model(work)
    make_study(work)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
