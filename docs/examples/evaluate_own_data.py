# %% [markdown]
# # Evaluate on your own data
#
# A folder of labelled images, and a table with the columns `filename`, `label` and `group` (the patient).

# %%
import csv
import tempfile
from pathlib import Path

import cv2

import training

folder = Path(tempfile.mkdtemp())
training.make_phantom(folder, studies=3, frames=60, size_px=96, positive_share=0.3)

# %% [markdown]
# Images and table of the synthetic studies; with data of your own, both are there already.

# %%
images = folder / "images"
images.mkdir()
with (folder / "labels.csv").open() as file:
    spans = list(csv.DictReader(file))
rows = []
for span in spans:
    study = training.open_study(folder / "videos" / f"{span['study_id']}.mp4")
    for number in range(int(span["start"]), int(span["stop"]), 6):
        name = f"{span['study_id']}-{span['label']}-{number}.png"
        cv2.imwrite(str(images / name), study[number][:, :, ::-1])
        rows.append((name, span["label"], f"case {span['study_id']}"))
with (folder / "images.csv").open("w", newline="") as file:
    csv.writer(file).writerows([("filename", "label", "group"), *rows])

# %% [markdown]
# Nothing is trained. Whole patients are drawn for the intervals; `by` names the column that tells them apart.

# %%
model = training.load_model("resources/models/starter")
report = {"labels": folder / "images.csv", "images": images, "by": "group", "bootstraps": 100, "shown": 2}
evaluation = training.evaluate(model, **report, out=folder / "report")
for name, figures in evaluation.figures.items():
    print(name, {figure: row["value"] for figure, row in figures.items()})
print("AUC of any finding:", evaluation.figures["any"]["auc"])
print(evaluation.warnings)

# %% [markdown]
# The report has more: figures of each group, calibration, sensitivity at fixed false positives, curves, errors with
# their explanations, and a TRIPOD+AI checklist.

# %%
for row in evaluation.details["groups"]:
    print(row["group"], row["auc"], row["sensitivity"], row["false_positives"])
print(sorted(path.name for path in evaluation.folder.iterdir()))

# %% [markdown]
# The clearest errors: normal images with the highest scores.

# %%
normal = [number for number, label in enumerate(evaluation.labels) if label == "normal"]
worst = sorted(normal, key=lambda number: evaluation.scores[number, 0])[:3]
print([(evaluation.frames[number], float(1 - evaluation.scores[number, 0])) for number in worst])
