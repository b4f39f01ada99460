"""The engine behind wce_desktop, and its public interface: studies, models, evaluation and training without a window.

What `__all__` names, `training.cleaning`, `training.losses`, `training.methods.register_method` and
`training.models.register_backbone` are public and follow semantic versioning. Everything is imported when it is first
used: `import training` is quick.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from training import cleaning, losses, methods, models
    from training.api.embedding_table import EmbeddingTable, import_embeddings, open_embeddings
    from training.api.evaluation import Evaluation, evaluate
    from training.api.finetuning import FinetuneResult, finetune
    from training.api.model import Model, load_model
    from training.api.study import FrameDataset, Study, make_phantom, open_study
    from training.embeddings.neighbour import Neighbour, Neighbours
    from training.errors import UserError
    from training.inference.explanation import Explanation
    from training.runs.events import LogLine, Partial, Progress
    from training.runs.reporter import Cancelled
    from training.video.field_of_view import FieldOfView
    from training.video.source import FrameMissing

    __version__: str

__all__ = [
    "Cancelled",
    "EmbeddingTable",
    "Evaluation",
    "Explanation",
    "FieldOfView",
    "FinetuneResult",
    "FrameDataset",
    "FrameMissing",
    "LogLine",
    "Model",
    "Neighbour",
    "Neighbours",
    "Partial",
    "Progress",
    "Study",
    "UserError",
    "__version__",
    "cleaning",
    "evaluate",
    "finetune",
    "import_embeddings",
    "load_model",
    "losses",
    "make_phantom",
    "methods",
    "models",
    "open_embeddings",
    "open_study",
]

_OF_MODULES = {
    "api.embedding_table": ("EmbeddingTable", "import_embeddings", "open_embeddings"),
    "api.evaluation": ("Evaluation", "evaluate"),
    "api.finetuning": ("FinetuneResult", "finetune"),
    "api.model": ("Model", "load_model"),
    "api.study": ("FrameDataset", "Study", "make_phantom", "open_study"),
    "embeddings.neighbour": ("Neighbour", "Neighbours"),
    "errors": ("UserError",),
    "inference.explanation": ("Explanation",),
    "runs.events": ("LogLine", "Partial", "Progress"),
    "runs.reporter": ("Cancelled",),
    "video.field_of_view": ("FieldOfView",),
    "video.source": ("FrameMissing",),
}
_HOMES = {name: module for module, names in _OF_MODULES.items() for name in names}
"""Public name -> the module in `training` that defines it."""


def __getattr__(name: str) -> Any:
    if name == "__version__":
        value: Any = importlib.import_module("training.version").version()
    elif name in _HOMES:
        value = getattr(importlib.import_module(f"training.{_HOMES[name]}"), name)
    elif name in ("cleaning", "losses", "methods", "models"):
        return importlib.import_module(f"training.{name}")
    else:
        raise AttributeError(f"module 'training' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
