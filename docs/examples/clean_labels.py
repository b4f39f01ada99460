# %% [markdown]
# # Clean labels
#
# Labels that are probably wrong, copies and outliers, from embeddings of any model. Here some are planted.

# %%
import tempfile
from pathlib import Path

import numpy as np

import training
from training import cleaning

folder = Path(tempfile.mkdtemp())
training.make_phantom(folder, studies=4, frames=30, size_px=96)
model = training.load_model("resources/models/starter")
tables = [model.embed(path) for path in sorted((folder / "videos").glob("*.mp4"))]
embeddings = np.concatenate([table.to_numpy() for table in tables])
patients = np.repeat([table.study for table in tables], [len(table) for table in tables])

# %% [markdown]
# The labels: the two halves along the first principal component, as a stand-in for findings. Five are made wrong.

# %%
centred = embeddings - embeddings.mean(0)
along = centred @ np.linalg.svd(centred, full_matrices=False)[2][0]
labels = (along > np.median(along)).astype(int)
wrong = np.argsort(-np.abs(along - np.median(along)))[:50:10]
labels[wrong] = 1 - labels[wrong]

# %%
scores = cleaning.cross_validated_scores(embeddings, labels, patients)
errors = cleaning.find_label_errors(labels, scores)
print(len(errors), "labels to look at, with", len(set(errors.rows.tolist()) & set(wrong.tolist())), "of", len(wrong))
for row, suggested, margin in zip(errors.rows[:3], errors.suggested, errors.margin, strict=False):
    print(patients[row], "row", row, "label", labels[row], "suggested", suggested, "margin", round(margin, 2))

# %% [markdown]
# A copy of a frame in another patient, and frames that look like no other.

# %%
embeddings[-1] = embeddings[0]
for pair in cleaning.near_duplicates(embeddings, patients)[:3]:
    print(patients[pair.first], pair.first, "looks like", patients[pair.second], pair.second, round(pair.distance, 3))
far = cleaning.outlier_scores(embeddings, patients)
print("farthest:", patients[far.argmax()], "row", far.argmax(), round(far.max(), 2), "times the usual distance")
