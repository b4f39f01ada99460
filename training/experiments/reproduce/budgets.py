"""What a reproduction may cost: network, steps, folds, phantom; frozen before the first comparison."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from training.experiments.engine import FEWEST_STEPS, refuse_short
from training.experiments.reproduce.data import PhantomBudget, PhantomSet
from training.experiments.reproduce.tables import Paper, Table
from training.finetuning.config import FinetuneConfig, finetune_config
from training.models.backbones import DEFAULT_BACKBONE
from training.pretraining.config import PretrainConfig, pretrain_config

PROTOCOL = 3
"""Part of every result's key: raised when a demonstrated defect, with the test that shows it, changes the protocol.

3: `small` starts from ImageNet weights, as the papers do, and scales embeddings to unit length for the triplet losses
of fine-tunings; before, it started from random weights, and such short trainings ended before the triplet losses had
done more than to shrink the embedding (`test_the_small_budget_starts_as_the_papers_do`). 2: binary tables train one
class against normal, and `small` has the papers' share of positives in a batch; before, each kind of the phantom was a
class and half of a batch was positive (`test_the_small_budget_has_the_papers_task`)."""


@dataclass(frozen=True, kw_only=True)
class Budget(PhantomBudget):
    """Settings that every row of a table shares."""

    backbone: str
    input_size: int
    pretrain_steps: int
    finetune_steps: int | None
    """None: as the preset's epochs ask for."""
    folds: int
    pretrain: Mapping[str, Any] = field(default_factory=dict)
    """Settings of every pretraining."""
    of_method: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Method -> further settings of its pretrainings."""
    presets: Mapping[Paper, str] = field(default_factory=lambda: {"pascual": "whole", "laiz": "whole"})
    """Preset of the finetunings in each paper's tables."""
    finetune: Mapping[str, Any] = field(default_factory=dict)
    """Settings of every finetuning."""
    finetune_of_method: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Method -> further settings of its finetunings."""
    of_paper: Mapping[Paper, Mapping[str, Any]] = field(default_factory=dict)
    """Further settings of the finetunings in each paper's tables."""
    batch_size: int | None = None
    normal_per_study: int = 2000

    def check(self) -> None:
        """Refuse trainings that are too short; `smoke` is exempt, and marked in what is printed."""
        if self.is_comparison:
            short = min(self.pretrain_steps, self.finetune_steps or FEWEST_STEPS)
            hint = "Allow more hours, use fewer seeds, or --budget smoke to check that it works."
            refuse_short(short, "per training", hint)


# The papers' SGD is for thousands of steps. From random weights its loss stayed at the margin for 300 steps; with AdamW
# and 4 sequences of 18 frames (Pascual et al. try such settings too) it falls, from random and from ImageNet weights.
ADAMW = {"optimizer": "adamw", "learning_rate": 1e-3}

SMOKE = Budget(
    name="smoke",
    backbone="resnet18",
    input_size=64,
    pretrain_steps=4,
    finetune_steps=6,
    folds=2,
    seeds=1,
    phantom=PhantomSet(6, 150, 8, 100, size_px=96, positive_share=0.2),
    is_comparison=False,
    pretrain={"sequence_length": 18, "window": 3, "checkpoints_kept": 1, "workers": 0, **ADAMW},
    of_method={"simclr": {"sequence_length": 1, "sequences": 18}},
    finetune={"refit": False},
    batch_size=12,
    normal_per_study=60,
)

# Some 50 images a second on one core: 200 x 72 frames for a pretraining, 3 x 200 x 24 for a row. Optimizer and course
# of the rate are those of the preset `whole`, not the papers', whose rates are for thousands of steps; a third of its
# rate, because it starts from ImageNet weights. Embeddings of unit length for the triplet losses of a fine-tuning:
# without that, 200 steps only shrink the embedding towards the margin (`docs/results/laiz.md`). The share of positives
# in a batch is the paper's: 1/5 for Laiz et al., that of the data for Pascual et al., of whose classes each batch of
# 24 has at least two frames, so that it has a triplet (ours; see `ProportionalSampler`).
UNIT_LENGTH = {"normalise": True}
SMALL = Budget(
    name="small",
    backbone=DEFAULT_BACKBONE,
    input_size=128,
    pretrain_steps=200,
    finetune_steps=200,
    folds=3,
    seeds=1,
    phantom=PhantomSet(12, 600, 8, 900, size_px=192, positive_share=0.06),
    pretrain={
        "sequence_length": 18, "sequences": 4, "window": 3, "checkpoints_kept": 1, **ADAMW, "learning_rate": 3e-4,
    },
    of_method={"simclr": {"sequence_length": 1, "sequences": 36}},
    finetune={"refit": False, "learning_rate": 3e-4, "classifier_learning_rate": 1e-2, "rotations": "free"},
    finetune_of_method={"tl-ba": UNIT_LENGTH, "tl-bh": UNIT_LENGTH},
    of_paper={
        "laiz": {"positive_share": 13 / 64},
        "pascual": {"sampling": "proportional", "least_per_class": 2},
    },
    batch_size=24,
)  # fmt: skip

