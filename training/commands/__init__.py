"""The commands of `python -m training`, by name; their modules are imported only when one is run."""

from dataclasses import dataclass
from typing import Literal

_COMMON = "--device --seed --preset --set --resume"
_IMAGES_AND_STUDIES = "--labels --out --images --studies --by"


@dataclass(frozen=True)
class Command:
    """Where a command is, and what the shell offers of its settings; `--set` takes all of them.

    Attributes:
        config: "module:class" of its settings; from their fields `training.commands.shell` makes the options.
        run: "module:function"; the function takes (config, reporter) and returns JSON values.
        help: what it does; empty: only the window starts it.
        options: the settings as they are typed, in the order of the help: `path` is an argument, `--out` an option,
            `--class=class_name` the option of a setting with another name, `--methods!` one that must be given.
        presets: "module:table" of its presets, if it has any.
        splits: whether it splits into tasks on a cluster, for each a core, or as many as its `threads`, or one for
            each kind of worker; empty: it is one task.
    """

    config: str
    run: str
    help: str = ""
    options: str = ""
    presets: str = ""
    splits: Literal["", "cores", "threads", "kinds"] = ""


# fmt: off
COMMANDS: dict[str, Command] = {
    "phantom": Command("training.commands.studies:PhantomCommand", "training.commands.studies:run_phantom",
        "Render synthetic capsule studies with ground truth.", f"out --studies --frames --overwrite {_COMMON}"),
    "index": Command("training.commands.studies:IndexCommand", "training.commands.studies:run_index",
        "Show frames, time base, rates, key frames, and what is odd about a file.",
        f"path --out --overwrite {_COMMON}"),
    "score": Command("training.commands.score:ScoreCommand", "training.commands.score:run_score",
        "Score every frame of a study, or of all studies of a manifest; embeddings, scores and CAMs go to HDF5 files.",
        f"path --studies --model --out --space --overwrite --cluster {_COMMON}", splits="cores"),
    "plan": Command("training.commands.plan:PlanCommand", "training.commands.plan:run_plan",
        "Say how long jobs over many studies would take, and what they need, by measuring some seconds of each.",
        f"--studies --do --model --labels --price --cluster {_COMMON}", splits="kinds"),
    "import-classifier": Command("training.commands.import_classifier:ImportClassifierCommand",
        "training.commands.import_classifier:run_import_classifier",
        "Make a model folder of a classifier of another program (ONNX, TorchScript), which can then score studies.",
        "path --classes --out --preset --set"),
    "import-embeddings": Command("training.commands.score:ImportCommand", "training.commands.score:run_import",
        "Import embeddings or scores of a study that another program computed, as a model without a network.",
        f"path --table --model --out --like --overwrite {_COMMON}"),
    "embed-clips": Command("training.commands.score:EmbedClipsCommand", "training.commands.score:run_embed_clips",
        "Embed all clips of a study, to find its places in other studies; the vectors go to an HDF5 file.",
        f"path --model --out --stride --overwrite {_COMMON}"),
    "datasets": Command("training.commands.studies:DatasetsCommand", "training.commands.studies:run_datasets",
        "Check a public data set as it was downloaded, or export it: images, manifest, labels and boxes.",
        "action name folder --out --overwrite --preset --set --resume", "training.datasets.public.contents:PRESETS"),
    "pretrain": Command("training.pretraining.config:PretrainConfig", "training.pretraining.run:pretrain",
        "Train an embedding on frames without labels; writes weights for fine-tuning to the run folder.",
        f"--out --studies --images --method --init --labels --by --log-to --cluster {_COMMON}",
        "training.pretraining.config:PRESETS"),
    "finetune": Command("training.finetuning.config:FinetuneConfig", "training.finetuning.start:finetune",
        "Fine-tune on labelled frames; writes the model and a comparison to the run folder.",
        f"--studies --labels --out --images --by --init --method --log-to --cluster {_COMMON}",
        "training.finetuning.config:PRESETS"),
    "sweep": Command("training.commands.sweep:SweepCommand", "training.commands.sweep:run_sweep",
        "Train with every combination of settings, --set KEY=VALUE,VALUE; writes a table, a picture and the runs.",
        f"--train --studies --labels --images --method --init --out --cluster {_COMMON}", splits="threads"),
    "train-reid": Command("training.reidentification.run_settings:ReidConfig",
        "training.reidentification.training_run:train_reid",
        "Train re-identification: which stretches of frames show the same finding (Intrator et al. 2023).",
        f"--studies --out --labels --boxes --links --embeddings --init --log-to --cluster {_COMMON}",
        "training.reidentification.run_settings:PRESETS"),
    "embed-reid": Command("training.commands.score:EmbedReidCommand", "training.commands.score:run_embed_reid",
        "Embed the flagged frames of a scored study with a re-identification model, to group its events.",
        "path --scores --model --out --threshold --overwrite --device --seed --preset --set"),
    "evaluate": Command("training.evaluation.evaluate_config:EvaluateConfig", "training.commands.evaluate:run_evaluate",
        "Cross-validate a method by patient, or evaluate a finished model on other data; writes a page, tables and "
        "figures to the report folder.",
        "--labels --out --studies --images --by --findings --model --method --init --pretrain --folds --split --log-to "
        f"--cluster {_COMMON}", "training.finetuning.config:PRESETS", splits="threads"),
    "compare": Command("training.evaluation.evaluate_config:CompareConfig", "training.commands.evaluate:run_compare",
        "Compare reports of evaluate on the frames that all of them scored, with intervals of the differences.",
        "reports --out --seed --preset --set --resume"),
    "few-labels": Command("training.experiments.few_labels.config:FewLabelsConfig",
        "training.experiments.few_labels.run:compare_few_labels",
        "Compare fine-tunings by their number of labels; each is evaluated on patients it was not trained on.",
        f"{_IMAGES_AND_STUDIES} --test-images --test-labels --rows --model --counts --draws --folds "
        f"--cluster {_COMMON}", splits="threads"),
    "active-learning": Command("training.experiments.active_learning.config:ActiveLearningConfig",
        "training.experiments.active_learning.run:compare_strategies",
        "Compare rules for what to label next, draw by draw, on frozen embeddings and held-out groups.",
        f"{_IMAGES_AND_STUDIES} --init --strategies --counts --start --positive-share --draws --folds {_COMMON}"),
    "reproduce": Command("training.experiments.reproduce.reproduce_config:ReproduceConfig",
        "training.commands.evaluate:run_reproduce",
        "Print a table of the papers with their figures and ours; finished trainings are reused.",
        "table --phantom --studies --images --labels --boxes --pairs --budget --hours --seeds --out --overwrite "
        "--cluster " + _COMMON, splits="threads"),
    "benchmark": Command("training.experiments.benchmark.config:BenchmarkConfig",
        "training.commands.evaluate:run_benchmark",
        "Compare pretraining methods: kNN, linear evaluation, few-shot, alignment and uniformity.",
        f"--methods! {_IMAGES_AND_STUDIES} --video-frames --hours --seeds --budget --finetune --cluster {_COMMON}",
        splits="threads"),
    "serve": Command("training.commands.serve:ServeCommand", "training.commands.serve:run_serve"),
    "explain": Command("training.commands.score:ExplainCommand", "training.commands.score:run_explain",
        "Write a frame beside where a class was seen in it (CAM or Score-CAM) as a picture.",
        f"path --frame --model --out --class=class_name --method --layer --overwrite {_COMMON}"),
    "evaluate-explanations": Command("training.experiments.explanations.config:EvaluateExplanationsConfig",
        "training.commands.evaluate:run_evaluate_explanations",
        "Measure how well explanations point at given boxes; models of folds explain unseen groups only.",
        "--images --labels --boxes --out --model --folds --method --init --backbone --input-size --steps --explain "
        f"--sample --sample-by {_COMMON}", "training.finetuning.config:PRESETS"),
    "neighbours": Command("training.commands.neighbours:NeighboursCommand",
        "training.commands.neighbours:run_neighbours",
        "Print the frames that look most like a given one, of any study that the same model scored.",
        "--study --frame --span --embeddings --manifest -k --metric --scope --labels --device --seed --preset --set"),
    "evaluate-neighbours": Command("training.commands.neighbours:EvaluateNeighboursCommand",
        "training.commands.neighbours:run_evaluate_neighbours",
        "Count how often the frames that look alike in other groups have the same label, beside chance.",
        "--images --labels --model --models --queries --metric --out --overwrite --device --seed --preset --set"),
    "clean": Command("training.commands.clean:CleanCommand", "training.commands.clean:run_clean",
        "List labels that are probably wrong, near-duplicates across studies or groups, and outliers, by embeddings.",
        "--images --labels --by --model --embeddings --manifest --out --find --sample --overwrite --device --seed "
        "--preset --set"),
    "suggest": Command("training.commands.suggest:SuggestCommand", "training.commands.suggest:run_suggest",
        "List the frames to label next, of scored studies or of a folder of images, by the rule of the window.",
        "--labels --by --out --embeddings --manifest --images --init --count --pictures --studies --overwrite --device "
        "--seed --preset --set"),
    "organs": Command("training.commands.organs:OrgansCommand", "training.commands.organs:run_organs",
        "Print where small bowel and colon begin, learned from the studies of the manifest that say so.",
        "--manifest! --device --seed --preset --set"),
    "project": Command("training.projection.config:ProjectConfig", "training.projection.map_making:project",
        "Make a map of embeddings: principal components at once, then t-SNE in steps.",
        f"--out --embeddings --manifest --method --sample --labels --onto --overwrite {_COMMON}"),
    "evolution": Command("training.projection.config:EvolutionConfig", "training.projection.evolution:make_evolution",
        "Show the same frames under every kept step of a pretraining, in one pair of axes.",
        f"--run --out --studies --labels --sample --space --overwrite {_COMMON}"),
}
# fmt: on
