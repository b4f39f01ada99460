"""The training of a re-identification model, from its settings to a run folder with a model."""
