"""Pretraining, finetuning and cross-validation."""
