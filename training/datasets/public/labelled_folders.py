"""A plain folder with a folder of images for each class: the layout that many sets and all hand-made ones have.

`DIR/<class>/.../<image>`: the first folder below DIR is the class. Nothing is known of patients, so each image may
come from any; who knows more gives `labels.csv` (`filename,label,group`) instead of this.
"""

from pathlib import Path

from training.datasets.public.files import image_paths, left_out_notes
from training.datasets.public.layout import DataSet, PublishedImage, PublishedSet
from training.errors import UserError


def read(folder: Path) -> PublishedSet:
    """Read the folders; images that lie directly in DIR have no class, which is said.

    Raises:
        UserError: no folder, or none with images.
    """
    paths = image_paths(folder)
    images = tuple(PublishedImage(path, (path.split("/", 1)[0],)) for path in paths if "/" in path)
    if not images:
        raise UserError(
            f"{folder} has no folders with images.",
            "Put the images of each class into a folder with the name of the class.",
        )
    loose = [path for path in paths if "/" not in path]
    return PublishedSet(images, notes=tuple(left_out_notes(loose, "are in no class folder")))


DATA_SET = DataSet(
    name="folders",
    title="One folder of images per class",
    where="your own",
    what="one folder per class",
    licence="yours",
    citation="",
    verified="the 1,572 images of WCEBleedGen sorted into two folders",
    read=read,
)
