# %% [markdown]
# # Own embeddings and scores
#
# What another program computed is imported as a model: a network of your own, a foundation model, a service. The map,
# similar frames, the timeline and live scores of the window then use it.

# %%
import tempfile
from pathlib import Path

import numpy as np

import training

folder = Path(tempfile.mkdtemp())
training.make_phantom(folder, studies=2, frames=40, size_px=96)
names = ("P01", "P02")
studies = {name: training.open_study(folder / "videos" / f"{name}.mp4") for name in names}

# %% [markdown]
# Here a small function stands in for the network: the mean colours of 4 x 4 fields of a frame, 48 numbers.


# %%
def embed(frame):
    fields = frame[: frame.shape[0] // 4 * 4, : frame.shape[1] // 4 * 4].reshape(4, frame.shape[0] // 4, 4, -1, 3)
    return fields.mean(axis=(1, 3)).ravel().astype(np.float32)


# %% [markdown]
# A row for each second frame, and which frames these are. `seconds` would do in place of `frame_index`.

# %%
for name, study in studies.items():
    frames = np.arange(0, len(study), 2)
    vectors = np.stack([embed(study[frame]) for frame in frames])
    np.savez(folder / f"{name}.npz", embeddings=vectors, frame_index=frames)

# %% [markdown]
# The first import makes the model folder `mean-colours`; the second one checks that its columns are the same.

# %%
tables = {
    name: training.import_embeddings(study, folder / f"{name}.npz", folder / "mean-colours", folder / f"{name}.h5")
    for name, study in studies.items()
}
print(tables["P01"], tables["P01"].to_numpy().shape)

# %%
for neighbour in tables["P01"].neighbours(20, k=3, among=[tables["P02"]]).items:
    print(neighbour.study_id, neighbour.frame_index, round(neighbour.distance, 3))

# %% [markdown]
# Scores are a table with a column for each class. *Normal* is one minus the highest score where it is not given.

# %%
lines = ["seconds,polyp,blood", *(f"{studies['P01'].seconds[frame]:.3f},0.02,{frame / 100}" for frame in (0, 10, 20))]
(folder / "scores.csv").write_text("\n".join(lines))
scored = training.import_embeddings(studies["P01"], folder / "scores.csv", folder / "my-cnn", folder / "scores.h5")
print(scored.classes, scored.scores[10])

# %% [markdown]
# What does not fit is refused with a sentence.

# %%
np.save(folder / "short.npy", np.zeros((7, 48), np.float32))
try:
    training.import_embeddings(studies["P01"], folder / "short.npy", folder / "other", folder / "short.h5")
except training.UserError as error:
    print(error)
