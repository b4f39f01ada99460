"""The tables of Vats et al. 2022: priors instead of labels; rows and figures, computed by the benchmark.

The paper pretrains on a private data set and OSF-Kvasir and evaluates on four sets. A benchmark pretrains on the data
that `pretrain_studies` and `pretrain_images` name, else on the training frames of the evaluated set: `data_set` says
which of the paper's sets that is, and so which of the table's figures are computed.
"""

from dataclasses import dataclass
from itertools import product
from typing import Literal, get_args

from training.experiments.benchmark.config import SplitName
from training.experiments.reproduce.tables import KeyedRow, PaperTable

TITLE = "Vats et al. 2022, From Labels to Priors in Capsule Endoscopy, 2206.05288"
PRETRAINED_HERE = (
    "The paper pretrains on PS-DeVCEM (private) and OSF-Kvasir, and does not say from which weights; each pretraining "
    "here is on the training frames of the data of this table."
)
PRETRAINED_ELSEWHERE = (
    "The paper pretrains on PS-DeVCEM (private) and OSF-Kvasir, and does not say from which weights; each pretraining "
    "here is on {}, and nothing of the test part."
)
PAPERS_NAMES = "The names of the rows are the paper's: its R50 is a ResNet-50, whatever network a budget has."
SPLIT_OURS = (
    "The paper gives the shares of its splits, but does not say how frames are divided, or whether by patient. "
    "Ours are by patient."
)
SPLIT_AT_RANDOM = (
    "The paper gives the shares of its splits, but does not say how frames are divided. Here they are divided at "
    "random: the patients are unknown."
)
BEST: dict[SplitName, str] = {
    "60:40": "best: the epoch (or step) that is best on the test frames, as in the paper: optimistic; last: ours.",
    "80:10:10": "best: the epoch (or step) that is best on the tenth kept for selection, as in the paper; last: ours.",
}
"""What the best epoch is."""
OTHER_DATA = "other data"
"""Of a figure that the paper has for another data set than that of this call."""

DataSet = Literal["", "osf-kvasir", "fs-kid", "fs-kid2", "cad-cap"]
"""The paper's data sets; "" for any other data."""
DATA_SETS: tuple[DataSet, ...] = get_args(DataSet)
NAMES: dict[DataSet, str] = {
    "osf-kvasir": "OSF-Kvasir",
    "fs-kid": "FS-KID",
    "fs-kid2": "FS-KID2",
    "cad-cap": "CAD-CAP",
    "": "these data",
}
PARTS: dict[DataSet, SplitName] = {"cad-cap": "80:10:10"}
"""The paper's split of each data set, 60:40 where none is named."""


@dataclass(frozen=True)
class VatsFigure:
    """One figure of a row."""

    key: str
    """What is measured, and of what: "accuracy:linear, CAD-CAP 1 %, best"; as in `resources/published`."""
    path: str
    """Of the figure in a benchmark's cell."""
    data_set: DataSet
    """The data that it is of."""


@dataclass(frozen=True)
class VatsTable(PaperTable):
    """One table of the paper."""

    figures: tuple[VatsFigure, ...]
    rows: tuple[KeyedRow, ...]
    """Their keys are of `benchmark.comparison.METHODS`; a system of others has none."""
    finetune: bool = False
    has_best: bool = False
    """Whether the figures of the best epoch stand beside those of the last."""

    def said(self, parts: SplitName, *, by_groups: bool, pretrained_on: str = "") -> tuple[str, ...]:
        """Sentences under the table, by how its frames were split, and the other data that were pretrained on."""
        split = SPLIT_OURS if by_groups else SPLIT_AT_RANDOM
        pretrained = PRETRAINED_ELSEWHERE.format(pretrained_on) if pretrained_on else PRETRAINED_HERE
        return (PAPERS_NAMES, pretrained, split, *((BEST[parts],) if self.has_best else ()))

    def shares(self, data_set: DataSet) -> tuple[float, ...]:
        """Shares of the labels that the figures of a data set ask for, ascending."""
        paths = [figure.path.split("/") for figure in self.figures if figure.data_set == data_set]
        return tuple(sorted({float(parts[1]) for parts in paths if parts[0] in ("linear", "finetuned")}))

    @property
    def data_sets(self) -> tuple[DataSet, ...]:
        """The paper's data sets that the table has figures of."""
        return tuple(dict.fromkeys(figure.data_set for figure in self.figures if figure.data_set))

    @property
    def methods(self) -> tuple[str, ...]:
        """Methods of the rows that are implemented."""
        return tuple(row.key for row in self.rows if row.key)


RANDOM = KeyedRow("Random R50", "random")
PIRL = KeyedRow("PIRL", "pirl")
PGCON = KeyedRow("PGCon", "pgcon")
WINCON = KeyedRow("WINCon", "wincon")
NO_PRETRAINING = (
    KeyedRow("ours: random weights", "random", is_ours=True),
    KeyedRow("ours: ImageNet", "imagenet", is_ours=True),
)
OURS = (
    KeyedRow("ours: SimCLR", "simclr", is_ours=True),
    KeyedRow("ours: time-based SSL", "time-triplet", is_ours=True),
)


SHARES = (0.01, 0.1, 1.0)
"""Of the labels of CAD-CAP."""


def _figures(kind: str, data_set: DataSet, *measures: str) -> list[VatsFigure]:
    """Of the best and of the last epoch; linear evaluation of CAD-CAP and of other data with 1 and 10 % too."""
    shares = SHARES if kind == "linear" and data_set in ("cad-cap", "") else (1.0,)
    result = []
    for share, moment, measure in product(shares, ("best", "last"), measures):
        words = f"{kind}, {NAMES[data_set]}" + (f" {100 * share:g} %" if len(shares) > 1 else "")
        result.append(VatsFigure(f"{measure}:{words}, {moment}", f"{kind}/{share:g}/{moment}/{measure}", data_set))
    return result


FINETUNED_SETS: tuple[DataSet, ...] = ("osf-kvasir", "cad-cap", "")
FINETUNED = ("accuracy", "auc", "precision", "recall")


TABLE2 = VatsTable(
    "vats-table2",
    "Table 2: zero-shot kNN on CAD-CAP",
    (
        VatsFigure("accuracy:kNN", "knn/projection/accuracy", "cad-cap"),
        VatsFigure(f"accuracy:kNN, {NAMES['']}", "knn/projection/accuracy", ""),
    ),
    (PIRL, KeyedRow("Vats et al. (supervised)"), PGCON, WINCON, *NO_PRETRAINING, *OURS),
)
TABLE3 = VatsTable(
    "vats-table3",
    "Table 3: linear evaluation, two dense layers on the frozen encoder",
    tuple(figure for data_set in (*DATA_SETS[1:], DATA_SETS[0]) for figure in _figures("linear", data_set, "accuracy")),
    (RANDOM, KeyedRow("INet pretrained R50", "imagenet"), PIRL, PGCON, WINCON, *OURS),
    has_best=True,
)
TABLE4 = VatsTable(
    "vats-table4",
    "Table 4: full finetuning with batch normalisation",
    tuple(figure for name in FINETUNED_SETS for figure in _figures("finetuned", name, *FINETUNED)),
    (
        RANDOM,
        KeyedRow("ImageNet Pretrained R50", "imagenet"),
        KeyedRow("DenseNet-161"),
        PIRL,
        KeyedRow("Guo et al."),
        PGCON,
        WINCON,
        *OURS,
    ),
    finetune=True,
    has_best=True,
)

VATS_TABLES: dict[str, VatsTable] = {table.name: table for table in (TABLE2, TABLE3, TABLE4)}
