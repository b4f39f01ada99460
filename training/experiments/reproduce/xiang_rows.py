"""The tables of Xiang et al. 2023 (Colo-SCRL, retrieval of clips): rows, figures, and what each budget may cost."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from training.experiments.reproduce import budgets, data
from training.experiments.reproduce.tables import KeyedRow, PaperTable, random_name
from training.models.clip_config import ClipEncoderConfig
from training.retrieval.paired_clips import ClipSettings

TITLE = (
    "Xiang et al. 2023, Colo-SCRL: Self-Supervised Contrastive Representation Learning for Colonoscopic Video Retrieval"
)
PROTOCOL = 3
"""Part of every cell's key: raised when a demonstrated defect, with the test that shows it, changes the protocol.

3: the random start is VideoMAE's (`test_starts_as_videomae`). 2: crops are cut from frames with more pixels
(`test_crops_are_cut_from_frames_with_more_pixels`), and VideoMAE's course is the published one
(`test_clips_and_course_are_those_of_the_published_code`)."""

TrainOn = Literal["others", "same"]
FIGURES: Mapping[str, str] = {"R@1 (%)": "R@1", "R@5 (%)": "R@5", "R@10 (%)": "R@10", "mAP": "mAP"}
"""The paper's name of a figure -> its name in `metrics.retrieval`."""
INTERVAL = "mAP, 95 % interval"
"""A figure that is ours."""

RANDOM, MAE, CRL, MAE_CRL = "random", "mae", "crl", "mae-crl"
TRAINED = (RANDOM, MAE, CRL, MAE_CRL)
"""Keys of rows with an encoder; RANDOM is not trained at all."""
TIME, COLOUR, HISTOGRAM, REDNESS, LITE0, CHANCE = "time", "colour-mean", "histogram", "redness", "lite0", "chance"
"""Keys of rows without learning from clips."""
ABSENT, NOT_BUILT = "weights absent", "not implemented"
"""Why a row of the paper has no figure of ours."""


@dataclass(frozen=True)
class XiangTable(PaperTable):
    """One table of the paper."""

    rows: tuple[KeyedRow, ...]
    """Their keys are those above; of a row that is not computed, why."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class XiangBudget(data.PhantomBudget):
    """What a reproduction may cost; the labelled patients of its phantom have two passes and are evaluated."""

    encoder: ClipEncoderConfig
    clips: ClipSettings
    """Which clips are searched; `length` is the encoder's, times `frame_step`."""
    frame_step: int = 1
    """The encoder sees every so many frames of a clip: all of a phantom, which has 5 or 10 a second."""
    mae: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the pretraining `videomae`."""
    crl: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the pretraining `colo-scrl`."""


def _from_random(name: str, key: str) -> tuple[KeyedRow, KeyedRow]:
    """The paper's row, which starts from UCF-101, and its twin of ours from random weights."""
    return KeyedRow(name, ABSENT), KeyedRow(random_name(name), key, is_ours=True)


BASELINES = (
    KeyedRow("ours: ImageNet Lite0, mean of frames", LITE0, is_ours=True),
    KeyedRow("ours: colour histogram", HISTOGRAM, is_ours=True),
    KeyedRow("ours: mean colour", COLOUR, is_ours=True),
    KeyedRow("ours: redness", REDNESS, is_ours=True),
    KeyedRow("ours: time in the study", TIME, is_ours=True),
    KeyedRow("ours: chance", CHANCE, is_ours=True),
)
SAID = (
    "R@k is the share of the queries with a relevant clip among the first k, mAP the mean of the average precision. "
    "Clips of the same similarity count as the mean over all their orders.",
    "Chance: what a random order of each query's gallery reaches on average, in closed form. Gallery and relevant: "
    "clips to search, and relevant ones among them, means over the queries.",
    "The rows from ImageNet Lite0 on learn nothing from clips. Where they are as good as an encoder, colour (or time) "
    "alone finds the lesions, and the encoder shows no benefit.",
    "The paper's rows start from a ViT trained on UCF-101, whose weights are not at hand; ours start from random "
    "weights.",
    f"{INTERVAL}: percentiles over 1,000 draws of whole patients, of the mean over the seeds.",
)
OTHERS = ("ViSiL", "CoCLR", "TCA", "ViT", "CVRL", "CgSc", "FgAttS", "FgBinS")
TABLE2 = XiangTable(
    "xiang-table2",
    "Table II: comparison with other methods",
    (
        *(KeyedRow(name, ABSENT if name == "ViT" else NOT_BUILT) for name in OTHERS),
        *_from_random("Colo-SCRL", MAE_CRL),
        *BASELINES,
    ),
    SAID,
)
TABLE3 = XiangTable(
    "xiang-table3",
    "Table III: ablation of VideoMAE (MAE) and contrastive learning (CRL)",
    (
        *_from_random("BL", RANDOM),
        *_from_random("BL+MAE", MAE),
        *_from_random("BL+CRL", CRL),
        *_from_random("BL+MAE+CRL", MAE_CRL),
        *BASELINES,
    ),
    (
        *SAID,
        "The paper's R@1 are 6, 10, 12 and 14 of 62 queries, so its own order may be chance.",
    ),
)
VIDEOMAE_STEP = 4
"""Of videos of 25 frames a second."""
XIANG_TABLES: dict[str, XiangTable] = {table.name: table for table in (TABLE2, TABLE3)}

