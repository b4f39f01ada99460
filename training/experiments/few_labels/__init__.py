"""Fine-tuning with few labels: what a model learns from 40, 80, 160 or more labelled frames."""
