"""The tables of Intrator et al. 2023 (re-identification of polyps): rows, figures, and what each budget may cost."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from training.experiments.reproduce import budgets, data
from training.experiments.reproduce.tables import KeyedRow, PaperTable, random_name
from training.models.backbones import DEFAULT_BACKBONE
from training.reidentification import byte_track, config, fragmentation
from training.reidentification.config import TrackletFilter

TITLE = "Intrator et al. 2023, Self-Supervised Polyp Re-Identification in Colonoscopy (MICCAI)"
PROTOCOL = 3
"""Part of every cell's key: raised when a demonstrated defect, with the test that shows it, changes the protocol. 2:
another phantom, tracklets of ByteTrack, and crops without what lies outside the field of view. 3: 8 views of each
tracklet, not of each of its parts."""

INTERVAL = "AUROC, 95 % interval"
JOINED = "share of different pairs joined"
LESS = "AUROC of the joint embedding less this, 95 % interval"
GAIN = "FR of tracking less this, 95 % interval"
VOTE_GAIN = "AUC less that of tracking, 95 % interval"
"""Figures that are ours."""
ANNOTATION, TRACKING, HISTOGRAM, LITE0 = "annotation", "tracking", "histogram", "lite0"
REDNESS, TIME, CHANCE = "redness", "time", "chance"
"""Keys of rows that no encoder of ours is trained for."""
UNTRAINED = (ANNOTATION, TRACKING, HISTOGRAM, LITE0, REDNESS, TIME, CHANCE)


BYTE_TRACK = byte_track.TrackerSettings()
AT_LEAST_FIVE = TrackletFilter(shortest_seconds=0.0, fewest_detections=5, longest_only=False)
"""Ours: the tracker's shortest tracklets show next to nothing."""


@dataclass(frozen=True)
class IntratorTable(PaperTable):
    """One table of the paper."""

    figures: Mapping[str, str]
    """The paper's name of a figure -> its name in `reidentification`."""
    rows: tuple[KeyedRow, ...]
    """Their keys are techniques of `reidentification.matching`, or of `UNTRAINED`."""
    ours: tuple[str, ...] = ()
    """Figures that the paper does not have."""
    kind: Literal["pairs", "fragments", "classes", "votes"] = "pairs"
    """What is evaluated: pairs of tracklets, fragments of findings, those by class, or votes of a classifier."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class IntratorBudget(data.PhantomBudget):
    """What a reproduction may cost; the outside patients train, the labelled ones are evaluated."""

    backbone: str
    crop_px: int
    encoders: config.EncoderTraining
    kept: TrackletFilter
    """Which tracklets train."""
    classifier: fragmentation.ClassifierTraining
    compared_views: int = 8
    """Views of an evaluated tracklet that the multi-view encoder takes (ours: the paper states none)."""
    end_to_end: bool = True
    """Whether the multi-view encoder trains on the single-frame encoder, as the paper's; else it takes its embeddings
    as they are, which a processor can afford."""
    evaluated: TrackletFilter = AT_LEAST_FIVE
    """Which tracklets are evaluated."""
    tracker: byte_track.TrackerSettings = BYTE_TRACK
    context: float = 1.3
    """Side of a crop, as a multiple of its box's longer side (ours: the paper does not say what is cropped)."""


