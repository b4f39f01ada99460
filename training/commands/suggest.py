"""`python -m training suggest`: which frames to label next, of scored studies or of a folder of images.

The rule is that of *What to label next* in the window, see `training.embeddings.what_to_label`. Scores are those of a
classifier fitted to the labels, as the window's live scores are; with labels of one class only, those of the embedding
files.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from training.commands.common import CommandConfig
from training.datasets.labels import NORMAL
from training.files import kinds, marks
from training.models.backbones import DEFAULT_BACKBONE, BackboneName
from training.runs.reporter import Reporter
from training.settings import Only

COLUMNS, CAPTION_PX = 5, 22
"""Of the sheet of pictures."""


class SuggestCommand(CommandConfig):
    """What to choose from."""

    only = (Only("init,backbone,by,memory_mib", "images"), Only("studies", "pictures"))

    embeddings: tuple[Path, ...] = Field((), description="Embedding files, one per study.")
    manifest: Path | None = Field(
        None, description="Manifest (JSON) whose paths are embedding files, instead of embeddings."
    )
    images: Path | None = Field(None, description="Folder of images, instead of studies; without its subfolders.")
    labels: Path | None = Field(
        None,
        description="Labels (CSV) of the studies' frames, or of images (filename,label,group); rows without a label "
        "and images that are not listed are to be labelled. Empty: nothing is labelled yet.",
    )
    by: marks.ByField = "group"
    init: str = Field(
        "imagenet",
        description="Weights that embed the images: imagenet, random, a weights file, a model folder or a run folder.",
    )
    backbone: BackboneName | None = Field(
        None, description=f"Backbone of the weights; empty: {DEFAULT_BACKBONE}, or the folder's own."
    )
    normal_label: str = Field(NORMAL, min_length=1, description="Label of frames without a finding.")
    count: int = Field(20, ge=1, le=10_000, description="Frames to list, at most.")
    out: Annotated[Path, marks.OutputFile(kinds.SUGGESTIONS_CSV)] = Field(
        description="List to write (CSV), the most useful frame first; with the column label filled in, its rows can "
        "be added to the labels."
    )
    pictures: Annotated[Path | None, marks.OutputFile(kinds.EXPLANATION_PNG)] = Field(
        None, description="Sheet of the frames to write (PNG); for studies give their manifest as studies."
    )
    studies: Path | None = Field(None, description="Manifest of the recordings (JSON), for the sheet of pictures.")
    overwrite: marks.OverwriteField = False
    memory_mib: marks.MemoryField = 1536

    @model_validator(mode="after")
    def _check_inputs(self) -> "SuggestCommand":
        if sum((bool(self.embeddings), self.manifest is not None, self.images is not None)) != 1:
            raise ValueError("give either embedding files, a manifest of them, or a folder of images")
        if self.pictures is not None and self.images is None and self.studies is None:
            raise ValueError("pictures of studies need the manifest of the recordings: give studies")
        return self


def run_suggest(config: SuggestCommand, reporter: Reporter) -> dict[str, Any]:
    """Choose, write the list, and draw the frames if asked; the result holds the list as text.

    Raises:
        NothingToDoError: every frame is labelled.
        UserError: unusable files.
    """
    from training.commands.suggest_choice import choose
    from training.commands.suggest_sources import Images, Studies
    from training.experiments.engine import aligned
    from training.files.csv_text import write_csv

    source = (Studies if config.images is None else Images)(config, reporter)
    chosen = choose(source.parts, config.count, config.normal_label, reporter)
    header, rows = source.table(chosen)
    table = [(*row, *each.figures) for row, each in zip(rows, chosen, strict=True)]
    config.out.parent.mkdir(parents=True, exist_ok=True)
    write_csv(config.out, (*header, *kinds.SUGGESTED), table)
    if config.pictures is not None:
        _draw_sheet(config.pictures, source.pictures(chosen), [" ".join(map(str, row[:2])) for row in rows])
    return {
        "text": aligned((*header, *kinds.SUGGESTED), [list(map(str, row)) for row in table]),
        "out": str(config.out),
    }


def _draw_sheet(path: Path, pictures: dict[int, NDArray[np.uint8]], captions: Sequence[str]) -> None:
    """Write the pictures in rows, each with its place in the list and its caption."""
    import cv2

    from training.commands.suggest_sources import SIDE_PX
    from training.inference.explain_picture import write_png

    rows = -(-len(captions) // COLUMNS)
    sheet = np.full((rows * (SIDE_PX + CAPTION_PX), min(COLUMNS, len(captions)) * SIDE_PX, 3), 24, np.uint8)
    for at, caption in enumerate(captions):
        top, left = at // COLUMNS * (SIDE_PX + CAPTION_PX), at % COLUMNS * SIDE_PX
        if at in pictures:
            sheet[top : top + SIDE_PX, left : left + SIDE_PX] = pictures[at]
        text = f"{at + 1}  {caption}"
        (width, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.42, 1)
        scale = 0.42 * min(1.0, (SIDE_PX - 8) / max(1, width))
        place = (left + 4, top + SIDE_PX + CAPTION_PX - 7)
        cv2.putText(sheet, text, place, cv2.FONT_HERSHEY_SIMPLEX, scale, (225, 228, 230), 1, cv2.LINE_AA)
    write_png(path, sheet)
