# %% [markdown]
# # What to label next
#
# Which frames of some studies are worth a label, and whether the rule that chooses them is better than chance.
# Both are commands; a script starts them as the shell does.

# %%
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import training

folder = Path(tempfile.mkdtemp())
training.make_phantom(folder, studies=4, frames=40, seed=3, size_px=96, positive_share=0.3)
model = training.load_model("resources/models/starter")
for name in ("P01", "P02"):
    model.embed(folder / "videos" / f"{name}.mp4", folder / f"{name}.h5").close()


def command(*arguments: object) -> str:
    """What `python -m training` prints."""
    done = subprocess.run(
        [sys.executable, "-m", "training", *map(str, arguments)], capture_output=True, text=True, check=True
    )
    return done.stdout


# %% [markdown]
# The first five frames to label of two studies; nothing is labelled yet, so they are far from each other. With the
# column `label` filled in, the rows can be added to a file of labels, and the next call goes on from there.

# %%
files = [word for name in ("P01", "P02") for word in ("--embeddings", folder / f"{name}.h5")]
command("suggest", *files, "--count", 5, "--out", folder / "next.csv")
with (folder / "next.csv").open() as file:
    for row in csv.DictReader(file):
        print(row["study_id"], row["start"], row["distance"])

# %% [markdown]
# Two rules compared on frames that are labelled already: in each draw half of the patients is held out, and each rule
# labels five frames, then ten. Two draws only show that it works; the default is 20.

# %%
data = ("--studies", folder / "manifest.json", "--labels", folder / "labels.csv")
rules = ("--strategies", "random,window", "--counts", "5,10", "--draws", 2)
table = command("active-learning", *data, *rules, "--init", "resources/models/starter", "--out", folder / "report")
print("\n".join(line for line in table.splitlines() if line.startswith("|")))
print((folder / "report" / "report.html").is_file())
