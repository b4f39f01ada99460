# %% [markdown]
# # Embed and search
#
# A model turns frames into embeddings and scores. Frames with near embeddings look alike.

# %%
import tempfile
from pathlib import Path

import training

folder = Path(tempfile.mkdtemp())
training.make_phantom(folder, studies=2, frames=40, size_px=96)
first, second = (training.open_study(folder / "videos" / f"{name}.mp4") for name in ("P01", "P02"))

# %% [markdown]
# The starter model was trained on synthetic pictures only. `load_model` also takes your own run folders.

# %%
model = training.load_model("resources/models/starter")
print(model, model.input_size, model.card.get("method"))

# %%
table = model.embed(first, folder / "P01.h5")
other = model.embed(second)  # a temporary file
print(table.to_numpy().shape, table.classes, table.scores.max(axis=0))

# %% [markdown]
# The three frames of the other study that look most like frame 20 of this one.

# %%
for neighbour in table.neighbours(20, k=3, among=[other]).items:
    print(neighbour.study_id, neighbour.frame_index, round(neighbour.distance, 3))

# %% [markdown]
# Where in the frame the model sees the class with the highest score.

# %%
explanation = model.explain(first, 20)
print(explanation.title, explanation.overlay(first.height_px, first.width_px).shape)
