# %% [markdown]
# # Your own training loop with our losses
#
# `TimeTripletLoss` takes nearness in time for a label: no frame needs to be labelled.

# %%
import tempfile
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

import training
from training.losses import NTXentLoss, TimeTripletLoss

folder = Path(tempfile.mkdtemp())
training.make_phantom(folder, studies=1, frames=64, size_px=96)
study = training.open_study(folder / "videos" / "P01.mp4")

# %%
torch.manual_seed(0)
network = nn.Sequential(
    nn.Conv2d(3, 8, 5, stride=4), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(32, 16)
)
optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)

# %% [markdown]
# The dataset gives each picture with its frame number, which is the pseudo-label: frames at most nine apart are alike.

# %%
loss = TimeTripletLoss(margin=0.2, window=9)
loader = DataLoader(study.torch_dataset(size=32), batch_size=32, shuffle=True, drop_last=True)
for epoch in range(2):
    for pictures, numbers in loader:
        optimizer.zero_grad()
        value = loss(network(pictures), numbers)
        value.backward()
        optimizer.step()
        print(epoch, round(float(value.detach()), 4), f"{loss.violating_share:.0%} of the triplets violate the margin")

# %% [markdown]
# `NTXentLoss` (SimCLR) takes two views of each picture: first all first views, then all second views.

# %%
pictures, _ = next(iter(loader))
views = torch.cat([pictures, pictures.flip(3)])
print(float(NTXentLoss(temperature=0.1)(network(views)).detach()))
