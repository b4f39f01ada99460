"""`python -m training datasets list|check|export`: public data sets, read as they are published."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from training.commands.common import CommandConfig
from training.datasets.public.contents import PRESETS as PRESETS
from training.files.marks import OutputFolder, OverwriteField
from training.runs.reporter import Reporter


class DatasetsCommand(CommandConfig):
    """What to do with which data set; see `training.datasets.public`."""

    action: Literal["list", "check", "export"] = Field(description="list, check or export.")
    name: str = Field("", description="Name of the data set, as printed by `datasets list`.")
    folder: Path | None = Field(None, description="Folder that holds the unpacked data set.")
    out: Annotated[Path | None, OutputFolder("folder to export into")] = Field(
        None, description="Folder to export into."
    )
    overwrite: OverwriteField = False
    classes: tuple[str, ...] = Field((), description="Classes to keep, in this program's terms; empty: all.")
    kinds: tuple[Literal["finding", "landmark", "view", "normal"], ...] = Field(
        (), description="Kinds of classes to keep, instead of classes."
    )
    without: tuple[str, ...] = Field((), description="Labels of the data set whose images are left out.")
    also: dict[str, str] = Field({}, description="Additional labels of the data set, and the terms they stand for.")
    files: Literal["link", "copy"] = Field(
        "link", description="Whether to link the images (hard links) or to copy them."
    )
    videos: bool = Field(
        False, description="Export the data set's videos as studies, with the labels of the images found in them."
    )
    partial: bool = Field(False, description="Export even if the download is incomplete.")
    resume: bool = Field(False, description="Keep the images written by an earlier call.")

    @model_validator(mode="after")
    def _check_inputs(self) -> "DatasetsCommand":
        if self.action == "list":
            return self
        if not self.name:
            raise ValueError("name the data set; `datasets list` shows them")
        if self.folder is None:
            raise ValueError("name the folder that holds the unpacked data set")
        if self.action == "export" and self.out is None:
            raise ValueError("name the folder to export to: --out DIR2")
        if self.classes and self.kinds:
            raise ValueError("give either classes or kinds, not both")
        return self


def run_datasets(config: DatasetsCommand, reporter: Reporter) -> dict[str, Any]:
    """Do it; the result is what a person should read. No torch anywhere."""
    from training.datasets.public.catalogue import DATA_SETS, find_data_set
    from training.datasets.public.check import copies_sentence, damaged_images, report
    from training.datasets.public.contents import contents
    from training.datasets.public.export import Export, export
    from training.datasets.public.terms import vocabulary

    if config.action == "list" or config.folder is None:
        return {
            one.name: {
                "title": one.title,
                "from": one.where,
                "download": one.what,
                "licence": one.licence,
                "verified": one.verified or "not verified",
            }
            for one in DATA_SETS.values()
        }
    data_set = find_data_set(config.name)
    known = vocabulary(_vocabulary_name(config.name), config.also)
    reporter.progress(0, 1, "folders", f"reading {config.folder.name}")
    found = data_set.read(config.folder)
    reporter.progress(1, 1, "folders", f"reading {config.folder.name}")
    inside = contents(found, known, config.classes, config.kinds, config.without)
    if config.action == "check":
        copies = copies_sentence(config.folder, found.images, reporter)
        return report(data_set, found, inside, copies, damaged_images(config.folder, found.images, reporter))
    request = Export(
        data_set,
        config.folder,
        config.out or Path(),
        config.files,
        config.partial,
        config.videos,
        config.resume,
        config.overwrite,
    )
    return export(request, found, inside, reporter)


def _vocabulary_name(name: str) -> str:
    return "kid" if name in ("kid1", "kid2") else name
