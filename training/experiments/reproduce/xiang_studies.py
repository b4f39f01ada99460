"""Clips of real studies for the tables of Xiang et al. 2023: two studies of a patient, such as two screenings.

Every patient is evaluated by encoders that others have trained; with train_on=same all studies train, as in the paper.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from training.datasets.manifest import load_manifest
from training.errors import UserError
from training.experiments.engine import counted, files_digest
from training.experiments.reproduce.data import RenderedPhantom, written_manifest
from training.experiments.reproduce.phantom_setting import held_out_parts
from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.experiments.reproduce.xiang_cells import XiangSetting
from training.experiments.reproduce.xiang_rows import XiangBudget
from training.retrieval.evaluation import open_pairs
from training.retrieval.paired_clips import PairedClips
from training.retrieval.study_pairs import read_pairs, with_joined_patients
from training.runs.reporter import Reporter


def studies_key(config: ReproduceConfig) -> str:
    """What decides the data of a call with studies; empty for the phantom."""
    if config.studies is None or config.labels is None:
        return ""
    links = config.labels.with_name("links.csv")
    given = (config.studies, config.labels, config.pairs, links if links.is_file() else None)
    return files_digest(*(file for file in given if file is not None))


def studies_setting(config: ReproduceConfig, budget: XiangBudget, reporter: Reporter) -> "XiangStudies":
    """The setting of a call with studies; writes their manifest, with one patient for the studies of a pair."""
    assert config.studies is not None
    assert config.labels is not None
    manifest = load_manifest(config.studies)
    pairs = read_pairs(config.pairs, manifest) if config.pairs else []
    joined = written_manifest(config.out, f"studies-{studies_key(config)}.json", with_joined_patients(manifest, pairs).studies)  # noqa: E501  # fmt: skip
    return XiangStudies(config, budget, RenderedPhantom(joined, config.labels, joined), reporter)


@dataclass(frozen=True)
class XiangStudies(XiangSetting):
    """The clips of studies that a person has; there is no phantom."""

    @property
    def key(self) -> str:
        """What decides the data."""
        return studies_key(self.config)

    @property
    def sentence(self) -> str:
        """What the data are, for the table."""
        assert self.config.studies is not None
        studies = len(load_manifest(self.phantom.manifest).studies)
        return f"studies: {self.config.studies.name}, {studies} studies, {counted(len(self.pairs), 'pair')} of them"

    @property
    def query_place(self) -> str:
        """Where queries are taken from, in a sentence."""
        return "the first study of a pair"

    @property
    def notes(self) -> list[str]:
        """Sentences on the data, under the table."""
        which = "pairs.csv names the pairs." if self.config.pairs else "The first two studies of a patient are a pair."
        parts = f"The patients are evaluated in {counted(len(self.parts), 'part')}, each by encoders of the others."
        return [which, *([] if self.config.train_on == "same" else [parts])]

    @cached_property
    def pairs(self) -> list[PairedClips]:
        """Queries and galleries of the pairs."""
        return open_pairs(self.phantom.manifest, self.phantom.labels, self.budget.clips, self.config.pairs)

    @cached_property
    def parts(self) -> list[tuple[Path, list[int]]]:
        """At most five parts of the pairs' patients, each with the studies of all others."""
        if self.config.train_on == "same":
            return super().parts
        studies = load_manifest(self.phantom.manifest).studies
        result = []
        for part, held_out in enumerate(held_out_parts(pair.patient for pair in self.pairs)):
            others = [study for study in studies if study.patient_id not in held_out]
            if not others:
                raise UserError(
                    "All studies are of one patient, so no other patient can train.",
                    "Add studies of other patients, or train on the same studies with --set train_on=same.",
                )
            name = f"others-{self.key}-{part + 1}.json"
            rows = np.flatnonzero([pair.patient in held_out for pair in self.pairs]).tolist()
            result.append((written_manifest(self.config.out, name, others), rows))
        return result
