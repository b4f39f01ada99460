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
        rows.append((name, span["label"], span["study_id"]))
with (folder / "images.csv").open("w", newline="") as file:
    csv.writer(file).writerows([("filename", "label", "group"), *rows])

# %%
model = training.load_model("resources/models/starter")
evaluation = training.evaluate(model, images=images, labels=folder / "images.csv", by="group")
for name, figures in evaluation.figures.items():
    print(name, figures["auc"], figures["positives"])
print(evaluation.warning)
print(evaluation.report(folder / "report"))
