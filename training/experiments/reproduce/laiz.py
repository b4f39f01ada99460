"""The tables and figures of Laiz et al. 2020: polyp detection with triplet based embeddings."""

from dataclasses import replace

from training.experiments.reproduce.pascual import DETECTION, LAYOUT_OURS
from training.experiments.reproduce.tables import Row, Table, Training

RESNET = Row("ResNet", Training("cross-entropy"))
TL_BH = Row("TL_BH", Training("tl-bh"), against=("ResNet",))
TL_BA = Row("TL_BA", Training("tl-ba"), against=("ResNet", "TL_BH"))
METHODS = (RESNET, TL_BH, TL_BA)

TABLE6 = Table(
    "laiz-table6",
    "laiz",
    "Table 6: polyp detection by method",
    DETECTION,
    METHODS,
    ("ResNet is trained with cross-entropy that reaches the backbone.",),
)

TABLE7 = Table(
    "laiz-table7",
    "laiz",
    "Table 7: comparison with other systems",
    ("accuracy", "sensitivity", "specificity"),
    (Row("SSAEIM"), Row("UDCS"), Row("their baselines"), RESNET, replace(TL_BA, against=("ResNet",))),
    (LAYOUT_OURS,),
)


def _variant(name: str, **settings: object) -> Row:
    return Row(name, Training("tl-ba", settings=settings), against=("no layer, margin 0.2",) if settings else ())


TABLE8 = Table(
    "laiz-table8",
    "laiz",
    "Table 8: size of an extra embedding layer, and margin",
    DETECTION,
    (
        _variant("no layer, margin 0.2"),
        *(_variant(f"layer of {size:,}, margin 0.2", embedding_layer=size) for size in (128, 256, 512, 1024)),
        *(_variant(f"no layer, margin {margin}", margin=margin) for margin in (0.1, 0.5, 1.0)),
    ),
    (LAYOUT_OURS,),
)

TABLE9 = Table(
    "laiz-table9",
    "laiz",
    "Table 9: findings detected, by size and morphology",
    ("findings",),
    (replace(TL_BA, against=()),),
    (
        "The paper's rows count 158 polyps, its Table 5 counts 165.",
        "A finding counts as detected when one of its frames passes the threshold of its fold; summed over the folds.",
    ),
)

FIGURE8 = Table(
    "laiz-figure8",
    "laiz",
    "Figure 8: share of findings detected against specificity",
    ("found_95", "found_90", "found_80"),
    METHODS,
    ("The whole curves are in the JSON file.",),
)

FIGURE13 = Table(
    "laiz-figure13",
    "laiz",
    "Figure 13: degrees of imbalance",
    tuple(f"imbalance_{degree}" for degree in (1, 10, 25, 50, 100)),
    METHODS,
    ("Degree d: d normal frames per frame with a finding; frames drawn ten times.",),
)