GAINS = f"{GAIN}: as in Table 1, with the groups as they are."
TABLE1 = IntratorTable(
    "intrator-table1",
    "Table 1: accuracy of re-identification by technique",
    {"AUROC": "auroc", "AUPRC": "auprc"},
    (
        KeyedRow("single-frame Min", "min"),
        KeyedRow("single-frame Max", "max"),
        KeyedRow("single-frame Mean", "mean"),
        KeyedRow("multi-view Averaging", "averaging"),
        KeyedRow("multi-view Joint Embedding", "joint"),
        KeyedRow("ours: colour histogram", HISTOGRAM, is_ours=True),
        KeyedRow("ours: ImageNet Lite0, averaging", LITE0, is_ours=True),
        KeyedRow("ours: redness", REDNESS, is_ours=True),
        KeyedRow("ours: time between them", TIME, is_ours=True),
        KeyedRow("ours: chance", CHANCE, is_ours=True),
    ),
    (INTERVAL, LESS),
    notes=(
        "Min, Max and Mean are of distances, one less the cosine: Min takes the two most alike frames.",
        "The rows colour histogram, ImageNet Lite0, redness and time need no tracklets to train. Where colours are as "
        "good as the encoders, they alone distinguish the findings. The time between two tracklets says how soon the "
        "capsule sees a lesion again; no encoder knows it.",
        "Intervals: percentiles over 1,000 draws of whole procedures, of the mean over the seeds.",
    ),
)
TABLE2 = IntratorTable(
    "intrator-table2",
    "Table 2: fragmentation rate before and after re-identification",
    {"FR": "rate", "FR STD": "deviation", "Fragmented Polyps Ratio": "fragmented_share"},
    (
        KeyedRow("Tracking", TRACKING),
        KeyedRow("Tracking and ReID", "joint"),
        KeyedRow("ours: Tracking and colour histogram", HISTOGRAM, is_ours=True),
        KeyedRow("ours: Tracking and ImageNet Lite0", LITE0, is_ours=True),
    ),
    (GAIN, JOINED),
    "fragments",
    (
        "ReID is the joint embedding. It joins at the distance below which 5 % of the evaluated pairs of different "
        "findings lie. The paper does not say on which pairs it fixed that distance; on the evaluated ones it is "
        "optimistic.",
        "Pairs become groups by average linkage (ours: the paper states no rule), so more or fewer than 5 % of the "
        f"pairs of different findings end in one group: {JOINED!r}.",
        GAINS,
    ),
)
GROUPINGS = (
    KeyedRow("Annotation", ANNOTATION),
    KeyedRow("Tracking", TRACKING),
    KeyedRow("ReID", "joint"),
    KeyedRow("ours: colour histogram", HISTOGRAM, is_ours=True),
    KeyedRow("ours: ImageNet Lite0", LITE0, is_ours=True),
)
TABLE3 = IntratorTable(
    "intrator-table3",
    "Table 3: tracklets and fragmentation rate by class and by what groups the frames",
    {
        "Tracklets": "tracklets",
        "FR": "rate",
        "Adenoma": "positive tracklets",
        "Adenoma FR": "positive rate",
        "Non-Adenoma": "negative tracklets",
        "Non-Adenoma FR": "negative rate",
    },
    GROUPINGS,
    (GAIN,),
    "classes",
    (
        "ReID joins as in Table 2. The paper counts on the test set of its classifier, ours is that of Tables 1 and 2.",
        GAINS,
    ),
)
TABLE4 = IntratorTable(
    "intrator-table4",
    "Table 4: classification of findings by what groups the frames",
    {
        "AUC": "auc",
        "F1 (Macro)": "f1_macro",
        "F1 (Micro)": "f1_micro",
        "Sensitivity @ Specificity=0.9": "sensitivity_at_90",
    },
    GROUPINGS,
    (VOTE_GAIN,),
    "votes",
    (
        "Votes are the mean of the frames' scores, evaluated for each fragment, which has its finding's class. F1 at a "
        "score of 0.5 (ours).",
        "The classifier is the trunk of EfficientNet-Lite0 from ImageNet weights with an MLP and a sigmoid; the "
        "paper's a MobileNet with 2.4 M parameters. It is trained on the tracklets of the other patients.",
        f"{VOTE_GAIN}: as in Table 1.",
    ),
)
INTRATOR_TABLES: dict[str, IntratorTable] = {table.name: table for table in (TABLE1, TABLE2, TABLE3, TABLE4)}

# Ours: LARS is for batches of thousands. These have some twenty tracklets, and few steps.
ADAMW: Mapping[str, Any] = {"optimizer": "adamw", "learning_rate": 3e-4}
ALL_TRACKLETS = AT_LEAST_FIVE
TRACKLETS: Mapping[str, Any] = {"frames_per_second": 5, "speed": 0.5, "alike": True, "places": True, "turns": 5}
"""Lesions stay in view for many frames, come back some times, many of them late, and have the same colours."""

