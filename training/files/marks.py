"""How a command's config marks what it writes: `out: Annotated[Path, OutputFile(EMBEDDING_FILE)]`.

Every path without a mark is an input. `training.commands.common` reads the marks.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from training.files.outputs import OutputKind
from training.settings import MAX_THREADS

OverwriteField = Annotated[
    bool, Field(description="Also replace files that this program did not write; never an input.")
]


@dataclass(frozen=True)
class OutputFile:
    """Marks a setting as a file to write; where the setting `folder_with` is given, as a folder of such files."""

    kind: OutputKind
    folder_with: str = ""


@dataclass(frozen=True)
class OutputFolder:
    """Marks a setting as a folder to write into.

    Attributes:
        name: "run folder" or the like.
        check: looks at what is in the folder; is given the folder and the config and raises `UserError`. None where
            the command itself looks, before it writes or computes anything.
    """

    name: str
    check: Callable[[Path, Any], None] | None = None


@dataclass(frozen=True)
class Cache:
    """Marks a folder that is kept between calls: no input and no output."""


def _weights_folder() -> Path:
    import platformdirs  # not with the module, which every command imports

    return Path(platformdirs.user_cache_dir("wce-desktop")) / "weights"


WeightsCacheField = Annotated[
    Path,
    Cache(),
    Field(
        default_factory=_weights_folder,
        description="Folder for downloaded ImageNet weights.",
    ),
]
MemoryField = Annotated[
    int, Field(ge=1, description="Prepared frames up to this size are kept in memory, larger ones in a file.")
]
ThreadsField = Annotated[int | None, Field(ge=1, le=MAX_THREADS, description="CPU threads; empty: one for each core.")]
LogToField = Annotated[
    Literal["none", "tensorboard", "mlflow"],
    Field(description="Also write curves and final figures for TensorBoard or MLflow, into the run folder."),
]
ByField = Annotated[str, Field(min_length=1, description="Column of the images' labels that names the patient.")]
RecordHostField = Annotated[bool, Field(description="Also record the name of this computer in the card.")]
PrecisionField = Annotated[
    Literal["auto", "float32", "bfloat16"], Field(description="auto: bfloat16 if the device supports it natively.")
]
