# %% [markdown]
# # Read frames
#
# A frame number always means the same picture, also in damaged files and in the workers of a `DataLoader`.

# %%
import tempfile
from pathlib import Path

from torch.utils.data import DataLoader

import training

# %% [markdown]
# Synthetic studies stand in for your own videos.

# %%
folder = Path(tempfile.mkdtemp())
training.make_phantom(folder, studies=1, frames=60, size_px=96)
study = training.open_study(folder / "videos" / "P01.mp4")
print(study, study.seconds[:3], study.missing)

# %% [markdown]
# One frame, `(H, W, 3)` uint8 RGB, and a range of frames at the speed of decoding.

# %%
picture = study[42]
print(picture.shape, picture.dtype)
for number, frame in study.frames(10, 20, every=5):
    print(number, "missing" if frame is None else frame.mean())

# %% [markdown]
# Every fifth frame as tensors `(3, 64, 64)`, cut to the field of view, read by two worker processes.

# %%
if __name__ == "__main__":  # where workers are spawned (Windows, macOS), they import this file
    dataset = study.torch_dataset(every=5, size=64)
    for pictures, numbers in DataLoader(dataset, batch_size=6, num_workers=2):
        print(tuple(pictures.shape), numbers.tolist())
