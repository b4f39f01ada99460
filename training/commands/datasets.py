"""`python -m training datasets list|check|export`: public data sets, read as they are published."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from training.commands.common import CommandConfig
from training.datasets.public.presets import PRESETS as PRESETS
from training.files.marks import OutputFolder, OverwriteField
from training.runs.reporter import Reporter


class DatasetsCommand(CommandConfig):
    """What to do with which data set; see `training.datasets.public`."""

    action: Literal["list", "check", "export"] = Field(description="list, check or export.")
    name: str = Field("", description="Name of the data set, as `datasets list` prints it.")
    folder: Path | None = Field(None, description="Folder into which it was unpacked.")
    out: Annotated[Path | None, OutputFolder("folder to export into")] = Field(
        None, description="Folder to export into."
    )
    overwrite: OverwriteField = False
    classes: tuple[str, ...] = Field((), description="Classes to keep, in our terms; empty: all.")
    kinds: tuple[Literal["finding", "landmark", "view", "normal"], ...] = Field(
        (), description="Instead: kinds of classes to keep."
    )
    also: dict[str, str] = Field({}, description="Further labels of the set and what they stand for.")
    files: Literal["link", "copy"] = Field("link", description="Whether images get a second name, or are copied.")
    videos: bool = Field(
        False, description="Make the set's videos studies, with the labels of images that are found in them."
    )
    partial: bool = Field(False, description="Export although the download is not complete.")
    resume: bool = Field(False, description="Keep the images that an earlier call has written.")

    @model_validator(mode="after")
    def _check_inputs(self) -> "DatasetsCommand":
        if self.action == "list":
            return self
        if not self.name:
            raise ValueError("name the data set; `datasets list` shows them")
        if self.folder is None:
            raise ValueError("name the folder into which the data set was unpacked")
        if self.action == "export" and self.out is None:
            raise ValueError("say where to export to: --out DIR2")
        if self.classes and self.kinds:
            raise ValueError("give either classes or kinds")
        return self


def run_datasets(config: DatasetsCommand, reporter: Reporter) -> dict[str, Any]:
    """Do it; the result is what a person should read. No torch anywhere."""
    from training.datasets.public.catalogue import DATA_SETS, find_data_set
    from training.datasets.public.check import copies_sentence, report
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
    inside = contents(found, known, config.classes, config.kinds)
    if config.action == "check":
        copies = copies_sentence(config.folder, found.images, reporter)
        return report(data_set, found, inside, copies)
    wish = Export(
        data_set,
        config.folder,
        config.out or Path(),
        config.files,
        config.partial,
        config.videos,
        config.resume,
        config.overwrite,
    )
    return export(wish, found, inside, reporter)


def _vocabulary_name(name: str) -> str:
    return "kid" if name in ("kid1", "kid2") else name