# Ours: sizes for two cores and few steps; queue and momentum are those of the methods' preset for such a course. Colour
# changes, turns and rate were chosen on ten other patients (seed 71); six ways differed less than chance does.
READ_ONCE = {"workers": 0, "keep_decoded_gb": 1.0, "checkpoints_kept": 1}
GENTLE = {"brightness": 0.1, "contrast": 0.1, "saturation": 0.1, "hue": 0.02, "rotations": "free", "least_area": 0.3}
PASSES: Mapping[str, Any] = {"passes": 2, "frames_per_second": 10, "alike": True, "places": True}
"""Texture shows the place; colour and time do so hardly."""
SMALL_ENCODER = ClipEncoderConfig(frames=8, input_size=32, cube_size=8, width=32, blocks=2, heads=2)
SMOKE = XiangBudget(
    name="smoke",
    phantom=data.PhantomSet(6, 120, 6, 120, size_px=96, positive_share=0.3, **PASSES),
    seeds=1,
    encoder=ClipEncoderConfig(frames=4, input_size=32, cube_size=8, width=32, blocks=2, heads=2),
    clips=ClipSettings(length=4, stride=2, fewest_shown=2),
    mae={"preset": "smoke", "steps": 20},
    crl={"preset": "smoke", "steps": 20},
    is_comparison=False,
)
SMALL = XiangBudget(
    name="small",
    phantom=data.PhantomSet(16, 400, 24, 400, size_px=64, positive_share=0.3, **{**PASSES, "frames_per_second": 5}),
    seeds=3,
    encoder=SMALL_ENCODER,
    clips=ClipSettings(length=8, stride=4),
    mae={"preset": "small", "steps": 250, "evaluations": 1, **READ_ONCE},
    crl={"preset": "small", "steps": 250, "evaluations": 5, "validation_clips": 32, **GENTLE, **READ_ONCE},
)
PAPER = XiangBudget(
    name="paper",
    phantom=data.PhantomSet(30, 3000, 60, 3000, size_px=256, positive_share=0.1, **PASSES),
    seeds=3,
    encoder=ClipEncoderConfig(),
    clips=ClipSettings(),
)
XIANG_BUDGETS: dict[str, XiangBudget] = {budget.name: budget for budget in (SMOKE, SMALL, PAPER)}


def departures(budget: XiangBudget, train_on: TrainOn) -> tuple[str, ...]:
    """What a budget does otherwise than the paper, in sentences."""
    where = (
        "Both stages train on other patients than those that are evaluated."
        if train_on == "others"
        else "Both stages train, without labels, on the studies that are evaluated, as the paper's do."
    )
    sentences = [f"{where} The paper trains and evaluates on the same data set, and names no patients held out."]
    if sizes := budgets.changed_settings(budget.encoder.model_dump(), ClipEncoderConfig().model_dump()):
        sentences.append(
            f"Sizes that differ from VideoMAE's, which the paper follows (in brackets): {', '.join(sizes)}."
        )
    for stage, settings in (("VideoMAE", budget.mae), ("contrastive learning", budget.crl)):
        text = ", ".join(f"{name} {value}" for name, value in settings.items() if name not in READ_ONCE)
        if text:
            sentences.append(f"Settings of {stage}: {text}.")
    return tuple(sentences)
