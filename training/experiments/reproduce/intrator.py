"""The tables of Intrator et al. 2023 (re-identification of polyps): rows, figures, and what each budget may cost."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from training.experiments.reproduce.phantom_set import PhantomSet
from training.experiments.reproduce.tables import random_name
from training.models.backbones import DEFAULT_BACKBONE
from training.reidentification.config import RESNET50_V2, EncoderTraining
from training.reidentification.filtering import CAPSULE, TrackletFilter

TITLE = "Intrator et al. 2023, Self-Supervised Polyp Re-Identification in Colonoscopy (MICCAI)"
PROTOCOL = 1
"""Part of every cell's key: raised when a demonstrated defect, with the test that shows it, changes the protocol."""

INTERVAL = "AUROC, 95 % interval"
JOINED = "share of different pairs joined"
"""Figures that are ours."""
TRACKING, HISTOGRAM, LITE0, REDNESS, CHANCE = "tracking", "histogram", "lite0", "redness", "chance"
"""Keys of rows that no encoder of ours is trained for."""
UNTRAINED = (TRACKING, HISTOGRAM, LITE0, REDNESS, CHANCE)


@dataclass(frozen=True)
class IntratorRow:
    """One row of a table."""

    name: str
    """As the paper calls it; rows that are ours begin with "ours"."""
    key: str
    """What is computed: a technique of `reidentification.matching`, or one of `UNTRAINED`; "" for nothing."""
    is_ours: bool = False


@dataclass(frozen=True)
class IntratorTable:
    """One table of the paper."""

    name: str
    title: str
    figures: Mapping[str, str]
    """The paper's name of a figure -> its name in `reidentification`."""
    rows: tuple[IntratorRow, ...]
    ours: tuple[str, ...] = ()
    """Figures that the paper does not have."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class IntratorBudget:
    """What a reproduction may cost."""

    name: str
    backbone: str
    crop_px: int
    phantom: PhantomSet
    """The outside patients train, the labelled ones are evaluated: nobody is in both."""
    seeds: int
    encoders: EncoderTraining
    kept: TrackletFilter
    """Which tracklets train."""
    context: float = 1.5
    """Side of a crop, as a multiple of its box's longer side (ours: the paper does not say what is cropped)."""
    is_comparison: bool = True


TABLE1 = IntratorTable(
    "intrator-table1",
    "Table 1: accuracy of re-identification by technique",
    {"AUROC": "auroc", "AUPRC": "auprc"},
    (
        IntratorRow("single-frame Min", "min"),
        IntratorRow("single-frame Max", "max"),
        IntratorRow("single-frame Mean", "mean"),
        IntratorRow("multi-view Averaging", "averaging"),
        IntratorRow("multi-view Joint Embedding", "joint"),
        IntratorRow("ours: colour histogram", HISTOGRAM, is_ours=True),
        IntratorRow("ours: ImageNet Lite0, averaging", LITE0, is_ours=True),
        IntratorRow("ours: redness", REDNESS, is_ours=True),
        IntratorRow("ours: chance", CHANCE, is_ours=True),
    ),
    (INTERVAL,),
    (
        "Min, Max and Mean are of distances, one less the cosine: Min takes the two most alike frames.",
        "The rows colour histogram, ImageNet Lite0 and redness need no tracklets to train. Where they are as good as "
        "the encoders, colour alone distinguishes the findings, and the encoders show no benefit.",
        f"{INTERVAL}: percentiles over 1,000 draws of whole procedures, of the mean over the seeds.",
    ),
)
TABLE2 = IntratorTable(
    "intrator-table2",
    "Table 2: fragmentation rate before and after re-identification",
    {"FR": "rate", "FR STD": "deviation", "Fragmented Polyps Ratio": "fragmented_share"},
    (
        IntratorRow("Tracking", TRACKING),
        IntratorRow("Tracking and ReID", "joint"),
        IntratorRow("ours: Tracking and colour histogram", HISTOGRAM, is_ours=True),
        IntratorRow("ours: Tracking and ImageNet Lite0", LITE0, is_ours=True),
    ),
    (JOINED,),
    (
        "ReID is the joint embedding. It joins at the distance below which 5 % of the evaluated pairs of different "
        "findings lie. The paper does not say on which pairs it fixed that distance; on the evaluated ones it is "
        "optimistic.",
        "Pairs become groups by average linkage (ours: the paper states no rule), so more or fewer than 5 % of the "
        f"pairs of different findings end in one group: {JOINED!r}.",
    ),
)
INTRATOR_TABLES: dict[str, IntratorTable] = {table.name: table for table in (TABLE1, TABLE2)}

