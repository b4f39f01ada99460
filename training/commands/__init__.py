"""The commands of `python -m training`, by name; their modules are imported only when one is run."""

COMMANDS: dict[str, str] = {
    "phantom": "training.commands.phantom:PhantomCommand:run_phantom",
    "index": "training.commands.index:IndexCommand:run_index",
    "score": "training.commands.score:ScoreCommand:run_score",
    "embed-clips": "training.commands.embed_clips:EmbedClipsCommand:run_embed_clips",
    "pretrain": "training.commands.pretrain:PretrainConfig:run_pretrain",
    "finetune": "training.commands.finetune:FinetuneConfig:run_finetune",
    "train-reid": "training.commands.train_reid:ReidConfig:run_train_reid",
    "embed-reid": "training.commands.train_reid:EmbedReidCommand:run_embed_reid",
    "evaluate": "training.commands.evaluate:EvaluateConfig:run_evaluate",
    "datasets": "training.commands.datasets:DatasetsCommand:run_datasets",
    "reproduce": "training.commands.benchmark:ReproduceConfig:run_reproduce",
    "benchmark": "training.commands.benchmark:BenchmarkConfig:run_benchmark",
    "few-labels": "training.commands.benchmark:FewLabelsConfig:run_few_labels",
    "serve": "training.commands.serve:ServeCommand:run_serve",
    "explain": "training.commands.explain:ExplainCommand:run_explain",
    "neighbours": "training.commands.neighbours:NeighboursCommand:run_neighbours",
    "evaluate-neighbours": "training.commands.evaluate_neighbours:EvaluateNeighboursCommand:run_evaluate_neighbours",
    "project": "training.commands.project:ProjectConfig:run_project",
    "evolution": "training.commands.project:EvolutionConfig:run_evolution",
    "evaluate-explanations": ("training.commands.evaluate:EvaluateExplanationsConfig:run_evaluate_explanations"),
}
"""Name -> "module:config class:function"; the function takes (config, reporter) and returns JSON values."""
