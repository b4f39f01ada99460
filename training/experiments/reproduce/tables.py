"""What a table of a paper is: its rows, the figures that are read off each, and what must be said beside it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Paper = Literal["pascual", "laiz"]
TITLES: dict[Paper, str] = {
    "pascual": "Pascual et al. 2022, Time-based Self-supervised Learning for Wireless Capsule Endoscopy, 2204.09773",
    "laiz": "Laiz et al. 2020, WCE Polyp Detection with Triplet based Embeddings, 1912.04643",
}

Start = Literal["imagenet", "random"]
RANDOM = "ours, random weights: "


@dataclass(frozen=True)
class Training:
    """How the network of one row comes about."""

    method: str
    """Finetuning: tl-ba, tl-bh or cross-entropy."""
    start: Start = "imagenet"
    """Weights before anything is learned here; both papers start from ImageNet."""
    pretrain: str = ""
    """time-triplet, simclr, or "" for none."""
    pretrain_settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the pretraining in which this row differs from the budget's."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the finetuning in which this row differs from the budget's."""
    imbalance: int | None = None
    """Normal frames for each other frame, in training and evaluation alike; None: all frames."""

    @property
    def studies(self) -> int:
        """Different studies in a batch of its pretraining, where the row says how many."""
        settings = self.pretrain_settings
        return int(settings["sequences"]) if settings.get("sequence_source") == "studies" else 1


@dataclass(frozen=True)
class Row:
    """One row of a table."""

    name: str
    """As the paper calls it; rows that are ours begin with "ours"."""
    training: Training | None = None
    """None: a system of others, which is not implemented here."""
    against: tuple[str, ...] = ()
    """Rows that this one is compared with, fold by fold."""
    is_ours: bool = False
    """True for rows that the paper does not have."""


@dataclass(frozen=True)
class KeyedRow:
    """One row of a table whose trainings several rows share."""

    name: str
    """As the paper calls it; rows that are ours begin with "ours"."""
    key: str = ""
    """What is computed; "" for what is not."""
    is_ours: bool = False
    """True for rows that the paper does not have in this table."""


@dataclass(frozen=True)
class PaperTable:
    """One table or figure of a paper."""

    name: str
    title: str


@dataclass(frozen=True)
class Table(PaperTable):
    """A table of rows that are cross-validated."""

    paper: Paper
    figures: tuple[str, ...]
    """Keys of `training.experiments.reproduce.figures.HEADINGS`, or families of them ("f1", "findings"), in order."""
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    """Sentences printed under the table."""
    is_binary: bool = True
    """Whether the paper's task is one class against normal; findings of several kinds are then one class."""
    folds: int | None = None
    """Folds of the paper where they are not five; a budget with fewer keeps its own."""
    repeats: int | None = None
    """How often the paper repeats each training with other frames; None: once."""

    @property
    def counts_findings(self) -> bool:
        """Whether figures are of findings, not of frames."""
        return self.figures[0].startswith(("findings", "found_"))


def from_random_weights(row: Row) -> Row:
    """The same row from random weights, under a name that says that it is ours."""
    if row.training is None or row.training.start == "random":
        raise ValueError(f"{row.name} has no counterpart from random weights")
    twin = replace(row.training, start="random")
    return Row(random_name(row.name), twin, tuple(random_name(name) for name in row.against), is_ours=True)


def random_name(name: str) -> str:
    """ "TL_BA" -> "ours, random weights: TL_BA"; a row that is named after its weights gets its method's name."""
    return RANDOM + name.removeprefix("ours: ").replace("Imagenet", "cross-entropy")


def planned_rows(table: Table, *, weights_there: bool) -> tuple[Row, ...]:
    """The table's rows, each trained row followed by its twin from random weights where ImageNet weights are absent."""
    rows: list[Row] = []
    for row in table.rows:
        rows.append(row)
        if row.training is not None and row.training.start == "imagenet" and not weights_there:
            rows.append(from_random_weights(row))
    return tuple(rows)
