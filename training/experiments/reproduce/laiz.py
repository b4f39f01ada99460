"""The tables and figures of Laiz et al. 2020: polyp detection with triplet based embeddings."""

from dataclasses import replace

from training.experiments.reproduce.pascual import DETECTION
from training.experiments.reproduce.tables import Row, Table, Training

ALL_SEVEN = ("accuracy", "sensitivity", "specificity", *DETECTION)
"""The columns of the paper's Tables 6 to 8."""
RESNET = Row("ResNet", Training("cross-entropy"))
TL_BH = Row("TL_BH", Training("tl-bh"), against=("ResNet",))
TL_BA = Row("TL_BA", Training("tl-ba"), against=("ResNet", "TL_BH"))

TABLE6 = Table(
    "laiz-table6",
    "laiz",
    "Table 6: polyp detection by method",
    ALL_SEVEN,
    (RESNET, Row("SSAEIM"), Row("UDCS"), Row("ANET"), TL_BH, TL_BA),
    ("ResNet is trained with cross-entropy that reaches the backbone.",),
)


def _layer(size: int) -> Row:
    return Row(f"layer of {size:,}", Training("tl-ba", settings={"embedding_layer": size}), against=("TL_BA",))


TABLE7 = Table(
    "laiz-table7",
    "laiz",
    "Table 7: an extra dense layer as embedding, by its size",
    ALL_SEVEN,
    (replace(TL_BA, against=()), *(_layer(size) for size in (128, 256, 512, 1024))),
    ("TL_BA has no extra layer: its embedding is the pooled one (2,048 values for a ResNet-50).",),
)


def _margin(margin: float) -> Row:
    against = () if margin == 0.2 else ("margin 0.2",)
    return Row(f"margin {margin}", Training("tl-ba", settings={"margin": margin}), against)


TABLE8 = Table(
    "laiz-table8",
    "laiz",
    "Table 8: margin of the triplet loss",
    ALL_SEVEN,
    tuple(_margin(margin) for margin in (0.1, 0.2, 0.5, 1.0)),
)

TABLE9 = Table(
    "laiz-table9",
    "laiz",
    "Table 9: findings detected, by size and morphology",
    ("findings",),
    (replace(TL_BA, against=()),),
    (
        "The paper's percentages are of 158 polyps; its Table 5 counts 165.",
        "A finding counts as detected when one of its frames passes the threshold of its fold; summed over the folds.",
    ),
)

FIGURE8 = Table(
    "laiz-figure8",
    "laiz",
    "Figure 8: share of findings detected against specificity",
    ("found_95", "found_90", "found_80"),
    (
        replace(TL_BA, against=()),
        Row("ours: ResNet", RESNET.training, is_ours=True),
        Row("ours: TL_BH", TL_BH.training, is_ours=True),
    ),
    (
        "The paper shows the curve of TL_BA alone; its three values are those of Table 9. The other rows are ours.",
        "The whole curves are in the JSON file.",
    ),
)

DEGREES = (1, 10, 25, 50, 100)
"""Normal frames for each frame with a polyp. The paper's text says six degrees, and lists these five."""


def degree_name(method: str, degree: int) -> str:
    """ "TL_BA, 25 to 1"."""
    return f"{method}, {degree} to 1"


def _degrees(method: str, finetuning: str) -> tuple[Row, ...]:
    against = ("ResNet",) if method == "TL_BA" else ()
    return tuple(
        Row(
            degree_name(method, degree),
            Training(finetuning, imbalance=degree),
            tuple(degree_name(other, degree) for other in against),
        )
        for degree in DEGREES
    )


FIGURE13 = Table(
    "laiz-figure13",
    "laiz",
    "Figure 13: trained and evaluated at each degree of imbalance",
    ("auc",),
    (*_degrees("ResNet", "cross-entropy"), *_degrees("TL_BA", "tl-ba")),
    (
        "d to 1: d normal frames for each frame with a finding, in training and evaluation alike, drawn anew for each "
        "repeat (the paper repeats ten times). Where a fold has too few normal frames for a degree, fewer frames with "
        "a finding are drawn (ours); the JSON file counts them.",
        "The paper draws its values as points, without numbers.",
    ),
    repeats=10,
)
