"""Synthetic studies with ground truth, to try things on."""

from pathlib import Path

from training.api.arguments import CallingReporter, OnEvent, PathLike, as_number, as_path


def make_phantom(
    folder: PathLike,
    *,
    studies: int = 4,
    frames: int = 300,
    seed: int = 0,
    size_px: int = 256,
    positive_share: float = 0.05,
    on_event: OnEvent | None = None,
) -> Path:
    """Render synthetic studies with lesions; the command `python -m training phantom` does the same.

    Args:
        folder: where to write `manifest.json`, `labels.csv`, `videos/P01.mp4` and so on; finished studies are kept.
        studies: how many, each of a patient of its own.
        frames: of each study.
        seed: of all random numbers.
        size_px: side of the frames in pixels, even.
        positive_share: wanted share of frames that show a lesion, 0 to 0.5.
        on_event: receives progress.

    Returns:
        The manifest, which `finetune` takes as `studies`.

    Raises:
        UserError: a value is out of its range, or the folder cannot be written.
    """
    from training.phantom.dataset import write_studies

    return write_studies(
        as_path(folder, "folder"),
        studies=as_number(studies, "studies", 1),
        frames=as_number(frames, "frames", 2),
        seed=as_number(seed, "seed", 0),
        size_px=as_number(size_px, "size_px", 48),
        positive_share=positive_share,
        reporter=CallingReporter(on_event),
    )
