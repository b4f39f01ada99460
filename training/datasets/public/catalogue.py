"""The public data sets by name."""

from pathlib import Path

from training.datasets.public import box_files, class_folders, galar, kvasir_capsule, layout, real_colon, sun
from training.errors import UserError

DATA_SETS: dict[str, layout.DataSet] = {
    each.name: each
    for each in (
        kvasir_capsule.DATA_SET,
        box_files.WCEBLEEDGEN,
        class_folders.KID_1,
        class_folders.KID_2,
        class_folders.CAD_CAP,
        box_files.SEE_AI,
        class_folders.CAPSULE_VISION,
        galar.DATA_SET,
        real_colon.DATA_SET,
        box_files.POLYPGEN,
        sun.SUN,
        sun.SUN_SEG,
        class_folders.FOLDERS,
    )
}


def find_data_set(name: str) -> layout.DataSet:
    """The data set of this name; raises `UserError` with the names there are."""
    if name not in DATA_SETS:
        raise UserError(f"There is no data set {name!r}.", f"There are: {', '.join(DATA_SETS)}.")
    return DATA_SETS[name]


def recognised(folder: Path) -> layout.DataSet | None:
    """The data set whose marks a folder has; None where it has none of any."""
    return next((each for each in DATA_SETS.values() if any((folder / mark).exists() for mark in each.marks)), None)
