"""The tables of Pascual et al. 2022: time-based self-supervised learning."""

from training.experiments.reproduce.tables import Row, Table, Training

NOT_PATIENT_WISE = "The paper's folds of this table were not patient-wise; ours are."
LAYOUT_OURS = "The paper's table was not available: the rows are our choice, based on what is known of its settings."
DETECTION = ("auc", "sensitivity_at_95", "sensitivity_at_90", "sensitivity_at_80")


def _sequences(length: int, sequences: int, window: int, source: str = "studies") -> Row:
    kind = "" if sequences == 1 else f", {'one study (resample)' if source == 'resample' else 'different studies'}"
    settings = {
        "sequence_length": length,
        "sequences": sequences,
        "window": window,
        "sequence_source": source,
    }
    name = f"N = {length}, w = {window}, {sequences} sequence{'s' if sequences > 1 else ''} a batch{kind}"
    training = Training("tl-ba", pretrain="time-triplet", pretrain_settings=settings)
    return Row(name, training, against=() if sequences == 1 else (DEFAULT,))


DEFAULT = "N = 72, w = 9, 1 sequence a batch"

TABLE1 = Table(
    "pascual-table1",
    "pascual",
    "Table 1: composition of the batches of time-based SSL",
    DETECTION,
    (
        _sequences(72, 1, 9),
        _sequences(18, 4, 3),
        _sequences(18, 4, 3, "resample"),
        _sequences(9, 8, 3),
        _sequences(9, 8, 3, "resample"),
    ),
    (NOT_PATIENT_WISE, LAYOUT_OURS),
)


def _window(window: int, margin: float) -> Row:
    name = f"w = {window}, margin {margin}"
    training = Training("tl-ba", pretrain="time-triplet", pretrain_settings={"window": window, "margin": margin})
    return Row(name, training, against=() if (window, margin) == (9, 0.2) else ("w = 9, margin 0.2",))


TABLE2 = Table(
    "pascual-table2",
    "pascual",
    "Table 2: settings of time-based SSL",
    DETECTION,
    (_window(9, 0.2), _window(3, 0.2), _window(5, 0.2), _window(9, 0.5), _window(9, 1.0)),
    (NOT_PATIENT_WISE, LAYOUT_OURS),
)

IMAGENET = Row("Imagenet", Training("cross-entropy"))
WITHOUT_SSL = "ours: TL_BA without SSL"
NO_SSL = Row(WITHOUT_SSL, Training("tl-ba"), against=("Imagenet",), is_ours=True)
SIMCLR = Row("SimCLR", Training("tl-ba", pretrain="simclr"), against=("Imagenet", WITHOUT_SSL))
TIME = Row("Time-based SSL", Training("tl-ba", pretrain="time-triplet"), against=("Imagenet", WITHOUT_SSL, "SimCLR"))

TABLE3 = Table(
    "pascual-table3",
    "pascual",
    "Table 3: polyp detection",
    DETECTION,
    (IMAGENET, NO_SSL, SIMCLR, TIME),
    (
        "Imagenet is trained with cross-entropy that reaches the backbone. SimCLR's finetuning loss is not stated in "
        "the paper: ours is TL_BA's.",
    ),
)

TABLE4 = Table(
    "pascual-table4",
    "pascual",
    "Table 4: CAD-CAP, classification of images",
    ("p0", "f1", "mcc"),
    (
        Row("ANET"),
        Row("Guo"),
        Row("their baselines"),
        Row("ResNet", Training("tl-ba")),
        Row("Time-based SSL", Training("tl-ba", pretrain="time-triplet"), against=("ResNet",)),
    ),
    (
        NOT_PATIENT_WISE,
        "ResNet is the paper's architecture without the SSL step.",
    ),
)