SMOKE = IntratorBudget(
    name="smoke",
    backbone=DEFAULT_BACKBONE,
    crop_px=64,
    phantom=data.PhantomSet(8, 300, 10, 200, size_px=96, positive_share=0.5, **TRACKLETS),
    seeds=1,
    encoders=config.EncoderTraining(procedures=10, frame_steps=30, tracklet_steps=15, **ADAMW),
    kept=ALL_TRACKLETS,
    classifier=fragmentation.ClassifierTraining(epochs=1),
    is_comparison=False,
)
SMALL = IntratorBudget(
    name="small",
    backbone=DEFAULT_BACKBONE,
    crop_px=64,
    phantom=data.PhantomSet(24, 600, 48, 400, size_px=160, positive_share=0.5, **TRACKLETS),
    seeds=3,
    encoders=config.EncoderTraining(procedures=32, frame_steps=200, tracklet_steps=300, **ADAMW),
    kept=ALL_TRACKLETS,
    classifier=fragmentation.ClassifierTraining(epochs=2, most_frames=8),
    end_to_end=False,
)
PAPER = IntratorBudget(
    name="paper",
    backbone=config.RESNET50_V2,
    crop_px=96,
    phantom=data.PhantomSet(80, 3000, 400, 2000, size_px=256, positive_share=0.5, **TRACKLETS),
    seeds=3,
    encoders=config.EncoderTraining(),
    kept=TrackletFilter(),
    classifier=fragmentation.ClassifierTraining(),
)
INTRATOR_BUDGETS: dict[str, IntratorBudget] = {budget.name: budget for budget in (SMOKE, SMALL, PAPER)}


def rows_of(table: IntratorTable, *, weights_there: bool) -> tuple[KeyedRow, ...]:
    """The rows; without ImageNet weights a trained row is empty, and a twin of ours starts from random weights."""
    rows: list[KeyedRow] = []
    for row in table.rows:
        if weights_there or row.is_ours or (row.key in UNTRAINED and table.kind != "votes"):
            rows.append(row)
        else:
            rows += [replace(row, key=""), KeyedRow(random_name(row.name), row.key, is_ours=True)]
    return tuple(rows)


def departures(budget: IntratorBudget, boxes: str = "the phantom's") -> tuple[str, ...]:
    """What a budget does otherwise than the paper, in sentences; `boxes`: whose, such as "the phantom's"."""
    sentences = [
        f"The detector's boxes are {boxes}; ByteTrack joins them to tracklets. Crops are "
        f"{budget.crop_px} px wide, squares of {budget.context:g} times the box's longer side.",
    ]
    if budget.kept.fewest_detections != TrackletFilter().fewest_detections:
        sentences.append(
            f"Tracklets of at least {budget.kept.fewest_detections} detections train, not of 15 in at least 1 s, so "
            "that there are more of them."
        )
    if not budget.kept.longest_only:
        sentences.append(
            "All tracklets of a procedure train, not the longest one alone, because there are few procedures; a batch "
            "has one tracklet of each procedure, as in the paper."
        )
    if not budget.end_to_end:
        sentences.append(
            "The multi-view encoder is trained on the embeddings of the finished single-frame encoder, which is not "
            "trained on with it."
        )
    changed = budgets.changed_settings(budget.encoders.model_dump(), config.EncoderTraining().model_dump(), {"seed"})
    if budget.classifier.epochs != (epochs := fragmentation.ClassifierTraining().epochs):
        changed.append(f"classifier's epochs {budget.classifier.epochs} ({epochs})")
    if budget.classifier.most_frames is not None:
        changed.append(f"frames of a tracklet that train the classifier {budget.classifier.most_frames} (all)")
    if budget.backbone != config.RESNET50_V2:
        changed.insert(0, f"backbone {budget.backbone} ({config.RESNET50_V2})")
    if changed:
        sentences.append(f"Settings that differ from the paper's (in brackets): {', '.join(changed)}.")
    return tuple(sentences)
