"""The tables of Pascual et al. 2022 (time-based self-supervised learning) and Laiz et al. 2020 (polyp detection).

Open in the paper, so ours: without "resample" the sequences of a batch are from different studies; the fine-tuning of
SimCLR's row. In Table 3 the paper's rows Imagenet and TL_BA were trained by Laiz et al. 2020, in their way; here they
are fine-tuned like the other rows, so that rows differ in the start and the loss alone.
"""

from dataclasses import replace

from training.experiments.reproduce.tables import Row, Table, Training

NOT_PATIENT_WISE = "The paper's folds of this table were not patient-wise; ours are."
DETECTION = ("auc", "sensitivity_at_95", "sensitivity_at_90", "sensitivity_at_80")
CALLED_OURS = 'The row Time-based SSL is the one that the paper calls "Ours".'
BEST_SEQUENCES = "N = 72, w = 9, 1 sequence a batch"


def _sequences(length: int, window: int, *, resample: bool = False) -> Row:
    """A batch of 72 frames in sequences of N, from different studies, or from one (the paper's "resample")."""
    sequences = 72 // length
    kind = "" if sequences == 1 else f", {'one study (resample)' if resample else 'different studies'}"
    settings = {
        "sequence_length": length,
        "sequences": sequences,
        "window": window,
        "sequence_source": "resample" if resample else "studies",
    }
    name = f"N = {length}, w = {window}, {sequences} sequence{'s' if sequences > 1 else ''} a batch{kind}"
    training = Training("tl-ba", pretrain="time-triplet", pretrain_settings=settings)
    return Row(name, training, against=() if name == BEST_SEQUENCES else (BEST_SEQUENCES,))


TABLE1 = Table(
    "pascual-table1",
    "Table 1: sequences and window of time-based SSL",
    "pascual",
    ("auc",),
    (
        _sequences(9, 3),
        _sequences(9, 3, resample=True),
        _sequences(9, 6),
        _sequences(9, 6, resample=True),
        _sequences(18, 3),
        _sequences(18, 6),
        _sequences(18, 6, resample=True),
        _sequences(18, 9),
        _sequences(18, 9, resample=True),
        _sequences(72, 6),
        _sequences(72, 9),
        _sequences(72, 18),
        _sequences(72, 32),
    ),
    (NOT_PATIENT_WISE,),
)


def _projection(layers: int, width: int) -> Row:
    """`layers` projection layers, each `width` wide."""
    name = f"{layers} x {width}" if layers else "no projection"
    training = Training("tl-ba", pretrain="time-triplet", pretrain_settings={"projection": (width,) * layers})
    return Row(name, training, against=() if name == "3 x 128" else ("3 x 128",))


TABLE2 = Table(
    "pascual-table2",
    "Table 2: layers of the projection head of time-based SSL",
    "pascual",
    ("auc",),
    tuple(_projection(layers, width) for layers, width in ((0, 0), (1, 128), (2, 128), (3, 128), (3, 256), (6, 128))),
    (NOT_PATIENT_WISE,),
)

IMAGENET = Row("Imagenet", Training("cross-entropy"))
SIMCLR = Row("SimCLR", Training("tl-ba", pretrain="simclr"), against=("Imagenet", "TL_BA"))
NO_SSL = Row("TL_BA", Training("tl-ba"), against=("Imagenet",))
TIME = Row("Time-based SSL", Training("tl-ba", pretrain="time-triplet"), against=("Imagenet", "TL_BA", "SimCLR"))

TABLE3 = Table(
    "pascual-table3",
    "Table 3: polyp detection",
    "pascual",
    DETECTION,
    (IMAGENET, SIMCLR, NO_SSL, TIME),
    (
        "Imagenet is trained with cross-entropy that reaches the backbone; TL_BA is the same start with the triplet "
        "loss, without pretraining. SimCLR's finetuning loss is not stated in the paper: ours is TL_BA's.",
        "The paper's figures of Imagenet and TL_BA are those of ResNet and TL_BA in Laiz et al. 2020, Table 6, trained "
        "as there (preset laiz). Here all rows are fine-tuned alike.",
        CALLED_OURS,
    ),
)

