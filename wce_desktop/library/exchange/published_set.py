"""A public data set of recordings as it was published: its studies are written, and their import is planned."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from training.datasets.public.contents import contents, vocabulary
from training.datasets.public.export import Export, export
from training.datasets.public.layout import DataSet
from training.runs.reporter import Reporter
from wce_desktop.library.exchange.importing import ImportPlan, plan_import
from wce_desktop.library.library import Library


def plan_published(
    library: Library, folder: Path, data_set: DataSet, place: Path, names: Collection[str], reporter: Reporter
) -> ImportPlan:
    """Write studies and tables of a data set into a folder, and work out what importing them would change.

    The frames get a second name there (a hard link), or are copied where the disk knows no links. What the download
    lacks is left out.

    Args:
        folder: as it was downloaded.
        data_set: which one it is.
        place: for the studies; outside the folder of the data set, empty or of an earlier call.
        names: the classes that labels may have.

    Raises:
        UserError: the folder has another layout, or the place holds something else.
        Cancelled: the reporter asked to end.
    """
    found = data_set.read(folder)
    request = Export(data_set, folder, place, is_partial_fine=True, is_resumed=True)
    export(request, found, contents(found, vocabulary(data_set.name)), reporter)
    return plan_import(library, place, names, reporter)
