"""Pretraining, fine-tuning and cross-validation."""