TABLE4 = Table(
    "pascual-table4",
    "Table 4: CAD-CAP, classification of images",
    "pascual",
    ("p0", "f1", "mcc"),
    (
        Row("ResNet", Training("tl-ba")),
        Row("Baseline 1"),
        Row("Baseline 6"),
        Row("Time-based SSL", Training("tl-ba", pretrain="time-triplet"), against=("ResNet",)),
        Row("Guo et al."),
    ),
    (
        "ResNet is the paper's architecture without the SSL step. Baseline 1, Baseline 6 and Guo et al. are systems of "
        "Guo et al., which the paper compares with.",
        CALLED_OURS,
        "The paper does not say how it divides its four parts; CAD-CAP names no patients (--set split=random).",
    ),
    is_binary=False,
    folds=4,
)


ALL_SEVEN = ("accuracy", "sensitivity", "specificity", *DETECTION)
"""The columns of the paper's Tables 6 to 8."""
RESNET = Row("ResNet", Training("cross-entropy"))
TL_BH = Row("TL_BH", Training("tl-bh"), against=("ResNet",))
TL_BA = Row("TL_BA", Training("tl-ba"), against=("ResNet", "TL_BH"))

TABLE6 = Table(
    "laiz-table6",
    "Table 6: polyp detection by method",
    "laiz",
    ALL_SEVEN,
    (RESNET, Row("SSAEIM"), Row("UDCS"), Row("ANET"), TL_BH, TL_BA),
    ("ResNet is trained with cross-entropy that reaches the backbone.",),
)


def _layer(size: int) -> Row:
    return Row(f"layer of {size:,}", Training("tl-ba", settings={"embedding_layer": size}), against=("TL_BA",))


TABLE7 = Table(
    "laiz-table7",
    "Table 7: an extra dense layer as embedding, by its size",
    "laiz",
    ALL_SEVEN,
    (replace(TL_BA, against=()), *(_layer(size) for size in (128, 256, 512, 1024))),
    ("TL_BA has no extra layer: its embedding is the pooled one (2,048 values for a ResNet-50).",),
)


def _margin(margin: float) -> Row:
    against = () if margin == 0.2 else ("margin 0.2",)
    return Row(f"margin {margin}", Training("tl-ba", settings={"margin": margin}), against)


TABLE8 = Table(
    "laiz-table8",
    "Table 8: margin of the triplet loss",
    "laiz",
    ALL_SEVEN,
    tuple(_margin(margin) for margin in (0.1, 0.2, 0.5, 1.0)),
)

TABLE9 = Table(
    "laiz-table9",
    "Table 9: findings detected, by size and morphology",
    "laiz",
    ("findings",),
    (replace(TL_BA, against=()),),
    (
        "The paper's percentages are of 158 polyps; its Table 5 counts 165.",
        "A finding counts as detected when one of its frames passes the threshold of its fold; summed over the folds.",
    ),
)

FIGURE8 = Table(
    "laiz-figure8",
    "Figure 8: share of findings detected against specificity",
    "laiz",
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


def _degrees(method: str, finetuning: str, *against: str) -> tuple[Row, ...]:
    return tuple(
        Row(
            f"{method}, {degree} to 1",
            Training(finetuning, imbalance=degree),
            tuple(f"{other}, {degree} to 1" for other in against),
        )
        for degree in DEGREES
    )


FIGURE13 = Table(
    "laiz-figure13",
    "Figure 13: trained and evaluated at each degree of imbalance",
    "laiz",
    ("auc",),
    (*_degrees("ResNet", "cross-entropy"), *_degrees("TL_BA", "tl-ba", "ResNet")),
    (
        "d to 1: d normal frames for each frame with a finding, in training and evaluation alike, drawn anew for each "
        "repeat (the paper repeats ten times). Where a fold has too few normal frames for a degree, fewer frames with "
        "a finding are drawn (ours); the JSON file counts them.",
        "The paper draws its values as points, without numbers.",
    ),
    repeats=10,
)

TABLES: dict[str, Table] = {
    table.name: table for table in (TABLE1, TABLE2, TABLE3, TABLE4, TABLE6, TABLE7, TABLE8, TABLE9, FIGURE8, FIGURE13)
}
