"""SEE-AI: 18,481 images of 523 studies of the small bowel, with boxes of twelve kinds (Yokote et al. 2023).

Layout (https://www.kaggle.com/datasets/capsuleyolo/kyucapsule, https://pmc.ncbi.nlm.nih.gov/articles/PMC10288072/;
as public code reads it): `SEE_AI_project_all_images/SEE_AI_project_all_images/image00001.jpg`,
`SEE_AI_project_all_txt/SEE_AI_project_all_txt/image00001.txt` (YOLO lines), `all_annotation.csv`. The paper combines
12,320 images with findings and 6,161 normal ones, so an image without a box is normal. Which image is of which patient
is not published. Not tried on real files.
"""

from pathlib import Path

from training.datasets.public.files import image_paths, left_out_notes, read_yolo
from training.datasets.public.layout import DataSet, PublishedImage, PublishedSet
from training.errors import UserError

NAMES = (
    "angiodysplasia",
    "erosion",
    "stenosis",
    "lymphangiectasia",
    "lymph follicle",
    "SMT",
    "polyp-like",
    "bleeding",
    "diverticulum",
    "erythema",
    "foreign body",
    "vein",
)
"""Of the classes 0 to 11 in the text files."""


def read(folder: Path) -> PublishedSet:
    """Read images and text files; an image whose text file is missing has no label, which is not normal.

    Raises:
        UserError: no text files, or a line that is no box.
    """
    texts = {path.stem: path for path in sorted(folder.rglob("image*.txt"))}
    if not texts:
        raise UserError(f"{folder} has no image*.txt below it.", "Unpack SEE_AI_project_all_txt beside the images.")
    every = image_paths(folder)
    paths = [path for path in every if path.rsplit("/", 1)[-1].startswith("image")]
    others = [path for path in every if not path.rsplit("/", 1)[-1].startswith("image")]
    images, unsaid = [], 0
    for path in paths:
        text = texts.pop(Path(path).stem, None)
        unsaid += text is None
        boxes = read_yolo(text, NAMES) if text is not None else ()
        labels = tuple(dict.fromkeys(box.label for box in boxes)) or (("normal",) if text is not None else ())
        images.append(PublishedImage(path, labels, boxes=boxes, region="small bowel"))
    notes = ["SEE-AI does not name patients, so it cannot be split by patient."]
    if unsaid:
        notes.append(f"{unsaid:,} images have no text file and therefore no label.")
    notes += left_out_notes(others, "have names that do not start with “image”")
    return PublishedSet(tuple(images), tuple(f"{stem}.jpg" for stem in texts), notes=tuple(notes))


DATA_SET = DataSet(
    name="see-ai",
    title="SEE-AI",
    where="https://www.kaggle.com/datasets/capsuleyolo/kyucapsule",
    what="SEE_AI_project_all_images and SEE_AI_project_all_txt",
    licence="CC BY 4.0, as https://github.com/IAMOdon/body-atlas-models (CATALOGUE.md) read on its page",
    citation="Yokote et al., The SEE-artificial intelligence project, DEN Open 4, e258 (2023)",
    verified="",
    read=read,
    images=18_481,
)
