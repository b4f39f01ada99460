"""The tables of Vats et al. 2022: priors instead of labels; rows and figures, computed by the benchmark."""

from dataclasses import dataclass

from training.experiments.benchmark.config import SplitName

TITLE = "Vats et al. 2022, From Labels to Priors in Capsule Endoscopy, 2206.05288"
LAYOUT_OURS = (
    "The paper's tables were not available: the rows and figures are our choice, based on what is known of its "
    "evaluation (zero-shot kNN, linear evaluation, full finetuning, few-shot)."
)
SPLIT_OURS = "The paper does not state whether its splits are by patient; ours are."
SPLIT_AT_RANDOM = "The paper splits frames at random. So does this table: the patients are unknown."
BEST: dict[SplitName, str] = {
    "60:40": "best: the epoch (or step) that is best on the test frames, as in the paper: optimistic; last: ours.",
    "80:10:10": "best: the epoch (or step) that is best on the tenth kept for selection, as in the paper; last: ours.",
}
"""What the best epoch is."""
LOOKED_AT = (
    "Searched on 2026-11-21 for arXiv 2206.05288: the copies of sciencestack.ai, tomesphere.com and arxivlens.com that "
    "could be read give title, abstract and a summary, no table; no public source file quotes one."
)
"""Where the figures were looked for."""


@dataclass(frozen=True)
class VatsRow:
    """One row of a table."""

    name: str
    method: str = ""
    """Of `benchmark.comparison.METHODS`; "" for a system of others, which is not implemented here."""
    is_ours: bool = False
    """True for rows that the paper is not known to have."""


@dataclass(frozen=True)
class VatsTable:
    """One table of the paper."""

    name: str
    title: str
    figures: tuple[tuple[str, str], ...]
    """Heading and path of a figure in a benchmark's cell."""
    rows: tuple[VatsRow, ...]
    shares: tuple[float, ...] = ()
    """Of the labels, in linear evaluation."""
    shots: tuple[int, ...] = ()
    finetune: bool = False
    has_best: bool = False
    """Whether the figures of the best epoch stand beside those of the last."""

    def said(self, parts: SplitName, *, by_groups: bool) -> tuple[str, ...]:
        """Sentences under the table, by how its frames were split."""
        split = SPLIT_OURS if by_groups else SPLIT_AT_RANDOM
        return (LAYOUT_OURS, split, *((BEST[parts],) if self.has_best else ()))

    @property
    def methods(self) -> tuple[str, ...]:
        """Methods of the rows that are implemented."""
        return tuple(row.method for row in self.rows if row.method)


ROWS = (
    VatsRow("others' systems"),
    VatsRow("ours: random weights", "random", is_ours=True),
    VatsRow("ImageNet", "imagenet"),
    VatsRow("ours: SimCLR", "simclr", is_ours=True),
    VatsRow("PIRL", "pirl"),
    VatsRow("PGCon", "pgcon"),
    VatsRow("WINCon", "wincon"),
    VatsRow("ours: time-based SSL", "time-triplet", is_ours=True),
)
NAMED = ("accuracy", "auc", "precision", "recall")
WORDS = {"accuracy": "accuracy", "auc": "AUC", "precision": "precision", "recall": "recall"}


def _figures(words: str, path: str, names: tuple[str, ...] = NAMED) -> tuple[tuple[str, str], ...]:
    return tuple((f"{words}: {WORDS[name]}", f"{path}/{name}") for name in names)


SHARES = (0.01, 0.1, 1.0)

TABLE2 = VatsTable(
    "vats-table2",
    "Table 2: zero-shot kNN and linear evaluation",
    (
        *_figures("kNN", "knn/projection"),
        *(
            figure
            for share in SHARES
            for epoch in ("best", "last")
            for figure in _figures(
                f"linear {100 * share:g} %, {epoch}", f"linear/{share:g}/{epoch}", ("accuracy", "auc")
            )
        ),
    ),
    ROWS,
    shares=SHARES,
    has_best=True,
)
TABLE3 = VatsTable(
    "vats-table3",
    "Table 3: full finetuning with batch normalisation",
    tuple(
        figure
        for share in SHARES
        for moment in ("best", "last")
        for figure in _figures(f"{100 * share:g} %, {moment}", f"finetuned/{share:g}/{moment}")
    ),
    ROWS,
    finetune=True,
    has_best=True,
)
TABLE4 = VatsTable(
    "vats-table4",
    "Table 4: few-shot",
    tuple(
        figure
        for shots in (1, 5, 10)
        for figure in _figures(f"{shots} of each class", f"few_shot/{shots}", ("accuracy", "auc"))
    ),
    ROWS,
    shots=(1, 5, 10),
)

VATS_TABLES: dict[str, VatsTable] = {table.name: table for table in (TABLE2, TABLE3, TABLE4)}
