# %% [markdown]
# # A classifier of your own that scores
#
# Whatever was trained elsewhere scores studies once it is an ONNX file and a JSON file says what its outputs are. The
# network here is not trained.

# %%
import json
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import torch
from torch import nn

import training

folder = Path(tempfile.mkdtemp())
network = nn.Sequential(
    nn.Conv2d(3, 16, 5, stride=4), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 3)
).eval()

# %% [markdown]
# The first dimension of the input stays free (`dynamic_axes`), so that several frames go in at once. The export needs
# the package `onnx`.

# %%
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    torch.onnx.export(
        network,
        (torch.zeros(1, 3, 224, 224),),
        folder / "own.onnx",
        input_names=["images"],
        output_names=["logits"],
        dynamic_axes={"images": {0: "batch"}},
        dynamo=False,
    )

# %% [markdown]
# Classes are in the order of the outputs; `normal` names the one that means that nothing is to be found. `activation`
# is what makes the outputs scores: `softmax`, `sigmoid`, or `none` where they are scores already.

# %%
described = {
    "classes": ["bleeding", "healthy", "polyp"],
    "normal": "healthy",
    "activation": "softmax",
    "input_size": 224,
    "mean": [0.485, 0.456, 0.406],
    "std": [0.229, 0.224, 0.225],
}
(folder / "own.json").write_text(json.dumps(described), encoding="utf-8")
command = [sys.executable, "-m", "training", "import-classifier", folder / "own.onnx", "--out", folder / "model"]
done = subprocess.run(command, check=True, capture_output=True, text=True)
print(done.stderr.splitlines()[0])

# %% [markdown]
# The folder is a model: `score`, `evaluate --model` and the window take it (*Train > Add a model folder…*).

# %%
training.make_phantom(folder / "studies", studies=1, frames=40, size_px=96)
model = training.load_model(folder / "model", device="cpu")
scores = model.score(folder / "studies" / "videos" / "P01.mp4")
print(model.classes, scores.shape, scores[0].round(2))

# %% [markdown]
# The scores are those of the network itself.

# %%
pictures = torch.randint(0, 256, (4, 224, 224, 3), dtype=torch.uint8)
mean, std = (torch.tensor(described[name]).view(1, 3, 1, 1) for name in ("mean", "std"))
expected = network((pictures.permute(0, 3, 1, 2) / 255 - mean) / std).softmax(1)[:, [1, 0, 2]]
print("largest difference:", abs(model.score(pictures.numpy()) - expected.detach().numpy()).max().round(2))
