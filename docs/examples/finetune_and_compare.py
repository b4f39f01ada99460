# %% [markdown]
# # Fine-tune and compare
#
# Train the starter model further on labelled frames, and compare old and new on patients that were held out.

# %%
import json
import tempfile
from pathlib import Path

import training

folder = Path(tempfile.mkdtemp())
manifest = training.make_phantom(folder, studies=3, frames=50, size_px=96, positive_share=0.2)

# %% [markdown]
# Events tell of the progress. Settings are those of `python -m training finetune --help`. The preset `linear` trains
# the classifier alone, in seconds; leave it and `least_frames` out for real data.


# %%
def show(event):
    if isinstance(event, training.LogLine):
        print(event.line)


result = training.finetune(
    studies=manifest,
    labels=folder / "labels.csv",
    out=folder / "run",
    init="resources/models/starter",
    method="tl-ba",
    preset="linear",
    least_frames=1,
    rehearsal_frames=8,
    device="cpu",
    on_event=show,
)

# %%
print(result.model.classes, result.figures["any"]["auc"])
if result.verdict:
    print(result.verdict["sentence"])

# %% [markdown]
# The run folder says how the run ended; its card names commit, libraries and computer, and a digest of frames and
# labels. With `log_to="tensorboard"` or `"mlflow"` curves and figures are also written for these programs.

# %%
state = json.loads((folder / "run" / "state.json").read_text())
card = json.loads((folder / "run" / "card.json").read_text())
print(state["state"], card["versions"], card["computer"]["cores"], card["data"]["sha256"])
