"""The tables of Pascual et al. 2022: time-based self-supervised learning.

Open in the paper, so ours: without "resample" the sequences of a batch are from different studies; the fine-tuning of
SimCLR's row. In Table 3 the paper's rows Imagenet and TL_BA were trained by Laiz et al. 2020, in their way; here they
are fine-tuned like the other rows, so that rows differ in the start and the loss alone.
"""

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
    "pascual",
    "Table 1: sequences and window of time-based SSL",
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
    "pascual",
    "Table 2: layers of the projection head of time-based SSL",
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
    "pascual",
    "Table 3: polyp detection",
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
    "pascual",
    "Table 4: CAD-CAP, classification of images",
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
