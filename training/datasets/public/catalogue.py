"""The public data sets by name."""

from training.datasets.public import (
    cad_cap,
    capsule_vision_2024,
    galar,
    kid,
    kvasir_capsule,
    labelled_folders,
    polypgen,
    real_colon,
    see_ai,
    sun,
    sun_seg,
    wcebleedgen,
)
from training.datasets.public.layout import DataSet
from training.errors import UserError

DATA_SETS: dict[str, DataSet] = {
    one.name: one
    for one in (
        kvasir_capsule.DATA_SET,
        wcebleedgen.DATA_SET,
        kid.KID_1,
        kid.KID_2,
        cad_cap.DATA_SET,
        see_ai.DATA_SET,
        capsule_vision_2024.DATA_SET,
        galar.DATA_SET,
        real_colon.DATA_SET,
        polypgen.DATA_SET,
        sun.DATA_SET,
        sun_seg.DATA_SET,
        labelled_folders.DATA_SET,
    )
}


def find_data_set(name: str) -> DataSet:
    """The data set of this name; raises `UserError` with the names there are."""
    if name not in DATA_SETS:
        raise UserError(f"There is no data set {name!r}.", f"There are: {', '.join(DATA_SETS)}.")
    return DATA_SETS[name]
