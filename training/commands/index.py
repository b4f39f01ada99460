"""`python -m training index PATH`: what a study's file says of its frames, and what is odd about it."""

from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from training.commands.common import CommandConfig
from training.errors import UserError
from training.files.kinds import FRAME_INDEX
from training.files.marks import OutputFile, OverwriteField
from training.runs.reporter import Reporter


class IndexCommand(CommandConfig):
    """Which study to index."""

    path: Path = Field(description="Video file or folder of images.")
    out: Annotated[Path | None, OutputFile(FRAME_INDEX)] = Field(
        None, description="File to save the index to (.npz); empty: it is only printed."
    )
    overwrite: OverwriteField = False
    check: int = Field(
        8, ge=0, le=1000, description="Number of seeks to check by decoding the frames around them; 0: none."
    )


def run_index(config: IndexCommand, reporter: Reporter) -> dict[str, Any]:
    """Index; the result says what was found, in the order in which a person wants to read it."""
    from training.video import build_index, verify_index

    index = build_index(config.path, reporter)
    if config.check:
        index = verify_index(config.path, index, samples=config.check, reporter=reporter)
    if config.out is not None:
        try:
            config.out.parent.mkdir(parents=True, exist_ok=True)
            index.save(config.out)
        except OSError as error:
            raise UserError(f"{config.out} cannot be written ({error.strerror}).", "Choose another folder.") from error
    gaps = np.diff(index.video_seconds)
    return {
        "path": str(config.path),
        "kind": index.kind,
        "frames": len(index),
        "duration_seconds": index.duration_seconds,
        "time_base": str(index.time_base),
        "median_fps": float(1 / np.median(gaps)) if len(gaps) and np.median(gaps) > 0 else None,
        "lowest_fps": float(1 / gaps.max()) if len(gaps) and gaps.max() > 0 else None,
        "highest_fps": float(1 / gaps.min()) if len(gaps) and gaps.min() > 0 else None,
        "key_frames": int(index.is_key.sum()),
        "longest_gop": _longest_gap(np.flatnonzero(index.is_key), len(index)),
        "missing": [int(frame) for frame in index.missing],
        "notes": list(index.notes),
        "fingerprint": index.fingerprint,
    }


def _longest_gap(keys: "np.ndarray[Any, np.dtype[np.intp]]", count: int) -> int:
    """Most frames from one key frame to before the next."""
    return int(np.diff([*keys.tolist(), count]).max()) if len(keys) else count
