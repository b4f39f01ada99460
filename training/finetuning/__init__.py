"""Fine-tuning on labelled frames: from settings to a model folder, evaluated on held-out patients."""