# Ours: LARS is for batches of thousands. These have some twenty tracklets, and few steps.
ADAMW: Mapping[str, Any] = {"optimizer": "adamw", "learning_rate": 3e-4, "views": 4}
ALL_TRACKLETS = CAPSULE.model_copy(update={"longest_only": False})

SMOKE = IntratorBudget(
    "smoke",
    DEFAULT_BACKBONE,
    64,
    PhantomSet(10, 200, 16, 150, size_px=128, positive_share=0.35),
    seeds=1,
    encoders=EncoderTraining(procedures=12, frame_steps=40, tracklet_steps=20, **ADAMW),
    kept=ALL_TRACKLETS,
    is_comparison=False,
)
SMALL = IntratorBudget(
    "small",
    DEFAULT_BACKBONE,
    64,
    PhantomSet(20, 300, 48, 300, size_px=160, positive_share=0.35),
    seeds=3,
    encoders=EncoderTraining(procedures=32, frame_steps=300, tracklet_steps=200, **ADAMW),
    kept=ALL_TRACKLETS,
)
PAPER = IntratorBudget(
    "paper",
    RESNET50_V2,
    96,
    PhantomSet(60, 1000, 140, 1000, size_px=256, positive_share=0.2),
    seeds=3,
    encoders=EncoderTraining(),
    kept=CAPSULE,
)
INTRATOR_BUDGETS: dict[str, IntratorBudget] = {budget.name: budget for budget in (SMOKE, SMALL, PAPER)}


def rows_of(table: IntratorTable, *, weights_there: bool) -> tuple[IntratorRow, ...]:
    """The rows; without ImageNet weights a trained row is empty, and a twin of ours starts from random weights."""
    rows: list[IntratorRow] = []
    for row in table.rows:
        if weights_there or row.key in UNTRAINED:
            rows.append(row)
        else:
            rows += [replace(row, key=""), IntratorRow(random_name(row.name), row.key, is_ours=True)]
    return tuple(rows)


def departures(budget: IntratorBudget) -> tuple[str, ...]:
    """What a budget does otherwise than the paper, in sentences."""
    ours, theirs = budget.encoders, EncoderTraining()
    sentences = [
        f"The detector's boxes are the phantom's, and a tracklet is a visit: successive frames of one finding. Crops "
        f"are {budget.crop_px} px wide, squares of {budget.context:g} times the box's longer side.",
        f"Tracklets of at least {budget.kept.fewest_detections} detections train, not of 15 in at least 1 s: a capsule "
        "of 2 frames a second sees a finding in some five frames.",
    ]
    if not budget.kept.longest_only:
        sentences.append(
            "All tracklets of a procedure train, not the longest one alone, because there are few procedures; a batch "
            "has one tracklet of each procedure, as in the paper."
        )
    changed = [
        f"{name} {getattr(ours, name)} ({value})"
        for name, value in theirs.model_dump().items()
        if name != "seed" and getattr(ours, name) != value
    ]
    if budget.backbone != RESNET50_V2:
        changed.insert(0, f"backbone {budget.backbone} ({RESNET50_V2})")
    if changed:
        sentences.append(f"Settings that differ from the paper's (in brackets): {', '.join(changed)}.")
    return tuple(sentences)
