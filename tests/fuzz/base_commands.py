"""For each command a call that works and ends at once on the small material; a case changes some of its values.

A command without a row here is fuzzed all the same: then only what it requires is given.
"""

from dataclasses import dataclass, field

STUDY = "{inputs}/studies/videos/P01.mp4"
STUDIES = {"studies": "{inputs}/studies/manifest.json", "labels": "{inputs}/studies/labels.csv"}
IMAGES = {"images": "{inputs}/images", "labels": "{inputs}/images.csv"}
TINY = {"input_size": "32", "steps": "1", "threads": "1"}
TINY_FINETUNING = TINY | {"batch_size": "8", "evaluations": "1", "stored_as": "float16"}
TINY_PRETRAINING = TINY | {"sequence_length": "6", "window": "2", "workers": "0"}


@dataclass(frozen=True)
class BaseCommand:
    """A call by the names of options and settings; placeholders in braces stand for folders of the sandbox."""

    options: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)


BASES: dict[str, BaseCommand] = {
    "phantom": BaseCommand({"out": "{out}/phantom", "studies": "1", "frames": "4"}, {"size_px": "48"}),
    "index": BaseCommand({"path": STUDY, "out": "{out}/index.npz"}),
    "score": BaseCommand({"path": STUDY, "model": "{inputs}/model", "out": "{out}/scores.h5"}),
    "pretrain": BaseCommand(
        {"studies": STUDIES["studies"], "out": "{out}/run", "preset": "smoke", "init": "random"}, TINY_PRETRAINING
    ),
    "finetune": BaseCommand({**STUDIES, "out": "{out}/run"}, TINY_FINETUNING),
    "evaluate": BaseCommand(
        {**IMAGES, "out": "{out}/report", "folds": "2"},
        TINY | {"batch_size": "8", "bootstraps": "10", "imbalance_repeats": "1", "shown": "1"},
    ),
    "datasets": BaseCommand(
        {"action": "export", "name": "kvasir-capsule", "folder": "{inputs}/kvasir", "out": "{out}/set"},
        {"partial": "true"},
    ),
    "reproduce": BaseCommand(
        {"table": "laiz-table7", **IMAGES, "budget": "smoke", "out": "{out}/tables"}, {"threads": "1"}
    ),
    "benchmark": BaseCommand(
        {"methods": "random", **IMAGES, "budget": "smoke", "seeds": "1", "out": "{out}/report"}, {"threads": "1"}
    ),
    "few-labels": BaseCommand(
        {**IMAGES, "rows": "random:linear", "counts": "4", "folds": "2", "draws": "1", "out": "{out}/report"},
        {"threads": "1", "settings": '{"random": {"backbone": "resnet18", "input_size": 32}}'},
    ),
    "active-learning": BaseCommand(
        {**IMAGES, "init": "random", "counts": "4", "folds": "2", "draws": "1", "out": "{out}/report"},
        {"input_size": "32"},
    ),
    "suggest": BaseCommand({"embeddings": "{inputs}/P01.h5", "out": "{out}/next.csv"}),
    "explain": BaseCommand({"path": STUDY, "frame": "3", "model": "{inputs}/model", "out": "{out}/frame.png"}),
    "evaluate-explanations": BaseCommand(
        {
            **IMAGES,
            "boxes": "{inputs}/image_boxes.csv",
            "model": "{inputs}/model",
            "out": "{out}/report",
            "sample": "2",
        },
        {"explain": "cam,center", "curve_steps": "2", "bootstraps": "10", "shown": "1", "threads": "1"},
    ),
    "neighbours": BaseCommand({"embeddings": "{inputs}/P01.h5", "frame": "3"}),
    "evaluate-neighbours": BaseCommand({**IMAGES, "model": "{inputs}/model", "queries": "4"}),
    "project": BaseCommand(
        {"embeddings": "{inputs}/P01.h5", "out": "{out}/map.npz", "method": "tsne"},
        {"iterations": "10", "perplexity": "5", "components": "4", "threads": "1"},
    ),
    "evolution": BaseCommand(
        {"run": "{inputs}/pretrained", "studies": STUDIES["studies"], "out": "{out}/evolution.npz", "sample": "20"}
    ),
    "serve": BaseCommand({"folder": "{out}/answers"}, {"idle_seconds": "0.5", "networks": "1", "device": "cpu"}),
    "wce-desktop": BaseCommand(
        {"paths": STUDY, "library": "{out}/library", "screenshot": "{out}/window.png", "size": "800x600"}
    ),
    "export": BaseCommand({"library": "{out}/library", "folder": "{out}/exported"}),
    "import": BaseCommand({"library": "{out}/library", "path": "{inputs}/studies", "yes": "true", "reader": "a"}),
}
