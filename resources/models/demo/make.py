"""Makes the demo model and the demo study from nothing but this repository: phantom, finetune twice, score.

    python resources/models/demo/make.py WORK_DIR

Renders twelve synthetic patients. Learns first from close-ups of their lesions, from random weights, then from whole
frames, from the weights that the close-ups gave; both times on the same nine patients, judged on the same three
(seed 0). Renders one more patient as the demo study, scores it with the model, and puts the results into `resources`.
About an hour on two cores. What stands in the working folder already is not made again.
"""

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import h5py
from closeups import write_closeups  # beside this file

from training.phantom.record import save_json, truth_path

RESOURCES = Path(__file__).resolve().parents[2]
PATIENTS, FRAMES, POSITIVE_SHARE = 12, 2500, 0.12
CLOSEUP_SETTINGS = {"input_size": 96, "batch_size": 48, "steps": 1000, "evaluations": 4, "max_normal_per_study": 1000}
FRAME_SETTINGS: dict[str, object] = {
    "input_size": 128,
    "batch_size": 48,
    "steps": 900,
    "evaluations": 4,
    "learning_rate": 3e-4,
    "batch_norm": "adapt",  # the statistics of close-ups are not those of whole frames
    "close_ups": 0.5,
    "memory_mib": 3000,
}
ABOUT = (
    "The demo model: a ResNet-18 that has only ever seen synthetic pictures. Made with the commands of make.py beside "
    "it: 1,000 steps on close-ups of phantom lesions from random weights, then 900 steps on whole phantom frames and "
    "close-ups; nine synthetic patients to learn from, three others to judge by. It finds blood and angiectasias of "
    "the phantom well, polyps and ulcers hardly. On real studies it is a place to start finetuning from, nothing more."
)
TRUTH_KEYS = ("version", "config", "study_id", "patient_id")
DEMO_FRAMES, DEMO_PATIENT, DEMO_POSITIVE_SHARE = 3000, 900, 0.02


def training(*arguments: str) -> None:
    """Run one command of the engine, as a person would."""
    subprocess.run([sys.executable, "-m", "training", *arguments], check=True, cwd=RESOURCES.parent)


def finetune(data: Path, run: Path, init: str, name: str, settings: dict[str, object]) -> None:
    """Finetune on a folder with manifest.json and labels.csv, unless the run is finished."""
    if (run / "model" / "SHA256SUMS").is_file():
        return
    chosen = [part for key, value in {**settings, "model_name": name}.items() for part in ("--set", f"{key}={value}")]
    training(
        "finetune", "--studies", str(data / "manifest.json"), "--labels", str(data / "labels.csv"), "--init", init,
        "--preset", "demo", "--seed=0", "--out", str(run), *chosen,
    )  # fmt: skip


def held_out_patients(run: Path) -> object:
    """Who was judged on in a run."""
    return json.loads((run / "split.json").read_text(encoding="utf-8"))["held_out_patients"]


def make_model(work: Path) -> None:
    """Close-ups first, whole frames second."""
    studies, closeups = work / "studies", work / "closeups"
    training(
        "phantom", str(studies), f"--studies={PATIENTS}", f"--frames={FRAMES}", "--seed=0",
        "--set", f"positive_share={POSITIVE_SHARE}",
    )  # fmt: skip
    if not (closeups / "labels.csv").is_file():
        write_closeups(studies, closeups)
    finetune(closeups, work / "run1", "random", "closeups", CLOSEUP_SETTINGS)
    settings = FRAME_SETTINGS | {"boxes": studies / "boxes.csv"}
    finetune(studies, work / "run", str(work / "run1"), "demo", settings)
    if held_out_patients(work / "run1") != held_out_patients(work / "run"):
        raise SystemExit("the two runs were judged on different patients: the held-out figures would flatter")
    publish(work / "run" / "model", RESOURCES / "models" / "demo")


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
    model = RESOURCES / "models" / "demo"
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