# A busy processor: frames of 64 px, fine-tunings of the last layer in 60 steps as in the window; pretrainings too short
# to compare them.
BRIEF = replace(
    SMALL,
    name="brief",
    input_size=64,
    pretrain_steps=20,
    finetune_steps=60,
    folds=2,
    phantom=PhantomSet(12, 300, 6, 400, size_px=96, positive_share=0.06),
    is_comparison=False,
    finetune={**SMALL.finetune, "trained_layers": 1, "batch_norm": "frozen"},
)

PAPER = Budget(
    name="paper",
    backbone="resnet50",
    input_size=256,
    pretrain_steps=21_000,
    finetune_steps=None,
    folds=5,
    seeds=3,
    phantom=PhantomSet(40, 6000, 30, 12_000, size_px=256, positive_share=0.01),
    presets={"pascual": "pascual", "laiz": "laiz"},
)

BUDGETS: dict[str, Budget] = {budget.name: budget for budget in (SMOKE, BRIEF, SMALL, PAPER)}


def of_table(budget: Budget, table: Table) -> Budget:
    """The budget for a table: at most its paper's folds, as many repeats where trainings are compared, and a phantom of
    enough patients for each of its pretrainings.
    """
    folds = min(budget.folds, table.folds or budget.folds)
    repeats = table.repeats if table.repeats and budget.is_comparison else budget.seeds
    studies = max((row.training.studies for row in table.rows if row.training), default=0)
    phantom = replace(budget.phantom, outside_patients=max(budget.phantom.outside_patients, studies))
    return replace(budget, folds=folds, seeds=repeats, phantom=phantom)


def finetune_settings(budget: Budget, paper: Paper, method: str = "tl-ba") -> dict[str, Any]:
    """Settings of a method's finetunings in a paper's tables, besides those of the preset."""
    return {**budget.finetune, **budget.of_paper.get(paper, {}), **budget.finetune_of_method.get(method, {})}


def scaled(budget: Budget, factor: float) -> Budget:
    """The budget with so many times its steps, never more than the paper's; checked.

    Raises:
        UserError: a training would have too few steps.
    """
    finetune = budget.finetune_steps or PASCUAL_STEPS
    result = replace(
        budget,
        pretrain_steps=max(1, min(PAPER.pretrain_steps, round(budget.pretrain_steps * factor))),
        finetune_steps=max(1, min(PASCUAL_STEPS, round(finetune * factor))),
    )
    result.check()
    return result


PASCUAL_STEPS = 4500
"""Steps of a finetuning in Pascual et al. 2022, section 4.2."""


STATED_ELSEWHERE = frozenset(
    {"preset", "backbone", "input_size", "steps", "step_every", "epochs", "minutes", "most_steps"}
)
"""Settings that the table says already, or that only follow from the number of steps."""
WITHOUT_EFFECT = frozenset(
    {"workers", "checkpoints_kept", "close_ups", "max_frames", "max_normal_per_study", "warmup_share", "step_factor"}
    | {"fewest_steps", "patience"}
)
"""Settings that change no figure of a cross-validation (it has no boxes, and thins its frames itself), or only together
with one that is listed."""
NOWHERE: dict[str, Any] = {"studies": "-", "labels": "-", "out": "-"}


def departures(budget: Budget, paper: Paper, has_pretraining: bool) -> str:
    """Every setting that differs from the paper's, with the paper's in brackets; empty where none does."""
    size = {} if budget.batch_size is None else {"batch_size": budget.batch_size}
    given = {"preset": budget.presets[paper], **size, **finetune_settings(budget, paper)}
    pairs: dict[str, tuple[FinetuneConfig | PretrainConfig, FinetuneConfig | PretrainConfig]] = {}
    if has_pretraining:
        trained = pretrain_config(**NOWHERE, preset="paper", **budget.pretrain)
        pairs["pretraining"] = trained, pretrain_config(**NOWHERE)
    pairs["finetuning"] = (finetune_config(**NOWHERE, **given), finetune_config(**NOWHERE, preset=paper))
    parts = []
    for what, (ours, theirs) in pairs.items():
        silent = STATED_ELSEWHERE | WITHOUT_EFFECT | ({"momentum"} if ours.optimizer == "adamw" else set())
        if changed := changed_settings(ours.model_dump(), theirs.model_dump(), silent):
            parts.append(f"{what} with {', '.join(changed)}")
    if not parts:
        return ""
    return f"Settings that differ from the paper's (in brackets), unless a row names its own: {'; '.join(parts)}."


def changed_settings(ours: Mapping[str, Any], theirs: Mapping[str, Any], silent: Collection[str] = ()) -> list[str]:
    """Each setting that differs from the paper's, with the paper's in brackets: "learning_rate 0.001 (0.1)"."""
    odd = [name for name, value in ours.items() if name not in silent and value != theirs[name]]
    return [f"{name} {_number(ours[name])} ({_number(theirs[name])})" for name in odd]


def _number(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
